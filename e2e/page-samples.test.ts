import { expect, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { needNoSample, samples, showsOneRecord } from './page-samples.ts'

// Imported by a computed path, so that the web sources are type-checked in their own project only.
const registry = new URL('../apps/web/src/app/routes.ts', import.meta.url).href
const { allPages } = (await import(registry)) as { allPages: readonly PageEntry[] }
const paths = allPages.filter(({ auth }) => auth !== 'public').map(({ path }) => path)

test('every page of one record names a record to open it with', () => {
  const bare = paths.filter((path) => showsOneRecord(path) && !(path in samples) && !(path in needNoSample))
  expect(bare, 'name a call that finds one in e2e/page-samples/<domain>.ts, or in `needNoSample` there the reason').toEqual([])
})

test('no record is named for a page that is gone', () => {
  const gone = [...Object.keys(samples), ...Object.keys(needNoSample)].filter((path) => !paths.includes(path))
  expect(gone, 'remove it from e2e/page-samples/').toEqual([])
})
