import { expect, test } from 'vitest'
import { allPages } from './routes.ts'

test('paths and names are unique', () => {
  const paths = allPages.flatMap((entry) => [entry.path, ...(entry.aliases ?? [])])
  expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([])
  const names = allPages.map((entry) => entry.name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

test('parents and redirects exist', () => {
  const known = new Set(allPages.map((entry) => entry.path))
  for (const { path, parent, redirect } of allPages) {
    if (parent) expect(known, `${path} in ${parent}`).toContain(parent)
    if (redirect) expect(known, `${path} to ${redirect}`).toContain(redirect)
  }
})

test('public pages are never kept behind the frame', () => {
  for (const entry of allPages) if (entry.auth === 'public' || entry.auth === 'top') expect(entry.parent, entry.path).toBeUndefined()
})
