import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as training from '@zhugong/contract/personnel/training'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { resumesOf } from './train-board.ts'

let world: World
let settled: CityWorld
let clerk: Caller
let trainer: Caller
let site: Site
/** Tomorrow morning: whoever is registered now has entered before. */
const tomorrow = new Date(Date.now() + shanghaiOffsetMs + dayMs).toISOString().slice(0, 10)
const at = Date.parse(`${tomorrow}T09:00:00+08:00`)
const all = { projectCode: '*' }
const dayAfter = (days: number) => new Date(at + shanghaiOffsetMs + days * dayMs).toISOString().slice(0, 10)
const day = () => new Date(at + shanghaiOffsetMs).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => at } })
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  trainer = await settled.as('hospital-pm')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
})
afterAll(() => world.close())

async function person(name: string, came = true) {
  const made = await clerk.call(workersCalls.registerWorker, { body: newcomer(site, { name }) })
  const stayId = made.projectWorkerId ?? ''
  if (came)
    await sql`insert into attendance_day (project_code, worker_id, work_day, stay_id, corp_code, record_count, present, rules_version, setting_version)
      values (${site.projectCode}, ${made.workerId}, ${day()}, ${stayId}, ${site.corpCode}, 1, true, 'x', 'x')`.execute(
      world.database.kysely,
    )
  return { workerId: made.workerId, stayId }
}
const plan = (people: readonly { stayId: string }[], more: object = {}) =>
  trainer.ask(training.createSession, {
    query: { projectCode: site.projectCode },
    body: {
      corpCode: site.corpCode,
      trainingType: '003002',
      name: '入场教育',
      trainer: '廖安全',
      startTime: `${day()} 09:30:00`,
      duration: 4,
      content: '劳动纪律、临时用电、高处作业',
      workers: people.map((one) => ({ projectWorkerId: one.stayId })),
      close: false,
      ...more,
    } as never,
  })
const planned = async (people: readonly { stayId: string }[], more: object = {}) => {
  const answer = await plan(people, more)
  expect(answer.message).toBe('ok')
  return (answer.data as { id: string }).id
}
const read = (id: string) => clerk.call(training.getSession, { params: { id }, query: all })
async function change(id: string, body: object) {
  const { version } = await read(id)
  return trainer.ask(training.changeSession, { params: { id }, query: all, body: { version, ...body } as never })
}

test('a plan may name nobody; people join, sign in by list, gate and card, and marks close it', async () => {
  const [one, two, three] = [await person('满名单'), await person('满过闸'), await person('满刷卡')]
  const id = await planned([])
  expect((await read(id)).state).toBe('planned')
  const workers = [one, two, three].map((p) => ({ projectWorkerId: p.stayId }))
  expect((await change(id, { action: 'add', workers })).status).toBe(0)
  expect((await change(id, { action: 'signIn', way: 'list', workers: [one.stayId] })).status).toBe(0)
  expect((await change(id, { action: 'signIn', way: 'list', workers: [one.stayId] })).message).toBe('满名单已签到')
  await sql`update project_worker set card_number = 'CARD-3' where id = ${three.stayId}`.execute(world.database.kysely)
  expect((await change(id, { action: 'signIn', way: 'card', card: 'CARD-9' })).message).toContain('不在本场名单内')
  expect((await change(id, { action: 'signIn', way: 'card', card: 'CARD-3' })).status).toBe(0)
  expect((await change(id, { action: 'signIn', way: 'gate' })).data).toMatchObject({ done: 1 })
  const session = await read(id)
  expect([session.attended, session.workers.map((w) => w.signWay).sort()]).toEqual([3, ['card', 'gate', 'list']])
  await sql`update training set start_time = start_time - interval '3 hours' where id = ${id}`.execute(world.database.kysely)
  expect((await read(id)).state).toBe('due')
  const marks = [one, two, three].map((p, i) => ({ projectWorkerId: p.stayId, score: i === 0 ? 40 : 90, passed: i !== 0 }))
  expect((await change(id, { action: 'mark', workers: marks, close: true })).status).toBe(0)
  expect(await read(id)).toMatchObject({ state: 'closed', passed: 2, retest: 1 })
})

test('nobody signs in who is not on the site, or sits elsewhere; nobody is planned into two sessions at once', async () => {
  const [away, busy] = [await person('卫不在', false), await person('卫分身')]
  const first = await planned([away, busy])
  expect((await plan([busy], { startTime: `${day()} 10:00:00` })).message).toContain('卫分身同一时间已安排')
  expect((await change(first, { action: 'signIn', way: 'list', workers: [away.stayId] })).message).toBe('卫不在当天没有进场记录，不能签到')
  expect((await change(first, { action: 'signIn', way: 'list', workers: [busy.stayId] })).status).toBe(0)
  // A session that was planned before the rule.
  const second = await planned([], { startTime: `${day()} 10:00:00`, name: '消防培训', trainingType: '003108' })
  await sql`insert into worker_training (id, project_code, corp_code, worker_id, project_worker_id, training_type, train_date, hours, training_id)
    values (md5('busy'), ${site.projectCode}, ${site.corpCode}, ${busy.workerId}, ${busy.stayId}, '003108', ${day()}, 4, ${second})`.execute(
    world.database.kysely,
  )
  expect((await change(second, { action: 'signIn', way: 'list', workers: [busy.stayId] })).message).toContain('已在“入场教育”签到')
  const early = await planned([], { startTime: `${day()} 20:00:00` })
  expect((await change(early, { action: 'signIn', way: 'gate' })).message).toContain('60 分钟')
})

test('who failed repeats: the first mark stays, the right of entry follows', async () => {
  const one = await person('邰补考')
  const id = await planned([], {
    close: true,
    startTime: `${day()} 00:00:00`,
    workers: [{ projectWorkerId: one.stayId, score: 41, passed: false }],
  })
  const retest = { action: 'retest', projectWorkerId: one.stayId, score: 82, passed: true }
  expect((await change(id, { ...retest, date: dayAfter(1) })).message).toContain('不能晚于今天')
  expect((await change(id, { ...retest, date: dayAfter(-1) })).message).toContain('不能早于')
  expect((await change(id, { ...retest, date: day() })).status).toBe(0)
  const session = await read(id)
  expect(session.workers[0]).toMatchObject({ score: 41, passed: true, retestScore: 82, retestAt: day(), entryTrained: true })
  expect(session.retest).toBe(0)
  expect((await change(id, { ...retest, date: day() })).message).toContain('只有不合格的人')
})

test('a session is called off for a reason, and nothing happens to it after', async () => {
  const one = await person('逄取消')
  const id = await planned([one])
  expect((await change(id, { action: 'cancel', reason: '' })).message).toContain('原因')
  expect((await change(id, { action: 'cancel', reason: '培训室停电' })).status).toBe(0)
  expect(await read(id)).toMatchObject({ state: 'cancelled', cancelReason: '培训室停电' })
  expect((await change(id, { action: 'signIn', way: 'gate' })).message).toBe('培训已取消，不能再办理')
  // He is free again.
  await planned([one])
})

test('the board proposes what the month asks for until it is planned', async () => {
  const query = { projectCode: site.projectCode, month: day().slice(0, 7) }
  const entry = async () => (await trainer.call(training.trainBoard, { query })).proposals.find((one) => one.key === 'entry')
  const before = await entry()
  const fresh = await person('曲新来')
  expect((await entry())?.people).toBe((before?.people ?? 0) + 1)
  const { people } = await trainer.call(training.trainPeople, { query: { projectCode: site.projectCode, proposal: 'entry' } })
  expect(people.some((one) => one.stayId === fresh.stayId)).toBe(true)
  await planned([fresh], { startTime: `${day()} 14:00:00` })
  expect((await entry())?.people ?? 0).toBe(before?.people ?? 0)
  const { counts, sessions } = await trainer.call(training.trainBoard, { query })
  expect([counts.planned, counts.held]).toEqual([sessions.length, sessions.filter((one) => one.state === 'closed').length])
  const stranger = await settled.as('zhigu-pm')
  expect((await stranger.ask(training.trainBoard, { query })).status).not.toBe(0)
  expect((await stranger.ask(training.trainPeople, { query: { projectCode: site.projectCode } })).status).not.toBe(0)
})

test('the first working day after a long rest asks for training again', () => {
  const rest = {
    restWeekdays: [6, 7] as (1 | 2 | 3 | 4 | 5 | 6 | 7)[],
    restDates: ['2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'],
    workDates: [],
  }
  expect(resumesOf(rest, '2026-10')).toEqual(['2026-10-08'])
  expect(resumesOf(rest, '2026-11')).toEqual([])
})
