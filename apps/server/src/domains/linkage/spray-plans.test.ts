import * as calls from '@zhugong/contract/linkage/spray-plans'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { createLog } from '#kit/log'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import type { SentCommand } from './runner.ts'
import { clashOf, dueWithin, nextOf } from './spray-clock.ts'
import { turnSprayPlans } from './spray-turn.ts'

const minute = 60_000
const hour = 60 * minute
const everyDay = [1, 2, 3, 4, 5, 6, 7]

describe('the clock of the week', () => {
  const at = (text: string) => Date.parse(`${text}+08:00`)
  test('due times are of the Shanghai week, the end of a span is not in it', () => {
    // 2026-03-02 is a Monday.
    const plan = { days: [1, 7], times: ['06:30', '23:50'], minutes: 15 }
    expect(dueWithin(plan, at('2026-03-01T23:50:00'), at('2026-03-02T23:50:00'))).toEqual([
      at('2026-03-01T23:50:00'),
      at('2026-03-02T06:30:00'),
    ])
    expect(nextOf(plan, at('2026-03-02T23:51:00'))).toBe(at('2026-03-08T06:30:00'))
  })
  test.each([
    [{ days: [1], times: ['07:00'], minutes: 15 }, { days: [1], times: ['07:14'], minutes: 5 }, '周一 07:14'],
    [{ days: [1], times: ['07:00'], minutes: 15 }, { days: [1], times: ['07:15'], minutes: 5 }, undefined],
    [{ days: [1], times: ['07:00'], minutes: 15 }, { days: [1], times: ['06:50'], minutes: 11 }, '周一 07:00'],
    [{ days: [1], times: ['07:00'], minutes: 15 }, { days: [2], times: ['07:00'], minutes: 15 }, undefined],
    [{ days: [7], times: ['23:55'], minutes: 10 }, { days: [1], times: ['00:04'], minutes: 5 }, '周一 00:04'],
  ])('%j against %j', (a, b, clash) => {
    expect(clashOf(a, b)).toBe(clash)
    expect(clashOf(b, a) === undefined).toBe(clash === undefined)
  })
  test('a plan does not run into itself', () => {
    expect(
      clashOf({ days: [1], times: ['07:00', '07:10'], minutes: 15 }, { days: [1], times: ['07:00', '07:10'], minutes: 15 }, true),
    ).toBe('周一 07:10')
    const fine = { days: everyDay, times: ['07:00', '12:00'], minutes: 30 }
    expect(clashOf(fine, fine, true)).toBeUndefined()
  })
})

describe('plans of a site', () => {
  /** Plans are created at six; the later steps happen days after that, when no session would be valid. */
  const six = startOfDay(formatDay(Date.now())) + 6 * hour
  let now = six
  let world: World
  let city: CityWorld
  let pm: Caller
  let main = ''
  let lines: string[] = []
  let sent: SentCommand[] = []
  let answer = { result: 0, message: '已执行' }
  const turn = () =>
    turnSprayPlans({
      database: world.database,
      log: createLog('test', 'silent'),
      now: () => now,
      send: async (command) => {
        sent.push(command)
        return answer
      },
    })
  const runs = async () => (await pm.call(calls.listSprayPlanRuns, { query: { projectCode: main, size: 50 } })).list
  const body = (more: object = {}) => ({
    query: { projectCode: main },
    body: { deviceId: lines[0] ?? '', name: '早班前道路', days: everyDay, times: ['07:00'], minutes: 15, ...more },
  })

  beforeAll(async () => {
    world = await openCity(inject('postgresUrl'), { clock: { now: () => six } })
    city = await settleCity(world)
    pm = await city.as('hospital-safety')
    main = city.city.personas.find((p) => p.account === 'hospital-safety')?.projectCode ?? ''
    lines = city.city.devices.filter((d) => d.family === 'sprayController' && d.projectCode === main).map((d) => d.id)
  })
  afterAll(() => world.close())

  test('what clashes, is named twice or is not the site’s is refused at its field', async () => {
    const made = await pm.call(calls.createSprayPlan, body())
    expect(made).toMatchObject({ name: '早班前道路', nextAt: startOfDay(formatDay(now)) + 7 * hour, lastState: null, version: 0 })
    const refusal = async (more: object) => (await pm.ask(calls.createSprayPlan, body(more))).message
    expect(await refusal({ times: ['08:00'] })).toContain('同名')
    expect(await refusal({ name: '二', times: ['07:05'] })).toContain('与计划“早班前道路”在 周一 07:05 重叠')
    expect(await refusal({ name: '三', times: ['09:00', '09:10'] })).toContain('还没有结束')
    expect(await refusal({ name: '四', times: ['25:00'] })).toContain('HH:mm')
    expect(await refusal({ name: '五', days: [] })).toContain('星期')
    expect(await refusal({ name: '六', minutes: 121 })).toContain('120')
    const foreign = city.city.devices.find((d) => d.family === 'sprayController' && d.projectCode !== main)
    expect(await refusal({ name: '七', deviceId: foreign?.id ?? '' })).toContain('不属于这个项目')
    expect((await pm.ask(calls.createSprayPlan, body({ name: '另一条线', deviceId: lines[1] ?? '' }))).status).toBe(0)
  })

  test('due once, by whichever process looks; not while somebody has just stopped the line', async () => {
    now = startOfDay(formatDay(now)) + 7 * hour + 5_000
    await Promise.all([turn(), turn()])
    expect(sent.map((one) => [one.deviceId, one.cmd, one.params])).toEqual(
      expect.arrayContaining([[lines[0], 'spray.start', { durationSeconds: 900 }]]),
    )
    expect(sent).toHaveLength(2)
    await turn()
    expect(sent).toHaveLength(2)
    expect((await runs()).map((one) => one.state)).toEqual(['sent', 'sent'])

    now = startOfDay(addDays(formatDay(now), 1)) + 7 * hour + 5_000
    await world.database.pool.query(
      `insert into linkage_block (device_id, project_code, until_time, reason, by_name, create_time) values ($1, $2, $3, '检修', '王工', now())`,
      [lines[0], main, new Date(now + 20 * minute)],
    )
    answer = { result: -2, message: '设备无应答' }
    sent = []
    await turn()
    expect(sent.map((one) => one.deviceId)).toEqual([lines[1]])
    const today = (await runs()).slice(0, 2)
    expect(today.find((one) => one.deviceId === lines[0])).toMatchObject({
      state: 'held',
      message: expect.stringContaining('王工人工停止'),
    })
    expect(today.find((one) => one.deviceId === lines[1])).toMatchObject({ state: 'failed', message: '设备无应答' })
  })

  test('a gale holds it back; a time that passed while nobody looked is written down, not made up for', async () => {
    answer = { result: 0, message: '已执行' }
    sent = []
    now = startOfDay(addDays(formatDay(now), 1)) + 7 * hour + 20 * minute
    await turn()
    expect(sent).toEqual([])
    expect((await runs()).slice(0, 2).map((one) => one.state)).toEqual(['missed', 'missed'])

    now = startOfDay(addDays(formatDay(now), 1)) + 7 * hour + 5_000
    const { rowCount } = await world.database.pool.query(
      `insert into device_latest (device_id, ts, received_at, v, online, online_since) select id, $2, $2, '{"windSpeed": 14}', true, $2 from device where project_code = $1 and family = 'environment'
       on conflict (device_id) do update set ts = excluded.ts, received_at = excluded.received_at, v = excluded.v, quality = null`,
      [main, new Date(now)],
    )
    expect(rowCount).toBeGreaterThan(0)
    await turn()
    expect(sent).toEqual([])
    expect((await runs())[0]).toMatchObject({ state: 'held', message: expect.stringContaining('风速 14 m/s') })
  })

  test('a plan that is switched off does nothing, and its runs outlive it', async () => {
    const { list } = await pm.call(calls.listSprayPlans, { query: { projectCode: main } })
    for (const plan of list) {
      const { deviceId, name, days, times, minutes, version } = plan
      const change = {
        params: { id: plan.id },
        query: { projectCode: main },
        body: { deviceId, name, days, times, minutes, enabled: false, version },
      }
      expect(await pm.call(calls.updateSprayPlan, change)).toMatchObject({ enabled: false, nextAt: null })
      expect((await pm.ask(calls.updateSprayPlan, change)).message).toContain('请刷新后再改')
    }
    sent = []
    now = startOfDay(addDays(formatDay(now), 1)) + 7 * hour + 5_000
    await turn()
    expect(sent).toEqual([])
    const before = (await runs()).length
    await pm.call(calls.removeSprayPlan, { params: { id: list[0]?.id ?? '' }, query: { projectCode: main } })
    expect(await runs()).toHaveLength(before)
  })

  test('a stranger sees and changes nothing, a regulator changes nothing', async () => {
    const stranger = await city.as('zhigu-pm')
    const regulator = await city.as('bj-zhao')
    expect((await stranger.call(calls.listSprayPlans, { query: { projectCode: '*' } })).total).toBe(0)
    expect((await stranger.call(calls.listSprayPlanRuns, { query: { projectCode: '*' } })).total).toBe(0)
    for (const caller of [stranger, regulator]) expect((await caller.ask(calls.createSprayPlan, body({ name: '外人' }))).status).not.toBe(0)
  })
})
