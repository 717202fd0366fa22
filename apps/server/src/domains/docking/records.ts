import type * as queue from '@zhugong/contract/docking/queue'
import { dockingRecord } from '@zhugong/contract/docking/queue'
import { type ObjectType, sourcesOf } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  inProjects,
  instantsBetween,
  orderBy,
  pageSlice,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { recordLook } from '../access/public.ts'
import type { ListContext } from '../exports/registry.ts'
import { maskText } from './convert.ts'
import { wordsFor } from './error-words.ts'
import { pushAgain } from './fan-out.ts'
import { fieldsFor } from './mappings.ts'

type Listed = Omit<Row<'dockingRecord'>, 'payload' | 'known'> & { projectName: string; platformName: string }

const shown = sql`r.id, r.seq, r.platform_id, r.object_type, r.rank, r.source_id, r.project_code, r.corp_code, r.lane, r.after_lane, r.biz_name, r.op,
  r.upload_status, r.async_status, r.failed, r.attempts, r.revision, r.error_code, r.error_field, r.error_text, r.wait_for, r.wait_lane, r.due_at,
  r.queued_time, r.receipt_no, r.receipt_time, r.ticket, r.mapping_version`
// Records outlive their project; its code then replaces its name.
const projectName = sql`coalesce(p.name, r.project_code) as project_name`
const joined = sql`docking_record r left join project p using (project_code) join docking_platform pl on pl.id = r.platform_id`

const conditions = (ctx: Pick<Context, 'scope' | 'scopeChecks'>, query: queue.RecordsQuery): Condition =>
  allOf(
    ...inProjects('r.projectCode', projectsFor(ctx, query.projectCode)),
    ...equals('r.platformId', query.platformId),
    ...anyOf('r.objectType', query.objectType),
    ...contains('r.bizName', query.bizName),
    ...equals('r.op', query.op),
    ...anyOf('r.uploadStatus', query.uploadStatus),
    ...equals('r.asyncStatus', query.asyncStatus),
    ...between('r.attempts', query.attempts),
    ...contains('r.errorText', query.errorText),
    ...equals('r.errorCode', query.errorCode),
    ...equals('r.errorField', query.errorField),
    ...(query.waitFor ? [condition(query.waitFor === emptyOption ? sql`r.wait_for is null` : sql`r.wait_for is not null`)] : []),
    ...instantsBetween('r.queuedTime', query.queuedTime),
    ...instantsBetween('r.receiptTime', query.receiptTime),
    ...(query.receiptNo ? [startsWith(query.receiptNo)] : []),
  )

/** Searches receipt numbers by prefix. Not with `like`: under row-level security, only leakproof operators may use an index. */
const startsWith = (receiptNo: string): Condition =>
  condition(sql`r.receipt_no ~>=~ ${receiptNo} and r.receipt_no ~<~ ${`${receiptNo}\u{10ffff}`}`)

/** Failed first, then newest: the order of the index. */
const usualOrder = sql`r.failed desc, r.queued_time desc, r.id desc`
const orderOf = (sort: queue.RecordsQuery['sort']): RawBuilder<unknown> =>
  sort === undefined || sort === '-failed'
    ? usualOrder
    : orderBy<NonNullable<typeof sort>>(
        sort,
        { failed: 'r.failed!', queuedTime: 'r.queuedTime!', attempts: 'r.attempts!' },
        'queuedTime',
        'r.id',
      )

const toRecord = (row: Listed): queue.DockingRecord =>
  rowOf(dockingRecord, row, {
    queuedTime: formatInstant(row.queuedTime),
    receiptTime: row.receiptTime && formatInstant(row.receiptTime),
  })

export async function findRecords(ctx: ListContext, query: queue.RecordsQuery): Promise<queue.DockingRecord[]> {
  const { limit, offset } = pageSlice(query)
  // Selects the page by the index first; names are joined for its rows only.
  const { rows } = await sql<Listed>`
    select ${shown}, ${projectName}, pl.name as platform_name from (
      select * from docking_record r where ${conditions(ctx, query)} order by ${orderOf(query.sort)} limit ${limit} offset ${offset}) r
      left join project p using (project_code) join docking_platform pl on pl.id = r.platform_id order by ${orderOf(query.sort)}`.execute(
    ctx.db,
  )
  return rows.map(toRecord)
}
export async function countRecords(ctx: ListContext, query: queue.RecordsQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from docking_record r where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export const listRecords: HandlerOf<typeof queue.listRecords> = async ({ query }, ctx) => ({
  list: await findRecords(ctx, query),
  total: await countRecords(ctx, query),
})

async function getListed(ctx: Context, id: string): Promise<Listed> {
  const { rows } = await sql<Listed>`
    select ${shown}, ${projectName}, pl.name as platform_name from ${joined}
    where r.id = ${id} and ${allOf(...inProjects('r.projectCode', projectsFor(ctx)))}`.execute(ctx.db)
  return found(rows[0], '上传记录')
}

interface SentField {
  upper: string
  label: string
  value: string
  personal: boolean
}

/** The last payload sent, with field names; empty before the first attempt. */
async function sentOf(ctx: Context, row: Pick<Listed, 'id' | 'platformId' | 'objectType'>, isClear: boolean): Promise<SentField[]> {
  const { rows } = await sql<{ payload: Buffer | null }>`
    select coalesce((select a.payload from docking_attempt a where a.record_id = r.id and a.payload is not null order by a.at desc limit 1), r.payload) as payload
    from docking_record r where r.id = ${row.id}`.execute(ctx.db)
  const text = ctx.secrets.open(rows[0]?.payload)
  if (!text) return []
  const { data } = JSON.parse(text) as { data: Record<string, unknown> }
  const { fields } = await fieldsFor(ctx.db, row.platformId, row.objectType)
  return Object.entries(data).map(([upper, value]) => {
    const field = fields.find((one) => one.upper === upper)
    // A field missing in the mapping may contain personal data, so it is masked.
    const personal = field === undefined || field.personal || isPersonal(row.objectType, field.source)
    return { upper, label: field?.label ?? upper, value: personal && !isClear ? maskText(String(value)) : String(value), personal }
  })
}
const isPersonal = (type: ObjectType, source: string) => sourcesOf(type).some((field) => field.source === source && field.personal)

export const getRecord: HandlerOf<typeof queue.getRecord> = async ({ params }, ctx) => {
  const row = await getListed(ctx, params.id)
  const tries = await ctx.db
    .selectFrom('dockingAttempt')
    .select(['id', 'at', 'tookMs', 'outcome', 'http', 'answer'])
    .where('recordId', '=', row.id)
    .orderBy('at', 'desc')
    .limit(50)
    .execute()
  const said = row.errorCode === null ? undefined : wordsFor(row.objectType, { code: row.errorCode, field: row.errorField ?? undefined })
  return {
    ...toRecord(row),
    mappingVersion: row.mappingVersion,
    mender: said?.mender ?? null,
    sent: await sentOf(ctx, row, false),
    tries: tries.map((one) => ({ ...one, at: formatInstant(one.at) })),
  }
}

/** For the page of a source row: its newest record per platform. */
export const stateOf: HandlerOf<typeof queue.queueStates> = async ({ query }, ctx) => {
  const { rows } = await sql<Listed>`
    select * from (
      select distinct on (r.platform_id) ${shown}, ${projectName}, pl.name as platform_name from ${joined}
      where r.source_id = ${query.sourceId} and r.object_type = ${query.objectType} and ${allOf(...inProjects('r.projectCode', projectsFor(ctx)))}
      order by r.platform_id, r.seq desc) r order by platform_name, id`.execute(ctx.db)
  return {
    list: rows.map(toRecord).map(({ id, platformName, op, uploadStatus, errorText, waitFor, queuedTime, receiptTime }) => ({
      id,
      platformName,
      op,
      uploadStatus,
      errorText,
      waitFor,
      queuedTime,
      receiptTime,
    })),
  }
}

export const lookRecord: HandlerOf<typeof queue.lookRecord> = async ({ params, body }, ctx) => {
  const row = await getListed(ctx, params.id)
  await recordLook(ctx, { objectId: row.id, summary: `查看上传明文：${row.bizName}（${body.reason}）`, projectCode: row.projectCode })
  ctx.note(`查看上传明文 ${row.bizName}`, row.id)
  return { sent: await sentOf(ctx, row, true) }
}

export const pushRecords: HandlerOf<typeof queue.pushRecords> = async ({ body }, ctx) => {
  const { id, cause, projectCode, range, preview } = body
  // An unknown project is an error instead of an empty success.
  if (projectCode) found(await ctx.db.selectFrom('project').select('id').where('projectCode', '=', projectCode).executeTakeFirst(), '项目')
  const wanted = allOf(
    ...inProjects('r.projectCode', projectsFor(ctx, projectCode)),
    ...equals('r.id', id),
    ...(cause ? [condition(sql`r.error_code = ${cause.code} and coalesce(r.error_field, '') = ${cause.field}`)] : []),
    ...instantsBetween('r.queuedTime', range),
    condition(sql`r.upload_status in ('-1', '3')`),
  )
  const { rows } = await sql<{ id: string; failed: boolean }>`select r.id, r.failed from docking_record r where ${wanted}`.execute(ctx.db)
  const failed = rows.filter((row) => row.failed).map((row) => row.id)
  const locked = rows.length - failed.length
  if (id) {
    const row = await getListed(ctx, id)
    if (locked > 0) throw new AppError('refused', '上级已锁定该数据（已上传不可修改），重推不会被接收；需要更正请联系上级平台解锁')
    if (failed.length === 0)
      throw new AppError('refused', row.waitFor ? `等待：${row.waitFor}，前序成功后会自动上传` : '只有失败的数据可以重推')
  }
  if (preview) ctx.note(`试算重推 ${failed.length} 条，没有重推`, id)
  else {
    await pushAgain(ctx.db, failed, ctx.clock.now())
    ctx.note(`重推上报数据 ${failed.length} 条`, id)
  }
  return { count: failed.length, locked }
}
