import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as video from '@zhugong/contract/monitoring/video/video'
import * as talk from '@zhugong/contract/monitoring/video/video-talk'
import type { Device } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { makePartitions } from '#domains/telemetry/rollup'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

const key = 'the key of the media server'
const gbDeviceId = '42020000001320000001'
const minute = 60_000
let now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let admin: Caller
let pm: Caller
let safety: Caller
let stranger: Caller
let main: string
let camera: Device
let other: Device
let server: Server
let base = ''
let requested: { path: string; query: Record<string, string>; key: string | undefined }[] = []
let refuses: string | undefined
/** For each call, whether a transaction was open while the server was queried. */
let waiting: Promise<boolean>[] = []
const looks = 20
const lookEveryMs = 100
/** Transactions of others end by themselves; one waiting for the answer is still open at the last check. */
async function staysOpen(): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    const { rows } = await world.database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    if (rows.length === 0) return false
    await sleep(lookEveryMs)
  }
  return true
}

/** A fake server that answers like WVP-PRO. */
function answerOf(path: string): unknown {
  if (refuses) return { code: 100, msg: refuses, data: null }
  if (path.startsWith('/api/play/start/') || path.startsWith('/api/playback/start/'))
    return {
      code: 0,
      msg: '成功',
      data: {
        app: 'rtp',
        stream: 'x',
        fmp4: `${base}/rtp/x.live.mp4`,
        hls: `${base}/rtp/x/hls.m3u8`,
        flv: `${base}/rtp/x.live.flv`,
        mediaInfo: { videoCodec: 'H264' },
      },
    }
  if (path.startsWith('/api/gb_record/query/'))
    return { code: 0, msg: '成功', data: { recordList: [{ startTime: '2026-11-20 08:00:00', endTime: '2026-11-20 08:30:00' }] } }
  if (path.startsWith('/api/front-end/preset/query/')) return { code: 0, msg: '成功', data: [{ presetId: '1', presetName: '大门' }] }
  if (path.startsWith('/api/play/broadcast/stop/')) return { code: 0, msg: '成功', data: null }
  if (path.startsWith('/api/play/broadcast/'))
    return { code: 0, msg: '成功', data: { streamInfo: { rtc: `${base}/index/api/webrtc?app=broadcast&stream=x&type=push` } } }
  if (path === '/api/user/userInfo') return { code: 0, msg: '成功', data: { pushKey: 'push' } }
  if (path === '/index/api/webrtc') return { code: 0, sdp: 'v=0 answer', type: 'answer' }
  if (path === '/api/device/query/devices')
    return { code: 0, msg: '成功', data: { total: 1, list: [{ deviceId: gbDeviceId, name: '大门', onLine: true }] } }
  return { code: 0, msg: '成功', data: null }
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://here')
    const reported = request.headers['api-key']
    const open = staysOpen()
    waiting.push(open)
    requested.push({
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      key: typeof reported === 'string' ? reported : undefined,
    })
    await open
    // When sending audio the signature authenticates the sender.
    response
      .writeHead(reported === key || url.searchParams.has('sign') ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify(answerOf(url.pathname)))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } }, { environment: { OUTGOING_INSIDE: '127.0.0.1' } })
  settled = await settleCity(world)
  await makePartitions(world.database.pool)
  admin = await settled.as('admin')
  pm = await settled.as('hospital-pm')
  safety = await settled.as('hospital-safety')
  stranger = await settled.as('zhigu-pm')
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const [first, second] = settled.city.devices.filter((d) => d.family === 'videoAi' && d.projectCode === main)
  if (!first || !second) throw new Error('no cameras')
  camera = first
  other = second
  const { pool } = world.database
  await pool.query(`update device set params = params || $2 where id = $1`, [
    camera.id,
    JSON.stringify({ gbDeviceId, channelId: '1', ptz: '1' }),
  ])
  await pool.query(`update device set params = params - 'gbDeviceId' where id <> $1 and family = 'videoAi'`, [camera.id])
  for (const id of [camera.id, other.id])
    await pool.query(
      `insert into device_latest (device_id, ts, received_at, online, online_since, v) values ($1, $2, $2, true, $2, '{"online":"1","stream":"1"}')
       on conflict (device_id) do update set online = true, v = excluded.v`,
      [id, new Date(now)],
    )
  const saved = { provider: '国标平台', baseUrl: base, apiKey: key, isOn: true }
  await admin.call(video.setGbAccount, { body: saved })
})
afterAll(async () => {
  await world.close()
  server.close()
})
beforeEach(() => {
  requested = []
  refuses = undefined
  now += 2 * minute
})

test('is set by the operator alone; its key stays, is not sent to another server, and is shown to nobody', async () => {
  const again = { provider: '国标平台', baseUrl: base, apiKey: null, isOn: true }
  await admin.call(video.setGbAccount, { body: again })
  const moved = await admin.ask(video.setGbAccount, { body: { ...again, baseUrl: 'http://127.0.0.1:9' } })
  expect(moved.message).toBe('地址换了服务器，请重新填写接口密钥')
  expect((await pm.ask(video.setGbAccount, { body: again })).status).not.toBe(0)
  expect((await pm.call(video.mediaAccount, {})).gb).toMatchObject({ configured: true, isOn: true, baseUrl: null })
  expect(JSON.stringify(await admin.call(video.mediaAccount, {}))).not.toContain(key)
  const checked = await admin.call(video.checkGb, {})
  expect(checked).toMatchObject({ why: null, devices: 1, online: 1, known: 1 })
  expect(checked.missing.length).toBe(Math.min(50, checked.cameras - 1))
  expect(requested).toEqual([{ path: '/api/device/query/devices', query: { page: '1', count: '1000' }, key }])
})

test('begins a stream once for all who look, a picture without a stream, and says why where it cannot', async () => {
  const live = await pm.call(video.mediaToken, { query: { deviceId: camera.id } })
  expect(live).toMatchObject({ url: `${base}/rtp/x.live.mp4`, kind: 'mp4', codec: 'H264', reason: null })
  expect((await safety.call(video.mediaToken, { query: { deviceId: camera.id } })).url).toBe(live.url)
  expect(requested.map((one) => one.path)).toEqual([`/api/play/start/${gbDeviceId}/${gbDeviceId}`])
  const still = await pm.call(video.mediaToken, { query: { deviceId: camera.id, still: '1' } })
  expect([still.url, still.reason, still.snapshotUrl?.startsWith(`${base}/api/device/query/snap/${gbDeviceId}/${gbDeviceId}`)]).toEqual([
    null,
    null,
    true,
  ])
  expect(requested).toHaveLength(1)
  // A camera without a number uses the default addresses.
  expect((await pm.call(video.mediaToken, { query: { deviceId: other.id } })).reason).toBe('未配置流媒体服务')
  now += 2 * minute
  refuses = '点播超时'
  expect(await pm.call(video.mediaToken, { query: { deviceId: camera.id } })).toMatchObject({ url: null, reason: '取流失败：点播超时' })
  refuses = undefined
  expect((await pm.call(video.mediaToken, { query: { deviceId: camera.id } })).reason).toBeNull()
})

test('plays back what the recorder has, and hands out no clip that it does not have', async () => {
  const startTime = '2026-11-20 07:50:00'
  const endTime = '2026-11-20 08:20:00'
  const back = await pm.call(video.mediaToken, { query: { deviceId: camera.id, startTime, endTime } })
  expect(back.segments).toEqual([
    { startTime: Date.parse('2026-11-20T08:00:00+08:00'), endTime: Date.parse('2026-11-20T08:20:00+08:00'), source: '设备录像' },
  ])
  expect(requested.map((one) => [one.path.split('/')[2], one.query])).toEqual([
    ['gb_record', { startTime, endTime }],
    ['playback', { startTime, endTime }],
  ])
  const clip = await pm.ask(video.downloadClip, {
    body: { deviceId: camera.id, startTime, endTime: '2026-11-20 07:55:00', reason: '核对' },
  })
  expect(clip.message).toContain('请在录像机上导出')
})

test('is turned by one hand at a time, who is named to the next', async () => {
  const before = await pm.call(video.getPtz, { query: { deviceId: camera.id } })
  expect(before).toMatchObject({ why: null, holder: null, presets: [{ id: 1, name: '大门' }] })
  expect(await pm.call(video.movePtz, { body: { deviceId: camera.id, move: 'left' } })).toMatchObject({ isMine: true })
  expect(requested.at(-1)).toMatchObject({ path: `/api/front-end/ptz/${gbDeviceId}/${gbDeviceId}`, query: { command: 'left' } })
  const second = await admin.ask(video.movePtz, { body: { deviceId: camera.id, move: 'right' } })
  expect(second.message).toContain('正在控制云台')
  now += 31_000
  await admin.call(video.movePtz, { body: { deviceId: camera.id, preset: 1 } })
  expect(requested.at(-1)).toMatchObject({ path: `/api/front-end/preset/call/${gbDeviceId}/${gbDeviceId}`, query: { presetId: '1' } })
  expect((await pm.call(video.getPtz, { query: { deviceId: other.id } })).why).toBe('这台摄像机没有云台')
  expect((await stranger.ask(video.movePtz, { body: { deviceId: camera.id, move: 'up' } })).status).not.toBe(0)
  expect((await pm.ask(video.movePtz, { body: { deviceId: camera.id } })).message).toBe('请选择一个动作或预置位')
})

test('one at a time speaks at a camera: what the browser offers is answered, and the line is closed', async () => {
  const sdpOffer = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n'
  expect(await pm.call(talk.getTalk, { query: { deviceId: camera.id } })).toMatchObject({ why: null, holder: null })
  const begun = await pm.call(talk.startTalk, { body: { deviceId: camera.id, sdp: sdpOffer } })
  expect(begun).toMatchObject({ isMine: true, sdp: 'v=0 answer' })
  expect(requested.map((one) => one.path)).toEqual([
    `/api/play/broadcast/${gbDeviceId}/${gbDeviceId}`,
    '/api/user/userInfo',
    '/index/api/webrtc',
  ])
  expect(requested.at(-1)?.query).toEqual({
    app: 'broadcast',
    stream: 'x',
    type: 'push',
    sign: createHash('md5').update('push').digest('hex'),
  })
  expect((await admin.ask(talk.startTalk, { body: { deviceId: camera.id, sdp: sdpOffer } })).message).toContain('正在对讲')
  // Nobody can end another person's talk.
  await admin.call(talk.stopTalk, { body: { deviceId: camera.id } })
  expect((await admin.call(talk.getTalk, { query: { deviceId: camera.id } })).holder).not.toBeNull()
  await pm.call(talk.stopTalk, { body: { deviceId: camera.id } })
  expect(requested.at(-1)?.path).toBe(`/api/play/broadcast/stop/${gbDeviceId}/${gbDeviceId}`)
  refuses = '设备不支持语音广播'
  const mute = await admin.ask(talk.startTalk, { body: { deviceId: camera.id, sdp: sdpOffer } })
  expect(mute.message).toBe('对讲没有接通：设备不支持语音广播')
  expect((await pm.call(talk.getTalk, { query: { deviceId: other.id } })).why).toContain('对讲需经国标流媒体服务')
  expect((await pm.ask(talk.startTalk, { body: { deviceId: camera.id, sdp: 'x' } })).message).toBe('语音参数不正确')
  expect((await stranger.ask(talk.startTalk, { body: { deviceId: camera.id, sdp: sdpOffer } })).status).not.toBe(0)
  expect((await stranger.ask(talk.stopTalk, { body: { deviceId: camera.id } })).status).not.toBe(0)
})

test('no transaction stays open while a camera is waited for', async () => {
  waiting = []
  await pm.call(video.mediaToken, { query: { deviceId: camera.id } })
  await pm.call(video.mediaToken, { query: { deviceId: camera.id, startTime: '2026-11-20 07:50:00', endTime: '2026-11-20 08:20:00' } })
  await pm.call(video.getPtz, { query: { deviceId: camera.id } })
  now += 31_000
  await pm.call(video.movePtz, { body: { deviceId: camera.id, move: 'left' } })
  await admin.call(video.checkGb, {})
  expect(await Promise.all(waiting)).toEqual([false, false, false, false, false, false])
  refuses = '设备无应答'
  expect((await pm.ask(video.movePtz, { body: { deviceId: camera.id, move: 'up' } })).message).toBe('云台没有执行：设备无应答')
})

test('who looked is written down once an hour, and read by the site', async () => {
  const { list, today } = await pm.call(video.listViews, { query: { projectCode: main, deviceId: camera.id } })
  expect(list.map((one) => `${one.kind} ${one.userName}`).length).toBe(new Set(list.map((one) => `${one.kind} ${one.userName}`)).size)
  expect(new Set(list.map((one) => one.kind))).toEqual(new Set(['live', 'playback']))
  expect([today.people, today.views]).toEqual([2, list.length])
  expect((await stranger.ask(video.listViews, { query: { projectCode: main } })).status).not.toBe(0)
  expect((await stranger.call(video.listViews, { query: { projectCode: '*' } })).list).toEqual([])
})
