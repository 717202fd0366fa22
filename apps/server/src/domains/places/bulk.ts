import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/places/places'
import { plannedFloors, seriesFault } from '@zhugong/contract/places/series'
import { floorNumber, roomOnFloor } from '@zhugong/contract/places/tree'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { openProject } from './open-project.ts'
import { addPlans, planOf } from './plans.ts'
import { childrenOf, insertPlaces, nextSeq, type Place, parentFor, placed, placeToEdit, requireUnit } from './store.ts'

type Parent = Pick<Place, 'id' | 'path' | 'fullName'>

/** Places that exist and those that are to be made, found by parent and name. */
function growingFrom(ctx: Context, projectCode: string, present: readonly Place[]) {
  const known = new Map<string, Parent & Pick<Place, 'kind'>>(present.map((one) => [`${one.parentId} ${one.name}`, one]))
  const last = new Map<string, number>()
  for (const { parentId, seq } of present) last.set(String(parentId), Math.max(last.get(String(parentId)) ?? 0, seq))
  const growing = {
    rows: [] as ReturnType<typeof placed>[],
    kept: 0,
    /** The place of this name below the parent, made if there is none. */
    place(parent: Parent, kind: Place['kind'], name: string): Parent {
      const key = `${parent.id} ${name}`
      const there = known.get(key)
      if (there) {
        if (there.kind !== kind) throw new AppError('refused', `${there.fullName} 已存在，但不是同一种部位`)
        growing.kept++
        return there
      }
      const seq = (last.get(parent.id) ?? 0) + 1
      last.set(parent.id, seq)
      const row = placed(ctx, projectCode, parent, seq, { kind, name })
      known.set(key, row)
      growing.rows.push(row)
      return row
    },
  }
  return growing
}

/** Everything in use below the given places. */
async function presentIn(ctx: Context, projectCode: string, ids: readonly string[]): Promise<Place[]> {
  const { rows } = await sql<Place>`select * from site_place
    where project_code = ${projectCode} and path && ${[...ids]}::text[] and archived_at is null`.execute(ctx.db)
  return rows
}

export const createPlaces: HandlerOf<typeof contract.createPlaces> = async ({ body }, ctx) => {
  const { projectCode: named, parentId, building, unitId, ...series } = body
  const fault = seriesFault(series)
  if (fault) throw new AppError('invalidInput', fault.message, { field: fault.field })
  const projectCode = await openProject(ctx, named)
  const parent = await parentFor(ctx, projectCode, parentId)
  if (parent && parent.kind !== 'building') throw new AppError('invalidInput', '请选择楼栋', { field: 'parentId' })
  if (!parent && building === '') throw new AppError('invalidInput', '请填写楼栋名称', { field: 'building' })
  if (!parent && building.includes('/')) throw new AppError('invalidInput', '名称不能含有 /', { field: 'building' })
  await requireUnit(ctx, projectCode, 'building', unitId)
  const roots = parent ? [] : await childrenOf(ctx, projectCode, null)
  if (roots.some((one) => one.name === building)) throw new AppError('refused', '已有同名楼栋，请在该楼栋下生成', { field: 'building' })
  const fresh = parent ? undefined : placed(ctx, projectCode, null, nextSeq(roots), { kind: 'building', name: building, unitId })
  const root = parent ?? fresh
  if (!root) throw new AppError('invalidInput', '请选择楼栋', { field: 'parentId' })
  const growing = growingFrom(ctx, projectCode, parent ? await presentIn(ctx, projectCode, [parent.id]) : [])
  for (const floor of plannedFloors(series)) {
    const inside = floor.unit === null ? root : growing.place(root, 'unit', floor.unit)
    const at = growing.place(inside, 'floor', floor.name)
    for (const room of floor.rooms) growing.place(at, 'room', room)
  }
  const rows = [...(fresh ? [fresh] : []), ...growing.rows]
  await insertPlaces(ctx, projectCode, rows)
  ctx.note(`批量生成部位 ${rows.length} 个：${root.fullName}`, projectCode)
  return { buildingId: root.id, created: rows.length, kept: growing.kept }
}

export const copyRooms: HandlerOf<typeof contract.copyRooms> = async ({ body }, ctx) => {
  const source = await placeToEdit(ctx, body.id)
  const { projectCode } = source
  if (source.kind !== 'floor') throw new AppError('invalidInput', '请选择楼层', { field: 'id' })
  const rooms = await childrenOf(ctx, projectCode, source.id)
  const plan = body.withPlan ? await planOf(ctx, source.id) : undefined
  if (rooms.length === 0 && !plan) throw new AppError('refused', '该楼层还没有房间')
  const { rows: found } = await sql<Place>`select * from site_place
    where id = any (${body.to}) and project_code = ${projectCode} and kind = 'floor' and archived_at is null and id <> ${source.id}`.execute(
    ctx.db,
  )
  if (found.length !== new Set(body.to).size) throw new AppError('invalidInput', '所选楼层已变动，请刷新后再选', { field: 'to' })
  const growing = growingFrom(
    ctx,
    projectCode,
    await presentIn(
      ctx,
      projectCode,
      found.map((one) => one.id),
    ),
  )
  const from = floorNumber(source.name)
  for (const floor of found) for (const room of rooms) growing.place(floor, 'room', roomOnFloor(room.name, from, floorNumber(floor.name)))
  await insertPlaces(ctx, projectCode, growing.rows)
  const plans = plan
    ? await addPlans(
        ctx,
        projectCode,
        found.map((one) => one.id),
        plan,
      )
    : 0
  ctx.note(`复制 ${source.fullName} 的房间到 ${found.length} 层`, projectCode)
  return { created: growing.rows.length, kept: growing.kept, plans }
}

interface WantedRoom {
  building: string
  /** Empty: the building has no units. */
  unit: string
  floor: string
  name: string
}

/** The rooms of these names in the order given, with their buildings; what the tree lacks is made. */
export async function roomsNamed(
  ctx: Context,
  named: string,
  wanted: readonly WantedRoom[],
): Promise<{ placeId: string; buildingId: string }[]> {
  const projectCode = await openProject(ctx, named)
  const { rows: present } = await sql<Place>`select * from site_place where project_code = ${projectCode} and archived_at is null`.execute(
    ctx.db,
  )
  const growing = growingFrom(ctx, projectCode, present)
  const roots = new Map<string, Parent>(present.filter((one) => one.kind === 'building').map((one) => [one.name, one]))
  let last = nextSeq(present.filter((one) => one.parentId === null))
  const fresh: ReturnType<typeof placed>[] = []
  const rootOf = (name: string): Parent => {
    const there = roots.get(name)
    if (there) return there
    const made = placed(ctx, projectCode, null, last++, { kind: 'building', name })
    roots.set(name, made)
    fresh.push(made)
    return made
  }
  const found = wanted.map(({ building, unit, floor, name }) => {
    const root = rootOf(building)
    const at = growing.place(unit ? growing.place(root, 'unit', unit) : root, 'floor', floor)
    return { placeId: growing.place(at, 'room', name).id, buildingId: root.id }
  })
  await insertPlaces(ctx, projectCode, [...fresh, ...growing.rows])
  return found
}
