import { grantLevels } from '@zhugong/contract/documents/moves'
import { deepest } from '@zhugong/contract/documents/names'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, type Condition, condition, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import { gateLevel, type Known, levelOf, type Reader, rootLevel } from './rights.ts'

/** Where a document lies or is to lie. */
export interface Place {
  projectCode: string | null
  homeUser: string | null
  groupId: string
  parentId: string | null
  place: string
  path: string
  ancestors: string[]
  gates: string[]
  /** What the caller may do there. */
  level: number
}

export const rootOf = ({ projectCode, homeUser, groupId }: Pick<Row<'document'>, 'projectCode' | 'homeUser' | 'groupId'>): string =>
  projectCode === null ? `own ${groupId} ${homeUser}` : `project ${projectCode}`

/** The path of a folder's content. */
export const insideOf = ({ path, name }: Pick<Row<'document'>, 'path' | 'name'>): string => (path ? `${path}/${name}` : name)

/** The root of the caller's own documents, or of a project's. @throws AppError when there is no one project */
export function rootPlace(ctx: Context, space: 'own' | 'project', requested: string): Place {
  const projectCode = space === 'project' ? oneProject(ctx, requested) : null
  const root = { projectCode, homeUser: projectCode === null ? ctx.user.id : null, groupId: ctx.group.id }
  return { ...root, parentId: null, place: rootOf(root), path: '', ancestors: [], gates: [], level: rootLevel(ctx, projectCode) }
}

export const insidePlace = (ctx: Reader, folder: Known): Place => ({
  ...pick(folder, 'projectCode', 'homeUser', 'gates'),
  groupId: folder.projectCode === null ? folder.groupId : ctx.group.id,
  parentId: folder.id,
  place: folder.id,
  path: insideOf(folder),
  ancestors: [...folder.ancestors, folder.id],
  level: levelOf(ctx, folder),
})

/** Visible projects, or none: row-level security says who sees what of the rest. */
export const scopeOf = (ctx: Pick<Context, 'scope' | 'scopeChecks'>): Condition =>
  condition(sql`(d.project_code is null or ${allOf(...inProjects('d.projectCode', projectsFor(ctx)))})`)

/** A document that the caller sees. @throws AppError `notFound` */
export async function readKnown(ctx: Pick<Context, 'db' | 'user' | 'scope' | 'scopeChecks'>, id: string, lock = false): Promise<Known> {
  const { rows } = await sql<Known>`select d.*, ${gateLevel(ctx)} as gate_level from document d
    where d.id = ${id} and d.deleted_at is null and ${scopeOf(ctx)} ${lock ? sql`for update of d` : sql``}`.execute(ctx.db)
  return found(rows[0], '文档')
}

/** The place of something new. @throws AppError when the folder is not there, or the caller may add nothing */
export async function placeFor(ctx: Context, space: 'own' | 'project', projectCode: string, parentId: string | null): Promise<Place> {
  const place = parentId === null ? rootPlace(ctx, space, projectCode) : insidePlace(ctx, folderOf(await readKnown(ctx, parentId)))
  requireRoomBelow(place, 1)
  if (place.level >= grantLevels.upload) return place
  throw new AppError('forbidden', place.projectCode ? '您不能在该目录添加资料' : '该目录只让您查看')
}

export function folderOf(row: Known): Known {
  if (!row.isDir) throw new AppError('invalidInput', '请选择文件夹', { field: 'parentId' })
  return row
}

/** @throws AppError `invalidInput` when `levels` more would be too deep */
export function requireRoomBelow(place: Pick<Place, 'ancestors'>, levels: number, field = 'parentId'): void {
  if (place.ancestors.length + levels > deepest) throw new AppError('invalidInput', `目录最多 ${deepest} 层`, { field })
}

interface Taken {
  id: string
  name: string
  isDir: boolean
  version: number
  versionNo: number
  updateBy: string
  updateTime: Date
}
/** What the caller sees of that name in a folder. */
export async function takenBy(ctx: Pick<Context, 'db'>, place: string, name: string): Promise<Taken | undefined> {
  const { rows } = await sql<Taken>`select d.id, d.name, d.is_dir, d.version, d.version_no, coalesce(v.by_name, d.owner_name) as update_by,
      coalesce(v.at, d.update_time) as update_time
    from document d left join document_version v on v.document_id = d.id and v.no = d.version_no
    where d.place = ${place} and lower(d.name) = lower(${name}) and d.deleted_at is null`.execute(ctx.db)
  return rows[0]
}

/** The names of a folder, as it compares them. Also those that the caller does not see: they are taken all the same. */
export async function namesIn(ctx: Pick<Context, 'system'>, place: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select lower(d.name) as name from document d
    where d.place = ${place} and d.deleted_at is null`.execute(ctx.system)
  return new Set(rows.map((one) => one.name))
}

export const nameTaken = () => new AppError('refused', '该目录已有同名文件或文件夹，请换一个名称', { field: 'name' })

/** Of a folder or document, with what the caller does not see. */
export async function contentOf(ctx: Pick<Context, 'db'>, id: string) {
  const { rows } = await sql<{ documents: number; bytes: number; deepest: number; archived: number }>`
    select c.documents, c.bytes, c.deepest, c.archived from zg_document_content(${id}) c`.execute(ctx.db)
  return { documents: 0, deepest: 0, archived: 0, ...rows[0], bytes: Number(rows[0]?.bytes ?? 0) }
}
