import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codesFor } from '@zhugong/contract/access/codes'
import * as alarms from '@zhugong/contract/alarms/endpoints'
import * as devices from '@zhugong/contract/equipment/endpoints'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import * as helmetMedia from '@zhugong/contract/monitoring/helmet/helmet-media'
import * as helmetStatistics from '@zhugong/contract/monitoring/helmet/helmet-statistics'
import * as helmets from '@zhugong/contract/monitoring/helmet/helmets'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import { listFrames } from '@zhugong/contract/telemetry/wire-endpoints'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makePartitions } from '#domains/telemetry/rollup'
import { copyReadings, type StoredReading, writeLatest } from '#domains/telemetry/store'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'
import { runExport } from '../../exports/run-export.ts'
import { markGiven } from '../../readings/public.ts'

/** Unique values, so that a leak can be found in any answer. */
const secret = { longitude: 115.123457, latitude: 30.765432, heartRate: 187, bodyTemperature: 39.7, x: 4321.12, stationId: 'ST-GEHEIM-7' }
const place = [String(secret.longitude), String(secret.latitude)]
const health = ['heartRate":187', 'peakValue":187', '187 次', String(secret.bodyTemperature)]

let world: World
let settled: CityWorld
let main = ''
const now = Date.now()
/** One helmet is worn by a worker of the labour company, one by a worker of another company. */
let own: { id: string; workerId: string; workerName: string }
let other: typeof own

async function wear(id: string, isOf: boolean, corps: readonly string[]) {
  const { rows } = await world.database.pool.query(
    `select worker_id, worker_name from project_worker where project_code = $1 and exit_time is null and (corp_code = any ($2)) = $3
     and not exists (select 1 from device d where d.params ->> 'workerId' = worker_id) order by id limit 1`,
    [main, corps, isOf],
  )
  const { worker_id: workerId, worker_name: workerName } = rows[0]
  await world.database.pool.query(`update device set params = params || jsonb_build_object('workerId', $2::text) where id = $1`, [
    id,
    workerId,
  ])
  return { id, workerId, workerName }
}

async function fill(id: string, family: string, values: Record<string, unknown>) {
  const order = storedOrder(family)
  if (!order) throw new Error(family)
  const device = { id, order, family: familyOf(family) } as StoredReading['device']
  const client = await world.database.pool.connect()
  try {
    const reading = {
      time: now - 1000,
      receivedAt: now - 900,
      mark: markGiven(0),
      values,
      unknown: { gps: place.join() },
      quality: null,
      flag: 0 as const,
    }
    await copyReadings(client, [{ device, reading }])
    await writeLatest(client, [{ device, receivedAt: now - 900, reading }])
  } finally {
    client.release()
  }
  const { pool } = world.database
  await pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, 's1', 'snapshot', $4, $3)`,
    [id, main, new Date(now - 5000), JSON.stringify({ url: `/pictures/${id}`, longitude: secret.longitude, latitude: secret.latitude })],
  )
  await pool.query(
    `insert into device_frame (id, time, project_code, device_id, identifier, protocol, address, direction, kind, result, length, body, is_text, decoded)
     values ($1, $2, $3, $4, $4, 'mqtt', '', 'up', 'telemetry', 'stored', 10, $5, true, $6)`,
    [`f${id}`.slice(0, 30), new Date(now - 900), main, id, Buffer.from(JSON.stringify(secret)), JSON.stringify(secret)],
  )
  await pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, metric, threshold_text,
       rule_id, rule_version, sources, values_used, peak_value, peak_time)
     values ($1, $2, $3, '安全帽', $4, 'heartRateAlarm', '心率异常', 3, 3, $5, $5, 'heartRate', '心率 > 140', 'r', 1, array['platform'], $6, 187, $5)`,
    [`a${id}`.slice(0, 30), main, id, family, new Date(now - 2000), JSON.stringify(secret)],
  )
  await pool.query(
    `insert into alarm_log (id, alarm_id, project_code, at, event, text) values ($1, $2, $3, $4, 'open', '心率 187 次/分')`,
    [`l${id}`.slice(0, 30), `a${id}`.slice(0, 30), main, new Date(now - 2000)],
  )
}

/** All answers a caller can get about one helmet. */
async function reported(caller: Caller, helmet: typeof own): Promise<Record<string, string>> {
  const of = { deviceId: helmet.id }
  const week = { startTime: new Date(now - 3_600_000).toISOString(), endTime: new Date(now + 60_000).toISOString() }
  const mine = (answer: { data: unknown }) => {
    const list = (answer.data as { list?: { deviceId?: string; id?: string }[] } | null)?.list
    return JSON.stringify(list ? list.filter((one) => (one.deviceId ?? one.id) === helmet.id) : answer.data)
  }
  const sheet = async (feature: string, query: Record<string, unknown>) => {
    const answer = await caller.ask(submitExport, { body: { feature, query } })
    if (answer.status !== 0) return ''
    const folder = mkdtempSync(join(tmpdir(), 'zg-export-'))
    const { config, database } = world
    await runExport(
      { database, clock: { now: () => now }, secrets: createSecrets(config.secretKey), log: createLog('test', 'silent'), folder },
      answer.data.id,
    )
    return JSON.stringify(await readXlsx(readFileSync(join(folder, `${answer.data.id}.xlsx`))))
  }
  return {
    device: mine(await caller.ask(devices.getDevice, { params: { id: helmet.id } })),
    devices: mine(
      await caller.ask(devices.listDevices, { query: { family: 'smartHelmet', projectCode: main, with: 'latest', size: 200 } as never }),
    ),
    helmet: mine(await caller.ask(helmets.getHelmet, { params: { id: helmet.id } })),
    helmets: mine(await caller.ask(helmets.listHelmets, { query: { projectCode: main, size: 200 } })),
    positions: mine(await caller.ask(helmets.helmetPositions, { query: { projectCode: main } })),
    snaps: mine(await caller.ask(helmetMedia.helmetSnaps, { query: week })),
    track: mine(await caller.ask(helmets.helmetTrack, { query: { ...of, ...week } })),
    helmetAlarms: mine(await caller.ask(helmetStatistics.helmetAlarms, { query: { ...of, ...week } })),
    alarms: mine(await caller.ask(alarms.listAlarms, { query: of })),
    alarm: mine(await caller.ask(alarms.getAlarm, { params: { id: `a${helmet.id}`.slice(0, 30) }, query: { projectCode: '*' } })),
    frames: mine(await caller.ask(listFrames, { query: of })),
    readingsFile: await sheet('readings.smartHelmet', { ...of, ...week }),
    recordsFile: await sheet('records.smartHelmet.snapshot', { ...of, ...week }),
  }
}

/** Names of the answers that contain one of the words. */
const where = (answers: Record<string, string>, words: readonly string[]) =>
  Object.entries(answers).flatMap(([way, text]) => (words.some((word) => text.includes(word)) ? [way] : []))

/** Frames are also returned as hexadecimal. */
const hex = Buffer.from(JSON.stringify(secret)).toString('hex')

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await makePartitions(world.database.pool)
  // Grants all codes, so that only the scope restricts the caller.
  for (const type of [1, 2, 3] as const) {
    await world.database.pool.query(
      `update role set codes = $2 where id in (select mr.role_id from member_role mr join member m on m.id = mr.member_id join tenant t on t.id = m.group_id where t.type = $1)`,
      [type, [...codesFor(type)]],
    )
  }
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const corp = settled.city.personas.find((p) => p.account === 'dingli-cheng')?.corpCode ?? ''
  const below = settled.city.projectCorps.filter((c) => c.parentCorpCode === corp).map((c) => c.corpCode)
  const [first, second] = settled.city.devices.filter((d) => d.family === 'smartHelmet' && d.projectCode === main)
  if (!first || !second || !corp) throw new Error('the city changed')
  own = await wear(first.id, true, [corp])
  other = await wear(second.id, false, [corp, ...below])
  for (const one of [own, other]) {
    const { longitude, latitude, heartRate, bodyTemperature } = secret
    await fill(one.id, 'smartHelmet', { longitude, latitude, heartRate, bodyTemperature, positioned: true, batteryPercent: 66 })
  }
})
afterAll(() => world.close())

describe('what is told of who wears a helmet', () => {
  test('a regulator is told of alarms, and of nobody: not where, not who, not how', async () => {
    const regulator = await settled.as('bj-zhao')
    for (const one of [own, other]) {
      const answers = await reported(regulator, one)
      expect(where(answers, [...place, ...health, secret.stationId, one.workerId, one.workerName, hex])).toEqual([])
      expect(answers.device).toContain('"batteryPercent":66')
      expect(answers.alarms).toContain('心率异常')
      expect(answers.frames).toContain('device-admin.frame')
    }
  })

  test("a subcontractor is told of its own people, and of nobody else's", async () => {
    const subcontractor = await settled.as('dingli-cheng')
    const strange = await reported(subcontractor, other)
    expect(where(strange, [...place, ...health, other.workerId, other.workerName, hex, `/pictures/${other.id}`])).toEqual([])
    expect(strange.device).toContain('"batteryPercent":66')
    const mine = await reported(subcontractor, own)
    expect(where(mine, place)).toEqual(expect.arrayContaining(['device', 'helmet', 'positions', 'track', 'alarm', 'frames']))
    expect(where(mine, [own.workerName])).toEqual(expect.arrayContaining(['helmets', 'positions']))
    expect(where(mine, [`/pictures/${own.id}`])).toEqual(expect.arrayContaining(['snaps', 'recordsFile']))
  })

  test('who has moved to another company is no longer told of to the old one', async () => {
    const subcontractor = await settled.as('dingli-cheng')
    const { pool } = world.database
    await pool.query('update project_worker set exit_time = $3 where project_code = $1 and worker_id = $2 and exit_time is null', [
      main,
      own.workerId,
      new Date(now - 10_000),
    ])
    expect(where(await reported(subcontractor, own), [...place, ...health, own.workerId, hex])).toEqual([])
    await pool.query('update project_worker set exit_time = null where project_code = $1 and worker_id = $2', [main, own.workerId])
  })

  test('the owner company and the site are told everything their codes show', async () => {
    for (const account of ['yunze-lu', 'hospital-pm']) {
      const answers = await reported(await settled.as(account), other)
      expect(where(answers, place)).toEqual(
        expect.arrayContaining(['device', 'devices', 'helmet', 'positions', 'track', 'alarm', 'frames']),
      )
      expect(where(answers, health)).toEqual(
        expect.arrayContaining(['device', 'devices', 'helmet', 'helmets', 'alarms', 'alarm', 'frames']),
      )
      expect(where(answers, [other.workerName])).toEqual(expect.arrayContaining(['helmets', 'positions']))
      // Exports contain neither health nor position.
      expect(where({ readingsFile: answers.readingsFile ?? '' }, [...place, ...health])).toEqual([])
    }
  })

  test('each code shows its own part: place now, places past, health', async () => {
    const { pool } = world.database
    const set = (codes: readonly string[]) =>
      pool.query(
        `update role set codes = $1 where id in (select mr.role_id from member_role mr join member m on m.id = mr.member_id join app_user u on u.id = m.user_id where u.account = 'hospital-pm')`,
        [codes],
      )
    const all = [...codesFor(3)]
    const without = async (...names: string[]) => {
      await set(all.filter((code) => !names.includes(code)))
      // The server caches principals for 0.8 s.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return reported(await settled.as('hospital-pm'), other)
    }
    const placeless = await without('helmet.location', 'helmet.track')
    expect(where(placeless, [...place, hex])).toEqual([])
    expect(where(placeless, health)).toEqual(expect.arrayContaining(['device', 'helmets']))
    const healthless = await without('helmet.health')
    expect(where(healthless, [...health, hex])).toEqual([])
    expect(where(healthless, place)).toEqual(expect.arrayContaining(['device', 'positions', 'track']))
    const trackless = await without('helmet.track')
    expect(where(trackless, [...place, hex])).not.toEqual(expect.arrayContaining(['frames']))
    expect(where(trackless, place)).toEqual(expect.arrayContaining(['device', 'positions']))
    await set(all)
  })
})
