import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openShell, type Visitor } from '../browser.ts'
import { look, windows } from './day.ts'

/** A group's safety director sets up a weekly report and grants a colleague a temporary role. */
const demo = inject('demo')
const mark = Date.now()
const pushName = `每周安全简报 ${mark}`
const roleName = `代班安全总监 ${mark}`

let browser: Browser
let director: Visitor
let page: Page
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  director = await as('yunze-lu')
  page = director.page
}, 120_000)
afterAll(() => browser.close())

const options = () => page.locator('.ant-select-item-option').filter({ visible: true })

describe.sequential('the safety director of a group', () => {
  test('a weekly report is set up, then changed; the weekday is kept', async () => {
    await director.go('/reportPushSet')
    await page.getByRole('button', { name: '新增推送' }).click()
    const form = page.getByRole('dialog', { name: '新增报表推送' })
    await form.getByLabel('名称').fill(pushName)
    await form.getByLabel('接收角色').click()
    await options().first().click()
    await page.keyboard.press('Escape')
    await form.getByLabel('每周').click()
    await options().filter({ hasText: '周五' }).click()
    await look(page, 'director-1-push')
    await form.getByRole('button', { name: /^保\s*存$/ }).click()
    await form.waitFor({ state: 'detached' })
    const row = page.locator('tr.ant-table-row:visible', { hasText: pushName })
    await row.getByText('修改', { exact: true }).click()
    const change = page.getByRole('dialog', { name: '修改报表推送' })
    await change.getByText('周五').first().waitFor()
    await change.getByLabel('名称').fill(`${pushName} 改`)
    await change.getByRole('button', { name: /^保\s*存$/ }).click()
    await change.waitFor({ state: 'detached' })
    await page.locator('tr.ant-table-row:visible', { hasText: `${pushName} 改` }).waitFor()
    await look(page, 'director-2-pushes')
    expect(director.trouble()).toEqual([])
  })

  test('a temporary role goes to exactly the one who was chosen; Tab adds nobody', async () => {
    await director.go('/system/jurisdiction')
    await page.getByRole('button', { name: '授予临时角色' }).first().click()
    const form = page.getByRole('dialog', { name: '授予临时角色' })
    await form.getByLabel('名称').fill(roleName)
    const people = form.getByLabel('人员')
    await people.click()
    const chosen = (await options().first().innerText()).trim()
    await options().first().click()
    await page.keyboard.press('Tab')
    // The list of people fades out; its options are not those of the next field.
    await options().first().waitFor({ state: 'hidden' })
    await form.getByLabel('权限').click()
    await options().first().click()
    await page.keyboard.press('Escape')
    const lastDay = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    await form.getByLabel(/^结束/).fill(lastDay)
    await form.getByLabel(/^结束/).press('Enter')
    await form.getByLabel('原因').fill('本人外出培训')
    await look(page, 'director-3-temporary')
    const picked = form.locator('.ant-select-selection-item', { hasText: chosen.split(/\s|（/)[0] })
    expect(await picked.count()).toBe(1)
    await form.getByRole('button', { name: /^授\s*予$/ }).click()
    await form.waitFor({ state: 'detached' })
    await director.go('/rolePermissionList?tab=temporary')
    const row = page.locator('tr.ant-table-row:visible', { hasText: roleName })
    await row.waitFor()
    await look(page, 'director-4-listed')
    expect(await row.innerText()).toContain(lastDay)
    expect(director.trouble()).toEqual([])
  })
})
