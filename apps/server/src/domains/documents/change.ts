import type * as contract from '@zhugong/contract/documents/calls'
import { type DocumentAction, dataStates, documentMoves, grantLevels, securityLevels } from '@zhugong/contract/documents/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { type Context, found } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { restore } from './bin.ts'
import { share } from './grants.ts'
import { contentOf, folderOf, insideOf, insidePlace, nameTaken, readKnown, requireRoomBelow, rootOf, takenBy } from './places.ts'
import { type Known, levelOf, requireAction, rootLevel } from './rights.ts'
import { addVersion, type Content, closeTo, openUp, takeFile } from './writes.ts'

type Body = ParsedFor<typeof contract.changeDocument>['body']
type BodyOf<A extends DocumentAction> = Extract<Body, { action: A }>
const noun = '文档'

export const changeDocument: HandlerOf<typeof contract.changeDocument> = async ({ params: { id }, query, body }, ctx) => {
  await seesProject(ctx, query.projectCode)
  ctx.note(documentMoves[body.action].label, id)
  if (body.action === 'restore') return { id, version: await restore(ctx, id, body) }
  const row = await readKnown(ctx, id, true)
  requireAction(ctx, row, body.action)
  if (row.version !== body.version) throw await conflictOf(ctx, 'document', { id }, noun)
  return { id, version: await changes[body.action](ctx, row, body as never) }
}

type Change<A extends DocumentAction> = (ctx: Context, row: Known, body: BodyOf<A>) => Promise<number>

const edit = (ctx: Context, { id, version }: Known, values: object): Promise<number> =>
  changeRow(ctx, 'document', { key: { id }, version, values, noun, by: ctx.user.id }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTaken() : error
  })

const changes: { [A in Exclude<DocumentAction, 'restore'>]: Change<A> } = {
  async rename(ctx, row, { name }) {
    const taken = await takenBy(ctx, row.place, name)
    if (taken && taken.id !== row.id) throw nameTaken()
    const version = await edit(ctx, row, { name })
    if (row.isDir) await follow(ctx, row)
    return version
  },
  async move(ctx, row, { to }) {
    const folder = to === null ? undefined : folderOf(await readKnown(ctx, to))
    if (folder && (folder.id === row.id || folder.ancestors.includes(row.id)))
      throw new AppError('invalidInput', '不能移到自己里面', { field: 'to' })
    if (folder && rootOf(folder) !== rootOf(row))
      throw new AppError('invalidInput', '只能在同一项目或我的文档内移动；要换地方请下载后上传', { field: 'to' })
    const level = folder
      ? levelOf(ctx, folder)
      : row.projectCode === null && row.homeUser !== ctx.user.id
        ? 0
        : rootLevel(ctx, row.projectCode)
    if (level < grantLevels.upload) throw new AppError('forbidden', '您不能在目标目录添加资料')
    const place = folder
      ? insidePlace(ctx, folder)
      : { parentId: null, place: rootOf(row), path: '', ancestors: [] as string[], gates: [] as string[] }
    // Out of a closed folder: that opens it to others, which is the manager's to say.
    const opens = row.gates.some((gate) => gate !== row.id && !place.gates.includes(gate))
    if (opens && levelOf(ctx, row) < grantLevels.manage) throw new AppError('forbidden', '移出受控目录需要该目录的管理权限')
    const { documents, deepest } = await contentOf(ctx, row.id)
    requireRoomBelow(place, (documents > 0 ? deepest : row.ancestors.length) - row.ancestors.length + 1, 'to')
    if (await takenBy(ctx, place.place, row.name)) throw nameTaken()
    const own = row.gates.includes(row.id) ? [row.id] : []
    const { parentId, path, ancestors } = place
    const version = await edit(ctx, row, { parentId, place: place.place, path, ancestors, gates: [...place.gates, ...own] })
    await follow(ctx, row)
    return version
  },
  async newVersion(ctx, row, { fileId }) {
    return (await addVersion(ctx, row, await takeFile(ctx, fileId, row.name))).version
  },
  async current(ctx, row, { no }) {
    const { rows } = await sql<Content>`select v.file_id, v.name, v.mime, v.size from document_version v
      where v.document_id = ${row.id} and v.no = ${no}`.execute(ctx.db)
    const content = found(rows[0], '版本')
    if (no === row.versionNo) throw new AppError('refused', '该版本已是当前版本')
    return (await addVersion(ctx, row, { ...content, size: Number(content.size) }, no)).version
  },
  async share(ctx, row, { grants }) {
    const version = await edit(ctx, row, {})
    await share(ctx, row, grants)
    return version
  },
  async security(ctx, row, { security }) {
    if (row.isDir) throw new AppError('refused', '文件夹请用共享设置谁能看')
    const version = await edit(ctx, row, { security })
    const isShared = row.gates.includes(row.id)
    if (security === securityLevels.restricted && !isShared) await closeTo(ctx, row.id, [])
    // Whoever it was shared to keeps it to themselves; nobody is let in by a lower level alone.
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from document_grant x where x.document_id = ${row.id}
      and x.user_id is distinct from ${row.ownerId} and x.user_id is distinct from ${ctx.user.id}`.execute(ctx.db)
    if (security !== securityLevels.restricted && isShared && (rows[0]?.n ?? 0) === 0) await openUp(ctx, row.id)
    return version
  },
  archive: (ctx, row, { category }) => {
    ctx.note(`归档到${dictName('documentCategory', category) ?? category}`, row.id)
    return edit(ctx, row, { category, dataState: dataStates.archived, archivedAt: new Date(ctx.clock.now()) })
  },
}

/** What a folder holds goes with it. */
async function follow(ctx: Context, before: Known): Promise<void> {
  if (!before.isDir) return
  const inherited = before.gates.filter((gate) => gate !== before.id)
  await sql`select zg_document_moved(${before.id}, ${before.ancestors.length + 1}, ${insideOf(before)}, ${inherited}::text[])`.execute(
    ctx.db,
  )
}
