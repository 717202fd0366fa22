import type { listLooks } from '@zhugong/contract/tracks/calls'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { requireBody } from './settings.ts'

interface Look {
  /** Null: all officers on the map. */
  userId: string | null
  kind: Row<'officerLook'>['kind']
  day: string
  purpose?: string
}

/** Of one looker at the map: at most one row in this time, because the page refreshes by itself. */
const onceMinutes = 10

/** Keeps who looked at whose positions: in the transaction that shows them. Looking at oneself is not kept. */
export async function keepLook(
  ctx: Pick<Context, 'db' | 'newId' | 'user' | 'group' | 'clock'>,
  { userId, kind, day, purpose }: Look,
): Promise<void> {
  if (userId === ctx.user.id) return
  const now = new Date(ctx.clock.now())
  await sql`insert into officer_look (id, group_id, user_id, looker_id, looker_name, kind, day, purpose, at)
    select ${ctx.newId()}, ${ctx.group.id}, ${userId}, ${ctx.user.id}, ${ctx.user.name}, ${kind}, ${day}::date, ${purpose ?? null}, ${now}
    where ${kind} <> 'latest' or not exists (select from officer_look l where l.group_id = ${ctx.group.id} and l.looker_id = ${ctx.user.id}
      and l.kind = 'latest' and l.at > ${now}::timestamptz - make_interval(mins => ${onceMinutes}))`.execute(ctx.db)
}

const kindNames = { latest: '定位地图', day: '轨迹', sheet: '导出日报' } as const

/** Looks at the caller, and at the map while he was on it. */
export const looks: HandlerOf<typeof listLooks> = async ({ query }, ctx) => {
  requireBody(ctx)
  const { limit, offset } = pageSlice(query)
  const where = sql`l.group_id = ${ctx.group.id} and (l.user_id = ${ctx.user.id} or l.user_id is null and exists (select from officer_shift s
    where s.group_id = l.group_id and s.user_id = ${ctx.user.id} and s.begin_time <= l.at and coalesce(s.end_time, l.at) >= l.at)) and l.looker_id <> ${ctx.user.id}`
  const { rows } = await sql<
    Row<'officerLook'>
  >`select l.* from officer_look l where ${where} order by l.at desc, l.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from officer_look l where ${where}`.execute(ctx.db)
  return {
    list: rows.map(({ id, lookerName, kind, day, purpose, at }) => ({
      id,
      lookerName,
      kind,
      kindName: kindNames[kind],
      day,
      purpose,
      at: formatInstant(at),
    })),
    total: counted[0]?.n ?? 0,
  }
}
