import type { OrgNode } from '@zhugong/contract/organisation/org'
import { expect, test } from 'vitest'
import { flat, landing, optionsOf } from './org-tree.ts'

const node = (id: string, parentId: string | null, children: OrgNode[] = []): OrgNode => ({
  id,
  parentId,
  name: id,
  enable: '1',
  heads: [],
  own: 0,
  people: 0,
  version: 0,
  children,
})
const tree = [node('a', null, [node('b', 'a', [node('d', 'b')]), node('c', 'a')]), node('e', null)]

test.each([
  ['into another, behind those who are there', 'e', 'a', 'in', { parentId: 'a', position: 2 }],
  ['into the one it is in already: to its end', 'b', 'a', 'in', { parentId: 'a', position: 1 }],
  ['before a sister', 'c', 'b', 'before', { parentId: 'a', position: 0 }],
  ['after a sister: its own place does not count', 'b', 'c', 'after', { parentId: 'a', position: 1 }],
  ['to the top', 'd', 'e', 'before', { parentId: null, position: 1 }],
  ['never below itself', 'a', 'd', 'in', undefined],
  ['nor beside one of its own', 'a', 'c', 'after', undefined],
] as const)('a department is let go %s', (_, dragged, over, where, expected) => {
  expect(landing(tree, dragged, over, where)).toEqual(expected)
})

test('what may be chosen as the new place leaves out the branch that moves', () => {
  expect(flat(tree).map((one) => one.id)).toEqual(['a', 'b', 'd', 'c', 'e'])
  expect(JSON.stringify(optionsOf(tree, 'b'))).not.toMatch(/"[bd]"/)
})
