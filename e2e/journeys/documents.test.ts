import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, look, windows } from './day.ts'
import { press } from './page-acts.ts'

/** A drawing of the site: superseded, an older version made current again, deleted, restored, and then shown to fewer people. */
const demo = inject('demo')
const projectCode = accountOf(demo, 'hospital-pm').projectCode ?? ''
const folder = `机电深化图 ${Date.now()}`
const drawing = '3 层桥架综合图.pdf'
const path = '/api/v1/oa/process/document'
interface Row {
  id: string
  name: string
  versionNo: number
}
let browser: Browser
let owner: Visitor
let other: Visitor
let ownerApi: Api
let otherApi: Api
let folderId = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  owner = await as('hospital-pm')
  other = await as('hospital-safety')
  ownerApi = await apiAs(demo, 'hospital-pm')
  otherApi = await apiAs(demo, 'hospital-safety')
}, 180_000)
afterAll(() => browser.close())

const trouble = () => [...owner.trouble(), ...other.trouble()]
const listIn = async (api: Api, parentId: string) =>
  (await api.get<{ list: Row[] } | null>(`${path}?projectCode=${projectCode}&space=project&parentId=${parentId}`))?.list ?? []
const inFolder = () => `/userProfile?space=project&parentId=${folderId}`
const file = (text: string) => ({ name: drawing, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.7 ${text}`) })
const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) }).filter({ visible: true })
/** An action of a row, which may stand under 更多. */
async function act(page: Page, name: string, action: string): Promise<void> {
  const row = rowOf(page, name)
  await row.getByText('更多', { exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).filter({ visible: true }).click()
}
async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('选择要上传的文件', { exact: true }).setInputFiles(file(text))
}

describe.sequential('a document of the site', () => {
  test('is put into a new folder, and the safety officer sees it', async () => {
    const { page } = owner
    await owner.go('/userProfile?space=project')
    await press(page, /新建文件夹/)
    const question = page.getByRole('dialog')
    await question.getByLabel('名称').fill(folder)
    await question.getByRole('button', { name: /^保\s*存$/ }).click()
    await rowOf(page, folder).waitFor()
    await rowOf(page, folder).getByRole('button', { name: folder }).click()
    await page.waitForURL(/parentId=/)
    folderId = new URL(page.url()).searchParams.get('parentId') ?? ''
    await send(page, 'first version')
    await page.getByText('上传 1 / 1').waitFor()
    await rowOf(page, drawing).waitFor()
    await other.go(inFolder())
    await rowOf(other.page, drawing).waitFor()
    expect(trouble()).toEqual([])
  })

  test('is superseded under the same name; the old version stays and becomes current again', async () => {
    const { page } = owner
    await send(page, 'second version')
    const taken = page.getByRole('dialog', { name: /已存在/ })
    await taken.waitFor()
    await look(page, 'documents-1-taken')
    await taken.getByRole('button', { name: '存为新版本' }).click()
    await expect.poll(async () => (await listIn(ownerApi, folderId)).map((one) => one.versionNo)).toEqual([2])
    await act(page, drawing, '版本与记录')
    const versions = page.locator('.ant-drawer-body:visible')
    await versions
      .getByRole('row', { name: /第 1 版/ })
      .getByRole('button', { name: '设为当前' })
      .click()
    await expect.poll(async () => (await listIn(ownerApi, folderId)).map((one) => one.versionNo)).toEqual([3])
    await versions.getByText('取自第 1 版').waitFor()
    await look(page, 'documents-2-versions')
    const [row] = await listIn(otherApi, folderId)
    const opened = await otherApi.post(`${path}/${row?.id}/open?projectCode=*`, { what: 'view' })
    const { url } = opened.data as { url: string }
    expect(await (await fetch(new URL(url, demo.url))).text()).toContain('first version')
    // The name that is taken answers 409, which the page asks about.
    expect(trouble().filter((one) => !one.startsWith('4') && !one.startsWith('console'))).toEqual([])
  })

  test('is deleted with its folder as one entry of the bin, and comes back to its place', async () => {
    const { page } = owner
    await owner.go('/userProfile?space=project')
    await act(page, folder, '删除')
    await page
      .getByRole('button', { name: /^删\s*除$/ })
      .last()
      .click()
    await rowOf(page, folder).waitFor({ state: 'detached' })
    await other.go(inFolder())
    expect(await rowOf(other.page, drawing).count()).toBe(0)
    await owner.go('/recycleBin')
    const entry = rowOf(page, folder)
    await entry.getByText('1 项').waitFor()
    await look(page, 'documents-3-bin')
    const restore = entry.getByRole('button', { name: '还原', exact: true })
    await restore.click()
    await entry.waitFor({ state: 'detached' })
    await other.go(inFolder())
    await rowOf(other.page, drawing).waitFor()
    expect(owner.trouble()).toEqual([])
    other.trouble()
  })

  test('is shown to fewer people: the safety officer sees it no more, in no list and by no address', async () => {
    const { page } = owner
    const [row] = await listIn(otherApi, folderId)
    await owner.go('/userProfile?space=project')
    await act(page, folder, '共享')
    await press(page, '添加人员或角色')
    await page.getByRole('combobox', { name: '第 1 个共享对象', exact: true }).click()
    await page.getByRole('combobox', { name: '第 1 个共享对象', exact: true }).fill('周立新')
    await page.locator('.ant-select-item-option', { hasText: '周立新' }).filter({ visible: true }).first().click()
    await look(page, 'documents-4-share')
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: /^保\s*存/ })
      .click()
    await page.getByText('共享已保存').first().waitFor()
    expect(await listIn(otherApi, folderId)).toEqual([])
    const opened = await otherApi.post(`${path}/${row?.id}/open?projectCode=*`, { what: 'view' })
    expect(opened.status).not.toBe(0)
    await other.go('/userProfile?space=project')
    expect(await rowOf(other.page, folder).count()).toBe(0)
    expect(await listIn(await apiAs(demo, 'hospital-officer'), folderId)).toHaveLength(1)
    expect(await listIn(ownerApi, folderId)).toHaveLength(1)
    expect(owner.trouble()).toEqual([])
  })
})
