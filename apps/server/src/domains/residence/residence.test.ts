import {
  changeRoom,
  createRooms,
  getRoom,
  listResidents,
  listRooms,
  listUnhoused,
  moveOutLeft,
  removeRoom,
} from '@zhugong/contract/residence/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let men: string[] = []
let women: string[] = []
const cast = {
  site: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const db = () => world.database.kysely
let number = 100

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) as[who] = await settled.as(account)
  const of = async (gender: string) =>
    (
      await sql<{
        id: string
      }>`select worker_id as id from project_worker where project_code = ${projectCode} and exit_time is null and gender = ${gender}
      order by worker_id limit 20`.execute(db())
    ).rows.map((one) => one.id)
  men = await of('1')
  women = await of('2')
})
afterAll(() => world.close())

const room = (more: object = {}) => ({
  type: '1',
  buildingName: '1 栋',
  floor: 1,
  roomNo: String(++number),
  area: 20,
  beds: 8,
  manager: '王芳',
  ...more,
})
const create = async (more: object = {}) =>
  (await as.site.call(createRooms, { query: { projectCode }, body: { rooms: [room(more)] } as never })).ids[0] ?? ''
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from living_room where id = ${id}`.execute(db())
  return as[who].ask(changeRoom, { params: { id }, query: { projectCode: '*' }, body: { version: rows[0]?.version, ...body } as never })
}
const read = (who: Who, id: string) => as[who].call(getRoom, { params: { id }, query: { projectCode: '*' } })
const empty = () => sql`delete from room_stay where project_code = ${projectCode}`.execute(db())

test('a person moves in, moves to another bed, and out; the history stays', async () => {
  await empty()
  const [first, second] = [await create(), await create()]
  expect((await act('site', first, { action: 'moveIn', workerId: men[0], bed: 1 })).status).toBe(0)
  expect((await act('site', first, { action: 'moveIn', workerId: men[1], bed: 1 })).message).toContain('1 号床有人住')
  expect((await act('site', second, { action: 'moveIn', workerId: men[0], bed: 1 })).message).toContain('请办理调床')
  const stayId = (await read('site', first)).people[0]?.stayId
  expect((await act('site', first, { action: 'move', stayId, toRoomId: second, bed: 3 })).status).toBe(0)
  const there = await read('site', second)
  expect([there.occupied, there.people[0]?.bed, there.perPerson]).toEqual([1, 3, 20])
  expect((await act('site', second, { action: 'moveOut', stayId: there.people[0]?.stayId })).status).toBe(0)
  const { occupied, history } = await read('site', first)
  expect([occupied, history.length]).toEqual([0, 1])
  const remove = await as.site.ask(removeRoom, { params: { id: first }, query: { projectCode: '*' } })
  expect(remove.message).toContain('不能删除')
})

test('refused: too many for the area, men and women in a room that is not for couples, people who left', async () => {
  await empty()
  const id = await create({ area: 5, beds: 2 })
  await act('site', id, { action: 'moveIn', workerId: men[0], bed: 1 })
  if (women[0]) expect((await act('site', id, { action: 'moveIn', workerId: women[0], bed: 2 })).message).toContain('夫妻')
  await act('site', id, { action: 'moveIn', workerId: men[1], bed: 2 })
  expect((await act('site', id, { action: 'moveIn', workerId: men[2], bed: 2 })).message).toContain('不足 2.5')
  expect((await act('site', id, { action: 'moveIn', workerId: 'nobody', bed: 2 })).message).toContain('不在本项目')
  const crowded = await as.site.ask(createRooms, { query: { projectCode }, body: { rooms: [room({ area: 10, beds: 5 })] } as never })
  expect([crowded.message, JSON.stringify(crowded.data)]).toEqual([
    expect.stringContaining('人均不足'),
    expect.stringContaining('rooms.0.beds'),
  ])
})

test('a batch with one clash creates nothing', async () => {
  const twin = room()
  await as.site.call(createRooms, { query: { projectCode }, body: { rooms: [twin] } as never })
  const before = (await as.site.call(listRooms, { query: { projectCode, size: 1 } })).total
  const answer = await as.site.ask(createRooms, { query: { projectCode }, body: { rooms: [room(), twin] } as never })
  expect([answer.message, JSON.stringify(answer.data)]).toEqual([
    expect.stringContaining('已存在'),
    expect.stringContaining('rooms.1.roomNo'),
  ])
  expect((await as.site.call(listRooms, { query: { projectCode, size: 1 } })).total).toBe(before)
})

test('who has left the project is counted, and moved out in one go', async () => {
  await empty()
  const id = await create()
  await act('site', id, { action: 'moveIn', workerId: men[0], bed: 1 })
  await act('site', id, { action: 'moveIn', workerId: men[1], bed: 2 })
  await sql`update project_worker set exit_time = now() where project_code = ${projectCode} and worker_id = ${men[1]}`.execute(db())
  const { counts } = await as.site.call(listRooms, { query: { projectCode, size: 1 } })
  expect([counts.living, counts.leftOver]).toEqual([2, 1])
  expect((await as.site.call(listResidents, { query: { projectCode, leftOver: true } })).total).toBe(1)
  expect(await as.site.call(moveOutLeft, { query: { projectCode } })).toEqual({ count: 1 })
  expect((await read('site', id)).occupied).toBe(1)
  const { people } = await as.site.call(listUnhoused, { query: { projectCode } })
  expect(people.some((one) => one.workerId === men[0])).toBe(false)
})

test('a failed check needs a note, and warns on the tile', async () => {
  const id = await create()
  const check = { action: 'check', fire: true, power: false, hygiene: true }
  expect(JSON.stringify((await act('site', id, check)).data)).toContain('note')
  expect((await act('site', id, { ...check, note: '私拉电线' })).status).toBe(0)
  expect((await read('supervisor', id)).warnings).toContain('最近检查不合格')
})

test('names are for whoever manages the rooms; others read the number of persons; strangers nothing', async () => {
  await empty()
  const id = await create()
  await act('site', id, { action: 'moveIn', workerId: men[0], bed: 1 })
  for (const who of ['supervisor', 'authority'] as const) {
    const file = await read(who, id)
    expect([who, file.occupied, file.managed, file.people, file.history]).toEqual([who, 1, false, [], []])
    expect((await as[who].ask(listResidents, { query: { projectCode: '*' } })).status, who).not.toBe(0)
  }
  expect((await as.stranger.ask(getRoom, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
  for (const who of everybody) {
    const answer = await act(who, id, { action: 'check', fire: true, power: true, hygiene: true })
    expect([who, answer.status === 0]).toEqual([who, who === 'site' || who === 'company'])
  }
})
