import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import * as training from '@zhugong/contract/personnel/training'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let clerk: Caller
let trainer: Caller
let site: Site
const all = { projectCode: '*' }
const now = () => new Date(Date.now() + shanghaiOffsetMs).toISOString()
const today = now().slice(0, 10)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  trainer = await settled.as('hospital-pm')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
})
afterAll(() => world.close())

async function person(name: string) {
  const made = await clerk.call(workersCalls.registerWorker, { body: newcomer(site, { name }) })
  return { workerId: made.workerId, stayId: made.projectWorkerId ?? '' }
}
type Marked = { stayId: string; passed?: boolean | null; score?: number | null }
const here = () => ({ projectCode: site.projectCode })
const sessionOf = (people: readonly Marked[], more: object = {}) => ({
  corpCode: site.corpCode,
  trainingType: '003002',
  name: '第 9 期入场教育',
  trainer: '廖安全',
  startTime: `${today} 00:00:00`,
  duration: 8,
  content: '劳动纪律、临时用电、高处作业',
  workers: people.map((p) => ({ projectWorkerId: p.stayId, score: p.score ?? null, passed: p.passed ?? null })),
  ...more,
})
const trainedRow = async (name: string, query: object = {}) =>
  (await clerk.call(training.listTrained, { query: { view: 'train', name, ...query } })).list[0]

test('who passes the entry training may enter, who fails may not; the file, the list and the strip say the same', async () => {
  const [ok, bad] = [await person('殷合格'), await person('殷落榜')]
  const before = await clerk.call(training.trainFigures, { query: {} })
  const made = await trainer.call(training.createSession, {
    query: here(),
    body: sessionOf([
      { ...ok, passed: true, score: 92 },
      { ...bad, passed: false, score: 40 },
    ]),
  })
  expect(made.trained).toBe(1)
  expect(await trainedRow('殷合格')).toMatchObject({ entryTrained: true, hours: 8, marks: { entry: { state: 'passed', hours: 8 } } })
  expect(await trainedRow('殷落榜')).toMatchObject({ entryTrained: false, hours: 0, marks: { entry: { state: 'failed' } } })
  const after = await clerk.call(training.trainFigures, { query: {} })
  expect([after.trained - before.trained, before.untrained - after.untrained]).toEqual([1, 1])
  expect(after.teams.reduce((n, t) => n + t.untrained, 0)).toBe(after.untrained)
  const listed = await clerk.call(training.listTrained, { query: { view: 'train', entryTrained: '0', size: 1 } })
  expect(listed.total).toBe(after.untrained)
  const head = await clerk.call(workersCalls.workerBaseInfo, { params: { id: ok.workerId } })
  expect(head.stay?.conditions.find((c) => c.code === 'training')).toMatchObject({ met: true, remark: `${today}，8 学时` })
  const lacking = await clerk.call(peopleCalls.listStays, { query: { missing: 'training', name: '殷' } })
  expect(lacking.list.map((s) => s.name)).toEqual(['殷落榜'])
})

test('three levels open the site as the entry training does, the last of them first counts when it is marked', async () => {
  const one = await person('席三级')
  for (const trainingType of ['003101', '003102'])
    await trainer.call(training.createSession, {
      query: here(),
      body: sessionOf([{ ...one, passed: true }], { trainingType, duration: 15 }),
    })
  expect(await trainedRow('席三级')).toMatchObject({ entryTrained: false })
  const { id } = await trainer.call(training.createSession, {
    query: here(),
    body: sessionOf([one], { trainingType: '003103', duration: 10, close: false }),
  })
  expect(await trainedRow('席三级')).toMatchObject({ entryTrained: false, marks: { team: { state: 'none' } } })
  const mark = (body: object) =>
    trainer.ask(training.changeSession, { params: { id }, query: all, body: { action: 'mark', version: 0, ...body } as never })
  const early = await mark({ workers: [{ projectWorkerId: one.stayId }], close: true })
  expect(early.message).toContain('没有考核结果')
  const done = await mark({ workers: [{ projectWorkerId: one.stayId, passed: true, score: 80 }], close: true })
  expect(done.status).toBe(0)
  // Three-level training covers entry training, in the row and in the filter.
  expect(await trainedRow('席三级')).toMatchObject({ entryTrained: true, hours: 40, marks: { entry: { state: 'covered' } } })
  const lacks = (await clerk.call(training.listTrained, { query: { view: 'train', lack: 'entry', name: '席三级' } })).total
  expect(lacks).toBe(0)
  const card = await clerk.call(training.trainCard, { params: { id: one.workerId } })
  expect(card.levels.map((l) => [l.passed, l.hours, l.least])).toEqual([
    [true, 15, 15],
    [true, 15, 15],
    [true, 10, 20],
  ])
  // Fewer hours than the team level requires.
  expect(card.list.filter((t) => t.short).map((t) => t.trainingType)).toEqual(['003103'])
})

test('a mark changed after the end keeps what it was, and closes the site again', async () => {
  const one = await person('阙改分')
  const { id } = await trainer.call(training.createSession, { query: here(), body: sessionOf([{ ...one, passed: true, score: 61 }]) })
  const workers = [{ projectWorkerId: one.stayId, passed: false, score: 51 }]
  const change = (body: object) =>
    trainer.ask(training.changeSession, { params: { id }, query: all, body: { version: 0, workers, ...body } as never })
  expect((await change({ action: 'mark' })).message).toContain('更正')
  const unnamed = await change({ action: 'correct', reason: '阅卷有误' })
  expect([unnamed.message, JSON.stringify(unnamed.data)]).toEqual([
    expect.stringContaining('阙改分 将失去进场资格'),
    expect.stringContaining(one.stayId),
  ])
  expect(await trainedRow('阙改分')).toMatchObject({ entryTrained: true })
  expect((await change({ action: 'correct', reason: '阅卷有误', losing: [one.stayId] })).status).toBe(0)
  const session = await clerk.call(training.getSession, { params: { id }, query: all })
  expect(session.workers[0]?.changes).toMatchObject([
    { from: { score: 61, passed: true }, to: { score: 51, passed: false }, reason: '阅卷有误' },
  ])
  expect(await trainedRow('阙改分')).toMatchObject({ entryTrained: false })
  const stale = await trainer.ask(training.changeSession, {
    params: { id },
    query: all,
    body: { action: 'correct', version: 0, workers, reason: '再次更正' },
  })
  expect(stale.message).toContain('刷新')
})

test('an attendance is taken out for a reason and no longer counts; a session with marks is not removed', async () => {
  const one = await person('翁移除')
  const { id } = await trainer.call(training.createSession, { query: here(), body: sessionOf([{ ...one, passed: true }]) })
  const refused = await trainer.ask(training.removeSession, { params: { id }, query: all })
  expect(refused.message).toContain('不能')
  const { workers } = await clerk.call(training.getSession, { params: { id }, query: all })
  const taskId = workers[0]?.id ?? ''
  expect((await trainer.ask(training.removeAttendance, { params: { taskId }, query: { ...all, reason: '' } })).message).toContain('原因')
  await trainer.call(training.removeAttendance, { params: { taskId }, query: { ...all, reason: '替人签到' } })
  expect(await trainedRow('翁移除')).toMatchObject({ entryTrained: false, hours: 0 })
})

test.each<[string, object, RegExp]>([
  ['nobody', { workers: [] }, /参训人员/],
  ['hours out of range', { duration: 80 }, /0.5-72/],
  ['no content', { content: ' ' }, /培训内容/],
  ['an end before it began', { startTime: '2099-01-01 08:00:00' }, /不能晚于现在/],
  ['an unknown kind', { trainingType: '999' }, /字典/],
])('a session with %s is refused in words', async (_what, more, message) => {
  const one = await person('慎填写')
  const answer = await trainer.ask(training.createSession, { query: here(), body: sessionOf([{ ...one, passed: true }], more) as never })
  expect([answer.status === 0, JSON.stringify(answer)]).toEqual([false, expect.stringMatching(message)])
})

test('a session without a result for somebody, with somebody twice, or with somebody of another site, is refused', async () => {
  const one = await person('慎名单')
  const ask = (people: readonly Marked[]) => trainer.ask(training.createSession, { query: here(), body: sessionOf(people) })
  expect(JSON.stringify(await ask([one]))).toContain('考核结果')
  expect(
    (
      await ask([
        { ...one, passed: true },
        { ...one, passed: true },
      ])
    ).message,
  ).toContain('重复')
  const elsewhere = await siteOf(world, settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? '')
  const { rows } = await world.database.pool.query<{ id: string }>(
    'select id from project_worker where project_code = $1 and exit_time is null limit 1',
    [elsewhere.projectCode],
  )
  expect((await ask([{ stayId: rows[0]?.id ?? '', passed: true }])).status).not.toBe(0)
})
