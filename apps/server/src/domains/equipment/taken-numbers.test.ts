import { listUnregistered, verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { createDevice, listDevices, updateDevice } from '@zhugong/contract/equipment/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'
import { mostTakenADay, serialTaken } from './taken-numbers.ts'

let world: World
let city: CityWorld
let stranger: Caller
let main: string
let foreign: string
let own: string
let serials: string[]

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  stranger = await city.as('zhigu-pm')
  const projectOf = (account: string) => city.city.personas.find((p) => p.account === account)?.projectCode ?? ''
  main = projectOf('hospital-pm')
  foreign = projectOf('zhigu-pm')
  const of = (projectCode: string) => city.city.devices.filter((d) => d.projectCode === projectCode).map((d) => d.deviceSn)
  serials = of(main)
  own = of(foreign)[0] ?? ''
})
afterAll(() => world.close())

type Given = Partial<InputFor<typeof createDevice>['body']>
const register = (who: Caller, deviceSn: string, more: Given = {}) =>
  who.ask(createDevice, {
    body: { name: '新设备', deviceSn, projectCode: foreign, family: 'waterMeter', access: { protocol: 'http' }, params: {}, ...more },
  })
async function importSheet(mode: 'check' | 'save', rows: string[][], more: string[] = []): Promise<Answer> {
  const file = Buffer.from(
    (await writeXlsx({
      sheets: [{ name: '设备导入', rows: [['设备名称*', '序列号*', '设备类别*', ...more], ...rows] }],
    } as never)) as Uint8Array,
  )
  const head = (name: string) => `--xx\r\ncontent-disposition: form-data; name="${name}"`
  const payload = Buffer.concat([
    Buffer.from(`${head('mode')}\r\n\r\n${mode}\r\n${head('file')}; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`),
    file,
    Buffer.from('\r\n--xx--\r\n'),
  ])
  const headers = { token: stranger.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
  const answer = await world.api.app.inject({ method: 'POST', url: '/api/v1/iot/device/import', headers, payload })
  return { ...(answer.json() as Answer), http: answer.statusCode }
}
const counted = async () =>
  (await world.database.pool.query<{ number: string }>(`select number from taken_number order by at, number`)).rows.map((r) => r.number)

test('a look at a number or a file tells of the caller’s own devices alone', async () => {
  const looked = async (deviceSn: string) =>
    (await stranger.call(verifyDevice, { body: { deviceSn } })).checks.find((c) => c.key === 'deviceSn')
  expect(await looked(serials[0] ?? '')).toEqual(await looked('NOBODY-HAS-THIS'))
  expect(await looked(own)).toMatchObject({ ok: false })
  const { data } = await importSheet('check', [
    ['他处的', serials[0] ?? '', '水表'],
    ['自己的', own, '水表'],
  ])
  expect((data as { rows: { errors: unknown[] }[] }).rows.map((r) => r.errors)).toEqual([
    [],
    [{ column: 'deviceSn', text: '序列号已存在' }],
  ])
  expect(await counted()).toEqual([])
})

test('a serial of others is refused at its field without a name, counted once, in the audit log and before the platform', async () => {
  const [serial = ''] = serials
  for (let i = 0; i < 3; i++) expect(await register(stranger, serial)).toMatchObject({ message: serialTaken, data: { field: 'deviceSn' } })
  expect(await register(stranger, own)).toMatchObject({ message: '设备序列号已存在' })
  expect(await counted()).toEqual([serial])
  const result = await world.database.pool.query(`select summary from audit_log where action = 'device.taken'`)
  expect(result.rows).toHaveLength(3)
  expect(result.rows[0]).toEqual({ summary: `登记设备被拒：编号已被登记 ${serial}` })
  const admin = await city.as('admin')
  const seen = await admin.call(listUnregistered, { query: { identifier: serial, reason: ['taken'] } })
  expect(seen.list).toMatchObject([{ identifier: serial, count: 3, reasonText: '登记冲突' }])
  expect((await stranger.call(listUnregistered, { query: { identifier: serial } })).total).toBe(0)
  // The platform sees every device, so no limit applies to it.
  expect(await register(admin, serial)).toMatchObject({ message: '设备序列号已存在' })
  expect(await counted()).toEqual([serial])
})

test('a device’s new number, a station’s MN and the rows of a file count like a new device', async () => {
  const made = await stranger.call(createDevice, {
    body: { name: '新设备', deviceSn: 'OWN-FRESH-1', projectCode: foreign, family: 'waterMeter', access: { protocol: 'http' }, params: {} },
  })
  expect(await stranger.ask(updateDevice, { params: { id: made.id }, body: { deviceSn: serials[1] ?? '' } })).toMatchObject({
    message: serialTaken,
    data: { field: 'deviceSn' },
  })
  expect(await counted()).toContain(serials[1])
  const { rows } = await world.database.pool.query<{ mn: string }>(
    `select access_key as mn from device where protocol = 'hj212' and project_code = $1 limit 1`,
    [main],
  )
  const mn = rows[0]?.mn ?? ''
  expect(await register(stranger, 'OWN-FRESH-2', { family: 'environment', access: { protocol: 'hj212', mn } })).toMatchObject({
    data: { field: 'access' },
  })
  expect(await counted()).toContain(mn)
  const saved = await importSheet('save', [
    ['他处的', serials[2] ?? '', '水表'],
    ['好的', 'OWN-FRESH-3', '水表'],
  ])
  expect(saved).toMatchObject({ data: { saved: 1, rows: [{ errors: [{ column: 'deviceSn', text: serialTaken }] }, { ok: true }] } })
  expect(await counted()).toContain(serials[2])
})

test('a number refused in a file is listed to the platform under the protocol of its row', async () => {
  const gateway = 'ZG-试验网关'
  await world.database.pool.query(
    `insert into gateway (id, project_code, name, connection_type, secret) values ('gw-taken', $1, $2, 'mqtt', '\\x00')`,
    [foreign, gateway],
  )
  const [bySheet = '', byMn = '', byGateway = ''] = serials.slice(3)
  await importSheet(
    'save',
    [
      ['甲', bySheet, '水表', '', ''],
      ['乙', byMn, '环境监测', 'TAKEN212', ''],
      ['丙', byGateway, '水表', '', gateway],
    ],
    ['MN（环境监测）', '网关'],
  )
  const { rows } = await world.database.pool.query<{ identifier: string; protocol: string }>(
    `select identifier, protocol from unregistered_device where reason = 'taken' and identifier = any ($1)`,
    [[bySheet, byMn, byGateway]],
  )
  expect(Object.fromEntries(rows.map((row) => [row.identifier, row.protocol]))).toEqual({
    [bySheet]: 'http',
    [byMn]: 'hj212',
    [byGateway]: 'mqtt',
  })
})

test('an invisible character around a serial number is dropped, and found and refused without it', async () => {
  const made = await stranger.call(createDevice, {
    body: {
      name: '新设备',
      deviceSn: '\u200bSEEN-001\ufeff',
      projectCode: foreign,
      family: 'waterMeter',
      access: { protocol: 'http' },
      params: {},
    },
  })
  const found = await stranger.call(listDevices, { query: { deviceSn: 'SEEN-001\u200b' } })
  expect(found.list).toMatchObject([{ id: made.id, deviceSn: 'SEEN-001' }])
  expect(await register(stranger, 'SEEN-\u2060001')).toMatchObject({ message: '设备序列号已存在' })
})

test('whoever tries many learns nothing of the rest: not from a file, not one by one, and a free number is refused like any other', async () => {
  const before = await counted()
  expect(before.length).toBeLessThan(mostTakenADay)
  const refused = await importSheet(
    'save',
    serials.slice(0, mostTakenADay + 5).map((sn, i) => [`第 ${i} 台`, sn, '水表']),
  )
  expect(refused).toMatchObject({ status: 4, message: expect.stringContaining('今日不再受理') })
  const free = await register(stranger, 'OWN-FRESH-9')
  expect(free).toMatchObject({ status: 4, message: refused.message })
  expect(await register(stranger, serials[30] ?? '')).toEqual(free)
  expect(await importSheet('save', [['好的', 'OWN-FRESH-10', '水表']])).toMatchObject({ message: refused.message })
  // The limit is per group and day.
  const neighbour = await city.as('hospital-pm')
  expect(await register(neighbour, 'NEIGHBOUR-1', { projectCode: main })).toMatchObject({ status: 0 })
  await world.database.pool.query(`update taken_number set day = day - 1`)
  expect(await register(stranger, 'OWN-FRESH-9')).toMatchObject({ status: 0 })
})
