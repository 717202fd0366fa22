import { type Operation, operation, upload } from '@zhugong/contract/docking/codes'
import { isObjectType, type ObjectType, rankOf } from '@zhugong/contract/docking/standard'
import { sql } from 'kysely'
import type { Db, NewRow, Row, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import { type Known, knownNow } from './known.ts'
import { releaseHeads, releaseWaiting } from './lanes.ts'
import { findSources, type Source } from './sources.ts'

/** Changes processed in one transaction. */
const perTurn = 500

/** Outbox entries that refer to passages indirectly: a new stay, or a correction in force, which may itself be a passage. */
const passageHints = ['passagesOf', 'passageFix'] as const
type PassageHint = (typeof passageHints)[number]
const isPassageHint = (type: string): type is PassageHint => passageHints.some((hint) => hint === type)

interface ChangedObject {
  objectType: ObjectType
  sourceId: string
}

/**
 * Creates records from changed rows, one for each connection. A record not sent yet, or refused, includes the change; one with an open
 * outcome is followed by another. Rows deleted here are deleted at the upper platform if they exist there. Returns the number of changes
 * processed. Must run in one process at a time.
 */
export async function fanOut(db: Db, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ seq: number; objectType: string; sourceId: string }>`
      delete from docking_outbox where seq in (select seq from docking_outbox order by seq limit ${perTurn} for update skip locked)
      returning seq, object_type, source_id`.execute(tx)
    rows.sort((a, b) => a.seq - b.seq)
    const hints = rows.filter((row) => isPassageHint(row.objectType))
    const byKey = new Map<string, ChangedObject>()
    for (const { objectType, sourceId } of [...rows, ...(await passagesMeant(tx, hints))])
      if (isObjectType(objectType)) byKey.set(`${objectType} ${sourceId}`, { objectType, sourceId })
    if (byKey.size > 0)
      await queueReported(
        tx,
        [...byKey.values()].sort((a, b) => rankOf(a.objectType) - rankOf(b.objectType)),
        now,
      )
    return rows.length
  })
}

/** Passages since the enrolment that a stay or a correction refers to, ordered by time. For a stay, only those not sent yet. */
async function passagesMeant(tx: Tx, hints: readonly { objectType: string; sourceId: string }[]): Promise<ChangedObject[]> {
  if (hints.length === 0) return []
  const idsOf = (hint: PassageHint) => hints.filter((one) => one.objectType === hint).map((one) => one.sourceId)
  const since = sql`exists (select 1 from docking_enrol e where e.project_code = a.project_code and a.time >= e.since)`
  // The passages a correction concerns. For a withdrawal of corrections, follows the chain down to the first correction.
  const concerned = sql`(
    with recursive named as (
      select c.id, c.project_code, c.kind, c.value from attendance_correction c where c.id = any (${idsOf('passageFix')})
      union
      select o.id, o.project_code, o.kind, o.value from named n join attendance_correction o on n.kind = 'revoke' and o.project_code = n.project_code
        and o.id = n.value ->> 'target')
    select id, project_code, value, value ->> 'target' as target from named where kind <> 'revoke') of_it`
  const { rows } = await sql<{ key: string }>`
    select key from (
      select a.project_code || '/' || a.id as key, a.time, a.id
      from (select split_part(k, '/', 1) as project_code, substr(k, strpos(k, '/') + 1) as worker_id from unnest(${idsOf('passagesOf')}::text[]) k) s
        join attendance_event a using (project_code, worker_id)
      where ${since} and not exists (select 1 from docking_record r where r.source_id = a.project_code || '/' || a.id
        and r.object_type = 'attendanceRecord' and r.upload_status in ('1', '3'))
      union
      select a.project_code || '/' || a.id, a.time, a.id
      from ${concerned} join attendance_event a on a.project_code = of_it.project_code and (a.id = of_it.target or (a.terminal_code = of_it.value ->> 'gate'
          and a.quarantine is not null and a.time between zg_instant(of_it.value ->> 'fromTime') and zg_instant(of_it.value ->> 'toTime')))
      where ${since}
      union
      select a.project_code || '/' || a.id, a.time, a.id
      from ${concerned} cross join lateral (select e.project_code, e.id, zg_instant(e.value ->> 'time') as time from attendance_correction e
          where e.project_code = of_it.project_code and e.kind = 'add' and e.id in (of_it.id, of_it.target)) a
      where ${since}) p order by time, id`.execute(tx)
  return rows.map(({ key }) => ({ objectType: 'attendanceRecord', sourceId: key }))
}

interface Way {
  platformId: string
  objects: ObjectType[]
  projects: ReadonlySet<string>
}

async function findWays(tx: Tx): Promise<Way[]> {
  const { rows } = await sql<{ platformId: string; objects: ObjectType[]; projects: string[] }>`
    select p.id as platform_id, p.objects, array_remove(array_agg(e.project_code), null) as projects
    from docking_platform p left join docking_enrol e on e.platform_id = p.id where p.status = '01' group by p.id`.execute(tx)
  return rows.map((row) => ({ ...row, projects: new Set(row.projects) }))
}

async function queueReported(tx: Tx, changedObject: readonly ChangedObject[], now: number): Promise<void> {
  const ways = await findWays(tx)
  if (ways.length === 0) return
  const sources = new Map<string, Source>()
  for (const [objectType, mine] of Map.groupBy(changedObject, (one) => one.objectType)) {
    const ids = mine.map((one) => one.sourceId)
    for (const [id, source] of await findSources(tx, objectType, ids)) sources.set(`${objectType} ${id}`, source)
  }
  const before = await findBefore(tx, changedObject)
  const away = await projectsAway(tx, before)
  const work: Work = { rows: [], again: [], dropped: [], ops: [], known: [] }
  const of = (one: ChangedObject) => ({ ...one, source: sources.get(`${one.objectType} ${one.sourceId}`) })
  // Deletes dependents first, and adds new rows afterwards, which may reuse a deleted row's name or number.
  for (const one of changedObject.toReversed())
    for (const way of ways)
      if (!of(one).source) planRemoval(work, way, before.get(`${way.platformId} ${one.objectType} ${one.sourceId}`), away, now)
  for (const one of changedObject) {
    const { source, objectType, sourceId } = of(one)
    if (!source) continue
    for (const way of ways) {
      const projectCode = way.objects.includes(objectType) ? source.projectCodes.find((code) => way.projects.has(code)) : undefined
      if (projectCode)
        planChange(work, { objectType, sourceId, source, projectCode, way }, before.get(`${way.platformId} ${objectType} ${sourceId}`), now)
    }
  }
  await write(tx, work, now)
}

/** Earlier records of a row on one connection. */
interface Before {
  platformId: string
  /** Not sent yet or refused, so a change can be included. In order. */
  open: QueuedRecord[]
  /** The newest sent record: the presumed state at the upper platform. */
  gone: QueuedRecord | undefined
}
type QueuedRecord = Pick<
  Row<'dockingRecord'>,
  | 'id'
  | 'platformId'
  | 'objectType'
  | 'sourceId'
  | 'projectCode'
  | 'corpCode'
  | 'lane'
  | 'afterLane'
  | 'bizName'
  | 'op'
  | 'uploadStatus'
  | 'known'
> & { mayTake: boolean }

interface Work {
  rows: NewRow<'dockingRecord'>[]
  again: string[]
  /** Superseded records; their attempts move to the record that replaces them. */
  dropped: { row: QueuedRecord; to: string | undefined }[]
  ops: { id: string; op: Operation }[]
  known: { id: string; known: Known }[]
}

const stands = (known: Before | undefined): boolean => known?.gone !== undefined && known.gone.op !== operation.remove

interface Wanted extends ChangedObject {
  source: Source
  projectCode: string
  way: Way
}

function planChange(work: Work, { objectType, sourceId, source, projectCode, way }: Wanted, known: Before | undefined, now: number): void {
  const op = stands(known) ? operation.change : operation.add
  const [current, ...others] = known?.open ?? []
  const ofNow = knownNow(objectType, source, projectCode)
  if (!current) {
    const then = ofNow ?? known?.gone?.known
    work.rows.push({
      id: newId(now),
      platformId: way.platformId,
      objectType,
      rank: rankOf(objectType),
      sourceId,
      projectCode,
      ...pick(source, 'corpCode', 'lane', 'afterLane', 'bizName'),
      op,
      queuedTime: new Date(now),
      known: then ? JSON.stringify(then) : null,
    })
    return
  }
  if (ofNow && current.projectCode === projectCode) work.known.push({ id: current.id, known: ofNow })
  if (current.op !== op) work.ops.push({ id: current.id, op })
  if (current.uploadStatus === upload.failed) work.again.push(current.id)
  work.dropped.push(...others.map((row) => ({ row, to: current.id })))
}

/**
 * Projects with sent records that were deleted here: they cannot be removed from a connection, so their rows are deleted at the upper
 * platform.
 */
async function projectsAway(tx: Tx, before: ReadonlyMap<string, Before>): Promise<ReadonlySet<string>> {
  const codes = new Set([...before.values()].flatMap(({ gone }) => (gone ? [gone.projectCode] : [])))
  if (codes.size === 0) return codes
  const { rows } = await sql<{ code: string }>`select project_code as code from project where project_code = any (${[...codes]})`.execute(
    tx,
  )
  for (const { code } of rows) codes.delete(code)
  return codes
}

/** Plans a deletion at the upper platform if the row exists there; otherwise drops its unsent records. */
function planRemoval(work: Work, way: Way, known: Before | undefined, away: ReadonlySet<string>, now: number): void {
  if (!known) return
  const removal = known.open.find((row) => row.op === operation.remove)
  if (!stands(known) || !known.gone) {
    work.dropped.push(...known.open.map((row) => ({ row, to: undefined })))
    return
  }
  const { objectType, sourceId, projectCode, corpCode, lane, afterLane, bizName } = known.gone
  const isRequested = way.objects.includes(objectType) && (way.projects.has(projectCode) || away.has(projectCode))
  const id = removal?.id ?? (isRequested ? newId(now) : undefined)
  if (!removal && id)
    work.rows.push({
      id,
      platformId: way.platformId,
      objectType,
      rank: rankOf(objectType),
      sourceId,
      projectCode,
      corpCode,
      lane,
      afterLane,
      bizName,
      op: operation.remove,
      queuedTime: new Date(now),
    })
  work.dropped.push(...known.open.filter((row) => row !== removal).map((row) => ({ row, to: id })))
}

async function write(tx: Tx, { rows, again, dropped, ops, known }: Work, now: number): Promise<void> {
  for (let i = 0; i < rows.length; i += perTurn)
    await tx
      .insertInto('dockingRecord')
      .values(rows.slice(i, i + perTurn))
      .execute()
  if (ops.length > 0)
    await sql`
      update docking_record r set op = o.op from unnest(${ops.map((o) => o.id)}::text[], ${ops.map((o) => o.op)}::text[]) as o (id, op)
      where r.id = o.id`.execute(tx)
  if (known.length > 0)
    await sql`
      update docking_record r set known = k.known from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as k(id text, known jsonb) where r.id = k.id`.execute(
      tx,
    )
  if (dropped.length > 0) {
    await sql`
      update docking_attempt a set record_id = d.next from unnest(${dropped.map((d) => d.row.id)}::text[], ${dropped.map((d) => d.to ?? null)}::text[]) as d (id, next)
      where a.record_id = d.id and d.next is not null`.execute(tx)
    await sql`delete from docking_record where id = any (${dropped.map((d) => d.row.id)})`.execute(tx)
  }
  await pushAgain(tx, again, now)
  const lanes = new Map<string, Set<string>>()
  for (const { platformId, lane } of [...rows, ...dropped.map((d) => d.row)])
    lanes.set(platformId, (lanes.get(platformId) ?? new Set()).add(lane))
  for (const [platformId, names] of lanes) {
    await releaseHeads(tx, platformId, [...names], now)
    if (dropped.length > 0) await releaseWaiting(tx, platformId, [...names], now)
  }
}

/** Per connection, object and row: the open records and the last sent one. */
async function findBefore(tx: Tx, changedObject: readonly ChangedObject[]): Promise<Map<string, Before>> {
  const mayTake = sql`payload is null and upload_status in ('0', '-1')`
  const shown = sql`id, platform_id, object_type, source_id, project_code, corp_code, lane, after_lane, biz_name, op, upload_status, known, seq`
  const ids = [...new Set(changedObject.map((one) => one.sourceId))]
  const { rows } = await sql<QueuedRecord>`
    select *, true as may_take from (select ${shown} from docking_record where source_id = any (${ids}) and ${mayTake}) o
    union all (select distinct on (platform_id, object_type, source_id) ${shown}, false from docking_record where source_id = any (${ids}) and not (${mayTake})
      order by platform_id, object_type, source_id, seq desc)
    order by seq`.execute(tx)
  const before = new Map<string, Before>()
  for (const row of rows) {
    const key = `${row.platformId} ${row.objectType} ${row.sourceId}`
    const known = before.get(key) ?? { platformId: row.platformId, open: [], gone: undefined }
    before.set(key, known)
    if (row.mayTake) known.open.push(row)
    else known.gone = row
  }
  return before
}

/** Queues failed records again; each is the first of its lane. Returns how many there were. */
export async function pushAgain(db: Db | Tx, ids: readonly string[], now: number): Promise<number> {
  if (ids.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    update docking_record set upload_status = '0', async_status = null, error_code = null, error_field = null, error_text = null, due_at = ${new Date(now)}
    where id = any (${[...ids]}) and upload_status = '-1'`.execute(db)
  return Number(numAffectedRows)
}
