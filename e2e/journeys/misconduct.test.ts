import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, look, windows } from './day.ts'
import { choose, upload } from './page-acts.ts'

/** An appeal that wins: an officer proposes, the head decides, the company receives and appeals, the head cancels, the points come back. */
const demo = inject('demo')
const projectCode = accountOf(demo, 'hospital-pm').projectCode ?? ''
const corpCode = accountOf(demo, 'yunze-lu').corpCode ?? ''
const fact = `塔吊基础积水未及时排除 ${Date.now()}`
let browser: Browser
let officer: Visitor
let head: Visitor
let company: Visitor
let api: Api
let id = ''
let before = 0
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  officer = await as('bj-zhao')
  head = await as('bj-wu')
  company = await as('yunze-lu')
  api = await apiAs(demo, 'bj-wu')
}, 180_000)
afterAll(() => browser.close())

const detail = () => `/misconductDetails?id=${id}`
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).filter({ visible: true }).last().click()
const record = () => api.get<{ state: string; publishStart: string | null }>(`/api/v1/badaction/${id}`)
/** Credit of the company as the form shows it. */
const credit = async () => {
  const query = `projectCode=${projectCode}&targetType=3&target=${corpCode}&type=9&score=1`
  const { effect } = await api.get<{ effect: { before: number } }>(`/api/v1/badaction/preview?${query}`)
  return effect.before
}

describe.sequential('an appeal that wins', () => {
  test('the officer proposes; the company does not learn of it', async () => {
    const { page } = officer
    before = await credit()
    await officer.go(`/misconductEdit?projectCode=${projectCode}`)
    await page.getByRole('radio', { name: '企业' }).waitFor()
    await choose(page, '企业/人员', '云泽建工集团')
    await choose(page, '行为类别')
    await page.getByRole('textbox', { name: '事实' }).fill(fact)
    const basis = page.getByRole('textbox', { name: '认定依据条款' })
    if ((await basis.inputValue()) === '') await basis.fill('《建设工程安全生产管理条例》第六十二条')
    await upload(page)
    await look(page, 'misconduct-1-form')
    await press(page, /^提\s*交/)
    await page.waitForURL(/misconductDetails\?id=/)
    id = new URL(page.url()).searchParams.get('id') ?? ''
    expect((await record()).state).toBe('1')
    // Who proposed does not decide.
    expect(await page.getByRole('button', { name: '认定' }).filter({ visible: true }).count()).toBe(0)
    const { list } = await (await apiAs(demo, 'yunze-lu')).get<{ list: { id: string }[] }>('/api/v1/badaction?projectCode=*&size=200')
    expect(list.map((one) => one.id)).not.toContain(id)
    expect(officer.trouble()).toEqual([])
  })

  test('the head decides, and the points are deducted', async () => {
    const { page } = head
    await head.go(detail())
    await press(page, /^认\s*定$/)
    const sheet = page.getByRole('dialog', { name: '认定' })
    await sheet.getByLabel('扣分').fill('5')
    await sheet.getByRole('button', { name: /^认\s*定$/ }).click()
    await sheet.waitFor({ state: 'detached' })
    expect((await record()).state).toBe('2')
    expect(await credit()).toBe(before - 5)
    expect(head.trouble()).toEqual([])
  })

  test('the company signs for it, which begins the publication, and appeals', async () => {
    const { page } = company
    await company.go(detail())
    await press(page, '签收')
    await page.getByRole('dialog').getByRole('button', { name: '签收', exact: true }).click()
    await expect.poll(async () => (await record()).publishStart).not.toBe(null)
    await page.getByRole('button', { name: '申诉' }).filter({ visible: true }).first().click()
    const sheet = page.getByRole('dialog', { name: '申诉' })
    await sheet.getByLabel('申诉理由').fill('积水当日已排除，附排水记录和当日照片，请求撤销认定')
    await look(page, 'misconduct-2-appeal')
    await sheet.getByRole('button', { name: /^保\s*存/ }).click()
    await sheet.waitFor({ state: 'detached' })
    expect((await record()).state).toBe('4')
    expect(company.trouble()).toEqual([])
  })

  test('the head cancels his decision, and the points come back', async () => {
    const { page } = head
    await head.go(detail())
    await press(page, '撤销')
    const dialog = page.getByRole('dialog').last()
    await dialog.getByRole('textbox').fill('排水记录属实，认定事实不成立')
    await dialog.getByRole('button', { name: /^(确\s*定|提\s*交)$/ }).click()
    await expect.poll(async () => (await record()).state).toBe('7')
    expect(await credit()).toBe(before)
    await company.go(detail())
    await company.page.locator('.zg-tag:visible', { hasText: '已撤销' }).first().waitFor()
    await look(company.page, 'misconduct-3-cancelled')
    expect(head.trouble()).toEqual([])
  })
})
