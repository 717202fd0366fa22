import type * as contract from '@zhugong/contract/documents/calls'
import { mostZipped, mostZippedBytes, mostZippedFileBytes, securityLevels } from '@zhugong/contract/documents/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { fileLink, filePaths } from '../files/public.ts'
import { readKnown } from './places.ts'
import { actionsOf, gateLevel, type Known, requireAction } from './rights.ts'
import { zipped } from './zipped.ts'

/** What browsers show without running anything of it. */
function previewOf(mime: string): 'image' | 'pdf' | 'video' | null {
  if (mime === 'application/pdf') return 'pdf'
  if (mime === 'video/mp4') return 'video'
  return /^image\/(jpeg|png|webp)$/.test(mime) ? 'image' : null
}

export const openDocument: HandlerOf<typeof contract.openDocument> = async ({ params: { id }, query, body: { what, no } }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const row = await readKnown(ctx, id)
  if (row.isDir) throw new AppError('refused', '文件夹请打包下载')
  const { rows } = await sql<{ fileId: string; mime: string; no: number }>`select v.file_id, v.mime, v.no from document_version v
    where v.document_id = ${id} and v.no = ${no ?? row.versionNo}`.execute(ctx.db)
  const version = found(rows[0], '版本')
  const preview = previewOf(version.mime)
  // What cannot be shown leaves the product all the same.
  const took = what === 'view' && preview === null ? 'download' : what
  if (took !== 'view') requireAction(ctx, row, 'download')
  await writeLook(ctx, id, took, version.no)
  ctx.note(took === 'view' ? '查看文档' : took === 'print' ? '打印文档' : '下载文档', id)
  return {
    url: fileLink(ctx.secrets, version.fileId, ctx.clock.now()),
    name: row.name,
    mime: version.mime,
    preview,
    watermark: row.security === securityLevels.restricted ? `${ctx.user.name} ${formatInstant(ctx.clock.now()).slice(0, 16)}` : null,
  }
}

const writeLook = (ctx: Context, documentId: string, what: 'view' | 'download' | 'print', versionNo: number) =>
  ctx.db
    .insertInto('documentLook')
    .values({
      id: ctx.newId(),
      documentId,
      what,
      versionNo,
      byId: ctx.user.id,
      byName: ctx.user.name,
      groupName: ctx.group.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()

export const starDocument: HandlerOf<typeof contract.starDocument> = async ({ params: { id }, query, body: { starred } }, ctx) => {
  await seesProject(ctx, query.projectCode)
  await readKnown(ctx, id)
  if (starred)
    await sql`insert into document_star (user_id, document_id, at) values (${ctx.user.id}, ${id}, ${new Date(ctx.clock.now())})
      on conflict do nothing`.execute(ctx.db)
  else await sql`delete from document_star where user_id = ${ctx.user.id} and document_id = ${id}`.execute(ctx.db)
  ctx.note(starred ? '收藏文档' : '取消收藏文档', id)
}

/** Each file in the folders as they stand. Files that the caller may see and not take are left out, and so is what is too large. */
export const zipDocuments =
  (folder: string): HandlerOf<typeof contract.zipDocuments> =>
  async ({ query: { projectCode, ids } }, ctx) => {
    await seesProject(ctx, projectCode)
    const { rows } = await sql<Known>`select d.*, ${gateLevel(ctx)} as gate_level from document d
      where (d.id = any (${ids}) or d.ancestors && ${ids}::text[]) and not d.is_dir and d.deleted_at is null
      order by d.path, d.name limit ${mostZipped + 1}`.execute(ctx.db)
    const files = rows.filter((row) => actionsOf(ctx, row).includes('download') && Number(row.size) <= mostZippedFileBytes)
    if (files.length === 0) throw new AppError('refused', '没有可以打包的文件：空文件夹、无下载权限或单个超过 100 MB')
    if (rows.length > mostZipped) throw new AppError('refused', `一次最多打包 ${mostZipped} 个文件，请分几次下载`)
    if (files.reduce((sum, one) => sum + Number(one.size), 0) > mostZippedBytes)
      throw new AppError('refused', '打包内容超过 1 GB，请分几次下载')
    const contents = await filePaths(
      ctx,
      folder,
      files.map((one) => one.fileId ?? ''),
    )
    const { rows: roots } = await sql<{ id: string; path: string }>`select d.id, d.path from document d where d.id = any (${ids})`.execute(
      ctx.db,
    )
    for (const one of files) await writeLook(ctx, one.id, 'download', one.versionNo)
    const cut = Math.min(...roots.map((one) => one.path.length))
    const entries = files.map(({ name, path, fileId }) => ({
      name: [path.slice(cut), name].filter(Boolean).join('/').replace(/^\/+/, ''),
      path: contents.get(fileId ?? ''),
    }))
    return zipped(`文档_${formatInstant(ctx.clock.now()).slice(0, 10)}.zip`, entries)
  }
