import { expect, test } from 'vitest'
import { phoneColumns } from './phone-rows.tsx'

const column = (key: string, locked = false) => ({ key, locked })
const keys = ({ head, below }: ReturnType<typeof phoneColumns>) => [head.map((c) => c.key), below.map((c) => c.key)]

test('what stands before the name belongs to the head, and the rest follows in its order', () => {
  expect(keys(phoneColumns([column('level'), column('label', true), column('device'), column('state')]))).toEqual([
    ['level', 'label'],
    ['device', 'state'],
  ])
})

test('a name far to the right is fetched; without one the first column names the row', () => {
  expect(keys(phoneColumns([column('a'), column('b'), column('c'), column('name', true)]))).toEqual([
    ['a', 'name'],
    ['b', 'c'],
  ])
  expect(keys(phoneColumns([column('a'), column('b')]))).toEqual([['a'], ['b']])
})

test('a row stays short', () => {
  const many = Array.from({ length: 20 }, (_, i) => column(`c${i}`))
  expect(phoneColumns(many).below.length).toBeLessThanOrEqual(7)
})

test('the state at the end of a wide table is not cut off', () => {
  const wide = [column('name', true), ...Array.from({ length: 12 }, (_, i) => column(`c${i}`)), { ...column('state'), keeps: true }]
  const { below } = phoneColumns(wide)
  expect(below.map((c) => c.key)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'state'])
})
