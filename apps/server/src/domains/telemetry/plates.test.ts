import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { acknowledged, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'
import { strangeness } from './jt808/identity.ts'

let site: Site
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
})
afterAll(() => site.close())

const one = '鄂A9P8Q7'
const spellings = [one, '鄂A·9P8Q7', '鄂A 9P8Q7', '鄂a•9p8q7', '鄂Ａ．９Ｐ８Ｑ７', '鄂A-9P8Q7', '\u202D鄂A9P8Q7\u202C']

test('whom a site bars is barred however his plate is written', async () => {
  await site.given.project('P1')
  await site.pool.query(
    `insert into vehicle_registry (id, project_code, kind, plate_no, reason, create_time, create_by) values ($1, 'P1', 'black', $2, '超载', now(), '张工')`,
    [newId(), one],
  )
  // The list is read at the start.
  await site.restart()
  const gateway = await site.given.gateway('P1')
  const client = await site.gatewayClient(gateway)
  for (const written of spellings) {
    const gate = await site.given.device('P1', 'truckAccess', { protocol: 'mqtt', gatewayId: gateway.id })
    const data = { plateNo: written, direction: '0', registered: false }
    await acknowledged(client, uplink(gateway.id, gate.sn, 'record'), message([{ time: Date.now(), data }], { record: 'accessRecord' }))
    const { rows } = await site.pool.query('select data from device_record where device_id = $1', [gate.id])
    expect(rows[0]?.data).toEqual({ ...data, plateNo: one, ...(written === one ? {} : { plateRaw: written }) })
    await until(async () => (await site.count(`alarm where device_id = $1 and alarm_key = 'blacklist'`, [gate.id])) === 1)
  }
  client.end()
})

test.each(spellings)('%j on a bridge and of a terminal', async (written) => {
  const gateway = await site.given.gateway('P1')
  const bridge = await site.given.device('P1', 'weighbridge', { protocol: 'mqtt', gatewayId: gateway.id })
  const client = await site.gatewayClient(gateway)
  const time = Date.now() - 1_000
  await acknowledged(client, uplink(gateway.id, bridge.sn, 'telemetry'), message([{ time, data: { weight: 20, plateNo: written } }]))
  await acknowledged(
    client,
    uplink(gateway.id, bridge.sn, 'record'),
    message([{ time, data: { plateNo: written, grossWeight: 40, recordNo: '1' } }], { record: 'weighRecord' }),
  )
  const { rows } = await site.pool.query(
    `select l.v ->> 'plateNo' as latest, r.data ->> 'plateNo' as record from device_latest l join device_record r using (device_id) where device_id = $1`,
    [bridge.id],
  )
  expect(rows).toEqual([{ latest: one, record: one }])
  const registration = { plate: written, terminalId: 'T1', maker: 'M', color: 2, edition: '2019' } as Parameters<typeof strangeness>[1]
  expect(strangeness({ plate: one, terminalId: undefined, bound: undefined }, registration)).toBeUndefined()
  client.end()
})

test('what was kept in other spellings is brought to the one', async () => {
  await site.given.project('P9')
  const add = (plate: string, kind: string, until: string | null) =>
    site.pool.query(
      `insert into vehicle_registry (id, project_code, kind, plate_no, reason, until_day, create_time, create_by) values ($1, 'P9', $2, $3, '说明', $4, now(), '张工')`,
      [newId(), kind, plate, until],
    )
  for (const [i, written] of spellings.entries()) {
    await add(written, 'known', i === 2 ? null : '2027-01-01')
    await add(written, 'black', `2027-01-0${i + 1}`)
  }
  const truck = await site.given.device('P9', 'truckMonitor', { protocol: 'mqtt' }, { params: { plateNo: '鄂A·9P8Q7', simNo: '1' } })
  await site.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, 'P9', now(), 'x', 'accessRecord', $2, now())`,
    [truck.id, JSON.stringify({ plateNo: '鄂A·9P8Q7' })],
  )
  const migration = readFileSync(new URL('../../../migrations/20261209-41-plates.sql', import.meta.url), 'utf8')
  await site.pool.query(`begin; ${migration} commit`)
  const { rows: kept } = await site.pool.query(
    `select kind, plate_no, until_day::text from vehicle_registry where project_code = 'P9' order by kind`,
  )
  expect(kept).toEqual([
    { kind: 'black', plate_no: one, until_day: '2027-01-07' },
    { kind: 'known', plate_no: one, until_day: null },
  ])
  const { rows: devices } = await site.pool.query('select params from device where id = $1', [truck.id])
  expect(devices).toEqual([{ params: { plateNo: one, simNo: '1' } }])
  const { rows: records } = await site.pool.query('select data from device_record where device_id = $1', [truck.id])
  expect(records).toEqual([{ data: { plateNo: one, plateRaw: '鄂A·9P8Q7' } }])
})
