import { openBrowser, visit, logIn } from './browser.ts'
import { readFileSync } from 'node:fs'
const demo = { ...JSON.parse(readFileSync('/tmp/newdata/demo.json', 'utf8')), url: 'http://127.0.0.1:8180' }
const { samples } = await import('./page-samples.ts')
const reg = await import('../apps/web/src/' + (process.env.REG ?? 'registry.ts')).catch(() => null)
const paths = (process.argv[3] ?? '').split(',')
const account = process.argv[2]!
const browser = await openBrowser()
const v = await visit(browser, demo)
await logIn(v, demo, account)
const page = v.page
const wait = async () => { await page.waitForTimeout(300); await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .zg-bone, .ant-spin-spinning'), undefined, { timeout: 15000 }).catch(() => {}); await page.waitForTimeout(300) }
for (const path of paths) {
  await page.goto(demo.url + path, { waitUntil: 'load' }); await wait()
  const links = await page.$$eval('a.zg-figure[href], .zg-strip a[href], .home-figures a[href]', (as) => as.map((a) => ({ href: a.getAttribute('href')!, label: a.querySelector('.label')?.textContent ?? a.textContent ?? '', value: a.querySelector('.value')?.textContent ?? '' })))
  const seen = new Set<string>()
  for (const l of links) {
    if (seen.has(l.href + l.label)) continue; seen.add(l.href + l.label)
    await page.goto(demo.url + (l.href.startsWith('?') ? path.split('?')[0] + l.href : l.href), { waitUntil: 'load' }); await wait()
    const text = await page.evaluate(() => document.body.innerText)
    const total = /共 ([\d,]+) /.exec(text)?.[1]
    const ok = total === l.value.trim()
    console.log(ok ? 'same' : 'DIFF', account, path, '|', l.label, l.value, '->', l.href, total ?? 'no total')
  }
  if (!links.length) console.log('none', account, path)
}
await browser.close()
