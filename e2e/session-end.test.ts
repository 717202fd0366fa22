import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { logIn, openShell, visit } from './browser.ts'

/** The session expires while a form has unsaved input: a dialog asks for the password, and the input is kept. */
const demo = inject('demo')
const account = 'hospital-labour'
const password = demo.accounts.find((one) => one.account === account)?.password ?? ''
let browser: Browser
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

const endSession = 'localStorage.setItem("token", "0".repeat(48))'

test('a form survives the end of the session; a wrong password does not open it', async () => {
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await logIn(visitor, demo, account)
  await visitor.go('/personListEdit')
  const name = page.getByLabel(/^姓名/).first()
  await name.fill('樊守业')
  await page.evaluate(endSession)
  const dialog = page.getByRole('dialog', { name: '登录已到期，请重新输入密码' })
  await dialog.waitFor()
  expect(await dialog.getByLabel('账号').inputValue()).toBe(account)
  await dialog.getByLabel('密码', { exact: true }).fill('wrong-password')
  await dialog.getByRole('button', { name: '登录并继续' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('密码', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: '登录并继续' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('樊守业')
  // The new session works: open a list in another tab.
  visitor.trouble()
  await page.getByRole('link', { name: '人员列表' }).first().click()
  await page.locator('tr.ant-table-row:visible').first().waitFor()
  expect(visitor.trouble()).toEqual([])
  await visitor.close()
})

test('without a form that was begun the login page opens at once', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, account)
  await visitor.go('/personList')
  await visitor.page.locator('tr.ant-table-row:visible').first().waitFor()
  await visitor.page.evaluate(endSession)
  await visitor.page.waitForURL((url) => url.pathname === '/login')
  await visitor.close()
})
