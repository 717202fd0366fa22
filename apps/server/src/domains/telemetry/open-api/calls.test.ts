import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { keyHash } from '../gates/push.ts'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from '../ingest-for-test.ts'
import { forwardOpenCalls } from '../open-forward.ts'
import { DailyBytes } from './daily-bytes.ts'
import { signedText } from './refusal.ts'

let site: Site
let app: FastifyInstance
let local: Server
/** The clock of the signature check, moved by tests. */
let offset = 0
const appId = 'app1'
const secret = 'a secret of the application'

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  await site.given.project('P1')
  await site.pool.query(
    `insert into open_app (id, name, project_code, secret, families) values ($1, '对接', 'P1', $2, '{towerCrane,faceGate}')`,
    [appId, site.secrets.seal(secret)],
  )
  local = createServer((request, response) => void site.ingest.handle(request, response))
  await new Promise<void>((resolve) => local.listen(site.config.ingestSocket, resolve))
  app = Fastify()
  forwardOpenCalls(
    app,
    site.config,
    async (id) => id === appId,
    () => Date.now() + offset,
  )
  await app.ready()
})
afterAll(async () => {
  await app.close()
  local.close()
  await site.close()
})

interface Options {
  timestamp?: number
  nonce?: string
  sign?: string
  appId?: string
  method?: 'GET' | 'POST'
}
async function send(path: string, content: unknown, options: Options = {}) {
  const body = Buffer.from(typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content))
  const timestamp = String(options.timestamp ?? Date.now())
  const nonce = options.nonce ?? randomBytes(12).toString('hex')
  const method = options.method ?? 'POST'
  const sign =
    options.sign ??
    createHmac('sha256', secret)
      .update(signedText({ method, url: path, body }, timestamp, nonce))
      .digest('hex')
  const answer = await app.inject({
    method,
    url: path,
    headers: {
      'content-type': 'application/json',
      'x-app-id': options.appId ?? appId,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-sign': sign,
    },
    ...(method === 'POST' ? { payload: body } : {}),
  })
  return { http: answer.statusCode, ...(answer.json() as { status: number; message: string; data: unknown }) }
}
const data = '/api/v1/open/device/data'

test('items are stored, repeated ones counted, bad ones named', async () => {
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'http', appId })
  const time = Date.now() - 1000
  const items = [
    { time, seq: 1, data: craneData() },
    { time: time + 1, seq: 2, data: { load: 'x', radius: 3, 备注: '好' } },
    { time: 'yesterday', data: craneData() },
  ]
  expect(await send(data, { deviceSn: device.sn, items })).toMatchObject({
    http: 200,
    status: 0,
    data: {
      accepted: 2,
      duplicated: 0,
      rejected: [
        { index: 1, key: 'load', reason: 'type' },
        { index: 2, reason: 'time' },
      ],
    },
  })
  expect(await send(data, { deviceSn: device.sn, items: items.slice(0, 2) })).toMatchObject({ data: { accepted: 0, duplicated: 2 } })
  expect(await site.count('telemetry where device_id = $1', [device.id])).toBe(2)
  expect(
    await send('/api/v1/open/device/record', {
      deviceSn: device.sn,
      record: 'workingCycle',
      items: [{ time, seq: 1, data: { cycleNo: 'C1' } }],
    }),
  ).toMatchObject({ data: { accepted: 1, duplicated: 0 } })
  expect(
    await send('/api/v1/open/device/record', {
      deviceSn: device.sn,
      record: 'workingCycle',
      items: [
        { time, seq: 1, data: { cycleNo: 'C1' } },
        { time, seq: 2, data: { cycleNo: 'C2' } },
        { time, seq: 2, data: { cycleNo: 'C2' } },
      ],
    }),
  ).toMatchObject({ data: { accepted: 1, duplicated: 2 } })
  expect(
    await send('/api/v1/open/device/event', { deviceSn: device.sn, type: 'momentAlarm', state: 'start', value: 103, time }),
  ).toMatchObject({ data: { accepted: 1 } })
  expect(await send('/api/v1/open/device/heartbeat', { deviceSn: [device.sn, 'NOBODY'] })).toMatchObject({
    data: { accepted: 1, rejected: [{ index: 1, reason: 'unknownDevice' }] },
  })
  expect(await send('/api/v1/open/device/params', { deviceSn: device.sn, params: { jibLength: 55 } })).toMatchObject({
    status: 0,
    data: { pending: true },
  })
  expect(await send('/api/v1/open/device/params', { deviceSn: device.sn, params: { jibLength: 999 } })).toMatchObject({ http: 400 })
  expect(await send(`/api/v1/open/device/${device.sn}`, undefined, { method: 'GET' })).toMatchObject({
    http: 200,
    data: { online: true, status: '1' },
  })
})

test('signature, clock and nonce', async () => {
  expect((await app.inject({ url: '/api/v1/open/time' })).json()).toMatchObject({ status: 0 })
  const body = { deviceSn: 'NOBODY', items: [] }
  expect(await send(data, body, { sign: '0'.repeat(64) })).toMatchObject({ http: 401 })
  expect(await send(data, body, { appId: 'other' })).toMatchObject({ http: 401 })
  expect(await send(data, body, { timestamp: Date.now() - 6 * 60_000 })).toMatchObject({ http: 401 })
  expect(await send(data, body, { nonce: 'short' })).toMatchObject({ http: 401 })
  const nonce = randomBytes(12).toString('hex')
  expect(await send(data, body, { nonce })).toMatchObject({ http: 404 })
  expect(await send(data, body, { nonce })).toMatchObject({ http: 401, message: expect.stringContaining('随机数') })
  // The signature covers the sorted query and the raw bytes of the body.
  expect(await send('/api/v1/open/device/X?b=2&a=1', undefined, { method: 'GET' })).toMatchObject({ http: 404 })
  expect(await send(data, '{ "deviceSn" : "NOBODY" , "items":[] }')).toMatchObject({ http: 404 })
})

test('a refusal says what to compare, and stands in the log of the device it speaks of', async () => {
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'http', appId })
  const body = { deviceSn: device.sn, items: [{ time: Date.now(), data: craneData() }] }
  const wrong = await send(data, body, { sign: 'ab'.repeat(32) })
  expect(wrong).toMatchObject({
    http: 401,
    data: { stringToSign: expect.stringMatching(/^POST\n\/api\/v1\/open\/device\/data\n\d{13}\n/) },
  })
  expect(JSON.stringify(wrong)).not.toContain(secret)
  const slow = await send(data, body, { timestamp: Date.now() - 600_000 })
  expect(slow).toMatchObject({ http: 401, data: { serverTime: expect.any(Number) } })
  expect(slow.message).toMatch(/慢 (599|600|601) 秒/)
  const frames = async () =>
    (
      await site.pool.query<{ result: string; hint: string }>(
        'select result, hint from device_frame where identifier = $1 and device_id is null order by result',
        [device.sn],
      )
    ).rows
  await until(async () => (await frames()).length === 2)
  expect((await frames()).map((f) => f.result)).toEqual(['clock', 'signature'])
  expect([400, 404]).toContain((await send('/api/v1/open/device/%E0%A4%A', undefined, { method: 'GET' })).http)
})

test('what an application may not', async () => {
  const other = await site.given.device('P2', 'towerCrane', { protocol: 'http' })
  const wrongFamily = await site.given.device('P1', 'environment', { protocol: 'http' })
  const items = [{ time: Date.now(), data: craneData() }]
  expect(await send(data, { deviceSn: other.sn, items })).toMatchObject({ http: 404 })
  expect(await send(data, { deviceSn: wrongFamily.sn, items })).toMatchObject({ http: 404 })
  expect(await send(data, { deviceSn: 'NOBODY-7', items })).toMatchObject({ http: 404 })
  await until(async () => (await site.count(`unregistered_device where identifier = 'NOBODY-7'`)) === 1)
  expect(await send(data, 'not json')).toMatchObject({ http: 400 })
  expect(await send(data, ' '.repeat(1024 * 1024 + 10))).toMatchObject({ http: 413 })
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'http', appId })
  expect(await send(data, { deviceSn: device.sn, items: Array.from({ length: 1001 }, () => items[0]) })).toMatchObject({ http: 413 })
  await site.pool.query(`update open_app set status = '0' where id = $1`, [appId])
  await until(async () => (await send(data, { deviceSn: device.sn, items })).http === 403)
  await site.pool.query(`update open_app set status = '1' where id = $1`, [appId])
  await until(async () => (await send(data, { deviceSn: device.sn, items })).http === 200)
})

test('a device registered from outside waits for its review', async () => {
  const request = { deviceSn: 'OPEN-1', family: '300', name: '外部塔机', projectCode: 'P1', params: { jibLength: 50 } }
  const first = await send('/api/v1/open/device/register', request)
  expect(first).toMatchObject({ http: 200, data: { status: '0' } })
  expect((await send('/api/v1/open/device/register', request)).data).toEqual(first.data)
  expect(await send('/api/v1/open/device/register', { ...request, deviceSn: 'OPEN-2', projectCode: 'P2' })).toMatchObject({ http: 403 })
  expect(await send(data, { deviceSn: 'OPEN-1', items: [{ time: Date.now(), data: craneData() }] })).toMatchObject({ http: 404 })
})

test('parameters that rules depend on wait for the review, with history and audit; told again they are no other change', async () => {
  await site.pool.query(`insert into tenant (id, type, code, name) values ('group-of-P1', 3, 'P1', '项目一') on conflict do nothing`)
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'http', appId })
  const row = async () =>
    (
      await site.pool.query<{ params: object; pending: { difference: object[] } | null }>(
        'select params, pending from device where id = $1',
        [device.id],
      )
    ).rows[0]
  const before = await row()
  const tell = (params: object) => send('/api/v1/open/device/params', { deviceSn: device.sn, params })
  const first = await tell({ jibLength: 58 })
  expect(first).toMatchObject({ status: 0, data: { pending: true } })
  const after = await row()
  expect(after?.params).toEqual(before?.params)
  expect(after?.pending?.difference).toEqual([expect.objectContaining({ after: expect.stringContaining('58') })])
  expect((await tell({ jibLength: 58 })).data).toMatchObject({ pending: true })
  expect((await tell({ jibLength: 57 })).message).toMatch(/待审核/)
  const { rows: history } = await site.pool.query(`select by_name, act from equipment_change where subject_id = $1`, [device.id])
  expect(history).toEqual([{ by_name: '应用 对接', act: '提交变更审核' }])
  const { rows: audit } = await site.pool.query(`select user_name, group_id from audit_log where object_id = $1`, [device.id])
  expect(audit).toEqual([{ user_name: '应用 对接', group_id: 'group-of-P1' }])
})

test('a number that others have is answered like one that is free, and nothing comes of it', async () => {
  await site.given.project('P9')
  const foreign = await site.given.device('P9', 'towerCrane', { protocol: 'http' })
  const all = async (deviceSn: string) => {
    const request = { deviceSn, family: 'towerCrane', name: '塔机', projectCode: 'P1', params: { jibLength: 50 } }
    const answers = [
      await send('/api/v1/open/device/register', request),
      await send('/api/v1/open/device/register', request),
      await send(data, { deviceSn, items: [{ time: Date.now(), data: craneData() }] }),
      await send('/api/v1/open/device/params', { deviceSn, params: { jibLength: 55 } }),
      await send(`/api/v1/open/device/${deviceSn}`, undefined, { method: 'GET' }),
    ]
    return JSON.stringify(answers)
      .replaceAll(deviceSn, 'SN')
      .replaceAll(/"id":"[^"]+"/g, '"id":"…"')
      .replaceAll(/"lastError":(null|\{[^}]*\})/g, '')
  }
  expect(await all(foreign.sn)).toBe(await all('FREE-NUMBER-1'))
  const { rows } = await site.pool.query('select project_code from device where device_sn = $1', [foreign.sn])
  expect(rows).toEqual([{ project_code: 'P9' }])
})

test('an application registers so many devices and no more', async () => {
  await site.pool.query(
    `insert into open_claim (app_id, device_sn, id, name, family, at) select $1, 'MANY-' || n, 'm' || n, 'x', 'towerCrane', now() from generate_series(1, 500) n`,
    [appId],
  )
  const request = { deviceSn: 'ONE-MORE', family: 'towerCrane', name: '塔机', projectCode: 'P1', params: {} }
  expect((await send('/api/v1/open/device/register', request)).message).toMatch(/最多登记 500 台/)
  await site.pool.query(`delete from open_claim where device_sn like 'MANY-%'`)
})

function multipart(name: string, fileName: string, content: Buffer) {
  const mark = 'a-boundary'
  return {
    type: `multipart/form-data; boundary=${mark}`,
    body: Buffer.concat([
      Buffer.from(
        `--${mark}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: image/jpeg\r\n\r\n`,
      ),
      content,
      Buffer.from(`\r\n--${mark}--\r\n`),
    ]),
  }
}
const jpeg = (bytes: number) => Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), randomBytes(bytes)])

const upload = (content: Buffer, path = '/api/v1/open/file') => {
  const { type, body } = multipart('file', '大门.jpg', content)
  const timestamp = String(Date.now())
  const nonce = randomBytes(12).toString('hex')
  const sign = createHmac('sha256', secret)
    .update(signedText({ method: 'POST', url: path, body }, timestamp, nonce))
    .digest('hex')
  const headers = { 'content-type': type, 'x-app-id': appId, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-sign': sign }
  return app.inject({ method: 'POST', url: path, headers, payload: body })
}

test('what an application sends in pictures within a day is bounded: more is refused and told, the next day is open', async () => {
  const day = 86_400_000
  const bytes = new DailyBytes(100)
  const takes = [
    bytes.tryTake('one', 60, 0),
    bytes.tryTake('one', 50, 1),
    bytes.tryTake('one', 40, 2),
    bytes.tryTake('other', 100, 3),
    bytes.tryTake('one', 1, day - 1),
    bytes.tryTake('one', 100, day),
  ]
  expect(takes).toEqual([true, false, true, true, false, true])
  const full = vi.spyOn(DailyBytes.prototype, 'tryTake').mockReturnValue(false)
  try {
    const refused = await upload(jpeg(1024))
    expect([refused.statusCode, refused.json().message, refused.headers['retry-after']]).toEqual([
      429,
      '每个应用一天最多上传 1 GB 图片',
      '3600',
    ])
  } finally {
    full.mockRestore()
  }
})

test('a picture of up to 10 MiB, signed like everything else; the same again is the same file', async () => {
  await site.pool.query(`insert into tenant (id, type, code, name) values ('group-of-P1', 3, 'P1', '项目一') on conflict do nothing`)
  const picture = jpeg(3 * 1024 * 1024)
  const first = (await upload(picture)).json() as { data: { id: string; size: number; mime: string; url: string } }
  expect(first.data).toMatchObject({ size: picture.length, mime: 'image/jpeg', url: expect.stringContaining('sign=') })
  expect(((await upload(picture)).json() as typeof first).data.id).toBe(first.data.id)
  expect((await upload(Buffer.from('<svg/>'))).statusCode).toBe(400)
  expect((await upload(jpeg(10 * 1024 * 1024))).statusCode).toBe(413)
  expect((await upload(jpeg(11 * 1024 * 1024))).statusCode).toBe(413)
})

test('the last error of a device is told to whoever sends for it', async () => {
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'http', appId })
  await send(data, { deviceSn: device.sn, items: [{ time: 'never', data: {} }] })
  const state = async () => (await send(`/api/v1/open/device/${device.sn}`, undefined, { method: 'GET' })).data as { lastError: unknown }
  await until(async () => (await state()).lastError !== null)
  expect(await state()).toMatchObject({ lastError: { reason: 'time' } })
})

test('a gate pushes through the api’s door', async () => {
  const gate = await site.given.device('P1', 'faceGate', { protocol: 'http' })
  await site.pool.query('insert into gate_push (id, adapter, key_hash) values ($1, $2, $3)', [
    gate.id,
    'generic',
    keyHash('a-key-of-a-gate'),
  ])
  const items = [{ time: Date.now() - 1_000, data: { recordId: 'R1', workerId: 'W1', direction: '0' } }]
  const answer = await app.inject({ method: 'POST', url: '/api/v1/open/gate/generic/a-key-of-a-gate', payload: { items } })
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { status: 0, data: { accepted: 1 } }])
  expect(await site.count(`device_record where device_id = $1 and record = 'attendance'`, [gate.id])).toBe(1)
  expect((await app.inject({ method: 'POST', url: '/api/v1/open/gate/generic/wrong', payload: { items } })).statusCode).toBe(401)
})

test('a word that stands for nobody is no worker, whichever way a passage comes in', async () => {
  const gateway = await site.given.gateway('P1')
  const time = Date.now() - 60_000
  const words = ['IDCARD', 'NoMask', -1, 'W7', undefined]
  const passages = words.map((workerId, i) => ({ time: time + i, data: { recordId: `R${i}`, workerId, personType: '1' } }))
  const visitor = { time: time + 9, data: { recordId: 'R9', workerId: 'strangerBaby', personType: '2' } }
  const items = [...passages, visitor]
  const ways = {
    mqtt: async () => {
      const gate = await site.given.device('P1', 'faceGate', { protocol: 'mqtt', gatewayId: gateway.id })
      const client = await site.gatewayClient(gateway)
      await acknowledged(client, uplink(gateway.id, gate.sn, 'record'), message(items, { record: 'attendance' }))
      client.end()
      return gate.id
    },
    open: async () => {
      const gate = await site.given.device('P1', 'faceGate', { protocol: 'http', appId })
      const answer = await send('/api/v1/open/device/record', { deviceSn: gate.sn, record: 'attendance', items })
      expect(answer).toMatchObject({ data: { accepted: items.length } })
      return gate.id
    },
    push: async () => {
      const gate = await site.given.device('P1', 'faceGate', { protocol: 'http' })
      const key = 'a-key-that-hands-words-on'
      await site.pool.query(`insert into gate_push (id, adapter, key_hash) values ($1, 'generic', $2)`, [gate.id, keyHash(key)])
      // After a wrong key, new keys are not looked up for a moment.
      await until(
        async () => (await app.inject({ method: 'POST', url: `/api/v1/open/gate/generic/${key}`, payload: { items } })).statusCode === 200,
      )
      return gate.id
    },
  }
  for (const [way, pass] of Object.entries(ways)) {
    const { rows } = await site.pool.query<{ id: string; who: string | null; type: string }>(
      `select data ->> 'recordId' as id, data ->> 'workerId' as who, data ->> 'personType' as type from device_record where device_id = $1 order by ts`,
      [await pass()],
    )
    expect([way, ...rows.map((r) => [r.id, r.who, r.type])]).toEqual([
      way,
      ['R0', null, '3'],
      ['R1', null, '3'],
      ['R2', null, '3'],
      ['R3', 'W7', '1'],
      ['R4', null, '1'],
      ['R9', null, '2'],
    ])
  }
})

test('too many requests a second', async () => {
  const answers = await site.atOneMoment(() =>
    Promise.all(Array.from({ length: 150 }, () => send(data, { deviceSn: 'NOBODY', items: [] }))),
  )
  const refused = answers.filter((a) => a.http === 429).length
  expect(refused).toBeGreaterThanOrEqual(50)
  expect(refused).toBeLessThan(150)
})

test('which serial numbers others have is not told', async () => {
  const other = await site.given.device('P2', 'towerCrane', { protocol: 'http' })
  const own = await site.given.device('P1', 'towerCrane', { protocol: 'http', appId })
  const words = async (sn: string) => {
    const { http, status, message, data: more } = await send(data, { deviceSn: sn, items: [] })
    const state = await send(`/api/v1/open/device/${sn}`, undefined, { method: 'GET' })
    const params = await send('/api/v1/open/device/params', { deviceSn: sn, params: {} })
    return [http, status, message, more, state, params]
  }
  expect(await words(other.sn)).toEqual(await words('NEVER-SEEN-1'))
  expect(await words(own.sn)).not.toEqual(await words('NEVER-SEEN-1'))
})

test('an address that is refused again and again is not read any more; who has signed rightly there is', async () => {
  const from = (remoteAddress: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: data, remoteAddress, payload: body, headers: { 'content-type': 'application/json', ...headers } })
  const signed = (content: object) => {
    const body = JSON.stringify(content)
    const [timestamp, nonce] = [String(Date.now()), randomBytes(12).toString('hex')]
    const sign = createHmac('sha256', secret)
      .update(signedText({ method: 'POST', url: data, body: Buffer.from(body) }, timestamp, nonce))
      .digest('hex')
    return [body, { 'x-app-id': appId, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-sign': sign }] as const
  }
  const [guesser, office] = ['198.51.100.1', '198.51.100.2']
  const [body, headers] = signed({ deviceSn: 'NOBODY', items: [] })
  expect((await from(office, body, headers)).statusCode).toBe(404)
  for (const address of [guesser, office]) {
    const codes: number[] = []
    for (let i = 0; i < 130; i++) codes.push((await from(address, '{}', { 'x-app-id': 'guessed' })).statusCode)
    expect(codes.slice(0, 120)).toEqual(Array(120).fill(401))
    expect(codes.slice(120)).toEqual(Array(10).fill(429))
  }
  const [again, more] = signed({ deviceSn: 'NOBODY', items: [] })
  expect((await from(guesser, again, more)).statusCode, 'not even a right one, from where nobody has signed').toBe(429)
  const [third, right] = signed({ deviceSn: 'NOBODY', items: [] })
  expect((await from(office, third, right)).statusCode).toBe(404)
  offset = 61_000
  const [later, fine] = signed({ deviceSn: 'NOBODY', items: [] })
  expect((await from(guesser, later, fine)).statusCode).toBe(404)
  offset = 0
})

test('a large body is read for applications there are', async () => {
  const post = (size: number, id: string) =>
    app.inject({
      method: 'POST',
      url: data,
      remoteAddress: '198.51.100.3',
      payload: Buffer.alloc(size, 32),
      headers: { 'content-type': 'application/json', 'x-app-id': id },
    })
  expect((await post(100_000, 'nobody')).statusCode).toBe(413)
  expect((await post(1_000, 'nobody')).statusCode).toBe(401)
  expect((await post(100_000, appId)).statusCode).toBe(401)
})
