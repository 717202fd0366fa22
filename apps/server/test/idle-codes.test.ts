import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { permissionModules } from '@zhugong/contract/access/codes'
import { moduleOfFamily } from '@zhugong/contract/exports/codes'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/**
 * Rights that open nothing yet: what they are for is not built. A role that holds one has nothing of it, so the list only gets shorter:
 * whoever builds one of these asks for its code and takes it out here.
 */
const idle: string[] = []

test('every right opens something, but for those that are named', () => {
  const asks = globSync(['packages/contract/src/**/*.ts', 'apps/{server,web}/src/**/*.{ts,tsx}'], { cwd: root })
    // What declares codes, gives them or tries them does not ask for them.
    .filter((path) => !/access\/(codes|delivered-roles)\.ts$|\.test\.tsx?$|src\/demo\/|contract\/src\/apps\/catalogue/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const asked = new Set([...asks.matchAll(/['"`]([a-zA-Z-]+\.[a-zA-Z-]+)['"`]/g)].map(([, code]) => code))
  // Lists of a module ask for its export code by the module's name.
  const exported = [...Object.values(moduleOfFamily), ...[...asks.matchAll(/both\('([\w-]+)'\)/g)].map(([, module]) => module)]
  for (const module of exported) asked.add(`${module}.export`)
  const all = permissionModules.flatMap(({ permissions }) => permissions.map(({ code }) => code))
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter((code) => !asked.has(code)).sort()).toEqual(idle)
})
