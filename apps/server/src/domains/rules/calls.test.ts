import * as alarmCalls from '@zhugong/contract/alarms/endpoints'
import { sendNotice } from '@zhugong/contract/alarms/notices'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/rules/endpoints'
import { families } from '@zhugong/contract/telemetry/families'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { deliverDefaultRules } from '#domains/rules/public'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let admin: Caller
let manager: Caller
let company: Caller
let projectCode: string
let crane: { id: string; name: string; projectCode: string }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await deliverDefaultRules(world.database.kysely)
  admin = await city.as('admin')
  manager = await city.as('hospital-pm')
  company = await city.as('yunze-lu')
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const device = city.city.devices.find((d) => d.projectCode === projectCode && d.family === 'towerCrane')
  crane = { id: device?.id ?? '', name: device?.name ?? '', projectCode }
})
afterAll(() => world.close())

const wind = (value: number, more: object = {}) => ({
  level: 2 as const,
  condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value },
  forSeconds: 10,
  ...more,
})
const body = (more: object = {}) => ({ name: '大风告警', family: 'towerCrane', alarmKey: 'windAlarm', levels: [wind(11)], ...more })
type CreateBody = Parameters<typeof manager.call<typeof calls.createTrigger>>[1] extends infer I
  ? I extends { body: infer B }
    ? B
    : never
  : never
const create = (who: Caller, more: object = {}) => who.call(calls.createTrigger, { body: body(more) as CreateBody })

test('the catalogue names every alarm with what holds for it', async () => {
  const base = await admin.call(calls.ruleBase, { query: { size: 1000 } })
  expect(base.list.every((r) => r.expressible && r.triggerId && r.text)).toBe(true)
  const one = base.list.find((r) => r.id === 'towerCrane.momentWarning')
  expect(one).toMatchObject({
    level: 3,
    metric: 'momentPercent',
    unit: '%',
    enabled: true,
    locked: false,
    operators: expect.arrayContaining(['>=']),
  })
  const some = await admin.call(calls.ruleBase, { query: { family: 'waterMeter', level: '1' } })
  expect(some.list.map((r) => r.alarmKey)).toEqual(['burst'])
})

test('a project’s own rule is its own, versioned, and seen by nobody else', async () => {
  const { id } = await create(manager)
  const detail = await manager.call(calls.getTrigger, { params: { id } })
  expect(detail).toMatchObject({ projectCode, version: 1, scope: { kind: 'projects', projectCodes: [projectCode] }, enabled: true })
  expect('summary' in detail && detail.summary).toBe('风速 ≥ 11 m/s，持续 10 秒，回落 10.45 m/s 解除，报二级')
  const changed = await manager.call(calls.updateTrigger, { params: { id }, body: { levels: [wind(10)] as never, version: 1 } })
  expect(changed.version).toBe(2)
  const again = await manager.ask(calls.updateTrigger, { params: { id }, body: { name: '别的名字', version: 1 } })
  expect(again).toMatchObject({ status: 4, message: expect.stringContaining('请刷新后再改') })
  const after = await manager.call(calls.getTrigger, { params: { id } })
  expect('versions' in after && after.versions.map((v) => v.version)).toEqual([2, 1])
  expect(after).toMatchObject({ enabled: true, name: '大风告警', execIds: [] })
  const neighbour = await city.as('dongwan-officer')
  expect((await neighbour.ask(calls.getTrigger, { params: { id } })).status).toBe(2)
  expect((await neighbour.call(calls.listTriggers, { query: { size: 1000 } })).list.map((t) => t.id)).not.toContain(id)
  const wide = await manager.call(calls.getTrigger, { params: { id: 'std-towerCrane-windAlarm' } })
  expect('overriddenBy' in wide && wide.overriddenBy).toBe(1)
  await manager.call(calls.deleteTrigger, { params: { id } })
  expect((await manager.ask(calls.getTrigger, { params: { id } })).status).toBe(2)
})

test.each([
  {
    role: '安全员',
    acts: [
      calls.createTrigger,
      calls.rehearseTrigger,
      calls.deleteTrigger,
      calls.createExec,
      alarmCalls.startDrill,
      alarmCalls.startSuppression,
    ],
  },
  { role: '项目经理', acts: [calls.createTrigger, alarmCalls.startDrill, alarmCalls.startSuppression] },
  {
    role: '企业安全员',
    acts: [calls.createTrigger, calls.rehearseTrigger, calls.duplicateTrigger, calls.deleteTrigger, calls.updateLevels],
  },
])('the pages of rules and alarms are for those who work on them: $role', async ({ role, acts }) => {
  const { rows } = await world.database.pool.query<{ codes: string[] }>('select codes from role where built_in and name = $1', [role])
  const codes = new Set(rows[0]?.codes)
  expect(acts.filter((act) => !codesOf(act).some((code) => codes.has(code))).map((act) => act.path)).toEqual([])
})

test('rules are found by how many devices they hold for, how often they fired and when they were changed', async () => {
  const { id } = await create(manager)
  const requested = (query: object) =>
    manager.call(calls.listTriggers, { query: { projectCode, family: 'towerCrane', size: 100, ...query } })
  const all = await requested({})
  const own = all.list.find((r) => r.id === id)
  const devices = own && !own.template ? own.coveredDevices : 0
  expect(devices).toBeGreaterThan(0)
  const ids = async (query: object) => (await requested(query)).list.map((r) => r.id)
  expect(await ids({ coveredDevices: `${devices},${devices}` })).toContain(id)
  expect(await requested({ coveredDevices: `${devices + 1},` })).toMatchObject({ list: [], total: 0 })
  expect(await ids({ fired30d: '1,' })).not.toContain(id)
  expect(await ids({ precision: ',60' })).not.toContain(id)
  const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
  expect(await ids({ updateTime: `${today},${today}` })).toContain(id)
  const none = await requested({ updateTime: '2020-01-01,2020-01-02' })
  expect(none).toMatchObject({ list: [], total: 0 })
  const first = await requested({ updateTime: `${today},`, size: 1, sort: '-updateTime' })
  expect(first.list).toHaveLength(1)
  expect(first.total).toBeGreaterThanOrEqual(1)
  await manager.call(calls.deleteTrigger, { params: { id } })
})

test.each<[string, object, string, string]>([
  [
    'an unknown metric',
    { levels: [{ level: 2, condition: { type: 'threshold', metric: 'nonsense', op: '>', value: 1 } }] },
    '没有指标',
    'levels.0.condition',
  ],
  ['a limit beyond what is measured', { levels: [wind(1000)] }, '阈值应在', 'levels.0.condition'],
  [
    'levels the wrong way round',
    {
      levels: [
        { ...wind(11), level: 1 },
        { ...wind(15), level: 2 },
      ],
    },
    '一级的条件不能比二级更容易达到',
    'levels.0.condition',
  ],
  ['the same level twice', { levels: [wind(11), wind(12)] }, '同一等级只能出现一次', 'levels'],
  ['no level', { levels: [] }, '至少一个等级', 'levels'],
  ['an unknown kind', { levels: [{ level: 2, condition: { type: 'magic' } }] }, '不支持的条件类型', 'levels.0.condition.type'],
  ['a period over midnight', { schedule: [[79200, 21600]] }, '跨零点请分成两段', 'schedule'],
  ['an unknown family', { family: 'spaceship' }, '设备类型不存在', 'family'],
  ['an operator there is not, where it is to speak only', { onlyWhen: { load: { '=>': 1 } } }, '比较符', 'onlyWhen'],
  ['an unknown record', { on: 'gossip' }, '没有“gossip”记录', 'on'],
  ['an action nobody has', { execIds: ['ghost'] }, '执行动作不存在', 'execIds'],
  ['a foreign project', { scope: { projectCodes: ['P-FOREIGN'] } }, '项目不存在', 'projectCode'],
  ['a foreign device', { scope: { kind: 'devices', deviceIds: ['ghost'] } }, '不存在或不是', 'scope'],
])('%s is refused at its field', async (_name, more, message, field) => {
  const answer = await manager.ask(calls.createTrigger, { body: body(more) as CreateBody })
  expect(answer.status).not.toBe(0)
  expect(answer.message).toContain(message)
  expect((answer.data as unknown as { field: string }).field).toContain(field)
})

test('a locked rule may only be made stricter', async () => {
  const id = 'std-towerCrane-windAlarm'
  expect((await manager.ask(calls.updateTrigger, { params: { id }, body: { enabled: false } })).http).toBe(403)
  await admin.call(calls.updateTrigger, { params: { id }, body: { locked: true } })
  for (const [more, words] of [
    [{ levels: [wind(13)] }, '只能更严'],
    [{ levels: [wind(12, { forSeconds: 60 })] }, '只能更严'],
    [{ levels: [{ ...wind(12), level: 3 }] }, '只能更严'],
    [{ levels: [wind(12)], schedule: [[21600, 79200]] }, '只能更严'],
    [{ levels: [wind(12)], off: true }, '不能关闭'],
  ] as const) {
    const answer = await manager.ask(calls.createTrigger, { body: body(more) as CreateBody })
    expect([more, answer.message]).toEqual([more, expect.stringContaining(words)])
  }
  const { id: stricter } = await create(manager, { levels: [wind(10, { clearValue: 9 })] })
  await manager.call(calls.deleteTrigger, { params: { id: stricter } })
  await admin.call(calls.updateTrigger, { params: { id }, body: { locked: false } })
})

test('what a company has locked at its site the site neither changes nor removes', async () => {
  const scope = { kind: 'projects', projectCodes: [crane.projectCode] }
  const { id } = await create(company, { name: '集团限值', levels: [wind(11)], scope, projectCode: crane.projectCode, locked: true })
  for (const change of [{ enabled: false }, { levels: [wind(14)] }, { locked: false }]) {
    const answer = await manager.ask(calls.updateTrigger, { params: { id }, body: change as never })
    expect([change, answer.http, answer.message]).toEqual([change, 403, expect.stringContaining('锁定')])
  }
  expect(await manager.ask(calls.deleteTrigger, { params: { id } })).toMatchObject({ http: 403 })
  // A looser rule beside a locked one is refused: it would be ignored silently.
  const here = { kind: 'devices', deviceIds: [crane.id] }
  for (const more of [{}, { scope: here }]) {
    const answer = await manager.ask(calls.createTrigger, { body: body({ ...more, levels: [wind(14)] }) as CreateBody })
    expect([more, answer.message, answer.data]).toEqual([
      more,
      '上级已锁定“集团限值”：只能更严，不能更松',
      expect.objectContaining({ field: 'levels', locked: '集团限值' }),
    ])
  }
  const beside = await create(manager, { levels: [wind(10)], scope: here })
  const looser = await manager.ask(calls.updateTrigger, { params: { id: beside.id }, body: { levels: [wind(14)] as never } })
  expect(looser.message).toContain('集团限值')
  await manager.call(calls.deleteTrigger, { params: { id: beside.id } })
  // A lock on one machine does not affect another.
  const other = city.city.devices.find((d) => d.projectCode === projectCode && d.family === 'towerCrane' && d.id !== crane.id)?.id ?? ''
  await company.call(calls.updateTrigger, { params: { id }, body: { scope: here as never } })
  const elsewhere = await create(manager, { levels: [wind(14)], scope: { kind: 'devices', deviceIds: [other] } })
  await manager.call(calls.deleteTrigger, { params: { id: elsewhere.id } })
  await company.call(calls.deleteTrigger, { params: { id } })
})

test('delivered rules are switched off, not deleted; a level 1 rule not without a reason', async () => {
  expect((await admin.ask(calls.deleteTrigger, { params: { id: 'std-towerCrane-windDanger' } })).message).toContain('内置规则')
  expect(
    (await admin.ask(calls.updateTrigger, { params: { id: 'std-towerCrane-windDanger' }, body: { enabled: false } })).message,
  ).toContain('原因')
  await admin.call(calls.updateTrigger, { params: { id: 'std-towerCrane-windDanger' }, body: { enabled: false, reason: '测试停用' } })
  await admin.call(calls.updateTrigger, { params: { id: 'std-towerCrane-windDanger' }, body: { enabled: true } })
})

test('a copy is switched off and called one', async () => {
  const { id } = await manager.call(calls.duplicateTrigger, { params: { id: 'std-towerCrane-windAlarm' }, body: {} })
  const copy = await manager.call(calls.getTrigger, { params: { id } })
  expect(copy).toMatchObject({ enabled: false, projectCode, scope: { kind: 'projects', projectCodes: [projectCode] } })
  expect(copy.name).toMatch(/ 副本$/)
})

test('a template is given to projects, and its drift is seen', async () => {
  const template = await company.call(calls.createTrigger, {
    body: {
      template: true,
      name: '塔机标准',
      family: 'towerCrane',
      standard: 'GB 5144',
      triggers: [
        { name: '大风', alarmKey: 'windAlarm', levels: [wind(11)] as never },
        {
          name: '倾角',
          alarmKey: 'tiltAlarm',
          levels: [{ level: 1, condition: { type: 'threshold', metric: 'tilt', op: '>=', value: 2 } }] as never,
        },
      ],
    } as CreateBody,
  })
  const preview = await company.call(calls.duplicateTrigger, {
    params: { id: template.id },
    body: { projectCodes: [projectCode], templateId: template.id, preview: true },
  })
  expect(preview.applied).toEqual([{ projectCode, created: 1, updated: 0, kept: 1, conflicts: [expect.any(String)] }])
  const applied = await company.call(calls.duplicateTrigger, {
    params: { id: template.id },
    body: { projectCodes: [projectCode], templateId: template.id, conflict: 'replace' },
  })
  expect(applied.ids).toHaveLength(2)
  const none = await company.call(calls.getTrigger, { params: { id: template.id } })
  expect('applied' in none && none.applied).toMatchObject([{ projectCode, version: 1, drift: 0 }])
  const own = await manager.call(calls.listTriggers, { query: { templateId: template.id } })
  const windRule = own.list.find((t) => 'alarmKey' in t && t.alarmKey === 'windAlarm')
  await manager.call(calls.updateTrigger, { params: { id: windRule?.id ?? '' }, body: { levels: [wind(14)] as never } })
  await company.call(calls.updateTrigger, { params: { id: template.id }, body: { remark: '第二版' } })
  const drifted = await company.call(calls.listTriggers, { query: { template: true, name: '塔机标准' } })
  expect(drifted.list[0]).toMatchObject({ sites: 1, drifted: 1, outdated: 1, version: 2 })
  const detail = await company.call(calls.getTrigger, { params: { id: template.id } })
  expect('applied' in detail && detail.applied[0]?.differences).toMatchObject([{ alarmKey: 'windAlarm', strictness: 'looser' }])
  expect(
    (await manager.ask(calls.duplicateTrigger, { params: { id: template.id }, body: { projectCodes: [projectCode] } })).status,
  ).not.toBe(0)
  await company.call(calls.deleteTrigger, { params: { id: template.id } })
  const left = await manager.call(calls.getTrigger, { params: { id: windRule?.id ?? '' } })
  expect('templateId' in left && left.templateId).toBeNull()
})

test('actions: checked, kept without their secret, and not deleted while in use', async () => {
  const spray = { command: 'spray.start', selector: { kind: 'sameArea' }, maxRunSeconds: 600, interlocks: ['frost', 'wind'] }
  const make = (given: object) => manager.ask(calls.createExec, { body: given as never })
  expect((await make({ name: '喷淋', kind: 'linkage', linkage: spray })).message).toContain('停止命令')
  expect((await make({ name: '锁机', kind: 'linkage', linkage: { ...spray, command: 'lift.lock' } })).message).toContain(
    '安全关键动作不由云端执行',
  )
  expect((await make({ name: '钩子', kind: 'webhook', webhook: { url: 'http://a.b/' } })).message).toContain('https')
  expect((await make({ name: '谁', kind: 'notify', notify: { channels: ['1'] } })).message).toContain('通知对象')
  const hook = await manager.call(calls.createExec, {
    body: { name: '钩子', kind: 'webhook', webhook: { url: 'https://example.com/x', secret: 'geheim' } },
  })
  expect(await manager.call(calls.getExec, { params: { id: hook.id } })).toMatchObject({
    webhook: { url: 'https://example.com/x', hasSecret: true },
    projectCode,
  })
  expect(JSON.stringify((await world.database.pool.query('select definition from rule_exec where id = $1', [hook.id])).rows)).not.toContain(
    'geheim',
  )
  const { id: triggerId } = await create(manager, { alarmKey: 'windWarning', execIds: [hook.id] })
  expect((await manager.ask(calls.deleteExec, { params: { id: hook.id } })).message).toContain('大风告警')
  await manager.call(calls.deleteTrigger, { params: { id: triggerId } })
  const copy = await manager.call(calls.duplicateExec, { params: { id: hook.id }, body: {} })
  expect(await manager.call(calls.getExec, { params: { id: copy.id } })).toMatchObject({
    name: '钩子 副本',
    enabled: false,
    webhook: { hasSecret: false },
  })
  await manager.call(calls.updateExec, {
    params: { id: hook.id },
    body: { name: '新钩子', kind: 'webhook', webhook: { url: 'https://example.com/y' } },
  })
  expect(await manager.call(calls.getExec, { params: { id: hook.id } })).toMatchObject({
    name: '新钩子',
    webhook: { hasSecret: true },
    version: 2,
  })
  const list = await manager.call(calls.listExecs, { query: { kind: 'webhook' } })
  expect(list).toMatchObject({ total: 2, counts: { enabled: 1, unused: 2 } })
  await manager.call(calls.deleteExec, { params: { id: hook.id } })
  const neighbour = await city.as('dongwan-officer')
  expect((await neighbour.ask(calls.getExec, { params: { id: copy.id } })).status).toBe(2)
})

test('four levels, never more, never alike', async () => {
  const { list } = await company.call(calls.listLevels)
  expect(list.map((l) => l.level)).toEqual([1, 2, 3, 4])
  const given = list.map((l) => ({ level: l.level, name: l.name, label: l.label, color: l.color, sound: l.sound, plan: l.plan }))
  const put = (change: (l: (typeof given)[number]) => object) =>
    company.ask(calls.updateLevels, { body: { list: given.map((l) => ({ ...l, ...change(l) })) as never } })
  expect((await put((l) => (l.level === 2 ? { color: '#C52727' } : {}))).message).toContain('过于接近')
  expect((await put((l) => (l.level === 1 ? { sound: 'none' } : {}))).message).toContain('不能没有声音')
  expect((await put(() => ({ level: 1 }))).status).not.toBe(0)
  expect((await put((l) => (l.level === 4 ? { sound: 'ring' } : {}))).data).toMatchObject({
    list: [{}, {}, {}, { sound: 'ring', own: true }],
  })
  // The last editor and time of a changed level are returned; the platform's levels are as delivered.
  const [changed] = (await company.call(calls.listLevels)).list
  expect(changed?.updateBy).toBeTruthy()
  expect(changed?.updateTime).toBeGreaterThan(0)
  expect((await admin.call(calls.listLevels)).list[0]).toMatchObject({ updateBy: null, updateTime: null })
  expect((await admin.call(calls.listLevels)).list[3]).toMatchObject({ own: false, sound: 'none' })
  expect((await manager.ask(calls.updateLevels, { body: { list: given as never } })).http).toBe(403)
  expect((await company.call(calls.updateLevels, { body: { list: given as never, reset: true } })).list[3]).toMatchObject({ own: false })
})

test('a rehearsal over given samples and over stored history', async () => {
  const trigger = { family: 'towerCrane', alarmKey: 'windAlarm', levels: [wind(12)] as never }
  const at = (second: number) => `2026-11-20T10:00:${String(second).padStart(2, '0')}+08:00`
  const given = await manager.call(calls.rehearseTrigger, {
    body: { trigger, samples: [0, 10, 20].map((s) => ({ time: at(s), data: { windSpeed: s < 20 ? 13 : 5 } })), until: at(59) },
  })
  const start = Date.parse(at(0))
  expect(given).toEqual({
    events: [
      { event: 'open', level: 2, time: start + 10_000, startTime: start, fireTime: start + 10_000 },
      { event: 'clear', level: 2, time: start + 20_000, reason: 'recovered' },
    ],
    evaluated: 3,
    opens: 1,
    nights: 0,
  })
  const now = Date.now() - 3_600_000
  await world.database.pool.query(
    `insert into telemetry (device_id, ts, seq, received_at, schema_ver, v) select $1, to_timestamp($2::float8 / 1000 + n * 5), n, to_timestamp($2::float8 / 1000 + n * 5), 1,
       array_fill(7::real, array[20]) from generate_series(0, 5) n`,
    [crane.id, now],
  )
  const stored = await manager.call(calls.rehearseTrigger, {
    body: { trigger, samples: { deviceIds: [crane.id], from: now - 1000, to: now + 60_000 } },
  })
  expect(stored).toMatchObject({ opens: 0, evaluated: 6, devices: [{ deviceId: crane.id, opens: 0 }] })
  expect(stored.devices?.[0]?.series.map(([, ...span]) => span)).toEqual(Array(6).fill([7, 7, 7]))
  const neighbour = await city.as('dongwan-officer')
  expect(
    (await neighbour.ask(calls.rehearseTrigger, { body: { trigger, samples: { deviceIds: [crane.id], from: now, to: now + 1 } } })).status,
  ).not.toBe(0)
  expect(
    (await manager.ask(calls.rehearseTrigger, { body: { trigger: { ...trigger, family: 'spaceship' }, samples: [] } })).message,
  ).toContain('设备类型不存在')
})

test('every alarm of the catalogue can be rehearsed as it stands there', async () => {
  for (const family of families) {
    for (const alarm of family.alarms) {
      const {
        key,
        label: _label,
        level,
        condition,
        forSeconds,
        clearForSeconds,
        defaultThreshold: _words,
        source: _source,
        ...rest
      } = alarm
      const trigger = { family: family.key, alarmKey: key, ...rest, levels: [{ level, condition, forSeconds, clearForSeconds }] }
      const answer = await admin.ask(calls.rehearseTrigger, {
        body: { trigger: trigger as never, samples: [{ time: Date.now(), data: {} }] },
      })
      expect([family.key, key, answer.message]).toEqual([family.key, key, 'ok'])
    }
  }
})

test('a rehearsed value beyond belief is none, as in a device’s message', async () => {
  const trigger = {
    family: 'towerCrane',
    levels: [{ level: 1 as const, condition: { type: 'threshold', metric: 'tilt', op: '>=', value: 2 } }] as never,
  }
  const over = (data: Record<string, unknown>, more: object = {}) =>
    admin.call(calls.rehearseTrigger, { body: { trigger, samples: [{ time: 1_800_000_000_000, data, ...more }] } })
  expect((await over({ tiltX: 2, tiltY: 1 })).opens).toBe(1)
  expect((await over({ tilt: 500 })).opens).toBe(0)
  expect((await over({ tilt: 3 }, { quality: 'fault' })).opens).toBe(0)
  expect((await over({ tilt: 3 }, { quality: { tilt: 'good' } })).opens).toBe(1)
})

test('simulation during a real alarm of the same key pollutes nothing', async () => {
  const { pool } = world.database
  await pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, rule_id)
     values ('real-one', $1, $2, $3, 'towerCrane', 'windAlarm', '大风', 2, 2, now(), now(), 'std-towerCrane-windAlarm')`,
    [projectCode, crane.id, crane.name],
  )
  const before = await manager.call(alarmCalls.listAlarms, { query: {} })
  const { ids } = await manager.call(alarmCalls.startDrill, { body: { deviceId: crane.id, alarmKey: 'windAlarm', notify: true } })
  const byData = await manager.call(alarmCalls.startDrill, { body: { deviceId: crane.id, data: { windSpeed: 21 } } })
  expect(byData.ids.length).toBeGreaterThan(1)
  const after = await manager.call(alarmCalls.listAlarms, { query: {} })
  expect(after.counts).toEqual(before.counts)
  expect(after.total).toBe(before.total)
  const drills = await manager.call(alarmCalls.listDrills, { query: { deviceId: crane.id } })
  expect(drills.total).toBe(1 + byData.ids.length)
  expect(drills.list.find((d) => d.id === ids[0])).toMatchObject({ simulated: true, notify: true, active: true, state: 'open' })
  const result = await pool.query('select event, detail from alarm_outbox where alarm_id = any ($1)', [[...ids, ...byData.ids]])
  expect(result.rows).toEqual([{ event: 'open', detail: { simulated: true, notify: true, linkage: false } }])
  await manager.call(alarmCalls.actOnAlarm, { params: { id: ids[0] ?? '' }, query: { projectCode: '*' }, body: { action: 'close' } })
  expect((await pool.query('select active, clear_reason from alarm where id = $1', [ids[0]])).rows).toEqual([
    { active: false, clear_reason: 'simulatedEnd' },
  ])
  expect((await pool.query(`select active from alarm where id = 'real-one'`)).rows).toEqual([{ active: true }])
  expect((await manager.ask(alarmCalls.startDrill, { body: { deviceId: crane.id, alarmKey: 'nonsense' } })).message).toContain('没有此告警')
})

test('what people do to an alarm is told; it can be opened again', async () => {
  const act = (who: Caller, given: object) =>
    who.call(alarmCalls.actOnAlarm, { params: { id: 'real-one' }, query: { projectCode: '*' }, body: given as never })
  await act(manager, { action: 'ack' })
  await company.call(sendNotice, {
    query: { projectCode: '*' },
    body: {
      kind: 'supervise',
      text: '请尽快处置',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      targets: [{ projectCode: crane.projectCode, deviceId: crane.id, alarmId: 'real-one', subject: '塔机' }],
    },
  })
  await act(manager, { action: 'false', reason: '传感器受潮' })
  await act(manager, { action: 'reopen', reason: '并非误报' })
  const { rows } = await world.database.pool.query(`select event from alarm_outbox where alarm_id = 'real-one' order by id`)
  expect(rows.map((r: { event: string }) => r.event)).toEqual(['ack', 'urge', 'false', 'reopen'])
  expect((await world.database.pool.query(`select state from alarm where id = 'real-one'`)).rows).toEqual([{ state: 'open' }])
})

test('maintenance silences what it names, for a time and with a name; collision and SOS two hours at most', async () => {
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString()
  const start = (given: object) =>
    manager.ask(alarmCalls.startSuppression, {
      query: { projectCode: '*' },
      body: { deviceId: crane.id, kind: 'jacking', reason: '顶升作业', personName: '周工', alarmKeys: ['tiltAlarm'], ...given } as never,
    })
  const ok = await start({ until: hours(8) })
  expect(ok.status).toBe(0)
  expect((await start({ until: hours(3), alarmKeys: ['collisionAlarm'] })).message).toContain('最多停用 2 小时')
  expect((await start({ until: hours(3), alarmKeys: [] })).message).toContain('最多停用 2 小时')
  expect((await start({ until: hours(1.9), alarmKeys: ['collisionAlarm'] })).status).toBe(0)
  expect((await start({ from: hours(1.5), until: hours(3), alarmKeys: ['collisionAlarm'] })).message).toContain('连续停用不能超过 2 小时')
  expect((await start({ until: hours(-1) })).message).toContain('晚于')
  expect((await start({ until: hours(1), personName: '' })).message).toContain('负责人')
  // Suppressions take effect only after approval by another person.
  const requested = (query: object) => manager.call(alarmCalls.listSuppressions, { query: { projectCode: '*', ...query } })
  expect((await requested({ active: true })).total).toBe(0)
  const safety = await city.as('hospital-safety')
  for (const { id, version } of (await requested({ state: '1' })).list)
    await safety.call(alarmCalls.actOnSuppression, { params: { id }, query: { projectCode: '*' }, body: { action: 'pass', version } })
  expect((await requested({ active: true })).total).toBe(2)
  await manager.call(alarmCalls.actOnSuppression, { params: { id: ok.data.id }, query: { projectCode: '*' }, body: { action: 'end' } })
  expect((await manager.call(alarmCalls.listSuppressions, { query: { projectCode: '*', active: true } })).total).toBe(1)
  expect(
    (await manager.ask(alarmCalls.actOnSuppression, { params: { id: ok.data.id }, query: { projectCode: '*' }, body: { action: 'end' } }))
      .message,
  ).toContain('已经结束')
})

test.each([
  ['beside its condition', wind(11, { clearValue: 12 })],
  ['in its condition', { level: 2, condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value: 11, clearValue: 12 } }],
  ['of a rate', { level: 2, condition: { type: 'rate', metric: 'windSpeed', op: '>=', value: 5, perSeconds: 60, clearValue: 6 } }],
  ['of a distance', { level: 2, condition: { type: 'craneClearance', op: '<', value: 5, predictSeconds: 5, clearValue: 4 } }],
])('a clear value on the alarm’s side of the limit is refused %s', async (_, level) => {
  const answer = await manager.ask(calls.createTrigger, {
    body: body({ scope: { kind: 'projects', projectCodes: [projectCode] }, levels: [level] }) as CreateBody,
  })
  expect([answer.status, answer.message]).toEqual([2, '解除值应不比阈值更严：大于阈值告警的不高于阈值，小于阈值告警的不低于阈值'])
})
