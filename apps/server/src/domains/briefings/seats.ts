import { briefingStates } from '@zhugong/contract/briefings/moves'
import { discloserSeat, gangSeat, holderSeat, managerSeat, witnessSeat } from '@zhugong/contract/briefings/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { Seat } from '../process/public.ts'

/** The briefing as it is signed. Who is briefed is no part of it: people may join later. */
export function briefingContent(row: Row<'briefing'>) {
  const { type, code, projectCode, kind, name, workType, part, bigProjectId, content, files, date, discloser } = row
  return { type, code, projectCode, kind, name, workType, part, bigProjectId, content, files, date, discloser }
}

const signing = [briefingStates.signing]

/** Whoever briefs, the safety officer as witness, and everybody who is briefed. Who has left the site or signed on paper signs no more. */
export async function briefingSeats(ctx: Pick<Context, 'db'>, row: Row<'briefing'>): Promise<readonly Seat[]> {
  type Raw = Pick<Row<'briefingReceiver'>, 'id' | 'name' | 'paperAt'> & { gone: boolean }
  const { rows } = await sql<Raw>`select r.id, r.name, r.paper_at, w.exit_time is not null as gone
    from briefing_receiver r left join project_worker w on w.id = r.stay_id where r.briefing_id = ${row.id} order by r.seq`.execute(ctx.db)
  const content = briefingContent(row)
  const isGang = row.type === 'safetyPTechnical'
  const tablet = isGang ? gangSeat : holderSeat
  const leads: Seat[] = [
    { seat: discloserSeat, role: '交底人', own: managerSeat, tablet, from: signing, expects: row.discloser, content },
    ...(row.witness
      ? [{ seat: witnessSeat, role: '安全员（见证）', own: managerSeat, tablet, from: signing, expects: row.witness, content }]
      : []),
  ]
  return [
    ...leads,
    ...rows.map(
      ({ id, name, paperAt, gone }): Seat => ({
        seat: id,
        role: '被交底人',
        own: managerSeat,
        tablet,
        from: gone || paperAt ? [] : signing,
        expects: name,
        known: paperAt ? { name, at: paperAt } : undefined,
        content,
      }),
    ),
  ]
}
