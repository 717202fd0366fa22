import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openSite, type Site, until } from '../ingest-for-test.ts'
import { mostUnproven } from '../unproven.ts'
import { bcdTime } from './bodies.ts'
import { buildFrame, buildMessage, Jt808Decoder, type Jt808Frame } from './frame.ts'
import { toGbk } from './gbk.ts'

let site: Site
let next = 13_900_000_000
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
})
afterAll(() => site.close())

async function truck(known: { hours?: number; params?: object; access?: { terminalId: string } } = {}) {
  const phone = String(next++)
  const device = await site.given.device('P1', 'truckMonitor', { protocol: 'jt808', accessKey: phone, phone, ...known.access }, known)
  if (known.hours !== 0) await letRegister(device.id, known.hours)
  return { ...device, phone }
}
const letRegister = (deviceId: string, hours = 24, replaces = false) =>
  site.pool.query(
    `insert into jt808_registration (device_id, opened_at, open_until, by_name, replaces) values ($1, now(), now() + make_interval(hours => $2), '张工', $3)
     on conflict (device_id) do update set open_until = excluded.open_until, replaces = excluded.replaces`,
    [deviceId, hours, replaces],
  )

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
    async register(plate = '鄂A12345', terminalId = 'AAAAAAA') {
      const own = send(0x0100, registration(plate, is2019, terminalId))
      await until(() => frames.some((f) => f.id === 0x8100 && f.body.readUInt16BE(0) === own))
      const answer = frames.findLast((f) => f.id === 0x8100)
      return { result: answer?.body[2], code: answer?.body.toString('latin1', 3) ?? '' }
    },
    authenticate: (code: string) =>
      ask(0x0102, is2019 ? Buffer.concat([Buffer.of(code.length), Buffer.from(code), Buffer.alloc(35)]) : Buffer.from(code)),
  }
}
const registration = (plate: string, is2019: boolean, terminalId = 'AAAAAAA') => {
  const names = Buffer.alloc(is2019 ? 11 + 30 : 5 + 20, 0x41)
  const terminal = Buffer.alloc(is2019 ? 30 : 7)
  terminal.write(terminalId, 'latin1')
  return Buffer.concat([Buffer.from('002a0102', 'hex'), names, terminal, Buffer.of(2), toGbk(plate)])
}

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
  await until(() => terminal.closed)
  expect(await readings(device.id)).toBe(0)
  const again = dial(device.phone)
  for (let i = 0; i < 3; i++) expect(await again.authenticate('wrong code')).toBe(1)
  await until(() => again.closed)
})

test('before authentication no package is gathered and no long message taken', async () => {
  const { phone } = await truck()
  for (const [id, length] of [
    [0x0801, 3_000],
    [0x0100, 2_000],
    [0x0102, 600],
  ] as const) {
    const terminal = dial(phone)
    terminal.send(id, Buffer.alloc(length))
    await until(() => terminal.closed)
    expect(answersIn(terminal.frames)).toMatchObject([{ id, result: 1 }])
  }
  // Signing off, and replies to no request, are harmless.
  const terminal = dial(phone)
  terminal.send(0x0001, Buffer.alloc(5))
  expect(await terminal.ask(0x0003)).toBe(0)
  expect(terminal.closed).toBe(false)
  terminal.socket.destroy()
})

test('from one address only so many connections may say nothing; who has shown a code does not count', async () => {
  const { terminal } = await enter()
  const silent = await Promise.all(
    Array.from({ length: mostUnproven + 20 }, async () => {
      const socket = connect(site.ingest.ports.jt808, '127.0.0.1')
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('connect', resolve))
      return socket
    }),
  )
  await until(() => silent.filter((socket) => socket.closed || socket.destroyed).length >= 20)
  expect(await terminal.ask(0x0200, position(second()))).toBe(0)
  for (const socket of silent) socket.destroy()
  terminal.socket.destroy()
  // The connection slots are free again.
  await until(async () => {
    const next = dial('18800000002')
    const answer = await Promise.race([next.ask(0x0002), new Promise((resolve) => next.socket.once('close', resolve))])
    next.socket.destroy()
    return answer === 0
  })
})

test('a code is bound to its phone, and given again only in a new window', async () => {
  const { device, terminal, code } = await enter()
  const other = await truck()
  const thief = dial(other.phone)
  expect(await thief.authenticate(code)).toBe(1)
  expect((await terminal.register()).result).toBe(3)
  await letRegister(device.id)
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
  // The alarm bit and the event are one alarm, which has ended.
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
  // Built by hand: header with encryption 1, no body.
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
  // Without acknowledgement the terminal sends it again.
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

const warned = async (id: string) =>
  (
    await site.pool.query<{ kind: string; count: number; text: string; address: string }>(
      'select kind, count::int, text, address from device_warning where device_id = $1',
      [id],
    )
  ).rows
const logged = (id: string, result: string) =>
  site.count('device_frame where device_id = $1 and result = $2 and hint is not null', [id, result])

test('whoever registers while nobody has opened it gets no code, and somebody is told', async () => {
  const device = await truck({ hours: 0 })
  const stranger = dial(device.phone)
  expect(await stranger.register()).toEqual({ result: 4, code: '' })
  // An SOS from a terminal that is not authenticated.
  expect(await stranger.ask(0x0200, position(second(), { alarm: 1 }))).toBe(1)
  expect(await readings(device.id)).toBe(0)
  await until(async () => (await warned(device.id)).length === 1)
  expect(await warned(device.id)).toMatchObject([
    { kind: 'registration', count: 1, text: expect.stringContaining('注册没有开放'), address: '127.0.0.1' },
  ])
  await until(async () => (await logged(device.id, 'registrationClosed')) === 1)
  // An expired window does not permit registration.
  await letRegister(device.id, -1)
  expect((await dial(device.phone).register()).result).toBe(4)
  stranger.socket.destroy()
})

test('a window ends with the terminal that registers in it', async () => {
  const device = await truck()
  expect((await dial(device.phone).register()).result).toBe(0)
  const other = dial(device.phone)
  expect(await other.register()).toEqual({ result: 3, code: '' })
  expect(await site.count('jt808_registration where device_id = $1', [device.id])).toBe(0)
  other.socket.destroy()
})

test('a terminal whose answer was lost asks again on its own connection', async () => {
  const device = await truck()
  const terminal = dial(device.phone)
  await terminal.register()
  const { result, code } = await terminal.register()
  expect(result).toBe(0)
  expect(await terminal.authenticate(code)).toBe(0)
  expect((await terminal.register()).result).toBe(3)
  terminal.socket.destroy()
})

test('another plate than the file has is another vehicle; written with a dot it is the same', async () => {
  const device = await truck({ params: { plateNo: '鄂A·12345' } })
  const other = dial(device.phone)
  expect(await other.register('鄂A99999')).toEqual({ result: 2, code: '' })
  await until(async () => (await logged(device.id, 'otherPlate')) === 1)
  expect((await dial(device.phone).register('鄂a12345')).result).toBe(0)
  other.socket.destroy()
})

test('the first terminal is bound: another one is refused in any window that is not for another', async () => {
  const { device, terminal } = await enter()
  await letRegister(device.id)
  const other = dial(device.phone)
  expect(await other.register('鄂A12345', 'BBBBBBB')).toEqual({ result: 1, code: '' })
  expect(await other.register('鄂A99999')).toEqual({ result: 2, code: '' })
  // The connected terminal is not affected.
  expect(await terminal.ask(0x0200, position(second()))).toBe(0)
  await until(async () => (await warned(device.id))[0]?.count === 2)
  await letRegister(device.id, 24, true)
  expect((await dial(device.phone).register('鄂A12345', 'BBBBBBB')).result).toBe(0)
  for (const t of [terminal, other]) t.socket.destroy()
})

test('a terminal id that stands in the file is asked for from the first time on', async () => {
  const device = await truck({ access: { terminalId: 'LM00007' } })
  const other = dial(device.phone)
  expect((await other.register()).result).toBe(4)
  expect((await other.register('鄂A12345', 'lm00007')).result).toBe(0)
  other.socket.destroy()
})

async function guess(phone: string): Promise<number | undefined> {
  const thief = dial(phone)
  const answer = await thief.authenticate('0123456789abcdef01234567')
  thief.socket.destroy()
  return answer
}

test('wrong codes are held back where the terminal has never been, and somebody is told', async () => {
  const { device, terminal, code } = await enter()
  await until(async () => (await site.count('device_origin where device_id = $1', [device.id])) === 1)
  terminal.socket.destroy()
  await site.restart(async () => {
    await site.pool.query(`update device_origin set address = '192.0.2.7' where device_id = $1`, [device.id])
  })
  await site.atOneMoment(async () => {
    for (let i = 0; i < 6; i++) expect(await guess(device.phone)).toBe(1)
    // Even the correct code is delayed.
    expect(await guess(device.phone)).toBe(1)
    expect(await dial(device.phone).authenticate(code)).toBe(1)
  })
  await until(async () => (await logged(device.id, 'tooManyTries')) > 0)
})

test('the terminal that is connected is not held back by others; ten wrong codes are told', async () => {
  const { device, terminal, code } = await enter()
  // Each attempt comes after the delay of the previous one.
  const begun = Date.now()
  for (let i = 0; i < 12; i++) await site.atOneMoment(() => guess(device.phone), begun + i * 6_000)
  expect(await terminal.authenticate(code)).toBe(0)
  expect(await terminal.ask(0x0200, position(second()))).toBe(0)
  await until(async () => (await warned(device.id)).some((one) => one.kind === 'guessing' && one.text.includes('鉴权码连续错')))
  terminal.socket.destroy()
})
