import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { workerDossier } from '@zhugong/contract/personnel/dossier'
import * as flow from '@zhugong/contract/personnel/flow'
import * as calls from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
/** A company that leads both sites and therefore sees both. */
let company: Caller
let clerk: Caller
let here: Site
let there: Site

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  clerk = await settled.as('zhigu-labour')
  company = await settled.as('chuyuan-li')
  const codeOf = (account: string) => settled.city.personas.find((p) => p.account === account)?.projectCode ?? ''
  here = await siteOf(world, codeOf('zhigu-pm'))
  there = await siteOf(world, codeOf('school-pm'))
})
afterAll(() => world.close())

const register = (name: string) => clerk.call(calls.registerWorker, { body: newcomer(here, { name }) })
const target = (more: object = {}) => ({
  projectCode: there.projectCode,
  corpCode: there.corpCode,
  teamId: there.teamId,
  workRole: '20',
  ...more,
})

test('people are granted to another project, each as a whole or not at all; their trade goes along', async () => {
  const [one, two] = [await register('阮授权'), await register('阮重复')]
  await company.call(flow.grantWorkers, { body: { workerIds: [two.workerId], ...target() } })
  const both = await company.call(flow.grantWorkers, { body: { workerIds: [one.workerId, two.workerId], ...target() } })
  expect(both).toMatchObject({ done: 1, failed: [{ id: two.workerId, message: expect.stringContaining('已在本项目在场') }] })
  const stays = await company.call(calls.workerProjects, { params: { id: one.workerId } })
  expect(stays.list.map((s) => [s.projectCode, s.formalStatus, s.exitTime]).sort()).toEqual(
    [
      [here.projectCode, '0', null],
      [there.projectCode, '0', null],
    ].sort(),
  )
  expect(new Set(stays.list.map((s) => s.workTypeName)).size).toBe(1)
})

test('a transfer ends the stay here with the one that begins there; one without a stay to leave is refused', async () => {
  const moved = await register('阮调动')
  expect(
    await company.call(flow.grantWorkers, { body: { workerIds: [moved.workerId], ...target({ transfer: true, exitReason: '1' }) } }),
  ).toEqual({ done: 1, failed: [] })
  const stays = await company.call(calls.workerProjects, { params: { id: moved.workerId } })
  const [left, came] = [stays.list.find((s) => s.projectCode === here.projectCode), stays.list.find((s) => s.exitTime === null)]
  expect([left?.exitTime !== null, came?.projectCode]).toEqual([true, there.projectCode])
  const again = await company.call(flow.grantWorkers, { body: { workerIds: [moved.workerId], ...target({ transfer: true }) } })
  expect(again).toMatchObject({ done: 0, failed: [{ message: expect.stringContaining('没有可调出') }] })
  // The list shows the previous and the next project.
  const rows = (await company.call(flow.listFlow, { query: { view: 'flow', name: '阮调动' } })).list
  expect(rows.find((r) => r.flowType === '0')?.other).toBeTruthy()
  expect(rows.find((r) => r.flowType === '1' && r.projectCode === there.projectCode)?.other).toBeTruthy()
})

test('a site neither grants to another site nor takes from it', async () => {
  const one = await register('阮越界')
  const away = await clerk.ask(flow.grantWorkers, { body: { workerIds: [one.workerId], ...target() } })
  expect(away.status).not.toBe(0)
  const stranger = await settled.as('school-pm')
  const taken = await stranger.ask(flow.grantWorkers, { body: { workerIds: [one.workerId], ...target() } })
  expect([taken.status === 0, taken.message]).toEqual([false, expect.stringContaining('不存在')])
})

test('the picture counts each who came and each who left once, by project and by team', async () => {
  const before = await clerk.call(flow.flowMoves, { query: { days: 7 } })
  const count = (moves: typeof before, kind: string) =>
    moves.edges.filter((e) => e.fromKind === kind || e.toKind === kind).reduce((n, e) => n + e.count, 0)
  const stay = await register('阮来去')
  const came = await clerk.call(flow.flowMoves, { query: { days: 7 } })
  expect(count(came, 'new') - count(before, 'new')).toBe(1)
  await clerk.call(exitWorkers, {
    body: {
      ids: [stay.projectWorkerId ?? ''],
      exitTime: new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10),
      exitReason: '3',
    },
  })
  const left = await clerk.call(flow.flowMoves, { query: { days: 7, by: 'team' } })
  expect(left.edges.some((e) => e.toKind === 'left' && e.toName.includes('个人原因') && e.from === here.teamId)).toBe(true)
  const figures = await clerk.call(flow.flowFigures, { query: {} })
  const listed = await clerk.call(flow.listFlow, { query: { view: 'flow', flowType: '0', size: 1 } })
  const today = figures.days.at(-1)
  expect([figures.days.length, (today?.came ?? 0) >= 1, (today?.left ?? 0) >= 1, listed.total >= 1]).toEqual([30, true, true, true])
})

test('who passed the gates of two projects on one day is named with both', async () => {
  const one = await register('阮两处')
  await company.call(flow.grantWorkers, { body: { workerIds: [one.workerId], ...target() } })
  for (const { projectCode, corpCode } of [here, there])
    await world.database.pool.query(
      `insert into attendance_day (project_code, worker_id, work_day, stay_id, corp_code, first_in, record_count, rules_version, setting_version)
       select $1, $2, (now() at time zone 'Asia/Shanghai')::date, id, $3, now(), 2, 'test', 'test' from project_worker where worker_id = $2 and project_code = $1`,
      [projectCode, one.workerId, corpCode],
    )
  const { list } = await company.call(flow.crossSite, { query: {} })
  expect(
    list
      .find((c) => c.workerId === one.workerId)
      ?.places.map((p) => p.projectCode)
      .sort(),
  ).toEqual([here.projectCode, there.projectCode].sort())
  // One site sees only its own gate.
  expect((await clerk.call(flow.crossSite, { query: {} })).list.some((c) => c.workerId === one.workerId)).toBe(false)
})

test('the sheet of a person is masked, names its parts, and is not there for strangers', async () => {
  const { workerId } = await register('阮档案')
  const sheet = await clerk.call(workerDossier, { params: { id: workerId } })
  expect(sheet).toMatchObject({ name: '阮档案', hold: 'present', certs: [], contracts: [], records: [] })
  expect(sheet.idCardNumber).toContain('*')
  expect(sheet.career).toHaveLength(1)
  const stranger = await (await settled.as('school-pm')).ask(workerDossier, { params: { id: workerId } })
  expect(stranger.status).not.toBe(0)
})
