import { checkSeatRights as rights } from '@zhugong/contract/checks/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { checkContent, checkerSeats, siteSeat } from '../checks/public.ts'
import type { Seat } from '../process/public.ts'

/** An inspection with whether the site has a supervisor who did not hold it himself. */
type Inspection = Row<'siteCheck'> & { supervised: boolean }

/** The seats of a scored inspection: its checkers, the inspected side, and 监理 where the site has one. */
export async function inspectionSeats(ctx: Pick<Context, 'db'>, row: Inspection): Promise<readonly Seat[]> {
  type Frozen = Pick<Row<'checkScore'>, 'score' | 'grade' | 'reason'>
  const { rows: scores } = await sql<Frozen>`select score, grade, reason from check_score where check_id = ${row.id}`.execute(ctx.db)
  const { rows: signs } = await sql<Pick<Row<'checkSign'>, 'side' | 'name' | 'at'>>`select side, name, at from check_sign
    where check_id = ${row.id}`.execute(ctx.db)
  const content = { ...(await checkContent(ctx, row)), ...scores[0] }
  const site = siteSeat('受检单位', content)
  const known = (side: 'site' | 'supervisor') => ({ known: signs.find((one) => one.side === side) })
  return [
    ...checkerSeats(row, content),
    { ...site, ...known('site') },
    ...(row.supervised
      ? [{ seat: 'supervisor', role: '监理单位', own: rights.supervisor, from: site.from, ...known('supervisor'), content }]
      : []),
  ]
}
