import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { RecordRow } from '../shared/records.ts'

export const accessRecord = 'accessRecord'
/** Passages are paired by plate within a day; longer stays are paired by people. */
const byPlateHours = 24

/** SQL: the passage is the entry or the exit of a manual pair. */
const stands = (as: 'in' | 'out', of: 'r' | 'o' | 'n'): RawBuilder<unknown> =>
  sql`${sql.ref(`h.${as}_device`)} = ${sql.ref(`${of}.device_id`)} and ${sql.ref(`h.${as}_ts`)} = ${sql.ref(`${of}.ts`)} and ${sql.ref(`h.${as}_id`)} = ${sql.ref(`${of}.id`)}`

/** SQL: passages joined manually to another one, or separated from this one, cannot be paired by plate. */
const spoken = (side: 'in' | 'out', of: 'o' | 'n'): RawBuilder<unknown> => sql`exists (
  select 1 from passage_pair h where h.undone_at is null and ${stands(side, of)} and (h.kind = 'joined' or (${stands(side === 'in' ? 'out' : 'in', 'r')})))`

/** The other half of a passage: paired manually, else the nearest one with the same plate in the project. */
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
/** The exit of an entry. */
export const leaving = otherHalf('out')
/** The entry of an exit. */
export const entering = otherHalf('in')

/**
 * Only a plate's last entry counts as inside: an earlier one without an exit left unseen. An exit that people separated from this entry does not end
 * the stay.
 */
export const isInside = (now: number) => sql`coalesce(r.data ->> 'direction' = '0' and gone.ts is null and not exists (
  select 1 from record_now n where n.project_code = r.project_code and n.record = ${accessRecord} and n.ts > r.ts and n.ts <= ${new Date(now)}
    and n.data ->> 'plateNo' = r.data ->> 'plateNo' and not ${spoken('out', 'n')}), false)`

/** The id of this passage's manual pair in force. */
export async function joinedByHand(db: Tx, row: Pick<RecordRow, 'id' | 'deviceId' | 'ts'>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select h.id from passage_pair h where h.kind = 'joined' and h.undone_at is null
    and ((h.in_device = ${row.deviceId} and h.in_ts = ${row.ts} and h.in_id = ${row.id})
      or (h.out_device = ${row.deviceId} and h.out_ts = ${row.ts} and h.out_id = ${row.id}))`.execute(db)
  return rows[0]?.id
}
