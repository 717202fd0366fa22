import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openSite, type Site, until } from '../ingest-for-test.ts'
import { crcText, standardCrc } from './crc.ts'
import { buildFrame, Hj212Decoder, type Hj212Frame } from './frame.ts'
import { formatDataTime } from './values.ts'

let site: Site
const mn = '010000A8900016F000169DC0'
let station: { id: string }

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  station = await site.given.device(
    'P1',
    'environment',
    { protocol: 'hj212', accessKey: mn, units: { tsp: 'mg' } },
    { secret: '123456', interval: 30 },
  )
})
afterAll(() => site.close())

function open() {
  const socket: Socket = connect(site.ingest.ports.hj212, '127.0.0.1')
  socket.on('error', () => undefined)
  const frames: Hj212Frame[] = []
  const decoder = new Hj212Decoder()
  socket.on('data', (chunk: Buffer) => frames.push(...decoder.push(chunk, 0)))
  return { socket, frames }
}
const frame = (cn: string, cp: string, more: { qn?: string; pw?: string; mn?: string; flag?: number } = {}) =>
  buildFrame({ qn: '20261121120000123', st: '39', cn, pw: '123456', mn, flag: 5, cp, ...more })
const readings = () => site.count('telemetry where device_id = $1', [station.id])

test('real-time values are stored once and answered each time', async () => {
  const { socket, frames } = open()
  const at = Math.floor(Date.now() / 1000) * 1000 - 2_000
  const body = frame(
    '2011',
    `DataTime=${formatDataTime(at)};a34001-Rtd=0.181,a34001-Flag=N;a34002-Rtd=92,a34002-Flag=D;LA-Rtd=63.5;x99-Rtd=1`,
  )
  socket.write(body)
  await until(() => frames.length === 1)
  expect(frames[0]).toMatchObject({ cn: '9014', st: '91', qn: '20261121120000123', flag: 4 })
  socket.write(body)
  await until(() => frames.length === 2)
  expect(await readings()).toBe(1)
  const { rows } = await site.pool.query('select v, quality from device_latest where device_id = $1', [station.id])
  expect(rows[0]).toEqual({ v: { tsp: 181, pm10: 92, noise: 63.5, 'x99-Rtd': '1' }, quality: { pm10: 'fault' } })
  socket.destroy()
})

test('a frame without its last two bytes is taken when the station closes behind it; a torn one is not', async () => {
  const at = Math.floor(Date.now() / 1000) * 1000 - 9_000
  const before = await readings()
  const whole = frame('2011', `DataTime=${formatDataTime(at)};LA-Rtd=58.5`)
  const torn = frame('2011', `DataTime=${formatDataTime(at + 1_000)};LA-Rtd=58.6`)
  open().socket.end(torn.subarray(0, torn.length - 4))
  open().socket.end(whole.subarray(0, whole.length - 2))
  await until(async () => (await readings()) === before + 1)
  expect(await site.count('telemetry where device_id = $1 and ts = $2', [station.id, new Date(at)])).toBe(1)
})

test('periods are kept beside, marked as the device’s', async () => {
  const { socket, frames } = open()
  socket.write(
    frame('2061', `DataTime=${formatDataTime(Date.now() - 3_600_000)};a34002-Min=80,a34002-Avg=91.5,a34002-Max=120,a34002-Flag=N`),
  )
  await until(() => frames.length === 1)
  const { rows } = await site.pool.query('select data from device_record where device_id = $1', [station.id])
  expect(rows[0].data).toEqual({ kind: 'hour', source: 'device', values: { pm10: { min: 80, avg: 91.5, max: 120, flag: 'N' } } })
  socket.destroy()
})

test('the clock is answered and set; a heartbeat is answered', async () => {
  const { socket, frames } = open()
  socket.write(frame('1013', 'PolId=w01018'))
  await until(() => frames.length === 2)
  expect(frames.map((f) => f.cn)).toEqual(['9013', '1012'])
  expect(frames[1]?.cp).toMatch(/^SystemTime=\d{14}$/)
  socket.write(frame('9015', '', { flag: 9 }))
  await until(() => frames.length === 3)
  expect(frames[2]).toMatchObject({ cn: '9013', flag: 8 })
  socket.destroy()
})

test('packets of one report are all stored, the newest shows the whole', async () => {
  const { socket, frames } = open()
  const at = Math.floor(Date.now() / 1000) * 1000 - 1_000
  const packet = (pno: number, cp: string) =>
    `QN=2026112112000${pno}123;ST=39;CN=2011;PW=123456;MN=${mn};Flag=7;PNUM=2;PNO=${pno};CP=&&DataTime=${formatDataTime(at)};${cp}&&`
  for (const segment of [packet(1, 'a34002-Rtd=50'), packet(2, 'LA-Rtd=61')]) {
    socket.write(`##${String(segment.length).padStart(4, '0')}${segment}${crcText(standardCrc(Buffer.from(segment)))}\r\n`)
  }
  await until(() => frames.length === 2)
  const { rows } = await site.pool.query('select v from device_latest where device_id = $1', [station.id])
  expect(rows[0].v).toMatchObject({ pm10: 50, noise: 61 })
  socket.destroy()
})

test('no answer to a wrong password, a wrong check or a stranger; the latter two are listed', async () => {
  const { socket, frames } = open()
  const before = await readings()
  const cp = `DataTime=${formatDataTime(Date.now())};a34002-Rtd=1`
  socket.write(frame('2011', cp, { pw: '654321' }))
  socket.write(frame('2011', cp, { mn: 'STRANGER01' }))
  const spoilt = frame('2011', cp)
  spoilt[20] = (spoilt[20] ?? 0) ^ 1
  socket.write(spoilt)
  await until(async () => (await site.count(`unregistered_device where identifier in ('STRANGER01', $1)`, [mn])) === 2)
  expect(frames).toEqual([])
  expect(await readings()).toBe(before)
  const { rows } = await site.pool.query(`select reason, guess, sample from unregistered_device where identifier = 'STRANGER01'`)
  expect(rows[0]).toMatchObject({ reason: 'unregistered', guess: 'environment' })
  expect(rows[0].sample).not.toContain('PW')
  socket.destroy()
})

test('ten bad frames end a connection', async () => {
  const { socket } = open()
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  for (let i = 0; i < 10; i++) socket.write('##00xx')
  await closed
})

test('the log tells an early clock, an old one, a value that is none, and what to do about a check', async () => {
  const { socket, frames } = open()
  const at = (ms: number) => `DataTime=${formatDataTime(Date.now() + ms)};LA-Rtd=60.1`
  socket.write(frame('2011', at(8 * 3_600_000)))
  socket.write(frame('2011', 'DataTime=20000101000000;LA-Rtd=60.1'))
  socket.write(frame('2011', `${at(0)};a34002-Rtd=--`))
  socket.write(frame('3022', 'Info=1'))
  await until(() => frames.length === 4)
  const broken = frame('2011', at(0))
  broken[broken.length - 3] = (broken.at(-3) ?? 0) === 0x41 ? 0x42 : 0x41
  socket.write(broken)
  const log = async () =>
    (
      await site.pool.query<{ result: string; hint: string | null; decoded: Record<string, unknown> | null }>(
        `select result, hint, decoded from device_frame where device_id = $1 and direction = 'up'`,
        [station.id],
      )
    ).rows
  const wanted = ['clockAhead', 'tooOld', 'oneRejected', 'crc']
  await until(async () => {
    const results = new Set((await log()).map((f) => f.result))
    return wanted.every((one) => results.has(one))
  })
  expect((await log()).find((f) => f.result === 'oneRejected')?.decoded).toMatchObject({ noise: 60.1, rejected: [{ key: 'a34002' }] })
  expect((await log()).find((f) => f.result === 'crc' && f.hint?.includes('应为'))).toBeDefined()
  socket.destroy()
})

const station2 = async (mn: string) => {
  const one = await site.given.device('P1', 'environment', { protocol: 'hj212', accessKey: mn }, { secret: '271828', interval: 30 })
  const say = (pw: string, at = Date.now()) =>
    frame('2011', `DataTime=${formatDataTime(Math.floor(at / 1000) * 1000)};LA-Rtd=60.1`, { mn, pw, qn: formatDataTime(at, true) })
  return { ...one, say }
}
const ended = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

test('a password of six digits is not found by trying; the station that is connected goes on, and somebody is told', async () => {
  const { id, say } = await station2('GUESSED0001')
  const honest = open()
  honest.socket.write(say('271828'))
  await until(() => honest.frames.length === 1)
  await until(async () => (await site.count(`device_origin where device_id = $1`, [id])) === 1)
  await site.pool.query(`update device_origin set address = '192.0.2.7' where device_id = $1`, [id])
  await site.restart()
  // From an unknown address, on several connections in sequence, each ending with the correct password.
  let at = Date.now()
  const logged = (result: string) => site.count('device_frame where device_id = $1 and result = $2', [id, result])
  await site.atOneMoment(async () => {
    for (let i = 0; i < 10; i++) {
      const thief = open()
      const over = ended(thief.socket)
      for (let j = 0; j < 60; j++) thief.socket.write(say(String(100_000 + i * 60 + j), at + i * 60 + j))
      thief.socket.write(say('271828', at + i * 60 + 60))
      thief.socket.end()
      await over
      expect(thief.frames).toEqual([])
    }
    await until(
      async () => (await site.count(`device_frame where device_id = $1 and result = 'tooManyTries' and hint is not null`, [id])) > 0,
    )
    // Of 600 attempts.
    expect(await logged('wrongPassword')).toBe(5)
  }, at)
  for (let i = 0; i < 6; i++) {
    at += 400_000
    await site.atOneMoment(async () => {
      const thief = open()
      thief.socket.write(say('999999', at))
      thief.socket.end()
      await ended(thief.socket)
    }, at)
  }
  await until(
    async () => (await site.count(`device_warning where device_id = $1 and kind = 'guessing' and text like '密码连续错%'`, [id])) === 1,
  )
  // After the station gets a new password the failures no longer count.
  await site.pool.query('update device set access_secret = $2 where id = $1', [id, site.secrets.seal('314159')])
  const back = open()
  await until(async () => {
    back.socket.write(say('314159', at++))
    await new Promise((resolve) => setTimeout(resolve, 100))
    return back.frames.length > 0
  })
  back.socket.destroy()
})

test('a station on its own connection does not wait for what others guess', async () => {
  const { say } = await station2('GUESSED0002')
  const honest = open()
  honest.socket.write(say('271828'))
  await until(() => honest.frames.length === 1)
  const thief = open()
  for (let i = 0; i < 40; i++) thief.socket.write(say(String(200_000 + i), Date.now() + i))
  honest.socket.write(say('271828', Date.now() + 1_000))
  await until(() => honest.frames.length === 2)
  expect(thief.frames).toEqual([])
  for (const { socket } of [honest, thief]) socket.destroy()
})

test('three wrong passwords end a connection; the right one on the next is taken at once', async () => {
  const { say } = await station2('GUESSED0003')
  const thief = open()
  const over = ended(thief.socket)
  for (let i = 0; i < 600; i++) thief.socket.write(say(String(300_000 + i), Date.now() + i))
  await over
  const honest = open()
  honest.socket.write(say('271828', Date.now() + 1_000))
  await until(() => honest.frames.length === 1)
  honest.socket.destroy()
})

test('without a good password a connection is heard for 64 KiB; with one for as long as it likes', async () => {
  const { say } = await station2('LOUD00001')
  const { socket } = open()
  const closed = ended(socket)
  const strange = frame('2011', `DataTime=${formatDataTime(Date.now())};LA-Rtd=60.1;Info=${'x'.repeat(800)}`, { mn: 'STRANGER02' })
  for (let i = 0; i < 80 && !socket.destroyed; i++) socket.write(strange)
  await closed
  const good = open()
  good.socket.write(say('271828'))
  await until(() => good.frames.length === 1)
  for (let i = 0; i < 80; i++) good.socket.write(strange)
  good.socket.write(say('271828', Date.now() + 1_000))
  await until(() => good.frames.length === 2)
  good.socket.destroy()
})
