import { asyncOf, type Outcome, operation, type UploadStatus, upload } from '@zhugong/contract/docking/codes'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Row, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import { meaningOf } from './error-words.ts'
import { releaseHeads, releaseWaiting } from './lanes.ts'
import type { SenderDependencies } from './sender-dependencies.ts'

type Rec = Row<'dockingRecord'>

interface Tried {
  row: Rec
  at: number
  tookMs: number
  outcome: Outcome
  code?: string | undefined
  field?: string | undefined
  /** The field's Chinese name, if known. */
  label?: string | undefined
  message?: string | undefined
  receiptNo?: string | undefined
  ticket?: string | undefined
  againAt?: number | undefined
  /** The raw response. */
  text: string
}
/** A record after its batch; without an outcome it was not sent. */
export type Sent = Tried | { row: Rec; at: number; outcome: undefined; isFresh: boolean }

interface Change {
  id: string
  status: UploadStatus
  asyncStatus: string | null
  attempts: number
  revision: number
  code: string | null
  field: string | null
  text: string | null
  due: Date | null
  receiptNo: string | null
  receiptTime: Date | null
  ticket: string | null
  keepsPayload: boolean
}

/** The state change after an attempt: 0 -> 4 -> (1 | 3 | -1), or 2 -> 5 -> (1 | -1). */
function changeOf(sent: Sent): Change {
  const { row } = sent
  const same = {
    ...pick(row, 'id', 'asyncStatus', 'attempts', 'revision', 'receiptNo', 'receiptTime', 'ticket'),
    code: null,
    field: null,
    text: null,
    due: null,
    keepsPayload: true,
  }
  const isRequesting = row.uploadStatus === upload.asking
  if (sent.outcome === undefined)
    return { ...same, status: isRequesting ? upload.asking : upload.waiting, due: new Date(sent.at), keepsPayload: !sent.isFresh }
  const tried = { ...same, attempts: row.attempts + (isRequesting ? 0 : 1) }
  const received = { receiptNo: sent.receiptNo ?? row.receiptNo, receiptTime: new Date(sent.at), keepsPayload: false }
  switch (sent.outcome) {
    case 'stored':
    case 'duplicate':
    case 'absent':
      return { ...tried, ...received, status: upload.stored, asyncStatus: isRequesting ? asyncOf.done : row.asyncStatus }
    case 'locked':
      return { ...tried, ...received, status: upload.locked, text: '上级已锁定该数据，不可修改' }
    case 'later':
      return {
        ...tried,
        status: isRequesting ? upload.asking : upload.taken,
        asyncStatus: asyncOf.waiting,
        ticket: sent.ticket ?? row.ticket,
        receiptNo: sent.receiptNo ?? row.receiptNo,
        due: new Date(sent.againAt ?? sent.at),
      }
    case 'trouble':
      return {
        ...tried,
        status: isRequesting ? upload.asking : upload.waiting,
        text: sent.message ?? null,
        due: new Date(sent.againAt ?? sent.at),
      }
    default:
      return {
        ...tried,
        status: upload.failed,
        asyncStatus: isRequesting ? asyncOf.failed : null,
        revision: row.revision + 1,
        code: sent.code ?? '',
        field: sent.field ?? '',
        text: meaningOf(row.objectType, sent),
        ticket: null,
        receiptTime: new Date(sent.at),
        keepsPayload: false,
      }
  }
}

/** Stores the results of a batch: states, attempts and daily counts, and releases the next records of the lanes. One transaction. */
export async function writeResults(
  { database, clock }: SenderDependencies,
  platform: Pick<Row<'dockingPlatform'>, 'id'>,
  sent: readonly Sent[],
): Promise<void> {
  if (sent.length === 0) return
  const tried = sent.filter((one): one is Tried => one.outcome !== undefined)
  const changes = sent.map(changeOf)
  await database.kysely.transaction().execute(async (tx) => {
    await writeChanges(tx, changes)
    await writeAttempts(tx, tried)
    await countDays(tx, platform.id, tried)
    await tellSources(tx, sent, changes)
    await lookAgain(tx, sent, changes)
    const lanes = [...new Set(sent.filter((_, i) => isDecided(changes[i]?.status)).map((one) => one.row.lane))]
    await releaseHeads(tx, platform.id, lanes, clock.now())
    await releaseWaiting(tx, platform.id, lanes, clock.now())
    if (tried.some((one) => one.outcome !== 'trouble' && one.outcome !== 'held'))
      await tx
        .updateTable('dockingPlatform')
        .set({ lastAnswer: new Date(clock.now()) })
        .where('id', '=', platform.id)
        .execute()
  })
}

const isDecided = (status: UploadStatus | undefined) => status === upload.stored || status === upload.locked || status === upload.failed

/** Updates only records still in flight; records decided by another process stay unchanged. */
async function writeChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  await sql`
    update docking_record r set upload_status = c.status, async_status = c.async_status, attempts = c.attempts, revision = c.revision, error_code = c.code,
      error_field = c.field, error_text = c.text, due_at = c.due, receipt_no = c.receipt_no, receipt_time = c.receipt_time, ticket = c.ticket,
      payload = case when c.keeps then r.payload end, wait_for = null
    from unnest(${changes.map((c) => c.id)}::text[], ${changes.map((c) => c.status)}::text[], ${changes.map((c) => c.asyncStatus)}::text[],
      ${changes.map((c) => c.attempts)}::int[], ${changes.map((c) => c.revision)}::int[], ${changes.map((c) => c.code)}::text[],
      ${changes.map((c) => c.field)}::text[], ${changes.map((c) => c.text)}::text[], ${changes.map((c) => c.due)}::timestamptz[],
      ${changes.map((c) => c.receiptNo)}::text[], ${changes.map((c) => c.receiptTime)}::timestamptz[], ${changes.map((c) => c.ticket)}::text[],
      ${changes.map((c) => c.keepsPayload)}::boolean[])
      as c (id, status, async_status, attempts, revision, code, field, text, due, receipt_no, receipt_time, ticket, keeps)
    where r.id = c.id and r.upload_status in ('4', '5')`.execute(tx)
}

/** Polling for a result that is not ready does not count as an attempt. */
async function writeAttempts(tx: Tx, tried: readonly Tried[]): Promise<void> {
  const rows = tried.filter((one) => !(one.row.uploadStatus === upload.asking && one.outcome === 'later'))
  if (rows.length === 0) return
  await tx
    .insertInto('dockingAttempt')
    .values(
      rows.map((one) => ({
        id: newId(one.at),
        recordId: one.row.id,
        at: new Date(one.at),
        tookMs: one.tookMs,
        outcome: one.outcome,
        http: one.outcome === 'trouble' || one.outcome === 'held' ? null : 200,
        answer: one.text.slice(0, 4_000),
        errorCode: one.code ?? null,
        payload: one.row.payload,
      })),
    )
    .execute()
}

type Counted = Pick<Rec, 'projectCode' | 'objectType'> & {
  corpCode: string
  day: string
  accepted: number
  removed: number
  refused: number
}
async function countDays(tx: Tx, platformId: string, tried: readonly Tried[]): Promise<void> {
  const days = new Map<string, Counted>()
  for (const { row, at, outcome } of tried) {
    // Deleting a row that did not exist is not counted.
    if (outcome === 'trouble' || outcome === 'later' || outcome === 'absent') continue
    const { projectCode, objectType } = row
    const of = { projectCode, objectType, corpCode: row.corpCode ?? '', day: formatDay(at) }
    const key = Object.values(of).join(' ')
    const existing = days.get(key) ?? { ...of, accepted: 0, removed: 0, refused: 0 }
    if (outcome === 'refused' || outcome === 'held') existing.refused++
    else if (row.op === operation.remove) existing.removed++
    else existing.accepted++
    days.set(key, existing)
  }
  if (days.size === 0) return
  await tx
    .insertInto('dockingDay')
    .values([...days.values()].map((one) => ({ platformId, ...one })))
    .onConflict((conflict) =>
      conflict.columns(['projectCode', 'day', 'objectType', 'platformId', 'corpCode']).doUpdateSet((eb) => ({
        accepted: eb('dockingDay.accepted', '+', eb.ref('excluded.accepted')),
        removed: eb('dockingDay.removed', '+', eb.ref('excluded.removed')),
        refused: eb('dockingDay.refused', '+', eb.ref('excluded.refused')),
      })),
    )
    .execute()
}

/** A record that failed while a newer one of the same row was waiting: the newer one may replace it. */
async function lookAgain(tx: Tx, sent: readonly Sent[], changes: readonly Change[]): Promise<void> {
  const failed = sent.flatMap(({ row }, i) => (changes[i]?.status === upload.failed ? [row.id] : []))
  if (failed.length === 0) return
  await sql`
    insert into docking_outbox (object_type, source_id, op) select f.object_type, f.source_id, '2' from docking_record f
    where f.id = any (${failed}) and exists (select 1 from docking_record r where r.source_id = f.source_id and r.object_type = f.object_type
      and r.platform_id = f.platform_id and r.seq > f.seq)`.execute(tx)
}

/** Copies the state to the source rows, whose pages show it. */
async function tellSources(tx: Tx, sent: readonly Sent[], changes: readonly Change[]): Promise<void> {
  const decided = sent.flatMap(({ row }, i) => {
    const status = changes[i]?.status
    return status && isDecided(status) ? [{ row, status }] : []
  })
  const stays = decided.filter(({ row }) => row.objectType === 'projectWorker')
  if (stays.length > 0)
    await sql`
      update project_worker p set upload_status = s.status from unnest(${stays.map((s) => s.row.sourceId)}::text[], ${stays.map((s) => s.status)}::text[]) as s (id, status)
      where p.id = s.id and p.upload_status <> s.status`.execute(tx)
  const projects = decided.filter(({ row }) => row.objectType === 'project')
  if (projects.length > 0)
    await sql`
      update project p set upload_status = s.status from unnest(${projects.map((s) => s.row.sourceId)}::text[], ${projects.map((s) => s.status)}::text[]) as s (code, status)
      where p.project_code = s.code and p.upload_status <> s.status`.execute(tx)
}
