import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { maxUploadMb, type StoredFile } from '@zhugong/contract/files/endpoints'
import * as contract from '@zhugong/contract/files/parts'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { AfterCommit, type Context, found } from '#kit/context'
import { type Db, isUniqueViolation, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import {
  acceptedDocuments,
  documentKind,
  hasMacros,
  isOldOffice,
  isSameKind,
  macroWords,
  oldMacros,
  refusalOf,
  tailBytes,
} from './content-type.ts'
import { requireIntact } from './evidence.ts'
import {
  bytesOfPart,
  dropParts,
  holds,
  joinParts,
  keepPart,
  missingParts,
  oldPartFolders,
  type PartFolders,
  partCount,
  placeFile,
  tailOf,
} from './part-folder.ts'
import { pathOf } from './pictures.ts'
import { answerOf, hashOf, plainName } from './store.ts'
import { requireRoom } from './uploads.ts'

/**
 * Large files in parts. Each part is a form like any other upload: read completely at its own pace, counted, and only then given a turn and
 * a transaction, so that a slow line holds nothing. Which parts have arrived is told by the folder alone; the row says whose file it is.
 */

/** An unfinished file without a new part for this long is removed: begun before a weekend, it still goes on after it. */
const abandonedMs = 72 * hourMs
/** Parts move `touchTime` on at most this often. */
const touchedMs = hourMs

type Task = Row<'uploadTask'>

export const beginUpload =
  (folders: PartFolders): HandlerOf<typeof contract.beginUpload> =>
  async ({ body: { name, size, sha256 } }, ctx) => {
    const storedFiles = await ctx.db
      .selectFrom('storedFile')
      .selectAll()
      .where('createBy', '=', ctx.user.id)
      .where('groupId', '=', ctx.group.id)
      .where('sentSha256', '=', sha256)
      .where('source', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (storedFiles && isSameKind(storedFiles, name) && existsSync(pathOf(folders.files, storedFiles.sha256))) {
      ctx.note('上传的文件已有，未重复上传', storedFiles.id)
      return { upload: null, stored: answerOf(ctx, storedFiles) }
    }
    const open = await ctx.db
      .selectFrom('uploadTask')
      .selectAll()
      .where('createBy', '=', ctx.user.id)
      .where('groupId', '=', ctx.group.id)
      .execute()
    const same = open.find((one) => one.sha256 === sha256 && Number(one.size) === size)
    if (same) {
      ctx.note('继续分片上传', same.id)
      return { upload: await shown(folders, same), stored: null }
    }
    if (open.length >= contract.mostOpenUploads)
      throw new AppError('refused', `您有 ${open.length} 个文件还没传完，请先传完或取消其中的`, { field: 'file' })
    await requireRoom(ctx, size)
    const task = await ctx.db
      .insertInto('uploadTask')
      .values({
        id: ctx.newId(),
        groupId: ctx.group.id,
        createBy: ctx.user.id,
        projectCode: ctx.projectCode === '*' ? null : ctx.projectCode,
        name,
        size,
        sha256,
        touchTime: new Date(ctx.clock.now()),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    ctx.note(`开始分片上传，${Math.ceil(size / 1024 / 1024)} MB`, task.id)
    return { upload: await shown(folders, task), stored: null }
  }

export const sendPart =
  (folders: PartFolders): HandlerOf<typeof contract.sendPart> =>
  async ({ params: { id, n } }, ctx) => {
    const task = await ownTask(ctx, id)
    const size = Number(task.size)
    if (n >= partCount(size)) throw new AppError('invalidInput', '分片序号超出文件大小', { field: 'n' })
    const { body, fields } = await ctx.upload()
    if (body.length !== bytesOfPart(size, n)) throw new AppError('invalidInput', '分片大小不正确，请重新上传', { field: 'file' })
    requireIntact(fields.sha256, hashOf(body))
    const missing = await missingParts(folders, id, size)
    if (missing.includes(n)) await keepPart(folders, id, n, body)
    const now = ctx.clock.now()
    if (task.touchTime.getTime() < now - touchedMs)
      await ctx.db
        .updateTable('uploadTask')
        .set({ touchTime: new Date(now) })
        .where('id', '=', id)
        .execute()
    return { missing: missing.filter((one) => one !== n).length }
  }

export const getUpload =
  (folders: PartFolders): HandlerOf<typeof contract.getUpload> =>
  async ({ params: { id } }, ctx) =>
    shown(folders, await ownTask(ctx, id))

export const dropUpload =
  (folders: PartFolders): HandlerOf<typeof contract.dropUpload> =>
  async ({ params: { id } }, ctx) => {
    await ownTask(ctx, id)
    await ctx.db.deleteFrom('uploadTask').where('id', '=', id).execute()
    ctx.afterCommit(() => dropParts(folders, id))
    ctx.note('取消分片上传', id)
  }

/** Files being put together by this process. */
const joining = new Set<string>()

export const finishUpload =
  (folders: PartFolders): HandlerOf<typeof contract.finishUpload> =>
  async ({ params: { id } }, ctx) => {
    // The answer to the first request was lost.
    const before = await ctx.db
      .selectFrom('storedFile')
      .selectAll()
      .where('id', '=', id)
      .where('createBy', '=', ctx.user.id)
      .executeTakeFirst()
    if (before) return answerOf(ctx, before)
    const task = await ownTask(ctx, id)
    const missing = await missingParts(folders, id, Number(task.size))
    if (missing.length > 0) throw new AppError('refused', `还有 ${missing.length} 个分片没有传到，请继续上传`, { missing })
    ctx.note(`完成分片上传，${Math.ceil(Number(task.size) / 1024 / 1024)} MB`, id)
    // Reading the whole file takes seconds: no transaction and no turn is held meanwhile.
    return new AfterCommit<StoredFile>(async () => {
      if (joining.has(id)) throw beingJoined()
      joining.add(id)
      try {
        return await joined(ctx, folders, task)
      } finally {
        joining.delete(id)
      }
    })
  }

const beingJoined = () => new AppError('unavailable', '文件正在校验，请稍候')

async function joined(ctx: Context, folders: PartFolders, task: Task): Promise<StoredFile> {
  const whole = await joinParts(folders, task.id, Number(task.size)).catch((error: NodeJS.ErrnoException) => {
    // Another process has put it together meanwhile and removed the parts.
    throw error.code === 'ENOENT' ? beingJoined() : error
  })
  const tail = await tailOf(whole.path, tailBytes)
  const kind = documentKind(whole.head, task.name, tail)
  try {
    if (whole.sha256 !== task.sha256) throw new AppError('invalidInput', '文件与开始时不一致，请重新上传', { field: 'file' })
    if (!kind) throw new AppError('invalidInput', refusalOf(whole.head, acceptedDocuments), { field: 'file' })
    if (hasMacros(kind, tail) || (isOldOffice(kind) && (await holds(whole.path, oldMacros))))
      throw new AppError('invalidInput', macroWords, { field: 'file' })
    // Time and place in a picture are read and removed in memory, which is for small files only.
    if (kind.mime.startsWith('image/')) throw new AppError('invalidInput', `图片最多 ${maxUploadMb} MB`, { field: 'file' })
    await placeFile(whole.path, pathOf(folders.files, whole.sha256))
  } catch (error) {
    await rm(whole.path, { force: true })
    if (!(error instanceof AppError)) throw error
    // Which part lies is not known: the file begins anew.
    await ctx.later((db) => db.deleteFrom('uploadTask').where('id', '=', task.id).execute())
    await dropParts(folders, task.id)
    throw error
  }
  const file = await ctx.later(async (db) => {
    await db.deleteFrom('uploadTask').where('id', '=', task.id).execute()
    return db
      .insertInto('storedFile')
      .values({
        ...pick(task, 'id', 'groupId', 'createBy', 'projectCode'),
        name: plainName(task.name, kind.extension),
        mime: kind.mime,
        bytes: whole.bytes,
        sha256: whole.sha256,
        sentSha256: whole.sha256,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        // Two processes have put the same file together.
        throw isUniqueViolation(error) ? beingJoined() : error
      })
  })
  await dropParts(folders, task.id)
  return answerOf(ctx, file)
}

/** Of the caller only: row-level security shows the files of the whole group. */
async function ownTask(ctx: Context, id: string): Promise<Task> {
  const row = await ctx.db
    .selectFrom('uploadTask')
    .selectAll()
    .where('id', '=', id)
    .where('createBy', '=', ctx.user.id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  return found(row, '上传任务')
}

const shown = async (folders: PartFolders, { id, name, size, sha256 }: Task): Promise<contract.OpenUpload> => ({
  id,
  name,
  size: Number(size),
  sha256,
  partBytes: contract.partBytes,
  missing: await missingParts(folders, id, Number(size)),
})

/** Removes unfinished files that nobody goes on with, and folders without a row. Returns how many folders. */
export async function forgetParts(db: Db, folders: PartFolders, now: number): Promise<number> {
  const before = new Date(now - abandonedMs)
  await db.deleteFrom('uploadTask').where('touchTime', '<', before).execute()
  let dropped = 0
  for (const id of await oldPartFolders(folders, Date.now() - hourMs)) {
    const row = await db.selectFrom('uploadTask').select('id').where('id', '=', id).executeTakeFirst()
    if (row) continue
    await dropParts(folders, id)
    dropped++
  }
  return dropped
}
