import { afterEach, expect, test } from 'vitest'
import { type TaskOptions, ThreadPool } from './pool.ts'

const tasks = new URL('./tasks-for-test.ts', import.meta.url)
const open: ThreadPool[] = []
const pool = (threads = 2, waitingPerGroup = 2) => {
  const one = new ThreadPool({ threads, waitingPerGroup, waiting: 4, memoryMb: 64, idleMs: 60_000 })
  open.push(one)
  return one
}
afterEach(async () => void (await Promise.all(open.splice(0).map((p) => p.close()))))

const options = (more: Partial<TaskOptions> = {}): TaskOptions => ({ group: 'a', timeLimitMs: 60_000, tooLong: '太久', ...more })
const forever = { kind: 'spin', ms: 60_000 }

test('what a task answers, refuses or fails with comes back as it is', async () => {
  const one = pool()
  expect(await one.run(tasks, { kind: 'echo', value: { a: [1, null] } }, options())).toEqual({ a: [1, null] })
  await expect(one.run(tasks, { kind: 'refuse' }, options())).rejects.toMatchObject({
    kind: 'invalidInput',
    message: '不行',
    detail: { field: 'x' },
  })
  await expect(one.run(tasks, { kind: 'fail' }, options())).rejects.toThrow('broken')
  expect(await one.run(tasks, { kind: 'echo', value: 'still there' }, options())).toBe('still there')
})

test('a task that takes too long or too much memory is ended, and the next one is done', async () => {
  const one = pool(1)
  await expect(one.run(tasks, forever, options({ timeLimitMs: 300 }))).rejects.toMatchObject({ kind: 'refused', message: '太久' })
  await expect(one.run(tasks, { kind: 'grow' }, options())).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('数据量过大'),
  })
  expect(await one.run(tasks, { kind: 'echo', value: 1 }, options())).toBe(1)
})

test('one group does not keep another waiting: its own tasks queue up, and too many are refused', async () => {
  const one = pool(2, 1)
  const gone = new AbortController()
  const running = one.run(tasks, forever, options({ signal: gone.signal }))
  const waiting = one.run(tasks, forever, options({ signal: gone.signal }))
  await expect(one.run(tasks, forever, options())).rejects.toMatchObject({ kind: 'tooMany', message: expect.stringContaining('稍后再试') })
  expect(await one.run(tasks, { kind: 'echo', value: 'b' }, options({ group: 'b' }))).toBe('b')
  gone.abort()
  await expect(running).rejects.toMatchObject({ message: '请求已取消' })
  await expect(waiting).rejects.toMatchObject({ message: '请求已取消' })
  expect(await one.run(tasks, { kind: 'echo', value: 'a' }, options())).toBe('a')
})

test('groups take turns', async () => {
  const one = pool(1, 4)
  const order: string[] = []
  const task = (group: string) => one.run(tasks, { kind: 'spin', ms: 30 }, options({ group })).then(() => order.push(group))
  await Promise.all([task('a'), task('a'), task('a'), task('b')])
  expect(order.indexOf('b')).toBe(1)
})

test('pieces are made when they are asked for, and no more once the task is over', async () => {
  const one = pool()
  let closed = 0
  async function* numbers(upTo: number) {
    try {
      for (let n = 1; n <= upTo; n++) yield n
    } finally {
      closed++
    }
  }
  expect(await one.run(tasks, { kind: 'sum' }, options({ pieces: numbers(100) }))).toBe(5050)
  async function* broken() {
    yield 1
    throw new Error('the source is gone')
  }
  await expect(one.run(tasks, { kind: 'sum' }, options({ pieces: broken() }))).rejects.toThrow('the source is gone')
  expect(await one.run(tasks, { kind: 'echo', value: 1 }, options())).toBe(1)
  expect(closed).toBe(1)
})
