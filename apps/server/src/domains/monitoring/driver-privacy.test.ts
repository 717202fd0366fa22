import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { towerInfo, towerRecords } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import * as cranes from '@zhugong/contract/monitoring/crane/crane-lists'
import * as lifts from '@zhugong/contract/monitoring/lift/lift-lists'
import { liftInfo } from '@zhugong/contract/monitoring/lift/lift-live'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { Device, Family } from '@zhugong/simulator/city-types'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatDay } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'
import { markGiven } from '../readings/public.ts'
import { makePartitions } from '../telemetry/rollup.ts'
import { copyReadings, type StoredReading, writeLatest } from '../telemetry/store.ts'

/** A driver is a person: a regulator sees a masked name wherever machine data contains it, the site and its companies the full name. */
const now = Date.now()
const hour = 3_600_000
const names = ['欧阳吊司机', '汪升降机司'] as const
const masked = ['欧阳***', '汪****'] as const
const folder = mkdtempSync(join(tmpdir(), 'zg-drivers-'))

let world: World
let settled: CityWorld
let site: Caller
let company: Caller
let officer: Caller
let main = ''
const machine = (family: Family): Device => settled.city.devices.find((d) => d.family === family && d.projectCode === main)!

async function fill(of: Device, driverName: string) {
  const { pool } = world.database
  const data = { driverName, driverId: '', illegal: true, durationSeconds: 60, cycleNo: '1', cage: '1', startFloor: 1, endFloor: 4 }
  await pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, 'named', 'workingCycle', $4, $3)`,
    [of.id, main, new Date(now - hour), JSON.stringify(data)],
  )
  const device = { id: of.id, order: storedOrder(of.family), family: familyOf(of.family) } as StoredReading['device']
  const reading = {
    time: now - 1000,
    receivedAt: now - 900,
    mark: markGiven(0),
    values: { driverName },
    unknown: null,
    quality: null,
    flag: 0 as const,
  }
  const client = await pool.connect()
  try {
    await copyReadings(client, [{ device, reading }])
    await writeLatest(client, [{ device, receivedAt: now - 900, reading }])
  } finally {
    client.release()
  }
}

async function inFile(who: Caller, feature: string, query: Record<string, unknown>): Promise<string> {
  const { id } = await who.call(submitExport, { body: { feature, query } })
  const { kysely } = world.database
  const secrets = createSecrets(world.config.secretKey)
  await runExport({ database: world.database, clock: { now: () => now }, secrets, log: createLog('test', 'silent'), folder }, id)
  const task = await kysely.selectFrom('exportTask').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([feature, task.message]).toEqual([feature, ''])
  return JSON.stringify((await readXlsx(readFileSync(join(folder, `${id}.xlsx`)))).sheets.map((sheet) => sheet.rows))
}

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await makePartitions(world.database.pool)
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await settled.as('hospital-pm')
  company = await settled.as('yunze-lu')
  officer = await settled.as('bj-zhao')
  await fill(machine('towerCrane'), names[0])
  await fill(machine('lifter'), names[1])
})
afterAll(() => world.close())

const answers: Readonly<Record<string, (who: Caller) => Promise<unknown>>> = {
  'a crane now': (who) => who.call(towerInfo, { params: { id: machine('towerCrane').id } }),
  'readings of a crane': (who) => who.call(towerRecords, { query: { deviceId: machine('towerCrane').id } }),
  'cycles of cranes': (who) => who.call(cranes.findCycles, { query: { projectCode: main } }),
  'cycles by driver': (who) => who.call(cranes.findCycleGroups, { query: { projectCode: main, groupBy: 'driver' } }),
  'a lift now': (who) => who.call(liftInfo, { params: { id: machine('lifter').id } }),
  'readings of a lift': (who) => who.call(lifts.findLiftReadings, { query: { deviceId: machine('lifter').id } }),
  'runs of lifts': (who) => who.call(lifts.findLiftRuns, { query: { projectCode: main } }),
  'runs by driver': (who) => who.call(lifts.findLiftRunGroups, { query: { projectCode: main, groupBy: 'driver' } }),
  'what lifts are blamed for': (who) => who.call(lifts.liftAnalysis, { query: { projectCode: main } }),
  machines: (who) => who.call(listDevices, { query: { projectCode: main, category: '300', with: 'latest' } }),
  'file: cycles': (who) => inFile(who, 'craneCycle', { projectCode: main }),
  'file: cycles by driver': (who) => inFile(who, 'craneCycleGroup', { projectCode: main, groupBy: 'driver' }),
  'file: runs': (who) => inFile(who, 'liftRun', { projectCode: main }),
  'file: runs by driver': (who) => inFile(who, 'liftRunGroup', { projectCode: main, groupBy: 'driver' }),
  'file: records of cranes': (who) => inFile(who, 'records.towerCrane.workingCycle', { projectCode: main }),
  'file: records of lifts': (who) => inFile(who, 'records.lifter.workingCycle', { projectCode: main }),
  'file: readings of a crane': (who) => inFile(who, 'readings.towerCrane', { deviceId: machine('towerCrane').id }),
  'file: readings of a lift': (who) => inFile(who, 'readings.lifter', { deviceId: machine('lifter').id }),
  'file: month of cranes': (who) => inFile(who, 'craneMonth', { projectCode: main, month: formatDay(now - hour).slice(0, 7) }),
  'file: month of lifts': (who) => inFile(who, 'liftMonth', { projectCode: main, month: formatDay(now - hour).slice(0, 7) }),
}
const tells = (answer: unknown) => {
  const text = JSON.stringify(answer)
  return { clear: names.some((name) => text.includes(name)), masked: masked.some((name) => text.includes(name)) }
}

describe('drivers', () => {
  test.each(Object.keys(answers))('%s', async (what) => {
    const ask = answers[what]!
    expect(tells(await ask(site))).toEqual({ clear: true, masked: false })
    expect(tells(await ask(company))).toEqual({ clear: true, masked: false })
    expect(tells(await ask(officer))).toEqual({ clear: false, masked: true })
  })

  test('a regulator filters by what he reads, and learns no name by guessing', async () => {
    const found = async (who: Caller, driverName: string) =>
      (await who.call(cranes.findCycles, { query: { projectCode: main, driverName } })).total +
      (await who.call(lifts.findLiftRuns, { query: { projectCode: main, driverName } })).total
    expect([await found(site, names[0]), await found(site, names[1])]).toEqual([1, 1])
    expect([await found(officer, names[0]), await found(officer, names[1]), await found(officer, '司')]).toEqual([0, 0, 0])
    expect([await found(officer, masked[0]), await found(officer, masked[1])]).toEqual([1, 1])
  })

  test('nobody recognised stays nobody', async () => {
    const crane = machine('towerCrane')
    await world.database.pool.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, 'nobody', 'workingCycle', '{}', $3)`,
      [crane.id, main, new Date(now - hour - 1000)],
    )
    const groups = await officer.call(cranes.findCycleGroups, { query: { projectCode: main, groupBy: 'driver' } })
    expect(groups.list.map((one) => one.name).sort()).toEqual(['未识别', masked[0]])
  })
})
