import { randomUUID } from 'node:crypto'
import { changeTravel, getTravel, issueTravel, listTravel, travelTargets, urgeTravel } from '@zhugong/contract/documents/travel'
import { type StopState, type TravelAction, travelMoves } from '@zhugong/contract/documents/travel-moves'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
/** The city, two districts below it, a site of the first and its company, a site of the other. */
const cast = {
  city: 'city-fang',
  district: 'bj-zhao',
  other: 'yd-wang',
  site: 'hospital-pm',
  company: 'yunze-lu',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const groups = {} as Record<Who, string>
const files = {} as Record<Who, string>
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await sql`update role set codes = codes || '{documents.view,documents.upload,documents.share}'::text[]`.execute(db())
  for (const who of everybody) {
    as[who] = await settled.as(cast[who])
    const { rows } = await sql<{ id: string }>`select m.group_id as id from app_user u join member m on m.user_id = u.id
      where u.account = ${cast[who]} order by m.is_default desc limit 1`.execute(db())
    groups[who] = rows[0]?.id ?? ''
    files[who] = await storedFile(world, groups[who])
  }
})
afterAll(() => world.close())

const query = { projectCode: '*' }
const ahead = () => new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
async function issue(who: Who, to: Who[], more: object = {}): Promise<string> {
  const id = randomUUID().replaceAll('-', '')
  const body = {
    id,
    title: '报送在建项目防汛清单',
    requirement: '3',
    required: ['清单'],
    deadline: ahead(),
    to: to.map((one) => groups[one]),
    ...more,
  }
  await as[who].call(issueTravel, { query, body } as never)
  return id
}
const stopOf = async (paper: string, who: Who) =>
  (
    await sql<{ id: string; version: number; state: StopState }>`select id, version, state from travel_stop
    where paper_id = ${paper} and to_group = ${groups[who]}`.execute(db())
  ).rows[0] ?? { id: '', version: 0, state: '0' as const }
async function act(who: Who, paper: string, of: Who, action: TravelAction, more: object = {}) {
  const { id, version } = await stopOf(paper, of)
  return as[who].ask(changeTravel, { params: { id }, query, body: { action, version, ...more } } as never)
}
const done = (answer: { status: number; message: string }) => expect(answer.status, answer.message).toBe(0)
const see = (who: Who, id: string) => as[who].call(getTravel, { params: { id }, query })
const sees = async (who: Who, id: string) => (await as[who].ask(getTravel, { params: { id }, query })).status === 0
const listed = async (who: Who, tab: string) =>
  (await as[who].call(listTravel, { query: { ...query, tab, size: 1000 } } as never)).list.map((one) => one.id)

test('a task goes from the city to a district and on to its sites, and comes back with both rounds', async () => {
  const id = await issue('city', ['district', 'other'])
  done(await act('district', id, 'district', 'read'))
  done(await act('district', id, 'district', 'forward', { to: [groups.site], remark: '请按附件格式', deadline: null }))
  done(await act('site', id, 'site', 'read'))
  done(await act('site', id, 'site', 'submit', { files: [files.site], note: '初报' }))
  done(await act('district', id, 'site', 'return', { opinion: '缺少基坑清单' }))
  done(await act('site', id, 'site', 'submit', { files: [files.site], note: '补报' }))
  done(await act('district', id, 'site', 'accept'))
  const rounds = (await see('site', id)).own?.rounds.map((one) => [one.no, one.note, one.passed, one.opinion])
  expect(rounds).toEqual([
    [2, '补报', true, null],
    [1, '初报', false, '缺少基坑清单'],
  ])
  // The top sees how far it is, and nothing of what was handed in below.
  const top = await see('city', id)
  expect(top.progress).toEqual([
    { name: '监管机构', done: 0, all: 2 },
    { name: '项目', done: 1, all: 1 },
  ])
  expect(JSON.stringify(top)).not.toContain('补报')
  expect(top.below.map((one) => one.rounds)).toEqual([[], []])
  done(await act('district', id, 'district', 'submit', { files: [files.district], note: null }))
  done(await act('city', id, 'district', 'accept'))
  expect((await see('district', id)).own?.timeline.map((one) => one.label)).toEqual(['下发', '签阅', '转发', '上报', '接收'])
})

test('each level knows its own branch', async () => {
  const id = await issue('city', ['district'])
  const seen = Object.fromEntries(await Promise.all(everybody.map(async (who) => [who, await sees(who, id)] as const)))
  expect(seen).toEqual({ city: true, district: true, other: false, site: false, company: false, stranger: false })
  expect([(await listed('city', 'tasks')).includes(id), (await listed('district', 'received')).includes(id)]).toEqual([true, true])
  expect((await listed('other', 'received')).includes(id)).toBe(false)
})

test('goes to the next level only, before its day, and not past the day of whoever sent it', async () => {
  const targets = (await as.city.call(travelTargets, { query })).list.map((one) => one.id)
  expect([targets.includes(groups.district), targets.includes(groups.site)]).toEqual([true, false])
  const far = await as.city.ask(issueTravel, {
    query,
    body: { id: randomUUID().replaceAll('-', ''), title: '越级', requirement: '1', deadline: null, to: [groups.site] },
  })
  expect(far.data).toMatchObject({ field: 'to' })
  expect((await as.site.call(travelTargets, { query })).list).toEqual([])
  const id = await issue('city', ['district'])
  done(await act('district', id, 'district', 'read'))
  const late = await act('district', id, 'district', 'forward', { to: [groups.site], remark: null, deadline: '2199-01-01' })
  expect(late.data).toMatchObject({ field: 'deadline' })
})

test('is chased once in four hours, those only who still owe something', async () => {
  const id = await issue('city', ['district', 'other'])
  done(await act('other', id, 'other', 'read'))
  done(await act('other', id, 'other', 'submit', { files: [files.other], note: null }))
  expect((await as.city.call(urgeTravel, { params: { id }, query })).told).toBe(1)
  expect((await as.city.ask(urgeTravel, { params: { id }, query })).message).toContain('不能重复')
  expect((await as.other.ask(urgeTravel, { params: { id }, query })).status).not.toBe(0)
  const { list } = await as.district.call(listTodos, { query: { group: '*', size: 1000 } })
  expect(JSON.stringify(list)).toContain('报送在建项目防汛清单')
})

const inputs: Record<TravelAction, () => object> = {
  read: () => ({}),
  forward: () => ({ to: [groups.site], remark: null, deadline: null }),
  submit: () => ({ files: [files.district], note: null }),
  accept: () => ({}),
  return: () => ({ opinion: '材料不全，请补充' }),
}
const hands: Record<TravelAction, Who> = { read: 'district', forward: 'district', submit: 'district', accept: 'city', return: 'city' }

/** Every action x state x caller. */
describe.each(Object.keys(travelMoves) as TravelAction[])('%s', (action) => {
  test.each(['0', '1', '2', '3', '4', '5'] as const)('in state %s', async (state) => {
    for (const who of everybody) {
      const id = await issue('city', ['district'])
      await sql`update travel_stop set state = ${state} where paper_id = ${id}`.execute(db())
      const answer = await act(who, id, 'district', action, inputs[action]())
      const where = `${who}: ${answer.message}`
      if (hands[action] === who && (travelMoves[action].from as readonly string[]).includes(state)) done(answer)
      else {
        expect(answer.status, where).not.toBe(0)
        expect((await stopOf(id, 'district')).state, where).toBe(state)
      }
    }
  })
})
