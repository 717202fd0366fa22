import { panelKeys, panelOf } from '@zhugong/contract/screens/catalogue'
import { layoutFaults, screenLevels } from '@zhugong/contract/screens/model'
import { describe, expect, test } from 'vitest'
import { beginning, emptyCells, emptyPage, faultsOf, firstFree, moved, onPage, resized, withPanel } from './arrange.ts'

const body = (level = 1) => {
  const made = beginning(level, 'blank')
  if (!made) throw new Error('no beginning')
  return made
}

describe('arranging a wall', () => {
  test.each(screenLevels)('a new template of level %d can be saved as it begins, blank or from the standard', (level) => {
    for (const from of ['blank', 'standard'] as const) {
      const made = beginning(level, from)
      expect(made && faultsOf(level, made)).toEqual([])
    }
  })

  test('every panel of the catalogue is put where it is free, at a size it may have, until the page is full', () => {
    for (const key of panelKeys) {
      const level = panelOf(key)?.levels[0] ?? 1
      let at = onPage(body(level), 0, (page) => ({ ...page, panels: [] }))
      let count = 0
      for (let next = withPanel(at, 0, key); next; next = withPanel(at, 0, key)) {
        at = next.body
        count++
        expect([key, layoutFaults(level, at)]).toEqual([key, []])
      }
      expect([key, count > 0]).toEqual([key, true])
      expect(firstFree(at.pages[0]?.panels ?? [], key)).toBeUndefined()
    }
  })

  test('a panel stays on the canvas however far it is moved, and within the sizes of its kind', () => {
    const panel = { uid: 'p1', panelKey: 'kpiStrip', x: 2, y: 0, w: 4, h: 1, params: {} }
    expect(moved(panel, { x: 9, y: 9 })).toMatchObject({ x: 4, y: 5 })
    expect(moved(panel, { x: -9, y: -9 })).toMatchObject({ x: 0, y: 0 })
    expect(resized(panel, { x: 9, y: 9 })).toMatchObject({ w: 6, h: 1 })
    expect(resized(panel, { x: -9, y: -9 })).toMatchObject({ w: 3, h: 1 })
  })

  test('faults name their page and panel: what lies over another, what the level has not, a page without panels', () => {
    const double = onPage(body(), 0, (page) => ({
      ...page,
      panels: [...page.panels, { uid: 'p2', panelKey: 'sitePlan', x: 2, y: 0, w: 4, h: 4, params: {} }],
    }))
    expect(faultsOf(1, double).map(({ page, uid }) => [page, uid])).toEqual([
      [0, 'p2'],
      [0, 'p2'],
    ])
    const second = { ...body(), pages: [...body().pages, emptyPage('第 2 页')] }
    expect(faultsOf(1, second)).toEqual([{ page: 1, uid: undefined, message: '每页至少一个面板' }])
    expect(emptyCells(second.pages[1] ?? emptyPage(''))).toBe(48)
  })
})
