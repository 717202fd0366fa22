import { expect, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { needNoSample, samples, showsOneRecord } from './page-samples.ts'

// Named at run time, so that the web's sources are checked by its own project alone.
const registry = new URL('../apps/web/src/app/routes.ts', import.meta.url).href
const { allPages } = (await import(registry)) as { allPages: readonly PageEntry[] }
const paths = allPages.filter(({ auth }) => auth !== 'public').map(({ path }) => path)

test('every page of one record names a record to open it with', () => {
  const bare = paths.filter((path) => showsOneRecord(path) && !(path in samples) && !(path in needNoSample))
  // Say in e2e/page-samples.ts which call names one, or in needNoSample why it needs none.
  expect(bare).toEqual([])
})

test('no record is named for a page that is gone', () => {
  expect([...Object.keys(samples), ...Object.keys(needNoSample)].filter((path) => !paths.includes(path))).toEqual([])
})
