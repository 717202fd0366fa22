import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * `statements.json` says what the product promises, one line each. A test that would break when a statement did names it as `[id]` in
 * its own name. What belongs to pages that are not there yet says so (`notBuilt`, in the words `npm test` prints) and is named by no test.
 */
interface Statement {
  id: string
  statement: string
  notBuilt?: string
}
const root = join(import.meta.dirname, '../../..')
const statements = JSON.parse(readFileSync(join(import.meta.dirname, 'statements.json'), 'utf8')) as Statement[]

const idIn = /\[([a-z0-9]+(?:-[a-z0-9]+)+)\]/g
/** Texts that begin where a test's name does: after the call's bracket, that of its table's end included. */
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
  // Spell the id as in test/statements.json, or add the statement there.
  expect(named.flatMap(({ id, at }) => (known.has(id) ? [] : [at]))).toEqual([])
})

test('every statement is named by a test, or not built with a reason, and never both', () => {
  const ids = new Set(named.map(({ id }) => id))
  const missing = statements.filter(({ id, notBuilt }) => notBuilt === undefined && !ids.has(id))
  // Write a test that breaks when the statement does, and put the id into its name.
  expect(missing.map(({ id }) => id)).toEqual([])
  // What is tested is built: take `notBuilt` out of test/statements.json.
  expect(statements.filter(({ id, notBuilt }) => notBuilt !== undefined && ids.has(id)).map(({ id }) => id)).toEqual([])
  for (const { id, notBuilt } of statements) if (notBuilt !== undefined) expect(notBuilt, id).toMatch(/尚未建成/)
})
