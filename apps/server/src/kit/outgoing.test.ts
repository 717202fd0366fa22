import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSlowServer } from '../../test/slow-server.ts'
import { ConfigError, readConfig } from './config.ts'
import { createOutgoing, type Lookup, type Purpose } from './outgoing.ts'

const heard: IncomingMessage[] = []
const server = createServer((request, response) => {
  heard.push(request)
  response.end('{"inside":true}')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

const key = 'a test key of at least thirty-two characters'
const config = (env: Record<string, string> = {}) =>
  readConfig('serve', { DATABASE_URL: 'postgres://db.example/zhugong', SECRET_KEY: key, DATA_DIR: '/tmp', ...env })
const door = (env: Record<string, string> = {}, purpose: Purpose = 'poll', lookup?: Lookup) => createOutgoing(config(env), purpose, lookup)

/** Spellings of this machine's addresses that resolvers or sockets accept. */
const insiders = [
  'localhost',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '017700000001',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '::',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f00:0001',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a14:1',
  '64:ff9b:1::a14:1',
  '2002:7f00:1::',
  '2002:a14:1::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '10.20.0.5',
  '10.3',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'fd00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '100::1',
]

describe('who may be called', () => {
  test.each(insiders)('%s is not', async (host) => {
    await expect(door().target(host, 502)).rejects.toThrow('内网或本机')
  })
  test.each(['223.5.5.5', '8.8.8.8', '172.15.0.1', '100.63.0.1', '2400:3200::1', '::ffff:223.5.5.5', '64:ff9b::223.5.5.5'])(
    '%s may be',
    async (host) => expect((await door().target(host, 502)).address).toBeTruthy(),
  )
  test('one forbidden address among several is enough', async () => {
    const mixed: Lookup = async () => [
      { address: '223.5.5.5', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    await expect(door({}, 'docking', mixed).target('two.example', 443)).rejects.toThrow('内网或本机')
  })
  test('a name nobody knows is said to be one', async () => {
    await expect(door({}, 'docking', async () => []).target('nobody.example', 443)).rejects.toThrow('域名 nobody.example 无法解析')
  })
})

describe("the operator's list", () => {
  test('opens what it names, in whatever dress the address comes, and nothing beside it', async () => {
    const listed = door({ OUTGOING_INSIDE: '10.20.0.0/16, 192.168.5.7,fd12::/16' })
    for (const host of ['10.20.3.4', '::ffff:10.20.3.4', '64:ff9b::a14:304', '192.168.5.7', 'fd12::5'])
      expect((await listed.target(host, 502)).address).toBeTruthy()
    for (const host of ['10.21.0.1', '192.168.5.8', 'fd13::1', '127.0.0.1']) await expect(listed.target(host, 502)).rejects.toThrow()
  })
  test('never opens credentials of clouds, link-local and multicast', async () => {
    const all = door({ OUTGOING_INSIDE: '0.0.0.0/0 ::/0' })
    expect((await all.target('10.9.9.9', 502)).address).toBe('10.9.9.9')
    for (const host of ['169.254.169.254', '::ffff:a9fe:a9fe', '100.100.100.200', 'fd00:ec2::254', 'fe80::1', '224.0.0.1', '0.0.0.0'])
      await expect(all.target(host, 80)).rejects.toThrow('内网或本机')
  })
  test("never opens the product's own ports", async () => {
    const all = door({ OUTGOING_INSIDE: '0.0.0.0/0,::/0', PORT: '18080', MQTT_PORT: '18830' })
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', ...own.map((one) => one.address).filter((a) => !a.startsWith('fe80'))]) {
      for (const listening of [18080, 18830, 8083, 8212, 8808]) await expect(all.target(host, listening)).rejects.toThrow('内网或本机')
      expect((await all.target(host, 502)).address).toBeTruthy()
    }
  })
  test('is checked at the start', () => {
    for (const bad of ['10.20.0.0/33', '10.20', 'site.example', '::/129', '10.0.0.0/8/8'])
      expect(() => config({ OUTGOING_INSIDE: bad })).toThrow(ConfigError)
  })
  test('the older switch of webhooks opens private networks to them alone, and this machine to nobody', async () => {
    const on = { WEBHOOK_INSIDE: '1' }
    expect((await door(on, 'webhook').target('10.1.2.3', 443)).address).toBe('10.1.2.3')
    await expect(door(on, 'webhook').target('127.0.0.1', 443)).rejects.toThrow('内网或本机')
    await expect(door(on, 'docking').target('10.1.2.3', 443)).rejects.toThrow('内网或本机')
  })
  test("the demonstration's meters are on this machine, and they alone", async () => {
    const demo = (purpose: Purpose) => createOutgoing({ ...config(), demo: true }, purpose)
    expect((await demo('poll').target('127.0.0.1', 5020)).address).toBe('127.0.0.1')
    await expect(demo('docking').target('127.0.0.1', 5020)).rejects.toThrow('内网或本机')
    await expect(demo('webhook').target('127.0.0.1', 5020)).rejects.toThrow('内网或本机')
  })
})

describe('a name that answers differently the second time', () => {
  /** Resolves to a public address when it is checked, and to this machine afterwards. */
  const turning = () => {
    let requests = 0
    const lookup: Lookup = async () => [{ address: requests++ === 0 ? '198.51.100.1' : '127.0.0.1', family: 4 }]
    return { lookup, asked: () => requests }
  }
  test('is looked up once: what was judged is what is connected to', async () => {
    const { lookup, asked } = turning()
    const listed = door({ OUTGOING_INSIDE: '198.51.100.0/24' }, 'webhook', lookup)
    const socket = await listed.connect('turning.example', port)
    // Nothing listens at the checked address; the destination is known before the connection fails.
    const reached = await new Promise<string | undefined>((resolve) => {
      socket.once('connectionAttempt', (ip: string) => resolve(ip))
      socket.once('connect', () => resolve(socket.remoteAddress))
      socket.once('error', () => resolve(undefined))
    })
    socket.destroy()
    expect(reached).not.toBe('127.0.0.1')
    expect(asked()).toBe(1)
  })
  test('a call over HTTP goes to the judged address under its name', async () => {
    let requests = 0
    const lookup: Lookup = async () => [{ address: requests++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    const listed = door({ OUTGOING_INSIDE: '127.0.0.1' }, 'webhook', lookup)
    const question = { url: `http://turning.example:${port}/hook`, method: 'POST', headers: {}, body: '{}' }
    expect(await listed.ask(question)).toBe('{"inside":true}')
    expect(heard.at(-1)?.headers.host).toBe(`turning.example:${port}`)
    expect(requests).toBe(1)
    // The name resolves differently at the next call: it is checked again, and no connection is reused.
    await expect(listed.ask(question)).rejects.toThrow('内网或本机')
    expect(heard).toHaveLength(1)
  })
})

describe('an end that takes its time', () => {
  const patience = { silentMs: 400, totalMs: 1_200, lookupMs: 300 }
  const listed = (lookup?: Lookup) => createOutgoing(config({ OUTGOING_INSIDE: '127.0.0.0/8' }), 'webhook', lookup, patience)
  test.each([
    ['dripping', '1.2 秒内没有应答完'],
    ['silent', '0.4 秒内没有应答'],
    ['refusing', '无法连接对方地址'],
  ] as const)('%s is given up in words', async (manner, words) => {
    const end = await startSlowServer(manner)
    await expect(listed().ask({ url: `${end.url}/x`, method: 'GET', headers: {} })).rejects.toThrow(words)
    await expect.poll(() => end.hanging).toBe(0)
    await end.stop()
  })
  test('a name that nobody answers for is not waited for', async () => {
    await expect(listed(() => new Promise(() => undefined)).target('silent.example', 443)).rejects.toThrow('域名 silent.example 无法解析')
  })
})
