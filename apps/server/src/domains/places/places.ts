import { AppError } from '@zhugong/contract/kit/errors'
import { placeWords } from '@zhugong/contract/places/kinds'
import * as contract from '@zhugong/contract/places/places'
import { kindsIn, maySitIn, nameJoint } from '@zhugong/contract/places/tree'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { linkOf } from '../files/public.ts'
import { copyRooms, createPlaces } from './bulk.ts'
import { openProject } from './open-project.ts'
import { setPlan } from './plans.ts'
import { childrenOf, insertPlaces, nameTaken, nextSeq, type Place, parentFor, placed, placeToEdit, requireUnit } from './store.ts'
import { unitRoutes } from './units.ts'
import { usedPlaces } from './uses.ts'

export function placeRoutes(serve: Serve): void {
  unitRoutes(serve)
  serve(contract.listPlaces, listPlaces)
  serve(contract.createPlace, createPlace)
  serve(contract.changePlace, changePlace)
  serve(contract.removePlace, removePlace)
  serve(contract.orderPlaces, orderPlaces)
  serve(contract.createPlaces, createPlaces)
  serve(contract.copyRooms, copyRooms)
  serve(contract.setPlan, setPlan)
}

const listPlaces: HandlerOf<typeof contract.listPlaces> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  // Outdoor areas stand behind the buildings; within a parent the given order holds.
  const { rows } = await sql<Place>`select * from site_place where project_code = ${projectCode}
    order by cardinality(path), kind = 'area', seq, id`.execute(ctx.db)
  const list = rows.map((place) => rowOf(contract.sitePlace, place, { archived: place.archivedAt !== null }))
  return { list, total: list.length, plans: await currentPlans(ctx, projectCode) }
}

async function currentPlans(ctx: Context, projectCode: string): Promise<contract.SitePlan[]> {
  const { rows } = await sql<Row<'sitePlan'> & { name: string }>`select f.*, q.full_name as name
    from site_plan f join site_place q on q.id = f.place_id
    where f.project_code = ${projectCode} and f.replaced_at is null order by f.at, f.id`.execute(ctx.db)
  return rows.map(({ id, name, placeId, ratio, byName, at, fileId }) => ({
    id,
    name,
    placeId,
    ratio,
    byName,
    at: formatInstant(at),
    picture: linkOf(ctx, fileId) ?? '',
  }))
}

const createPlace: HandlerOf<typeof contract.createPlace> = async ({ body }, ctx) => {
  const { projectCode: named, parentId, kind, name, code, unitId } = body
  const projectCode = await openProject(ctx, named)
  const parent = await parentFor(ctx, projectCode, parentId)
  if (!maySitIn(kind, parent?.kind ?? null)) {
    const allowed = kindsIn(parent?.kind ?? null).map((one) => placeWords[one])
    const where = parent ? `${placeWords[parent.kind]}下` : '最上级'
    throw new AppError('invalidInput', allowed.length ? `${where}只能新增${allowed.join('、')}` : `${where}不能再分`, { field: 'kind' })
  }
  await requireUnit(ctx, projectCode, kind, unitId)
  const siblings = await childrenOf(ctx, projectCode, parent?.id ?? null)
  if (siblings.length >= contract.mostSiblings) throw new AppError('refused', `同一上级最多 ${contract.mostSiblings} 个部位`)
  const row = placed(ctx, projectCode, parent, nextSeq(siblings), { kind, name, code, unitId })
  await insertPlaces(ctx, projectCode, [row])
  ctx.note(`新增部位：${row.fullName}`, projectCode)
  return { id: row.id, version: 0 }
}

const changePlace: HandlerOf<typeof contract.changePlace> = async ({ body }, ctx) => {
  const { id, version, name, code, unitId, archived } = body
  const place = await placeToEdit(ctx, id)
  const { projectCode } = place
  await requireUnit(ctx, projectCode, place.kind, unitId)
  if (archived === true && !place.archivedAt) throw new AppError('invalidInput', '停用请使用删除', { field: 'archived' })
  const restored = archived === false && place.archivedAt !== null
  const parent = place.parentId && (restored || name !== place.name) ? await parentOf(ctx, place.parentId) : null
  if (restored && parent?.archivedAt) throw new AppError('refused', '上级部位已停用，请先恢复上级', { field: 'archived' })
  const fullName = place.parentId === null ? name : parent ? parent.fullName + nameJoint + name : place.fullName
  const values = { name, code, unitId, fullName, archivedAt: restored ? null : undefined }
  const next = await changeRow(ctx, 'sitePlace', { key: { id, projectCode }, version, noun: '部位', by: ctx.user.id, values }).catch(
    (error: unknown) => {
      throw nameTaken(error)
    },
  )
  if (fullName !== place.fullName)
    await sql`update site_place set full_name = ${fullName} || substr(full_name, ${place.fullName.length + 1})
      where project_code = ${projectCode} and path @> array[${id}::text] and id <> ${id}`.execute(ctx.db)
  ctx.note(restored ? `恢复部位：${fullName}` : `修改部位：${fullName}`, projectCode)
  return { id, version: next }
}

async function parentOf(ctx: Context, id: string): Promise<Place | null> {
  const { rows } = await sql<Place>`select * from site_place where id = ${id}`.execute(ctx.db)
  return rows[0] ?? null
}

const removePlace: HandlerOf<typeof contract.removePlace> = async ({ params: { id } }, ctx) => {
  const { projectCode, fullName } = await placeToEdit(ctx, id)
  const { rows } = await sql<Place>`select * from site_place where project_code = ${projectCode} and path @> array[${id}::text]`.execute(
    ctx.db,
  )
  const used = await usedPlaces(
    ctx,
    rows.map((one) => one.id),
  )
  // What a used place stands in must stay too.
  const staying = new Set(rows.filter((one) => used.has(one.id)).flatMap((one) => one.path))
  const kept = rows.filter((one) => staying.has(one.id)).map((one) => one.id)
  const gone = rows.filter((one) => !staying.has(one.id)).map((one) => one.id)
  const at = new Date(ctx.clock.now())
  if (kept.length > 0)
    await sql`update site_place set archived_at = ${at}, version = version + 1, update_by = ${ctx.user.id}, update_time = ${at}
      where id = any (${kept}) and archived_at is null`.execute(ctx.db)
  if (gone.length > 0) await sql`delete from site_place where id = any (${gone}) and project_code = ${projectCode}`.execute(ctx.db)
  ctx.note(kept.length > 0 ? `停用部位：${fullName}` : `删除部位：${fullName}`, projectCode)
  return { removed: gone.length, archived: kept.length }
}

const orderPlaces: HandlerOf<typeof contract.orderPlaces> = async ({ body }, ctx) => {
  const projectCode = await openProject(ctx, body.projectCode)
  const { rows } = await sql<Place>`select * from site_place where id = any (${body.ids}) and project_code = ${projectCode}`.execute(ctx.db)
  if (rows.length !== new Set(body.ids).size || new Set(rows.map((one) => one.parentId)).size > 1)
    throw new AppError('invalidInput', '部位已变动或不在同一上级，请刷新后再调整', { field: 'ids' })
  await sql`update site_place p set seq = o.n from unnest(${body.ids}::text[]) with ordinality as o (id, n)
    where p.id = o.id and p.project_code = ${projectCode}`.execute(ctx.db)
  ctx.note('调整部位次序', projectCode)
  return undefined
}
