import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as contract from '@zhugong/contract/files/endpoints'
import { hasControlCharacters } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { requireOwnPassword, requireSecondFactor } from '#kit/admit'
import { FileAnswer, found } from '#kit/context'
import { inScope, type Row } from '#kit/db'
import type { HandlerOf, Serve, ServeDependencies } from '#kit/serve'
import { checkWorkbookFile } from '#kit/workbook-file'
import { acceptedNames, contentKind, isInline } from './content-type.ts'
import { fileLink, linkHolds } from './links.ts'
import { withoutMetadata } from './metadata.ts'
import { pathOf } from './pictures.ts'

export function fileRoutes(serve: Serve, folder: string, authenticate: ServeDependencies['authenticate']) {
  serve(contract.uploadFile, uploadFile(folder))

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
    const path = pathOf(folder, file.sha256)
    if (!existsSync(path)) throw new AppError('notFound', '图片不存在或已删除')
    return new FileAnswer(file.name, file.mime, createReadStream(path), isInline(file.mime))
  })
}

const uploadFile =
  (folder: string): HandlerOf<typeof contract.uploadFile> =>
  async (_input, ctx) => {
    const upload = await ctx.upload()
    const kind = contentKind(upload.body)
    if (!kind) throw new AppError('invalidInput', `文件内容不受支持，请上传${acceptedNames}`, { field: 'file' })
    if (kind.extension === 'xlsx') checkWorkbookFile(upload.body)
    const body = withoutMetadata(upload.body, kind.mime)
    const sha256 = createHash('sha256').update(body).digest('hex')
    await store(folder, sha256, body)
    const id = ctx.newId()
    const name = plainName(upload.fileName, kind.extension)
    await ctx.db
      .insertInto('storedFile')
      .values({
        id,
        name,
        mime: kind.mime,
        bytes: body.length,
        sha256,
        groupId: ctx.group.id,
        createBy: ctx.user.id,
        projectCode: ctx.projectCode === '*' ? null : ctx.projectCode,
      })
      .execute()
    // Not its name: people call a file by whom it shows.
    ctx.note(`上传附件 ${kind.extension}，${Math.ceil(body.length / 1024)} KB`, id)
    return { id, name, url: fileLink(ctx.secrets, id, ctx.clock.now()), mime: kind.mime, size: body.length }
  }

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/** By content hash, written aside first: a half-written file is never found under its name. */
async function store(folder: string, sha256: string, body: Buffer): Promise<void> {
  const path = pathOf(folder, sha256)
  if (existsSync(path)) return
  await mkdir(dirname(path), { recursive: true, mode: 0o750 })
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(aside, body, { mode: 0o640 })
  await rename(aside, path)
}

/** The uploader's name without folders and controls, with the extension its content has. */
function plainName(given: string, extension: string): string {
  const base =
    given
      .replaceAll('\\', '/')
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '') ?? ''
  const clean = hasControlCharacters(base) ? '' : base.replace(/[<>:"|?*]/g, '').slice(0, 80)
  return `${clean || '附件'}.${extension}`
}
