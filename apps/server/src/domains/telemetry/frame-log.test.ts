import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#kit/db'
import { cloneDatabase } from '../../../test/world.ts'
import { blanked, dropOldFrames, FrameLog, type NotedFrame } from './frame-log.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let pool: pg.Pool
beforeAll(async () => {
  clone = await cloneDatabase(inject('postgresUrl'))
  pool = openDatabase(clone.url).pool
})
afterAll(async () => {
  await pool.end()
  await clone.drop()
})

const frame = (identifier: string, result = 'stored', more: Partial<NotedFrame> = {}): NotedFrame => ({
  time: Date.now(),
  identifier,
  protocol: 'mqtt',
  address: '',
  direction: 'up',
  kind: 'telemetry',
  result,
  length: 1,
  body: Buffer.from('x'),
  isText: true,
  ...more,
})
const count = async (where = 'true') =>
  (await pool.query<{ n: number }>(`select count(*)::int as n from device_frame where ${where}`)).rows[0]?.n

test('a storm is thinned, and what was refused keeps its room', async () => {
  const log = new FrameLog()
  for (let i = 0; i < 5_000; i++) log.note(frame(`D${i % 1_000}`))
  for (let i = 0; i < 50; i++) log.note(frame(`BAD${i}`, 'crc'))
  expect(log.wants('another', 'stored')).toBe(false)
  expect(log.wants('another', 'crc')).toBe(true)
  await log.flush(pool)
  expect(await count(`result = 'crc'`)).toBe(50)
  expect(await count(`result = 'stored'`)).toBe(100)
  for (let i = 0; i < 50; i++) log.note(frame('ONE'))
  await log.flush(pool)
  expect(await count(`identifier = 'ONE'`)).toBe(10)
})

test('only the head of a long frame is kept, and characters no text may hold do no harm', async () => {
  const log = new FrameLog()
  log.note(
    frame('LONG', 'stored', { body: Buffer.alloc(100_000, 1), length: 100_000, decoded: { text: 'a\u0000b', big: 'x'.repeat(10_000) } }),
  )
  log.note(frame('ZERO', 'stored', { decoded: { text: 'a\u0000b' } }))
  await log.flush(pool)
  const { rows } = await pool.query(
    `select identifier, octet_length(body) as n, decoded from device_frame where identifier in ('LONG', 'ZERO') order by 1`,
  )
  expect(rows).toMatchObject([
    { n: 1024, decoded: null },
    { n: 1, decoded: { text: expect.stringContaining('a') } },
  ])
})

test('after a day, and beyond two thousand of one device, frames go', async () => {
  await pool.query(
    `insert into device_frame (id, time, identifier, protocol, direction, kind, result, length, body, is_text)
     select 'o' || i, now() - interval '25 hours', 'OLD', 'mqtt', 'up', 'x', 'stored', 0, ''::bytea, true from generate_series(1, 10) i
     union all select 'm' || i, now() - i * interval '1 second', 'MANY', 'mqtt', 'up', 'x', 'stored', 0, ''::bytea, true from generate_series(1, 2500) i`,
  )
  await dropOldFrames(pool, Date.now())
  expect(await count(`identifier = 'OLD'`)).toBe(0)
  expect(await count(`identifier = 'MANY'`)).toBe(2_000)
})

test.each([
  ['QN=1;ST=39;CN=2011;PW=123456;MN=A', 'QN=1;ST=39;CN=2011;PW=***;MN=A'],
  ['PW=123456;MN=A', 'PW=***;MN=A'],
  ['CP=&&NewPW=abc&&', 'CP=&&NewPW=***&&'],
  ['{"password":"a\\"b","load":3}', '{"password":"***","load":3}'],
  ['{"appSecret" : "x"}', '{"appSecret" : "***"}'],
  ['{"load":3}', '{"load":3}'],
])('%s', (text, shown) => {
  expect(blanked(text)).toBe(shown)
})
