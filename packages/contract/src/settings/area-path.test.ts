import { expect, test } from 'vitest'
import { areaPath, areaRoots, renameAreas } from './dictionaries.ts'

/** Yields every division with the names of the divisions that contain it. Towns with the code of their city are shown as the city. */
function* paths(nodes: typeof areaRoots, above?: { code: string; path: string }): Generator<[string, string]> {
  for (const { code, name, children } of nodes) {
    if (code === above?.code) continue
    const path = `${above?.path ?? ''}${name}`
    yield [code, path]
    yield* paths(children ?? [], { code, path })
  }
}
/** Divisions with a wrong path, except codes that several towns have: the last town determines the name. */
const wrong = () =>
  [...Map.groupBy(paths(areaRoots), ([code]) => code)].filter(([code, all]) => all.length === 1 && areaPath(code) !== all[0]?.[1])

test('a place is told with what it stands in, by the names of now', () => {
  expect(wrong()).toEqual([])
  const name = areaRoots.flatMap((root) => root.children ?? []).find((node) => node.code === '420200')?.name ?? ''
  renameAreas({ '420200': '云泽市' })
  expect(areaPath('420200')).toBe('湖北省云泽市')
  expect(areaPath('420202')).toMatch(/^湖北省云泽市./)
  expect(wrong()).toEqual([])
  renameAreas({ '420200': name })
})
