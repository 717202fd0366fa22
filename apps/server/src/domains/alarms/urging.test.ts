import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import * as calls from '@zhugong/contract/alarms/notices'
import { listHomeAlerts } from '@zhugong/contract/home/endpoints'
import { actOnApproval } from '@zhugong/contract/workflow/endpoints'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { formatInstant } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { givenAlarm, storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

/** A supervision order from start to acceptance, as seen by all parties and by outsiders. */
let now = Date.parse('2026-11-20T10:00:00+08:00')
const hour = 3_600_000
const everywhere = { projectCode: '*' }
let world: World
let city: CityWorld
let site: string
let district: Caller
let company: Caller
let safety: Caller
let alarmId = ''
let n = 0

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-safety')!.projectCode!
  district = await city.as('city-fang')
  company = await city.as('yunze-lu')
  safety = await city.as('hospital-safety')
})
afterAll(() => world.close())

beforeEach(async () => {
  alarmId = `urged-${++n}`
  await alarm(alarmId)
})
async function alarm(id: string, more: { level?: number; state?: string } = {}): Promise<void> {
  const crane = city.city.devices.find((d) => d.projectCode === site && d.family === 'towerCrane')!
  await givenAlarm(world, {
    id,
    projectCode: site,
    device: crane,
    at: new Date(now),
    alarmKey: 'momentAlarm',
    label: '力矩超限',
    level: 1,
    active: false,
    point: id,
    ...more,
  })
}

const urge = (who: Caller, more: Partial<{ photoWanted: boolean; deadline: string; alarmId: string }> = {}) =>
  who.ask(calls.sendNotice, {
    query: everywhere,
    body: {
      kind: 'supervise',
      text: '停机查明原因',
      deadline: more.deadline ?? formatInstant(now + hour),
      photoWanted: more.photoWanted ?? false,
      targets: [{ projectCode: site, deviceId: null, alarmId: more.alarmId ?? alarmId, subject: '塔机 力矩超限' }],
    },
  })
const act = (who: Caller, id: string, action: calls.NoticeAction, more: { text?: string; photos?: string[]; deadline?: string } = {}) => {
  // Lines with the same time have no order.
  now += 1000
  return who.ask(calls.actOnNotice, { params: { id }, query: everywhere, body: { action, ...more } })
}
const notice = async (who: Caller, id: string) =>
  (await who.call(calls.listNotices, { query: { ...everywhere, size: 100 } })).list.find((one) => one.id === id)!
const row = async (who: Caller) =>
  (await who.call(findAlarms, { query: { ...everywhere, size: 200 } })).list.find((one) => one.id === alarmId)!
const course = async (who: Caller) =>
  (await who.call(getAlarm, { params: { id: alarmId }, query: everywhere })).log
    .filter((l) => l.event.startsWith('urge'))
    .map((l) => l.event)
const task = async (who: Caller, id: string) => {
  const { list } = await who.call(listHomeAlerts, { query: { ...everywhere, size: 200 } })
  return list.find((one) => one.link.includes(id))
}

async function photoOf(projectCode: string): Promise<string> {
  const { rows } = await world.database.pool.query<{ id: string }>('select id from tenant where type = 3 and code = $1', [projectCode])
  return storedFile(world, rows[0]!.id)
}

test('an alarm shows in its row and its course who asked, until when, and what came of it', async () => {
  const requested = now
  const id = (await urge(district)).data!.ids[0]!
  expect((await row(company)).urging).toMatchObject({
    noticeId: id,
    fromName: '方启年',
    deadline: requested + hour,
    state: '1',
    late: false,
  })
  expect((await row(safety)).urging?.noticeId).toBe(id)
  const urged = await company.call(findAlarms, { query: { ...everywhere, urged: true, size: 200 } })
  expect(urged.list.map((one) => one.id)).toEqual([alarmId])
  expect(await task(safety, id)).toMatchObject({ action: '答复', kindName: '现场通知' })
  expect((await act(safety, id, 'answer', { text: '已停机，等待厂家' })).message).toBe('ok')
  expect(await notice(district, id)).toMatchObject({ state: '2', actions: ['accept', 'redo'] })
  expect(await task(district, id)).toMatchObject({ action: '核查', overdue: false })
  expect((await act(district, id, 'accept')).message).toBe('告警尚未处置，不能通过；请退回并说明要求')
  await world.database.pool.query(`update alarm set state = 'handled' where id = $1`, [alarmId])
  expect((await act(district, id, 'accept', { text: '同意' })).message).toBe('ok')
  expect((await row(company)).urging).toMatchObject({ state: '5', late: false })
  expect(await notice(safety, id)).toMatchObject({ state: '5', checkText: '同意', actions: [] })
  expect(await course(safety)).toEqual(['urge', 'urgeAnswer', 'urgeAccept'])
  expect(await task(district, id)).toBeUndefined()
})

test('what is handled and not closed is counted beside what waits', async () => {
  const counts = async () => (await safety.call(findAlarms, { query: { ...everywhere, simulated: false, historical: false } })).counts
  const before = await counts()
  await alarm(`${alarmId}-done`, { state: 'handled' })
  const after = await counts()
  expect([after.handled - before.handled, after.todo - before.todo]).toEqual([1, 0])
  const { total } = await safety.call(findAlarms, { query: { ...everywhere, state: 'handled', simulated: false, historical: false } })
  expect(after.handled).toBe(total)
})

test('a group asks once at a time; another group sees it and may ask as well', async () => {
  const id = (await urge(district)).data!.ids[0]!
  expect(await urge(district)).toMatchObject({ data: { field: 'targets' }, message: expect.stringContaining('已由 方启年 督办，期限') })
  expect((await urge(company)).message).toBe('ok')
  await act(district, id, 'withdraw', { text: '误发' })
  expect((await urge(district)).message).toBe('ok')
})

test('two at the same moment become one', async () => {
  const both = await Promise.all([urge(district), urge(district)])
  expect(both.map((one) => one.message === 'ok').sort()).toEqual([false, true])
})

test('only grave alarms that are not settled are supervised', async () => {
  await alarm(`${alarmId}-mild`, { level: 3 })
  await alarm(`${alarmId}-closed`, { state: 'closed' })
  expect((await urge(district, { alarmId: `${alarmId}-mild` })).message).toContain('不能督办')
  expect((await urge(district, { alarmId: `${alarmId}-closed` })).message).toContain('已关闭')
})

test('an answer without the demanded photo is refused at the field, through the to-do’s own call as well', async () => {
  const id = (await urge(district, { photoWanted: true })).data!.ids[0]!
  expect(await act(safety, id, 'answer', { text: '照片后补' })).toMatchObject({ data: { field: 'photos' } })
  const { itemId } = await notice(safety, id)
  expect(
    await safety.ask(actOnApproval, { params: { id: itemId! }, body: { result: 'pass', opinion: '照片后补', version: 0 } }),
  ).not.toMatchObject({
    status: 0,
  })
  expect((await notice(safety, id)).state).toBe('1')
  const photo = await photoOf(site)
  expect((await act(safety, id, 'answer', { text: '已处理', photos: [photo] })).message).toBe('ok')
  expect((await notice(district, id)).photos).toHaveLength(1)
})

test('what is sent back has a reason and a new deadline, and keeps the first answer in its course', async () => {
  const id = (await urge(district)).data!.ids[0]!
  await act(safety, id, 'answer', { text: '正在查' })
  expect(await act(district, id, 'redo', { deadline: formatInstant(now + hour) })).toMatchObject({ data: { field: 'text' } })
  expect(await act(district, id, 'redo', { text: '没有说明原因' })).toMatchObject({ data: { field: 'deadline' } })
  expect(await act(district, id, 'redo', { text: '没有说明原因', deadline: formatInstant(now - hour) })).toMatchObject({
    data: { field: 'deadline' },
  })
  const until = now + 3 * hour
  expect((await act(district, id, 'redo', { text: '没有说明原因', deadline: formatInstant(until) })).message).toBe('ok')
  expect(await notice(safety, id)).toMatchObject({
    state: '1',
    redone: 1,
    deadline: until,
    answer: null,
    actions: ['answer', 'return'],
  })
  expect(await task(safety, id)).toMatchObject({ action: '答复' })
  expect((await act(safety, id, 'answer', { text: '限位器失灵，已更换' })).message).toBe('ok')
  expect((await notice(district, id)).course.map((s) => [s.action, s.text])).toEqual([
    ['send', '停机查明原因'],
    ['answer', '正在查'],
    ['redo', '没有说明原因'],
    ['answer', '限位器失灵，已更换'],
  ])
})

test('what is not answered in time stands in the sender’s to-do', async () => {
  const id = (await urge(district, { deadline: formatInstant(now + hour / 12) })).data!.ids[0]!
  expect(await task(district, id)).toBeUndefined()
  now += hour / 6
  expect(await task(district, id)).toMatchObject({ overdue: true, action: '查看', reason: expect.stringContaining('逾期未答复') })
  expect(await task(company, id)).toBeUndefined()
  expect((await row(company)).urging?.late).toBe(true)
})

test('who asked judges the answer: not the site, not another group, not a subcontractor, not somebody who left', async () => {
  const id = (await urge(district)).data!.ids[0]!
  expect((await act(district, id, 'accept')).message).toBe('项目答复后才能核查')
  await act(safety, id, 'answer', { text: '已处理完毕' })
  const subcontractor = await city.as('dingli-cheng')
  for (const who of [safety, company, subcontractor, await city.as('yd-wang')])
    for (const action of ['accept', 'redo'] as const)
      expect((await act(who, id, action, { text: '同意通过', deadline: formatInstant(now + hour) })).status).not.toBe(0)
  expect((await urge(subcontractor)).status).not.toBe(0)
  expect((await urge(safety)).status).not.toBe(0)
  expect((await subcontractor.ask(calls.noticeReceivers, { query: { projectCode: site } })).status).not.toBe(0)
  const { pool } = world.database
  const member = `user_id = (select id from app_user where account = 'city-fang')`
  await pool.query(`update member set enable = '0' where ${member}`)
  expect((await act(district, id, 'accept')).status).not.toBe(0)
  await pool.query(`update member set enable = '1' where ${member}`)
  expect((await notice(company, id)).state).toBe('2')
})

test('who would have it to do is named before it is sent', async () => {
  const { list } = await company.call(calls.noticeReceivers, { query: { projectCode: site } })
  expect(list).toHaveLength(1)
  expect(list[0]!.people).toContain(city.city.personas.find((p) => p.account === 'hospital-safety')!.name)
})
