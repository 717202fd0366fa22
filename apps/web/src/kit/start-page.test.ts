import type { MenuNode } from '@zhugong/contract/access/menu'
import { describe, expect, test } from 'vitest'
import { startOf } from './start-page.ts'

const node = (id: string, path: string | null, children: MenuNode[] = []) =>
  ({ id, title: id, path, menuType: path ? 'MENU' : 'MODULE', children, operator: [], relevance: ['/people/:id'] }) as unknown as MenuNode
const menu = [node('home', null, [node('start', '/main'), node('people', '/people')])]

describe('the page after a login', () => {
  test('is the one somebody chose', () => expect(startOf(menu, '/people')).toBe('/people'))
  test('is the first one when nobody chose', () => expect(startOf(menu, undefined)).toBe('/main'))
  test('is the first one when the chosen page was taken away', () => expect(startOf(menu, '/cranes')).toBe('/main'))
  test('is no record of a list that was open once', () => expect(startOf(menu, '/people/7')).toBe('/main'))
})
