import * as calls from '@zhugong/contract/alarms/notices'
import { listApprovals } from '@zhugong/contract/home/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { formatInstant } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

/** Notices to sites: sent to several, marked as read, answered with a photo, overdue, withdrawn. */
let now = Date.parse('2026-11-20T10:00:00+08:00')
const hour = 3_600_000
const everywhere = { projectCode: '*' }
let world: World
let city: CityWorld
let site: string
let body: Caller
let pm: Caller
let safety: Caller
const stationOf = (projectCode: string) =>
  city.city.devices.find((d) => d.projectCode === projectCode && d.family === 'environment')?.id ?? null

const send = (who: Caller, given: Partial<{ kind: calls.NoticeKind; replyWanted: boolean; deadline: string; targets: unknown[] }> = {}) =>
  who.ask(calls.sendNotice, {
    query: { projectCode: '*' },
    body: {
      kind: 'dust',
      text: '立即开启喷淋',
      deadline: formatInstant(now + hour / 12),
      targets: [{ projectCode: site, deviceId: stationOf(site), alarmId: null, subject: '1# 扬尘站' }],
      ...given,
    } as never,
  })
const act = (who: Caller, id: string, action: (typeof calls.noticeActions)[number], text = '', photos: string[] = []) =>
  who.ask(calls.actOnNotice, { params: { id }, query: everywhere, body: { action, text, photos } })
const seen = async (who: Caller, id: string) =>
  (await who.call(calls.listNotices, { query: { ...everywhere, size: 100 } })).list.find((one) => one.id === id)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  body = await city.as('city-fang')
  pm = await city.as('hospital-pm')
  safety = await city.as('hospital-safety')
})
afterAll(() => world.close())

test('one call tells several sites; each has its own, with the day it is due, in its people’s to-do', async () => {
  const sites = (await body.call(calls.listNotices, { query: everywhere })).total
  expect(sites).toBe(0)
  const others = city.city.projects.filter((p) => p.projectCode !== site && p.prjStatus === '003').slice(0, 2)
  const targets = [site, ...others.map((p) => p.projectCode)].map((projectCode) => ({ projectCode, subject: '全部监测站' }))
  const sent = await send(body, { targets })
  expect([sent.message, sent.data?.projects]).toEqual(['ok', targets.length])
  const mine = await pm.call(calls.listNotices, { query: { ...everywhere, box: 'in' } })
  expect(mine.list).toMatchObject([{ projectCode: site, kind: 'dust', state: '1', late: false, readTime: null, fromName: '方启年' }])
  expect(mine.counts).toEqual({ waiting: 1, unread: 1, late: 0, answered: 0, toCheck: 0 })
  expect((await body.call(calls.listNotices, { query: { ...everywhere, box: 'out' } })).total).toBe(targets.length)
  const todo = await safety.call(listApprovals, { query: { box: 'todo' } })
  expect(todo.list.find((one) => one.bizType === 'notice')).toMatchObject({
    bizTypeName: '现场通知',
    deadline: formatInstant(now + hour / 12),
  })
})

test('it is taken in once, answered in words and with a picture, and stands so with its sender', async () => {
  const id = (await send(body)).data!.ids[0]!
  expect((await seen(pm, id))?.actions).toEqual(['read', 'answer', 'return'])
  expect((await act(body, id, 'read')).status).not.toBe(0)
  expect((await act(safety, id, 'read')).status).toBe(0)
  expect(await seen(body, id)).toMatchObject({ state: '1', readName: expect.any(String), actions: ['withdraw'] })
  expect(await act(safety, id, 'answer')).toMatchObject({ data: { field: 'text' }, message: '请填写答复（至少 2 个字）' })
  expect((await act(safety, id, 'answer', '雾炮已开，土方停止')).message).toBe('ok')
  expect(await seen(body, id)).toMatchObject({ state: '2', answer: '雾炮已开，土方停止', late: false, actions: [] })
  expect((await act(safety, id, 'read')).message).toBe('通知已办结，无需签收')
})

test('one that wants no reply is done with a nod; the engine’s own call holds to the same', async () => {
  const id = (await send(body, { replyWanted: false })).data!.ids[0]!
  expect((await act(pm, id, 'answer')).message).toBe('ok')
  expect(await seen(body, id)).toMatchObject({ state: '2', answer: null })
})

test('late ones are told apart, open or closed, and withdrawn ones are not', async () => {
  const [open, closed, back] = await Promise.all([0, 1, 2].map(async () => (await send(body)).data!.ids[0]!))
  now += hour / 6
  expect((await act(pm, closed!, 'answer', '补充答复：已处理')).message).toBe('ok')
  expect((await act(body, back!, 'withdraw')).message).toContain('请填写撤回原因')
  expect((await act(body, back!, 'withdraw', '误发')).message).toBe('ok')
  const late = (await body.call(calls.listNotices, { query: { ...everywhere, late: true, size: 100 } })).list.map((one) => one.id)
  expect([late.includes(open!), late.includes(closed!), late.includes(back!)]).toEqual([true, true, false])
  expect(await seen(pm, back!)).toMatchObject({ state: '4', answer: '误发', late: false })
  expect((await act(pm, back!, 'answer', '已处理')).message).toMatch(/撤回/)
})

test('a site sends none; nobody sends to a site he does not see, with machines of another, or back in time', async () => {
  expect((await send(pm)).status).not.toBe(0)
  const far = await city.as('yd-wang')
  const seenByFar = (await send(far)).status
  expect(seenByFar).not.toBe(0)
  const foreign = city.city.devices.find((d) => d.projectCode !== site)!.id
  expect((await send(body, { targets: [{ projectCode: site, deviceId: foreign }] })).message).toBe('所选设备或告警不属于该项目')
  expect((await send(body, { deadline: formatInstant(now - hour) })).message).toBe('期限应晚于现在')
  expect((await send(body, { targets: [] })).message).toContain('请选择要通知的项目')
})

test('a company with some people on the site has no part in what is asked of it', async () => {
  const id = (await send(body)).data!.ids[0]!
  const labour = await city.as('dingli-cheng')
  const answer = await labour.ask(calls.listNotices, { query: { ...everywhere, size: 100 } })
  expect(answer.data?.list?.some((one) => one.id === id) ?? false).toBe(false)
  expect((await act(labour, id, 'answer', '已处理')).status).not.toBe(0)
  expect(await seen(body, id)).toMatchObject({ state: '1' })
})
