import { actOnAlarm } from '@zhugong/contract/alarms/endpoints'
import * as helmets from '@zhugong/contract/monitoring/helmet/helmet-media'
import * as video from '@zhugong/contract/monitoring/video/video'
import type { Device } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { StoredFiles } from '#domains/telemetry/stored-files'
import { formatDay, startOfDay } from '#kit/clock'
import { type CityWorld, openHospital } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

const minute = 60_000
const now = startOfDay(formatDay(Date.now())) + 15 * 60 * minute

let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let stranger: Caller
let main: string
let helmet: Device

const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

async function keep(record: string, time: number, data: Record<string, unknown>, receivedAt = time): Promise<void> {
  await world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [helmet.id, main, new Date(time), `${record}:${time}`, record, JSON.stringify(data), new Date(receivedAt)],
  )
}

beforeAll(async () => {
  ;({ world, settled, pm, regulator, stranger, main } = await openHospital(inject('postgresUrl'), now))
  const found = settled.city.devices.find((d) => d.family === 'smartHelmet' && d.projectCode === main && d.params.camera === '1')
  if (!found) throw new Error('no helmet carries a camera')
  helmet = found
})
afterAll(() => world.close())

test('a call for help is not handled before it is said how the person is', async () => {
  await world.database.pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, state, active)
     values ('rescue-sos', $1, $2, '安全帽', 'smartHelmet', 'sos', 'SOS求助', 1, 1, $3, $3, 'open', false)`,
    [main, helmet.id, new Date(now - 5 * 60 * minute)],
  )
  const files = new StoredFiles(world.database.pool, world.config.dataDir)
  const photo = await files.store(main, '现场', picture, '测试')
  const handle = (outcome?: string) =>
    pm.ask(actOnAlarm, {
      params: { id: 'rescue-sos' },
      query: { projectCode: main },
      body: { action: 'handle', measure: '到场查看并陪同休息', photos: [`/api/v1/file/${photo.id}`], outcome },
    })
  expect((await handle()).message).toBe('请选择人员情况：无碍、送医、误触')
  expect((await handle('别的')).message).toBe('请选择人员情况：无碍、送医、误触')
  const done = await handle('无碍')
  expect(done.message).not.toContain('人员情况')
})

describe('pictures of helmets', () => {
  test('are shown with their place, moment and alarm; a file of another site is not shown, whatever a record names', async () => {
    const files = new StoredFiles(world.database.pool, world.config.dataDir)
    const other = settled.city.projects.find((p) => p.projectCode !== main)?.projectCode ?? ''
    const own = await files.store(main, '抓拍', picture, '测试')
    const foreign = await files.store(other, '抓拍', picture, '测试')
    expect(own.id).toBeDefined()
    await keep('snapshot', now - 10 * minute, { url: own.id, longitude: 115.07, latitude: 30.21, trigger: 'alarm' }, now)
    await keep('snapshot', now - 60 * minute, { url: foreign.id, longitude: 115.07, latitude: 30.21 })
    await keep('snapshot', now - 90 * minute, { url: 'https://elsewhere.example.com/1.jpg', trigger: 'remote' })
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, state, active)
       values ('media-sos', $1, $2, '安全帽', 'smartHelmet', 'sos', 'SOS求助', 1, 1, $3, $3, 'open', true)`,
      [main, helmet.id, new Date(now - 11 * minute)],
    )
    const { list, total } = await pm.call(helmets.helmetSnaps, { query: { projectCode: main } })
    expect(total).toBe(3)
    expect(list[0]).toMatchObject({ trigger: 'alarm', late: false, at: { lng: 115.07, lat: 30.21 }, alarm: { label: 'SOS求助', level: 1 } })
    expect(list[0]?.photo).toMatch(/^\/api\/v1\/tool\/image\?id=/)
    expect(list.slice(1).map((one) => [one.trigger, one.photo, one.alarm])).toEqual([
      ['manual', null, null],
      ['remote', null, null],
    ])
    expect((await pm.call(helmets.helmetSnaps, { query: { projectCode: main, trigger: 'remote,alarm' } })).total).toBe(2)
    expect((await pm.call(helmets.helmetSnaps, { query: { projectCode: main, name: '没有这个人' } })).total).toBe(0)
    expect(await regulator.call(helmets.helmetSnaps, { query: { projectCode: main } })).toEqual({ list: [], total: 0 })
    expect((await stranger.call(helmets.helmetSnaps, { query: { projectCode: '*' } })).total).toBe(0)
  })

  test('what came long after it was taken says so', async () => {
    await keep('snapshot', now - 3 * 60 * minute, { trigger: 'manual' }, now - minute)
    const { list } = await pm.call(helmets.helmetSnaps, { query: { projectCode: main, trigger: 'manual' } })
    expect(list.at(-1)).toMatchObject({ late: true })
  })
})

describe('looking through a helmet', () => {
  test('is refused without a reason, written down with it, and shows nothing while it is not worn', async () => {
    const admin = await settled.as('admin')
    await admin.call(video.setMediaAccount, {
      body: { provider: '演示流媒体', baseUrl: 'https://media.example.com/live', kind: 'mp4', secret: 'a secret of sixteen' },
    })
    const wear = (wearing: boolean) =>
      world.database.pool.query(
        `insert into device_latest (device_id, ts, received_at, v, online, online_since) values ($1, $2, $2, $3, true, $2)
         on conflict (device_id) do update set v = excluded.v, online = true`,
        [helmet.id, new Date(now - 1_000), JSON.stringify({ wearing, signal: 20 })],
      )
    await wear(true)
    const look = (reason?: string) => pm.ask(video.mediaToken, { query: { deviceId: helmet.id, reason } })
    expect(await look()).toMatchObject({ status: 2, message: '请填写查看事由' })
    expect((await look('SOS 后查看现场')).data).toMatchObject({ reason: null, kind: 'mp4' })
    const { rows } = await world.database.pool.query(`select summary from audit_log where action = 'look' and object_id = $1`, [helmet.id])
    expect(rows.map((r) => r.summary)).toEqual([`查看安全帽实时画面：${helmet.name}（SOS 后查看现场）`])
    await wear(false)
    expect((await look('再看一次')).data).toMatchObject({ url: null, reason: '未佩戴' })
    expect((await stranger.ask(video.mediaToken, { query: { deviceId: helmet.id, reason: '好奇' } })).status).not.toBe(0)
    expect((await regulator.ask(video.mediaToken, { query: { deviceId: helmet.id, reason: '检查' } })).status).not.toBe(0)
  })

  test('recordings tell how long and how large they are, and which helmets carry a camera', async () => {
    await keep('video', now - 30 * minute, {
      startTime: new Date(now - 31 * minute).toISOString(),
      endTime: new Date(now - 30 * minute).toISOString(),
      size: 12_600_000,
      trigger: 'remote',
    })
    const { list, cameras } = await pm.call(helmets.helmetVideos, { query: { projectCode: main } })
    expect(list[0]).toMatchObject({ endTime: now - 30 * minute, startTime: now - 31 * minute, sizeBytes: 12_600_000, trigger: 'remote' })
    expect(cameras.find((one) => one.deviceId === helmet.id)).toMatchObject({ online: true, wearing: false, signal: 20 })
  })
})
