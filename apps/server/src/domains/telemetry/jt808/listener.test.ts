import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openSite, type Site, until } from '../ingest-for-test.ts'
import { bcdTime } from './bodies.ts'
import { buildFrame, buildMessage, Jt808Decoder, type Jt808Frame } from './frame.ts'
import { toGbk } from './gbk.ts'

let site: Site
let next = 13_900_000_000
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
})
afterAll(() => site.close())

async function truck() {
  const phone = String(next++)
  const device = await site.given.device('P1', 'truckMonitor', { protocol: 'jt808', accessKey: phone, phone })
  return { ...device, phone }
}

interface Answer {
  serial: number
  id: number
  result: number
}
const answersIn = (frames: Jt808Frame[]): Answer[] =>
  frames
    .filter((f) => f.id === 0x8001)
    .map((f) => ({ serial: f.body.readUInt16BE(0), id: f.body.readUInt16BE(2), result: f.body[4] ?? -1 }))

/** A terminal over TCP. */
function dial(phone: string, is2019 = false) {
  const socket: Socket = connect(site.ingest.ports.jt808, '127.0.0.1')
  let closed = false
  socket.on('error', () => undefined)
  socket.on('close', () => {
    closed = true
  })
  const frames: Jt808Frame[] = []
  const decoder = new Jt808Decoder()
  socket.on('data', (chunk: Buffer) => frames.push(...decoder.push(chunk, 0)))
  let serial = 0
  const send = (id: number, body: Buffer = Buffer.alloc(0), as = phone): number => {
    const own = serial
    const list = buildMessage({ id, phone: as, serial: own, body, is2019 })
    for (const frame of list) socket.write(frame)
    serial += list.length
    return own
  }
  const answered = async (id: number, own: number) => {
    const match = () => answersIn(frames).find((a) => a.id === id && a.serial === own)
    await until(() => match() !== undefined)
    return match()?.result
  }
  const ask = (id: number, body?: Buffer) => answered(id, send(id, body))
  return {
    socket,
    frames,
    send,
    ask,
    answered,
    get closed() {
      return closed
    },
    async register(plate = '鄂A12345') {
      const own = send(0x0100, registration(plate, is2019))
      await until(() => frames.some((f) => f.id === 0x8100 && f.body.readUInt16BE(0) === own))
      const answer = frames.findLast((f) => f.id === 0x8100)
      return { result: answer?.body[2], code: answer?.body.toString('latin1', 3) ?? '' }
    },
    authenticate: (code: string) =>
      ask(0x0102, is2019 ? Buffer.concat([Buffer.of(code.length), Buffer.from(code), Buffer.alloc(35)]) : Buffer.from(code)),
  }
}
const registration = (plate: string, is2019: boolean) =>
  Buffer.concat([Buffer.from('002a0102', 'hex'), Buffer.alloc(is2019 ? 11 + 30 + 30 : 5 + 20 + 7, 0x41), Buffer.of(2), toGbk(plate)])

async function enter(is2019 = false) {
  const device = await truck()
  const terminal = dial(device.phone, is2019)
  const { code } = await terminal.register()
  expect(await terminal.authenticate(code)).toBe(0)
  return { device, terminal, code }
}

function position(at: number, more: { alarm?: number; status?: number; lat?: number; speed?: number; items?: string } = {}) {
  const b = Buffer.alloc(22)
  b.writeUInt32BE(more.alarm ?? 0, 0)
  b.writeUInt32BE(more.status ?? 0x303, 4)
  b.writeUInt32BE(more.lat ?? 30_592_812, 8)
  b.writeUInt32BE(114_305_392, 12)
  b.writeUInt16BE(23, 16)
  b.writeUInt16BE(more.speed ?? 425, 18)
  b.writeUInt16BE(180, 20)
  return Buffer.concat([b, bcdTime(at), Buffer.from(more.items ?? '', 'hex')])
}
const second = () => Math.floor(Date.now() / 1000) * 1000
const readings = (id: string) => site.count('telemetry where device_id = $1', [id])
const latest = async (id: string) =>
  (await site.pool.query<{ v: Record<string, unknown> }>('select v from device_latest where device_id = $1', [id])).rows[0]?.v ?? {}

test.each([false, true])('register, authenticate, report (2019: %s)', async (is2019) => {
  const { device, terminal } = await enter(is2019)
  const at = second() - 5_000
  const body = position(at, { items: '0104000007d030011931010c' })
  expect(await terminal.ask(0x0200, body)).toBe(0)
  expect(await terminal.ask(0x0200, body)).toBe(0)
  expect(await readings(device.id)).toBe(1)
  expect(await latest(device.id)).toMatchObject({
    longitude: 114.305392,
    latitude: 30.592812,
    speed: 42.5,
    direction: 180,
    positioned: true,
    accOn: true,
    loadState: '3',
    mileage: 200,
    signal: 25,
    satellites: 12,
  })
  expect(await terminal.ask(0x0002)).toBe(0)
  const { rows } = await site.pool.query('select code_hash, plate from jt808_terminal where device_id = $1', [device.id])
  expect(rows[0].plate).toBe('鄂A12345')
  expect(rows[0].code_hash).toHaveLength(32)
  terminal.socket.destroy()
})

test('before authentication nothing is stored; three wrong codes close the connection', async () => {
  const device = await truck()
  const terminal = dial(device.phone)
  await terminal.register()
  expect(await terminal.ask(0x0002)).toBe(0)
  expect(await terminal.ask(0x0200, position(second()))).toBe(1)
  expect(await readings(device.id)).toBe(0)
  for (let i = 0; i < 3; i++) expect(await terminal.authenticate('wrong code')).toBe(1)
  await until(() => terminal.closed)
})

test('a code is bound to its phone, and given again only when the administrator allows it', async () => {
  const { device, terminal, code } = await enter()
  const other = await truck()
  const thief = dial(other.phone)
  expect(await thief.authenticate(code)).toBe(1)
  expect((await terminal.register()).result).toBe(3)
  await site.pool.query('update jt808_terminal set may_register_again = true where device_id = $1', [device.id])
  const again = await terminal.register()
  expect(again.result).toBe(0)
  expect(again.code).not.toBe(code)
  const back = dial(device.phone)
  expect(await back.authenticate(code)).toBe(1)
  expect(await back.authenticate(again.code)).toBe(0)
  for (const t of [terminal, thief, back]) t.socket.destroy()
})

test('an unknown phone is refused and listed', async () => {
  const terminal = dial('18800000001')
  expect((await terminal.register()).result).toBe(4)
  await until(async () => (await site.count(`unregistered_device where identifier = '18800000001' and protocol = 'jt808'`)) === 1)
  terminal.socket.destroy()
})

test('a second connection of the same phone closes the first; the truck never left', async () => {
  const { device, terminal, code } = await enter()
  const second = dial(device.phone)
  expect(await second.authenticate(code)).toBe(0)
  await until(() => terminal.closed)
  expect(second.closed).toBe(false)
  expect(await site.count(`device_event where device_id = $1 and kind = 'offline'`, [device.id])).toBe(0)
  expect(await second.ask(0x0200, position(Math.floor(Date.now() / 1000) * 1000))).toBe(0)
  second.socket.destroy()
})

test('alarm bits are levels: an event when one comes and when it goes', async () => {
  const { device, terminal } = await enter()
  const at = second() - 60_000
  for (const [i, alarm] of [0, 1, 1, 0x101, 0x100, 0].entries()) await terminal.ask(0x0200, position(at + i * 5_000, { alarm }))
  const { rows } = await site.pool.query<{ kind: string; state: string }>(
    `select kind, data ->> 'state' as state from device_event where device_id = $1 and kind in ('emergency', 'powerCut') order by ts, kind`,
    [device.id],
  )
  expect(rows.map((r) => `${r.kind} ${r.state}`)).toEqual(['emergency start', 'powerCut start', 'emergency end', 'powerCut end'])
  expect(await latest(device.id)).toMatchObject({ emergency: false, powerCut: false })
  // The bit as a reading and as an event is one alarm, and it is over.
  const alarms = await site.pool.query<{ alarm_key: string; active: boolean }>(
    `select alarm_key, active from alarm where device_id = $1 and alarm_key in ('emergency', 'powerCut') order by alarm_key`,
    [device.id],
  )
  expect(alarms.rows).toEqual([
    { alarm_key: 'emergency', active: false },
    { alarm_key: 'powerCut', active: false },
  ])
  terminal.socket.destroy()
})

test('without a fix the point stays; an impossible place or date is refused', async () => {
  const { device, terminal } = await enter()
  const at = second() - 60_000
  await terminal.ask(0x0200, position(at))
  expect(await terminal.ask(0x0200, position(at + 10_000, { status: 0x101, lat: 0, alarm: 1 }))).toBe(0)
  expect(await latest(device.id)).toMatchObject({ longitude: 114.305392, latitude: 30.592812, positioned: false, emergency: true })
  expect(await terminal.ask(0x0200, position(at + 20_000, { lat: 95_000_000 }))).toBe(2)
  expect(await terminal.ask(0x0200, Buffer.concat([position(at).subarray(0, 22), Buffer.from('261341250000', 'hex')]))).toBe(2)
  expect(await terminal.ask(0x0200, Buffer.alloc(10))).toBe(2)
  expect(await readings(device.id)).toBe(2)
  terminal.socket.destroy()
})

test('a batch, an unsupported message, an encrypted one', async () => {
  const { device, terminal } = await enter()
  const at = second() - 600_000
  const items = [2, 0, 1].map((i) => position(at + i * 10_000))
  const batch = Buffer.concat([Buffer.from([0, 3, 1]), ...items.map((b) => Buffer.concat([Buffer.from([0, b.length]), b]))])
  expect(await terminal.ask(0x0704, batch)).toBe(0)
  expect(await readings(device.id)).toBe(3)
  expect(await terminal.ask(0x0f01)).toBe(3)
  // Written by hand: header with encryption 1, no body.
  const content = Buffer.from(`02000400${device.phone.padStart(12, '0')}0384`, 'hex')
  const check = content.reduce((sum, byte) => sum ^ byte, 0)
  const escapes: Record<number, number[]> = { 126: [0x7d, 2], 125: [0x7d, 1] }
  terminal.socket.write(Buffer.from([0x7e, ...[...content, check].flatMap((byte) => escapes[byte] ?? [byte]), 0x7e]))
  expect(await terminal.answered(0x0200, 900)).toBe(3)
  terminal.socket.destroy()
})

test('a picture in packages is kept and answered with 0x8800', async () => {
  const { device, terminal } = await enter()
  await site.pool.query(`insert into tenant (id, type, code, name) values ('group-of-P1', 3, 'P1', '项目一') on conflict do nothing`)
  const picture = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(3_000, 0x7e)])
  const body = Buffer.concat([Buffer.from('0000002a00000001', 'hex'), position(second() - 1_000), picture])
  const own = terminal.send(0x0801, body)
  await until(() => terminal.frames.some((f) => f.id === 0x8800))
  expect(terminal.frames.find((f) => f.id === 0x8800)?.body.toString('hex')).toBe('0000002a')
  expect(await terminal.answered(0x0801, own)).toBe(0)
  const { rows } = await site.pool.query(`select data from device_record where device_id = $1 and record = 'media'`, [device.id])
  expect(rows[0].data).toMatchObject({ mediaId: 42, bytes: picture.length, channel: 1 })
  expect(await site.count('stored_file where id = $1', [rows[0].data.fileId])).toBe(1)
  terminal.socket.destroy()
})

test('over UDP the same, by phone', async () => {
  const device = await truck()
  const socket = createSocket('udp4')
  const frames: Jt808Frame[] = []
  socket.on('message', (datagram) => frames.push(...new Jt808Decoder().push(datagram, 0)))
  let serial = 0
  const send = (id: number, body: Buffer) =>
    socket.send(buildFrame({ id, phone: device.phone, serial: serial++, body }), site.ingest.ports.jt808, '127.0.0.1')
  send(0x0100, registration('鄂A00001', false))
  await until(() => frames.some((f) => f.id === 0x8100))
  send(0x0102, Buffer.from(frames.find((f) => f.id === 0x8100)?.body.toString('latin1', 3) ?? ''))
  await until(() => answersIn(frames).some((a) => a.id === 0x0102 && a.result === 0))
  send(0x0200, position(second()))
  await until(() => answersIn(frames).some((a) => a.id === 0x0200 && a.result === 0))
  expect(await readings(device.id)).toBe(1)
  socket.close()
})

test('a connection speaks for one phone: another on the same line stores nothing under the first', async () => {
  const { device, terminal } = await enter()
  const other = await truck()
  const own = terminal.send(0x0100, registration('鄂A99999', false), other.phone)
  await until(() => terminal.frames.some((f) => f.id === 0x8100 && f.phone === other.phone && f.body.readUInt16BE(0) === own))
  const at = second() - 1_000
  expect(await terminal.answered(0x0200, terminal.send(0x0200, position(at), other.phone))).toBe(1)
  expect([await readings(device.id), await readings(other.id)]).toEqual([0, 0])
  expect(await terminal.ask(0x0200, position(at))).toBe(0)
  expect(await readings(device.id)).toBe(1)
  terminal.socket.destroy()
})

test('while the database is away nothing is answered; when it is back the position is stored once and answered', async () => {
  const { device, terminal } = await enter()
  await terminal.ask(0x0200, position(second() - 20_000))
  await site.line.cut()
  const body = position(second() - 10_000)
  const own = terminal.send(0x0200, body)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(answersIn(terminal.frames).some((a) => a.id === 0x0200 && a.serial === own)).toBe(false)
  // Not answered, the terminal sends it again.
  const again = terminal.send(0x0200, body)
  await site.line.open()
  expect([await terminal.answered(0x0200, own), await terminal.answered(0x0200, again)]).toEqual([0, 0])
  expect(await readings(device.id)).toBe(2)
  terminal.socket.destroy()
})

test('a frame that fails its check stands in the log of the truck that is on the line', async () => {
  const { phone, id } = await truck()
  const terminal = dial(phone)
  const { code } = await terminal.register()
  expect(await terminal.ask(0x0102, Buffer.from(code))).toBe(0)
  const broken = buildFrame({ id: 0x0200, phone, serial: 9, body: Buffer.alloc(28) })
  broken[5] = (broken[5] ?? 0) ^ 1
  terminal.socket.write(broken)
  await until(async () => (await site.count(`device_frame where device_id = $1 and result = 'check' and hint like '校验码%'`, [id])) === 1)
  terminal.socket.destroy()
})
