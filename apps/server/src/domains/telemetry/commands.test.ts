import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CommandDependencies, Commands } from './commands.ts'
import type { Gateways } from './mqtt/gateways.ts'
import { GatewayRequests } from './mqtt/requests.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

/** A gateway that receives and answers as the test says, with a fake command table. */
function open() {
  const heard: { at: number; cmd: string; expireAt: number }[] = []
  const gateways = {
    onReply: undefined as Gateways['onReply'],
    send: (_gateway: string, _sn: string, command: { cmd: string; expireAt: number }) => {
      heard.push({ at: Date.now() - 1_000_000, cmd: command.cmd, expireAt: command.expireAt })
      return true
    },
  }
  const requests = new GatewayRequests({ gateways, now: () => Date.now() })
  const device = { id: 'd1', sn: 'SN1', protocol: 'mqtt', gatewayId: 'g1', projectCode: 'P1' }
  const ended: unknown[][] = []
  const deps = {
    pool: {
      query: async (sql: string, values: unknown[]) => {
        if (sql.startsWith('update device_command')) ended.push(values)
        return { rows: [] }
      },
    },
    fleet: { device: () => device },
    downlinkOf: () => ({ protocol: 'mqtt', send: (...requested: Parameters<GatewayRequests['send']>) => requests.send(...requested) }),
    log: { warn: () => undefined },
    now: () => Date.now(),
  } as unknown as CommandDependencies
  return { commands: new Commands(deps), gateways, heard, ended }
}
const requested = (cmd: string, expireAt?: number) => ({ deviceId: 'd1', cmdId: 'c1', cmd, params: {}, expireAt })

test('a command that does no harm twice is sent three times, ten seconds apart; who asked hears after ten', async () => {
  const { commands, heard, ended } = open()
  const answer = commands.send(requested('spray.stop'))
  await vi.advanceTimersByTimeAsync(10_500)
  expect(await answer).toMatchObject({ result: -3 })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(heard.map((h) => h.at)).toEqual([0, 10_000, 20_000])
  expect(ended[0]?.slice(0, 4)).toEqual(['c1', expect.any(Date), -2, '设备无应答'])
})

test('another one is sent once', async () => {
  const { commands, heard } = open()
  const answer = commands.send(requested('spray.start'))
  await vi.advanceTimersByTimeAsync(10_500)
  expect(await answer).toMatchObject({ result: -2, message: '设备无应答' })
  expect(heard).toHaveLength(1)
})

test('a reply ends it; one for somebody else does not', async () => {
  const { commands, gateways } = open()
  const answer = commands.send(requested('gate.open'))
  await vi.advanceTimersByTimeAsync(1_000)
  gateways.onReply?.('g1', 'SN1', 'other', { result: 0 })
  gateways.onReply?.('g2', 'SN1', 'c1', { result: 0 })
  gateways.onReply?.('g1', 'SN1', 'c1', { result: 7, message: '门已锁' })
  expect(await answer).toEqual({ cmdId: 'c1', result: 7, message: '门已锁' })
})

test('nothing is sent after its time, not even again', async () => {
  const { commands, heard } = open()
  const late = await commands.send(requested('spray.stop', 999_999))
  expect(late).toMatchObject({ result: -4 })
  void commands.send(requested('spray.stop', 1_015_000))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(heard.map((h) => [h.at, h.expireAt])).toEqual([
    [0, 1_015_000],
    [10_000, 1_015_000],
  ])
})
