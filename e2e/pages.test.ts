import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { logIn, openShell, type Visitor, visit } from './browser.ts'

const demo = inject('demo')
let browser: Browser
let visitor: Visitor
beforeAll(async () => {
  browser = await openShell()
  visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'hospital-pm')
})
afterAll(() => browser.close())

test('a list is filtered in its head, keeps its state when one comes back, and selects over pages [table-selection-across-pages]', async () => {
  const { page } = visitor
  await visitor.go('/personList')
  await page.locator('tbody tr').nth(2).waitFor()
  const rows = page.locator('tr.ant-table-row')
  await rows.nth(0).locator('input[type=checkbox]').check()
  await rows.nth(1).locator('input[type=checkbox]').check()
  const firstRow = await rows.nth(0).textContent()
  await page
    .getByTitle('2', { exact: true })
    .or(page.getByRole('listitem', { name: '2' }))
    .first()
    .click()
  // The first page with its selection stays visible until the second has loaded.
  await expect.poll(() => rows.nth(0).textContent()).not.toBe(firstRow)
  await rows.nth(0).locator('input[type=checkbox]').check()
  await page
    .getByText(/已选 3 人/)
    .first()
    .waitFor()
  // Open another page by the menu and return by its tab: the selection is kept.
  await page
    .getByRole('link', { name: '班组管理' })
    .or(page.getByText('班组管理', { exact: true }))
    .first()
    .click()
  await page.waitForURL(/teamSystem/)
  await page.goBack()
  await page.waitForURL(/personList/)
  await page
    .getByText(/已选 3 人/)
    .first()
    .waitFor()
})

test('a second tab is in while the first is busy for long, and puts nobody out', async () => {
  const first = await visit(browser, demo)
  await logIn(first, demo, 'city-fang')
  const busyMs = 5_000
  const busy = first.page.evaluate((ms) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  }, busyMs)
  const second = await first.another()
  await second.go('/personList')
  expect(new URL(second.page.url()).pathname).toBe('/personList')
  await busy
  await first.go('/alarm/record')
  expect(new URL(first.page.url()).pathname).toBe('/alarm/record')
  await first.close()
})

test('an export runs in the background and ends as a real workbook', async () => {
  const { page } = visitor
  await visitor.go('/personList')
  await page.locator('tbody tr').nth(2).waitFor()
  // The pointer still hovers the button, whose tooltip must not catch the dialog's Escape.
  const button = page.getByRole('button', { name: '导出', exact: true })
  await button.hover()
  await page.getByRole('tooltip', { name: '导出' }).waitFor()
  await button.click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: /导出/ }).last().click()
  // Exports are processed one at a time for all users.
  const ready = page.getByRole('dialog').getByRole('button', { name: '下载' }).first()
  await ready.waitFor({ timeout: 120_000 })
  const saved = page.waitForEvent('download')
  await ready.click()
  const file = await readFile(await (await saved).path())
  // A workbook is a ZIP archive; its file names are readable without unpacking.
  expect(file.subarray(0, 4).toString('hex')).toBe('504b0304')
  expect(file.includes('xl/worksheets/')).toBe(true)
})

test('the crane moves on the open page', async () => {
  const { page } = visitor
  await visitor.go('/tower/monitor')
  await page.getByRole('heading', { name: '平面' }).waitFor()
  const picture = () => page.getByRole('group', { name: /^塔机平面/ }).innerHTML()
  const before = await picture()
  await expect.poll(picture).not.toBe(before)
})

test('a wrong check digit is told at the field and nothing is registered', async () => {
  const { page } = visitor
  await visitor.go('/personListEdit')
  const number = page.getByLabel(/证件号码/).first()
  await number.fill('420202199001010010')
  await number.blur()
  await page.getByText(/校验/).first().waitFor()
})

test('a rule without its parts is told at the fields; once saved, its tab is gone and nobody is asked', async () => {
  const { page } = visitor
  await visitor.go('/reg2_createRegView')
  const name = page.getByLabel('规则名称')
  await name.press('Control+Enter')
  await page.locator('.zg-savebar .errors').getByText('4 处错误').waitFor()
  expect(await page.locator('[data-wrong]').allInnerTexts()).toEqual([
    expect.stringContaining('设备类型'),
    expect.stringContaining('告警'),
    expect.stringContaining('规则名称'),
    expect.stringContaining('指标'),
  ])
  await page.getByLabel('设备类型').click()
  await page.getByText('塔吊', { exact: true }).last().click()
  // Type to filter, because long lists render only a part.
  await page.getByRole('combobox', { name: /^告警/ }).fill('大风危险')
  await page.locator('.ant-select-item-option').filter({ hasText: '大风危险', visible: true }).first().click()
  await name.fill('页面测试的风速')
  await page.getByRole('spinbutton', { name: /^阈值/ }).fill('19')
  await page.getByRole('button', { name: '保存，先不启用' }).click()
  await page.waitForURL('**/reg2_regulationManage')
  await page.locator('.app-tabs').getByText('规则管理').waitFor()
  expect(await page.locator('.app-tabs').getByText('新建规则').count()).toBe(0)
  expect(await page.locator('.ant-modal').filter({ visible: true }).count()).toBe(0)
  expect(visitor.trouble()).toEqual([])
})

test('the sums of the month sheet stay in view where its days are scrolled', async () => {
  const { page } = visitor
  const sum = page.locator('.att-sheet tbody .total.first').first()
  await visitor.go('/attendance?show=times')
  await sum.waitFor()
  const sheet = page.locator('.att-sheet')
  expect(await sheet.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeGreaterThan(0)
  const [box, place] = [await sheet.boundingBox(), await sum.boundingBox()]
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0))
})

test('the head of an address names what its page is made of, and no file that is not there', async () => {
  const head = async (path: string) => (await (await fetch(demo.url + path)).text()).split('</head>')[0] ?? ''
  const filesIn = (text: string) => [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((one) => one[1] ?? '')
  const [plain, live] = [filesIn(await head('/404')), filesIn(await head('/tower/monitor'))]
  expect(live.some((file) => file.includes('tower-monitor-page'))).toBe(true)
  expect(plain.some((file) => file.includes('tower-monitor-page'))).toBe(false)
  const answers = await Promise.all([...new Set(live)].map(async (file) => (await fetch(demo.url + file, { method: 'HEAD' })).status))
  expect(new Set(answers)).toEqual(new Set([200]))
})
