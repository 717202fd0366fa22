import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openShell, type Visitor, visit } from '../browser.ts'
import { accountOf, cityOf, figure, look, saved, windows } from './day.ts'
import { openWorkbook } from './workbook.ts'

/** The platform sets up a new district with ten sites; its administrator signs in by an invitation link and sees the ten. */
const demo = inject('demo')
const city = cityOf(demo)
const leader = accountOf(demo, 'yunze-lu').corpCode ?? ''
const owner = city.projectCorps.find((one) => one.corpType === '008')?.corpCode ?? ''
/** An area without any site. */
const area = ['420204', '420205', '420281'].find((code) => city.projects.every((one) => one.areaCode !== code)) ?? ''
const body = '新城区住房和城乡建设局'
const siteNames = Array.from({ length: 10 }, (_, i) => `新城区安置房 ${i + 1} 号地块`)
const password = 'Newcity#2026'

let browser: Browser
let clerk: Visitor
let page: Page
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  clerk = await as('admin')
  page = clerk.page
}, 120_000)
afterAll(() => browser.close())

const group = [body, '', area, '', '', '陈建国', '13800001111', '梁局长', '']
const site = (name: string, i: number, category = '房屋建筑工程') => [
  name,
  area,
  `新城大道 ${i + 1} 号`,
  category,
  leader,
  owner,
  '',
  '',
  '',
  '项目联系人',
  '13800002222',
  `项目管理员${'甲乙丙丁戊己庚辛壬癸'[i] ?? ''}`,
  '',
]
const filled = (template: Buffer, sites: readonly string[][]) => openWorkbook(openWorkbook(template).withLines([group])).withLines(sites, 2)
const bring = (file: Buffer) =>
  page.locator('input[type=file]').setInputFiles({
    name: '新城区.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: file,
  })

describe.sequential('a district from nothing', () => {
  let template: Buffer
  let link = ''

  test('the wizard stands where the clerk looks for projects, and gives a workbook', async () => {
    await clerk.go('/projectNavigation')
    await page.locator('.onb-card h2').first().waitFor()
    await look(page, 'onboarding-1-navigation')
    await page.getByRole('button', { name: '开通向导' }).click()
    await page.waitForURL(/\/projectOpening/)
    await page.getByRole('radio', { name: /区监管与其工地/ }).waitFor()
    await look(page, 'onboarding-2-wizard')
    const file = await saved(page, () => page.getByRole('button', { name: '下载模板' }).click())
    template = file.body
    expect(openWorkbook(template).rows(2)[0]?.[0]).toBe('项目名称*')
  })

  test('a row with a fault is shown at its cell, and nothing has been opened', async () => {
    await bring(
      filled(
        template,
        siteNames.map((name, i) => site(name, i, i === 3 ? '没有的类别' : undefined)),
      ),
    )
    await page.getByText('1 行有误').first().waitFor()
    await page.locator('td.fault', { hasText: '没有这个项目类别' }).waitFor()
    await look(page, 'onboarding-3-fault')
    await page.getByRole('button', { name: /^放\s*弃$/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /放\s*弃/ })
      .click()
    await page.getByRole('button', { name: '下载模板' }).waitFor()
  })

  test('without a fault all eleven are opened, and the file gives each a link', async () => {
    await bring(
      filled(
        template,
        siteNames.map((name, i) => site(name, i)),
      ),
    )
    await page.getByRole('button', { name: '开通 11 行' }).click()
    await page.getByText('11/11').first().waitFor()
    await page.getByText('全部开通。').waitFor()
    await look(page, 'onboarding-4-opened')
    const result = await saved(page, () => page.getByRole('button', { name: '下载结果与链接' }).click())
    const rows = openWorkbook(result.body).rows(1)
    expect(rows).toHaveLength(12)
    const own = rows.find((row) => row[2] === body)
    link = own?.[6] ?? ''
    expect(link).toMatch(/\/invite#[0-9a-f]{64}$/)
    expect(clerk.trouble()).toEqual([])
  })

  test('the district’s administrator opens it once, sets a password and sees his ten sites', async () => {
    const newcomer = await visit(browser, demo)
    const at = newcomer.page
    await at.goto(link)
    await at.getByText(body).first().waitFor()
    await at.getByLabel('手机号').fill('13977776666')
    await at.getByLabel('账号', { exact: true }).fill('newcity-liang')
    await at.getByLabel('密码', { exact: true }).fill(password)
    await at.getByLabel('再输一次密码').fill(password)
    await look(at, 'onboarding-5-invite')
    await at.getByRole('button', { name: '设置并进入' }).click()
    await at.waitForURL((url) => !url.pathname.startsWith('/invite'))
    await newcomer.go('/projectNavigation')
    expect(await figure(at, '项目数')).toBe(10)
    const names = await at.locator('.onb-card h2 .zg-link').allTextContents()
    expect(names.toSorted()).toEqual(siteNames.toSorted())
    await look(at, 'onboarding-6-district')
    expect(newcomer.trouble()).toEqual([])
    await newcomer.close()

    const again = await visit(browser, demo)
    await again.page.goto(link)
    await again.page.getByRole('alert').filter({ hasText: '邀请链接无效' }).waitFor()
    await again.close()
  })

  test('he comes in by his own password from then on', async () => {
    const later = await visit(browser, demo)
    await later.go('/login')
    await later.page.getByLabel('账号').fill('newcity-liang')
    await later.page.getByLabel('密码').fill(password)
    await later.page.getByRole('button', { name: /^登\s*录$/ }).click()
    await later.page.waitForURL((url) => !url.pathname.startsWith('/login'))
    await later.close()
  })
})
