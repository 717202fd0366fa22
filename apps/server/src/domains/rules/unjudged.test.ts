import * as calls from '@zhugong/contract/rules/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { deliverDefaultRules } from '#domains/rules/public'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { type Lack, type LackingRule, lacksOf } from './lacking.ts'

let world: World
let city: CityWorld
let officer: Caller
let projectCode: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await deliverDefaultRules(world.database.kysely)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  officer = await city.as('hospital-pm')
})
afterAll(() => world.close())

const reported = (metrics: string[], more: Partial<LackingRule> = {}): LackingRule => ({
  metrics: new Set(metrics),
  bad: new Set(),
  params: {},
  unheard: [],
  ...more,
})
const threshold = (metric: string, more: object = { value: 1 }) => ({ type: 'threshold' as const, metric, op: '>=' as const, ...more })
test.each<[string, Parameters<typeof lacksOf>[0], LackingRule, Lack[]]>([
  ['a metric that is sent', threshold('a'), reported(['a']), []],
  ['one that is not', threshold('a'), reported(['b']), [{ kind: 'metric', key: 'a' }]],
  ['its substitute is', threshold('a', { value: 1, fallbackMetric: 'b' }), reported(['b']), []],
  ['sent, but bad', threshold('a'), reported(['a'], { bad: new Set(['a']) }), [{ kind: 'quality', key: 'a' }]],
  ['a limit nobody filled in', threshold('a', { param: 'max', factor: 0.7 }), reported(['a']), [{ kind: 'param', key: 'max' }]],
  ['a limit that is filled in', threshold('a', { param: 'max' }), reported(['a'], { params: { max: 3 } }), []],
  ['a limit with a usual value', threshold('a', { param: 'max', default: 4 }), reported(['a']), []],
  ['one of two alternatives', { type: 'or', of: [threshold('a'), threshold('b')] }, reported(['b']), []],
  [
    'one of two that both have to hold',
    { type: 'and', of: [threshold('a'), threshold('b')] },
    reported(['b']),
    [{ kind: 'metric', key: 'a' }],
  ],
  ['an expression over two', { type: 'expression', expr: 'a > 1 and b > 2' }, reported(['b']), [{ kind: 'metric', key: 'a' }]],
  ['an expression one side of which will do', { type: 'expression', expr: 'a > 1 or b > 2' }, reported(['b']), []],
  [
    'a parameter in an expression',
    { type: 'expression', expr: 'phase == 3 and any(v < 50)' },
    reported(['voltageB'], { params: { phase: 3 } }),
    [],
  ],
  ['a flag that was never raised', { type: 'state', metric: 'sos', equals: true }, reported([]), []],
  ['a state that is not sent', { type: 'state', metric: 'valve', equals: 1 }, reported([]), [{ kind: 'metric', key: 'valve' }]],
  ['a date nobody entered', { type: 'dueDate', param: 'due', daysBefore: 7 }, reported([]), [{ kind: 'param', key: 'due' }]],
  ['silence needs nothing', { type: 'noData', seconds: 60 }, reported([]), []],
  [
    'a crane beside it that is not heard',
    { type: 'craneClearance', op: '<', value: 2, predictSeconds: 5 },
    reported(['slewAngle', 'radius'], { params: { originX: 1 }, unheard: ['c2'] }),
    [{ kind: 'neighbour', key: 'c2' }],
  ],
])('what a condition lacks: %s', (_, condition, known, expected) => {
  expect(lacksOf(condition, known)).toEqual(expected)
})

const cranes = () => city.city.devices.filter((d) => d.projectCode === projectCode && d.family === 'towerCrane')
const latest = (id: string, at: number, v: object) =>
  world.database.pool.query(
    `insert into device_latest (device_id, ts, received_at, v, online, online_since) values ($1, $2, $2, $3, true, $2)
     on conflict (device_id) do update set ts = excluded.ts, received_at = excluded.received_at, v = excluded.v`,
    [id, new Date(at), v],
  )
const request = (who: Caller, query: object = {}) => who.call(calls.unjudgedRules, { query: { size: 200, ...query } })

test('a rule that has lost its metric is shown with what is missing, and is gone when it is there again', async () => {
  const [crane, other] = cranes()
  if (!crane || !other) throw new Error('two cranes')
  const now = Date.now()
  const whole = { slewAngle: 90, radius: 20, momentPercent: 30, windSpeed: 4, tiltAngle: 0.1 }
  const { windSpeed: _, ...withoutWind } = whole
  await latest(crane.id, now, withoutWind)
  await latest(other.id, now, whole)
  await world.database.pool.query(`insert into telemetry_5m (device_id, ts, n, v) values ($1, $2, 10, '{"windSpeed": [1, 2, 3, 4]}')`, [
    crane.id,
    new Date(now - 30 * 3_600_000),
  ])
  const wind = (await request(officer)).list.find((r) => r.alarmKey === 'windAlarm')
  expect(wind).toMatchObject({ family: 'towerCrane', covered: 2, unable: 1, never: 0, noSource: false })
  expect(wind?.devices).toMatchObject([
    {
      deviceId: crane.id,
      missing: [{ kind: 'metric', key: 'windSpeed', text: expect.stringMatching(/^风速 已停报，最后约 \d\d-\d\d \d\d:\d\d$/) }],
    },
  ])
  const rules = await officer.call(calls.listTriggers, { query: { projectCode, family: 'towerCrane', size: 100 } })
  const listed = rules.list.find((r) => !r.template && r.alarmKey === 'windAlarm')
  expect(listed).toMatchObject({ unjudged: 1 })
  expect((await request(officer, { deviceId: other.id })).list.map((r) => r.alarmKey)).not.toContain('windAlarm')
  expect((await request(await city.as('dongwan-officer'))).list.flatMap((r) => r.devices.map((d) => d.deviceId))).not.toContain(crane.id)
  expect((await request(await city.as('dongwan-officer'), { deviceId: crane.id })).list).toEqual([])

  await latest(crane.id, now + 1, whole)
  expect((await request(officer)).list.map((r) => r.alarmKey)).not.toContain('windAlarm')
})

test('what no device ever sent is a rule without a source, said once and not by device', async () => {
  const now = Date.now()
  for (const { id } of cranes()) await latest(id, now + 2, { slewAngle: 90, radius: 20 })
  await world.database.pool.query('delete from telemetry_5m')
  const tilt = (await request(officer)).list.find((r) => r.alarmKey === 'tiltAlarm')
  expect(tilt).toMatchObject({ noSource: true, unable: 0, devices: [] })
  const rules = await officer.call(calls.listTriggers, { query: { projectCode, family: 'towerCrane', size: 100 } })
  expect(rules.list.find((r) => !r.template && r.alarmKey === 'tiltAlarm')).toMatchObject({ lastReason: '无数据源', unjudged: 0 })
  const [one] = cranes()
  const own = (await request(officer, { deviceId: one?.id })).list.find((r) => r.alarmKey === 'tiltAlarm')
  expect(own?.devices[0]?.missing[0]?.text).toMatch(/^从未上报 /)
})

test('a crane whose neighbour is not heard has no anti-collision watch until it is back', async () => {
  const [crane, other] = cranes()
  if (!crane || !other) throw new Error('two cranes')
  const event = (state: string, at: number) =>
    world.database.pool.query('insert into device_event (device_id, ts, id, kind, data) values ($1, $2, $3, $4, $5)', [
      crane.id,
      new Date(at),
      `degraded:${state}`,
      'monitoringDegraded',
      { state, since: at - 60_000, missing: state === 'start' ? [other.id] : [] },
    ])
  const at = Date.now()
  await event('start', at)
  const collision = async () => (await request(officer)).list.find((r) => r.alarmKey === 'collisionAlarm')
  expect((await collision())?.devices).toMatchObject([
    { deviceId: crane.id, missing: [{ kind: 'neighbour', key: other.id, text: `邻机 ${other.name} 无数据`, since: at - 60_000 }] },
  ])
  const own = (await request(officer, { deviceId: crane.id })).list.find((r) => r.alarmKey === 'collisionAlarm')
  expect(own?.devices[0]?.missing[0]?.text).toBe(`邻机 ${other.name} 无数据`)
  await event('end', at + 1000)
  expect(await collision()).toBeUndefined()
})

test('a share of a point’s own control value stays unknown until the designer’s value is entered', async () => {
  const point = city.city.devices.find((d) => d.projectCode === projectCode && d.family === 'foundationPit')
  if (!point) throw new Error('a pit')
  await latest(point.id, Date.now(), { topHorizontalDisplacement: 3 })
  const levels = [
    { level: 3, condition: { type: 'threshold', metric: 'topHorizontalDisplacement', op: 'abs>=', param: 'controlValue', factor: 0.7 } },
  ]
  const body = { name: '墙顶位移预警', family: 'foundationPit', alarmKey: 'topHorizontalWarning', projectCode, levels }
  const { id } = await officer.call(calls.createTrigger, { body: body as never })
  const detail = await officer.call(calls.getTrigger, { params: { id } })
  expect('summary' in detail && detail.summary).toBe('|墙顶水平位移(累计)| ≥ 累计控制值的 70 %，报三级')
  const stuck = async () => (await request(officer, { ruleId: id })).list[0]?.devices.find((d) => d.deviceId === point.id)?.missing
  await world.database.pool.query(`update device set params = params - 'controlValue' where id = $1`, [point.id])
  expect(await stuck()).toMatchObject([{ kind: 'param', key: 'controlValue', text: '未填写 累计控制值' }])
  await world.database.pool.query(`update device set params = params || '{"controlValue": 30}' where id = $1`, [point.id])
  expect(await stuck()).toBeUndefined()
  const refused = await officer.ask(calls.createTrigger, {
    body: { ...body, alarmKey: 'x1', levels: [{ ...levels[0], condition: { ...levels[0]?.condition, param: 'nothing' } }] } as never,
  })
  expect(refused).toMatchObject({ status: 2, message: expect.stringContaining('没有设备参数') })
})

test('a rule that asks for too much is listed with the reason: where the engine set it aside, and where it could not be saved today', async () => {
  const [crane] = cranes()
  if (!crane) throw new Error('a crane')
  const { pool } = world.database
  await latest(crane.id, Date.now(), { load: 3 })
  const levels = [{ level: 2, condition: { type: 'threshold', metric: 'load', op: '>=', value: 30 } }]
  const body = { name: '很重的规则', family: 'towerCrane', alarmKey: 'heavyRule', projectCode, levels }
  const { id } = await officer.call(calls.createTrigger, { body: body as never })
  const missing = async () => (await request(officer, { ruleId: id })).list[0]?.devices.find((d) => d.deviceId === crane.id)?.missing
  expect(await missing()).toBeUndefined()
  await pool.query(
    `insert into rule_state (device_id, trigger_id, level, state) values ($1, $2, 1, '{"version": 1, "since": 1790000000000}')`,
    [crane.id, id],
  )
  expect(await missing()).toMatchObject([
    { kind: 'cost', text: expect.stringContaining('计算量超出上限：单次判定超过'), since: 1_790_000_000_000 },
  ])
  await officer.call(calls.updateTrigger, { params: { id }, body: { levels: [{ ...levels[0], forSeconds: 5 }] as never, version: 1 } })
  expect(await missing()).toBeUndefined()
  const inner = { type: 'countInWindow', metric: 'load', op: '>=', value: 1, count: 1, windowSeconds: 600 }
  const nested = [{ level: 2, condition: { type: 'countInWindow', of: inner, count: 1, windowSeconds: 600 } }]
  await pool.query('update rule_trigger set levels = $2 where id = $1', [id, JSON.stringify(nested)])
  expect(await missing()).toMatchObject([{ kind: 'cost', text: expect.stringContaining('窗口条件不能嵌套') }])
  expect((await officer.ask(calls.listTriggers, { query: { projectCode, family: 'towerCrane', size: 100 } })).status).toBe(0)
})
