import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { logIn, openShell, visit } from './browser.ts'

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

test('what is typed right after Ctrl+K is searched for, though the dialog is still on its way and another field has the focus', async () => {
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await logIn(visitor, demo, 'hospital-pm')
  await visitor.go('/personList')
  const field = page.getByPlaceholder('姓名、证件号、手机号')
  await field.focus()
  await page.route(/search-dialog/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tjss')
  const search = page.getByRole('combobox', { name: '搜索菜单、项目、企业、人员、设备' })
  await search.waitFor()
  await page.keyboard.type('jc')
  expect([await search.inputValue(), await field.inputValue()]).toEqual(['tjssjc', ''])
  await page.getByRole('option', { name: /塔机实时监测/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/tower/monitor')
  await visitor.close()
})

test('the row of sums stands at the foot of its table on a low screen', async () => {
  const visitor = await visit(browser, demo, { viewport: { width: 1440, height: 900 } })
  await logIn(visitor, demo, 'city-fang')
  await visitor.go('/enterpriseTable')
  const sums = visitor.page.locator('.zg-sum:visible').first()
  await sums.waitFor()
  const [row, pager] = [await sums.boundingBox(), await visitor.page.locator('.zg-table-footer:visible').boundingBox()]
  const foot = (row?.y ?? 0) + (row?.height ?? 0)
  expect(foot).toBeLessThanOrEqual((pager?.y ?? 0) + 1)
  expect((pager?.y ?? 0) - foot).toBeLessThan(4)
  await visitor.close()
})
