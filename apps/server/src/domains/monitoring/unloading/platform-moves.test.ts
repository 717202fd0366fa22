import { addPlatformMove, listPlatformMoves, zeroPlatform } from '@zhugong/contract/monitoring/unloading/platform-moves'
import { unloadingInfo } from '@zhugong/contract/monitoring/unloading/unloading-live'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** A platform is moved up with the building: accepted again at each floor and weighed empty. */
const minute = 60_000
const start = Date.parse('2026-11-20T10:00:00+08:00')
let now = start
let world: World
let city: CityWorld
let site = ''
let pm: Caller
let platform = ''
let files = 0

async function photo(account = 'hospital-pm'): Promise<string> {
  const id = `move${++files}`
  await world.database.pool.query(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select $1, m.group_id, '照片.jpg', 'image/jpeg', 3, $1, m.user_id from member m join app_user u on u.id = m.user_id where u.account = $2 limit 1`,
    [id, account],
  )
  return id
}
const weighing = (weight: number, at = now) =>
  world.database.pool.query(
    `insert into device_latest (device_id, ts, received_at, v, online, online_since) values ($1, $2, $2, $3, true, $2)
     on conflict (device_id) do update set ts = excluded.ts, received_at = excluded.received_at, v = excluded.v`,
    [platform, new Date(at), JSON.stringify({ weight })],
  )
const move = async (who: Caller, given: Record<string, unknown> = {}) =>
  who.ask(addPlatformMove, {
    query: { projectCode: site },
    body: { deviceId: platform, toPlace: '住院楼 9 层北侧', personName: '周大勇', files: [await photo()], ...given } as never,
  })
const zero = (who: Caller, id: string) =>
  who.ask(zeroPlatform, { params: { id }, query: { projectCode: site }, body: { empty: true } as never })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  pm = await city.as('hospital-pm')
  platform = city.city.devices.find((d) => d.projectCode === site && d.family === 'unloadingPlatform')!.id
})
afterAll(() => world.close())

test('moved only empty, with its photographs; waits for its zero until the load cells say nothing', async () => {
  await weighing(0.8)
  expect((await move(pm)).message).toContain('平台上还有材料（0.80 t）')
  await weighing(0.01)
  expect((await move(pm, { files: [] })).message).toContain('请上传验收照片')
  expect((await move(pm, { toPlace: ' ' })).message).toContain('新位置')
  expect((await move(pm, { movedAt: '2026-11-21 08:00:00' })).message).toContain('不能晚于现在')
  expect((await move(pm, { movedAt: '2026-09-01 08:00:00' })).message).toContain('30 天内')
  const first = await move(pm)
  expect(first.status).toBe(0)
  const info = () => pm.call(unloadingInfo, { params: { id: platform } })
  expect(await info()).toMatchObject({ installPlace: '住院楼 9 层北侧', move: { toPlace: '住院楼 9 层北侧', zeroedAt: null } })
  expect((await move(pm)).message).toContain('应晚于上次移位')
  now += minute
  expect((await move(pm)).message).toContain('与现在的位置相同')
  const { id } = first.data as { id: string }
  // A reading from before the move says nothing about the new place.
  expect((await zero(pm, id)).message).toContain('还没有收到')
  await weighing(0.32)
  expect((await zero(pm, id)).message).toContain('空载读数 0.32 t')
  await weighing(-0.02)
  expect(await zero(pm, id)).toMatchObject({ status: 0, data: { zeroWeight: -0.02 } })
  expect((await zero(pm, id)).message).toContain('已经校零')
  expect((await info()).move).toMatchObject({ zeroWeight: -0.02, zeroedAt: now })
  const { list } = await pm.call(listPlatformMoves, { query: { projectCode: site, deviceId: platform } })
  expect(list.map((one) => [one.toPlace, one.zeroWeight, one.files.length])).toEqual([['住院楼 9 层北侧', -0.02, 1]])
})

test('a later move takes the place of an earlier one; whoever looks only looks, strangers see nothing', async () => {
  now += minute
  await weighing(0)
  const second = await move(pm, { toPlace: '住院楼 10 层北侧' })
  const { id } = second.data as { id: string }
  now += minute
  await weighing(0)
  expect((await move(pm, { toPlace: '住院楼 11 层北侧' })).status).toBe(0)
  expect((await zero(pm, id)).message).toContain('最近一次移位')
  const regulator = await city.as('bj-zhao')
  const stranger = await city.as('zhigu-pm')
  expect((await move(regulator, { toPlace: '别处', files: [await photo('bj-zhao')] })).http).toBe(403)
  expect((await move(stranger, { toPlace: '别处', files: [await photo('zhigu-pm')] })).status).not.toBe(0)
  expect((await zero(stranger, id)).status).not.toBe(0)
  expect((await stranger.call(listPlatformMoves, { query: { projectCode: '*' } })).total).toBe(0)
  expect((await regulator.call(listPlatformMoves, { query: { projectCode: site } })).total).toBe(3)
})
