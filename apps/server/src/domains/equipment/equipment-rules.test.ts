import { mapping } from '@zhugong/contract/equipment/docking-endpoints'
import { metersOutside } from '@zhugong/contract/organisation/fence'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { describe, expect, test } from 'vitest'
import { alikeNames, coreOf } from './brand-names.ts'
import { deviceChecks } from './device-checks.ts'
import { selfChecks } from './device-health.ts'
import { type Known, readRow } from './device-import.ts'
import { dockChecks } from './dock-test.ts'
import { at, fieldsOf, instantOf, listsIn, mapAnswer } from './docking-map.ts'
import { checkModel, paramsToFill, versionDiff } from './model-rules.ts'
import { qualityOf } from './quality.ts'
import { checkCodes } from './station-codes.ts'

const crane = familyOf('towerCrane')
const meter = familyOf('electricMeter')
const dust = familyOf('environment')
if (!crane || !meter || !dust) throw new Error('families are missing')

describe('brands', () => {
  test.each([
    ['中联重科', '中联'],
    ['衡安（HengAn）', '衡安'],
    ['清源环境仪器', '清源'],
    ['科技', '科技'],
  ])('%s is at heart %s', (name, core) => expect(coreOf(name)).toBe(core))

  test('names of one core, and names that are another brand’s alias, look alike', () => {
    const found = alikeNames([
      { id: '1', name: '中联', alias: [] },
      { id: '2', name: '中联重科', alias: [] },
      { id: '3', name: '岩测', alias: ['YC'] },
      { id: '4', name: 'yc', alias: [] },
      { id: '5', name: '路明', alias: [] },
    ])
    expect(found.map((f) => f.group.map((b) => b.id))).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
  })
})

describe('models', () => {
  const none = { metrics: [], registers: [], alarmCodes: [], params: {} }
  test.each([
    [{ ...none, metrics: [{ key: 'nothing' }] }, '没有指标'],
    [{ ...none, metrics: [{ key: 'load' }, { key: 'load' }] }, '重复'],
    [{ ...none, metrics: [{ key: 'load', max: 100_000 }] }, '上限不能大于'],
    [{ ...none, metrics: [{ key: 'load', min: 5, max: 2 }] }, '上限应大于下限'],
    [
      {
        ...none,
        metrics: [
          { key: 'load', alias: 'a' },
          { key: 'radius', alias: 'a' },
        ],
      },
      '已用于',
    ],
    [{ ...none, metrics: [{ key: 'load' }], registers: [{ metric: 'radius', address: 1, type: 'u16' as const, scale: 1 }] }, '没有勾选'],
    [
      {
        ...none,
        registers: [
          { metric: 'load', address: 10, type: 'f32' as const, scale: 1 },
          { metric: 'radius', address: 11, type: 'u16' as const, scale: 1 },
        ],
      },
      '寄存器 11 已用于',
    ],
    [{ ...none, alarmCodes: [{ code: '1', alarmKey: 'nothing' }] }, '没有告警'],
    [{ ...none, params: { jibLength: 9_000 } }, '应在'],
  ])('%j is refused: %s', (content, why) => expect(() => checkModel(crane, content)).toThrow(why))

  test('a model within its family is accepted', () => {
    expect(() =>
      checkModel(meter, {
        metrics: [{ key: 'totalEnergy', alias: 'ep' }],
        registers: [{ metric: 'totalEnergy', type: 'dlt645', code: '00010000', scale: 1 }],
        alarmCodes: [],
        params: { ratio: 1 },
      }),
    ).not.toThrow()
  })
  test('versions tell what they changed, and defaults fill gaps only', () => {
    const first = { ...none, metrics: [{ key: 'load' }], params: { jibLength: 55 } }
    const second = { ...none, metrics: [{ key: 'load', max: 8 }, { key: 'radius' }], params: { jibLength: 60 } }
    expect(versionDiff(crane, undefined, first)).toEqual(['首个版本'])
    const diff = versionDiff(crane, first, second)
    expect(diff.some((d) => d.startsWith('增加指标'))).toBe(true)
    expect(diff.some((d) => d.includes('改为 60'))).toBe(true)
    expect(versionDiff(crane, first, first)).toEqual(['内容没有变化'])
    expect(paramsToFill({ jibLength: 55, maxLoad: 8 }, { jibLength: 50, maxLoad: '' })).toEqual({ maxLoad: 8 })
  })
})

test('quality is unknown where nothing was counted, and small samples say so', () => {
  const none = { devices: 0, sites: 0, days: 0, spans: 0, readings: 0, doubtful: 0, faults: 0, alarms: 0, falseAlarms: 0 }
  expect(qualityOf(none)).toEqual({ onlinePercent: null, validPercent: null, faultPer100: null, falsePercent: null, sites: 0, few: true })
  expect(
    qualityOf({
      ...none,
      devices: 20,
      sites: 2,
      days: 10,
      spans: 2_736,
      readings: 1_000,
      doubtful: 5,
      faults: 3,
      alarms: 10,
      falseAlarms: 1,
    }),
  ).toEqual({
    onlinePercent: 95,
    validPercent: 99.5,
    faultPer100: 15,
    falsePercent: 10,
    sites: 2,
    few: false,
  })
})

describe('docking answers', () => {
  const sample = {
    code: 0,
    data: {
      list: [
        { dev: { id: 7, pm: '35.5' }, t: '2026-11-20 08:00:00', p: 'A 工地' },
        { dev: {}, t: 'x' },
      ],
    },
  }
  const map = mapping.parse({
    list: 'data.list',
    externalId: 'dev.id',
    project: 'p',
    time: 't',
    values: [{ from: 'dev.pm', metric: 'pm10', factor: 0.1 }],
  })
  test('paths lead to values', () => {
    expect(at(sample, 'data.list[0].dev.pm')).toBe('35.5')
    expect(at(sample, 'data.none.x')).toBeUndefined()
    expect(at({ a: 1 }, 'toString')).toBeUndefined()
  })
  test('items are mapped one by one; what is wrong is named', () => {
    const { items, problem } = mapAnswer(sample, map)
    expect(problem).toBeNull()
    expect(items[0]).toMatchObject({
      externalId: '7',
      project: 'A 工地',
      time: Date.parse('2026-11-20T08:00:00+08:00'),
      values: { pm10: 3.55 },
      errors: [],
    })
    expect(items[1]?.errors).toEqual(['缺少设备标识 dev.id', '时间 t 无法识别'])
    expect(mapAnswer(sample, { ...map, list: 'rows' }).problem).toContain('没有列表 rows')
    expect(listsIn(sample)).toEqual(['data.list'])
    expect(fieldsOf(sample, 'data.list').map((f) => f.path)).toEqual(['dev.id', 'dev.pm', 't', 'p'])
  })
  test.each([
    [1_763_600_000, 1_763_600_000_000],
    ['1763600000000', 1_763_600_000_000],
    ['20261120080000', Date.parse('2026-11-20T08:00:00+08:00')],
    ['2026-11-20T00:00:00Z', Date.parse('2026-11-20T00:00:00Z')],
    ['gestern', null],
    [null, null],
  ])('time %s', (text, instant) => expect(instantOf(text)).toBe(instant))
})

describe('checks', () => {
  const facts = {
    family: crane,
    params: Object.fromEntries(crane.params.map((p) => [p.key, p.values ? (Object.keys(p.values)[0] ?? '') : (p.min ?? 1)])),
    protocol: 'mqtt',
    gateway: { enabled: true, sameProject: true },
    heard: true,
    modelName: 'HA-TC300',
    modelEnabled: true,
    specialRecordNo: 'HB-T-0001',
    place: [115.001, 30.001] as [number, number],
    fence: [
      [
        [115, 30],
        [115.002, 30],
        [115.002, 30.002],
        [115, 30.002],
      ],
    ] as [number, number][][],
    twins: 0,
  }
  test('a complete device has seven green ticks', () => expect(deviceChecks(facts).map((c) => c.ok)).toEqual(Array(7).fill(true)))
  test.each([
    [{ gateway: null }, 'access'],
    [{ params: {} }, 'params'],
    [{ place: [115.02, 30.001] as [number, number] }, 'place'],
    [{ heard: false }, 'data'],
    [{ modelEnabled: false }, 'model'],
    [{ specialRecordNo: null }, 'record'],
    [{ twins: 1 }, 'twin'],
  ])('%j fails %s alone', (change, key) =>
    expect(
      deviceChecks({ ...facts, ...change })
        .filter((c) => !c.ok)
        .map((c) => c.key),
    ).toEqual([key]),
  )
  test('a point outside is as far from the fence as it is', () => {
    expect(metersOutside([115.001, 30.001], facts.fence)).toBe(0)
    expect(Math.round(metersOutside([115.001, 30.003], facts.fence) ?? 0)).toBe(111)
  })

  const healthy = {
    inService: true,
    waitsForReview: false,
    heardSeconds: 5,
    offlineSeconds: 60,
    intervalSeconds: 10,
    refusedReason: null,
    gateway: null,
    badFramesHour: 0,
    skewSeconds: 0.2,
    doubtful: [],
    rules: 3,
    frames: { came: true, onlyAccepted: false, badTime: null, badHint: null },
  }
  const silence = { came: false, onlyAccepted: false, badTime: null, badHint: null }
  test('a self check stops at the first thing that is wrong', () => {
    expect(selfChecks(healthy).every((c) => c.state === 'ok')).toBe(true)
    const late = selfChecks({ ...healthy, skewSeconds: 28_800 })
    expect(late.map((c) => c.state)).toEqual(['ok', 'ok', 'ok', 'bad', 'waiting', 'waiting', 'waiting', 'waiting'])
    expect(late[3]?.text).toContain('时钟快 28800 秒')
    expect(selfChecks({ ...healthy, skewSeconds: -120 })[3]?.text).toContain('时钟慢 120 秒')
    // A device that reports every 30 s has stopped after seven minutes, even if its family may be silent for longer.
    const stopped = selfChecks({ ...healthy, heardSeconds: 420, offlineSeconds: 600, intervalSeconds: 30 })
    expect(stopped.find((c) => c.state === 'bad')).toEqual({
      key: 'steady',
      label: '持续上报',
      state: 'bad',
      text: '7 分钟没有新数据，应约每 30 秒一次：检查电源、网络和上报间隔',
    })
    expect(selfChecks({ ...healthy, heardSeconds: null, frames: silence })[0]).toMatchObject({ state: 'bad' })
  })
  test.each([
    [
      'every frame fails its check',
      { badFramesHour: 9, frames: { ...silence, came: true, badHint: '与Modbus CRC16相符' } },
      'format',
      'Modbus',
    ],
    ['every frame is of the year 2000', { frames: { ...silence, came: true, badTime: '设备时间早于 30 天' } }, 'time', '早于 30 天'],
    ['nothing but heartbeats', { frames: { ...silence, came: true, onlyAccepted: true } }, 'page', '只收到心跳'],
  ])('%s: the cable is not to blame', (_name, change, key, text) => {
    const steps = selfChecks({ ...healthy, heardSeconds: null, ...change })
    expect(steps.find((step) => step.state === 'bad')).toMatchObject({ key, text: expect.stringContaining(text) })
  })
  test('a docking test waits for what was not seen yet, and fails it when it is over', () => {
    const seen = { readings: 100, late: 0, doubtful: 0, farOff: 0, badFrames: 0, alarms: 1 }
    expect(dockChecks(seen, true).map((c) => c.state)).toEqual(['ok', 'ok', 'ok', 'waiting', 'ok'])
    expect(dockChecks(seen, false).map((c) => c.state)).toEqual(['ok', 'ok', 'ok', 'bad', 'ok'])
    expect(dockChecks({ ...seen, readings: 0 }, true)[0]).toMatchObject({ state: 'waiting' })
  })
})

test('codes of a station lead to one metric each', () => {
  expect(() => checkCodes(dust, { PMX: { metric: 'pm10', factor: 1 }, PMY: { metric: 'pm10', factor: 1 } })).toThrow('都对应')
  expect(() => checkCodes(dust, { PMX: { metric: 'none', factor: 1 } })).toThrow('不存在')
  expect(() => checkCodes(dust, { PMX: { metric: 'pm10', factor: 2 } })).not.toThrow()
})

describe('import rows', () => {
  const known: Known = {
    projects: new Map([['东湾', 'P1']]),
    brands: new Map([['衡安', 'b1']]),
    models: [
      { id: 'm1', brandId: 'b1', family: 'towerCrane', name: 'HA-1' },
      { id: 'm2', brandId: 'b2', family: 'towerCrane', name: 'HA-1' },
    ],
    gateways: new Map([['塔机网关', { id: 'g1', projectCode: 'P1' }]]),
    serials: new Set(['TAKEN']),
  }
  const read = (row: Parameters<typeof readRow>[0], seen = new Set<string>()) => readRow(row, known, seen, undefined)
  test('a good row becomes a device', () => {
    const good = read({
      name: '1# 塔机',
      deviceSn: 'T-1',
      family: '塔吊',
      project: '东湾',
      brand: '衡安',
      model: 'HA-1',
      gateway: '塔机网关',
    })
    expect(good.errors).toEqual([])
    const dated = read({ name: '电表', deviceSn: 'T-2', family: '塔吊', project: '东湾', installDate: '2026/3/1', dueDate: '2027.3.1' })
    expect(dated.device).toMatchObject({ installDate: '2026-03-01', dueDate: '2027-03-01' })
    const lost = read({ name: '电表', deviceSn: '≈862021055512345700', family: '塔吊', project: '东湾' })
    expect(lost.errors).toEqual([{ column: 'deviceSn', text: expect.stringContaining('已丢失') }])
    expect(good.device).toMatchObject({
      projectCode: 'P1',
      family: 'towerCrane',
      modelId: 'm1',
      access: { protocol: 'mqtt', gatewayId: 'g1' },
    })
  })
  test.each([
    [{ deviceSn: 'T-1', family: '塔吊', project: '东湾' }, 'name'],
    [{ name: 'x', deviceSn: 'TAKEN', family: '300', project: '东湾' }, 'deviceSn'],
    [{ name: 'x', deviceSn: 'T-1', family: '飞船', project: '东湾' }, 'family'],
    [{ name: 'x', deviceSn: 'T-1', family: '300', project: '西湾' }, 'project'],
    [{ name: 'x', deviceSn: 'T-1', family: '300', project: '东湾', model: 'HA-1' }, 'model'],
    [{ name: 'x', deviceSn: 'T-1', family: '300', project: '东湾', dueDate: '2026-13-01' }, 'dueDate'],
  ])('%j is wrong at %s', (row, column) => expect(read(row).errors.map((e) => e.column)).toEqual([column]))
  test('the same serial twice is told at the second', () => {
    const seen = new Set<string>()
    const row = { name: 'x', deviceSn: 'T-1', family: '300', project: '东湾' }
    expect(read(row, seen).errors).toEqual([])
    expect(read(row, seen).errors[0]?.text).toContain('重复')
  })
})
