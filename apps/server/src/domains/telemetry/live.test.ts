import { codesFor } from '@zhugong/contract/access/codes'
import { type LiveSample, liveAlarm, liveGatePass, liveTelemetry } from '@zhugong/contract/telemetry/topics'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'
import { mostLines } from './live.ts'
import { writeTicket } from './live-access.ts'

let site: Site
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
})
afterAll(() => site.close())

/** Creates a member of a project with a session; returns the hash that a ticket contains. */
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

async function viewer(sessionHash: string, expiresAt = Date.now() + 600_000, as?: string, of = `view:${newId()}`) {
  const client = site.connect({
    clientId: as ?? of,
    username: 'live',
    password: writeTicket(site.secrets, { sessionHash, projectCode: '*', expiresAt, clientId: of }),
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
  // At most one per second, however long the machine took.
  expect(samples.length).toBeLessThanOrEqual(Math.ceil((Date.now() - begun) / 900) + 1)
  expect(samples.length).toBeLessThan(30)
  for (const [i, sample] of samples.entries()) if (i) expect(sample.at - (samples[i - 1]?.at ?? 0)).toBeGreaterThan(800)
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

test('a session has so many lines and no more; another one has its own, and a line that ends makes room', async () => {
  const [hash, other] = [await session('P6'), await session('P6')]
  const tried = await Promise.allSettled(Array.from({ length: mostLines + 5 }, () => viewer(hash)))
  const lines = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(lines).toHaveLength(mostLines)
  await viewer(other)
  await lines[0]?.endAsync()
  await expect
    .poll(() =>
      viewer(hash).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})

test('a session that ended sees nothing more', async () => {
  const hash = await session('P5')
  const watching = await viewer(hash)
  await watching.subscribeAsync(liveAlarm.of({ projectCode: 'P5' }))
  const closed = new Promise<void>((resolve) => watching.once('close', () => resolve()))
  await site.pool.query('delete from session where token_hash = $1', [hash])
  await closed
})

test("a viewer takes nobody's place: neither a gateway's nor another viewer's", async () => {
  const gateway = await site.given.gateway('P6')
  const crane = await site.given.device('P6', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const sender = await site.gatewayClient(gateway)
  let cut = 0
  sender.on('close', () => cut++)
  const later = Date.now() + 600_000
  const first = `view:${newId()}`
  const watching = await viewer(await session('P6'), later, first, first)
  watching.on('close', () => cut++)
  const hostile = await session('P6')
  for (const name of [`gw:${gateway.id}`, first, `${first}:2`, 'view:', '', 'zhugong-ingest-000000000000'])
    await expect(viewer(hostile, later, name), name).rejects.toThrow()
  // A ticket with another name has no valid signature, and neither has one issued for a gateway's name.
  await expect(viewer(hostile, later, `gw:${gateway.id}`, `gw:${gateway.id}`)).rejects.toThrow()
  // Two windows with one ticket.
  const second = await viewer(await session('P6'), later, `${first}:w2`, first)
  // A gateway cannot connect under a viewer's name.
  const asViewer = site.connect({ clientId: first, username: gateway.id, password: site.password(gateway) })
  await new Promise<void>((resolve) => asViewer.once('close', () => resolve()))
  await acknowledged(sender, uplink(gateway.id, crane.sn, 'telemetry'), message([{ time: Date.now(), data: craneData() }]))
  expect([cut, sender.connected, watching.connected, second.connected]).toEqual([0, true, true, true])
  for (const client of [sender, watching, second]) client.end()
})

/** A session on the site of P7 for a company with a limited part, or for a regulator. */
async function outsider(type: 1 | 2, code: string): Promise<string> {
  const hash = await session('P7', [...codesFor(type)])
  const { pool } = site
  await pool.query('insert into tenant (id, type, code, name, area_code) values ($1, $2, $1, $1, $3)', [code, type, '420100'])
  await pool.query('update session set group_id = $2 where token_hash = $1', [hash, code])
  await pool.query('update member set group_id = $2 where user_id = (select user_id from session where token_hash = $1)', [hash, code])
  await pool.query('update role set group_id = $2, groups_type = $3 where name = (select user_id from session where token_hash = $1)', [
    hash,
    code,
    type,
  ])
  return hash
}

test('where a wearer is and how he is goes to those alone who may know', async () => {
  const { pool } = site
  await site.given.project('P7')
  for (const corp of ['CORP-A', 'CORP-B']) {
    await pool.query(
      `insert into corporation (id, corp_code, corp_name, corp_type, area_code, address, legal_man, register_date, establish_date, link_man)
       values ($1, $1, $1, '007', '420100', '—', '—', '2020-01-01', '2020-01-01', '—')`,
      [corp],
    )
    await pool.query(
      `insert into project_corp (id, project_code, corp_code, corp_type, entry_time, pm_name) values ($1, 'P7', $1, '004', '2026-01-01', '—')`,
      [corp],
    )
  }
  await pool.query(
    `insert into government (gov_code, name, type, level, area_code, link_man) values ('GOV-7', '住建局', '1', '1', '420100', '—')`,
  )
  const gateway = await site.given.gateway('P7')
  const worn = async (corp: string) => {
    const helmet = await site.given.device(
      'P7',
      'smartHelmet',
      { protocol: 'mqtt', gatewayId: gateway.id },
      { params: { workerId: `W-${corp}` } },
    )
    await pool.query(
      `insert into worker (id, name, gender, birthday, nation, id_card_number, id_card_hash, id_card_mask) values ($1, '甲', '0', '1990-01-01', '01', '', $1, '—')`,
      [`W-${corp}`],
    )
    await pool.query(
      `insert into project_worker (id, project_code, worker_id, corp_code, work_role, entry_time, worker_name, gender, birthday, id_card_hash, id_card_mask)
       values ($1, 'P7', $1, $2, '1', now(), '甲', '0', '1990-01-01', $1, '—')`,
      [`W-${corp}`, corp],
    )
    return helmet
  }
  const [ofA, ofB] = [await worn('CORP-A'), await worn('CORP-B')]
  const heard = new Map<string, Map<string, Record<string, unknown>>>()
  const listen = async (name: string, hash: string) => {
    const watching = await viewer(hash)
    expect(await grantedQos(watching, liveTelemetry.of({ projectCode: 'P7' }))).toBe(0)
    const said = new Map<string, Record<string, unknown>>()
    heard.set(name, said)
    watching.on('message', (topic, body) => {
      if (topic.endsWith('/alarm')) return
      const { d, v } = JSON.parse(body.toString()) as LiveSample
      said.set(d, v as Record<string, unknown>)
    })
    return watching
  }
  const all = codesFor(3)
  const watchers = [
    await listen('site', await session('P7')),
    await listen(
      'without health',
      await session(
        'P7',
        all.filter((code) => code !== 'helmet.health'),
      ),
    ),
    await listen(
      'without place',
      await session(
        'P7',
        all.filter((code) => code !== 'helmet.location'),
      ),
    ),
    await listen('subcontractor', await outsider(2, 'CORP-A')),
    await listen('regulator', await outsider(1, 'GOV-7')),
  ]
  const sender = await site.gatewayClient(gateway)
  const alarms = new Map<string, { value: number | null }>()
  for (const [i, name] of [...heard.keys()].entries()) {
    const watching = watchers[i]
    if (!watching) continue
    expect(await grantedQos(watching, liveAlarm.of({ projectCode: 'P7' }))).toBe(0)
    watching.on('message', (topic, body) => {
      if (topic.endsWith('/alarm')) alarms.set(name, JSON.parse(body.toString()))
    })
  }
  const place = { longitude: 114.1, latitude: 30.1 }
  const health = { heartRate: 88, bodyTemperature: 36.6 }
  const tell = () =>
    Promise.all(
      [ofA, ofB].map((helmet) =>
        acknowledged(
          sender,
          uplink(gateway.id, helmet.sn, 'telemetry'),
          message([{ time: Date.now(), data: { ...place, ...health, positioned: true, batteryPercent: 50 } }]),
        ),
      ),
    )
  // The wearers' companies are looked up while someone affected is watching.
  await until(async () => {
    await tell()
    await new Promise((resolve) => setTimeout(resolve, 300))
    return heard.get('subcontractor')?.get(ofA.id)?.longitude !== undefined
  })
  const rest = { positioned: true, batteryPercent: 50 }
  const whole = { ...place, ...health, ...rest }
  for (const helmet of [ofA, ofB]) {
    await until(() => [...heard.values()].every((said) => said.has(helmet.id)))
    expect(heard.get('site')?.get(helmet.id)).toEqual(whole)
    expect(heard.get('without health')?.get(helmet.id)).toEqual({ ...place, ...rest })
    expect(heard.get('without place')?.get(helmet.id)).toEqual({ ...health, ...rest })
    expect(heard.get('regulator')?.get(helmet.id)).toEqual(rest)
    expect(heard.get('subcontractor')?.get(helmet.id)).toEqual(helmet === ofA ? whole : rest)
  }
  // Everybody sees the alarm, only permitted viewers the heart rate.
  const alarm = {
    id: 'a',
    event: 'open',
    deviceName: '帽',
    label: '心率异常',
    level: 3,
    time: 1,
    value: 187,
    text: '心率 187 次/分',
  } as const
  for (const alarmKey of ['heartRateAlarm', 'sos']) {
    alarms.clear()
    site.ingest.live.alarm('P7', { ...alarm, deviceId: ofB.id, family: 'smartHelmet', alarmKey })
    await until(() => alarms.size === watchers.length)
    const shown = Object.fromEntries([...alarms].map(([name, { value }]) => [name, value]))
    expect(shown).toEqual({
      site: 187,
      'without health': alarmKey === 'sos' ? 187 : null,
      'without place': 187,
      subcontractor: null,
      regulator: null,
    })
    expect(JSON.stringify(alarms.get('regulator'))).not.toContain('187')
  }
  for (const watching of watchers) watching.end()
  sender.end()
})
