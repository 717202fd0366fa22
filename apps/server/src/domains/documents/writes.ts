import type * as contract from '@zhugong/contract/documents/calls'
import { categories, grantLevels, type Security, securityLevels } from '@zhugong/contract/documents/moves'
import { freeName, splitName } from '@zhugong/contract/documents/names'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pick } from '#kit/pick'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf } from '../files/public.ts'
import { namesIn, nameTaken, type Place, placeFor, readKnown, takenBy } from './places.ts'
import { actionsOf } from './rights.ts'
import { quotaOf } from './rows.ts'

/** What is new, beside its place. */
interface Fresh {
  id: string
  name: string
  isDir: boolean
  security?: Security
  content?: Content
}
export interface Content {
  fileId: string
  name: string
  mime: string
  size: number
}

/** @throws AppError when the name is taken by something that the caller does not see */
export async function putDocument(ctx: Context, place: Place, { id, name, isDir, security, content }: Fresh): Promise<void> {
  const now = new Date(ctx.clock.now())
  const { level: _level, ...lies } = place
  const closed = security === securityLevels.restricted
  await ctx.db
    .insertInto('document')
    .values({
      id,
      ...lies,
      name,
      isDir,
      security: security ?? securityLevels.internal,
      category: categories.free,
      fileId: content?.fileId ?? null,
      mime: content?.mime ?? null,
      size: content?.size ?? 0,
      versionNo: content ? 1 : 0,
      ownerId: ctx.user.id,
      ownerName: ctx.user.name,
      archivedAt: null,
      deletedAt: null,
      deletedBy: null,
      deletedByName: null,
      binId: null,
      binCount: null,
      binBytes: null,
      createBy: ctx.user.id,
      createTime: now,
      updateBy: ctx.user.id,
      updateTime: now,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? nameTaken() : error
    })
  if (content) await putVersion(ctx, id, 1, content)
  if (closed) await closeTo(ctx, id, [])
}

export const putVersion = (ctx: Context, documentId: string, no: number, content: Content, fromNo: number | null = null) =>
  ctx.db
    .insertInto('documentVersion')
    .values({
      id: ctx.newId(),
      documentId,
      no,
      ...content,
      fromNo,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()

/** Lets only the owner, the caller and whom they name see a document and what is in it. */
export async function closeTo(
  ctx: Context,
  id: string,
  grants: readonly { userId: string | null; roleId: string | null; name: string; level: number }[],
): Promise<void> {
  const { ownerId, ownerName } = await readKnown(ctx, id)
  const keepers = new Map([
    [ownerId, ownerName],
    [ctx.user.id, ctx.user.name],
  ])
  const all = [
    ...[...keepers].map(([userId, name]) => ({ userId, roleId: null, name, level: grantLevels.manage as number })),
    ...grants.filter((one) => one.userId === null || !keepers.has(one.userId)),
  ]
  await sql`delete from document_grant where document_id = ${id}
    and (user_id is null or user_id <> all (${[...keepers.keys()]}))`.execute(ctx.db)
  for (const { userId, roleId, name, level } of all)
    await sql`insert into document_grant (id, document_id, user_id, role_id, name, level)
      values (${ctx.newId()}, ${id}, ${userId}, ${roleId}, ${name}, ${level}) on conflict do nothing`.execute(ctx.db)
  await sql`select zg_document_gate(${id}, true)`.execute(ctx.db)
}

/** Opens it again to all who see its folder. */
export async function openUp(ctx: Context, id: string): Promise<void> {
  await sql`select zg_document_gate(${id}, false)`.execute(ctx.db)
  await sql`delete from document_grant where document_id = ${id}`.execute(ctx.db)
}

/**
 * Takes an uploaded file as the content of a document.
 * @throws AppError `invalidInput` when it is not one that the caller has sent; `refused` when the group has no space left
 */
export async function takeFile(ctx: Context, given: string, name: string): Promise<Content> {
  const fileId = ctx.newId()
  const { rows } = await sql<{ name: string; mime: string; bytes: number }>`
    select f.name, f.mime, f.bytes from zg_document_file(${fileIdsOf([given])[0] ?? ''}, ${fileId}) f`.execute(ctx.db)
  const file = rows[0]
  if (!file) throw new AppError('invalidInput', '文件不存在，或不是您上传的，请重新上传', { field: 'fileId' })
  requireExtension(name, file.name)
  const { used, most } = await quotaOf(ctx)
  const size = Number(file.bytes)
  if (used + size > most) throw new AppError('refused', '本机构的文档空间不足，请清理回收站或旧文件后再上传', { field: 'fileId' })
  return { fileId, name, mime: file.mime, size }
}

/** Extensions of one content. */
const same: Readonly<Record<string, string>> = { '.jpeg': '.jpg' }
/** What a name promises must be what the file's content is. */
function requireExtension(name: string, stored: string): void {
  const [, given] = splitName(name.toLowerCase())
  const [, real] = splitName(stored)
  if ((same[given] ?? given) === real) return
  const words = given ? `与名称的 ${given.slice(1)} 不符` : '名称缺少扩展名'
  throw new AppError('invalidInput', `文件内容是 ${real.slice(1)}，${words}`, { field: 'name' })
}

export const createDocumentFolder: HandlerOf<typeof contract.createDocumentFolder> = async (
  { query, body: { id, name, space, parentId } },
  ctx,
) => {
  await seesProject(ctx, query.projectCode)
  const before = await madeBefore(ctx, id)
  if (before) return { id, version: before.version }
  const place = await placeFor(ctx, space, query.projectCode, parentId)
  if (await takenBy(ctx, place.place, name)) throw nameTaken()
  await putDocument(ctx, place, { id, name, isDir: true })
  ctx.note('新建文件夹', id)
  return { id, version: 0 }
}

/** The answer to a request that is sent again. */
async function madeBefore(ctx: Context, id: string) {
  const { rows } = await sql<{ version: number; name: string; versionNo: number }>`select d.version, d.name, d.version_no from document d
    where d.id = ${id} and d.create_by = ${ctx.user.id}`.execute(ctx.db)
  return rows[0]
}

type Created = ParsedFor<typeof contract.createDocument>['body']

export const createDocument: HandlerOf<typeof contract.createDocument> = async ({ query, body }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const before = await madeBefore(ctx, body.id)
  if (before) return { id: body.id, ...before }
  const place = await placeFor(ctx, body.space, query.projectCode, body.parentId)
  const taken = await takenBy(ctx, place.place, body.name)
  if (taken && body.onTaken !== 'both') return replace(ctx, body, taken)
  const names = body.onTaken === 'both' ? await namesIn(ctx, place.place) : undefined
  const name = names ? freeName(body.name, (one) => names.has(one.toLowerCase())) : body.name
  const content = await takeFile(ctx, body.fileId, name)
  await putDocument(ctx, place, { id: body.id, name, isDir: false, security: body.security, content })
  ctx.note('上传文档', body.id)
  return { id: body.id, version: 0, name, versionNo: 1 }
}

/** The name stands there already: asks what to do, or adds a version if nobody was faster. */
async function replace(ctx: Context, body: Created, taken: NonNullable<Awaited<ReturnType<typeof takenBy>>>) {
  const row = await readKnown(ctx, taken.id, true)
  const mayReplace = actionsOf(ctx, row).includes('newVersion')
  const known = {
    field: 'name',
    taken: { id: row.id, version: row.version, versionNo: row.versionNo, isDir: row.isDir, mayReplace, byName: taken.updateBy },
  }
  const who = `由 ${taken.updateBy} 于 ${formatInstant(taken.updateTime).slice(0, 16)} ${row.isDir ? '建立' : `上传第 ${row.versionNo} 版`}`
  if (body.onTaken === 'ask') throw new AppError('refused', `“${row.name}”已存在，${who}`, known)
  if (!mayReplace) throw new AppError('forbidden', `“${row.name}”不能由您更新，请保留两份`, known)
  if (body.version !== row.version) throw new AppError('conflict', `“${row.name}”刚${who}，请核对后再存为新版本，或保留两份`, known)
  const content = await takeFile(ctx, body.fileId, row.name)
  const made = await addVersion(ctx, row, content)
  ctx.note(`上传第 ${made.versionNo} 版`, row.id)
  return { id: row.id, name: row.name, ...made }
}

/** A content that becomes the current one. Those before it stay. */
export async function addVersion(
  ctx: Context,
  { id, version, versionNo }: { id: string; version: number; versionNo: number },
  content: Content,
  fromNo: number | null = null,
): Promise<{ version: number; versionNo: number }> {
  const no = versionNo + 1
  const values = { ...pick(content, 'fileId', 'mime', 'size'), versionNo: no }
  const changed = await changeRow(ctx, 'document', { key: { id }, version, noun: '文档', by: ctx.user.id, values })
  await putVersion(ctx, id, no, content, fromNo)
  return { version: changed, versionNo: no }
}
