import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logIn, openBrowser, visit } from './browser.ts'
import { Product } from './product.ts'

/** Generates docs/screenshots from a fresh demonstration: `node e2e/shots.ts`. */
const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/screenshots')
mkdirSync(folder, { recursive: true })
/** Long enough for charts to fill and for a crane to have moved. */
const settleMs = 20_000

const product = await Product.start({ simulator: true })
const { demo } = product
const browser = await openBrowser()
const stranger = await visit(browser, demo)
await stranger.go('/login')
await stranger.page.screenshot({ path: join(folder, 'login.png') })
await stranger.close()

const visitor = await visit(browser, demo)
await logIn(visitor, demo, 'hospital-pm')
await visitor.page.waitForTimeout(settleMs)
const shots: [name: string, path: string][] = [
  ['home', '/main'],
  ['list', '/personList'],
  ['form', '/personListEdit'],
  ['detail', `/personnelSystem/info/certificate${demo.samples['/personnelSystem/info/certificate'] ?? ''}`],
  ['live', '/tower/monitor'],
  ['attendance', '/attendance'],
  ['alarm', '/alarm/record'],
]
for (const [name, path] of shots) {
  await visitor.go(path)
  await visitor.page.waitForTimeout(2_500)
  await visitor.page.screenshot({ path: join(folder, `${name}.png`) })
}
const office = await visit(browser, demo)
await logIn(office, demo, 'bj-zhao')
await office.page.waitForTimeout(2_500)
await office.page.screenshot({ path: join(folder, 'government.png') })
await browser.close()
await product.remove()
