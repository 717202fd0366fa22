import { expect, test } from 'vitest'
import { keptOf } from './function-tree.tsx'

test('a role that is only read is marked whole, in part and not at all, on every level', () => {
  const leaf = (code: string) => ({ key: `/a#${code}`, title: code, codes: [code] })
  const menu = { key: '/a', title: 'a', codes: ['x.view', 'x.edit'], children: [leaf('x.view'), leaf('x.edit')] }
  const app = { key: 'app:1', title: 'one', codes: menu.codes, children: [menu] }
  expect(keptOf([app], new Set(['x.view', 'x.edit']))).toEqual({ checked: ['app:1', '/a', '/a#x.view', '/a#x.edit'], halfChecked: [] })
  expect(keptOf([app], new Set(['x.view']))).toEqual({ checked: ['/a#x.view'], halfChecked: ['app:1', '/a'] })
  expect(keptOf([app], new Set())).toEqual({ checked: [], halfChecked: [] })
})
