import type { MenuNode } from '@zhugong/contract/access/menu'
import { describe, expect, test } from 'vitest'
import { stillAvailable, usedAgain, withPinned } from './used-pages.ts'

describe('pages that were used last', () => {
  test('one used again comes to the front once, the ninth gives way', () => {
    let used: string[] = []
    for (const path of ['/a', '/b', '/c', '/a']) used = usedAgain(used, path)
    expect(used).toEqual(['/a', '/c', '/b'])
    for (let n = 0; n < 7; n++) used = usedAgain(used, `/${n}`)
    expect(used).toHaveLength(8)
    expect(used.at(-1)).toBe('/a')
  })

  test('what is pinned stands first and is never pushed out', () => {
    expect(withPinned(['/p'], ['/a', '/p', '/b'])).toEqual(['/p', '/a', '/b'])
    const used = Array.from({ length: 8 }, (_, n) => `/${n}`)
    expect(withPinned(['/p', '/q'], used)).toHaveLength(8)
    expect(withPinned([...used, '/p'], ['/x'])).toEqual([...used, '/p'])
  })

  test('a page that the menu does not offer any more is left out', () => {
    const page = (path: string): MenuNode => ({
      id: path,
      name: path,
      title: path,
      menuType: 'MENU',
      path,
      operator: [],
      relevance: ['/related'],
      children: [],
    })
    expect(stillAvailable([page('/a'), page('/b')], ['/gone', '/b', '/related', '/a']).map((one) => one.path)).toEqual(['/b', '/a'])
  })
})
