import { createDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import * as video from '@zhugong/contract/monitoring/video/video'
import type { Device } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

let world: World
let settled: CityWorld
let pm: Caller
let stranger: Caller
let main: string
let foreign: string
let camera: Device
let number: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  pm = await settled.as('hospital-pm')
  stranger = await settled.as('zhigu-pm')
  const projectOf = (account: string) => settled.city.personas.find((p) => p.account === account)?.projectCode ?? ''
  main = projectOf('hospital-pm')
  foreign = projectOf('zhigu-pm')
  const found = settled.city.devices.find((d) => d.family === 'videoAi' && d.projectCode === main)
  if (!found) throw new Error('no camera')
  camera = found
  number = String(camera.params.gbDeviceId)
  const admin = await settled.as('admin')
  await admin.call(video.setMediaAccount, {
    body: { provider: '流媒体', baseUrl: 'https://media.example.com', kind: 'mp4', secret: 'a secret of sixteen' },
  })
  await world.database.pool.query(
    `insert into device_latest (device_id, ts, received_at, online, online_since, v)
     select id, now(), now(), true, now(), '{"online":"1","stream":"1"}' from device where family = 'videoAi'
     on conflict (device_id) do update set online = true, v = excluded.v`,
  )
})
afterAll(() => world.close())

let made = 0
const register = (who: Caller, projectCode: string, params: Record<string, unknown>) =>
  who.ask(createDevice, {
    body: {
      name: `新摄像机${++made}`,
      deviceSn: `CAM-${made}-${projectCode}`,
      projectCode,
      family: 'videoAi',
      access: { protocol: 'http' },
      params,
    },
  })
const taken = '该国标编号和通道已登记在其他设备上，请核对；确为本项目设备的，请联系平台处理'

test('a number in the national network that somebody else holds is refused at the field, on any channel, new or changed', async () => {
  for (const channelId of [undefined, '1', '2', '34'])
    expect(await register(stranger, foreign, { gbDeviceId: number, channelId }), String(channelId)).toMatchObject({
      message: taken,
      data: { field: 'params.gbDeviceId' },
    })
  expect(taken).not.toContain(camera.name)
  const own = settled.city.devices.find((d) => d.family === 'videoAi' && d.projectCode === foreign)
  const changed = await stranger.ask(updateDevice, {
    params: { id: own?.id ?? '' },
    body: { params: { ...own?.params, gbDeviceId: number } },
  })
  const { rows } = await world.database.pool.query(`select params ->> 'gbDeviceId' as number from device where id = $1`, [own?.id])
  expect(rows[0]?.number).not.toBe(number)
  expect([changed.status === 0, changed.message === taken]).toContain(true)
  // The holder's recorder may have several channels, each a separate device; a channel can be used once.
  expect((await register(pm, main, { gbDeviceId: number, channelId: '2' })).status).toBe(0)
  expect(await register(pm, main, { gbDeviceId: number, channelId: String(camera.params.channelId ?? '1') })).toMatchObject({
    message: taken,
  })
})

test('who waits for a review is signed nothing, and loses to whoever is in service first', async () => {
  const free = '42020000001329999999'
  const early = await stranger.call(createDevice, {
    body: {
      name: '占号',
      deviceSn: 'CAM-EARLY',
      projectCode: foreign,
      family: 'videoAi',
      access: { protocol: 'http' },
      params: { gbDeviceId: free },
    },
  })
  await world.database.pool.query(`update device set status = '0' where id = $1`, [early.id])
  expect(await stranger.call(video.mediaToken, { query: { deviceId: early.id } })).toMatchObject({ url: null, reason: '设备未投入使用' })
  const clip = { deviceId: early.id, startTime: String(Date.now() - 600_000), endTime: String(Date.now() - 300_000), reason: '取证' }
  expect((await stranger.ask(video.downloadClip, { body: clip })).message).toBe('设备未投入使用')
  expect((await stranger.ask(video.movePtz, { body: { deviceId: early.id, move: 'left' } })).message).toBe('设备未投入使用')
  // A number is free until a device with it is in service.
  const real = await register(pm, main, { gbDeviceId: free })
  expect(real.status).toBe(0)
  await world.database.pool.query(`update device set status = '1' where params ->> 'gbDeviceId' = $1 and project_code = $2`, [free, main])
  await expect(world.database.pool.query(`update device set status = '1' where id = $1`, [early.id])).rejects.toThrow(/belongs to another/)
})

test('a channel and a stream of somebody else’s are not signed', async () => {
  const other = settled.city.devices.find((d) => d.family === 'videoAi' && d.projectCode === foreign)
  const id = other?.id ?? ''
  for (const channel of ['2x', '99', '../1', `${Number(other?.params.channelId ?? 1) + 1}`])
    expect(await stranger.ask(video.mediaToken, { query: { deviceId: id, channel } }), channel).toMatchObject({
      data: { field: 'channel' },
    })
  // Without a number a stream is named by device id: another camera's id is not accepted as a number.
  await world.database.pool.query(`update device set params = params - 'gbDeviceId' where id = $1`, [camera.id])
  await world.database.pool.query(`update device set params = params || jsonb_build_object('gbDeviceId', $2::text) where id = $1`, [
    id,
    camera.id,
  ])
  const { url } = await stranger.call(video.mediaToken, { query: { deviceId: id } })
  expect(url).toContain(`/${id}/`)
  expect(url).not.toContain(camera.id)
})

/** Any identifier that is taken or belongs to others is refused, without revealing its owner. */
test('no identifier in a device’s settings reaches what belongs to others', async () => {
  const { pool } = world.database
  const one = async (text: string, values: unknown[]) => (await pool.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  const gateway = await one(`select id from gateway where project_code = $1 limit 1`, [main])
  const app = await one(`select id from open_app where project_code = $1 limit 1`, [main])
  const mn = await one(`select access_key as id from device where protocol = 'hj212' and project_code = $1 limit 1`, [main])
  const phone = await one(`select access_key as id from device where protocol = 'jt808' and project_code = $1 limit 1`, [main])
  const sn = await one(`select device_sn as id from device where project_code = $1 limit 1`, [main])
  const model = { family: 'videoAi', params: {} }
  const tries: [string, string, Partial<InputFor<typeof createDevice>['body']>][] = [
    [
      'number',
      'x',
      {
        ...model,
        access: { protocol: 'http' },
        params: {
          gbDeviceId: String(settled.city.devices.filter((d) => d.family === 'videoAi' && d.projectCode === main)[1]?.params.gbDeviceId),
        },
      },
    ],
    ['serial', sn, { ...model, deviceSn: sn, access: { protocol: 'http' } }],
    ['gateway', gateway, { ...model, access: { protocol: 'mqtt', gatewayId: gateway } }],
    [
      'gateway and address of a meter',
      gateway,
      { family: 'electricMeter', params: {}, access: { protocol: 'poll', gatewayId: gateway, address: '1' } },
    ],
    ['application', app, { ...model, access: { protocol: 'http', appId: app } }],
    ['MN', mn, { family: 'environment', params: {}, access: { protocol: 'hj212', mn } }],
    ['phone', phone, { family: 'truckMonitor', params: {}, access: { protocol: 'jt808', phone } }],
    [
      'phone with zeros before it',
      phone,
      { family: 'truckMonitor', params: {}, access: { protocol: 'jt808', phone: phone.padStart(12, '0') } },
    ],
  ]
  for (const [what, given, body] of tries) {
    expect(given, what).not.toBe('')
    const answer = await stranger.ask(createDevice, {
      body: { name: '他人标识', deviceSn: `OTHER-${what.length}-${++made}`, projectCode: foreign, params: {}, ...body },
    })
    expect(answer.status, what).not.toBe(0)
    for (const word of [main, camera.name]) expect(answer.message, what).not.toContain(word)
  }
})
