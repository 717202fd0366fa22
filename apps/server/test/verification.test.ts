import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/verification.md'), 'utf8')
/** A file in backquotes, with the titles of tests after a colon. */
const named = [...page.matchAll(/`((?:apps|test|src|e2e)\/[\w/.-]+\.ts)`(?:: ((?:“[^”]+(?:”, )?)+)”)?/g)].map(([, path = '', names]) => ({
  path: path.startsWith('apps/') || path.startsWith('e2e/') ? path : `apps/server/${path}`,
  names: names?.split('”, ').map((name) => name.slice(1)) ?? [],
}))
const scripts = Object.keys((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts)

test('every file, test, variable and command the page of verification names is there', () => {
  expect(named.length).toBeGreaterThan(40)
  expect(named.flatMap(({ names }) => names).length).toBeGreaterThan(30)
  const texts = new Map(named.map(({ path }) => [path, existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined]))
  expect([...texts].filter(([, text]) => text === undefined).map(([path]) => path)).toEqual([])
  const missing = named.flatMap(({ path, names }) =>
    names.filter((name) => !texts.get(path)?.includes(name)).map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
  const said = [...texts.values()].join('\n')
  const variables = [...page.matchAll(/`([A-Z]+_[A-Z]+)(?:=\d+)?`/g)].map(([, name = '']) => name).filter((name) => name !== 'SOAK_MINUTES')
  expect(variables.filter((name) => !said.includes(name))).toEqual([])
  const commands = [...page.matchAll(/`npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(commands.filter((name) => !scripts.includes(name))).toEqual([])
})
