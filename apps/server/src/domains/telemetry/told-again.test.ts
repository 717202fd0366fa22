import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'

/** Changes made while the notification connection is broken take effect once it is back, without a restart. */
let site: Site
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
})
afterAll(() => site.close())

async function whileDeaf(change: () => Promise<unknown>): Promise<void> {
  await site.line.cut()
  await change()
  await site.line.open()
}

async function cranes(count: number) {
  const gateway = await site.given.gateway('P1')
  const devices = await Promise.all(
    Array.from({ length: count }, () => site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })),
  )
  const client = await site.gatewayClient(gateway)
  let seq = 0
  const send = (device: { sn: string }, momentPercent: number) => {
    const item = { time: Date.now(), seq: ++seq, data: craneData({ momentPercent }) }
    return acknowledged(client, uplink(gateway.id, device.sn, 'telemetry'), message([item]))
  }
  return { devices, send, close: () => client.end(true) }
}
const alarmsOf = async (deviceId: string, alarmKey = 'momentAlarm') => {
  const { rows } = await site.pool.query<{ active: boolean; reason: string | null }>(
    'select active, clear_reason as reason from alarm where device_id = $1 and alarm_key = $2',
    [deviceId, alarmKey],
  )
  return rows
}

test('rules, maintenance and drills', async () => {
  const { devices, send, close } = await cranes(3)
  const [ruled, kept, drilled] = devices as [(typeof devices)[0], (typeof devices)[0], (typeof devices)[0]]
  for (const device of devices) await send(device, 40)
  await whileDeaf(async () => {
    await site.pool.query(
      `update rule_trigger set levels = jsonb_set(levels, '{0,condition}', '{"type":"threshold","metric":"momentPercent","op":">=","value":50}'), version = version + 1
       where id = 'std-towerCrane-momentAlarm'`,
    )
    await site.pool.query(
      `insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time)
       values ('deaf', 'P1', $1, array['momentAlarm'], 'other', '检修', '测试', now() - interval '1 minute', now() + interval '1 hour')`,
      [kept.id],
    )
    await site.pool.query(
      `with a as (insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, simulated)
         values ('drill', 'P1', $1, 'x', 'towerCrane', 'windAlarm', '大风', 2, 2, now(), now(), true) returning id)
       insert into alarm_drill (alarm_id, project_code, device_id, notify, linkage, ends_at) select id, 'P1', $1, false, false, now() from a`,
      [drilled.id],
    )
  })
  await until(async () => {
    await send(ruled, 60)
    return (await alarmsOf(ruled.id)).some((a) => a.active)
  })
  await until(async () => (await alarmsOf(drilled.id, 'windAlarm')).some((a) => !a.active && a.reason === 'simulatedEnd'))
  await send(kept, 105)
  await send(drilled, 105)
  await until(async () => (await alarmsOf(drilled.id)).some((a) => a.active))
  expect(await alarmsOf(kept.id)).toEqual([])
  close()
})

test('machines: where one has gone elsewhere, its alarms stay behind, ended', async () => {
  const { devices, send, close } = await cranes(2)
  const [moved, staying] = devices as [(typeof devices)[0], (typeof devices)[0]]
  for (const device of devices) {
    await send(device, 120)
    await until(async () => (await alarmsOf(device.id)).some((a) => a.active))
  }
  await site.given.project('P2')
  await whileDeaf(() => site.pool.query(`update device set project_code = 'P2' where id = $1`, [moved.id]))
  await until(async () => (await alarmsOf(moved.id)).every((a) => !a.active && a.reason === 'deviceRemoved'))
  expect(await alarmsOf(staying.id)).toEqual([{ active: true, reason: null }])
  close()
})

test('a rule that has not changed keeps what it was waiting for', async () => {
  const { devices, send, close } = await cranes(1)
  const [crane] = devices as [(typeof devices)[0]]
  await site.pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels)
     values ('slow', '慢', 'towerCrane', 'heightAlarm', '{"kind":"projects","projectCodes":["P1"]}', 'P1',
       '[{"level":2,"condition":{"type":"threshold","metric":"hookHeight","op":">=","value":41},"forSeconds":3}]')`,
  )
  // The rule is loaded once a reading has started its delay.
  const begun = Date.now()
  await until(async () => {
    await send(crane, 40)
    return (await site.count(`rule_state where device_id = $1 and trigger_id = 'slow'`, [crane.id])) > 0
  })
  await whileDeaf(async () => undefined)
  const back = Date.now()
  await until(async () => {
    await send(crane, 40)
    return (await alarmsOf(crane.id, 'heightAlarm')).some((a) => a.active)
  })
  const { rows } = await site.pool.query<{ since: Date }>(
    `select start_time as since from alarm where device_id = $1 and alarm_key = 'heightAlarm'`,
    [crane.id],
  )
  expect(rows[0]?.since.getTime()).toBeGreaterThanOrEqual(begun)
  expect(rows[0]?.since.getTime()).toBeLessThan(back)
  close()
})
