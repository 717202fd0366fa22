import { type Operation, upload } from '@zhugong/contract/docking/codes'
import { isObjectType, type ObjectType, objectOf, rankOf } from '@zhugong/contract/docking/standard'
import { sql } from 'kysely'
import type { Db, NewRow, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { findSources, type Source } from './sources.ts'

/** Changes worked off in one transaction. */
const perTurn = 500

interface Told {
  objectType: ObjectType
  sourceId: string
  op: Operation
}

/**
 * Makes records of what has changed at the source, one for each connection it goes to. A row that has not gone out yet, or was refused, takes
 * the change along; one whose fate is open is followed by another. Answers how many changes it took; called by one process at a time.
 */
export async function fanOut(db: Db, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ seq: number; objectType: string; sourceId: string; op: Operation }>`
      delete from docking_outbox where seq in (select seq from docking_outbox order by seq limit ${perTurn} for update skip locked)
      returning seq, object_type, source_id, op`.execute(tx)
    rows.sort((a, b) => a.seq - b.seq)
    const told = new Map<string, Told>()
    for (const { objectType, sourceId, op } of rows)
      if (isObjectType(objectType) && !told.has(`${objectType} ${sourceId}`))
        told.set(`${objectType} ${sourceId}`, { objectType, sourceId, op })
    if (told.size > 0)
      await queueTold(
        tx,
        [...told.values()].sort((a, b) => rankOf(a.objectType) - rankOf(b.objectType)),
        now,
      )
    return rows.length
  })
}

interface Way {
  platformId: string
  objects: ObjectType[]
  projects: ReadonlySet<string>
}

async function findWays(tx: Tx): Promise<Way[]> {
  const { rows } = await sql<{ platformId: string; objects: ObjectType[]; projects: string[] }>`
    select p.id as platform_id, p.objects, array_agg(e.project_code) as projects
    from docking_platform p join docking_enrol e on e.platform_id = p.id where p.status = '01' group by p.id`.execute(tx)
  return rows.map((row) => ({ ...row, projects: new Set(row.projects) }))
}

async function queueTold(tx: Tx, told: readonly Told[], now: number): Promise<void> {
  const ways = await findWays(tx)
  if (ways.length === 0) return
  const wanted: (Told & { source: Source; platformId: string; projectCode: string })[] = []
  for (const objectType of new Set(told.map((one) => one.objectType))) {
    const mine = told.filter((one) => one.objectType === objectType)
    const sources = await findSources(
      tx,
      objectType,
      mine.map((one) => one.sourceId),
    )
    for (const one of mine) {
      const source = sources.get(one.sourceId)
      if (!source) continue
      for (const way of ways) {
        const projectCode = way.objects.includes(objectType) ? source.projectCodes.find((code) => way.projects.has(code)) : undefined
        if (projectCode) wanted.push({ ...one, source, platformId: way.platformId, projectCode })
      }
    }
  }
  const before = await findBefore(
    tx,
    wanted.map((one) => one.sourceId),
  )
  const rows: NewRow<'dockingRecord'>[] = []
  const mended: string[] = []
  for (const { objectType, sourceId, source, platformId, projectCode } of wanted) {
    const known = before.get(`${platformId} ${objectType} ${sourceId}`)
    if (known?.mayTake) {
      if (known.uploadStatus === upload.failed) mended.push(known.id)
      continue
    }
    rows.push({
      id: newId(now),
      platformId,
      objectType,
      rank: rankOf(objectType),
      sourceId,
      projectCode,
      corpCode: source.corpCode,
      lane: source.lane,
      afterLane: source.afterLane,
      bizName: source.bizName,
      op: known ? '2' : '1',
      queuedTime: new Date(now),
    })
  }
  for (let i = 0; i < rows.length; i += perTurn)
    await tx
      .insertInto('dockingRecord')
      .values(rows.slice(i, i + perTurn))
      .execute()
  await pushAgain(tx, mended, now)
  const lanes = new Map<string, Set<string>>()
  for (const { platformId, lane } of rows) lanes.set(platformId, (lanes.get(platformId) ?? new Set()).add(lane))
  for (const [platformId, names] of lanes) await releaseHeads(tx, platformId, [...names], now)
}

/** The newest record of each source, and whether it takes a change along. */
async function findBefore(tx: Tx, sourceIds: readonly string[]) {
  if (sourceIds.length === 0) return new Map<string, { id: string; uploadStatus: string; mayTake: boolean }>()
  const { rows } = await sql<{
    id: string
    platformId: string
    objectType: string
    sourceId: string
    uploadStatus: string
    mayTake: boolean
  }>`
    select distinct on (platform_id, object_type, source_id) id, platform_id, object_type, source_id, upload_status,
      payload is null and upload_status in ('0', '-1') as may_take
    from docking_record where source_id = any (${[...new Set(sourceIds)]}) order by platform_id, object_type, source_id, seq desc`.execute(
    tx,
  )
  return new Map(rows.map((row) => [`${row.platformId} ${row.objectType} ${row.sourceId}`, row]))
}

/** Lets failed rows go again: they are the first of their lanes. Answers how many there were. */
export async function pushAgain(db: Db | Tx, ids: readonly string[], now: number): Promise<number> {
  if (ids.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    update docking_record set upload_status = '0', async_status = null, error_code = null, error_field = null, error_text = null, due_at = ${new Date(now)}
    where id = any (${[...ids]}) and upload_status = '-1'`.execute(db)
  return Number(numAffectedRows)
}

/** The first open row of each lane may go, where it waits; the rest of the lane learns what it waits for. */
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

/** Rows of other lanes that wait for one of these, which has failed. */
async function tellWaiting(db: Db | Tx, platformId: string, stopped: readonly { lane: string; objectType: ObjectType }[]): Promise<void> {
  await sql`
    update docking_record r set wait_for = w.reason from unnest(${stopped.map((one) => one.lane)}::text[], ${stopped.map((one) =>
      waitText(one.objectType),
    )}::text[]) as w (lane, reason)
    where r.platform_id = ${platformId} and r.wait_lane = w.lane and r.wait_for is distinct from w.reason`.execute(db)
}
