import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/papers/quality'
import { type Insertable, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import { isUniqueViolation, type Tables } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { forgetRecord, type Outcome, take, writeLog } from '../process/public.ts'
import { requireRecord } from './cell.ts'
import { cellPage, type Paper, paperKind, paperType } from './kind.ts'
import { requireOpenProject } from './project.ts'

type Body = ParsedFor<typeof contract.changePaper>['body']
type New = Insertable<Tables['libraryPaper']>
const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** What every new paper says of its author. */
export const authorOf = (ctx: Context) => ({
  corpCode: null,
  groups: [ctx.group.id],
  authorGroup: ctx.group.id,
  authorGroupName: ctx.group.name,
  authorName: ctx.user.name,
  createBy: ctx.user.id,
  createTime: new Date(ctx.clock.now()),
})

export async function insertPaper(ctx: Context, row: New): Promise<void> {
  await ctx.db.insertInto('libraryPaper').values(row).execute()
}

/** Adds a version. Who sees the paper gets links to its files, so they must be files of the caller. */
export async function addVersion(ctx: Context, paper: Pick<Paper, 'id' | 'projectCode'>, versionNo: number, given: readonly string[]) {
  const files = await keptFiles(ctx, fileIdsOf(given), [], 'files')
  await ctx.db
    .insertInto('libraryVersion')
    .values({
      paperId: paper.id,
      versionNo,
      projectCode: paper.projectCode,
      files,
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()
}

/** The lot of a place: its floor, or the place itself. @throws AppError `invalidInput` */
async function lotOf(ctx: Context, projectCode: string, placeId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select coalesce(z.id, q.id) as id from site_place q
    left join site_place z on z.id = any (q.path) and z.kind = 'floor'
    where q.id = ${placeId} and q.project_code = ${projectCode}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('placeId', '部位不存在或不属于该项目')
  return row.id
}

export const createQualityPaper: HandlerOf<typeof contract.createQualityPaper> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireOpenProject(ctx, projectCode)
  const placeId = await lotOf(ctx, projectCode, body.placeId)
  const { work, column: col, name, workDate, files } = body
  if (workDate > formatDay(ctx.clock.now())) throw refuse('workDate', '施工日期不能晚于今天')
  const id = ctx.newId()
  const values: New = {
    ...{ id, category: '2', projectCode, placeId, work, col, name, workDate, shownAt: null },
    ...{ duty: null, period: null, refSource: null, refId: null, validEnd: null, approver: null, approvedAt: null, reason: null },
    ...authorOf(ctx),
  }
  await insertPaper(ctx, values)
  await addVersion(ctx, { id, projectCode }, 1, files)
  const row = await paperKind.lock(ctx, id)
  await writeLog(ctx, paperType, row, { action: 'create', from: null, to: row.state })
  ctx.note('上传质量资料', id)
  return answerOf(body.submit ? await change(ctx, id, { action: 'submit', version: row.version }) : row)
}

const answerOf = ({ id, version, state }: Paper) => ({ id, version, state })

export const changePaper: HandlerOf<typeof contract.changePaper> = async ({ params: { id }, body }, ctx) =>
  answerOf(await change(ctx, id, body))

async function change(ctx: Context, id: string, body: Body): Promise<Paper> {
  const after = await take(ctx, paperKind, { id, action: body.action, version: body.version }, async (row) => {
    await requireOpenProject(ctx, row.projectCode)
    return write(ctx, row, body)
  })
  if (body.action === 'approve' || body.action === 'return') await tell(ctx, after, body.action === 'approve')
  return after
}

async function write(ctx: Context, row: Paper, body: Body): Promise<Outcome<Paper>> {
  const now = new Date(ctx.clock.now())
  switch (body.action) {
    case 'submit':
      return { values: { shownAt: row.shownAt ?? now, reason: null } }
    case 'newVersion':
      await addVersion(ctx, row, row.versionNo + 1, body.files)
      return { values: { versionNo: row.versionNo + 1 } }
    case 'approve':
      return { values: { approver: ctx.user.name, approvedAt: now }, opinion: body.opinion }
    case 'return':
      return { values: { reason: body.reason }, opinion: body.reason }
  }
}

const tell = (ctx: Context, row: Paper, passed: boolean) =>
  tellKeepers(ctx, {
    projectCode: row.projectCode,
    corpCode: row.corpCode,
    code: 'documents.upload',
    title: passed ? '监理已通过质量资料' : '监理退回质量资料',
    text: row.reason ? `${row.name}：${row.reason}` : row.name,
    link: cellPage(row),
    kind: 'rectify',
  })

export const linkQualityRecord: HandlerOf<typeof contract.linkQualityRecord> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireOpenProject(ctx, projectCode)
  const placeId = await lotOf(ctx, projectCode, body.placeId)
  const record = await requireRecord(ctx, projectCode, body)
  const id = ctx.newId()
  await insertPaper(ctx, {
    ...{
      id,
      category: '2',
      projectCode,
      placeId,
      work: body.work,
      col: body.column,
      name: record.name,
      workDate: record.day,
    },
    ...{ refSource: body.source, refId: body.refId, shownAt: new Date(ctx.clock.now()), state: '2' },
    ...{ duty: null, period: null, validEnd: null, approver: null, approvedAt: null, reason: null },
    ...authorOf(ctx),
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse('refId', '该记录已关联到这里') : error
  })
  ctx.note('关联质量记录', id)
  return { id }
}

export const removePaper: HandlerOf<typeof contract.removePaper> = async ({ params: { id } }, ctx) => {
  const { rows } = await sql<Paper>`select * from library_paper where id = ${id} for update`.execute(ctx.db)
  const row = found(rows[0], '资料')
  await requireOpenProject(ctx, row.projectCode)
  if (row.createBy !== ctx.user.id) throw new AppError('forbidden', '只能撤回自己上传或关联的资料')
  if (row.category === '2' && row.refId === null && row.state !== '0' && row.state !== '3')
    throw new AppError('refused', '监理审核中或已通过的资料不能撤回')
  await forgetRecord(ctx, paperType, id)
  await sql`delete from library_paper where id = ${id}`.execute(ctx.db)
  ctx.note('撤回资料', id)
  return undefined
}
