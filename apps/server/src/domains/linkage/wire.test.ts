import { createServer, type Server } from 'node:http'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { acknowledged, message, openSite, type Site, until, uplink } from '../telemetry/ingest-for-test.ts'
import { startLinkage } from './public.ts'

/** The whole path with only the device simulated: reading, rule, alarm, outbox, jobs worker, local socket, broker, device, and back. */
let site: Site
let local: Server
let linkage: ReturnType<typeof startLinkage>
let gateway: Awaited<ReturnType<Site['given']['gateway']>>
let client: MqttClient

interface Heard {
  cmdId: string
  cmd: string
  params: Record<string, unknown>
  expireAt: number
  at: number
}
const heard: Heard[] = []
let answerAfterMs: (nth: number) => number | undefined = () => 0

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  local = createServer((request, response) => void site.ingest.handle(request, response))
  await new Promise<void>((resolve) => local.listen(site.config.ingestSocket, resolve))
  linkage = startLinkage({
    database: site.database,
    databaseUrl: site.url,
    log: createLog('test', 'silent'),
    ingestSocket: site.config.ingestSocket,
    now: () => Date.now(),
  })
  gateway = await site.given.gateway('P1')
  client = await site.gatewayClient(gateway)
  await client.subscribeAsync(`site/v1/down/${gateway.id}/+/command`, { qos: 1 })
  client.on('message', (topic, payload) => {
    const command = JSON.parse(payload.toString()) as Heard
    heard.push({ ...command, at: Date.now() })
    const wait = answerAfterMs(heard.length)
    const reply = JSON.stringify({ cmdId: command.cmdId, result: 0, message: '已执行', data: {} })
    if (wait !== undefined)
      setTimeout(() => client.publish(uplink(gateway.id, topic.split('/')[4] ?? '', 'reply'), reply, { qos: 1 }), wait)
  })
})
afterAll(async () => {
  await linkage.stop()
  local.closeAllConnections()
  local.close()
  await site.close()
})

/** A dust station and a spray line behind the gateway, and a rule whose alarm starts the line. */
async function place(area: string) {
  const access = { protocol: 'mqtt', gatewayId: gateway.id }
  const station = await site.given.device('P1', 'environment', access, { params: { areaName: area } })
  const line = await site.given.device('P1', 'sprayController', access, { params: { areaName: area } })
  const execId = newId()
  const definition = {
    command: 'spray.start',
    selector: { kind: 'sameArea' },
    stopCommand: 'spray.stop',
    maxRunSeconds: 300,
    interlocks: ['frost', 'wind'],
  }
  await site.pool.query(`insert into rule_exec (id, name, kind, project_code, definition) values ($1, '喷淋', 'linkage', 'P1', $2)`, [
    execId,
    JSON.stringify(definition),
  ])
  await site.pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels, exec_ids)
     values ($1, '扬尘', 'environment', 'pm10Alarm', $2, 'P1', '[{"level":3,"condition":{"type":"threshold","metric":"pm10","op":">=","value":150,"clearValue":140}}]', $3)`,
    [newId(), JSON.stringify({ kind: 'devices', deviceIds: [station.id] }), [execId]],
  )
  let seq = 0
  const reports = async (pm10: number) => {
    seq++
    await acknowledged(
      client,
      uplink(gateway.id, station.sn, 'telemetry'),
      message([{ time: Date.now(), seq, data: { pm10, temperature: 15, windSpeed: 2 } }]),
    )
  }
  /** The ingest reloads changed rules after a short delay. */
  const reportsUntil = (pm10: number, done: () => Promise<boolean>) =>
    until(async () => {
      await reports(pm10)
      await new Promise((resolve) => setTimeout(resolve, 300))
      return done()
    }, 20_000)
  const active = () => site.count('alarm where device_id = $1 and alarm_key = $2 and active', [station.id, 'pm10Alarm'])
  const run = async () =>
    (
      await site.pool.query<{
        state: string
        result: string | null
        attempts: number
        pm10_before: number | null
        pm10_after: number | null
      }>('select * from linkage_run where device_id = $1 order by create_time desc', [line.id])
    ).rows
  return { station, line, reportsUntil, active, run }
}

test('dust at the station: the start arrives at the line, and when it clears, the stop', async () => {
  const here = await place('东侧')
  heard.length = 0
  await here.reportsUntil(210, async () => (await here.active()) === 1)
  await until(() => heard.length === 1)
  expect(heard[0]).toMatchObject({ cmd: 'spray.start', params: { durationSeconds: 300 } })
  expect(heard[0]?.expireAt).toBeGreaterThan(Date.now())
  await until(async () => (await here.run())[0]?.state === 'running')
  await here.reportsUntil(60, async () => (await here.active()) === 0)
  await until(() => heard.length === 2)
  expect(heard[1]).toMatchObject({ cmd: 'spray.stop' })
  await until(async () => (await here.run())[0]?.state === 'ended')
  expect(await here.run()).toMatchObject([{ result: 'recovered', attempts: 1, pm10_before: 210, pm10_after: 60 }])
  expect(await site.count(`device_record where device_id = $1 and record = 'sprayRecord'`, [here.line.id])).toBe(1)
  expect(await site.count(`exec_log where receiver_id = $1 and kind = 'linkage' and state = 'sent'`, [here.line.id])).toBe(2)
  expect(await site.count(`device_command where device_id = $1 and result = 0 and by_name = '设备联动'`, [here.line.id])).toBe(2)
})

test('command reply after time-out: the answer to the first try counts when the second one waits, and it runs once', async () => {
  const here = await place('西侧')
  heard.length = 0
  answerAfterMs = (nth) => (nth === 1 ? 11_000 : nth === 2 ? undefined : 0)
  await here.reportsUntil(210, async () => (await here.active()) === 1)
  await until(async () => (await here.run())[0]?.state === 'running', 25_000)
  expect(heard.map((h) => h.cmd)).toEqual(['spray.start', 'spray.start'])
  expect(heard[0]?.cmdId).toBe(heard[1]?.cmdId)
  // The first command expired before the second was sent, so a slow device cannot execute both.
  expect(heard[0]?.expireAt).toBeLessThanOrEqual(heard[1]?.at ?? 0)
  expect(await here.run()).toMatchObject([{ state: 'running', attempts: 2 }])
  expect(await site.count(`alarm where device_id = $1 and alarm_key = 'linkageFailed'`, [here.line.id])).toBe(0)
  answerAfterMs = () => 0
  await here.reportsUntil(60, async () => (await here.active()) === 0)
  await until(async () => (await here.run())[0]?.state === 'ended')
})

test('the alarm that a line failed is no rule’s: a restart of the ingest leaves it standing', async () => {
  const here = await place('北侧')
  heard.length = 0
  answerAfterMs = () => undefined
  await site.pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
     values ($1, 'P1', $2, '北线', 'sprayController', 'linkageFailed', '联动失败', 4, 4, now(), now())`,
    [newId(), here.line.id],
  )
  await site.restart()
  // With the first reading, the ingest corrects the inconsistent state.
  const again = await site.gatewayClient(gateway)
  await acknowledged(again, uplink(gateway.id, here.line.sn, 'telemetry'), message([{ time: Date.now(), seq: 1, data: { running: '0' } }]))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await site.count(`alarm where device_id = $1 and alarm_key = 'linkageFailed' and active`, [here.line.id])).toBe(1)
})
