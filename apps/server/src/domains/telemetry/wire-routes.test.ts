import { createServer, type Server } from 'node:http'
import type { Endpoint, InputFor } from '@zhugong/contract/kit/endpoint'
import * as calls from '@zhugong/contract/telemetry/wire-endpoints'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'
import { principalOf, type TestGroup } from './principal-for-test.ts'
import { askOf, serveFor } from './served-for-test.ts'
import { wireRoutes } from './wire-routes.ts'

let site: Site
let app: FastifyInstance
let local: Server
let group: TestGroup = { type: 0, projects: '*' }
let gateway: Awaited<ReturnType<Site['given']['gateway']>>
let crane: Awaited<ReturnType<Site['given']['device']>>
const platform = () => {
  group = { type: 0, projects: '*' }
}
const project = (code: string) => {
  group = { type: 3, projects: [code] }
}

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  app = await serveFor(
    site,
    () => principalOf(group),
    (serve) => wireRoutes(serve, { config: site.config }),
  )
  local = createServer((request, response) => void site.ingest.handle(request, response))
  await new Promise<void>((resolve) => local.listen(site.config.ingestSocket, resolve))
  gateway = await site.given.gateway('P1')
  crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  await site.given.project('P2')
})
afterAll(async () => {
  await app.close()
  local.closeAllConnections()
  local.close()
  await site.close()
})

async function ask<E extends Endpoint>(endpoint: E, input: InputFor<E>) {
  const { data, ...answer } = await askOf(app, endpoint, input)
  return { ...answer, data: data as Record<string, unknown> }
}
interface Frames {
  list: {
    id: string
    result: string
    resultText: string
    text: string | null
    hex: string
    decoded: object | null
    delayMs: number | null
  }[]
  total: number
}

test('frames of a device, by result and time; nobody else’s', async () => {
  platform()
  const client = await site.gatewayClient(gateway)
  const time = Date.now() - 1_000
  await acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), message([{ time, seq: 1, data: craneData() }]))
  await acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), 'broken')
  await acknowledged(client, uplink(gateway.id, 'KNOCKING-1', 'telemetry'), message([{ time, seq: 1, data: craneData() }]))
  client.end()
  const frames = async (query: Record<string, string>) => (await ask(calls.listFrames, { query } as never)).data as unknown as Frames
  await until(async () => (await frames({ deviceId: crane.id })).total === 2)
  const all = await frames({ deviceId: crane.id })
  expect(all.list.map((f) => f.resultText).sort()).toEqual(['已存储', '格式错'])
  const stored = all.list.find((f) => f.result === 'stored')
  expect(stored?.text).toContain('hookHeight')
  expect(Buffer.from(stored?.hex ?? '', 'hex').toString()).toBe(stored?.text)
  expect(stored).toMatchObject({ decoded: { load: 3.2 }, delayMs: expect.any(Number) })
  expect((await frames({ deviceId: crane.id, result: 'json' })).total).toBe(1)
  expect((await frames({ deviceId: crane.id, startTime: String(Date.now() + 60_000) })).total).toBe(0)
  await until(async () => (await frames({ gatewayId: gateway.id })).total === 3)
  expect((await frames({ identifier: 'KNOCKING-1' })).list[0]?.resultText).toBe('未登记')
  // Frames sent before registration belong to the device afterwards.
  const adopted = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id }, { sn: 'KNOCKING-1' })
  expect((await frames({ deviceId: adopted.id })).list[0]?.resultText).toBe('未登记')
  project('P2')
  expect(await ask(calls.listFrames, { query: { deviceId: crane.id } } as never)).toMatchObject({ http: 400, status: 2 })
  expect((await frames({ identifier: 'KNOCKING-1' })).total).toBe(0)
  expect((await frames({})).total).toBe(0)
  project('P1')
  expect((await frames({ identifier: 'KNOCKING-1' })).total).toBe(1)
})

test('a command is sent, answered and listed; not to a device of others, not one that does not exist', async () => {
  project('P1')
  const client = await site.gatewayClient(gateway)
  await client.subscribeAsync(`site/v1/down/${gateway.id}/+/command`, { qos: 1 })
  client.on('message', (_topic, body) => {
    const { cmdId } = JSON.parse(body.toString()) as { cmdId: string }
    void client.publishAsync(uplink(gateway.id, crane.sn, 'reply'), JSON.stringify({ cmdId, result: 0, message: '已重启' }), { qos: 1 })
  })
  const body = { cmd: 'device.reboot' as const, expireSeconds: 30 }
  const sent = await ask(calls.sendCommand, { params: { id: crane.id }, body })
  expect(sent.data).toMatchObject({ result: 0, message: '已重启' })
  const listed = await ask(calls.listCommands, { params: { id: crane.id }, query: {} } as never)
  expect(listed.data).toMatchObject({ total: 1, list: [{ cmdText: '重启', byName: '测试', result: 0, message: '已重启' }] })
  expect(await ask(calls.sendCommand, { params: { id: crane.id }, body: { cmd: 'format.disk' } } as never)).toMatchObject({ status: 2 })
  project('P2')
  expect(await ask(calls.sendCommand, { params: { id: crane.id }, body })).toMatchObject({ http: 400, status: 2 })
  expect(await ask(calls.listCommands, { params: { id: crane.id }, query: {} } as never)).toMatchObject({ status: 2 })
  client.end()
})

test('an address to push to is told once and made anew', async () => {
  platform()
  const gate = await site.given.device('P1', 'faceGate', { protocol: 'http' })
  const request = { params: { id: gate.id }, body: { adapter: 'event' as const } }
  const first = String((await ask(calls.createGatePush, request)).data.path)
  const second = String((await ask(calls.createGatePush, request)).data.path)
  expect(first).toMatch(/^\/api\/v1\/open\/gate\/event\/[\w-]{32}$/)
  expect(second).not.toBe(first)
  expect(await site.count('gate_push where id = $1', [gate.id])).toBe(1)
  expect(await ask(calls.createGatePush, { params: { id: crane.id }, body: { adapter: 'event' } })).toMatchObject({ status: 4 })
})

test('parameters of a terminal are looked over before they go: an unknown one is refused at its field', async () => {
  platform()
  const phone = '13800008888'
  const truck = await site.given.device('P1', 'truckMonitor', { protocol: 'jt808', accessKey: phone, phone })
  const set = (params: Record<string, unknown>) =>
    ask(calls.sendCommand, { params: { id: truck.id }, body: { cmd: 'device.setParams', params } } as never)
  expect(await set({ '1234': 5 })).toMatchObject({
    http: 400,
    message: '参数 1234 不在 JT/T 808 终端参数表中',
    data: { field: 'params.1234' },
  })
  expect((await set({ params: { '0084': 300 } })).message).toBe('车牌颜色（0x0084）应为 0～255 的整数')
  expect((await set({ '0029': 30 })).data).toMatchObject({ result: -1 })
  // Other protocols have parameter names of their own.
  const own = await ask(calls.sendCommand, {
    params: { id: crane.id },
    body: { cmd: 'device.setParams', params: { alarmRadius: 5 } },
  } as never)
  expect(own.http).toBe(200)
})
