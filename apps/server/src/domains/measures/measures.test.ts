import { listTodos } from '@zhugong/contract/home/endpoints'
import { changeMeasure, createMeasure, getMeasure, listMeasures, removeMeasure } from '@zhugong/contract/measures/measures'
import { type MeasureAction, measureMoves } from '@zhugong/contract/measures/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { climbLadders } from '../process/public.ts'
import { measureLadder } from './public.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
/** The site's safety officer (author), its manager, its general contractor, 监理, the authority, a subcontractor, and another site. */
const cast = {
  safety: 'hospital-safety',
  manager: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const corps = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.safety)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    corps[who] = rows[0]?.code ?? ''
  }
  contractor = corps.company
})
afterAll(() => world.close())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const fields = (more: object = {}) => ({
  name: '主楼临边防护专项措施',
  hazardSource: '01',
  riskLevel: '2',
  content: '各层临边补齐定型化栏杆，架子班组三日内完成',
  corpCode: contractor,
  responsible: '周大勇',
  startDate: later(0),
  endDate: later(10),
  cost: 1_234_567,
  ...more,
})
const create = (action: 'save' | 'submit', more: object = {}) =>
  as.safety.call(createMeasure, { query: { projectCode }, body: { id: newId(), action, ...fields(more) } } as never)
const read = (who: Who, id: string) => as[who].call(getMeasure, { params: { id }, query: { projectCode: '*' } })
const requestOf = (who: Who, id: string) => as[who].ask(getMeasure, { params: { id }, query: { projectCode: '*' } })
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from safety_measure where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeMeasure, { params: { id }, query: { projectCode: '*' }, body: { version: rows[0]?.version, ...body } } as never)
}
const implement = (who: Who, id: string) => act(who, id, { action: 'implement', photos: [files[who]], note: '栏杆已补齐验收' })

test('a measure goes from the author to the responsible company and to 监理, who cannot archive without photographs', async () => {
  const { id } = await create('submit')
  expect((await act('supervisor', id, { action: 'archive', opinion: '' })).message).toContain('尚未上传落实照片')
  expect((await implement('manager', id)).status).toBe(0)
  expect((await read('supervisor', id)).done).toBe(true)
  expect((await act('supervisor', id, { action: 'archive', opinion: '属实' })).status).toBe(0)
  const file = await read('safety', id)
  expect([file.state, file.actions, file.works.length, file.cost]).toEqual(['2', [], 1, 1_234_567])
  expect(file.timeline.map((one) => one.action)).toEqual(['submit', 'implement', 'archive'])
})

test('what waits for somebody is on his desk', async () => {
  const { id } = await create('submit')
  const desks = async () => {
    const found: Who[] = []
    for (const who of everybody) {
      const { list } = await as[who].call(listTodos, { query: { group: '*', size: 1000 } })
      if (list.some(({ link }) => link.endsWith(id))) found.push(who)
    }
    return found
  }
  expect(await desks()).toEqual(['safety', 'manager', 'company'])
  await implement('manager', id)
  expect(await desks()).toEqual(['supervisor'])
  await act('supervisor', id, { action: 'archive', opinion: '' })
  expect(await desks()).toEqual([])
})

test('the device names the id: the same request again creates nothing more; nobody else takes it over', async () => {
  const body = { id: newId(), action: 'submit' as const, ...fields() }
  const first = await as.safety.call(createMeasure, { query: { projectCode }, body } as never)
  expect(await as.safety.call(createMeasure, { query: { projectCode }, body } as never)).toEqual(first)
  const strange = settled.city.personas.find((p) => p.account === cast.stranger)?.projectCode ?? ''
  const other = await as.stranger.ask(createMeasure, { query: { projectCode: strange }, body } as never)
  expect(other.status).not.toBe(0)
})

test('two who archive at once: the second learns it', async () => {
  const { id } = await create('submit')
  await implement('manager', id)
  const { version } = await read('supervisor', id)
  const target = { params: { id }, query: { projectCode: '*' }, body: { action: 'archive' as const, version, opinion: '' } }
  const answers = await Promise.all([as.supervisor.ask(changeMeasure, target), as.supervisor.ask(changeMeasure, target)])
  expect(answers.filter((one) => one.status === 0)).toHaveLength(1)
  expect(answers.find((one) => one.status !== 0)?.message).toMatch(/安全措施已由.+归档/)
})

test.each([
  ['content that says something', { content: '注意' }, 'content'],
  ['an end after the beginning', { endDate: later(-1) }, 'endDate'],
  ['a known hazard', { hazardSource: '77' }, 'hazardSource'],
  ['a known risk', { riskLevel: '9' }, 'riskLevel'],
  ['a company on the site', { corpCode: 'nobody' }, 'corpCode'],
  ['a cost that is not negative', { cost: -1 }, 'cost'],
  ['a series whole or not at all', { seriesBy: 'item' }, 'seriesKey'],
  ['an end within the project', { endDate: '2199-01-01' }, 'endDate'],
])('asks for %s, at its field', async (_what, more, field) => {
  await sql`update project set complete_date = ${later(400)} where project_code = ${projectCode}`.execute(world.database.kysely)
  const body = { id: newId(), action: 'save', ...fields(more) }
  const answer = await as.safety.ask(createMeasure, { query: { projectCode }, body } as never)
  expect(answer.status).not.toBe(0)
  expect(JSON.stringify(answer.data)).toContain(field)
})

test('a draft is known to its author’s group alone; a submitted measure of the contractor is not known to a subcontractor', async () => {
  const { id } = await create('save')
  for (const who of everybody) {
    const known = who === 'safety' || who === 'manager'
    expect([who, (await requestOf(who, id)).status === 0]).toEqual([who, known])
  }
  const { id: submitted } = await create('submit')
  for (const who of everybody) {
    const known = who !== 'subcontractor' && who !== 'stranger'
    expect([who, (await requestOf(who, submitted)).status === 0]).toEqual([who, known])
    const { list } = await as[who].call(listMeasures, { query: { projectCode: '*', size: 1000 } })
    expect([who, list.some((row) => row.id === submitted)]).toEqual([who, known])
  }
  const { id: theirs } = await create('submit', { corpCode: corps.subcontractor })
  expect((await requestOf('subcontractor', theirs)).status).toBe(0)
  expect((await implement('subcontractor', theirs)).status).toBe(0)
})

/** Whose turn an action is, by the practice of the trade; everybody else is refused whatever the state. */
const hands: Record<MeasureAction, readonly Who[]> = {
  save: ['safety', 'manager'],
  submit: ['safety', 'manager'],
  implement: ['safety', 'manager', 'company'],
  extend: ['safety', 'manager'],
  archive: ['supervisor'],
}
const inputs: Record<MeasureAction, (who: Who) => object> = {
  save: () => fields(),
  submit: () => fields(),
  implement: (who) => ({ photos: [files[who]], note: '栏杆已补齐验收' }),
  extend: () => ({ until: later(20), reason: '后续楼层继续执行' }),
  archive: () => ({ opinion: '属实' }),
}

describe.each(Object.keys(measureMoves) as MeasureAction[])('%s', (action) => {
  test.each(['0', '1', '2'])('in state %s', async (state) => {
    for (const who of everybody) {
      const { id } = await create('save')
      const shown = state === '0' ? null : new Date()
      const db = world.database.kysely
      await sql`update safety_measure set state = ${state}, shown_at = ${shown}, done_at = now(), version = 3 where id = ${id}`.execute(db)
      const answer = await act(who, id, { action, ...inputs[action](who) })
      const after = await sql<{ state: string; version: number }>`select state, version from safety_measure where id = ${id}`.execute(db)
      const move = measureMoves[action]
      const where = `${who}: ${answer.message}`
      if (hands[action].includes(who) && (move.from as readonly string[]).includes(state)) {
        expect(answer.status, where).toBe(0)
        expect(after.rows[0]?.state, where).toBe(move.to ?? state)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(after.rows[0], where).toEqual({ state, version: 3 })
      }
    }
  })
})

test('only the author’s group throws a draft away, and only a draft', async () => {
  const remove = (who: Who, id: string) => as[who].ask(removeMeasure, { params: { id }, query: { projectCode: '*' } })
  const { id } = await create('save')
  for (const who of everybody.filter((one) => one !== 'safety' && one !== 'manager'))
    expect((await remove(who, id)).status, who).not.toBe(0)
  expect((await remove('safety', id)).status).toBe(0)
  const { id: submitted } = await create('submit')
  expect((await remove('safety', submitted)).message).toContain('只能删除草稿')
})

test('figures and the sum are those of the list', async () => {
  await create('submit', { cost: 99, riskLevel: '1' })
  const query = { projectCode, size: 1000 }
  const { counts, list, costSum } = await as.safety.call(listMeasures, { query })
  const total = async (more: object) => (await as.safety.call(listMeasures, { query: { ...query, ...more } })).total
  expect(counts.running).toBe(await total({ tab: 'running' }))
  expect(counts.grave).toBe(await total({ tab: 'running', riskLevel: '1,2' }))
  expect(counts.overdue).toBe(await total({ overdue: true }))
  expect(costSum).toBe(list.reduce((sum, row) => sum + (row.cost ?? 0), 0))
  expect((await as.safety.call(listMeasures, { query: { ...query, cost: '0,1' } })).list.map((row) => row.cost)).toEqual([99])
})

test('a measure past its end without photographs is late, and climbs its ladder', async () => {
  const { id } = await create('submit', { endDate: later(1) })
  const deps = (days: number) => ({
    db: world.database.kysely,
    clock: { now: () => Date.now() + days * 86_400_000 },
    secrets: createSecrets(testSecretKey),
    log: createLog('test', 'warn'),
  })
  for (const days of [2.5, 4.5, 8.5]) await climbLadders(deps(days), [measureLadder])
  expect((await read('safety', id)).timeline.filter((one) => one.action === 'late').map((one) => one.opinion)).toEqual([
    '逾期 1 天未落实',
    '逾期 3 天未落实',
    '逾期 7 天未落实',
  ])
})
