import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { webPage } from './web-page.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'zg-web-'))
})
afterEach(() => rmSync(root, { recursive: true }))
const page = '<html><head><title>筑工</title></head><body></body></html>'

test('the head names the files of an address, however it ends, and of no other', () => {
  writeFileSync(join(root, 'index.html'), page)
  writeFileSync(join(root, 'pages.json'), JSON.stringify({ '/': [], '/tower/monitor': ['assets/tower-1.js', 'assets/tower-1.css'] }))
  const of = webPage(root)
  const named =
    '<link rel="modulepreload" crossorigin href="/assets/tower-1.js"><link rel="preload" as="style" crossorigin href="/assets/tower-1.css"></head>'
  expect(of?.('/tower/monitor')).toContain(named)
  expect(of?.('/tower/monitor/')).toContain(named)
  expect([of?.('/'), of?.('/somewhere'), of?.('/constructor')]).toEqual([page, page, page])
})

test('a web that was built without the list is served as it is; none is none', () => {
  expect(webPage(root)).toBeUndefined()
  writeFileSync(join(root, 'index.html'), page)
  expect(webPage(root)?.('/tower/monitor')).toBe(page)
})
