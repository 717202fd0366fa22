import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { openTabs } from './browser.ts'

/** Saves screenshots of open pages when a test fails, because the error of a locator says little about what was visible. */
const folder = join(import.meta.dirname, '../.cache/failed-pages')
/** Only the newest tabs. */
const most = 6
const patienceMs = 5_000

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  mkdirSync(folder, { recursive: true })
  const name = task.name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)
  const tabs = [...openTabs].filter((page) => !page.url().endsWith('/404') && page.url() !== 'about:blank').slice(-most)
  for (const [i, page] of tabs.entries()) {
    const path = join(folder, `${name}-${i + 1}.png`)
    await page.screenshot({ path, timeout: patienceMs }).then(
      () => console.log(`${page.url()} as it stood: ${path}`),
      () => undefined,
    )
  }
})
