import type { getLibrary, Library, saveLibrary } from '@zhugong/contract/experts/library'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'

/**
 * The library that serves the caller: the own one, else the nearest authority's above the group, or above the project it is about. Undefined
 * without any; for the platform the first.
 */
export async function libraryFor(ctx: Context, projectCode: string | null = null): Promise<Row<'expertLibrary'> | undefined> {
  const area = projectCode
    ? sql`(select p.area_code from project p where p.project_code = ${projectCode})`
    : sql`coalesce((select p.area_code from project p where p.project_code = ${ctx.group.code} and ${ctx.group.type} = ${groupTypes.project}), ${ctx.group.areaCode})`
  const { rows } = await sql<Row<'expertLibrary'>>`select l.* from expert_library l
    where l.group_id = ${ctx.group.id} or ${area} ^@ l.area_front or ${ctx.group.type} = ${groupTypes.platform}
    order by l.group_id = ${ctx.group.id} desc, length(l.area_front) desc, l.group_id limit 1`.execute(ctx.db)
  return rows[0]
}

/** @throws AppError `refused` when no authority keeps a library for the caller */
export async function requireLibrary(ctx: Context, projectCode: string | null = null): Promise<Row<'expertLibrary'>> {
  const library = await libraryFor(ctx, projectCode)
  if (!library) throw new AppError('refused', '本地区尚未建立专家库')
  return library
}

/**
 * The library of the caller's own group.
 * @throws AppError `forbidden` for everybody else
 */
export async function ownLibrary(ctx: Context): Promise<Row<'expertLibrary'>> {
  const { rows } = await sql<Row<'expertLibrary'>>`select * from expert_library where group_id = ${ctx.group.id}`.execute(ctx.db)
  if (!rows[0]) throw new AppError('forbidden', '本机构未建立专家库，请先在“专家库设置”中建立')
  return rows[0]
}

export const readLibrary: HandlerOf<typeof getLibrary> = async (_input, ctx) => {
  const row = await libraryFor(ctx)
  return { library: row ? toLibrary(ctx, row) : null }
}

const toLibrary = (ctx: Context, row: Row<'expertLibrary'>): Library => ({
  ...pick(row, 'groupId', 'name', 'isOpen', 'maxAge', 'leastYears', 'termYears', 'coolDays', 'hideNames', 'version'),
  own: row.groupId === ctx.group.id,
})

export const writeLibrary: HandlerOf<typeof saveLibrary> = async ({ body: { version, ...values } }, ctx) => {
  const { rows } = await sql`select from expert_library where group_id = ${ctx.group.id}`.execute(ctx.db)
  ctx.note('保存专家库设置', ctx.group.id)
  if (rows[0]) {
    await changeRow(ctx, 'expertLibrary', { key: { groupId: ctx.group.id }, version, noun: '专家库设置', by: ctx.user.id, values })
    return undefined
  }
  const areaFront = (ctx.group.areaCode ?? '').replace(/(00){1,2}$/, '')
  if (!areaFront) throw new AppError('refused', '本机构没有管辖地区，不能建立专家库')
  await ctx.db
    .insertInto('expertLibrary')
    .values({ groupId: ctx.group.id, areaFront, ...values, updateBy: ctx.user.id })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('conflict', '专家库设置已被他人保存，请刷新后再改') : error
    })
  return undefined
}
