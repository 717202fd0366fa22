import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { buildCity } from './city.ts'
import { Faults, noFaults, parseFaults } from './faults.ts'
import { pushBody } from './gate-push.ts'
import { fromGbk, gbk } from './gbk.ts'
import { Jt808Client } from './jt808-client.ts'
import {
  answerBody,
  authenticationBody,
  batchBody,
  Jt808Reader,
  jt808Frame,
  jt808Packages,
  type Location,
  locationBody,
  registerBody,
} from './jt808-frame.ts'
import { meterRegisters } from './live-lines.ts'
import { MeterGateway } from './meter-gateway.ts'
import { type MeterSlave, modbusAnswer, modbusCrc, step188, step645, stepRtu } from './meter-wire.ts'
import { dayEvents, strangerEvents } from './shifts.ts'

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
async function until(condition: () => boolean, ms = 4000): Promise<void> {
  const end = Date.now() + ms
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('GBK', () => {
  test('plates and names come back as they were', () => {
    for (const text of ['鄂B32817', '滨江医院', 'ABC 123']) expect(fromGbk(gbk(text))).toBe(text)
    expect(gbk('鄂').toString('hex')).toBe('b6f5')
  })
})

const at: Location = {
  time: Date.parse('2026-07-01T10:00:00+08:00'),
  lng: 114.305392,
  lat: 30.592812,
  altitude: 26,
  speed: 42.5,
  direction: 180,
  positioned: true,
  accOn: true,
  load: 3,
}

describe('JT/T 808 from the truck', () => {
  const who = { phone: '106480000101', edition: '2013' as const }
  test('escapes, checks and lengths as the standard says', () => {
    const frame = jt808Frame({ phone: '13800007e7d0'.replace(/\D/g, '0'), edition: '2013' }, 0x0002, 0x7e7d, Buffer.alloc(0))
    expect(frame[0]).toBe(0x7e)
    expect(frame.at(-1)).toBe(0x7e)
    expect(frame.subarray(1, -1).includes(0x7e)).toBe(false)
    expect(frame.toString('hex')).toContain('7d027d01')
    const location = locationBody(at)
    expect(location.readUInt32BE(8)).toBe(30_592_812)
    expect(location.readUInt32BE(12)).toBe(114_305_392)
    expect(location.readUInt32BE(4) & 0x303).toBe(0x303)
    expect(location.subarray(22, 28).toString('hex')).toBe('260701100000')
    expect(batchBody([at, at], true).readUInt16BE(0)).toBe(2)
    expect(registerBody('2013', { plateNo: '鄂B1', plateColor: 2, terminalId: '0000101', maker: 'LUMIN', model: 'LM' })).toHaveLength(
      4 + 5 + 20 + 7 + 1 + 4,
    )
    expect(authenticationBody('2019', 'abc')[0]).toBe(3)
    expect(jt808Packages(who, 0x0704, () => 1, Buffer.alloc(2_500))).toHaveLength(3)
  })
  test('reads what comes down, however it is cut', () => {
    const bytes = Buffer.concat([
      jt808Frame(who, 0x8001, 1, answerBody(7, 0x0200, 0)),
      jt808Frame({ ...who, edition: '2019' }, 0x8201, 2, Buffer.alloc(0)),
    ])
    for (const step of [1, 3, 7, bytes.length]) {
      const reader = new Jt808Reader()
      const read = []
      for (let i = 0; i < bytes.length; i += step) read.push(...reader.push(bytes.subarray(i, i + step)))
      expect(read.map((m) => [m.id, m.serial, m.phone])).toEqual([
        [0x8001, 1, '106480000101'],
        [0x8201, 2, '106480000101'],
      ])
    }
  })
  test('registers once, remembers its code, and sends what it kept in batches', async () => {
    const got: number[] = []
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      const reader = new Jt808Reader()
      socket.on('data', (chunk) => {
        for (const m of reader.push(Buffer.from(chunk))) {
          got.push(m.id)
          if (m.id === 0x0100) {
            const head = Buffer.alloc(3)
            head.writeUInt16BE(m.serial)
            socket.write(jt808Frame(who, 0x8100, 0, Buffer.concat([head, Buffer.from('CODE0123456789AB')])))
          } else if (m.id !== 0x0001) socket.write(jt808Frame(who, 0x8001, 0, answerBody(m.serial, m.id, 0)))
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    let code: string | undefined
    const client = new Jt808Client({
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      identity: who,
      vehicle: { plateNo: '鄂B32817', plateColor: 2, terminalId: '0000101', maker: 'LUMIN', model: 'LM-808' },
      memory: { load: () => code, save: (given) => (code = given) },
      reconnectMs: 50,
    }).start()
    closers.push(() => client.stop())
    client.report(at)
    await until(() => client.counts.acknowledged === 1)
    expect([got[0], got[1], got[2]]).toEqual([0x0100, 0x0102, 0x0200])
    for (const socket of sockets) socket.destroy()
    for (let i = 1; i <= 30; i++) client.report({ ...at, time: at.time + i * 1000 })
    await until(() => client.counts.acknowledged === 31)
    expect(got.filter((id) => id === 0x0100)).toHaveLength(1)
    expect(got).toContain(0x0704)
  })
})

describe('meters that are asked', () => {
  const electric: MeterSlave = { address: '000000000001', read: () => ({ totalEnergy: 123_456.78 }) }
  test('DL/T 645: the standard’s own exchange', () => {
    const { answer, taken } = step645(hex('FE FE 68 01 00 00 00 00 00 68 11 04 33 33 34 33 B3 16'), [electric])
    expect(taken).toBe(18)
    expect(answer?.subarray(2).toString('hex').toUpperCase()).toBe('68010000000000689108' + '33333433AB8967451716')
    expect(step645(hex('68 01 00 00 00 00 00 68 11 04 33 33 34 33 B4 16'), [electric]).answer).toBeUndefined()
  })
  test('CJ/T 188: 12.34 m³, valve closed, battery low', () => {
    const water: MeterSlave = { address: '00010800000500', read: () => ({ totalVolume: 12.34, valve: '1', batteryVoltage: 3 }) }
    const ask = hex('68 10 00 05 00 00 08 01 00 01 03 1F 90 00')
    const sum = ask.reduce((a, b) => (a + b) & 0xff, 0)
    const { answer } = step188(Buffer.concat([ask, Buffer.from([sum, 0x16])]), [water])
    const frame = answer?.subarray(2) ?? Buffer.alloc(0)
    expect(frame[9]).toBe(0x81)
    expect(frame.subarray(14, 19).toString('hex')).toBe('341200002c')
    expect(frame.subarray(-4, -2).toString('hex')).toBe('0500')
  })
  test('Modbus: the CRC of the paper; what no register holds is refused', () => {
    expect(modbusCrc(hex('01 03 00 00 00 02'))).toBe(0x0bc4)
    const slave: MeterSlave = { address: '1', read: () => ({ voltageA: 226.1, activePower: -18.5 }), registers: meterRegisters }
    const { answer } = stepRtu(hex('01 03 00 00 00 01 84 0A'), [slave])
    expect(answer?.subarray(0, 5).toString('hex')).toBe('01030208d5')
    expect(modbusAnswer(slave, hex('03 00 09 00 02')).readFloatBE(2)).toBeCloseTo(-18.5)
    expect(modbusAnswer(slave, hex('03 01 00 00 02'))[0]).toBe(0x83)
    expect(modbusAnswer(slave, hex('06 00 00 00 02'))[0]).toBe(0x86)
  })
  test('the box on the line answers, in pieces too', async () => {
    const gateway = new MeterGateway({
      protocol: 'dlt645',
      port: 0,
      slaves: [electric],
      thinkMs: 0,
      faults: new Faults({ ...noFaults, split: 1 }, 1, 'x'),
    })
    const port = await gateway.start()
    closers.push(() => gateway.stop())
    const socket = connect(port, '127.0.0.1')
    closers.push(() => socket.destroy())
    const heard: Buffer[] = []
    socket.on('data', (chunk) => heard.push(Buffer.from(chunk)))
    const ask = hex('68 01 00 00 00 00 00 68 11 04 33 33 34 33 B3 16')
    socket.write(ask.subarray(0, 5))
    setTimeout(() => socket.write(ask.subarray(5)), 20)
    await until(() => Buffer.concat(heard).length === 22)
  })
})

describe('faults', () => {
  test('are the same for the same seed, and never lose a byte by cutting and joining', () => {
    const frames = Array.from({ length: 200 }, (_, i) => Buffer.from(`##frame ${i}##`))
    const sent = (seed: number) => {
      const faults = new Faults(parseFaults('split'), seed, 'line')
      const out = frames.flatMap((f) => faults.onWire(f))
      return Buffer.concat([...out, faults.rest() ?? Buffer.alloc(0)])
    }
    expect(sent(3).equals(Buffer.concat(frames))).toBe(true)
    const pieces = (seed: number) => {
      const faults = new Faults(parseFaults('split,crc,repeat'), seed, 'line')
      return frames.flatMap((f) => faults.onWire(f)).map(String)
    }
    expect(pieces(1)).toEqual(pieces(1))
    expect(pieces(1)).not.toEqual(pieces(2))
  })
  test('are given by name, with numbers of one’s own, or refused', () => {
    expect(parseFaults('outage=300:60, clock=240:-7200')).toMatchObject({
      outage: { everySeconds: 300, seconds: 60 },
      clock: { bySeconds: -7200 },
      split: 0,
    })
    expect(() => parseFaults('earthquake')).toThrow('unknown fault')
    const storm = new Faults(parseFaults('storm=10:5'), 1, 'x')
    const times = Array.from({ length: 100 }, (_, i) => storm.times(i * 1000))
    expect(times.filter((n) => n === 5)).toHaveLength(10)
  })
})

describe('the city', () => {
  const city = buildCity({ seed: 1, today: '2026-11-20' })
  test('has every family, and each of its protocols', () => {
    const families = new Set(city.devices.map((d) => d.family))
    expect(families.size).toBe(17)
    expect([...new Set(city.devices.map((d) => d.access.protocol))].sort()).toEqual(['hj212', 'http', 'jt808', 'mqtt', 'poll', 'push'])
    expect([...new Set(city.gateways.flatMap((g) => (g.wire ? [g.wire] : [])))].sort()).toEqual([
      'cjt188',
      'dlt645',
      'modbusRtu',
      'modbusTcp',
    ])
  })
  test('pushes passages in three forms', () => {
    const code = city.projects[0]?.projectCode ?? ''
    const event = dayEvents(city, code, '2026-11-20')[0]!
    const stranger = strangerEvents(city, code, '2026-11-20')[0]
    const a = pushBody('event', event)
    expect(a.contentType).toContain('multipart/form-data')
    expect(a.body.toString('latin1')).toContain('"subEventType":75')
    expect(new URLSearchParams(pushBody('callback', event).body.toString()).get('type')).toBe('face_0')
    expect(JSON.parse(pushBody('generic', event).body.toString()).items[0].data.workerId).toBe(event.workerId)
    if (stranger) expect(new URLSearchParams(pushBody('callback', stranger).body.toString()).get('personId')).toBe('STRANGERBABY')
  })
})
