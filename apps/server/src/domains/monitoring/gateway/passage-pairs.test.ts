import * as calls from '@zhugong/contract/monitoring/gateway/passage-pairs'
import { getPassage, listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import { correctPassage, markPassages, mostMarks } from '@zhugong/contract/monitoring/record-fixes'
import type { Device } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { formatDay, startOfDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

const hour = 3_600_000
const now = startOfDay(formatDay(Date.now())) + 15 * hour

let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let stranger: Caller
let main = ''
let lane: Device

const passed = async (time: number, direction: '0' | '1', plateNo: string, more: object = {}, device = lane) => {
  await world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'accessRecord', $5, $3)`,
    [
      device.id,
      device.projectCode,
      new Date(time),
      `pass:${time}`,
      JSON.stringify({ plateNo, direction, vehicleType: '1', confidence: 0.95, ...more }),
    ],
  )
}
const query = () => ({ projectCode: main })
const all = async (more: object = {}) =>
  pm.call(listPassages, { query: { ...query(), deviceId: lane.id, startTime: String(now - 8 * 24 * hour), ...more } })
const idAt = async (time: number) => (await all()).list.find((one) => one.time === time)?.id ?? ''
const inside = async () => [(await all()).today.inside, (await all({ tab: 'inside' })).list.map((one) => one.plateNo)]

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  pm = await settled.as('hospital-pm')
  regulator = await settled.as('bj-zhao')
  stranger = await settled.as('zhigu-pm')
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  lane = settled.city.devices.find((d) => d.family === 'truckAccess' && d.projectCode === main && d.behaviour === 'normal') as Device
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['passage_pair', 'record_fix', 'record_fix_log', 'device_record'])
    await world.database.pool.query(`delete from ${table}`)
})

describe('pairs made by hand', () => {
  test('a misread way out is joined with its way in: who is inside, stays and both histories follow; undone it is as it was', async () => {
    await passed(now - 3 * hour, '0', '鄂A10001')
    await passed(now - 2 * hour, '1', '鄂A1OOO1')
    await passed(now - hour, '1', '鄂B88888')
    const [entryId, exitId] = [await idAt(now - 3 * hour), await idAt(now - 2 * hour)]
    expect(await inside()).toEqual([1, ['鄂A10001']])
    const halves = await pm.call(calls.listPairable, { params: { id: entryId }, query: query() })
    expect(halves.list.map((one) => one.plateNo)).toEqual(['鄂A1OOO1', '鄂B88888'])
    const joined = await pm.call(calls.joinPassages, { query: query(), body: { entryId, exitId, reason: '照片为同一辆车' } })
    expect(joined).toMatchObject({ paired: 'hand', stayMinutes: 60, inside: false })
    expect(await inside()).toEqual([0, []])
    const exit = await pm.call(getPassage, { params: { id: exitId } })
    expect(exit).toMatchObject({ paired: 'hand', stayMinutes: 60, pair: { plateNo: '鄂A10001' } })
    expect(exit.log[0]).toMatchObject({ reason: '照片为同一辆车', byName: expect.any(String) })
    expect(exit.log[0]?.changes[0]).toMatchObject({ label: '配对', from: '--', to: expect.stringContaining('进场') })
    expect(
      (await pm.ask(calls.joinPassages, { query: query(), body: { entryId, exitId: await idAt(now - hour), reason: '再配' } })).message,
    ).toContain('已人工配对')
    // A paired passage keeps its direction until the pair is dissolved.
    const turn = await pm.ask(correctPassage, {
      params: { id: exitId },
      query: query(),
      body: { version: 0, reason: '反了', direction: '1' },
    })
    expect(turn.message).toContain('先解除配对')
    const parted = await pm.call(calls.partPassages, { params: { id: exitId }, query: { ...query(), reason: '看错了' } })
    expect(parted).toMatchObject({ paired: null, stayMinutes: null })
    expect(await inside()).toEqual([1, ['鄂A10001']])
    const { rows } = await world.database.pool.query('select kind, reason, by_name, undone_by, undone_reason from passage_pair')
    expect(rows).toEqual([
      { kind: 'joined', reason: '照片为同一辆车', by_name: expect.any(String), undone_by: expect.any(String), undone_reason: '看错了' },
    ])
    expect((await pm.ask(calls.partPassages, { params: { id: exitId }, query: { ...query(), reason: '再解' } })).message).toBe(
      '这次通行没有配对',
    )
    expect((await pm.call(getPassage, { params: { id: entryId } })).log.map((step) => step.reason)).toEqual(
      expect.arrayContaining(['看错了', '照片为同一辆车']),
    )
  })

  test('a pair the plate made is parted and can be joined again; a joined way out is nobody else’s', async () => {
    await passed(now - 5 * hour, '0', '鄂A10001')
    await passed(now - 4 * hour, '0', '鄂A10002')
    await passed(now - 3 * hour, '1', '鄂A10001')
    const [first, second, exitId] = [await idAt(now - 5 * hour), await idAt(now - 4 * hour), await idAt(now - 3 * hour)]
    expect((await inside())[1]).toEqual(['鄂A10002'])
    await pm.call(calls.partPassages, { params: { id: first }, query: { ...query(), reason: '出场的是 10002，误读' } })
    expect((await inside())[1]).toEqual(['鄂A10002', '鄂A10001'])
    await pm.call(calls.joinPassages, { query: query(), body: { entryId: second, exitId, reason: '误读' } })
    expect((await inside())[1]).toEqual(['鄂A10001'])
    await pm.call(calls.partPassages, { params: { id: second }, query: { ...query(), reason: '还是第一辆' } })
    await pm.call(calls.joinPassages, { query: query(), body: { entryId: first, exitId, reason: '还是第一辆' } })
    expect((await inside())[1]).toEqual(['鄂A10002'])
    // Same plate but separated by a person: the plate does not pair them again.
    await pm.call(calls.partPassages, { params: { id: first }, query: { ...query(), reason: '套牌' } })
    expect((await inside())[1]).toEqual(['鄂A10002', '鄂A10001'])
  })

  test('nonsense and strangers are refused', async () => {
    await passed(now - 7.5 * 24 * hour, '0', '鄂A10000')
    await passed(now - 3 * hour, '0', '鄂A10001')
    await passed(now - 4 * hour, '1', '鄂A10002')
    await passed(now - 2 * hour, '1', '鄂A10003')
    const [old, entryId, before, exitId] = [
      await idAt(now - 7.5 * 24 * hour),
      await idAt(now - 3 * hour),
      await idAt(now - 4 * hour),
      await idAt(now - 2 * hour),
    ]
    const join = (caller: Caller, body: object) =>
      caller.ask(calls.joinPassages, { query: query(), body: { entryId, exitId, reason: '核对', ...body } })
    expect((await join(pm, { exitId: before })).message).toBe('出场时间应晚于进场时间')
    expect((await join(pm, { entryId: exitId })).message).toBe('应选择一条进场记录')
    expect((await join(pm, { exitId: entryId })).message).toBe('应选择一条出场记录')
    expect((await join(pm, { entryId: old })).message).toContain('超过 7 天')
    expect((await join(pm, { reason: '' })).message).toContain('配对原因')
    expect((await join(regulator, {})).http).toBe(403)
    expect((await join(stranger, {})).status).not.toBe(0)
    expect((await stranger.ask(calls.listPairable, { params: { id: entryId }, query: { projectCode: '*' } })).status).not.toBe(0)
    const both = await Promise.all([join(pm, {}), join(pm, {})])
    expect(both.map((one) => one.status).filter((status) => status === 0)).toHaveLength(1)
  })
})

describe('doubtful passages are marked together', () => {
  const doubtful = async () => (await all({ tab: 'doubtful' })).list
  test('one reason for the chosen rows; what cannot be marked is told row by row', async () => {
    await passed(now - 5 * hour, '1', '鄂A10001', { confidence: 0.5, washed: '0' })
    await passed(now - 4 * hour, '1', '鄂A1', { confidence: 0.3 })
    await passed(now - 3 * hour, '1', '鄂A10003', { confidence: 0.6 })
    const rows = (await doubtful()).map(({ id, version }) => ({ id, version }))
    expect(rows).toHaveLength(3)
    const mark = (caller: Caller, body: object) =>
      caller.ask(markPassages, { query: query(), body: { rows, reason: '逐张看过照片', ...body } as never })
    const right = await mark(pm, { plate: 'right', washState: '1' })
    expect(right.data).toMatchObject({ done: 2, failed: [{ plateNo: '鄂A1', reason: expect.stringContaining('逐条更正') }] })
    const left = await doubtful()
    expect(left.map((one) => one.plateNo)).toEqual(['鄂A1'])
    const file = await pm.call(getPassage, { params: { id: rows.at(-1)?.id ?? '' } })
    expect(file).toMatchObject({ washState: '1', confidence: 1, corrected: true })
    expect(file.log[0]?.changes.map((one) => [one.label, one.to])).toEqual([
      ['冲洗', '已冲洗'],
      ['车牌置信度', '1'],
    ])
    // Outdated row versions are reported as changed.
    const late = await mark(pm, { plate: 'unreadable' })
    expect(late.data).toMatchObject({
      done: 1,
      failed: [{ reason: expect.stringContaining('请刷新后再改') }, { reason: expect.anything() }],
    })
    expect(await doubtful()).toEqual([])
    expect((await all({ plateNo: '鄂A1' })).list.filter((one) => one.unreadable).map((one) => one.plateNo)).toEqual(['鄂A1'])
    // A plate corrected by a person is no longer unreadable.
    const one = (await all()).list.find((row) => row.unreadable)
    await pm.call(correctPassage, {
      params: { id: one?.id ?? '' },
      query: query(),
      body: { version: 1, reason: '放大后认出', plateNo: '鄂A10009' },
    })
    expect((await all()).list.some((row) => row.unreadable)).toBe(false)
  })

  test('too many, nothing chosen, nothing said, foreign rows and strangers are refused', async () => {
    await passed(now - 4 * hour, '1', '鄂A1', { confidence: 0.3 })
    const rows = (await doubtful()).map(({ id, version }) => ({ id, version }))
    const mark = (caller: Caller, body: object) =>
      caller.ask(markPassages, { query: query(), body: { rows, plate: 'unreadable', reason: '核对', ...body } as never })
    expect((await mark(pm, { rows: Array.from({ length: mostMarks + 1 }, () => rows[0]) })).message).toContain(`最多标记 ${mostMarks} 辆次`)
    expect((await mark(pm, { rows: [] })).message).toContain('请选择要标记的通行')
    expect((await mark(pm, { plate: undefined })).message).toContain('至少选择一项')
    expect((await mark(pm, { rows: [...rows, { id: 'nobody.1700000000000.00000000', version: 0 }] })).message).toContain('不存在')
    expect(await doubtful()).toHaveLength(1)
    expect((await mark(regulator, {})).http).toBe(403)
    expect((await mark(stranger, {})).status).not.toBe(0)
  })
})
