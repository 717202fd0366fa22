import * as calls from '@zhugong/contract/monitoring/meter/meter-settle'
import { electricRecords } from '@zhugong/contract/monitoring/meter/meters'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'
import { hindranceOf } from './meter-settle.ts'
import { amountOf, sumsOfSheet } from './meter-sheets.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let pm: Caller
let stranger: Caller
let project: string
let query: { projectCode: string }
let main: string
let branch: string
const ratios = new Map<string, number>()

/** One five-minute row at noon of a day, as the roll-up would store it. */
const reads = (deviceId: string, day: string, v: Record<string, number>) =>
  world.database.pool.query(
    'insert into telemetry_5m (device_id, ts, n, v) values ($1, $2, 1, $3) on conflict (device_id, ts) do update set v = excluded.v',
    [deviceId, `${day}T12:00:00+08:00`, Object.fromEntries(Object.entries(v).map(([key, value]) => [key, [value, value, value, 1]]))],
  )
const used = (deviceId: string, register: number) => register * (ratios.get(deviceId) ?? 1)
const draft = (month: string) => pm.call(calls.draftSheet, { query: { ...query, kind: 'electric', month } })
const settle = (month: string, totalUsage: number, as = pm) =>
  as.ask(calls.settleMonth, { query, body: { kind: 'electric', month, totalUsage } })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  pm = await settled.as('hospital-pm')
  stranger = await settled.as('zhigu-pm')
  project = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  query = { projectCode: project }
  const meters = settled.city.devices.filter((d) => d.family === 'electricMeter' && d.projectCode === project)
  main = meters[0]?.id ?? ''
  branch = meters[1]?.id ?? ''
  for (const one of meters) ratios.set(one.id, Number(one.params.ratio))
  await world.database.pool.query(`update device set params = params || '{"corpName":"鼎力劳务"}' where id = $1`, [branch])
  // September ends at 1,000 and 300; October at 1,100 and 330, of which the main counts 40 at peak and 20 at valley rate.
  for (const [day, a, b] of [
    ['2026-09-30', 1_000, 300],
    ['2026-10-10', 1_040, 310],
    ['2026-10-31', 1_100, 330],
    ['2026-11-15', 1_150, 345],
  ] as const) {
    await reads(main, day, { totalEnergy: a, peakEnergy: 400 + (a - 1_000) * 0.4, valleyEnergy: 200 + (a - 1_000) * 0.2 })
    await reads(branch, day, { totalEnergy: b })
  }
})
afterAll(() => world.close())

describe('what a month costs', () => {
  test('is peak, valley and the rest by their prices, or the plain price where the meter does not tell them apart', () => {
    const prices = { price: 0.7, peakPrice: 1, valleyPrice: 0.3 }
    expect(amountOf(100, 40, 20, prices)).toBe(40 + 6 + 28)
    expect(amountOf(100, null, null, prices)).toBe(70)
    expect(amountOf(100, 40, 20, { price: 0.7, peakPrice: null, valleyPrice: null })).toBe(70)
  })
  test('is counted by the mains alone, and what no meter below counts is loss', () => {
    const row = { deviceName: '', area: null, corpName: null, startReading: 0, endReading: 0, ratio: 1, quota: null, quotaPercent: null }
    const more = { rollbacks: 0, peakUsage: null, valleyUsage: null, estimatedShare: 0, carried: 0 }
    const sums = sumsOfSheet([
      { ...row, ...more, deviceId: 'main', parentId: null, usage: 100, amount: 70 },
      { ...row, ...more, deviceId: 'a', parentId: 'main', usage: 60, amount: 42 },
      { ...row, ...more, deviceId: 'b', parentId: 'main', usage: 26, amount: 18.2 },
      { ...row, ...more, deviceId: 'alone', parentId: null, usage: 5, amount: 3.5 },
    ])
    expect(sums).toEqual({ totalUsage: 105, lossPercent: 14, amount: 73.5 })
  })
  test.each([
    ['2026-11', undefined, 3, '这个月还没有结束，次月起可以月结'],
    ['2026-10', '2026-10', 3, '2026-10 已月结'],
    ['2026-08', '2026-09', 3, '2026-09 已月结，更早的月份不能再结'],
    ['2026-10', '2026-08', 3, '请先月结 2026-09'],
    ['2026-10', undefined, 0, '这个月没有读数'],
    ['2026-10', '2026-09', 3, null],
  ])('%s after %s with %i meters: %s', (month, last, meters, said) => expect(hindranceOf(month, last, '2026-11', meters)).toBe(said))
})

describe('a month of a site', () => {
  test('has a price from a month on; bad ones are refused at their field', async () => {
    const bad = await pm.ask(calls.createMeterPrice, { query, body: { kind: 'electric', fromMonth: '2026-09', price: 0.7, peakPrice: 1 } })
    expect(bad).toMatchObject({ status: 2, message: '峰价与谷价应同时填写' })
    const wet = await pm.ask(calls.createMeterPrice, {
      query,
      body: { kind: 'water', fromMonth: '2026-09', price: 3, peakPrice: 4, valleyPrice: 2 },
    })
    expect(wet).toMatchObject({ status: 2, message: '水价不分峰谷' })
    await pm.call(calls.createMeterPrice, {
      query,
      body: { kind: 'electric', fromMonth: '2026-09', price: 0.7, peakPrice: 1, valleyPrice: 0.3 },
    })
    const twice = await pm.ask(calls.createMeterPrice, { query, body: { kind: 'electric', fromMonth: '2026-09', price: 0.8 } })
    expect(twice).toMatchObject({ message: '这个月已有单价，请先删除' })
    expect(
      (await stranger.ask(calls.createMeterPrice, { query, body: { kind: 'electric', fromMonth: '2026-10', price: 0.1 } })).status,
    ).not.toBe(0)
  })

  test('is looked at before it is settled: readings, use, money', async () => {
    const sheet = await draft('2026-10')
    expect(sheet.hindrance).toBeNull()
    const [a, b] = [main, branch].map((id) => sheet.rows.find((one) => one.deviceId === id))
    expect(a).toMatchObject({ startReading: 1_000, endReading: 1_100, usage: used(main, 100), peakUsage: used(main, 40), carried: 0 })
    expect(a?.amount).toBeCloseTo(used(main, 40 * 1 + 20 * 0.3 + 40 * 0.7), 1)
    expect(b).toMatchObject({ usage: used(branch, 30), peakUsage: null, corpName: '鼎力劳务' })
    expect(b?.amount).toBeCloseTo(used(branch, 30) * 0.7, 1)
    // No readings between the tenth and the end: these days are interpolated.
    expect(a?.estimatedShare).toBeGreaterThan(0)
  })

  test('is settled once, as it was seen, by whoever may', async () => {
    const { totalUsage } = await draft('2026-10')
    expect(await settle('2026-11', 0)).toMatchObject({ message: '这个月还没有结束，次月起可以月结' })
    expect(await settle('2026-10', totalUsage - 10)).toMatchObject({ message: '查看之后又有读数到达，请核对新的结算单后再月结' })
    expect((await settle('2026-10', totalUsage, stranger)).status).not.toBe(0)
    const both = await Promise.all([settle('2026-10', totalUsage), settle('2026-10', totalUsage)])
    expect(both.map((one) => one.status).sort()).toEqual([0, expect.any(Number)])
    expect(both.find((one) => one.status !== 0)?.message).toBe('2026-10 已月结')
    const months = await pm.call(calls.listSettledMonths, { query: { ...query, kind: 'electric' } })
    expect(months).toMatchObject({ total: 1, list: [{ month: '2026-10', totalUsage }] })
  })

  test('never changes after: what comes late is counted by the next month, in sheet and list alike', async () => {
    const [month] = (await pm.call(calls.listSettledMonths, { query: { ...query, kind: 'electric' } })).list
    // A reading of the last evening of October that the device buffered.
    await world.database.pool.query('insert into telemetry_5m (device_id, ts, n, v) values ($1, $2, 1, $3)', [
      main,
      '2026-10-31T23:55:00+08:00',
      { totalEnergy: [1_110, 1_110, 1_110, 1] },
    ])
    const kept = await pm.call(calls.getSettledSheet, { params: { id: month?.id ?? '' }, query })
    expect(kept.rows.find((one) => one.deviceId === main)).toMatchObject({ endReading: 1_100, usage: used(main, 100) })
    const next = (await draft('2026-11')).rows.find((one) => one.deviceId === main)
    expect(next).toMatchObject({ startReading: 1_100, usage: used(main, 50), carried: used(main, 10) })
    const listed = await pm.call(electricRecords, {
      query: { ...query, groupBy: 'meter,month', deviceId: main, startTime: '2026-10-01', endTime: '2026-11-20' },
    })
    expect(listed.list).toMatchObject([
      { month: '2026-11', startReading: 1_100, usage: used(main, 50), locked: false },
      { month: '2026-10', startReading: 1_000, endReading: 1_100, usage: used(main, 100), locked: true },
    ])
  })

  test('keeps its price, and later ones begin later', async () => {
    const [price] = (await pm.call(calls.listMeterPrices, { query: { ...query, kind: 'electric' } })).list
    expect(price?.locked).toBe(true)
    expect((await pm.ask(calls.removeMeterPrice, { params: { id: price?.id ?? '' }, query })).message).toContain('不能删除')
    const early = await pm.ask(calls.createMeterPrice, { query, body: { kind: 'electric', fromMonth: '2026-10', price: 0.9 } })
    expect(early).toMatchObject({ message: '2026-10 已月结，单价只能从之后的月份起' })
  })

  test('is signed unit by unit, by version; nobody else reads or signs it', async () => {
    const [month] = (await pm.call(calls.listSettledMonths, { query: { ...query, kind: 'electric' } })).list
    const params = { id: month?.id ?? '' }
    const sign = (body: object, as = pm) =>
      as.ask(calls.signSheet, { params, query, body: { corpName: '鼎力劳务', signer: '程定川', result: 'agreed', version: 0, ...body } })
    expect(await sign({ corpName: '别的单位' })).toMatchObject({ message: '结算单中没有这个使用单位' })
    expect(await sign({ result: 'objected' })).toMatchObject({ status: 2, message: '请写明异议' })
    expect(await sign({})).toMatchObject({ status: 0, data: { signedCorps: 1 } })
    expect((await sign({})).message).toContain('请刷新后再改')
    expect((await sign({ version: 1 }, stranger)).status).not.toBe(0)
    expect((await stranger.ask(calls.getSettledSheet, { params, query: { projectCode: '*' } })).status).not.toBe(0)
    expect((await stranger.call(calls.listSettledMonths, { query: { projectCode: '*' } })).list).toEqual([])
  })
})
