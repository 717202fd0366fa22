import { type ObjectType, objectOf } from '@zhugong/contract/docking/standard'
import { sql } from 'kysely'
import type { Db, Tx } from '#kit/db'

/** Makes the first open record of each lane due; the others get the reason they wait for. */
export async function releaseHeads(db: Db | Tx, platformId: string, lanes: readonly string[], now: number): Promise<void> {
  await sql`
    update docking_record r set due_at = ${new Date(now)}, wait_for = null from (
      select distinct on (lane) id from docking_record where platform_id = ${platformId} and lane = any (${[...lanes]}) and upload_status not in ('1', '3')
      order by lane, seq) head
    where r.id = head.id and r.upload_status = '0' and r.due_at is null and r.wait_lane is null`.execute(db)
  const { rows } = await sql<{ lane: string; objectType: ObjectType; failed: boolean }>`
    select distinct on (lane) lane, object_type, failed from docking_record
    where platform_id = ${platformId} and lane = any (${[...lanes]}) and upload_status not in ('1', '3') order by lane, seq`.execute(db)
  const stopped = rows.filter((row) => row.failed)
  await sql`
    update docking_record r set wait_for = w.reason from unnest(${rows.map((row) => row.lane)}::text[], ${rows.map((row) =>
      row.failed ? waitText(row.objectType) : null,
    )}::text[]) as w (lane, reason)
    where r.platform_id = ${platformId} and r.lane = w.lane and r.upload_status = '0' and r.due_at is null and r.wait_lane is null
      and r.wait_for is distinct from w.reason`.execute(db)
  if (stopped.length > 0) await tellWaiting(db, platformId, stopped)
}

export const waitText = (type: ObjectType): string => `${objectOf(type).short}未成功`

/** Sets the waiting reason for records of other lanes that depend on a failed one. */
async function tellWaiting(db: Db | Tx, platformId: string, stopped: readonly { lane: string; objectType: ObjectType }[]): Promise<void> {
  await sql`
    update docking_record r set wait_for = w.reason from unnest(${stopped.map((one) => one.lane)}::text[], ${stopped.map((one) =>
      waitText(one.objectType),
    )}::text[]) as w (lane, reason)
    where r.platform_id = ${platformId} and r.wait_lane = w.lane and r.wait_for is distinct from w.reason`.execute(db)
}

/** Releases records of other lanes that waited for these; dependencies are checked again when they are taken. */
export async function releaseWaiting(db: Db | Tx, platformId: string, lanes: readonly string[], now: number): Promise<void> {
  await sql`
    update docking_record r set due_at = ${new Date(now)}, wait_lane = null, wait_for = null
    where r.platform_id = ${platformId} and r.wait_lane = any (${[...lanes]}) and not exists (
      select 1 from docking_record o where o.platform_id = r.platform_id and o.lane = r.wait_lane and o.seq < r.seq and o.upload_status not in ('1', '3'))`.execute(
    db,
  )
}
