import { createServer, request as httpRequest, type Server } from 'node:http'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openSite, type Site, until } from '../ingest-for-test.ts'
import { keyHash } from './push.ts'

let site: Site
let local: Server
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  local = createServer((request, response) => void site.ingest.handle(request, response))
  await new Promise<void>((resolve) => local.listen(site.config.ingestSocket, resolve))
})
afterAll(async () => {
  local.closeAllConnections()
  local.close()
  await site.close()
})

/** A call to the ingest as the api process forwards it. */
const call = (method: string, path: string, body: string, contentType = 'application/json') =>
  new Promise<{ http: number; type: string; text: string }>((resolve, reject) => {
    const request = httpRequest(
      { socketPath: site.config.ingestSocket, path, method, headers: { 'content-type': contentType } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () =>
          resolve({
            http: answer.statusCode ?? 0,
            type: String(answer.headers['content-type']),
            text: Buffer.concat(parts).toString('utf8'),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })

async function pushingGate(projectCode: string, dialect: string) {
  const gate = await site.given.device(projectCode, 'faceGate', { protocol: 'http' })
  const key = `key-of-${gate.id}`
  await site.pool.query('insert into gate_push (id, adapter, key_hash) values ($1, $2, $3)', [gate.id, dialect, keyHash(key)])
  const path = `/api/v1/open/gate/${dialect}/${key}`
  // After a wrong key, keys are not looked up again for a moment.
  await until(async () => (await call('GET', path, '')).http === 200)
  return { gate, path }
}

const passagesOf = async (deviceId: string) =>
  (
    await site.pool.query<{ data: Record<string, string>; at: string }>(
      `select data, (extract(epoch from ts) * 1000)::bigint::text as at from device_record where device_id = $1 and record = 'attendance' order by ts`,
      [deviceId],
    )
  ).rows.map(({ data, at }) => [data.workerId ?? null, data.pass, Number(at)])

const localText = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

test('an attendance terminal appends its own paths, and is answered in text', async () => {
  const { gate, path } = await pushingGate('P1', 'adms')
  const hello = await call('GET', `${path}/iclock/cdata?SN=X&options=all`, '')
  expect(hello).toMatchObject({ http: 200, type: 'text/plain; charset=utf-8' })
  expect(hello.text).toContain(`GET OPTION FROM: ${gate.sn}`)
  expect(await call('GET', `${path}/iclock/getrequest?SN=X`, '')).toMatchObject({ text: 'OK' })
  const at = Math.floor(Date.now() / 1000) * 1000 - 60_000
  const lines = `W7\t${localText(at)}\t0\t15\nW8\t${localText(at + 1000)}\t1\t1\n`
  // Sent again, as a terminal does whose answer was lost: stored once.
  for (let i = 0; i < 2; i++)
    expect(await call('POST', `${path}/iclock/cdata?SN=X&table=ATTLOG&Stamp=1`, lines, 'text/plain')).toMatchObject({
      http: 200,
      text: 'OK: 2',
    })
  expect(await passagesOf(gate.id)).toEqual([
    ['W7', '1', at],
    ['W8', '1', at + 1000],
  ])
})

test('a terminal that appends /LAPI/... is answered in its own form', async () => {
  const { gate, path } = await pushingGate('P1', 'uniview')
  const at = Math.floor(Date.now() / 1000) * 1000 - 60_000
  const record = {
    DeviceCode: 'D',
    Seq: 3,
    Timestamp: at / 1000,
    LibMatInfoList: [{ MatchStatus: 1, MatchPersonInfo: { PersonCode: 'W7', PersonName: '甲' } }],
  }
  const done = await call('POST', `${path}/LAPI/V1.0/System/Event/Notification/PersonVerification`, JSON.stringify(record))
  expect(JSON.parse(done.text)).toMatchObject({
    Response: { ResponseURL: 'LAPI/V1.0/System/Event/Notification/PersonVerification', StatusCode: 0 },
  })
  expect(await passagesOf(gate.id)).toEqual([['W7', '1', at]])
})

const answered = (client: MqttClient) =>
  new Promise<unknown>((resolve) => client.once('message', (_topic, body) => resolve(JSON.parse(body.toString()))))

test('a gate publishes in its maker’s topics behind a gateway with a fixed password', async () => {
  const gateway = await site.given.gateway('P1', 'mqttPlain')
  const gate = await site.given.device('P1', 'faceGate', { protocol: 'mqtt', gatewayId: gateway.id }, { sn: '1023280' })
  const client = await site.gatewayClient(gateway, { clientId: 'face-1023280', password: gateway.secret })
  await client.subscribeAsync(`mqtt/face/${gate.sn}`, { qos: 1 })
  const at = Math.floor(Date.now() / 1000) * 1000 - 60_000
  const info = { customId: 'W7', RecordID: '12', VerifyStatus: '1', time: localText(at), facesluiceId: gate.sn }
  const reply = answered(client)
  await client.publishAsync(`mqtt/face/${gate.sn}/Rec`, JSON.stringify({ operator: 'RecPush', info }), { qos: 1 })
  expect(await reply).toMatchObject({ operator: 'PushAck', info: { SnapOrRecordID: '12' } })
  expect(await passagesOf(gate.id)).toEqual([['W7', '1', at]])
  // The heartbeat names the gate in its message.
  await client.publishAsync('mqtt/face/heartbeat', JSON.stringify({ operator: 'HeartBeat', info: { facesluiceId: gate.sn } }), { qos: 1 })
  // Another gateway's gate is nobody here, and its replies are not heard.
  const foreign = await site.given.gateway('P2', 'mqttPlain')
  const theirs = await site.given.device('P2', 'faceGate', { protocol: 'mqtt', gatewayId: foreign.id }, { sn: '1023281' })
  await client.publishAsync(`mqtt/face/${theirs.sn}/Rec`, JSON.stringify({ operator: 'RecPush', info }), { qos: 1 })
  expect(await passagesOf(theirs.id)).toEqual([])
  await until(async () => (await site.count(`device_frame where gateway_id = $1 and result = 'unregistered'`, [gateway.id])) === 1)
  const overheard: unknown[] = []
  client.on('message', (_topic, body) => overheard.push(body.toString()))
  await client.subscribeAsync(`mqtt/face/${theirs.sn}`, { qos: 1 })
  const owner = await site.gatewayClient(foreign, { clientId: 'face', password: foreign.secret })
  const own = answered(owner)
  await owner.publishAsync(`mqtt/face/${theirs.sn}/Rec`, JSON.stringify({ operator: 'RecPush', info }), { qos: 1 })
  expect(await own).toMatchObject({ operator: 'PushAck' })
  expect(await passagesOf(theirs.id)).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(overheard).toEqual([])
  for (const one of [client, owner]) one.end()
})

test('two gateways whose devices chose the same client id do not take over each other', async () => {
  const [one, two] = [await site.given.gateway('P1', 'mqttPlain'), await site.given.gateway('P2', 'mqttPlain')]
  const first = await site.gatewayClient(one, { clientId: 'face', password: one.secret })
  const second = await site.gatewayClient(two, { clientId: 'face', password: two.secret })
  // Under the other's own id as well: it is known under a name of its own.
  const third = await site.gatewayClient(two, { clientId: `gw:${one.id}`, password: two.secret })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([first.connected, second.connected, third.connected]).toEqual([true, true, true])
  for (const client of [first, second, third]) client.end()
})
