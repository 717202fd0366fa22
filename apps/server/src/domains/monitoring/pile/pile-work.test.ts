import { createPile, listPiles, pileDetail } from '@zhugong/contract/monitoring/pile/pile-register'
import { addPileTrouble, endPile, listPileTroubles, listPileWork, startPile } from '@zhugong/contract/monitoring/pile/pile-work'
import { pileInfo } from '@zhugong/contract/monitoring/pile/piles'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** People enter which pile a rig is working on: records without a pile number are assigned to it. */
const minute = 60_000
let now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let site = ''
let pm: Caller
let rig = ''
let files = 0
const piles: string[] = []

const run = (text: string, values: unknown[] = []) => world.database.pool.query(text, values)
async function photo(): Promise<string> {
  const id = `trouble${++files}`
  await run(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select $1, t.id, '照片.jpg', 'image/jpeg', 3, $1, m.user_id from tenant t join member m on m.group_id = t.id where t.type = 3 and t.code = $2 limit 1`,
    [id, site],
  )
  return id
}
const begin = (who: Caller, pileId: string) =>
  who.ask(startPile, { query: { projectCode: site }, body: { deviceId: rig, pileId } as never })
const end = (who: Caller, id: string, note = '') =>
  who.ask(endPile, { params: { id }, query: { projectCode: site }, body: { note } as never })
const deep = (depth: number) =>
  run(
    `insert into device_latest (device_id, ts, received_at, v, online, online_since) values ($1, $2, $2, $3, true, $2)
     on conflict (device_id) do update set ts = excluded.ts, received_at = excluded.received_at, v = excluded.v`,
    [rig, new Date(now), JSON.stringify({ depth })],
  )
const detail = (id: string) => pm.call(pileDetail, { params: { id }, query: { projectCode: site } } as never)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  const device = city.city.devices.find((d) => d.family === 'pileFoundation')!
  ;[site, rig] = [device.projectCode, device.id]
  await run('delete from device_record where device_id = $1', [rig])
  pm = await city.as(city.city.personas.find((p) => p.projectCode === site && /-pm$/.test(p.account))!.account)
  for (const pileNo of ['ZX-1', 'ZX-2']) {
    const { id } = await pm.call(createPile, {
      query: { projectCode: site },
      body: {
        pileNo,
        kind: 'mixing',
        axis: null,
        diameter: 500,
        designLength: 12,
        designDepth: null,
        concrete: null,
        plannedOn: null,
        madeOn: null,
      },
    } as never)
    piles.push(id)
  }
})
afterAll(() => world.close())

test('one pile at a time; its record without a number is its own; short of its depth it ends with a reason', async () => {
  const [first, second] = piles as [string, string]
  const begun = await begin(pm, first)
  expect(begun.status).toBe(0)
  const { id } = begun.data as { id: string }
  expect((await begin(pm, second)).message).toContain('正在施工 ZX-1')
  expect((await pm.call(pileInfo, { params: { id: rig } })).work).toMatchObject({ id, pileNo: 'ZX-1', designDepth: 12 })
  expect((await pm.call(listPiles, { query: { projectCode: site, state: 'making' } as never })).list.map((one) => one.pileNo)).toEqual([
    'ZX-1',
  ])
  await deep(6.4)
  const trouble = (given: Record<string, unknown>) =>
    pm.ask(addPileTrouble, {
      query: { projectCode: site },
      body: { deviceId: rig, kind: 'obstacle', depth: null, text: '遇块石，引孔', ...given } as never,
    })
  expect((await trouble({ files: [] })).message).toContain('请上传现场照片')
  expect((await trouble({ files: [await photo()], kind: '别的' })).message).toContain('异常类型')
  expect((await trouble({ files: [await photo()] })).status).toBe(0)
  const result = await pm.call(listPileTroubles, { query: { projectCode: site, pileId: first } as never })
  expect(result.list).toMatchObject([{ pileNo: 'ZX-1', depth: 6.4, kind: 'obstacle', files: [expect.any(String)] }])
  now += 10 * minute
  await deep(11.2)
  expect((await end(pm, id)).message).toContain('深度 11.2 m 未到设计 12 m')
  await run(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     values ($1, $2, $3, 'pileRecord:1', 'pileRecord', '{"finalDepth": 11.2, "maxVerticality": 0.4}', $3)`,
    [rig, site, new Date(now + minute)],
  )
  expect((await end(pm, id, '下卧硬层，设计同意提前终孔')).status).toBe(0)
  expect((await end(pm, id, '再一次')).message).toContain('已结束')
  expect((await detail(first)).made).toMatchObject([{ finalDepth: 11.2, assignedReason: '登记开始成桩' }])
  now += 20 * minute
  expect((await begin(pm, second)).status).toBe(0)
  // A record made during the next pile belongs to the next pile.
  await run(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     values ($1, $2, $3, 'pileRecord:2', 'pileRecord', '{"finalDepth": 12.3}', $3)`,
    [rig, site, new Date(now + minute)],
  )
  expect((await detail(first)).made.map((one) => one.finalDepth)).toEqual([11.2])
  expect((await detail(second)).made.map((one) => one.finalDepth)).toEqual([12.3])
  expect(
    (await pm.call(listPileWork, { query: { projectCode: site, deviceId: rig } as never })).list.map((one) => [one.pileNo, one.endDepth]),
  ).toEqual([
    ['ZX-2', null],
    ['ZX-1', 11.2],
  ])
})

test('a stranger neither sees nor changes it', async () => {
  const stranger = city.city.personas.find((p) => p.projectCode && p.projectCode !== site && /-pm$/.test(p.account))!
  const other = await city.as(stranger.account)
  expect((await begin(other, piles[0]!)).status).not.toBe(0)
  expect((await other.call(listPileWork, { query: { projectCode: '*', deviceId: rig } as never })).total).toBe(0)
  expect((await other.call(listPileTroubles, { query: { projectCode: '*', deviceId: rig } as never })).total).toBe(0)
  expect((await begin(await city.as('bj-zhao'), piles[0]!)).http).toBe(403)
})
