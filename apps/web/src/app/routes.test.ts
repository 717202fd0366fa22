import { expect, test } from 'vitest'
import { allPages, findPage } from './routes.ts'

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

// Every address written in the sources, whichever way it is used there.
const sources = import.meta.glob<string>(['../**/*.tsx', '../**/*.ts', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('every link of the product leads to a page of it', () => {
  const link = /(?:\bto="|\bto=\{?[`']|hrefOf\([`']|\bgo\([`']|navigate\([`']|\bhref: [`'])(\/[\w./-]*)/g
  const lost: string[] = []
  for (const [file, text] of Object.entries(sources)) {
    for (const line of text.split('\n')) {
      if (/^\s*(\*|\/\/|\/\*\*)/.test(line)) continue
      for (const [, path = ''] of line.matchAll(link)) {
        // Where an id is put in, the pattern's page is meant.
        if (!findPage(path) && !findPage(path.endsWith('/') ? `${path}x` : path)) lost.push(`${file}: ${path}`)
      }
    }
  }
  expect(lost).toEqual([])
})
