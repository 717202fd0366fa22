import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { permissionModules } from '@zhugong/contract/access/codes'
import { moduleOfFamily } from '@zhugong/contract/exports/codes'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/**
 * Permission codes that no call uses yet, because their function is not built. The list may only get shorter: when a function is built, its code is
 * required by a call and removed here.
 */
const idle: string[] = []

test('every right opens something, but for those that are named', () => {
  const asks = globSync(['packages/contract/src/**/*.ts', 'apps/{server,web}/src/**/*.{ts,tsx}'], { cwd: root })
    // Files that declare, grant or test codes do not count as uses.
    .filter(
      (path) => !/access\/(codes|delivered-roles)\.ts$|\.test\.tsx?$|\.fixtures\.ts$|src\/demo\/|contract\/src\/apps\/catalogue/.test(path),
    )
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const wanted = new Set([...asks.matchAll(/['"`]([a-zA-Z-]+\.[a-zA-Z-]+)['"`]/g)].map(([, code]) => code))
  // Export codes are formed from the module's name.
  const exported = [...Object.values(moduleOfFamily), ...[...asks.matchAll(/both\('([\w-]+)'\)/g)].map(([, module]) => module)]
  for (const module of exported) wanted.add(`${module}.export`)
  const all = permissionModules.flatMap(({ permissions }) => permissions.map(({ code }) => code))
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter((code) => !wanted.has(code)).sort()).toEqual(idle)
})
