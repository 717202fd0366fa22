import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, logIn, openShell, type Visitor, visit } from './browser.ts'

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await openShell()
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

test('a planned maintenance is told before anybody logs in', async () => {
  const visitor = await visit(browser, demo)
  for (const path of ['/login', '/login/v1']) {
    await visitor.go(path)
    const line = visitor.page.getByRole('status').filter({ hasText: '计划维护' })
    expect(await line.innerText()).toMatch(/\d\d-\d\d 22:00 至 23:30，数据库升级/)
  }
  await visitor.close()
})

test('somebody with two identities chooses one and can switch', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'yunze-lu')
  await visitor.go('/index')
  await visitor.page.locator('section', { hasText: '滨江医院东院区项目' }).getByRole('button', { name: '进入' }).click()
  await visitor.page.getByRole('heading', { level: 1, name: '滨江医院东院区项目' }).waitFor()
  await visitor.close()
})

test('a wrong password three times brings a captcha; the account and the page stay [error-403-103]', async () => {
  // With animations, as most users have them.
  const visitor = await visit(browser, demo, { calm: false })
  const { page } = visitor
  await visitor.go('/login')
  await page.getByLabel('账号').fill('tunnel-jl')
  for (let i = 0; i < 3; i++) {
    await page.getByLabel('密码').fill(`Wrong#Pass12${i}`)
    await page.getByRole('button', { name: /^登\s*录$/ }).click()
    await page.getByText('用户名或密码错误！').first().waitFor()
    // The enabled button shows that the response has arrived.
    await page.getByRole('button', { name: /^登\s*录$/ }).waitFor()
  }
  await page.getByLabel('验证码', { exact: true }).waitFor()
  expect(await page.getByLabel('账号').inputValue()).toBe('tunnel-jl')
  await visitor.close()
})

test('a button that was busy is called by its own name again, without motion as well', async () => {
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await visitor.go('/login')
  await page.getByLabel('账号').fill('nobody-of-that-name')
  await page.getByLabel('密码').fill('Wrong#Pass123')
  await page.getByRole('button', { name: /^登\s*录$/ }).click()
  await page.getByText('用户名或密码错误！').waitFor()
  await page.getByRole('button', { name: /^登\s*录$/ }).waitFor()
  await visitor.close()
})

test('a project that is none of one’s own any more does not keep anybody out', async () => {
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await logIn(visitor, demo, 'bj-zhao')
  await page.evaluate(() => localStorage.setItem('activeGroup', JSON.stringify({ projectCode: '999999', name: '别处的项目' })))
  await visitor.go('/companySystem')
  await page.locator('tr.ant-table-row').nth(2).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('activeGroup'))).toBe('null')
  await visitor.close()
})

test('a lost session leads to the login page and back to where one was [session-dead-to-login]', async () => {
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

test('a public page empties storage but the group type [public-route-clears-storage]', async () => {
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

test('a built-in role is read as text, chosen among the others, searched and copied; the new one begins without a reproach', async () => {
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await logIn(visitor, demo, 'hospital-pm')
  await visitor.go('/system/jurisdictionSet')
  await page.getByText('内置角色与平台模板不能修改').waitFor()
  expect(await page.getByRole('textbox', { name: '角色名称' }).count()).toBe(0)
  expect(await page.getByRole('combobox', { name: '角色' }).isEnabled()).toBe(true)
  await page.getByLabel('搜索功能').fill('考勤')
  await page.getByRole('treeitem').filter({ hasText: '考勤' }).first().waitFor()
  await page.getByRole('button', { name: '复制为本组角色' }).click()
  await page.getByRole('textbox', { name: '角色名称' }).waitFor()
  await visitor.go('/system/jurisdictionSet?new=1')
  await page.getByRole('textbox', { name: '角色名称' }).waitFor()
  expect(await page.getByText('请填写角色名称').count()).toBe(0)
  expect(visitor.trouble()).toEqual([])
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

interface Machine {
  id: string
  name: string
  ownerCorp: string | null
}
const machinesOf = async (account: string) => {
  const { list } = await (await apiAs(demo, account)).get<{ list: Machine[] }>('/api/v1/iot/device?size=200')
  return list
}
const codeOf = (account: string) => demo.accounts.find((a) => a.account === account)?.corpCode ?? ''
const editButton = ({ page }: Visitor) => page.getByRole('button', { name: /^编\s*辑$/ })
/** Opens the page of a device and waits until it has loaded. */
async function openMachine(visitor: Visitor, machine: Machine): Promise<void> {
  await visitor.go(`/administrationDetails?id=${machine.id}`)
  await visitor.page.getByRole('heading', { level: 1, name: machine.name }).waitFor()
}

test('a rental company is offered its own machines; those of others it reads, by address as well', async () => {
  const machines = await machinesOf('hengsheng-shi')
  const own = machines.find((one) => one.ownerCorp === codeOf('hengsheng-shi'))
  const others = machines.find((one) => one.ownerCorp === null)
  if (!own || !others) throw new Error('the city has lost its rented machines')
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'hengsheng-shi')
  await openMachine(visitor, own)
  await editButton(visitor).waitFor()
  await openMachine(visitor, others)
  expect(await editButton(visitor).count()).toBe(0)
  expect(visitor.trouble()).toEqual([])
  const api = await apiAs(demo, 'hengsheng-shi')
  expect((await api.put(`/api/v1/iot/device/${others.id}`, { leader: '周大勇' })).message).toContain('不属于您的单位')
  await visitor.close()
})

test('a labour subcontractor is offered its own people and no gateway, project state or application', async () => {
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await logIn(visitor, demo, 'dingli-cheng')
  await visitor.go('/teamSystem')
  await page.getByRole('button', { name: '新建班组' }).waitFor()
  await visitor.go('/gov/project')
  await page.getByText('更多').first().click()
  await page.getByText('项目登记').first().waitFor()
  expect(await page.getByText('申请变更').count()).toBe(0)
  await visitor.go('/gateway')
  await page.getByText('无权访问').waitFor()
  await visitor.close()
})

test('a supervisor reads the whole site and is offered no change to machines, people or alarms', async () => {
  const [machine] = await machinesOf('hospital-jl')
  if (!machine) throw new Error('the supervised sites have no machine')
  const visitor = await visit(browser, demo)
  const { page } = visitor
  await logIn(visitor, demo, 'hospital-jl')
  await openMachine(visitor, machine)
  expect(await editButton(visitor).count()).toBe(0)
  await visitor.go('/personList')
  await page.locator('tr.ant-table-row').nth(2).waitFor()
  expect(await page.getByRole('button', { name: '登记人员' }).count()).toBe(0)
  await visitor.go('/alarm/record')
  await page.locator('tr.ant-table-row').first().waitFor()
  for (const word of [/^接单/, /^处置$/]) expect(await page.locator('tr.ant-table-row').getByText(word).count()).toBe(0)
  expect(visitor.trouble()).toEqual([])
  await visitor.close()
})
