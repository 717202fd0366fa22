import { mkdirSync } from 'node:fs'
import { logIn, openBrowser, visit } from './browser.ts'
import { Product } from './product.ts'
const [folder, ...specs] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const product = await Product.start({ simulator: true })
const browser = await openBrowser()
const byAccount = Map.groupBy(specs.map((s) => s.split('|')), (s) => s[0])
for (const [account, list] of byAccount) {
  const v = await visit(browser, product.demo)
  await logIn(v, product.demo, account)
  for (const [, path, width = '1440', wait = '2500'] of list) {
    await v.page.setViewportSize({ width: Number(width), height: 900 })
    const sample = product.demo.samples[path] ?? ''
    await v.go(path + sample)
    await v.page.waitForTimeout(Number(wait))
    await v.page.screenshot({ path: `${folder}/${account}-${path.replaceAll('/', '_')}-${width}.png` })
  }
  console.log(account, v.trouble())
  await v.close()
}
await browser.close()
await product.remove()
