import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('a strip waits for its data: where the call failed it makes no claim of zeros, which `isPending` alone would let it', () => {
  const shown = globSync('**/*.tsx', { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/<FigureStrip\b[\s\S]{0,400}?\bloading=\{([^}]*)\}/g)].map(([, loading = '']) => ({
      path,
      loading,
    })),
  )
  expect(shown.length).toBeGreaterThan(50)
  expect(shown.filter(({ loading }) => loading.includes('isPending'))).toEqual([])
})
