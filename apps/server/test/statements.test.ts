import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * `statements.json` says what the product promises, one line each. A test that would break when a statement did names it as `[id]` in
 * its own name; `npm test` lists the statements nobody names.
 */
const root = join(import.meta.dirname, '../../..')
const statements = JSON.parse(readFileSync(join(import.meta.dirname, 'statements.json'), 'utf8')) as { id: string; statement: string }[]

const named = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:(?!\1).)*)\1/gs
const idIn = /\[([a-z0-9]+(?:-[a-z0-9]+)+)\]/g

test('every id is given once', () => {
  const ids = statements.map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

test('no test names a statement that is not there', () => {
  const known = new Set(statements.map(({ id }) => id))
  const files = globSync(['{apps,packages}/*/{src,test}/**/*.test.{ts,tsx}', 'e2e/*.test.ts'], { cwd: root })
  expect(files.length).toBeGreaterThan(100)
  const lost = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(named)].flatMap(([, , name = '']) =>
      [...name.matchAll(idIn)].flatMap(([, id = '']) => (known.has(id) ? [] : [`${file}: [${id}] in “${name}”`])),
    ),
  )
  // Spell the id as in test/statements.json, or add the statement there.
  expect(lost).toEqual([])
})
