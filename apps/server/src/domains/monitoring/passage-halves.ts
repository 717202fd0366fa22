import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { RecordRow } from './records.ts'

export const accessRecord = 'accessRecord'
/** A plate alone pairs passages of one day; people join what stayed longer. */
const byPlateHours = 24

/** Where a passage stands in a pair that people made: as the way in or the way out. */
const stands = (as: 'in' | 'out', of: 'r' | 'o' | 'n'): RawBuilder<unknown> =>
  sql`${sql.ref(`h.${as}_device`)} = ${sql.ref(`${of}.device_id`)} and ${sql.ref(`h.${as}_ts`)} = ${sql.ref(`${of}.ts`)} and ${sql.ref(`h.${as}_id`)} = ${sql.ref(`${of}.id`)}`

/** What people have joined with another passage, or parted from this one, is no other half by its plate. */
const spoken = (side: 'in' | 'out', of: 'o' | 'n'): RawBuilder<unknown> => sql`exists (
  select 1 from passage_pair h where h.undone_at is null and ${stands(side, of)} and (h.kind = 'joined' or (${stands(side === 'in' ? 'out' : 'in', 'r')})))`

/** The other half of a passage: as people joined it, else the nearest one of its plate on the same project. */
function otherHalf(side: 'in' | 'out'): RawBuilder<unknown> {
  const [own, direction] = side === 'out' ? (['in', '1'] as const) : (['out', '0'] as const)
  const when =
    side === 'out'
      ? sql`o.ts > r.ts and o.ts < r.ts + make_interval(hours => ${byPlateHours})`
      : sql`o.ts < r.ts and o.ts > r.ts - make_interval(hours => ${byPlateHours})`
  return sql`lateral (
    select o.ts, o.by_hand, o.device_id || '.' || (extract(epoch from o.ts) * 1000)::bigint || '.' || left(md5(o.id), 8) as key from (
      (select ${sql.ref(`h.${side}_device`)} as device_id, ${sql.ref(`h.${side}_ts`)} as ts, ${sql.ref(`h.${side}_id`)} as id, true as by_hand
        from passage_pair h where ${stands(own, 'r')} and h.kind = 'joined' and h.undone_at is null)
      union all
      (select o.device_id, o.ts, o.id, false from record_now o
        where o.project_code = r.project_code and o.record = ${accessRecord} and ${when} and o.data ->> 'plateNo' = r.data ->> 'plateNo'
          and o.data ->> 'direction' = ${direction} and not ${spoken(side, 'o')}
        order by o.ts ${side === 'out' ? sql`asc` : sql`desc`} limit 1)) o
    order by o.by_hand desc limit 1)`
}
/** The way out of a way in. */
export const leaving = otherHalf('out')
/** The way in of a way out. */
export const entering = otherHalf('in')

/**
 * Somebody who came in again after this way in was seen leaving by nobody: only the last way in counts as inside. A way out that people
 * say was another vehicle's lets nobody out.
 */
export const isInside = (now: number) => sql`coalesce(r.data ->> 'direction' = '0' and gone.ts is null and not exists (
  select 1 from record_now n where n.project_code = r.project_code and n.record = ${accessRecord} and n.ts > r.ts and n.ts <= ${new Date(now)}
    and n.data ->> 'plateNo' = r.data ->> 'plateNo' and not ${spoken('out', 'n')}), false)`

/** The pair that people made of this passage and that holds. */
export async function joinedByHand(db: Tx, row: Pick<RecordRow, 'id' | 'deviceId' | 'ts'>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select h.id from passage_pair h where h.kind = 'joined' and h.undone_at is null
    and ((h.in_device = ${row.deviceId} and h.in_ts = ${row.ts} and h.in_id = ${row.id})
      or (h.out_device = ${row.deviceId} and h.out_ts = ${row.ts} and h.out_id = ${row.id}))`.execute(db)
  return rows[0]?.id
}
