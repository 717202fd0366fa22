import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeRoom, createRooms, moveOutLeft } from '@zhugong/contract/residence/calls'
import { whyNotIn, whyNotRoom } from '@zhugong/contract/residence/rules'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../files/public.ts'

type Body = ParsedFor<typeof changeRoom>['body']
type Of<A extends Body['action']> = Extract<Body, { action: A }>
type Room = Row<'livingRoom'>
const noun = '房间'
const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
const nameOf = ({ buildingName, roomNo }: Pick<Room, 'buildingName' | 'roomNo'>) => `${buildingName} ${roomNo}`

async function lockRoom(ctx: Context, id: string): Promise<Room> {
  const { rows } = await sql<Room>`select * from living_room where id = ${id} and ${allOf(...inProjects('project_code', projectsFor(ctx)))}
    for update`.execute(ctx.db)
  return found(rows[0], noun)
}

export const createRoomRows: HandlerOf<typeof createRooms> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await seesProject(ctx, projectCode)
  const taken = await sql<{
    name: string
  }>`select building_name || ' ' || room_no as name from living_room where project_code = ${projectCode}`.execute(ctx.db)
  const known = new Set(taken.rows.map((one) => one.name))
  const ids: string[] = []
  for (const [i, room] of body.rooms.entries()) {
    const wrong = whyNotRoom(room)
    if (wrong) throw refuse(`rooms.${i}.${wrong.field}`, `${nameOf(room)}：${wrong.text}`)
    if (known.has(nameOf(room))) throw refuse(`rooms.${i}.roomNo`, `${nameOf(room)} 已存在`)
    known.add(nameOf(room))
    const id = ctx.newId()
    ids.push(id)
    await ctx.db
      .insertInto('livingRoom')
      .values({ id, projectCode, ...room, createBy: ctx.user.id, createTime: new Date(ctx.clock.now()) })
      .execute()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? refuse(`rooms.${i}.roomNo`, `${nameOf(room)} 已存在`) : error
      })
  }
  ctx.note(`新建生活区房间 ${ids.length} 间`, ids)
  return { ids }
}

export const changeRoomRow: HandlerOf<typeof changeRoom> = async ({ params: { id }, body }, ctx) => {
  const room = await lockRoom(ctx, id)
  const values = await write(ctx, room, body)
  const version = await changeRow(ctx, 'livingRoom', { key: { id }, version: body.version, noun, by: ctx.user.id, values })
  return { id, version }
}

async function write(ctx: Context, room: Room, body: Body) {
  switch (body.action) {
    case 'save':
      return saved(ctx, room, body)
    case 'moveIn':
      await moveIn(ctx, room, body.workerId, body.bed)
      return {}
    case 'move':
      await moved(ctx, room, body)
      return {}
    case 'moveOut':
      await endStay(ctx, await stayIn(ctx, room, body.stayId), body.reason ?? '退宿')
      return {}
    case 'check':
      await checked(ctx, room, body)
      return {}
  }
}

async function saved(ctx: Context, room: Room, { action: _action, version: _version, ...fields }: Of<'save'>) {
  const wrong = whyNotRoom(fields)
  if (wrong) throw refuse(wrong.field, wrong.text)
  const { rows } = await sql<{
    top: number | null
  }>`select max(bed) as top from room_stay where room_id = ${room.id} and to_day is null`.execute(ctx.db)
  const top = rows[0]?.top ?? 0
  if (top > fields.beds) throw refuse('beds', `${top} 号床有人住，不能减到 ${fields.beds} 张`)
  const twin = await sql`select from living_room where project_code = ${room.projectCode} and building_name = ${fields.buildingName}
    and room_no = ${fields.roomNo} and id <> ${room.id}`.execute(ctx.db)
  if (twin.rows.length > 0) throw refuse('roomNo', `${nameOf(fields)} 已存在`)
  ctx.note(`修改房间 ${nameOf(fields)}`, room.id)
  return fields
}

interface Person {
  name: string
  gender: string
  corpCode: string
  livesIn: string | null
}
/** @throws AppError at the field when the person may not sleep there */
async function moveIn(ctx: Context, room: Room, workerId: string, bed: number): Promise<void> {
  const { rows } =
    await sql<Person>`select w.worker_name as name, w.gender, w.corp_code, (select m.building_name || ' ' || m.room_no from room_stay s
      join living_room m on m.id = s.room_id where s.project_code = w.project_code and s.worker_id = w.worker_id and s.to_day is null) as lives_in
    from project_worker w where w.project_code = ${room.projectCode} and w.worker_id = ${workerId} and w.exit_time is null`.execute(ctx.db)
  const person = rows[0]
  const living = await sql<{
    gender: string
    bed: number
  }>`select gender, bed from room_stay where room_id = ${room.id} and to_day is null`.execute(ctx.db)
  const why = whyNotIn(
    room,
    living.rows.map((one) => one.gender),
    person ? { ...person, onSite: true } : { name: '该人员', gender: '', onSite: false, livesIn: null },
  )
  if (why || !person) throw refuse('workerId', why ?? '该人员不在本项目场内')
  if (bed > room.beds) throw refuse('bed', `该房间只有 ${room.beds} 张床`)
  if (living.rows.some((one) => one.bed === bed)) throw refuse('bed', `${bed} 号床有人住`)
  const { corpCode, name, gender } = person
  await ctx.db
    .insertInto('roomStay')
    .values({
      id: ctx.newId(),
      roomId: room.id,
      projectCode: room.projectCode,
      corpCode,
      workerId,
      name,
      gender,
      bed,
      fromDay: formatDay(ctx.clock.now()),
      byName: ctx.user.name,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse('bed', '该床位或该人员刚由他人安排，请刷新') : error
    })
  ctx.note(`入住 ${nameOf(room)} ${bed} 号床`, room.id)
}

async function stayIn(ctx: Context, room: Room, stayId: string): Promise<Row<'roomStay'>> {
  const { rows } = await sql<
    Row<'roomStay'>
  >`select * from room_stay where id = ${stayId} and room_id = ${room.id} and to_day is null for update`.execute(ctx.db)
  const stay = rows[0]
  if (!stay) throw refuse('stayId', '该人员已不住在这间')
  return stay
}

async function endStay(ctx: Context, stay: Pick<Row<'roomStay'>, 'id' | 'fromDay'>, reason: string): Promise<void> {
  await sql`update room_stay set to_day = greatest(from_day, ${formatDay(ctx.clock.now())}::date), reason = ${reason} where id = ${stay.id}`.execute(
    ctx.db,
  )
}

async function moved(ctx: Context, room: Room, { stayId, toRoomId, bed }: Of<'move'>): Promise<void> {
  const stay = await stayIn(ctx, room, stayId)
  const target = toRoomId === room.id ? room : await lockRoom(ctx, toRoomId)
  if (target.projectCode !== room.projectCode) throw refuse('toRoomId', '不能调到其他项目的房间')
  await endStay(ctx, stay, `调至 ${nameOf(target)} ${bed} 号床`)
  await moveIn(ctx, target, stay.workerId, bed)
}

async function checked(ctx: Context, room: Room, { fire, power, hygiene, note, photos }: Of<'check'>): Promise<void> {
  if (!(fire && power && hygiene) && !note) throw refuse('note', '不合格须写明情况')
  await ctx.db
    .insertInto('roomCheck')
    .values({
      id: ctx.newId(),
      roomId: room.id,
      projectCode: room.projectCode,
      at: new Date(ctx.clock.now()),
      byName: ctx.user.name,
      fire,
      power,
      hygiene,
      note,
      photos: await keptFiles(ctx, fileIdsOf(photos), [], 'photos'),
    })
    .execute()
  ctx.note(`检查房间 ${nameOf(room)}`, room.id)
}

export const moveOutLeftRows: HandlerOf<typeof moveOutLeft> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await seesProject(ctx, projectCode)
  const { rows } = await sql<{
    id: string
  }>`update room_stay s set to_day = greatest(s.from_day, ${formatDay(ctx.clock.now())}::date), reason = '已退场'
    where s.project_code = ${projectCode} and s.to_day is null and not exists (select from project_worker w where w.project_code = s.project_code
      and w.worker_id = s.worker_id and w.exit_time is null) returning s.id`.execute(ctx.db)
  ctx.note(`已退场人员退宿 ${rows.length} 人`, projectCode)
  return { count: rows.length }
}

export async function removeRoomRow(ctx: Context, id: string): Promise<void> {
  const room = await lockRoom(ctx, id)
  const { rows } = await sql`select from room_stay where room_id = ${id} limit 1`.execute(ctx.db)
  if (rows.length > 0) throw new AppError('refused', '有人住过的房间不能删除：住宿记录须保留')
  await sql`delete from living_room where id = ${id}`.execute(ctx.db)
  ctx.note(`删除房间 ${nameOf(room)}`, id)
}
