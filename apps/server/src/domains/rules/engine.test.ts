import { type Family, familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Db, openDatabase } from '#kit/db'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { cloneDatabase } from '../../../test/world.ts'
import { writeAlarmOps } from '../alarms/public.ts'
import type { FleetDevice } from '../equipment/public.ts'
import { markGiven, toColumns } from '../readings/public.ts'
import { Pipeline } from '../telemetry/pipeline.ts'
import { Presence } from '../telemetry/presence.ts'
import { deliverDefaultRules, Effects, RuleEngine, writeStates } from './public.ts'
import { rehearse } from './rehearse.ts'
import { readyTrigger } from './trigger.ts'
import { findUnjudged } from './unjudged.ts'
import type { RulePorts } from './world.ts'

let pool: pg.Pool
let kysely: Db
let url: string
let drop: () => Promise<void>
const fleet = new Map<string, FleetDevice>()
const deviceOf = (id: string) => fleet.get(id)

beforeAll(async () => {
  const clone = await cloneDatabase(inject('postgresUrl'))
  url = clone.url
  const database = openDatabase(clone.url, { max: 4 })
  pool = database.pool
  kysely = database.kysely
  await deliverDefaultRules(database.kysely)
  for (const code of ['P1', 'P2']) {
    await pool.query(
      `insert into project (id, project_code, name, category, prj_status, area_code, address, lng, lat, property_num, invest, start_date, complete_date, link_man)
       values ($1, $2, $2, '01', '003', '420100', '—', 114, 30, '1', 1, '2026-01-01', '2027-01-01', '—')`,
      [newId(), code],
    )
  }
  drop = async () => {
    await database.close()
    await clone.drop()
  }
})
afterAll(() => drop())

async function device(family: string, more: Partial<FleetDevice> = {}): Promise<FleetDevice> {
  const id = newId()
  const sn = `SN${id.slice(-8)}`
  const known = familyOf(family) as Family
  const one: FleetDevice = {
    id,
    projectCode: 'P1',
    name: `设备 ${sn}`,
    sn,
    family: known,
    order: storedOrder(family) as FleetDevice['order'],
    protocol: 'http',
    accessKey: sn,
    access: { protocol: 'http' },
    sealedSecret: null,
    gatewayId: null,
    params: {},
    intervalSeconds: 10,
    inService: true,
    ...more,
  }
  await pool.query(
    `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, params, interval_seconds) values ($1, $2, $3, $4, $5, '{}', 'http', $4, $6, $7)`,
    [id, one.projectCode, one.name, sn, family, JSON.stringify(one.params), one.intervalSeconds],
  )
  fleet.set(id, one)
  return one
}

/** An engine with its transactions; readings are stored like in the pipeline, so that a restart finds them. */
class Desk {
  engine = new RuleEngine()
  ports: RulePorts = {}
  async start(): Promise<this> {
    this.engine = new RuleEngine(this.ports)
    await this.engine.load(pool, deviceOf, () => fleet.values())
    return this
  }
  async write(effects: Effects): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const adopted = await writeAlarmOps(client, effects.ops)
      await writeStates(client, effects.states.values())
      await client.query('commit')
      this.engine.adopt(adopted)
    } finally {
      client.release()
    }
  }
  async read(
    one: FleetDevice,
    time: number,
    values: Record<string, unknown>,
    receivedAt = time,
    quality: Record<string, string> | null = null,
  ) {
    const effects = new Effects()
    const reading = { time, receivedAt, mark: markGiven(0), values, unknown: null, quality, flag: 0 as const }
    this.engine.heard(one, receivedAt, effects)
    this.engine.take(one, reading, effects)
    const { v, w, extra } = toColumns(one.order, reading)
    await pool.query(
      'insert into telemetry (device_id, ts, seq, received_at, schema_ver, v, w, extra, quality) values ($1, $2, 0, $3, 1, $4, $5, $6, $7) on conflict do nothing',
      [one.id, new Date(time), new Date(receivedAt), v, w, extra && JSON.stringify(extra), quality && JSON.stringify(quality)],
    )
    await pool.query(
      `insert into device_latest as l (device_id, ts, received_at, v, online_since) values ($1, $2, $3, $4, now())
       on conflict (device_id) do update set ts = greatest(l.ts, excluded.ts), received_at = excluded.received_at, v = excluded.v`,
      [one.id, new Date(time), new Date(receivedAt), JSON.stringify(values)],
    )
    await this.write(effects)
    return effects.notes
  }
  async tick(now: number): Promise<void> {
    const effects = new Effects()
    this.engine.tick(now, effects, () => true)
    await this.write(effects)
  }
  async reload(...ids: string[]): Promise<void> {
    const judge = await this.engine.reload(pool, ids, deviceOf)
    const effects = new Effects()
    judge(effects, () => true)
    await this.write(effects)
  }
}

interface RecordedAlarm {
  key: string
  event: string
  level: number
}
async function reported(one: FleetDevice, key?: string): Promise<string[]> {
  const { rows } = await pool.query<RecordedAlarm>(
    `select a.alarm_key as key, o.event, o.level from alarm_outbox o join alarm a on a.id = o.alarm_id where a.device_id = $1 and ($2::text is null or a.alarm_key = $2) order by o.id`,
    [one.id, key ?? null],
  )
  return rows.map((r) => `${r.event}${r.level}`)
}
async function alarms(one: FleetDevice, key: string) {
  const { rows } = await pool.query('select * from alarm where device_id = $1 and alarm_key = $2 order by fire_time, id', [one.id, key])
  return rows as {
    id: string
    point: string
    active: boolean
    clear_reason: string | null
    level: number
    project_code: string
    historical: boolean
    sources: string[]
    flapping: boolean
    reopened: number
    start_time: Date
    clear_time: Date | null
    rule_id: string
  }[]
}
async function rule(
  family: string,
  alarmKey: string,
  levels: unknown,
  more: { scope?: unknown; projectCode?: string; options?: object; schedule?: unknown; locked?: boolean } = {},
): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels, schedule, options, locked) values ($1, $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      family,
      alarmKey,
      JSON.stringify(more.scope ?? { kind: 'global' }),
      more.projectCode ?? null,
      JSON.stringify(levels),
      more.schedule ? JSON.stringify(more.schedule) : null,
      JSON.stringify(more.options ?? {}),
      more.locked ?? false,
    ],
  )
  return id
}
const limit = (metric: string, value: number, more: object = {}) => ({ type: 'threshold', metric, op: '>=', value, ...more })
const begun = Date.now() - 600_000

test('live evaluation and rehearsal of the same samples give the same events', async () => {
  const one = await device('environment')
  const levels = [
    { level: 3 as const, forSeconds: 20, clearForSeconds: 20, condition: limit('pm10', 100, { windowSeconds: 60, clearValue: 80 }) },
    { level: 1 as const, condition: limit('pm10', 300, { windowSeconds: 60 }) },
  ]
  await rule('environment', 'pm10Alarm', levels, { scope: { kind: 'devices', deviceIds: [one.id] }, projectCode: 'P1' })
  const desk = await new Desk().start()
  let seed = 7
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed / 2 ** 31
  }
  const samples: { time: number; data: Record<string, unknown> }[] = []
  let time = begun
  for (let i = 0; i < 150; i++) {
    time += [10_000, 10_000, 10_000, 20_000, 90_000][Math.floor(next() * 5)] as number
    samples.push({ time, data: { pm10: Math.round(40 + 120 * Math.sin(i / 6) + 400 * (next() > 0.9 ? 1 : 0) + 60 * next()) } })
  }
  const from = Date.now() - (time - begun)
  for (const s of samples) s.time += from - begun
  const restarts: number[] = []
  for (const [i, s] of samples.entries()) {
    if (i % 20 === 19) {
      restarts.push(s.time)
      await desk.start()
    }
    await desk.read(one, s.time, s.data)
  }
  const { events } = rehearse({ trigger: readyTrigger({ levels }), family: one.family, intervalSeconds: 10, samples, restarts })
  const expected = events.flatMap((e) =>
    ['open', 'upgrade', 'downgrade', 'clear', 'flapping'].includes(e.event) ? [`${e.event}${e.level}`] : [],
  )
  expect(expected.length).toBeGreaterThan(4)
  expect(await reported(one, 'pm10Alarm')).toEqual(expected)
})

test('restart in pending / open / recovering', async () => {
  const one = await device('towerCrane')
  const key = 'fromPending'
  await rule('towerCrane', key, [{ level: 2, forSeconds: 20, clearForSeconds: 20, condition: limit('windSpeed', 12, { clearValue: 10 }) }])
  const desk = await new Desk().start()
  await desk.read(one, begun, { windSpeed: 13 })
  await desk.start()
  await desk.read(one, begun + 10_000, { windSpeed: 13 })
  expect(await reported(one, key)).toEqual([])
  await desk.read(one, begun + 20_000, { windSpeed: 13 })
  expect(await reported(one, key)).toEqual(['open2'])
  await desk.start()
  await desk.read(one, begun + 30_000, { windSpeed: 11 })
  await desk.read(one, begun + 40_000, { windSpeed: 9 })
  await desk.start()
  await desk.read(one, begun + 50_000, { windSpeed: 9 })
  expect(await reported(one, key)).toEqual(['open2'])
  await desk.start()
  await desk.read(one, begun + 60_000, { windSpeed: 9 })
  expect(await reported(one, key)).toEqual(['open2', 'clear2'])
  const [alarm] = await alarms(one, key)
  expect(alarm).toMatchObject({ active: false, clear_reason: 'recovered', start_time: new Date(begun) })
  // The state is kept for a while after clearing, to detect flapping.
  await desk.read(one, begun + 700_000, { windSpeed: 9 })
  expect((await pool.query('select 1 from rule_state where device_id = $1 and trigger_id = $2', [one.id, alarm?.rule_id])).rows).toEqual([])
})

test('a clock that was set back and is believed again stands in the device’s story', async () => {
  const one = await device('towerCrane')
  const desk = await new Desk().start()
  const now = Date.now() - 120_000
  await desk.read(one, now, { windSpeed: 3 })
  const notes = []
  for (let i = 1; i <= 6; i++) notes.push(...(await desk.read(one, now - 3_600_000 + i * 10_000, { windSpeed: 3 }, now + i * 10_000)))
  expect(notes).toMatchObject([{ deviceId: one.id, item: { type: 'clockRebase', data: { point: '', behindMs: 3_600_000 } } }])
})

test('the clock alone opens what is due, with the last value still fresh', async () => {
  const one = await device('towerCrane')
  const desk = await new Desk().start()
  const now = Date.now() - 30_000
  await desk.read(one, now, { windSpeed: 12.5 })
  await desk.tick(now + 9_000)
  expect(await reported(one, 'windAlarm')).toEqual([])
  await desk.tick(now + 11_000)
  expect(await reported(one, 'windAlarm')).toEqual(['open2'])
})

test('the narrowest rule wins; one that is switched off for its scope silences the wider; a lock cannot be loosened', async () => {
  const [one, other] = [await device('towerCrane'), await device('towerCrane', { projectCode: 'P2' })]
  const key = 'narrow'
  await rule('towerCrane', key, [{ level: 3, condition: limit('load', 5) }])
  await rule('towerCrane', key, [{ level: 2, condition: limit('load', 8) }], {
    scope: { kind: 'projects', projectCodes: ['P2'] },
    projectCode: 'P2',
  })
  const own = await rule('towerCrane', key, [{ level: 1, condition: limit('load', 20) }], {
    scope: { kind: 'devices', deviceIds: [one.id] },
    projectCode: 'P1',
    options: { off: true },
  })
  const desk = await new Desk().start()
  await desk.read(one, begun, { load: 30 })
  await desk.read(other, begun, { load: 6 })
  await desk.read(other, begun + 10_000, { load: 9 })
  expect(await reported(one, key)).toEqual([])
  expect(await reported(other, key)).toEqual(['open2'])
  await pool.query('update rule_trigger set enabled = false, version = 2 where id = $1', [own])
  await desk.reload(own)
  await desk.read(one, begun + 20_000, { load: 6 })
  expect(await reported(one, key)).toEqual(['open3'])
  const locked = await rule('towerCrane', 'lockedKey', [{ level: 3, condition: limit('load', 5) }], { locked: true })
  const looser = await rule('towerCrane', 'lockedKey', [{ level: 3, condition: limit('load', 50) }], {
    scope: { kind: 'projects', projectCodes: ['P1'] },
    projectCode: 'P1',
  })
  await desk.reload(locked, looser)
  await desk.read(one, begun + 30_000, { load: 6 })
  expect(await reported(one, 'lockedKey')).toEqual(['open3'])
})

test('rule change while pending or open: pending dropped, open judged by the last value; one that ends closes its alarms', async () => {
  const one = await device('towerCrane')
  const key = 'changing'
  const id = await rule('towerCrane', key, [{ level: 2, condition: limit('load', 5) }])
  const desk = await new Desk().start()
  await desk.read(one, begun, { load: 6 })
  const change = async (set: string) => {
    await pool.query(`update rule_trigger set ${set}, version = version + 1 where id = $1`, [id])
    await desk.reload(id)
  }
  await change(`levels = '[{"level":1,"condition":{"type":"threshold","metric":"load","op":">=","value":5.5}}]'`)
  expect(await reported(one, key)).toEqual(['open2', 'upgrade1'])
  await change(`levels = '[{"level":1,"condition":{"type":"threshold","metric":"load","op":">=","value":9}}]'`)
  expect((await alarms(one, key))[0]).toMatchObject({ active: false, clear_reason: 'ruleChanged' })
  await desk.read(one, begun + 10_000, { load: 10 })
  await change('enabled = false')
  expect((await alarms(one, key))[1]).toMatchObject({ active: false, clear_reason: 'ruleDisabled' })
  await change(
    `enabled = true, levels = '[{"level":1,"forSeconds":30,"condition":{"type":"threshold","metric":"load","op":">=","value":9}}]'`,
  )
  await desk.read(one, begun + 20_000, { load: 10 })
  await change(`levels = '[{"level":1,"forSeconds":30,"condition":{"type":"threshold","metric":"load","op":">=","value":8}}]'`)
  await desk.read(one, begun + 40_000, { load: 10 })
  await desk.read(one, begun + 60_000, { load: 10 })
  expect(await alarms(one, key)).toHaveLength(2)
  await desk.read(one, begun + 70_000, { load: 10 })
  expect(await alarms(one, key)).toHaveLength(3)
})

test('a rule that asks for too much is set aside on that device until it is changed, and the others go on', async () => {
  const big = Array.from({ length: 3_000 }, (_, i) => [114 + Math.cos(i / 478) / 10, 30 + Math.sin(i / 478) / 10])
  const one = await device('truckMonitor', { params: { fences: { big } } as never })
  const fence = (confirmSamples: number) => [{ level: 2, condition: { type: 'geofence', mode: 'inside', fenceId: 'big', confirmSamples } }]
  const id = await rule('truckMonitor', 'heavy', fence(20), { scope: { kind: 'devices', deviceIds: [one.id] } })
  await rule('truckMonitor', 'light', [{ level: 3, condition: limit('speed', 50) }], { scope: { kind: 'devices', deviceIds: [one.id] } })
  const desk = await new Desk().start()
  const drive = async (from: number, readings: number, speed: number) => {
    for (let i = from; i < from + readings; i++) await desk.read(one, begun + i * 10_000, { longitude: 114, latitude: 30, speed })
  }
  const written = async () =>
    (await pool.query('select state from rule_state where device_id = $1 and trigger_id = $2 and level = 1', [one.id, id])).rows
  await drive(0, 25, 10)
  await drive(25, 1, 60)
  expect([await reported(one, 'heavy'), await reported(one, 'light')]).toEqual([[], ['open3']])
  await desk.tick(Date.now())
  expect(await written()).toMatchObject([{ state: { version: 1, since: expect.any(Number) } }])
  await desk.start()
  await drive(26, 1, 10)
  expect([await reported(one, 'heavy'), await reported(one, 'light')]).toEqual([[], ['open3', 'clear3']])
  await pool.query('update rule_trigger set levels = $2, version = version + 1 where id = $1', [id, JSON.stringify(fence(2))])
  await desk.reload(id)
  await drive(27, 2, 10)
  expect(await reported(one, 'heavy')).toEqual(['open2'])
})

test('rules that are dear together, each within its own budget, are set aside dearest first, on record and listed; the others go on', async () => {
  const big = Array.from({ length: 12_000 }, (_, i) => [114 + Math.cos(i / 1_910) / 10, 30 + Math.sin(i / 1_910) / 10])
  const one = await device('truckMonitor', { params: { fences: { big } } as never })
  const scope = { kind: 'devices', deviceIds: [one.id] }
  const fence = (confirmSamples: number) => [{ level: 2, condition: { type: 'geofence', mode: 'inside', fenceId: 'big', confirmSamples } }]
  const dear: string[] = []
  for (let i = 0; i < 40; i++) dear.push(await rule('truckMonitor', `dear${i}`, fence(2), { scope }))
  await rule('truckMonitor', 'cheap', [{ level: 3, condition: limit('speed', 50) }], { scope })
  const desk = await new Desk().start()
  // At a normal reporting rate no rule is suspended.
  const drive = async (from: number, readings: number, everyMs: number, speed: number) => {
    for (let i = 0; i < readings; i++) await desk.read(one, from + i * everyMs, { longitude: 114, latitude: 30, speed })
    await desk.tick(Date.now())
  }
  const written = async () =>
    (
      await pool.query<{ trigger_id: string; state: object }>(
        'select trigger_id, state from rule_state where device_id = $1 and level = 1',
        [one.id],
      )
    ).rows
  await drive(begun, 10, 10_000, 10)
  expect(await written()).toEqual([])
  await drive(begun + 600_000, 400, 50, 10)
  const aside = await written()
  expect(aside.length).toBeGreaterThan(4)
  expect(aside.length).toBeLessThan(dear.length)
  expect(aside.every((row) => dear.includes(row.trigger_id))).toBe(true)
  expect(aside[0]?.state).toMatchObject({ together: true, version: 1 })
  await drive(begun + 1_200_000, 1, 50, 60)
  expect(await reported(one, 'cheap')).toEqual(['open3'])
  const { list } = await kysely.transaction().execute((tx) => findUnjudged(tx, { projects: undefined, deviceId: one.id }))
  const tooDear = list.filter((found) => found.devices.some((d) => d.missing.some((m) => m.text.includes('本项目各规则每秒合计超过'))))
  expect(tooDear.map((found) => found.ruleId).sort()).toEqual(aside.map((row) => row.trigger_id).sort())
})

test('a rule stored before windows were kept from nesting is left alone: the start does not fail, its open alarm stays, others are judged', async () => {
  const one = await device('towerCrane')
  const scope = { kind: 'devices', deviceIds: [one.id] }
  const id = await rule('towerCrane', 'nested', [{ level: 2, condition: limit('load', 5) }], { scope })
  await rule('towerCrane', 'plain', [{ level: 3, condition: limit('load', 5) }], { scope })
  const desk = await new Desk().start()
  await desk.read(one, begun, { load: 6 })
  const inner = { type: 'countInWindow', metric: 'load', op: '>=', value: 1, count: 1, windowSeconds: 600 }
  const levels = [{ level: 2, condition: { type: 'countInWindow', of: inner, count: 1, windowSeconds: 600 } }]
  await pool.query('update rule_trigger set levels = $2, version = version + 1 where id = $1', [id, JSON.stringify(levels)])
  await desk.reload(id)
  await desk.read(one, begun + 10_000, { load: 0 })
  await desk.start()
  await desk.read(one, begun + 20_000, { load: 7 })
  expect([await reported(one, 'nested'), await reported(one, 'plain')]).toEqual([['open2'], ['open3', 'clear3', 'open3']])
})

test('a rule that changed while nobody was looking is caught up with after the start', async () => {
  const one = await device('towerCrane')
  const [high, gone] = [
    await rule('towerCrane', 'asleep', [{ level: 2, condition: limit('load', 5) }]),
    await rule('towerCrane', 'asleepToo', [{ level: 2, condition: limit('load', 5) }]),
  ]
  const desk = await new Desk().start()
  await desk.read(one, begun, { load: 6 })
  await pool.query(
    `update rule_trigger set version = version + 1, levels = '[{"level":2,"condition":{"type":"threshold","metric":"load","op":">=","value":9}}]' where id = $1`,
    [high],
  )
  await pool.query('update rule_trigger set enabled = false, version = version + 1 where id = $1', [gone])
  await desk.start()
  await desk.tick(Date.now())
  expect((await alarms(one, 'asleep'))[0]).toMatchObject({ active: false, clear_reason: 'ruleChanged' })
  expect((await alarms(one, 'asleepToo'))[0]).toMatchObject({ active: false, clear_reason: 'ruleDisabled' })
})

test('a change nobody told of is found all the same', async () => {
  const one = await device('towerCrane')
  const id = await rule('towerCrane', 'untold', [{ level: 2, condition: limit('load', 5) }])
  const desk = await new Desk().start()
  await desk.read(one, begun, { load: 6 })
  await pool.query('update rule_trigger set enabled = false, version = version + 1 where id = $1', [id])
  await desk.tick(Date.now() + 60_000)
  const end = Date.now() + 5000
  while ((await alarms(one, 'untold'))[0]?.active && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await desk.tick(Date.now())
  }
  expect(await alarms(one, 'untold')).toMatchObject([{ active: false, clear_reason: 'ruleDisabled' }])
})

test('device moved to another project while an alarm is open: the old one keeps the record, ended', async () => {
  const one = await device('towerCrane')
  const key = 'moving'
  await rule('towerCrane', key, [{ level: 2, condition: limit('load', 5) }])
  const desk = await new Desk().start()
  await desk.read(one, begun, { load: 6 })
  const moved = { ...one, projectCode: 'P2' }
  fleet.set(one.id, moved)
  await pool.query(`update device set project_code = 'P2' where id = $1`, [one.id])
  desk.engine.replan(one.id)
  await desk.tick(Date.now())
  expect(await alarms(one, key)).toMatchObject([{ active: false, clear_reason: 'deviceRemoved', project_code: 'P1' }])
  await desk.read(moved, begun + 10_000, { load: 6 })
  expect(await alarms(one, key)).toMatchObject([{ project_code: 'P1' }, { active: true, project_code: 'P2' }])
})

test('device deleted: nothing more is decided of it, and nothing is left to wait', async () => {
  const one = await device('towerCrane')
  const key = 'leaving'
  await rule('towerCrane', key, [{ level: 2, forSeconds: 20, clearForSeconds: 20, condition: limit('load', 5) }])
  const desk = await new Desk().start()
  await desk.read(one, begun, { load: 6 })
  await desk.read(one, begun + 20_000, { load: 6 })
  await desk.read(one, begun + 30_000, { load: 1 })
  expect(await alarms(one, key)).toMatchObject([{ active: true }])
  // Like removing a device, with its notification.
  await pool.query(`update alarm set active = false, clear_time = now(), clear_reason = 'deviceRemoved' where device_id = $1`, [one.id])
  await pool.query('delete from rule_state where device_id = $1', [one.id])
  await pool.query('delete from device where id = $1', [one.id])
  fleet.delete(one.id)
  desk.engine.forget(one.id)
  await desk.tick(begun + 60_000)
  await desk.start()
  await desk.tick(begun + 120_000)
  expect(await alarms(one, key)).toMatchObject([{ active: false, clear_reason: 'deviceRemoved' }])
  expect((await pool.query('select 1 from rule_state where device_id = $1', [one.id])).rows).toEqual([])
})

test('two rules for one key, and the device’s own flag: one alarm, which ends when neither says so', async () => {
  const one = await device('unloadingPlatform')
  const desk = await new Desk().start()
  const flag = async (state: 'start' | 'end', time: number) => {
    const effects = new Effects()
    desk.engine.flag(one, { type: 'tiltAlarm', state, time, receivedAt: time, point: '' }, effects)
    await desk.write(effects)
  }
  await flag('start', begun)
  await desk.read(one, begun + 1000, { tilt: 4 })
  await desk.read(one, begun + 11_000, { tilt: 4 })
  expect(await alarms(one, 'tiltAlarm')).toMatchObject([{ active: true, sources: ['device', 'platform'] }])
  await desk.start()
  await flag('end', begun + 12_000)
  expect(await alarms(one, 'tiltAlarm')).toMatchObject([{ active: true }])
  await desk.read(one, begun + 21_000, { tilt: 1 })
  expect(await alarms(one, 'tiltAlarm')).toMatchObject([{ active: false, clear_reason: 'recovered' }])
})

test('an alarm about a distance keeps whom it was about', async () => {
  const [one, other] = [await device('towerCrane'), await device('towerCrane')]
  const near = { type: 'craneClearance', op: '<', value: 5, predictSeconds: 10, clearValue: 6 }
  const zone = { type: 'craneZone', zone: 'forbidden', marginMeters: 5 }
  await rule('towerCrane', 'collisionWarning', [{ level: 3, condition: near }])
  await rule('towerCrane', 'zoneWarning', [{ level: 3, condition: zone }])
  const desk = new Desk()
  const requested: object[] = []
  desk.ports = {
    clearanceAt: () => ({ meters: 3.816, complete: true }),
    zoneDistanceAt: () => 2,
    nearest: (_id, _at, what) => {
      requested.push(what)
      return what.zone === undefined ? { crane: { id: other.id, meters: 3.816 } } : { zoneName: '学校上空' }
    },
  }
  await desk.start()
  await desk.read(one, begun, { load: 1, radius: 20, slewAngle: 90, driverName: '周大勇' })
  const used = async (key: string) =>
    (await pool.query('select values_used from alarm where device_id = $1 and alarm_key = $2', [one.id, key])).rows[0]?.values_used
  expect(await used('collisionWarning')).toMatchObject({ otherCrane: other.name, clearance: 3.82, driverName: '周大勇' })
  expect(await used('zoneWarning')).toMatchObject({ zoneName: '学校上空' })
  expect(requested).toEqual([
    { predictSeconds: 10, zone: undefined },
    { predictSeconds: undefined, zone: 'forbidden' },
  ])
})

test('flapping: four opens in ten minutes stay one alarm, over a restart', async () => {
  const one = await device('towerCrane')
  const key = 'flap'
  await rule('towerCrane', key, [{ level: 2, condition: limit('load', 5) }])
  const desk = await new Desk().start()
  const values = [6, 1, 6, 1, 6, 1, 6, 1, 6, 1]
  for (const [i, load] of values.entries()) {
    if (i === 8) await desk.start()
    await desk.read(one, begun + i * 10_000, { load })
  }
  const all = await alarms(one, key)
  expect(all).toHaveLength(4)
  expect(all[3]).toMatchObject({ active: true, flapping: true, reopened: 4 })
  for (let t = 100; t <= 400; t += 20) await desk.read(one, begun + t * 1000, { load: 1 })
  expect((await alarms(one, key))[3]).toMatchObject({ active: false, clear_reason: 'recovered' })
  expect(await reported(one, key)).toEqual(['open2', 'clear2', 'open2', 'clear2', 'open2', 'clear2', 'open2', 'flapping2', 'clear2'])
})

test('maintenance: what is named does not open; what was open may end', async () => {
  const one = await device('towerCrane')
  const key = 'momentAlarm'
  await pool.query(
    `insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time)
     values ($1, 'P1', $2, array['momentAlarm'], 'jacking', '顶升', '周工', $3, $4)`,
    [newId(), one.id, new Date(begun), new Date(Date.now() + 3_600_000)],
  )
  const desk = await new Desk().start()
  await desk.read(one, begun + 10_000, { momentPercent: 105, windSpeed: 21 })
  expect(await reported(one, key)).toEqual([])
  await pool.query('update device_suppress set until_time = $2 where device_id = $1', [one.id, new Date(begun + 15_000)])
  await desk.reload()
  await desk.read(one, begun + 20_000, { momentPercent: 105 })
  expect(await reported(one, key)).toEqual(['open2'])
})

test('what a device sends late is on file and nobody’s news', async () => {
  const one = await device('towerCrane')
  const desk = await new Desk().start()
  const now = Date.now()
  await desk.read(one, now - 7200_000, { momentPercent: 50 }, now - 7200_000)
  await desk.read(one, now - 3600_000, { momentPercent: 105 }, now)
  await desk.start()
  await desk.read(one, now - 3590_000, { momentPercent: 108 }, now + 10)
  await desk.read(one, now - 3580_000, { momentPercent: 50 }, now + 20)
  await desk.read(one, now, { momentPercent: 50 }, now + 30)
  const [found, ...more] = await alarms(one, 'momentAlarm')
  expect(more).toEqual([])
  expect(found).toMatchObject({
    historical: true,
    active: false,
    start_time: new Date(now - 3600_000),
    clear_time: new Date(now - 3580_000),
  })
  expect(await reported(one)).toEqual([])
})

test('records: overloaded, short, drifting, twice and at night', async () => {
  const one = await device('weighbridge')
  const desk = await new Desk().start()
  let n = 0
  const weigh = async (time: number, data: Record<string, unknown>) => {
    const effects = new Effects()
    desk.engine.record(one, { record: 'weighRecord', time, receivedAt: time, id: `r:${++n}`, data }, effects)
    await desk.write(effects)
    await pool.query(
      'insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, $5, $6, $3)',
      [one.id, 'P1', new Date(time), `r${n}`, 'weighRecord', JSON.stringify(data)],
    )
  }
  const truck = (more: object) => ({ plateNo: '鄂A12345', grossWeight: 40, tareWeight: 12, ...more })
  const hour = 3_600_000
  const first = Date.now() - 8 * hour
  for (let i = 0; i < 5; i++) await weigh(first + i * hour, truck({}))
  await desk.start()
  await weigh(first + 5 * hour, truck({ tareWeight: 12.8, grossWeight: 50 }))
  await weigh(first + 5 * hour + 300_000, truck({ plateNo: '鄂B00001' }))
  await weigh(first + 5 * hour + 400_000, truck({ tareWeight: 12.8 }))
  expect((await alarms(one, 'tareDrift')).length).toBeGreaterThan(0)
  expect(await alarms(one, 'overload')).toMatchObject([{ active: false }])
  expect(await alarms(one, 'duplicateWeigh')).toHaveLength(1)
  await desk.tick(first + 7 * hour)
  expect((await alarms(one, 'tareDrift')).every((a) => !a.active)).toBe(true)
})

test('passages of a gate: a fever, a stranger, nobody who is in order', async () => {
  const one = await device('faceGate')
  const desk = await new Desk().start()
  const pass = async (seq: number, data: Record<string, unknown>) => {
    const effects = new Effects()
    const time = begun + seq * 60_000
    desk.engine.record(one, { record: 'attendance', time, receivedAt: time, id: `r:${seq}`, data }, effects)
    await desk.write(effects)
  }
  await pass(1, { workerId: 'nobody', personType: '1', direction: '0', temperature: 37.5 })
  expect(await alarms(one, 'highTemperature')).toMatchObject([{ active: true, point: 'nobody' }])
  expect([await alarms(one, 'exited'), await alarms(one, 'blacklist')]).toEqual([[], []])
  await pass(2, { personType: '3', direction: '0' })
  expect(await alarms(one, 'stranger')).toHaveLength(1)
})

test('what a camera recognised is called by its name', async () => {
  const one = await device('videoAi')
  const desk = await new Desk().start()
  const effects = new Effects()
  const data = { eventId: 'e1', type: 'noHelmet', confidence: 0.9 }
  desk.engine.record(one, { record: 'aiEvent', time: begun, receivedAt: begun, id: 'r:1', data }, effects)
  await desk.write(effects)
  const { rows } = await pool.query('select threshold_text from alarm where device_id = $1', [one.id])
  expect(rows).toEqual([{ threshold_text: '类型 为 未戴安全帽' }])
})

test('a camera tells what its site has set it to tell', async () => {
  const one = await device('videoAi')
  const zone = {
    name: '基坑边',
    points: [
      [0, 0],
      [0.5, 0],
      [0.5, 1],
      [0, 1],
    ],
    fromMinute: null,
    untilMinute: null,
  }
  await pool.query(
    `insert into camera_ai (device_id, project_code, thresholds, zones, update_by, update_time) values ($1, 'P1', $2, $3, 'x', now())`,
    [one.id, JSON.stringify([{ type: 'noHelmet', least: 0.8 }]), JSON.stringify([zone])],
  )
  const desk = await new Desk().start()
  const see = async (seq: number, data: Record<string, unknown>) => {
    const effects = new Effects()
    const time = begun + seq * 1000
    desk.engine.record(one, { record: 'aiEvent', time, receivedAt: time, id: `r:${seq}`, data }, effects)
    await desk.write(effects)
    return (await pool.query('select count(*)::int as n from alarm where device_id = $1', [one.id])).rows[0].n
  }
  // Below the site's threshold, or outside its zone: stored, no alarm.
  expect(await see(1, { type: 'noHelmet', confidence: 0.79 })).toBe(0)
  expect(await see(2, { type: 'intrusion', confidence: 0.9, boxes: '[[0.7,0.5,0.1,0.2]]' })).toBe(0)
  expect(await see(3, { type: 'noHelmet', confidence: 0.8 })).toBe(1)
  expect(await see(4, { type: 'intrusion', confidence: 0.9, boxes: '[[0.2,0.5,0.1,0.2]]' })).toBe(2)
})

test('a drill ends by itself', async () => {
  const one = await device('towerCrane')
  const id = newId()
  await pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, simulated)
     values ($1, 'P1', $2, 'x', 'towerCrane', 'windAlarm', 'x', 2, 2, now(), now(), true)`,
    [id, one.id],
  )
  await pool.query(
    `insert into alarm_drill (alarm_id, project_code, device_id, notify, linkage, ends_at) values ($1, 'P1', $2, false, false, now())`,
    [id, one.id],
  )
  const desk = await new Desk().start()
  await desk.tick(Date.now() + 1000)
  expect((await pool.query('select active, clear_reason, state from alarm where id = $1', [id])).rows).toEqual([
    { active: false, clear_reason: 'simulatedEnd', state: 'closed' },
  ])
})

const hour = 3_600_000

/** Inserts a presence and its entry event, as attendance does for a passage. */
async function inside(workerId: string, since: number, gate: FleetDevice): Promise<void> {
  await pool.query(
    `insert into attendance_presence (project_code, worker_id, direction, time) values ('P1', $1, '01', $2)
     on conflict (project_code, worker_id) do update set direction = excluded.direction, time = excluded.time`,
    [workerId, new Date(since)],
  )
  await pool.query(
    `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, device_id, source, seq)
     values ('P1', $1, $1, $2, $3, $3, '001', 'x', $4, 'device', (select count(*) + 1 from attendance_event))`,
    [newId(), workerId, new Date(since), gate.id],
  )
}
async function pass(desk: Desk, gate: FleetDevice, time: number, data: Record<string, unknown>): Promise<void> {
  const effects = new Effects()
  desk.engine.record(gate, { record: 'attendance', time, receivedAt: time, id: 'r:0', data }, effects)
  await desk.write(effects)
}

test('the clock alone finds who has not left: at the gate that let him in, to the second, over a restart; leaving by another gate ends it', async () => {
  const [west, east] = [await device('faceGate'), await device('faceGate')]
  const since = Date.now() - 15 * hour
  await inside('stays', since, west)
  await inside('leaves', since, west)
  const desk = await new Desk().start()
  await pass(desk, east, since + hour, { workerId: 'leaves', direction: '1' })
  await desk.tick(since + 16 * hour - 1000)
  expect(await alarms(west, 'longStay')).toEqual([])
  await pool.query(`delete from attendance_presence where worker_id = 'leaves'`)
  await desk.start()
  await desk.tick(since + 16 * hour + 5000)
  expect(await alarms(west, 'longStay')).toMatchObject([{ active: true, point: 'stays', start_time: new Date(since + 16 * hour) }])
  // A state, not an event: it still holds ten minutes later.
  await desk.tick(since + 17 * hour)
  expect(await alarms(west, 'longStay')).toMatchObject([{ active: true }])
  await pass(desk, east, since + 17 * hour, { workerId: 'stays', direction: '1' })
  await desk.tick(since + 17 * hour + 60_000)
  expect(await alarms(west, 'longStay')).toMatchObject([{ active: false }])
  await pool.query('delete from attendance_presence')
})

test('a date falls due without a word from the device, and a later date ends it', async () => {
  const day = (ms: number) => new Date(ms + 8 * hour).toISOString().slice(0, 10)
  const one = await device('lifter', { params: { safetyDeviceExpiry: day(Date.now() + 40 * 24 * hour) } })
  const desk = await new Desk().start()
  await desk.tick(Date.now())
  expect(await alarms(one, 'safetyDeviceExpiring')).toEqual([])
  const sooner = { ...one, params: { safetyDeviceExpiry: day(Date.now() + 20 * 24 * hour) } }
  fleet.set(one.id, sooner)
  await desk.tick(Date.now() + 30_000)
  expect(await alarms(one, 'safetyDeviceExpiring')).toEqual([])
  await desk.tick(Date.now() + 61_000)
  expect(await reported(one, 'safetyDeviceExpiring')).toEqual(['open4'])
  // One alarm per lift, whatever the number of cages.
  for (const cage of ['1', '2']) await desk.read(sooner, Date.now(), { cage, speed: 0 })
  expect(await alarms(one, 'safetyDeviceExpiring')).toMatchObject([{ point: '' }])
  await desk.start()
  fleet.set(one.id, { ...one })
  await desk.tick(Date.now() + 130_000)
  expect(await reported(one, 'safetyDeviceExpiring')).toEqual(['open4', 'clear4'])
})

test('the clock alone finds that nobody has been recognised for four hours, while the last reading is fresh', async () => {
  const one = await device('towerCrane')
  const desk = await new Desk().start()
  const now = Date.now() - 30_000
  const effects = new Effects()
  desk.engine.record(
    one,
    {
      record: 'driverRecognition',
      time: now - 4 * hour + 5000,
      receivedAt: now - 4 * hour + 5000,
      id: 'r:0',
      data: { driverId: 'd', result: '1' },
    },
    effects,
  )
  await desk.write(effects)
  await desk.read(one, now, { load: 2 })
  expect(await reported(one, 'unauthorizedOperation')).toEqual([])
  await desk.tick(now + 6000)
  expect(await reported(one, 'unauthorizedOperation')).toEqual([])
  await desk.tick(now + 7500)
  expect((await alarms(one, 'unauthorizedOperation')).map((a) => a.start_time.getTime())).toEqual([now + 5001])
})

test('a tag that stays in a limited area is found between two reads, in the plane of the site', async () => {
  const square = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
  ] as const
  const one = await device('baseStationHelmet', { intervalSeconds: 60 })
  const key = 'lingering'
  await rule('baseStationHelmet', key, [{ level: 3, condition: { type: 'dwell', fence: 'area', seconds: 100 } }])
  const desk = new Desk()
  desk.ports = { fence: (_device, { kind, plane }) => (kind === 'area' && plane ? { areas: [square], routes: [] } : undefined) }
  await desk.start()
  await desk.read(one, begun, { tagId: 'T1', x: 5, y: 5 })
  await desk.read(one, begun + 60_000, { tagId: 'T1', x: 6, y: 5 })
  await desk.tick(begun + 101_000)
  expect(await alarms(one, key)).toEqual([])
  await desk.start()
  await desk.tick(begun + 103_000)
  expect(await alarms(one, key)).toMatchObject([{ active: true, start_time: new Date(begun + 100_000) }])
  await desk.read(one, begun + 120_000, { tagId: 'T1', x: 16, y: 5 })
  expect(await alarms(one, key)).toMatchObject([{ active: false }])
})

test('a vehicle in nobody’s register, at a project that keeps one', async () => {
  const bridge = await device('weighbridge')
  await device('truckMonitor', { params: { plateNo: '鄂A00001' } })
  await pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, 'P1', now(), 'a', 'accessRecord', '{"plateNo":"鄂A00002","registered":true}', now())`,
    [bridge.id],
  )
  const desk = await new Desk().start()
  for (const [i, plateNo] of ['鄂A00001', '鄂A00002', '鄂A00003'].entries()) {
    const effects = new Effects()
    const time = begun + i * 1000
    desk.engine.record(bridge, { record: 'weighRecord', time, receivedAt: time, id: `r:${i}`, data: { plateNo, grossWeight: 20 } }, effects)
    await desk.write(effects)
  }
  const { rows } = await pool.query(`select point from alarm where device_id = $1 and alarm_key = 'unknownPlate'`, [bridge.id])
  expect(rows).toEqual([{ point: '鄂A00003' }])
})

test('what is noted of a device is written without a message of it', async () => {
  const one = await device('towerCrane')
  const pipeline = new Pipeline({ databaseUrl: url, log: createLog('test', 'warn'), engine: new RuleEngine(), presence: new Presence() })
  const effects = new Effects()
  effects.notes.push({
    deviceId: one.id,
    item: { time: begun, id: 'degraded:start', type: 'monitoringDegraded', data: { missing: ['b'] } },
  })
  await pipeline.all[0]?.run(effects)
  await pipeline.stop()
  const { rows } = await pool.query('select kind, ts, data from device_event where device_id = $1', [one.id])
  expect(rows).toEqual([{ kind: 'monitoringDegraded', ts: new Date(begun), data: { missing: ['b'] } }])
})

test('1000 devices alarming at once, among 10,000 rules of others', async () => {
  const template = await device('towerCrane')
  await pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels)
     select 'bulk' || n, 'bulk', 'towerCrane', 'bulk' || n % 50, jsonb_build_object('kind', 'devices', 'deviceIds', jsonb_build_array('nobody' || n)), 'P2',
       '[{"level":2,"condition":{"type":"threshold","metric":"load","op":">=","value":1}}]' from generate_series(1, 10000) n`,
  )
  const many = Array.from({ length: 1000 }, (_, i): FleetDevice => ({ ...template, id: `many${i}`, sn: `many${i}`, accessKey: `many${i}` }))
  await pool.query(
    `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, interval_seconds) select 'many' || n, 'P1', 'many', 'many' || n, 'towerCrane', '{}', 'http', 'many' || n, 10 from generate_series(0, 999) n`,
  )
  for (const one of many) fleet.set(one.id, one)
  const desk = await new Desk().start()
  const calm = new Effects()
  for (const one of many)
    desk.engine.take(one, { time: begun, receivedAt: begun, values: { momentPercent: 50, load: 0.1 }, quality: null }, calm)
  const effects = new Effects()
  for (const one of many)
    desk.engine.take(
      one,
      { time: begun + 5000, receivedAt: begun + 5000, values: { momentPercent: 105, load: 0.1 }, quality: null },
      effects,
    )
  await desk.write(effects)
  const { rows } = await pool.query(
    `select count(*)::int as n, count(distinct device_id)::int as devices from alarm where alarm_key = 'momentAlarm' and active and device_id like 'many%'`,
  )
  expect(rows).toEqual([{ n: 1000, devices: 1000 }])
})
