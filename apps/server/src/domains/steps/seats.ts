import { concealed, witnessedKinds } from '@zhugong/contract/steps/chain'
import { stepSeatRight as own } from '@zhugong/contract/steps/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { Seat } from '../process/public.ts'

type Step = Row<'siteStep'>

/** The acceptance as it is signed: the points of its last round. */
export async function stepContent(ctx: Pick<Context, 'db'>, row: Step) {
  type Point = Pick<Row<'siteStepPoint'>, 'key' | 'value' | 'passed'>
  const { rows: points } = await sql<Point>`select key, value, passed from site_step_point
    where step_id = ${row.id} and round = ${row.round} order by seq`.execute(ctx.db)
  const { code, projectCode, placeId, part, work, kind, corpCode, checkTime, checkers, round } = row
  return { code, projectCode, placeId, part, work, kind, corpCode, checkTime, checkers, round, points }
}

const submitted = ['1', '2', '3', '4']

/** Checkers by name, the gang on their device, and 监理, whose signature is the acceptance. */
export async function stepSeats(ctx: Pick<Context, 'db'>, row: Step): Promise<readonly Seat[]> {
  const content = await stepContent(ctx, row)
  return [
    ...row.checkers.map(
      (name, i): Seat => ({
        seat: `checker${i + 1}`,
        role: '检查人',
        own,
        tablet: own,
        from: submitted,
        expects: name,
        known: { name, at: row.checkTime },
        content,
      }),
    ),
    { seat: 'gang', role: '施工班组', tablet: own, from: submitted, content },
    ...(witnessedKinds.includes(row.kind)
      ? [{ seat: 'supervisor', role: row.kind === concealed ? '监理（隐蔽验收）' : '监理', from: [], content }]
      : []),
  ]
}
