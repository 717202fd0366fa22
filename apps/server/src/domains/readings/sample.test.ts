import { expect, test } from 'vitest'
import { readTime } from './sample.ts'

test.each<[string, unknown, string | undefined]>([
  ['milliseconds', 1_790_000_000_000, '2026-09-21T14:13:20.000Z'],
  ['seconds are no milliseconds', 1_790_000_000, undefined],
  ['without a zone: China', '2026-11-21 08:30:00', '2026-11-21T00:30:00.000Z'],
  ['with a zone', '2026-11-21T08:30:00+00:00', '2026-11-21T08:30:00.000Z'],
  ['a leap day', '2028-02-29 08:00:00', '2028-02-29T00:00:00.000Z'],
  ['no leap day', '2026-02-29 08:00:00', undefined],
  ['31 February is not carried over', '2026-02-31T10:00:00+08:00', undefined],
  ['31 April', '2026-04-31 10:00:00', undefined],
  ['month 13', '2026-13-01 10:00:00', undefined],
  ['only a day', '2026-11-21', undefined],
  ['words', 'yesterday', undefined],
])('time of a device: %s', (_name, raw, at) => {
  const read = readTime(raw)
  expect(read === undefined ? undefined : new Date(read).toISOString()).toBe(at)
})
