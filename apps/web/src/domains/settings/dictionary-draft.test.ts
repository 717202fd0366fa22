import type { ArrangedEntry } from '@zhugong/contract/settings/own-dictionaries'
import { expect, test } from 'vitest'
import { draftDifferences, draftOf, moved, wishOf } from './dictionary-draft.ts'

const entry = (code: string, more: Partial<ArrangedEntry> = {}): ArrangedEntry => ({
  code,
  name: `第${code}项`,
  parent: null,
  fromName: null,
  own: false,
  off: false,
  offBy: null,
  ...more,
})
const items = [entry('1'), entry('2', { off: true, offBy: '平台' }), entry('3'), entry('X1', { own: true, fromName: '本组' })]

test('what is left as it was says nothing of order, and never what somebody above has switched off', () => {
  expect(wishOf(items, draftOf(items), false)).toEqual({
    order: [],
    off: [],
    own: [{ code: 'X1', name: '第X1项', parent: null, off: false }],
  })
  expect(draftDifferences(items, draftOf(items))).toEqual([])
})

test('moved, switched off and added, as it is told and as it is sent', () => {
  const rows = moved(draftOf(items), '3', -1).map((row) => (row.code === '1' ? { ...row, off: true } : row))
  rows.push({ ...entry('', { own: true, name: ' 新项 ' }), key: 'new', code: null })
  const wish = wishOf(items, rows, false)
  expect(wish.order).toEqual(['1', '3', '2', 'X1'])
  expect(wish.off).toEqual(['1'])
  expect(wish.own.at(-1)).toEqual({ code: null, name: '新项', parent: null, off: false })
  expect(draftDifferences(items, rows).map(({ label, after }) => `${label}=${after}`)).toEqual([
    '第1项=停用',
    '新增条目= 新项 ',
    '顺序=新顺序',
  ])
  expect(moved(rows, '1', -1)).toEqual(rows)
})
