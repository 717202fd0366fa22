import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { logIn, openBrowser, visit } from './browser.ts'

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

describe('each kind of account comes in and finds its own home', () => {
  test.each([
    ['admin', '平台今日'],
    ['city-fang', '云泽市住房和城乡建设局'],
    ['bj-zhao', '滨江区建设工程监督站'],
    ['dingli-cheng', '鼎力架业劳务公司'],
    ['hospital-pm', '滨江医院东院区项目'],
    ['hospital-jl', '正衡工程监理公司'],
  ])('%s', async (account, heading) => {
    const visitor = await visit(browser, demo)
    await logIn(visitor, demo, account)
    await visitor.page.getByRole('heading', { level: 1, name: heading }).waitFor()
    expect(visitor.trouble()).toEqual([])
    await visitor.close()
  })
})

test('somebody with two identities chooses one and can switch', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'yunze-lu')
  await visitor.go('/index')
  await visitor.page.locator('section', { hasText: '滨江医院东院区项目' }).getByRole('button', { name: '进入' }).click()
  await visitor.page.getByRole('heading', { level: 1, name: '滨江医院东院区项目' }).waitFor()
  await visitor.close()
})

test('a wrong password three times brings a captcha; the account and the page stay', async () => {
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await visitor.go('/login')
  await page.getByLabel('账号').fill('tunnel-jl')
  for (let i = 0; i < 3; i++) {
    await page.getByLabel('密码').fill(`Wrong#Pass12${i}`)
    await page.getByRole('button', { name: /^登\s*录$/ }).click()
    await page.getByText('用户名或密码错误！').first().waitFor()
    await page.waitForTimeout(300)
  }
  await page.getByLabel('验证码', { exact: true }).waitFor()
  expect(await page.getByLabel('账号').inputValue()).toBe('tunnel-jl')
  await visitor.close()
})

test('a lost session leads to the login page and back to where one was', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'hospital-labour')
  await visitor.go('/main')
  await visitor.page.evaluate(async () => {
    await fetch('/api/v1/sys/logout', {
      method: 'POST',
      headers: { token: sessionStorage.getItem('token') ?? localStorage.getItem('token') ?? '' },
    })
  })
  await visitor.page.reload()
  await visitor.page.waitForURL(/\/login\?back=/)
  await visitor.close()
})

test('a public page empties storage but the group type', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'hospital-pm')
  await visitor.go('/login')
  const left = await visitor.page.evaluate(() => ({ local: Object.keys(localStorage), session: Object.keys(sessionStorage) }))
  expect(left.local.filter((key) => !['groupsType', 'loginPath'].includes(key))).toEqual([])
  expect(left.session).toEqual([])
  await visitor.close()
})

test('a page without the right says so and names the code', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'hospital-labour')
  await visitor.go('/gateway')
  await visitor.page.getByText('无权访问').waitFor()
  await visitor.page.getByText(/device-admin\.gateway/).waitFor()
  await visitor.close()
})

test('an unknown address says so inside the frame', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'hospital-pm')
  await visitor.go('/no/such/page')
  await visitor.page
    .getByText(/页面不存在/)
    .first()
    .waitFor()
  await visitor.close()
})
