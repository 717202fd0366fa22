import { createReadStream, existsSync } from 'node:fs'
import * as contract from '@zhugong/contract/files/endpoints'
import * as parts from '@zhugong/contract/files/parts'
import { AppError } from '@zhugong/contract/kit/errors'
import { requireOwnPassword, requireSecondFactor } from '#kit/admit'
import { type Context, FileAnswer, found } from '#kit/context'
import { inScope, isUniqueViolation, type Row } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ServeDependencies } from '#kit/serve-dependencies'
import { checkWorkbookFile } from '#kit/workbook-file'
import { acceptedNames, contentKind, hasMacros, isInline, macroWords, refusalOf, tailBytes } from './content-type.ts'
import { evidenceOf, requireIntact } from './evidence.ts'
import { soundMime } from './kept.ts'
import { linkHolds } from './links.ts'
import { withoutMetadata } from './metadata.ts'
import type { PartFolders } from './part-folder.ts'
import { beginUpload, dropUpload, finishUpload, getUpload, sendPart } from './parts.ts'
import { pathOf } from './pictures.ts'
import { requireSmall } from './small.ts'
import { answerOf, hashOf, plainName, store } from './store.ts'

export function fileRoutes(serve: Serve, folders: PartFolders, authenticate: ServeDependencies['authenticate']) {
  const folder = folders.files
  serve(contract.uploadFile, uploadFile(folder))
  serve(parts.beginUpload, beginUpload(folders))
  serve(parts.sendPart, sendPart(folders))
  serve(parts.getUpload, getUpload(folders))
  serve(parts.finishUpload, finishUpload(folders))
  serve(parts.dropUpload, dropUpload(folders))

  serve.open(contract.getImage, async ({ query }, ctx) => {
    const id = query.id
    const signed = id && query.expires && query.sign && linkHolds(ctx.secrets, id, query.expires, query.sign, ctx.clock.now())
    let row: Row<'storedFile'> | undefined
    if (id && signed) {
      row = await ctx.system.selectFrom('storedFile').selectAll().where('id', '=', id).executeTakeFirst()
    } else {
      const principal = await authenticate(one(ctx.headers.token), one(ctx.headers.group), ctx.ip)
      requireOwnPassword(principal)
      requireSecondFactor(principal)
      if (!id) throw new AppError('invalidInput', '请指定图片', { field: 'id' })
      row = await inScope(ctx.system, principal.scope, (tx) =>
        tx.selectFrom('storedFile').selectAll().where('id', '=', id).executeTakeFirst(),
      )
    }
    const file = found(row, '图片')
    const small = query.size === 'small' && file.smallSha256 ? pathOf(folder, file.smallSha256) : undefined
    if (small && existsSync(small)) return new FileAnswer(file.name, smallMime, createReadStream(small), true)
    const path = pathOf(folder, file.sha256)
    if (!existsSync(path)) throw new AppError('notFound', '图片不存在或已删除')
    return new FileAnswer(file.name, file.mime, createReadStream(path), isInline(file.mime))
  })
}

/** Small pictures are JPEG only (`requireSmall`). */
const smallMime = 'image/jpeg'

const uploadFile =
  (folder: string): HandlerOf<typeof contract.uploadFile> =>
  async (_input, ctx) => {
    const upload = await ctx.upload()
    const kind = contentKind(upload.body)
    if (!kind) throw new AppError('invalidInput', refusalOf(upload.body, acceptedNames), { field: 'file' })
    if (hasMacros(kind, upload.body.subarray(-tailBytes))) throw new AppError('invalidInput', macroWords, { field: 'file' })
    if (kind.extension === 'xlsx') checkWorkbookFile(upload.body)
    if (upload.small) requireSmall(upload.small)
    const sentSha256 = hashOf(upload.body)
    requireIntact(upload.fields.sha256, sentSha256)
    const id = givenId(upload.fields.id) ?? ctx.newId()
    const before = await ctx.db.selectFrom('storedFile').selectAll().where('id', '=', id).executeTakeFirst()
    if (before) return storedBefore(ctx, before, sentSha256)
    const body = withoutMetadata(upload.body, kind.mime)
    const sha256 = hashOf(body)
    await store(folder, sha256, body)
    const isImage = kind.mime.startsWith('image/')
    const file = await ctx.db
      .insertInto('storedFile')
      .values({
        id,
        name: plainName(upload.fileName, kind.extension),
        mime: kind.mime,
        bytes: body.length,
        sha256,
        sentSha256,
        smallSha256: isImage && upload.small ? await storeSmall(folder, upload.small) : null,
        groupId: ctx.group.id,
        createBy: ctx.user.id,
        projectCode: ctx.projectCode === '*' ? null : ctx.projectCode,
        // Time and place of a recording are those that the device names.
        ...(isImage || kind.mime.startsWith(soundMime) ? evidenceOf(upload.body, upload.fields, ctx.clock.now()) : {}),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? takenId() : error
      })
    // Without the file name, which often contains a person's name.
    ctx.note(`上传附件 ${kind.extension}，${Math.ceil(body.length / 1024)} KB`, id)
    return answerOf(ctx, file)
  }

async function storeSmall(folder: string, sent: Buffer): Promise<string> {
  const body = withoutMetadata(sent, smallMime)
  const sha256 = hashOf(body)
  await store(folder, sha256, body)
  return sha256
}

const takenId = () => new AppError('refused', '文件编号已被使用，请重新选择文件', { field: 'id' })

/** @throws AppError `invalidInput` when the id is not 32 hex digits */
function givenId(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  if (!/^[0-9a-f]{32}$/.test(id)) throw new AppError('invalidInput', '文件编号格式不正确', { field: 'id' })
  return id
}

/** The answer to a file sent again because the first answer was lost. */
function storedBefore(ctx: Context, file: Row<'storedFile'>, sentSha256: string) {
  if (file.createBy !== ctx.user.id || file.sentSha256 !== sentSha256) throw takenId()
  ctx.note('重复上传附件', file.id)
  return answerOf(ctx, file)
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
