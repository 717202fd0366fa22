import { expect, test } from 'vitest'
import { bodyLimits, RequestTurns, type TurnLimits } from './request-turns.ts'

const limits: TurnLimits = {
  perAccount: 2,
  perAccountInCompany: 2,
  companyMs: 60_000,
  spentMs: Number.POSITIVE_INFINITY,
  restPerMs: 3,
  waitingPerAccount: 3,
  inAll: 3,
}

/** Requests that the test ends explicitly, and the order in which they started. */
function site(more: Partial<TurnLimits> = {}) {
  const turns = new RequestTurns({ ...limits, ...more })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (account: string, name: string, signal?: AbortSignal) =>
    turns.run(
      account,
      () => {
        begun.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      },
      signal,
    )
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  return { ask, end, begun, settled }
}

test('an account has a few requests under way, the next ones wait for them, and too many are refused', async () => {
  const { ask, end, begun, settled } = site()
  const requested = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask('a', name))
  await settled()
  expect(begun).toEqual(['a1', 'a2'])
  await expect(ask('a', 'a6')).rejects.toMatchObject({ kind: 'tooMany', message: expect.stringContaining('请等前面的完成') })
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'a3'])
  for (const name of ['a1', 'a3', 'a4', 'a5']) await end(name)
  expect(await Promise.all(requested)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
})

test('in company an account has fewer at a time than alone', async () => {
  const { ask, end, begun, settled } = site({ perAccountInCompany: 1, inAll: 9 })
  const alone = [ask('a', 'a1'), ask('a', 'a2')]
  await settled()
  expect(begun).toEqual(['a1', 'a2'])
  const other = ask('b', 'b1')
  const later = [ask('a', 'a3'), ask('a', 'a4')]
  for (const name of ['a1', 'b1']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const name of ['a3', 'a4']) await end(name)
  await Promise.all([...alone, other, ...later])
})

test('one that asks all the time does not stand before another', async () => {
  const { ask, end, begun, settled } = site({ inAll: 2 })
  const requested = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('a', 'a4'), ask('b', 'b1'), ask('c', 'c1')]
  await settled()
  expect(begun).toEqual(['a1', 'a2'])
  await end('a1')
  await end('a2')
  expect(begun.slice(2).sort()).toEqual(['b1', 'c1'])
  for (const name of ['b1', 'c1', 'a3', 'a4']) await end(name)
  await Promise.all(requested)
})

test('a turn comes back however a request ends, and who has left is not waited for', async () => {
  const { ask, end, begun, settled } = site({ perAccount: 1 })
  const turns = new RequestTurns({ ...limits, perAccount: 1 })
  await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turns.run('a', async () => 'again')).toBe('again')
  const gone = new AbortController()
  const first = ask('a', 'a1')
  const left = ask('a', 'a2', gone.signal)
  const third = ask('a', 'a3')
  gone.abort()
  await expect(left).rejects.toMatchObject({ message: '请求已取消' })
  await end('a1')
  await settled()
  expect(begun).toEqual(['a1', 'a3'])
  await end('a3')
  await Promise.all([first, third])
})

test('a turn that was entered lasts until it is left; who waited goes on then', async () => {
  const turns = new RequestTurns({ ...bodyLimits, perAccount: 1, perAccountInCompany: 1 })
  const leave = await turns.enter('a')
  let entered = false
  const second = turns.enter('a').then((left) => {
    entered = true
    return left
  })
  const other = await turns.enter('b')
  await new Promise((resolve) => setImmediate(resolve))
  expect(entered).toBe(false)
  leave()
  ;(await second)()
  other()
  expect(entered).toBe(true)
})

test('who has used up a lot rests between his requests while others are there, and only then', async () => {
  const turns = new RequestTurns({ ...limits, spentMs: 20, restPerMs: 4 })
  const work = (name: string, ms: number) =>
    turns.run(name, () => new Promise<number>((resolve) => setTimeout(() => resolve(performance.now()), ms)))
  await work('b', 1)
  const over = await work('a', 60)
  await work('b', 1)
  const next = await turns.run('a', async () => performance.now())
  expect(next - over).toBeGreaterThanOrEqual(4 * 59)
  const alone = new RequestTurns({ ...limits, spentMs: 20, restPerMs: 1_000, companyMs: 0 })
  await alone.run('a', () => new Promise((resolve) => setTimeout(resolve, 40)))
  const begun = performance.now()
  await alone.run('a', async () => undefined)
  expect(performance.now() - begun).toBeLessThan(9_000)
})

test('where everybody’s work takes long, nobody rests for it', async () => {
  const turns = new RequestTurns({ ...limits, spentMs: 20, restPerMs: 1_000 })
  const work = (name: string) => turns.run(name, () => new Promise((resolve) => setTimeout(resolve, 40)))
  for (const name of ['a', 'b', 'a', 'b']) await work(name)
  const begun = performance.now()
  await work('a')
  expect(performance.now() - begun).toBeLessThan(9_000)
})
