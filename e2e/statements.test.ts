import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, logIn, openShell, type Visitor, visit } from './browser.ts'

/** Behaviour of pages as specified. One browser; each test starts on its own page. */
const demo = inject('demo')
let browser: Browser
let visitor: Visitor
let page: Page
beforeAll(async () => {
  browser = await openShell()
  visitor = await visit(browser, demo)
  page = visitor.page
  await logIn(visitor, demo, 'hospital-pm')
})
afterAll(() => browser.close())

const rows = () => page.locator('tr.ant-table-row:visible')
const stored = (key: string) => page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null') as unknown, key)
const text = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)

describe('the way in', () => {
  test('[root-redirect-no-session] the bare address leads a stranger to the login page', async () => {
    const stranger = await visit(browser, demo)
    await stranger.go('/')
    expect(new URL(stranger.page.url()).pathname + new URL(stranger.page.url()).search).toBe('/login')
    await stranger.close()
  })

  test('[root-redirect-live] it leads whoever is in to the first page of the first menu, for all projects', async () => {
    const tree = (await (await apiAs(demo, 'hospital-pm')).post('/api/v1/sys/ui/tree/init', {})).data as {
      path?: string
      children: { path?: string }[]
    }[]
    const first = tree[0]?.path ?? tree[0]?.children[0]?.path
    const projectCode = demo.accounts.find(({ account }) => account === 'hospital-pm')?.projectCode ?? ''
    await page.evaluate((chosen) => localStorage.setItem('activeGroup', JSON.stringify(chosen)), { projectCode, name: projectCode })
    await visitor.go('/')
    await page.waitForURL((url) => url.pathname === first)
    expect(await stored('activeGroup')).toBeNull()
  })

  test('[storage-category-apps] the granted applications are kept as the category', async () => {
    const { apps } = await (await apiAs(demo, 'hospital-pm')).get<{ apps: { code: string }[] }>('/api/v1/sys/app/grant/list')
    await expect
      .poll(async () => ((await stored('category')) as { code: string }[] | null)?.map(({ code }) => code))
      .toEqual(apps.map(({ code }) => code))
  })
})

describe('going about', () => {
  test('[guard-page-title] [guard-mark-menu] [guard-store-relevance] a page gives the window its title, marks its menu and keeps what goes with it', async () => {
    await visitor.go('/teamSystem')
    await rows().first().waitFor()
    await expect.poll(() => page.title()).toBe('班组管理')
    expect(await text('activeSubMenu')).toBe('/teamSystem')
    expect(await stored('relevance')).toContain('/teamEdit')
    const operator = await page.evaluate(() => JSON.parse(sessionStorage.getItem('operator') ?? '[]') as string[])
    expect(operator).toContain('labour.team')
    const menu = await text('activeMenu')
    await visitor.go('/alarm/record')
    await expect.poll(() => page.title()).toBe('告警记录')
    expect(await text('activeSubMenu')).toBe('/alarm/record')
    expect(await text('activeMenu')).not.toBe(menu)
    expect(await stored('relevance')).not.toContain('/teamEdit')
  })

  test('[guard-revocation-event] each way to a page takes back what hangs over the one before, the way back as well', async () => {
    await visitor.go('/teamSystem')
    await rows().first().waitFor()
    await page.evaluate(() => {
      const counted = window as unknown as { revoked: number }
      counted.revoked = 0
      window.addEventListener('revocation', () => counted.revoked++)
    })
    const revoked = () => page.evaluate(() => (window as unknown as { revoked: number }).revoked)
    const order = () => page.evaluate(() => (history.state as { idx?: number } | null)?.idx)
    const at = await order()
    await page
      .getByRole('link', { name: '单位库' })
      .or(page.getByText('单位库', { exact: true }))
      .first()
      .click()
    await page.waitForURL(/unitListStock/)
    await expect.poll(revoked).toBe(1)
    await page.goBack()
    await page.waitForURL(/teamSystem/)
    await expect.poll(revoked).toBe(2)
    expect(await order()).toBe(at)
  })

  test('[route-duplicate-navigation-silent] the way to where one is changes nothing and says nothing', async () => {
    await visitor.go('/teamSystem')
    await rows().first().waitFor()
    visitor.trouble()
    for (let i = 0; i < 3; i++)
      await page
        .getByRole('link', { name: '班组管理' })
        .or(page.getByText('班组管理', { exact: true }))
        .first()
        .click()
    await rows().first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/teamSystem')
    expect(visitor.trouble()).toEqual([])
    expect(
      await page
        .locator('.zg-toast, [role=alert]')
        .filter({ hasText: /错|失败/ })
        .count(),
    ).toBe(0)
  })

  test('[route-chunk-error-silent] a page whose chunk does not come is a panel with a way on, and no error of the script', async () => {
    const other = await visit(browser, demo)
    await logIn(other, demo, 'hospital-labour')
    await other.go('/teamSystem')
    other.trouble()
    await other.page.route(/assets\/unit-list-page-.*\.js/, (route) => route.abort())
    await other.page
      .getByRole('link', { name: '单位库' })
      .or(other.page.getByText('单位库', { exact: true }))
      .first()
      .click()
    await other.page.getByText('页面加载失败').waitFor()
    await other.page.getByRole('button', { name: /重新加载/ }).waitFor()
    expect(other.trouble().filter((line) => line.startsWith('script'))).toEqual([])
    await other.close()
  })
})

describe('lists', () => {
  test('[keepalive-list-cached] a list keeps filters, page and place when one comes back', async () => {
    await visitor.go('/personList?gender=1&page=2')
    await rows().nth(12).waitFor()
    const body = page.locator('.ant-table-body:visible, .ant-table-tbody-virtual-holder:visible').first()
    const firstRow = await rows().first().textContent()
    await body.evaluate((box) => box.scrollTo(0, 120))
    const top = await body.evaluate((box) => box.scrollTop)
    expect(top).toBeGreaterThan(50)
    await page
      .getByRole('link', { name: '班组管理' })
      .or(page.getByText('班组管理', { exact: true }))
      .first()
      .click()
    await page.waitForURL(/teamSystem/)
    await rows().first().waitFor()
    await page.goBack()
    await page.waitForURL(/personList/)
    await rows().nth(12).waitFor()
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
    expect(new URL(page.url()).searchParams.get('gender')).toBe('1')
    expect(await rows().first().textContent()).toBe(firstRow)
    expect(await body.evaluate((box) => box.scrollTop)).toBe(top)
  })

  test('[table-empty-text] a list without rows says so', async () => {
    await visitor.go(`/teamSystem?teamName=${encodeURIComponent('没有这个班组')}`)
    await page.getByText('暂无数据', { exact: true }).waitFor()
    expect(await rows().count()).toBe(0)
  })

  test('[filter-reset-search] a filter is sent by 搜索 and taken back by 重置', async () => {
    await visitor.go('/teamSystem')
    await rows().nth(1).waitFor()
    const all = await rows().count()
    const name = '没有这个班组'
    await page
      .getByLabel(/筛选班组$/)
      .first()
      .click()
    const dropdown = page.locator('.zg-filter:visible')
    await dropdown.getByRole('textbox').fill(`${name}x`)
    await dropdown.getByRole('button', { name: /搜索/ }).click()
    await page.getByText('暂无数据', { exact: true }).waitFor()
    await page
      .getByLabel(/筛选班组$/)
      .first()
      .click()
    await page.locator('.zg-filter:visible').getByRole('button', { name: '重置' }).click()
    await expect.poll(() => rows().count()).toBe(all)
  })

  test('[side-panel-collapsible] the panel at the left folds away and comes back', async () => {
    await visitor.go('/personList')
    await rows().first().waitFor()
    const side = page.locator('aside.zg-side:visible')
    const wide = (await side.boundingBox())?.width ?? 0
    await page.getByRole('button', { name: '收起左侧栏' }).click()
    await expect.poll(async () => (await side.boundingBox())?.width ?? 0).toBeLessThan(wide / 3)
    await page.getByRole('button', { name: '展开左侧栏' }).click()
    await expect.poll(async () => (await side.boundingBox())?.width).toBe(wide)
  })
})

/** Lists of the platform's administration, with the page size of each. */
const administration: [path: string, call: string, rows: number][] = [
  ['/accountList', '/api/v1/sys/user', 10],
  ['/rolePermissionList', '/api/v1/oa/role', 10],
  ['/applyCentre', '/api/v2/sys/app', 100],
]

test('[page-size-admin] [page-size-apps] lists of the administration begin with ten rows, that of applications with a hundred', async () => {
  const admin = await visit(browser, demo)
  await logIn(admin, demo, 'admin')
  for (const [path, call, size] of administration) {
    const requested = admin.page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url())
      return pathname.startsWith(call) && searchParams.get('page') === '1' && searchParams.get('size') === String(size)
    })
    await admin.go(path)
    if (path === '/applyCentre') await admin.page.getByText('管理', { exact: true }).locator('visible=true').last().click()
    await requested
  }
  await admin.close()
})

test('[detail-shell] a detail page has a way back, its child pages with counts beside, and the one that is open', async () => {
  const { list } = await (await apiAs(demo, 'hospital-pm')).get<{ list: { workerId: string; name: string }[] }>(
    '/api/v1/oa/worker?view=project&size=1',
  )
  await visitor.go('/personnelSystem')
  await rows().first().waitFor()
  await visitor.go(`/personnelSystem/info/basic?id=${list[0]?.workerId}`)
  await page.getByRole('heading', { level: 1, name: list[0]?.name }).waitFor()
  const side = page.getByRole('navigation', { name: '子页' })
  expect(await side.getByRole('link').count()).toBe(6)
  await expect.poll(() => side.locator('.count').allTextContents()).toContainEqual(expect.stringMatching(/^\d+$/))
  await side.getByRole('link', { name: /合同/ }).click()
  await page.waitForURL(/info\/contract\?id=/)
  await side.locator('[aria-current=page]', { hasText: '合同' }).waitFor()
  await page.getByRole('button', { name: '返回' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/personnelSystem/info'))
})

test('[image-viewer-open] [image-viewer-states] [image-viewer-hide-delay] [image-viewer-drag] [image-viewer-close-download] a picture opens over the page, turns, moves, is saved and goes', async () => {
  await visitor.go('/unitListEdit')
  // Any valid picture.
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
  await page.getByLabel('选择文件').first().setInputFiles({ name: '现场.png', mimeType: 'image/png', buffer })
  const thumb = page.locator('button.zg-thumb:visible').first()
  const viewer = page.getByRole('dialog', { name: '查看图片' })
  const look = () => viewer.locator('img').evaluate((image) => (image as HTMLElement).style.transform)
  await thumb.waitFor()
  expect(await viewer.count()).toBe(0)
  await thumb.click()
  await viewer.waitFor()
  expect(await look()).toBe('translate(0px, 0px) rotate(0deg) scale(1)')
  await viewer.getByRole('button', { name: '旋转' }).click()
  await viewer.dispatchEvent('wheel', { deltaY: -100 })
  expect(await look()).toBe('translate(0px, 0px) rotate(90deg) scale(1.1)')
  await viewer.dispatchEvent('wheel', { deltaY: 100 })
  expect(await look()).toMatch(/scale\(0\.99/)
  const box = await viewer.locator('img').boundingBox()
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 30, y + 12)
  await page.mouse.up()
  expect(await look()).toMatch(/^translate\(30px, 12px\)/)
  const saved = page.waitForEvent('download')
  await viewer.getByRole('button', { name: '下载' }).click()
  expect((await saved).suggestedFilename()).toMatch(/./)
  await page.mouse.click(5, 5)
  await viewer.waitFor({ state: 'detached' })
  await thumb.click()
  expect(await look(), 'upright again').toBe('translate(0px, 0px) rotate(0deg) scale(1)')
  await viewer.getByRole('button', { name: '关闭' }).click()
  await viewer.waitFor({ state: 'detached' })
})
