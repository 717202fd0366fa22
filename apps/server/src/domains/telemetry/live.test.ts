import { codesFor } from '@zhugong/contract/access/codes'
import { type LiveSample, liveAlarm, liveGatePass, liveTelemetry } from '@zhugong/contract/telemetry/topics'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'
import { writeTicket } from './live-access.ts'

let site: Site
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
})
afterAll(() => site.close())

/** A person of a project with a session; answers the hash that a ticket carries. */
async function session(projectCode: string, codes = codesFor(3)): Promise<string> {
  await site.given.project(projectCode)
  const id = newId()
  const hash = newId()
  await site.pool.query('insert into tenant (id, type, code, name) values ($1, 3, $2, $2) on conflict do nothing', [
    `t-${projectCode}`,
    projectCode,
  ])
  const tenant = (await site.pool.query('select id from tenant where code = $1', [projectCode])).rows[0].id
  await site.pool.query(`insert into app_user (id, account, name, password_hash, must_change) values ($1, $1, '观众', 'x', false)`, [id])
  await site.pool.query('insert into member (id, user_id, group_id) values ($1, $2, $3)', [id, id, tenant])
  await site.pool.query('insert into role (id, group_id, groups_type, name, codes) values ($1, $2, 3, $1, $3)', [id, tenant, codes])
  await site.pool.query('insert into member_role (member_id, role_id) values ($1, $1)', [id])
  await site.pool.query(
    `insert into session (token_hash, user_id, group_id, project_code, live, entry, ip, created_at, seen_at, expires_at, hard_expires_at)
     values ($1, $2, $3, '*', false, 'default', '', now(), now(), now() + interval '30 minutes', now() + interval '12 hours')`,
    [hash, id, tenant],
  )
  return hash
}

async function viewer(sessionHash: string, expiresAt = Date.now() + 600_000) {
  const client = site.connect({
    clientId: `view:${newId()}`,
    username: 'live',
    password: writeTicket(site.secrets, { sessionHash, projectCode: '*', expiresAt }),
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('close', () => reject(new Error('refused')))
  })
  return client
}
const grantedQos = async (client: Awaited<ReturnType<typeof viewer>>, topic: string) => {
  const granted = await client.subscribeAsync(topic).catch(() => [{ qos: 128 }])
  return granted[0]?.qos
}

test('one message a second and device, the newest wins; alarms as they come', async () => {
  const gateway = await site.given.gateway('P1')
  const crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const watching = await viewer(await session('P1'))
  expect(await grantedQos(watching, liveTelemetry.of({ projectCode: 'P1' }))).toBe(0)
  expect(await grantedQos(watching, liveAlarm.of({ projectCode: 'P1' }))).toBe(0)
  const samples: (LiveSample & { at: number })[] = []
  const alarms: unknown[] = []
  watching.on('message', (topic, body) => {
    if (topic.endsWith('/alarm')) alarms.push(JSON.parse(body.toString()))
    else samples.push({ ...(JSON.parse(body.toString()) as LiveSample), at: Date.now() })
  })
  const sender = await site.gatewayClient(gateway)
  const begun = Date.now()
  for (let i = 0; i < 30; i++) {
    await acknowledged(
      sender,
      uplink(gateway.id, crane.sn, 'telemetry'),
      message([{ time: begun + i * 10, seq: i, data: craneData({ load: i, momentPercent: i === 29 ? 101 : 50 }) }]),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await until(() => samples.at(-1)?.v.load === 29)
  expect(samples.length).toBeLessThanOrEqual(4)
  for (const [i, sample] of samples.entries()) if (i) expect(sample.at - (samples[i - 1]?.at ?? 0)).toBeGreaterThan(900)
  const isMoment = (a: unknown) => (a as { alarmKey: string }).alarmKey === 'momentAlarm'
  await until(() => alarms.some(isMoment))
  expect(alarms.find(isMoment)).toMatchObject({ event: 'open', level: 2, deviceId: crane.id })
  await site.pool.query(`select pg_notify('zg_fleet', 'alarm:' || id) from alarm where device_id = $1`, [crane.id])
  await until(() => alarms.some((a) => (a as { event: string }).event === 'handled'))
  watching.end()
  sender.end()
})

test('what is not theirs is refused', async () => {
  await site.given.project('P9')
  const watching = await viewer(await session('P2'))
  for (const topic of [
    liveTelemetry.of({ projectCode: 'P9' }),
    liveAlarm.of({ projectCode: 'P9' }),
    liveAlarm.of({}),
    'live/#',
    '#',
    'site/v1/up/#',
    '$SYS/#',
    liveGatePass.of({ projectCode: 'P9' }),
  ]) {
    expect(await grantedQos(watching, topic), topic).toBe(128)
  }
  const closed = new Promise<void>((resolve) => watching.once('close', () => resolve()))
  watching.publish('live/P2/alarm', '{}')
  await closed
  const poor = await viewer(await session('P3', ['home.view']))
  expect(await grantedQos(poor, liveAlarm.of({ projectCode: 'P3' }))).toBe(128)
  poor.end()
  await expect(viewer('nobody')).rejects.toThrow()
  await expect(viewer(await session('P4'), Date.now() - 1)).rejects.toThrow()
})

test('a session that ended sees nothing more', async () => {
  const hash = await session('P5')
  const watching = await viewer(hash)
  await watching.subscribeAsync(liveAlarm.of({ projectCode: 'P5' }))
  const closed = new Promise<void>((resolve) => watching.once('close', () => resolve()))
  await site.pool.query('delete from session where token_hash = $1', [hash])
  await closed
})
