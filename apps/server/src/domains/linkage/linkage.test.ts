import { getAlarm, listAlarms, startDrill } from '@zhugong/contract/alarms/endpoints'
import * as calls from '@zhugong/contract/linkage/endpoints'
import * as rules from '@zhugong/contract/rules/endpoints'
import { linkageCommands } from '@zhugong/contract/rules/exec-model'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { type AlarmOp, writeAlarmOps } from '../alarms/public.ts'
import { LinkageRunner, type SendCommand, type SentCommand } from './runner.ts'

/** Clock shared by the API and the runners; the tests never wait. */
let now = Date.now()
const later = (seconds: number) => {
  now += seconds * 1000
}

let world: World
let city: CityWorld
let admin: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  admin = await city.as('admin')
})
afterAll(() => world.close())

/** The device's answers in order; after these it obeys. */
let answers: { result: number; message: string }[] = []
let sent: SentCommand[] = []
const obey: SendCommand = async (command) => {
  sent.push(command)
  return answers.shift() ?? { result: 0, message: '已执行' }
}
const silent = { result: -2, message: '设备无应答' }
const said = () => sent.map((c) => c.cmd)
const runnerWith = (send: SendCommand) =>
  new LinkageRunner({ database: world.database, log: createLog('test', 'silent'), send, now: () => now })
let runner: LinkageRunner
beforeEach(async () => {
  // Tests are independent: deletes all runs and resets the clock.
  await query('delete from linkage_run')
  await query('update alarm_outbox set linked = true where not linked')
  now = Date.now()
  answers = []
  sent = []
  runner = runnerWith(obey)
})

const query = <T extends object>(text: string, values: unknown[] = []) =>
  world.database.pool.query<T & Record<string, unknown>>(text, values).then((r) => r.rows as T[])

interface Site {
  code: string
  station: string
  line: string
  execId: string
  ruleId: string
}
const sprayed = {
  command: 'spray.start',
  selector: { kind: 'sameArea' },
  stopCommand: 'spray.stop',
  minRunSeconds: 60,
  maxRunSeconds: 600,
  cooldownSeconds: 120,
  interlocks: ['frost', 'rain', 'wind', 'lowWater'],
}

async function device(code: string, family: string, params: object = {}): Promise<string> {
  const id = newId()
  const sn = `L${id.slice(-12)}`
  await query(
    `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, params, interval_seconds) values ($1, $2, $3, $4, $5, '{}', 'mqtt', $4, $6, 60)`,
    [id, code, `${family} ${sn.slice(-4)}`, sn, family, JSON.stringify(params)],
  )
  return id
}

async function reads(id: string, values: object, ageSeconds = 5): Promise<void> {
  await query(
    `insert into device_latest (device_id, ts, received_at, v, online_since) values ($1, $2, $2, $3, $2)
     on conflict (device_id) do update set ts = excluded.ts, received_at = excluded.received_at, v = excluded.v`,
    [id, new Date(now - ageSeconds * 1000), JSON.stringify(values)],
  )
}

/** A new project with a dust station, a spray line in the same area, and a rule whose alarm starts it. */
async function site(linkage: object = {}): Promise<Site> {
  const code = `LK${newId().slice(-14)}`
  await query(
    `insert into project (id, project_code, name, category, prj_status, area_code, address, lng, lat, property_num, invest, start_date, complete_date, link_man)
     values ($1, $2, $2, '01', '003', '420202', '—', 114, 30, '1', 1, '2026-01-01', '2027-01-01', '—')`,
    [newId(), code],
  )
  const station = await device(code, 'environment', { areaName: '东侧' })
  const line = await device(code, 'sprayController', { areaName: '东侧' })
  await reads(station, { temperature: 12, rainfall: 0, windSpeed: 3, pm10: 210 })
  await reads(line, { waterPressure: 0.5 })
  const { id: execId } = await admin.call(rules.createExec, {
    body: { name: '扬尘喷淋', kind: 'linkage', projectCode: code, linkage: { ...sprayed, ...linkage } as never },
  })
  const { id: ruleId } = await admin.call(rules.createTrigger, {
    body: {
      name: 'PM10 喷淋',
      family: 'environment',
      alarmKey: 'pm10Alarm',
      projectCode: code,
      execIds: [execId],
      levels: [{ level: 3, condition: { type: 'threshold', metric: 'pm10', op: '>=', value: 150 } }] as never,
    },
  })
  return { code, station, line, execId, ruleId }
}

async function write(...ops: AlarmOp[]): Promise<void> {
  const client = await world.database.pool.connect()
  try {
    await writeAlarmOps(client, ops)
    await client.query('update alarm_outbox set create_time = $1 where not linked', [new Date(now)])
  } finally {
    client.release()
  }
}
async function dust(at: Site, point = ''): Promise<string> {
  const id = newId()
  await write({
    op: 'open',
    id,
    projectCode: at.code,
    deviceId: at.station,
    deviceName: '东侧站',
    point,
    family: 'environment',
    alarmKey: 'pm10Alarm',
    label: 'PM10报警',
    level: 3,
    startTime: now,
    fireTime: now,
    metric: 'pm10',
    value: 210,
    thresholdText: 'PM10 ≥ 150',
    ruleId: at.ruleId,
    ruleVersion: 1,
    source: 'platform',
    values: {},
  })
  return id
}
const over = (id: string) => write({ op: 'clear', id, time: now, reason: 'recovered' })
const runs = async (at: Site) =>
  await query<{ state: string; result: string | null; reason: string; id: string; attempts: number }>(
    'select id, state, result, reason, attempts from linkage_run where project_code = $1 order by create_time, id',
    [at.code],
  )
const log = (at: Site) =>
  query<{ step: string; state: string; text: string; channel: string; receiver_id: string }>(
    'select step, state, text, channel, receiver_id from exec_log where project_code = $1 order by create_time, id',
    [at.code],
  )
const failures = (at: Site) =>
  query<{ active: boolean; level: number; device_id: string }>(
    `select active, level, device_id from alarm where project_code = $1 and alarm_key = 'linkageFailed'`,
    [at.code],
  )

test('dust starts the line of its area; when it is over the line is stopped, and what it did is on record', async () => {
  const here = await site()
  const other = await device(here.code, 'sprayController', { areaName: '西侧' })
  const alarm = await dust(here)
  await runner.turn()
  expect(sent).toMatchObject([
    { deviceId: here.line, cmd: 'spray.start', params: { durationSeconds: 600 }, cmdId: expect.stringMatching(/^\w{32}$/), by: '设备联动' },
  ])
  expect(sent[0]?.expireAt).toBeGreaterThan(now)
  expect(sent.some((c) => c.deviceId === other)).toBe(false)
  expect(await runs(here)).toMatchObject([{ state: 'running' }])
  later(90)
  await reads(here.station, { temperature: 12, windSpeed: 3, rainfall: 0, pm10: 120 })
  await over(alarm)
  await runner.turn()
  expect(said()).toEqual(['spray.start', 'spray.stop'])
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'recovered' }])
  expect(await log(here)).toMatchObject([
    { step: 'start', state: 'sent', channel: 'spray.start', receiver_id: here.line },
    { step: 'stop', state: 'sent', text: '停止：告警已解除' },
  ])
  expect(await query(`select data from device_record where device_id = $1 and record = 'sprayRecord'`, [here.line])).toMatchObject([
    { data: { trigger: 'linkage', durationSeconds: 90, pm10Before: 210, pm10After: 120, ruleId: here.ruleId, result: 'done' } },
  ])
  expect(await query(`select text from alarm_log where alarm_id = $1 and event = 'linkage'`, [alarm])).toHaveLength(2)
  const { list, counts } = await admin.call(calls.listLinkageRuns, { query: { projectCode: '*', alarmId: alarm } })
  expect(list).toMatchObject([
    {
      execName: '扬尘喷淋',
      commandName: '启动喷淋',
      resultName: '告警解除后停止',
      pm10Before: 210,
      alarms: [{ id: alarm, active: false }],
    },
  ])
  expect(counts).toEqual({ running: 0, waitingConfirm: 0, held: 0 })
})

test('a second alarm joins; the line runs until neither is open and its shortest time is over', async () => {
  const here = await site()
  const first = await dust(here)
  await runner.turn()
  later(5)
  const second = await dust(here, 'b')
  await runner.turn()
  expect(await runs(here)).toHaveLength(1)
  await over(first)
  later(35)
  await runner.turn()
  await over(second)
  later(1)
  await runner.turn()
  // 41 of 60 seconds have passed.
  expect(said()).toEqual(['spray.start'])
  later(20)
  await runner.turn()
  expect(said()).toEqual(['spray.start', 'spray.stop'])
})

test('an upgrade of the alarm starts nothing anew while the line runs', async () => {
  const here = await site()
  const alarm = await dust(here)
  await runner.turn()
  await write({ op: 'upgrade', id: alarm, level: 2, time: now, value: 300, text: '升级' })
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
})

test('at its longest time a line is stopped though dust goes on; it rests before it starts again', async () => {
  const here = await site()
  const first = await dust(here)
  await runner.turn()
  for (let i = 0; i < 20; i++) {
    later(30)
    await reads(here.station, { temperature: 12, pm10: 210 })
    await runner.turn()
  }
  expect(said()).toEqual(['spray.start', 'spray.stop'])
  expect(await runs(here)).toMatchObject([{ result: 'maxRun' }])
  await over(first)
  later(10)
  await dust(here)
  await runner.turn()
  expect((await runs(here))[1]).toMatchObject({ state: 'held', reason: expect.stringContaining('冷却中') })
  later(109)
  await runner.turn()
  expect(said()).toHaveLength(2)
  later(1)
  await runner.turn()
  expect(said()).toEqual(['spray.start', 'spray.stop', 'spray.start'])
})

test.each([
  ['frost', { temperature: 1.5, rainfall: 0, windSpeed: 3 }, '气温 1.5 ℃，低于 2 ℃'],
  ['rain', { temperature: 12, rainfall: 0.4, windSpeed: 3 }, '降雨 0.4 mm'],
  ['wind', { temperature: 12, rainfall: 0, windSpeed: 12 }, '风速 12 m/s，达到 12 m/s'],
])('interlock at the start: %s holds it back, said once, until it is gone', async (_key, weather, words) => {
  const here = await site()
  await reads(here.station, weather)
  await dust(here)
  await runner.turn()
  later(31)
  await runner.turn()
  expect(sent).toEqual([])
  expect(await log(here)).toMatchObject([{ step: 'hold', state: 'held', text: `未启动：${words}` }])
  await reads(here.station, { temperature: 2, rainfall: 0, windSpeed: 11.9 })
  later(31)
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
})

test('no water holds back the line that has none; a start that is held for an hour is given up', async () => {
  const here = await site()
  await reads(here.line, { waterPressure: 0.02 })
  const alarm = await dust(here)
  await runner.turn()
  expect((await log(here))[0]?.text).toContain('水压 0.02 MPa，低于 0.05 MPa')
  for (let i = 0; i < 61; i++) {
    later(60)
    await reads(here.line, { waterPressure: 0.02 })
    await runner.turn()
  }
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'held' }])
  expect(sent).toEqual([])
  await over(alarm)
})

test('what is older than fifteen minutes is unknown: it holds nothing back and is written down', async () => {
  const here = await site()
  await reads(here.station, { temperature: -5 }, 16 * 60)
  await reads(here.line, {}, 0)
  await dust(here)
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
  expect((await log(here))[0]?.text).toBe(
    '启动喷淋（气温未知（近 15 分钟无有效数据）；降雨未知（近 15 分钟无有效数据）；风速未知（近 15 分钟无有效数据）；水压未知（近 15 分钟无有效数据））',
  )
})

test('an interlock that comes while it runs stops it within half a minute', async () => {
  const here = await site()
  await dust(here)
  await runner.turn()
  later(30)
  await reads(here.station, { temperature: 12, rainfall: 0, windSpeed: 13 })
  await runner.turn()
  expect(said()).toEqual(['spray.start', 'spray.stop'])
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'interlock', reason: '风速 13 m/s，达到 12 m/s' }])
})

test('stopped by hand: nothing starts the line by itself for thirty minutes', async () => {
  const here = await site()
  const first = await dust(here)
  await runner.turn()
  const id = (await runs(here))[0]?.id ?? ''
  expect((await admin.ask(calls.stopLinkage, { params: { id }, query: { projectCode: '*' }, body: { reason: '' } })).message).toContain(
    '停止原因',
  )
  expect(await admin.call(calls.stopLinkage, { params: { id }, query: { projectCode: '*' }, body: { reason: '要浇筑' } })).toMatchObject({
    stopReason: '要浇筑',
  })
  await runner.turn()
  expect(said()).toEqual(['spray.start', 'spray.stop'])
  expect(await runs(here)).toMatchObject([{ result: 'manual' }])
  expect((await admin.ask(calls.stopLinkage, { params: { id }, query: { projectCode: '*' }, body: { reason: '再停' } })).message).toContain(
    '已结束',
  )
  await over(first)
  later(29 * 60)
  const second = await dust(here)
  await runner.turn()
  expect(said()).toHaveLength(2)
  expect((await log(here)).at(-1)).toMatchObject({ step: 'hold', state: 'held', text: expect.stringContaining('已人工停止（要浇筑）') })
  await over(second)
  later(61)
  await dust(here)
  await runner.turn()
  expect(said()).toHaveLength(3)
})

test('stopped on the device’s own page: that is a manual stop too', async () => {
  const here = await site()
  await dust(here)
  await runner.turn()
  later(10)
  await query(
    `insert into device_command (id, device_id, project_code, cmd, by_name, sent_at, answered_at, result) values ($1, $2, $3, 'spray.stop', '王工', $4, $4, 0)`,
    [newId(), here.line, here.code, new Date(now)],
  )
  later(20)
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'manual', reason: expect.stringContaining('王工') }])
  await dust(here, 'b')
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
})

test('no reply to three tries: one alarm on the device, the start taken back; doing as told clears it', async () => {
  const here = await site()
  answers = Array.from({ length: 6 }, () => silent)
  const alarm = await dust(here)
  for (let i = 0; i < 8; i++) {
    await runner.turn()
    later(11)
  }
  expect(said()).toEqual(['spray.start', 'spray.start', 'spray.start', 'spray.stop', 'spray.stop', 'spray.stop'])
  expect(new Set(sent.slice(0, 3).map((c) => c.cmdId)).size).toBe(1)
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'noReply', attempts: 3 }])
  expect(await failures(here)).toEqual([{ active: true, level: 4, device_id: here.line }])
  expect(await log(here)).toMatchObject([{ step: 'start', state: 'failed' }])
  await over(alarm)
  answers = Array.from({ length: 6 }, () => silent)
  const again = await dust(here)
  for (let i = 0; i < 8; i++) {
    await runner.turn()
    later(11)
  }
  expect(await failures(here)).toHaveLength(1)
  await over(again)
  await reads(here.station, { temperature: 12 })
  await dust(here)
  await runner.turn()
  expect(await runs(here)).toMatchObject([{}, {}, { state: 'running' }])
  expect(await failures(here)).toMatchObject([{ active: false }])
})

test('a device that refuses is not asked again', async () => {
  const here = await site()
  answers = [{ result: 7, message: '水泵故障' }]
  await dust(here)
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
  expect(await runs(here)).toMatchObject([{ result: 'refused', reason: '设备拒绝：水泵故障' }])
  expect(await failures(here)).toHaveLength(1)
  const { list } = await admin.call(listAlarms, { query: { deviceId: here.line } })
  expect(list).toMatchObject([{ alarmKey: 'linkageFailed', alarmLabel: '联动失败', level: 4 }])
  expect(
    await admin.call(getAlarm, { params: { id: list[0] && 'id' in list[0] ? list[0].id : '' }, query: { projectCode: '*' } }),
  ).toMatchObject({
    thresholdText: '设备拒绝：水泵故障',
  })
})

test('a line that does not stop is told again every minute, and the alarm says so once', async () => {
  const here = await site()
  const alarm = await dust(here)
  await runner.turn()
  later(61)
  await over(alarm)
  answers = Array.from({ length: 4 }, () => silent)
  for (let i = 0; i < 4; i++) {
    await runner.turn()
    later(i < 3 ? 11 : 1)
  }
  expect(said()).toEqual(['spray.start', 'spray.stop', 'spray.stop', 'spray.stop'])
  expect(await failures(here)).toMatchObject([{ active: true }])
  later(60)
  await runner.turn()
  later(60)
  await runner.turn()
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'recovered' }])
  expect(await failures(here)).toMatchObject([{ active: false }])
})

test('restart in the middle: whoever comes next goes on with the same command, and asks first what became of it', async () => {
  const here = await site()
  await dust(here)
  const dies = runnerWith((command) => {
    sent.push(command)
    return new Promise(() => undefined)
  })
  await dies.take()
  await dies.pump()
  await expect.poll(() => sent.length).toBe(1)
  const next = runnerWith(obey)
  await next.turn()
  // The run is still claimed by another runner.
  expect(sent).toHaveLength(1)
  await query(
    `insert into device_command (id, device_id, project_code, cmd, by_name, sent_at, answered_at, result) values ($1, $2, $3, 'spray.start', '设备联动', $4, $4, 0)`,
    [sent[0]?.cmdId, here.line, here.code, new Date(now)],
  )
  later(61)
  await next.turn()
  expect(sent).toHaveLength(1)
  expect(await runs(here)).toMatchObject([{ state: 'running' }])
  // A run that continues across a restart is stopped by the next runner.
  await query('update alarm set active = false where project_code = $1', [here.code])
  later(61)
  await runnerWith(obey).turn()
  expect(said()).toEqual(['spray.start', 'spray.stop'])
})

test('command reply after time-out changes nothing that has been decided since', async () => {
  const here = await site()
  await dust(here)
  let late: ((answer: { result: number; message: string }) => void) | undefined
  const slow = runnerWith(
    () =>
      new Promise((resolve) => {
        late = resolve
      }),
  )
  await slow.take()
  await slow.pump()
  await expect.poll(() => late !== undefined).toBe(true)
  answers = Array.from({ length: 5 }, () => silent)
  for (let i = 0; i < 7; i++) {
    later(61)
    await runner.turn()
  }
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'noReply', attempts: 3 }])
  const before = await log(here)
  late?.({ result: 0, message: '已执行' })
  await slow.settled()
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'noReply' }])
  expect(await log(here)).toEqual(before)
  expect(await failures(here)).toHaveLength(1)
  // It was stopped in case it had started.
  expect(said().slice(2)).toEqual(['spray.stop', 'spray.stop', 'spray.stop'])
})

test('alarm cleared before the start: nothing is said to the device', async () => {
  const here = await site()
  await over(await dust(here))
  await runner.turn()
  expect(sent).toEqual([])
  expect(await runs(here)).toEqual([])
  await reads(here.station, { temperature: 0 })
  const current = await dust(here)
  await runner.turn()
  await over(current)
  await runner.turn()
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'alarmOver' }])
  expect(sent).toEqual([])
})

test.each(['false', 'ignored', 'closed'])('an alarm marked %s keeps nothing running', async (state) => {
  const here = await site()
  const alarm = await dust(here)
  await runner.turn()
  later(60)
  await query('update alarm set state = $2 where id = $1', [alarm, state])
  await runner.turn()
  expect(said()).toEqual(['spray.start', 'spray.stop'])
})

test('two jobs workers at once start once', async () => {
  const places = await Promise.all(Array.from({ length: 6 }, () => site()))
  for (const here of places) await dust(here)
  await Promise.all(Array.from({ length: 4 }, () => runnerWith(obey).turn()))
  await runner.turn()
  for (const here of places) expect(sent.filter((c) => c.deviceId === here.line)).toHaveLength(1)
})

test('what happened more than ten minutes ago, and what was found in late readings, starts nothing', async () => {
  const here = await site()
  const late = await dust(here, 'late')
  await query('update alarm set historical = true where id = $1', [late])
  await runner.turn()
  await dust(here)
  await query('update alarm_outbox set create_time = $1 where not linked', [new Date(now - 11 * 60_000)])
  await runner.turn()
  expect(await runs(here)).toEqual([])
  expect(await query('select 1 from alarm_outbox where not linked')).toEqual([])
})

test('a person confirms within ten minutes, or nothing starts', async () => {
  const here = await site({ confirm: 'person' })
  const first = await dust(here)
  await runner.turn()
  expect(sent).toEqual([])
  const [run] = (await admin.call(calls.listLinkageRuns, { query: { projectCode: here.code, state: 'waitingConfirm' } })).list
  expect(run).toMatchObject({ stateName: '等待确认', confirmUntil: now + 600_000 })
  expect(await admin.call(calls.confirmLinkage, { params: { id: run?.id ?? '' }, query: { projectCode: '*' } })).toMatchObject({
    state: 'starting',
    confirmedBy: expect.any(String),
  })
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
  expect((await admin.ask(calls.confirmLinkage, { params: { id: run?.id ?? '' }, query: { projectCode: '*' } })).message).toContain(
    '不在等待确认',
  )
  later(61)
  await over(first)
  await runner.turn()
  later(121)
  await dust(here)
  await runner.turn()
  later(600)
  const [second] = (await admin.call(calls.listLinkageRuns, { query: { projectCode: here.code, state: 'waitingConfirm' } })).list
  expect((await admin.ask(calls.confirmLinkage, { params: { id: second?.id ?? '' }, query: { projectCode: '*' } })).message).toContain(
    '时限',
  )
  await runner.turn()
  expect((await runs(here))[1]).toMatchObject({ state: 'ended', result: 'unconfirmed' })
  expect(said()).toEqual(['spray.start', 'spray.stop'])
})

test('a drill starts machines only when its linkage was ticked, and is marked everywhere', async () => {
  const here = await site()
  const drill = async (linkage: boolean) => {
    await admin.call(startDrill, { body: { deviceId: here.station, alarmKey: 'pm10Alarm', notify: true, linkage, seconds: 120 } })
    await query('update alarm_outbox set create_time = $1 where not linked', [new Date(now)])
    await runner.turn()
  }
  await drill(false)
  expect(sent).toEqual([])
  await drill(true)
  expect(said()).toEqual(['spray.start'])
  expect(await log(here)).toMatchObject([{ step: 'start', text: expect.stringContaining('【演练】') }])
  // The drill ends at its scheduled time without any event.
  later(121)
  await runner.turn()
  expect(said()).toEqual(['spray.start', 'spray.stop'])
  later(200)
  answers = [{ result: 9, message: '拒绝' }]
  await drill(true)
  expect(await failures(here)).toEqual([])
})

test('a drill starts machines only for whoever may start them', async () => {
  const device = city.city.devices.find((d) => d.family === 'environment' && d.projectCode === city.city.projects[0]?.projectCode)
  const drill = { deviceId: device?.id ?? '', alarmKey: 'pm10Alarm', notify: false, seconds: 60 }
  await query(`update role set codes = array_append(codes, 'alarm.sim') where name = '安全员' and groups_type = 3`)
  const officer = await city.as('hospital-officer')
  expect(await officer.ask(startDrill, { body: { ...drill, linkage: true } })).toMatchObject({
    http: 403,
    message: expect.stringContaining('rules.linkage'),
  })
})

test('a real alarm that joins a drill’s run makes it earnest', async () => {
  const here = await site()
  await admin.call(startDrill, { body: { deviceId: here.station, alarmKey: 'pm10Alarm', notify: false, linkage: true, seconds: 60 } })
  await query('update alarm_outbox set create_time = $1 where not linked', [new Date(now)])
  await runner.turn()
  await dust(here)
  await runner.turn()
  expect((await admin.call(calls.listLinkageRuns, { query: { projectCode: here.code } })).list).toMatchObject([
    { simulated: false, alarms: [{}, {}] },
  ])
  later(90)
  await runner.turn()
  expect(said()).toEqual(['spray.start'])
})

test('an action that is switched off stops what it started', async () => {
  const here = await site()
  await dust(here)
  await runner.turn()
  await query('update rule_exec set enabled = false where id = $1', [here.execId])
  later(30)
  await runner.turn()
  expect(await runs(here)).toMatchObject([{ result: 'disabled' }])
  expect(said()).toEqual(['spray.start', 'spray.stop'])
})

test('a shout and a picture are over when they are done', async () => {
  const here = await site()
  const helmet = await device(here.code, 'smartHelmet')
  await reads(helmet, { longitude: 114.3, latitude: 30.5 })
  const make = (name: string, command: string) =>
    admin.call(rules.createExec, {
      body: {
        name,
        kind: 'linkage',
        projectCode: here.code,
        linkage: { command, selector: { kind: 'bound' }, maxRunSeconds: 60 } as never,
      },
    })
  const execIds = [(await make('呼叫', 'helmet.call')).id, (await make('抓拍', 'camera.snapshot')).id]
  const { id: ruleId } = await admin.call(rules.createTrigger, {
    body: {
      name: 'SOS',
      family: 'smartHelmet',
      alarmKey: 'sos',
      projectCode: here.code,
      execIds,
      levels: [{ level: 1, condition: { type: 'state', metric: 'sos', equals: true } }] as never,
    },
  })
  await write({ ...(await sosOf(here, helmet, ruleId)) })
  await runner.turn()
  expect(sent.map((c) => [c.cmd, c.deviceId]).sort()).toEqual(
    [
      ['helmet.call', helmet],
      // A helmet may have a camera of its own.
      ['camera.snapshot', helmet],
    ].sort(),
  )
  expect((await runs(here)).map((r) => r.result)).toEqual(['done', 'done'])
  expect(await admin.call(calls.trialLinkage, { params: { id: execIds[1] ?? '' }, body: { deviceId: here.station } })).toMatchObject({
    targets: [],
  })
})
async function sosOf(here: Site, helmet: string, ruleId: string): Promise<AlarmOp> {
  return {
    op: 'open',
    id: newId(),
    projectCode: here.code,
    deviceId: helmet,
    deviceName: '安全帽',
    point: '',
    family: 'smartHelmet',
    alarmKey: 'sos',
    label: 'SOS求助',
    level: 1,
    startTime: now,
    fireTime: now,
    metric: 'sos',
    value: null,
    thresholdText: 'SOS',
    ruleId,
    ruleVersion: 1,
    source: 'device',
    values: {},
  }
}

test('a trial says what would start and what holds it back, and changes nothing', async () => {
  const here = await site()
  const trial = () => admin.call(calls.trialLinkage, { params: { id: here.execId }, body: { deviceId: here.station } })
  expect(await trial()).toMatchObject({
    command: 'spray.start',
    targets: [{ deviceId: here.line, would: 'start', interlocks: [{ key: 'frost', holds: false }, {}, {}, {}] }],
  })
  await reads(here.station, { temperature: 1, windSpeed: 3 })
  expect((await trial()).targets[0]).toMatchObject({
    would: 'hold',
    reason: '气温 1 ℃，低于 2 ℃',
    interlocks: [{ holds: true }, { holds: null }, {}, {}],
  })
  await reads(here.station, { temperature: 12, windSpeed: 3, rainfall: 0 })
  await dust(here)
  await runner.turn()
  expect((await trial()).targets[0]).toMatchObject({ would: 'join' })
  await admin.call(calls.stopLinkage, {
    params: { id: (await runs(here))[0]?.id ?? '' },
    query: { projectCode: '*' },
    body: { reason: '试' },
  })
  await runner.turn()
  expect((await trial()).targets[0]).toMatchObject({ would: 'blocked' })
  expect(await runs(here)).toHaveLength(1)
  expect(said()).toEqual(['spray.start', 'spray.stop'])
})

test('lift lock and crane cut-off are never said, whatever is stored', async () => {
  expect(Object.keys(linkageCommands)).not.toContain('lift.lock')
  const here = await site()
  const make = (linkage: object) =>
    admin.ask(rules.createExec, {
      body: { name: '锁', kind: 'linkage', projectCode: here.code, linkage: { ...sprayed, ...linkage } as never },
    })
  expect((await make({ command: 'lift.lock' })).message).toContain('安全关键动作不由云端执行')
  expect((await make({ stopCommand: 'lift.lock' })).message).toContain('安全关键动作不由云端执行')
  expect((await make({ command: 'crane.warn', stopCommand: 'device.reboot' })).message).toContain('不对应')
  expect((await make({ command: 'crane.cutOff' })).status).not.toBe(0)
  expect((await make({ family: 'lifter' })).message).toContain('不执行')
  expect((await make({ selector: { kind: 'list', deviceIds: [here.station] } })).message).toContain('不执行')
  const lifter = await device(here.code, 'lifter', { areaName: '东侧' })
  const alarm = await (async () => {
    await query(`update rule_exec set definition = definition || '{"command":"lift.lock","stopCommand":"lift.lock"}' where id = $1`, [
      here.execId,
    ])
    return dust(here)
  })()
  await query(
    `insert into linkage_run (id, project_code, exec_id, exec_name, command, device_id, device_name, family, definition, level, state, cmd_id, stop_cmd_id, due_at, create_time)
     values ($1, $2, $3, '锁', 'lift.lock', $4, '升降机', 'lifter', (select definition from rule_exec where id = $3), 1, 'starting', $1, $1, $5, $5)`,
    [newId(), here.code, here.execId, lifter, new Date(now)],
  )
  await runner.turn()
  expect(sent).toEqual([])
  expect(await query(`select text from alarm_log where alarm_id = $1 and event = 'linkage'`, [alarm])).toEqual([
    { text: '扬尘喷淋：未执行，安全关键动作不由云端执行' },
  ])
  expect(await runs(here)).toMatchObject([{ state: 'ended', result: 'refused' }])
})

test('what cannot be sent or done is not offered', async () => {
  const make = (body: object) => admin.ask(rules.createExec, { body: body as never })
  for (const channel of ['3', '5'])
    expect((await make({ name: '通知', kind: 'notify', notify: { onDuty: true, channels: [channel] } })).message).toContain('该渠道未接入')
  expect(
    (
      await make({
        name: '通知',
        kind: 'notify',
        notify: { onDuty: true, channels: ['1'], escalation: [{ afterMinutes: 5, roles: ['项目经理'], channels: ['3'] }] },
      })
    ).message,
  ).toContain('该渠道未接入')
  expect((await make({ name: '短信', kind: 'sms', sms: {} })).message).toContain('动作类型')
  const order = { category: '04', requirement: '停机检查', days: 31 }
  expect((await make({ name: '整改', kind: 'rectify', rectify: order })).message).toContain('整改要求至少 5 个字')
  expect((await make({ name: '整改', kind: 'rectify', rectify: { ...order, requirement: '停机检查并校准' } })).message).toContain(
    '至多 30 天',
  )
})
