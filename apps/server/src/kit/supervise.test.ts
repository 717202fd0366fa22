import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { isAlive, waitUntil } from './postgres/processes.ts'
import { type ChildSpec, type Supervisor, supervise } from './supervise.ts'

const script = fileURLToPath(new URL('./child-for-test.ts', import.meta.url))
const child = (name: string, how: string, more: Partial<ChildSpec> = {}): ChildSpec => ({
  name,
  command: process.execPath,
  args: [script, how],
  ...more,
})

const running: Supervisor[] = []
function begin(...children: ChildSpec[]) {
  const lines: string[] = []
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const supervisor = supervise({
    children,
    log: { info: say, warn: say, error: say },
    write: (line) => lines.push(line),
    termPatienceMs: 500,
  })
  running.push(supervisor)
  return { supervisor, lines, said }
}
afterEach(async () => {
  for (const supervisor of running.splice(0)) await supervisor.stop()
})

test('starts one after another as they get ready, and hands on their output with their name', async () => {
  const { supervisor, lines } = begin(child('甲', 'late', { ready: 'reported', env: { CHILD_NOTE: '注' } }), child('乙', 'polite'))
  await waitUntil(() => lines.length === 1, 5_000)
  expect(supervisor.status().map(({ state }) => state)).toEqual(['starting', 'waiting'])
  await supervisor.started
  expect(supervisor.status().map(({ state }) => state)).toEqual(['ready', 'ready'])
  expect(await waitUntil(() => lines.length === 2, 5_000)).toBe(true)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: '甲', msg: expect.stringMatching(/^起 late \d+ 注$/) })
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ name: '乙', msg: expect.stringMatching(/^起 polite/) })
})

test('one beside another starts with it; the next waits for both', async () => {
  let open = false
  const { supervisor } = begin(
    child('甲', 'polite', { ready: async () => open }),
    child('乙', 'late', { ready: 'reported', beside: true }),
    child('丙', 'polite'),
  )
  await waitUntil(() => supervisor.status()[1]?.state === 'ready', 5_000)
  expect(supervisor.status().map(({ state }) => state)).toEqual(['starting', 'ready', 'waiting'])
  open = true
  await supervisor.started
  expect(supervisor.status().map(({ state }) => state)).toEqual(['ready', 'ready', 'ready'])
})

test('one that cannot work as it is set up is not started again, and ends the start', async () => {
  const { supervisor, said } = begin(child('甲', 'polite'), child('乙', 'misconfigured', { ready: 'reported' }))
  await expect(supervisor.started).rejects.toThrow('乙')
  expect(supervisor.status()[1]).toMatchObject({ state: 'stopped', restarts: 0 })
  expect(said.join()).not.toContain('starting it again')
})

test('asks whether a child is ready', async () => {
  let requests = 0
  const { supervisor } = begin(
    child('甲', 'polite', {
      ready: async () => {
        requests++
        if (requests === 1) throw new Error('connection refused')
        return requests === 3
      },
    }),
  )
  await supervisor.started
  expect(requests).toBe(3)
})

test('one that is never ready is named', async () => {
  const { supervisor } = begin(child('甲', 'polite', { ready: async () => false, readyTimeoutMs: 100 }))
  await expect(supervisor.started).rejects.toThrow('甲')
})

test('stops in the opposite order, gently', async () => {
  const { supervisor, lines } = begin(child('甲', 'polite'), child('乙', 'polite'))
  await supervisor.started
  await waitUntil(() => lines.length === 2, 5_000)
  await Promise.all([supervisor.stop(), supervisor.stop()])
  expect(lines.slice(2).map((line) => JSON.parse(line))).toMatchObject([
    { name: '乙', msg: '收到' },
    { name: '甲', msg: '收到' },
  ])
  expect(supervisor.status().map(({ state, pid }) => [state, pid])).toEqual([
    ['stopped', undefined],
    ['stopped', undefined],
  ])
})

test('brings back who ends, waiting longer each time, and leaves the others alone', async () => {
  const { supervisor, said } = begin(child('甲', 'crash'), child('乙', 'polite'))
  await supervisor.started
  const other = supervisor.status()[1]?.pid
  expect(await waitUntil(() => supervisor.status()[0]?.restarts === 1, 8_000)).toBe(true)
  expect(await waitUntil(() => said.some((text) => text.includes('in 0.6 s')), 5_000)).toBe(true)
  expect(said.filter((text) => text.includes('ended unexpectedly'))).toEqual([
    '甲 ended unexpectedly (exit code 3), starting it again in 0.3 s',
    '甲 ended unexpectedly (exit code 3), starting it again in 0.6 s',
  ])
  expect(supervisor.status()[1]).toMatchObject({ pid: other, restarts: 0 })
  await supervisor.stop()
  expect(supervisor.status()[0]?.state).toBe('stopped')
})

test('restarts one after another, each when the one before is ready, and leaves the others running until then', async () => {
  let open = true
  const { supervisor } = begin(
    child('甲', 'polite'),
    child('乙', 'polite', { ready: async () => open }),
    child('丙', 'late', { ready: 'reported' }),
  )
  await supervisor.started
  const pids = () => supervisor.status().map(({ pid }) => pid)
  const [first, second, third] = pids()
  open = false
  let done = false
  const restarted = supervisor.restart(['乙', '甲']).then(() => {
    done = true
  })
  expect(await waitUntil(() => ![second, undefined].includes(pids()[1]), 5_000)).toBe(true)
  await new Promise((later) => setTimeout(later, 400))
  expect(pids()).toEqual([first, expect.any(Number), third])
  expect(done).toBe(false)
  open = true
  await restarted
  expect(pids()[0]).not.toBe(first)
  expect(supervisor.status()).toMatchObject([{ state: 'ready', restarts: 0 }, { state: 'ready', restarts: 0 }, { pid: third }])
})

test('a further restart begins again with the first, and stopping ends it', async () => {
  const { supervisor, lines } = begin(child('甲', 'late', { ready: 'reported' }), child('乙', 'late', { ready: 'reported' }))
  await supervisor.started
  const startsOf = (name: string) =>
    lines.map((line) => JSON.parse(line)).filter((line) => line.name === name && line.msg.startsWith('起')).length
  const earlier = supervisor.restart(['甲', '乙'])
  expect(await waitUntil(() => startsOf('甲') === 2, 5_000)).toBe(true)
  await Promise.all([earlier, supervisor.restart(['甲', '乙'])])
  expect([startsOf('甲'), startsOf('乙')]).toEqual([3, 2])
  const ended = supervisor.restart(['甲', '乙'])
  await supervisor.stop()
  await ended
  expect(supervisor.status().map(({ state }) => state)).toEqual(['stopped', 'stopped'])
})

test('a command that does not exist is told and tried again, not thrown', async () => {
  const { said } = begin({ name: '丙', command: '/nowhere/at-all', args: [] })
  expect(await waitUntil(() => said.some((text) => text.includes('starting it again')), 5_000)).toBe(true)
  expect(said.join()).toContain('丙 cannot be started')
})

test('children end when the supervisor is killed, even one that ignores SIGTERM', async () => {
  const parent = spawn(process.execPath, [script, 'parent'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pids: number[] = []
  createInterface({ input: parent.stdout }).on('line', (line) => {
    const pid = /起 (?:polite|stubborn) (\d+)/.exec(line)?.[1]
    if (pid) pids.push(Number(pid))
  })
  expect(await waitUntil(() => pids.length === 2, 10_000)).toBe(true)
  parent.kill('SIGKILL')
  expect(await waitUntil(() => pids.every((pid) => !isAlive(pid)), 5_000)).toBe(true)
})

test('one that does not stop is killed in the end', async () => {
  const { supervisor, lines, said } = begin(child('甲', 'stubborn'))
  await supervisor.started
  await waitUntil(() => lines.length === 1, 5_000)
  await supervisor.stop()
  expect(said.join()).toContain('killing it')
})
