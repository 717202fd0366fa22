import { listTodos } from '@zhugong/contract/home/endpoints'
import { changeRectify, getRectify } from '@zhugong/contract/rectify/calls'
import { changeStep, createStep, getStep, listSteps, nextSteps, removeStep, stepGrid } from '@zhugong/contract/steps/calls'
import { linkBefore, pointPasses, sampleKind, stepChain, stepWorks, workOf } from '@zhugong/contract/steps/chain'
import { type StepAction, stepMoves } from '@zhugong/contract/steps/moves'
import { signStep } from '@zhugong/contract/steps/seats'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let building = ''
let floorNo = 0
/** The site, its general contractor, 监理, the authority, a subcontractor, and another site. */
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
const files = {} as Record<Who, string>
const corps = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    corps[who] = rows[0]?.code ?? ''
  }
  building = newId()
  const unit = newId()
  await sql`insert into unit_project (id, project_code, seq, name) values (${unit}, ${projectCode}, 950, '试验楼')`.execute(
    world.database.kysely,
  )
  await sql`insert into site_place (id, project_code, kind, unit_id, seq, name, path, full_name)
    values (${building}, ${projectCode}, 'building', ${unit}, 950, '试验楼', array[${building}]::text[], '试验楼')`.execute(
    world.database.kysely,
  )
})
afterAll(() => world.close())

/** A new floor, on which nothing has been accepted. */
async function floor(): Promise<string> {
  const id = newId()
  floorNo++
  await sql`insert into site_place (id, project_code, parent_id, kind, seq, name, path, full_name) values (${id}, ${projectCode}, ${building}, 'floor',
    ${floorNo}, ${`${floorNo}层`}, array[${building}, ${id}]::text[], ${`试验楼 / ${floorNo}层`})`.execute(world.database.kysely)
  return id
}

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
/** Values in the middle of every limit. */
const good = (work: string) =>
  (workOf(work)?.points ?? []).map((point) => ({
    key: point.key,
    value: point.low === undefined || point.high === undefined ? null : (point.low + Math.min(point.high, point.low + 20)) / 2,
    fine: point.low === undefined ? true : null,
  }))
const bad = (work: string, key: string, value: number) => good(work).map((one) => (one.key === key ? { ...one, value } : one))
interface Link {
  work: string
  kind: string
}
const fields = (placeId: string, link: Link, more: object = {}) => ({
  ...link,
  placeId,
  part: '梁板',
  corpCode: corps.company,
  photos: [files.site],
  points: good(link.work),
  ...more,
})
const tryCreate = (body: object, who: Who = 'site') =>
  as[who].ask(createStep, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
const create = async (body: object) =>
  as.site.call(createStep, { query: { projectCode }, body: { id: newId(), action: 'submit', ...body } } as never)
const read = (who: Who, id: string) => as[who].call(getStep, { params: { id }, query: { projectCode: '*' } })
const requestOf = (who: Who, id: string) => as[who].ask(getStep, { params: { id }, query: { projectCode: '*' } })
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from site_step where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeStep, { params: { id }, query: { projectCode: '*' }, body: { version: rows[0]?.version, ...body } } as never)
}
const accept = (id: string) => act('supervisor', id, { action: 'accept', opinion: '符合要求', signature: strokes() })

/** Accepts every link of a place before this one. */
async function upTo(placeId: string, link: Link): Promise<void> {
  for (const one of stepChain) {
    if (one.work === link.work && one.kind === link.kind) return
    const { id, state } = await create(fields(placeId, one))
    if (state === '1') expect((await accept(id)).status).toBe(0)
  }
}
const concealed = { work: 'rebar', kind: '5' }

test('a chain goes to the acceptance of concealed work: locked, failed, mended, accepted by 监理, unlocked', async () => {
  const place = await floor()
  expect((await tryCreate(fields(place, concealed))).message).toContain('上一工序“钢筋安装互检”尚未验收')
  await upTo(place, concealed)
  expect((await tryCreate(fields(place, concealed, { photos: [] }))).message).toBe('隐蔽工程须附覆盖前的照片')
  const failing = fields(place, concealed, { points: bad('rebar', 'mainSpacing', 18), problems: ['05'] })
  expect(JSON.stringify((await tryCreate(failing)).data)).toContain('deadline')
  const { id, state } = await create({ ...failing, deadline: later(3) })
  expect(state).toBe('3')
  const next = stepChain[stepChain.findIndex((one) => one.work === 'rebar' && one.kind === '5') + 1] ?? concealed
  expect((await tryCreate(fields(place, next))).message).toContain('不合格，不能验收')
  const file = await read('site', id)
  expect(file.rounds[0]?.points.filter((one) => !one.passed).map((one) => one.key)).toEqual(['mainSpacing'])
  const noticeId = file.notice?.id ?? ''
  const notice = await as.company.call(getRectify, { params: { id: noticeId } })
  expect([notice.category, notice.lines.length, notice.lines[0]?.description.includes('18mm')]).toEqual(['02', 1, true])
  const again = { action: 'recheck', points: good('rebar'), photos: [files.site] }
  expect((await act('site', id, again)).message).toBe('整改单尚未回复，不能复验')
  const db = world.database.kysely
  await sql`update rectify set state = '5' where id = ${noticeId}`.execute(db)
  await sql`update rectify_line set state = 'answered' where rectify_id = ${noticeId}`.execute(db)
  const closing = { body: { id: noticeId, version: notice.version, action: 'recheckPass', opinion: '已改', second: null } } as never
  expect((await as.site.ask(changeRectify, closing)).message).toBe('工序尚未复验合格，不能销项')
  expect((await act('site', id, again)).status).toBe(0)
  expect((await read('site', id)).state).toBe('1')
  expect((await act('site', id, { action: 'accept', opinion: '', signature: strokes() })).status).not.toBe(0)
  expect((await accept(id)).status).toBe(0)
  const done = await read('supervisor', id)
  expect([done.state, done.round, done.firstPass, done.rounds.length]).toEqual(['2', 2, false, 2])
  expect(done.signatures.find((one) => one.seat === 'supervisor')?.state).toBe('signed')
  expect((await tryCreate(fields(place, next))).status).toBe(0)
  expect((await tryCreate(fields(place, concealed))).message).toContain('已验收')
})

test('a step that began before the one before it was accepted is red', async () => {
  const place = await floor()
  const [first, second] = stepChain
  if (!first || !second) throw new Error('no chain')
  await create(fields(place, first))
  const yesterday = `${later(-1)} 08:00:00`
  const { id } = await create(fields(place, second, { begunAt: yesterday }))
  expect((await read('site', id)).early).toBe(true)
  const { list } = await as.site.call(stepGrid, { query: { projectCode, view: 'grid', size: 100 } })
  expect(
    list
      .find((one) => one.placeId === place)
      ?.cells.slice(0, 2)
      .map((one) => one.state),
  ).toEqual(['passed', 'early'])
})

test('监理 refuses: an order of 监理, and the chain stays locked', async () => {
  const place = await floor()
  const link = { work: 'formwork', kind: '4' }
  await upTo(place, link)
  const { id } = await create(fields(place, link))
  const refuse = { action: 'refuse', opinion: '支撑立杆间距过大', requirement: '按方案加密立杆', deadline: later(2) }
  expect((await act('site', id, refuse)).status).not.toBe(0)
  expect((await act('supervisor', id, refuse)).status).toBe(0)
  const file = await read('site', id)
  expect([file.state, file.notice?.deadline]).toEqual(['3', later(2)])
  const { next, locked } = await as.site.call(nextSteps, { query: { projectCode, placeId: place } })
  expect([next, locked]).toEqual([null, expect.stringContaining('不合格')])
})

test('every point is said; unknown ones are refused', async () => {
  const place = await floor()
  const link = stepChain[0] ?? concealed
  const missing = await tryCreate(fields(place, link, { points: good(link.work).slice(1) }))
  expect([missing.message, JSON.stringify(missing.data)]).toEqual(['请填写“轴线位移”', expect.stringContaining('points.0.value')])
  const strange = await tryCreate(fields(place, link, { points: [...good(link.work), { key: 'nothing', value: 1, fine: null }] }))
  expect(strange.message).toBe('没有这个检查点')
})

test.each([
  ['a place of the project', { placeId: 'nobody' }, 'placeId'],
  ['a known work', { work: 'nothing' }, 'work'],
  ['a kind of the work', { kind: '5' }, 'kind'],
  ['a company on the site', { corpCode: 'nobody' }, 'corpCode'],
  ['a check that has happened', { checkTime: '2199-01-01 00:00:00' }, 'checkTime'],
  ['a beginning before the check', { begunAt: '2199-01-01 00:00:00' }, 'begunAt'],
])('asks for %s, at its field', async (_what, more, field) => {
  const answer = await tryCreate(fields(await floor(), { work: 'setout', kind: '2' }, more))
  expect(answer.status).not.toBe(0)
  expect(JSON.stringify(answer.data)).toContain(field)
})

test('a draft is known to its author’s group; what was submitted to whoever has a part in it', async () => {
  const place = await floor()
  const link = stepChain[0] ?? concealed
  const { id } = await create({ ...fields(place, link), action: 'save' })
  for (const who of everybody) expect([who, (await requestOf(who, id)).status === 0]).toEqual([who, who === 'site'])
  const { id: submitted } = await create(fields(place, link))
  for (const who of everybody) {
    const known = who !== 'subcontractor' && who !== 'stranger'
    expect([who, (await requestOf(who, submitted)).status === 0]).toEqual([who, known])
    // Managers of a subcontractor do not hold the code of this module.
    if (who === 'subcontractor') continue
    const { list } = await as[who].call(listSteps, { query: { projectCode: '*', size: 1000 } })
    expect([who, list.some((row) => row.id === submitted)]).toEqual([who, known])
  }
})

test('only the author’s group throws a draft away, and only a draft; the same request again creates nothing more', async () => {
  const link = stepChain[0] ?? concealed
  const body = { id: newId(), ...fields(await floor(), link), action: 'save' as const }
  const first = await as.site.call(createStep, { query: { projectCode }, body } as never)
  const remove = (who: Who, id: string) => as[who].ask(removeStep, { params: { id }, query: { projectCode: '*' } })
  for (const who of everybody.filter((one) => one !== 'site')) expect((await remove(who, first.id)).status, who).not.toBe(0)
  expect((await remove('site', first.id)).status).toBe(0)
  const { id } = await create(fields(await floor(), link))
  expect((await remove('site', id)).message).toContain('只能删除草稿')
  const again = { id: newId(), ...fields(await floor(), link), action: 'submit' as const }
  const made = await as.site.call(createStep, { query: { projectCode }, body: again } as never)
  expect(await as.site.call(createStep, { query: { projectCode }, body: again } as never)).toEqual(made)
})

test('the gang signs on the author’s device, nobody else’s', async () => {
  const { id } = await create(fields(await floor(), stepChain[0] ?? concealed))
  const sign = (who: Who) =>
    as[who].ask(signStep, {
      params: { id },
      query: { projectCode: '*' },
      body: { action: 'sign', id: newId(), seat: 'gang', name: '赵大勇', image: strokes() },
    } as never)
  for (const who of everybody.filter((one) => one !== 'site')) expect((await sign(who)).status, who).not.toBe(0)
  expect((await sign('site')).status).toBe(0)
})

test('what waits for 监理 is on its desk', async () => {
  const place = await floor()
  const link = { work: 'formwork', kind: '4' }
  await upTo(place, link)
  const { id } = await create(fields(place, link))
  for (const who of everybody) {
    const { list } = await as[who].call(listTodos, { query: { group: '*', size: 1000 } })
    expect([who, list.some((one) => one.link.endsWith(id))]).toEqual([who, who === 'supervisor'])
  }
})

/** Whose turn an action is, by the practice of the trade; everybody else is refused whatever the state. */
const hands: Record<Exclude<StepAction, 'refuse'>, readonly Who[]> = {
  save: ['site'],
  submit: ['site'],
  accept: ['supervisor'],
  recheck: ['site'],
  archive: ['site', 'company'],
}
const sample = { work: 'masonry', kind: sampleKind }
const inputs: Record<Exclude<StepAction, 'refuse'>, (place: string, who: Who) => object> = {
  save: (place, who) => fields(place, sample, { photos: [files[who]] }),
  submit: (place, who) => fields(place, sample, { photos: [files[who]] }),
  accept: () => ({ opinion: '', signature: strokes() }),
  recheck: (_place, who) => ({ points: good('masonry'), photos: [files[who]] }),
  archive: () => ({}),
}

describe.each(Object.keys(hands) as (keyof typeof hands)[])('%s', (action) => {
  test.each(['0', '1', '2', '3', '4'])('in state %s', async (state) => {
    const place = await floor()
    for (const who of everybody) {
      const { id } = await create({ ...fields(place, sample), action: 'save' })
      const db = world.database.kysely
      await sql`update site_step set state = ${state}, shown_at = ${state === '0' ? null : new Date()}, version = 3 where id = ${id}`.execute(
        db,
      )
      const answer = await act(who, id, { action, ...inputs[action](place, who) })
      const after = await sql<{ state: string; version: number }>`select state, version from site_step where id = ${id}`.execute(db)
      const where = `${who}: ${answer.message}`
      if (hands[action].includes(who) && (stepMoves[action].from as readonly string[]).includes(state)) {
        expect(answer.status, where).toBe(0)
        expect(after.rows[0]?.version, where).toBe(4)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(after.rows[0], where).toEqual({ state, version: 3 })
      }
    }
  })
})

test('figures are those of the list', async () => {
  const query = { projectCode, size: 1000 }
  const { counts, rank, list } = await as.site.call(listSteps, { query })
  const total = async (more: object) => (await as.site.call(listSteps, { query: { ...query, ...more } })).total
  expect([await total({ tab: 'waiting' }), await total({ tab: 'failed' })]).toEqual([counts.waiting, counts.failed])
  for (const one of rank) expect(await total({ qualityProblem: one.code })).toBe(one.count)
  expect(list.length).toBe(await total({}))
})

describe('the chain', () => {
  test('each link but the first has the one before it, and no link twice', () => {
    expect(stepChain.map(linkBefore)).toEqual([undefined, ...stepChain.slice(0, -1)])
    expect(new Set(stepChain.map(({ work, kind }) => work + kind)).size).toBe(stepChain.length)
    expect(linkBefore({ work: 'masonry', kind: sampleKind })).toBeUndefined()
  })
  test('a limit includes its ends, and nothing beyond', () => {
    for (const point of stepWorks.flatMap((one) => one.points)) {
      const { low, high } = point
      if (low === undefined || high === undefined) {
        expect([true, false, null].map((fine) => pointPasses(point, 1, fine))).toEqual([true, false, false])
        continue
      }
      expect([low - 0.1, low, high, high + 0.1].map((value) => pointPasses(point, value, null))).toEqual([false, true, true, false])
      expect(pointPasses(point, null, true)).toBe(false)
    }
  })
})
