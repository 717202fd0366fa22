import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#kit/db'
import { openSite, type Site, until } from '../ingest-for-test.ts'
import { buildCjt188, Cjt188Decoder } from './cjt188.ts'
import { buildDlt645, Dlt645Decoder } from './dlt645.ts'
import { rtuFrame, tcpFrame } from './modbus.ts'

let site: Site
const servers: Server[] = []
const sockets: Socket[] = []
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  // Waits until it listens for changes; only the owner sees its connections.
  const owner = openDatabase(site.url, { max: 1, owner: true })
  const listening = `select 1 from pg_stat_activity where query = 'listen zg_fleet' and datname = current_database()`
  await until(async () => (await owner.pool.query(listening)).rows.length > 0)
  await owner.close()
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  await site.close()
})

/** A fake converter: returns the pieces to send for what it receives. */
async function box(answer: (heard: Buffer) => Buffer[]): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      for (const piece of answer(chunk)) socket.write(piece)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function polled(family: string, protocol: string, port: number, address: string, registers: unknown[] = []) {
  const gateway = await site.given.gateway('P1')
  const device = await site.given.device('P1', family, { protocol: 'mqtt', gatewayId: gateway.id })
  await site.pool.query(
    'insert into poll_gateway (id, protocol, host, port, interval_seconds, timeout_ms) values ($1, $2, $3, $4, 0.3, 500)',
    [gateway.id, protocol, '127.0.0.1', port],
  )
  await site.pool.query('insert into poll_device (id, gateway_id, address, registers) values ($1, $2, $3, $4)', [
    device.id,
    gateway.id,
    address,
    JSON.stringify(registers),
  ])
  return { gateway, device }
}
const latest = async (id: string) =>
  (await site.pool.query<{ v: Record<string, unknown> }>('select v from device_latest where device_id = $1', [id])).rows[0]?.v

const registers = [
  { metric: 'voltageA', address: 0, type: 'u16', scale: 0.1 },
  { metric: 'activePower', address: 2, type: 'f32' },
]
const values = Buffer.from('08fc000041c80000', 'hex')

test('Modbus TCP and RTU over a line: registers become readings', async () => {
  const tcp = await box((heard) => [tcpFrame(heard.readUInt16BE(0), heard[6] ?? 0, Buffer.concat([Buffer.of(3, values.length), values]))])
  const whole = rtuFrame(5, Buffer.concat([Buffer.of(3, values.length), values]))
  const rtu = await box(() => [whole.subarray(0, 3), whole.subarray(3)])
  const overTcp = await polled('electricMeter', 'modbusTcp', tcp, '5', registers)
  const overRtu = await polled('electricMeter', 'modbusRtu', rtu, '5', registers)
  for (const { device, gateway } of [overTcp, overRtu]) {
    await until(async () => (await latest(device.id)) !== undefined)
    expect(await latest(device.id)).toMatchObject({ voltageA: 230, activePower: 25 })
    await until(async () => (await site.count('gateway where id = $1 and online', [gateway.id])) === 1)
  }
})

test('a converter that sends the question back, and a device without registers', async () => {
  const whole = rtuFrame(5, Buffer.concat([Buffer.of(3, values.length), values]))
  const together = await box((heard) => [Buffer.concat([heard, whole])])
  const apart = await box((heard) => [heard.subarray(0, 5), heard.subarray(5), whole])
  for (const port of [together, apart]) {
    const { device } = await polled('electricMeter', 'modbusRtu', port, '5', registers)
    await until(async () => (await latest(device.id)) !== undefined)
    expect(await latest(device.id)).toMatchObject({ voltageA: 230, activePower: 25 })
  }
  const { gateway } = await polled('electricMeter', 'modbusRtu', together, '5', [])
  await until(async () => (await site.count(`poll_gateway where id = $1 and last_error like '%没有寄存器表%'`, [gateway.id])) === 1)
})

test('a line to an address that nobody allowed is never opened', async () => {
  let called = 0
  const server = createServer(() => called++)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  const at = server.address()
  const { gateway } = await polled('electricMeter', 'modbusTcp', typeof at === 'object' && at ? at.port : 0, '5', registers)
  // As for a row from before the check, or a host name whose address changed since.
  await site.pool.query(`update poll_gateway set host = '127.2' where id = $1`, [gateway.id])
  await until(async () => (await site.count(`poll_gateway where id = $1 and last_error like '%内网或本机%'`, [gateway.id])) === 1)
  expect(called).toBe(0)
  expect(await site.count('device_frame where gateway_id = $1', [gateway.id])).toBe(0)
})

test('an electric and a water meter', async () => {
  const electric = await box((heard) =>
    new Dlt645Decoder().push(heard).map((f) => {
      const id = Buffer.from(f.data.subarray(0, 4)).reverse().toString('hex')
      return id === '00010000'
        ? Buffer.concat([Buffer.of(0xfe, 0xfe), buildDlt645(f.address, 0x91, Buffer.concat([f.data, Buffer.from('78563412', 'hex')]))])
        : buildDlt645(f.address, 0xd1, Buffer.of(2))
    }),
  )
  const water = await box((heard) =>
    new Cjt188Decoder()
      .push(heard)
      .map((f) =>
        buildCjt188(f.type, f.address, 0x81, Buffer.from(`1f90${f.data.toString('hex', 2)}563412002c003012002c304512211126200000`, 'hex')),
      ),
  )
  const e = await polled('electricMeter', 'dlt645', electric, '123456')
  const w = await polled('waterMeter', 'cjt188', water, '805000001')
  await until(async () => (await latest(e.device.id)) !== undefined)
  await until(async () => (await latest(w.device.id)) !== undefined)
  expect(await latest(e.device.id)).toMatchObject({ totalEnergy: 123456.78 })
  expect(await latest(w.device.id)).toMatchObject({ totalVolume: 1234.56, valve: '0', batteryLow: false })
})

test('a water meter is asked in the order it understands', async () => {
  const request: Record<string, string[]> = { '00000805000003': [], '00000805000004': [] }
  const box2 = (id: string) =>
    box((heard) =>
      new Cjt188Decoder().push(heard).flatMap((f) => {
        const order = f.data.toString('hex', 0, 2)
        request[f.address]?.push(order)
        const answer = Buffer.from(`${id}${f.data.toString('hex', 2)}563412002c003012002c304512211126200000`, 'hex')
        return order === id ? [buildCjt188(f.type, f.address, 0x81, answer)] : []
      }),
    )
  const written = await polled('waterMeter', 'cjt188', await box2('901f'), '805000003')
  const lowFirst = await polled('waterMeter', 'cjt188', await box2('1f90'), '805000004')
  for (const { device } of [written, lowFirst]) {
    await until(async () => (await latest(device.id)) !== undefined)
    expect(await latest(device.id)).toMatchObject({ totalVolume: 1234.56 })
  }
  await until(() => (request['00000805000004'] ?? []).length > 2)
  expect(new Set(request['00000805000003'])).toEqual(new Set(['901f']))
  // Once the byte order is known the other one is not tried any more.
  expect(request['00000805000004']?.slice(0, 3)).toEqual(['901f', '1f90', '1f90'])
})

test('a box that is silent, or not there, is told of; another address starts it', async () => {
  const silent = await box(() => [])
  const { gateway, device } = await polled('electricMeter', 'modbusRtu', silent, '1', registers)
  const reported = async () =>
    (await site.pool.query<{ last_error: string | null }>('select last_error from poll_gateway where id = $1', [gateway.id])).rows[0]
      ?.last_error
  await until(async () => (await reported()) === '设备均无应答')
  const alive = await box((heard) => [rtuFrame(heard[0] ?? 0, Buffer.concat([Buffer.of(3, values.length), values]))])
  await site.pool.query('update poll_gateway set port = $2 where id = $1', [gateway.id, alive])
  await until(async () => (await latest(device.id)) !== undefined)
  await until(async () => (await reported()) === null)
})

test('a register that is not there, a meter that refuses: said with the exception, not as silence', async () => {
  const tcp = await box((heard) => [tcpFrame(heard.readUInt16BE(0), heard[6] ?? 0, Buffer.of(0x83, 2))])
  const electric = await box((heard) => new Dlt645Decoder().push(heard).map((f) => buildDlt645(f.address, 0xd1, Buffer.of(2))))
  const water = await box((heard) =>
    new Cjt188Decoder().push(heard).map((f) => buildCjt188(f.type, f.address, 0xc1, Buffer.of(f.data[2] ?? 0, 0x04, 0x00))),
  )
  const m = await polled('electricMeter', 'modbusTcp', tcp, '5', registers)
  const e = await polled('electricMeter', 'dlt645', electric, '234567')
  const w = await polled('waterMeter', 'cjt188', water, '805000002')
  const reported = async (gatewayId: string) =>
    (await site.pool.query<{ last_error: string | null }>('select last_error from poll_gateway where id = $1', [gatewayId])).rows[0]
      ?.last_error ?? ''
  await until(async () => (await reported(m.gateway.id)).includes('寄存器地址不存在'))
  await until(async () => (await reported(e.gateway.id)).includes('没有请求的数据'))
  await until(async () => (await reported(w.gateway.id)).includes('水表异常应答'))
  await until(
    async () => (await site.count(`device_frame where device_id = $1 and result = 'exception' and hint is not null`, [m.device.id])) > 0,
  )
})
