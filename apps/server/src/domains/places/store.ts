import { AppError } from '@zhugong/contract/kit/errors'
import type { PlaceKind } from '@zhugong/contract/places/kinds'
import { mostPlaces } from '@zhugong/contract/places/places'
import { nameJoint } from '@zhugong/contract/places/tree'
import { type Insertable, sql } from 'kysely'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Row, type Tables } from '#kit/db'
import { openProject } from './open-project.ts'

export type Place = Row<'sitePlace'>

/** A visible place of a project that may be edited. */
export async function placeToEdit(ctx: Context, id: string): Promise<Place> {
  const { rows } = await sql<Place>`select * from site_place where id = ${id}`.execute(ctx.db)
  const place = found(rows[0], '部位')
  await openProject(ctx, place.projectCode)
  return place
}

/** @throws AppError `invalidInput` when the parent is not of the project, or archived */
export async function parentFor(ctx: Context, projectCode: string, id: string | null, field = 'parentId'): Promise<Place | null> {
  if (id === null) return null
  const { rows } = await sql<Place>`select * from site_place where id = ${id} and project_code = ${projectCode}`.execute(ctx.db)
  const parent = rows[0]
  if (!parent) throw new AppError('invalidInput', '上级部位不存在或不属于该项目', { field })
  if (parent.archivedAt) throw new AppError('invalidInput', '上级部位已停用', { field })
  return parent
}

/** @throws AppError `invalidInput` when the unit is not of the project */
export async function requireUnit(ctx: Context, projectCode: string, kind: PlaceKind, unitId: string | null): Promise<void> {
  if (unitId === null) return
  if (kind !== 'building') throw new AppError('invalidInput', '只有楼栋对应单体工程', { field: 'unitId' })
  const { rows } = await sql`select from unit_project where id = ${unitId} and project_code = ${projectCode}`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('invalidInput', '单体工程不存在或不属于该项目', { field: 'unitId' })
}

/** Inserts places that `placer` made, parents before children. @throws AppError `refused` when the project has too many */
export async function insertPlaces(ctx: Context, projectCode: string, rows: readonly Insertable<Tables['sitePlace']>[]): Promise<void> {
  if (rows.length === 0) return
  const known = await sql<{ n: number }>`
    select count(*)::int as n from site_place where project_code = ${projectCode} and archived_at is null`.execute(ctx.db)
  const total = (known.rows[0]?.n ?? 0) + rows.length
  if (total > mostPlaces) throw new AppError('refused', `一个项目最多 ${mostPlaces} 个部位，加上这些为 ${total} 个`)
  await sql`insert into site_place (id, project_code, parent_id, kind, unit_id, seq, name, code, path, full_name, create_by, create_time)
    select id, ${projectCode}, parent_id, kind, unit_id, seq, name, code, path, full_name, ${ctx.user.id}, ${new Date(ctx.clock.now())}
    from jsonb_to_recordset(${JSON.stringify(rows.map(asRecord))}::jsonb)
      as r (id text, parent_id text, kind text, unit_id text, seq int, name text, code text, path text[], full_name text)`
    .execute(ctx.db)
    .catch((error: unknown) => {
      throw nameTaken(error)
    })
}
const asRecord = ({ id, parentId, kind, unitId, seq, name, code, path, fullName }: Insertable<Tables['sitePlace']>) => ({
  id,
  parent_id: parentId,
  kind,
  unit_id: unitId,
  seq,
  name,
  code,
  path,
  full_name: fullName,
})

export const nameTaken = (error: unknown) =>
  isUniqueViolation(error, 'site_place_name') ? new AppError('refused', '同一上级下已有同名部位', { field: 'name' }) : error

type Parent = Pick<Place, 'id' | 'path' | 'fullName'> | null
type New = Pick<Place, 'kind' | 'name'> & Partial<Pick<Place, 'code' | 'unitId'>>

/** The row of a new place below its parent. */
export const placed = (
  ctx: Pick<Context, 'newId'>,
  projectCode: string,
  parent: Parent,
  seq: number,
  { kind, name, code, unitId }: New,
) => {
  const id = ctx.newId()
  return {
    id,
    projectCode,
    parentId: parent?.id ?? null,
    kind,
    unitId: unitId ?? null,
    seq,
    name,
    code: code ?? null,
    path: [...(parent?.path ?? []), id],
    fullName: parent ? parent.fullName + nameJoint + name : name,
  }
}

/** The places in use directly below a parent, in their order. */
export async function childrenOf(ctx: Pick<Context, 'db'>, projectCode: string, parentId: string | null): Promise<Place[]> {
  const { rows } = await sql<Place>`select * from site_place
    where project_code = ${projectCode} and parent_id is not distinct from ${parentId} and archived_at is null order by seq, id`.execute(
    ctx.db,
  )
  return rows
}

export const nextSeq = (siblings: readonly Pick<Place, 'seq'>[]): number => Math.max(0, ...siblings.map((one) => one.seq)) + 1
