import { archiveCodes, categories, dataStates, documentMoves, grantLevels, securityLevels } from '@zhugong/contract/documents/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'

/** Who asks, with the companies' parts in the projects. */
export type Reader = Pick<Context, 'user' | 'group' | 'codes' | 'scope'>

/** A document with what the caller's grants in its folders allow; null: no folder above it has any. */
export type Placed = Pick<Row<'document'>, 'projectCode' | 'homeUser' | 'groupId'> & { gateLevel: number | null }
export type Known = Row<'document'> & { gateLevel: number | null }

/** The least that the caller may do in the gates of document `d`, by its grants. */
export const gateLevel = (ctx: Pick<Context, 'user'>): RawBuilder<number | null> =>
  sql`case when d.gates = '{}' then null else (select coalesce(min(coalesce(l.level, 0)), 0)::int from unnest(d.gates) g(id)
    left join lateral (select max(x.level) as level from document_grant x where x.document_id = g.id
      and (x.user_id = ${ctx.user.id} or x.role_id = any ((select zg_document_roles())::text[]))) l on true) end`

/** Whether the caller's company only oversees the project, or takes a small part in it. */
const isBeside = ({ scope }: Reader, projectCode: string): boolean =>
  scope.limited.includes(projectCode) || scope.supervised.includes(projectCode)
const oversees = ({ group }: Pick<Context, 'group'>) => group.type === groupTypes.government || group.type === groupTypes.platform

/** What the caller may do at most: a level of `grantLevels`, 0 for nothing. Permission codes are asked beside it. */
export function levelOf(ctx: Reader, { projectCode, homeUser, groupId, gateLevel: gates }: Placed): number {
  if (projectCode === null) return homeUser === ctx.user.id ? grantLevels.manage : (gates ?? 0)
  if (oversees(ctx)) return Math.min(groupId === ctx.group.id ? grantLevels.manage : grantLevels.view, gates ?? grantLevels.manage)
  if (gates !== null) return gates
  return groupId === ctx.group.id || !isBeside(ctx, projectCode) ? grantLevels.manage : grantLevels.view
}

/** What the caller may do in the root of a space. Who oversees a project keeps nothing there; who takes a part in it keeps its own. */
export const rootLevel = (ctx: Pick<Context, 'group'>, projectCode: string | null): number =>
  projectCode !== null && oversees(ctx) ? grantLevels.view : grantLevels.upload

/** Why nobody deletes a document. */
export const keptBecause = ({ dataState, category }: Pick<Row<'document'>, 'dataState' | 'category'>): string | null =>
  category === categories.supervision ? '监督资料不能删除' : dataState === dataStates.archived ? '已归档的资料不能删除' : null

type Action = 'rename' | 'move' | 'newVersion' | 'current' | 'share' | 'security' | 'archive' | 'delete' | 'download' | 'folder' | 'upload'
const { upload, edit, manage, view } = grantLevels

/** Each action's code, the level it needs in the folder, and what the document must be. */
const rules: Readonly<Record<Action, { code: string; level: number; fits: (row: Known, ctx: Reader) => boolean }>> = {
  rename: { code: documentMoves.rename.needs, level: edit, fits: (row) => row.dataState === dataStates.valid },
  move: { code: documentMoves.move.needs, level: edit, fits: (row) => row.dataState === dataStates.valid },
  newVersion: { code: documentMoves.newVersion.needs, level: edit, fits: (row) => !row.isDir && row.dataState === dataStates.valid },
  current: {
    code: documentMoves.current.needs,
    level: edit,
    fits: (row) => !row.isDir && row.versionNo > 1 && row.dataState === dataStates.valid,
  },
  share: { code: documentMoves.share.needs, level: manage, fits: () => true },
  security: { code: documentMoves.security.needs, level: manage, fits: (row) => !row.isDir },
  archive: {
    code: documentMoves.archive.needs,
    level: manage,
    fits: (row) => !row.isDir && row.projectCode !== null && row.dataState === dataStates.valid && archiveCodes.length > 0,
  },
  delete: { code: 'documents.delete', level: edit, fits: (row) => keptBecause(row) === null },
  download: {
    code: 'documents.view',
    level: view,
    fits: (row, ctx) =>
      !row.isDir && (row.security !== securityLevels.restricted || row.ownerId === ctx.user.id || ctx.codes.has('documents.download')),
  },
  folder: { code: 'documents.upload', level: upload, fits: (row) => row.isDir },
  upload: { code: 'documents.upload', level: upload, fits: (row) => row.isDir },
}
/** What the caller may do with a document: buttons show it, and calls ask it. */
export const actionsOf = (ctx: Reader, row: Known): Action[] => {
  const level = levelOf(ctx, row)
  return (Object.keys(rules) as Action[]).filter((action) => {
    const rule = rules[action]
    return ctx.codes.has(rule.code) && level >= rule.level && rule.fits(row, ctx)
  })
}

/** @throws AppError `forbidden` or `refused` */
export function requireAction(ctx: Reader, row: Known, action: Action): void {
  const rule = rules[action]
  if (!ctx.codes.has(rule.code)) throw new AppError('forbidden', `您没有此项权限（${rule.code}）`, { code: rule.code })
  if (levelOf(ctx, row) < rule.level) throw new AppError('forbidden', '您在该目录没有此项权限，请联系目录的管理人')
  if (rule.fits(row, ctx)) return
  const why = action === 'delete' ? keptBecause(row) : null
  if (why) throw new AppError('refused', why)
  if (action === 'download') throw new AppError('forbidden', '受限资料需要下载权限（documents.download）', { code: 'documents.download' })
  throw new AppError('refused', row.dataState === dataStates.archived ? '资料已归档，不能修改' : '该文档不能这样办理')
}
