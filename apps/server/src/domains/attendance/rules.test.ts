import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * The attendance rules are numbered A1 to A82. This test checks that each is tested: the title of a test, or of a line of a test's
 * table, begins with its number.
 */
const last = 82
const domains = join(import.meta.dirname, '..')
const tested = ['attendance', 'labour-alarms', 'prevention']

/** Rules not implemented yet, with the reason. A rule that gets a test must be removed here. */
const notBuilt: Readonly<Record<string, string>> = {}

/** Rule numbers that the titles in a test file begin with: `A12 …`, `A38, A39 …`, `A54-A57 …`. */
function rulesNamed(source: string): string[] {
  return [...source.matchAll(/['"`](A\d+(?:(?:, |-| and )A\d+)*)\b/g)].flatMap(([, named = '']) => {
    const numbers = [...named.matchAll(/A(\d+)/g)].map(([, n]) => Number(n))
    const [from = 0, to = 0] = numbers
    return named.includes('-') ? Array.from({ length: to - from + 1 }, (_, i) => `A${from + i}`) : numbers.map((n) => `A${n}`)
  })
}

test('every rule has a case that bears its number', () => {
  const files = tested.flatMap((domain) => globSync('**/*.test.ts', { cwd: join(domains, domain) }).map((f) => join(domains, domain, f)))
  const named = new Set(files.flatMap((file) => rulesNamed(readFileSync(file, 'utf8'))))
  const all = Array.from({ length: last }, (_, i) => `A${i + 1}`)
  expect(all.filter((rule) => !named.has(rule) && !(rule in notBuilt))).toEqual([])
  expect(Object.keys(notBuilt).filter((rule) => named.has(rule))).toEqual([])
})

test('titles are read as they are written', () => {
  expect(rulesNamed(`test('A38, A39, A52 parts')`)).toEqual(['A38', 'A39', 'A52'])
  expect(rulesNamed(`describe('A54-A57 key posts')`)).toEqual(['A54', 'A55', 'A56', 'A57'])
  expect(rulesNamed(`['A12 007 is no record', 1]`)).toEqual(['A12'])
  expect(rulesNamed(`// A12 is a comment`)).toEqual([])
})
