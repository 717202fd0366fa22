import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * `statements.json` lists what the product promises. A test that would fail if a statement were broken has its `[id]` in its title. Statements about
 * pages not built yet are marked `notBuilt` (with the text `npm test` prints) and have no test.
 */
interface Statement {
  id: string
  statement: string
  notBuilt?: string
}
const root = join(import.meta.dirname, '../../..')
const statements = JSON.parse(readFileSync(join(import.meta.dirname, 'statements.json'), 'utf8')) as Statement[]

const idIn = /\[([a-z0-9]+(?:-[a-z0-9]+)+)\]/g
/** Matches test titles: the first string after the bracket of the call or of its table. */
const nameIn = /\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`),/g

const files = globSync(['{apps,packages}/*/{src,test}/**/*.test.{ts,tsx}', 'e2e/*.test.ts'], { cwd: root })
const named = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(nameIn)].flatMap(([, single, double, template]) => {
    const name = single ?? double ?? template ?? ''
    return [...name.matchAll(idIn)].map(([, id = '']) => ({ id, at: `${file}: [${id}] in “${name}”` }))
  }),
)

test('every id is given once', () => {
  const ids = statements.map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

test('no test names a statement that is not there', () => {
  const known = new Set(statements.map(({ id }) => id))
  expect(files.length).toBeGreaterThan(100)
  // If this fails: correct the id, or add the statement to test/statements.json.
  expect(named.flatMap(({ id, at }) => (known.has(id) ? [] : [at]))).toEqual([])
})

test('every statement is named by a test, or not built with a reason, and never both', () => {
  const ids = new Set(named.map(({ id }) => id))
  const missing = statements.filter(({ id, notBuilt }) => notBuilt === undefined && !ids.has(id))
  // If this fails: write a test that fails if the statement is broken, with the id in its title.
  expect(missing.map(({ id }) => id)).toEqual([])
  // If this fails: the statement is tested, so remove `notBuilt` in test/statements.json.
  expect(statements.filter(({ id, notBuilt }) => notBuilt !== undefined && ids.has(id)).map(({ id }) => id)).toEqual([])
  for (const { id, notBuilt } of statements) if (notBuilt !== undefined) expect(notBuilt, id).toMatch(/尚未建成/)
})
