import {
  facilities,
  type listResidents,
  type listRooms,
  type listUnhoused,
  type RoomDetail,
  type RoomRow,
  roomRow,
} from '@zhugong/contract/residence/calls'
import { dormitory, leastArea, mostPersons } from '@zhugong/contract/residence/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, equals, filtersOf, inProjects, orderBy, pageSlice } from '#kit/list'
import { codesWithin } from '#kit/reach'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'

type RoomQuery = Partial<NonNullable<(typeof listRooms)['types']>['parsed']['query']>
type ResidentQuery = Partial<NonNullable<(typeof listResidents)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock'>
type Reader = Viewer & Pick<Context, 'db'>

const editCode = 'safety-management.residenceEdit'

/** Rooms as `r`, with who lives there counted whatever the caller may see of the people. */
const rooms = sql`(select m.*, zg_room_living(m.id) as occupied, zg_room_left(m.id) as left_over,
  (select max(c.at) from room_check c where c.room_id = m.id) as last_check from living_room m) r`
const hasLeft = sql`not exists (select from project_worker w where w.project_code = s.project_code and w.worker_id = s.worker_id and w.exit_time is null)`

export function roomConditions(ctx: Viewer, query: RoomQuery): Condition {
  return allOf(
    ...inProjects('r.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      type: [anyOf, 'r.type'],
      buildingName: [contains, 'r.buildingName'],
      roomNo: [contains, 'r.roomNo'],
      occupied: [between, 'r.occupied'],
      free: (value) => condition(value ? sql`r.beds > r.occupied` : sql`r.beds <= r.occupied`),
      crowded: (value) =>
        condition(
          value ? sql`(r.occupied > 0 and r.area < r.occupied * ${leastArea}::numeric)` : sql`r.area >= r.occupied * ${leastArea}::numeric`,
        ),
      leftOver: (value) => condition(value ? sql`r.left_over > 0` : sql`r.left_over = 0`),
    }),
  )
}

type RawRoom = Row<'livingRoom'> & { projectName: string; occupied: number; leftOver: number; lastCheck: Date | null; failed: boolean }
const order = (sort: RoomQuery['sort']) =>
  sort === undefined
    ? sql`r.project_code, r.building_name, r.floor, r.room_no, r.id`
    : orderBy(sort, { roomNo: 'r.roomNo!', area: 'r.area!', beds: 'r.beds!', lastCheck: 'r.lastCheck' }, 'roomNo', 'r.id')

export async function readRooms(
  ctx: Reader,
  where: Condition,
  { sort, limit, offset }: { sort?: RoomQuery['sort']; limit?: number; offset?: number },
): Promise<RoomRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } =
    await sql<RawRoom>`select r.*, j.name as project_name, coalesce((select not (c.fire and c.power and c.hygiene) from room_check c
      where c.room_id = r.id order by c.at desc limit 1), false) as failed
    from ${rooms} join project j on j.project_code = r.project_code where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((row) => toRoom(row, today))
}

export async function countRooms(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${rooms} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function toRoom(r: RawRoom, today: string): RoomRow {
  const perPerson = r.occupied === 0 ? null : Math.round((r.area / r.occupied) * 10) / 10
  return rowOf(roomRow, r, {
    typeName: dictName('residenceType', r.type) ?? r.type,
    perPerson,
    lastCheck: r.lastCheck && formatInstant(r.lastCheck),
    warnings: [
      ...(r.occupied > 0 && r.area < r.occupied * leastArea ? [`人均不足 ${leastArea} ㎡`] : []),
      ...(r.occupied > mostPersons ? [`超过 ${mostPersons} 人`] : []),
      ...(r.failed ? ['最近检查不合格'] : []),
      ...(r.fireNext !== null && r.fireNext < today ? ['消防设施待检'] : []),
      ...(r.type === dormitory && !(r.extinguisher && r.smokeAlarm) ? ['缺灭火器或烟感'] : []),
      ...(r.leftOver > 0 ? [`${r.leftOver} 人已退场未退宿`] : []),
    ],
  })
}

export const readRoomList: HandlerOf<typeof listRooms> = async ({ query }, ctx) => {
  const where = roomConditions(ctx, query)
  const all = roomConditions(ctx, { projectCode: query.projectCode })
  type Counts = { beds: number; living: number; free: number; leftOver: number }
  const { rows } = await sql<Counts>`select coalesce(sum(r.beds), 0)::int as beds, coalesce(sum(r.occupied), 0)::int as living,
      coalesce(sum(greatest(r.beds - r.occupied, 0)), 0)::int as free, coalesce(sum(r.left_over), 0)::int as left_over from ${rooms} where ${all}`.execute(
    ctx.db,
  )
  const projects = projectsFor(ctx, query.projectCode)
  const unhoused = await sql<{
    n: number
  }>`select count(*)::int as n from project_worker w where ${allOf(...inProjects('w.projectCode', projects))}
    and w.exit_time is null and not exists (select from room_stay s where s.project_code = w.project_code and s.worker_id = w.worker_id
      and s.to_day is null) and exists (select from living_room m where m.project_code = w.project_code)`.execute(ctx.db)
  const buildings = await sql<{
    name: string
  }>`select distinct r.building_name as name from ${rooms} where ${all} order by 1 limit 50`.execute(ctx.db)
  return {
    list: await readRooms(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countRooms(ctx, where),
    buildings: buildings.rows.map((one) => one.name),
    counts: { ...(rows[0] ?? { beds: 0, living: 0, free: 0, leftOver: 0 }), unhoused: unhoused.rows[0]?.n ?? 0 },
  }
}

export function residentConditions(ctx: Viewer, query: ResidentQuery): Condition {
  return allOf(
    condition(sql`s.to_day is null`),
    ...inProjects('s.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      name: [contains, 's.name'],
      teamName: [contains, 't.teamName'],
      buildingName: [contains, 'm.buildingName'],
      leftOver: (value) => condition(value ? hasLeft : sql`not ${hasLeft}`),
    }),
  )
}
const stays = sql`room_stay s join living_room m on m.id = s.room_id join project j on j.project_code = s.project_code
  left join lateral (select x.team_name from project_worker w join team x on x.id = w.team_id where w.project_code = s.project_code
    and w.worker_id = s.worker_id order by w.entry_time desc limit 1) t on true`
type RawResident = Pick<Row<'roomStay'>, 'id' | 'roomId' | 'projectCode' | 'name' | 'bed' | 'fromDay'> & {
  projectName: string
  teamName: string | null
  room: string
  leftOver: boolean
}

export async function readResidents(
  ctx: Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: ResidentQuery['sort']; limit?: number; offset?: number },
): Promise<RawResident[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const by = orderBy(sort, { fromDay: 's.fromDay!', name: 's.name!' }, 'name', 's.id')
  const { rows } =
    await sql<RawResident>`select s.id, s.room_id, s.project_code, s.name, s.bed, s.from_day, j.name as project_name, t.team_name,
      m.building_name || ' ' || m.room_no as room, ${hasLeft} as left_over
    from ${stays} where ${where} order by ${by} ${page}`.execute(ctx.db)
  return rows
}
export async function countResidents(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${stays} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export const readResidentList: HandlerOf<typeof listResidents> = async ({ query }, ctx) => {
  const where = residentConditions(ctx, query)
  return { list: await readResidents(ctx, where, { sort: query.sort, ...pageSlice(query) }), total: await countResidents(ctx, where) }
}

const mostUnhoused = 500
export const readUnhoused: HandlerOf<typeof listUnhoused> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const named = query.name ? sql`and position(${query.name} in w.worker_name) > 0` : sql``
  const { rows } = await sql<{
    workerId: string
    name: string
    teamName: string | null
    gender: string
  }>`select w.worker_id, w.worker_name as name,
      t.team_name, w.gender from project_worker w left join team t on t.id = w.team_id
    where w.project_code = ${projectCode} and w.exit_time is null ${named} and not exists (select from room_stay s
      where s.project_code = w.project_code and s.worker_id = w.worker_id and s.to_day is null) order by 2, 1 limit ${mostUnhoused}`.execute(
    ctx.db,
  )
  return { people: rows }
}

const shown = 100
export async function readRoom(ctx: Context, id: string): Promise<RoomDetail> {
  const [row] = await readRooms(ctx, allOf(...equals('r.id', id), ...inProjects('r.projectCode', projectsFor(ctx))), {})
  const room = found(row, '房间')
  const stored = found((await sql<Row<'livingRoom'>>`select * from living_room where id = ${id}`.execute(ctx.db)).rows[0], '房间')
  // Who slept where is for tracing: names are read by whoever manages the rooms of this project.
  const managed = codesWithin(ctx.principal, [room.projectCode]).has(editCode)
  const people = managed ? await readResidents(ctx, allOf(condition(sql`s.to_day is null`), ...equals('s.roomId', id)), {}) : []
  const past = managed
    ? await sql<
        Row<'roomStay'>
      >`select * from room_stay where room_id = ${id} and to_day is not null order by to_day desc, id limit ${shown}`.execute(ctx.db)
    : { rows: [] }
  const checks = await sql<Row<'roomCheck'>>`select * from room_check where room_id = ${id} order by at desc, id limit ${shown}`.execute(
    ctx.db,
  )
  const has = Object.fromEntries(Object.keys(facilities).map((key) => [key, stored[key as keyof typeof facilities]])) as Record<
    keyof typeof facilities,
    boolean
  >
  return {
    ...room,
    ...has,
    fireNext: stored.fireNext,
    managed,
    people: people
      .map(({ id: stayId, name, teamName, bed, fromDay, leftOver }) => ({ stayId, name, teamName, bed, fromDay, leftOver }))
      .sort((a, b) => a.bed - b.bed),
    history: past.rows.map(({ id: stayId, name, bed, fromDay, toDay, reason }) => ({
      stayId,
      name,
      bed,
      fromDay,
      toDay: toDay ?? '',
      reason,
    })),
    checks: checks.rows.map(({ id: one, at, byName, fire, power, hygiene, note, photos }) => ({
      id: one,
      at: formatInstant(at),
      byName,
      fire,
      power,
      hygiene,
      note,
      photos: linksOf(ctx, photos),
    })),
  }
}
