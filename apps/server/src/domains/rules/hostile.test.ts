import { monitorEventLoopDelay } from 'node:perf_hooks'
import { checkCondition } from '@zhugong/contract/rules/conditions'
import * as calls from '@zhugong/contract/rules/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let manager: Caller

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  manager = await city.as('hospital-pm')
})
afterAll(() => world.close())

const load = { type: 'threshold', metric: 'load', op: '>=', value: 1 }
const counted = (of: object, windowSeconds = 60) => ({ type: 'countInWindow', of, count: 1, windowSeconds })
const deep = (depth: number, width: number): object =>
  depth === 0 ? load : { type: 'and', of: Array.from({ length: width }, () => deep(depth - 1, width)) }
const ring = (n: number) => Array.from({ length: n }, (_, i) => [114 + Math.cos((i / n) * 6.28) / 100, 30 + Math.sin((i / n) * 6.28) / 100])
const fence = (polygon: unknown) => ({ type: 'geofence', mode: 'inside', polygon })
const expr = (text: string) => ({ type: 'expression', expr: text })
const nested = '窗口条件不能嵌套'

const corpus: [string, object, string][] = [
  ['a window within a window', counted(counted(load)), nested],
  ['windows four deep', counted(counted(counted(load))), nested],
  ['a window within a group within a window', counted({ type: 'or', of: [load, { ...load, windowSeconds: 60 }] }), nested],
  ['a frozen sensor within a window', counted({ type: 'constant', metric: 'load', seconds: 60 }), nested],
  ['an average within a window', counted({ type: 'ratioToAverage', metrics: ['load'], samples: 3, factor: 2 }), nested],
  ['an expression with a window within a window', counted(expr('avg(load, 60) > 1')), nested],
  ['windows nested in an expression', expr('any(avg(load, 60) > 1, 60)'), nested],
  ['windows nested in an expression, out of sight', expr('not (load > 1 or all(-(max(load, 9)) * 2 < 3, 60))'), nested],
  ['ten thousand conditions', deep(4, 10), '最多 50 个条件'],
  ['51 conditions', { type: 'or', of: [deep(1, 16), deep(1, 16), deep(1, 15)] }, '最多 50 个条件'],
  ['conditions five deep', deep(5, 1), '最多嵌套 4 层'],
  ['a fence of 15,000 corners', fence(ring(15_000)), '最多 2000 个顶点'],
  ['a fence of 1,001 corners', fence(ring(1_001)), '最多 1000 个顶点'],
  ['many large fences', { type: 'or', of: [fence(ring(900)), fence(ring(900)), fence(ring(900))] }, '最多 2000 个顶点'],
  ['a window of years', { ...load, windowSeconds: 1e12 }, '最长 400 天'],
  ['an expression of brackets', expr(`${'('.repeat(200)}1${')'.repeat(200)} > 0`), '嵌套过深'],
  ['an expression of minus signs', expr(`${'-'.repeat(400)}1 > 0`), '嵌套过深'],
  ['an expression of negations', expr(`${'not '.repeat(100)}true`), '嵌套过深'],
  ['a long expression', expr(`load${' + load'.repeat(200)} > 1`), '最多 500 个字符'],
  ['a function of the prototype', expr('constructor(1)'), '不支持函数'],
  ['a property of the prototype', expr('load.constructor > 1'), '不认识的名称'],
  ['a type of the prototype', { type: 'constructor' }, '不支持的条件类型'],
  ['a type called __proto__', JSON.parse('{"type":"__proto__"}'), '不支持的条件类型'],
]

test.each(corpus)('refused in words that help: %s', async (_name, condition, words) => {
  const { problems } = checkCondition(condition)
  expect(problems[0]?.message).toContain(words)
  const body = { name: '坏规则', family: 'towerCrane', alarmKey: 'windAlarm', levels: [{ level: 2, condition }] }
  expect(await manager.ask(calls.createTrigger, { body: body as never })).toMatchObject({
    status: 2,
    message: expect.stringContaining(words),
  })
  const rehearsal = { trigger: { family: 'towerCrane', levels: body.levels }, samples: [{ time: 0, data: { load: 1 } }] }
  expect(await manager.ask(calls.rehearseTrigger, { body: rehearsal as never })).toMatchObject({
    status: 2,
    message: expect.stringContaining(words),
  })
})

test('names that every object answers to are names of nothing', async () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']) {
    const rehearse = (condition: object, samples: object[] = [{ time: 0, data: { load: 5 } }]) =>
      manager.ask(calls.rehearseTrigger, {
        body: { trigger: { family: 'towerCrane', levels: [{ level: 2, condition }] }, samples } as never,
      })
    expect(await rehearse({ ...load, metric: name })).toMatchObject({ status: 2 })
    expect(await rehearse(expr(`${name} > 1`))).toMatchObject({ status: 2 })
    expect(await rehearse(expr(`param.${name} != 1 or load > 99`))).toMatchObject({ status: 0, data: { opens: 0 } })
    // As a field name it is not accepted by the JSON parser.
    if (name === '__proto__') continue
    const given = JSON.parse(`[{"time":0,"data":{"load":5,"${name}":{"load":9}},"params":{"${name}":1}}]`) as object[]
    expect(await rehearse({ ...load, value: 9 }, given)).toMatchObject({ status: 0, data: { opens: 0 } })
  }
})

test('windows longer than anybody can judge at every reading are refused at the level that asks for them', async () => {
  const levels = [
    { level: 3, condition: { ...load, windowSeconds: 60 } },
    { level: 2, condition: { ...load, value: 2, windowSeconds: 30 * 86_400 } },
  ]
  const body = { name: '长窗口', family: 'towerCrane', alarmKey: 'windAlarm', levels }
  const answer = await manager.ask(calls.createTrigger, { body: body as never })
  expect(answer).toMatchObject({ status: 2, message: expect.stringContaining('统计窗口过长'), data: { field: 'levels.1.condition' } })
})

test('a rehearsal that the live engine would set aside says so', async () => {
  // A machine reporting ten times a second, with a window meant for one that reports every few seconds.
  const samples = Array.from({ length: 15_000 }, (_, i) => ({ time: 1_790_000_000_000 + i * 100, data: { load: 0 } }))
  const all = Array.from({ length: 5 }, (_, i) => ({ ...load, value: i + 1, windowSeconds: 1500, minCoverage: 0 }))
  const trigger = { family: 'towerCrane', levels: [{ level: 2, condition: { type: 'or', of: all } }] }
  const answer = await manager.ask(calls.rehearseTrigger, { body: { trigger, samples } as never })
  expect(answer).toMatchObject({ status: 4, message: expect.stringContaining('计算量过大') })
})

/** Every restart reads all samples again: a small request costs seconds of computation. */
const heavy = (restarts = 50) => ({
  trigger: { family: 'towerCrane', levels: [{ level: 2, condition: counted(load, 3_600) }] },
  samples: Array.from({ length: 8_000 }, (_, i) => ({ time: 1_790_000_000_000 + i * 1_000, data: { load: i % 7 } })),
  restarts: Array.from({ length: restarts }, (_, i) => 1_790_000_000_000 + (i * 8_000_000) / restarts),
})

test('while somebody rehearses as much as may be, others are answered', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let over = false
  const rehearsal = manager.ask(calls.rehearseTrigger, { body: heavy() as never }).finally(() => {
    over = true
  })
  let answered = 0
  while (!over) {
    expect((await manager.ask(calls.listLevels, {})).status).toBe(0)
    if (!over) answered++
  }
  delay.disable()
  expect(await rehearsal).toMatchObject({ status: 0, data: { evaluated: 8_000 } })
  expect(answered).toBeGreaterThan(0)
  process.stdout.write(`others answered ${answered} times meanwhile; longest stop ${(delay.max / 1e6).toFixed(0)} ms\n`)
})

test('work for whoever has gone is given up: it fills no queue', async () => {
  const url = await world.api.app.listen({ host: '127.0.0.1', port: 0 })
  const left = Array.from({ length: 3 }, async () => {
    const gone = new AbortController()
    const headers = { token: manager.token, group: '*', 'content-type': 'application/json' }
    const answer = fetch(`${url}${calls.rehearseTrigger.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(heavy(1_000)),
      signal: gone.signal,
    })
    setTimeout(() => gone.abort(), 1_000)
    await expect(answer).rejects.toThrow()
  })
  await Promise.all(left)
  // The server notices the disconnection a moment later.
  await expect
    .poll(async () => (await manager.ask(calls.rehearseTrigger, { body: { ...heavy(), samples: [], restarts: [] } as never })).status, {
      timeout: 20_000,
    })
    .toBe(0)
})
