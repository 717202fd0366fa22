import { expect, test } from 'vitest'
import { z } from 'zod'
import { rowOf } from './row-of.ts'

const team = z.object({
  id: z.string(),
  name: z.string(),
  leader: z.string().nullable(),
  remark: z.string().optional(),
  since: z.string(),
})
const raw = { id: 't1', name: '钢筋一班', leader: null as string | null, remark: null as string | null, since: new Date(0), secret: 'x' }

test('a row has the keys of the contract, from the raw row unless it is given', () => {
  const row = rowOf(team, raw, { since: '1970-01-01', name: '钢筋二班' })
  // Keys that the contract does not declare are dropped; null becomes undefined where the contract does not allow null.
  expect(row).toStrictEqual({ id: 't1', leader: null, remark: undefined, since: '1970-01-01', name: '钢筋二班' })
})

test('a key without a value, or of another type, does not compile', () => {
  const { name: _, ...nameless } = raw
  // @ts-expect-error: neither the raw row nor `own` has `name`
  rowOf(team, nameless, { since: '1970-01-01' })
  // @ts-expect-error: `since` is a Date
  rowOf(team, raw, {})
  // @ts-expect-error: the contract does not declare `secret`
  rowOf(team, raw, { since: '1970-01-01', secret: 'x' })
  const { remark: __, ...silent } = raw
  // @ts-expect-error: an optional key must be omitted explicitly
  rowOf(team, silent, { since: '1970-01-01' })
  expect(rowOf(team, silent, { since: '1970-01-01', remark: undefined }).remark).toBeUndefined()
})
