import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, logIn, openBrowser, type Visitor, visit } from '../browser.ts'
import { accountOf, cityOf, look, Newcomers } from './day.ts'

/** Registration of a queue of people: card reader text, photo by camera, signed consent, next person. */
const demo = inject('demo')
const account = 'hospital-labour'
const { projectCode = '' } = accountOf(demo, account)
const city = cityOf(demo)
const team = city.teams.find((one) => one.projectCode === projectCode && !one.exitTime && one.teamName === '钢筋一班')
const corpName = city.corporations.find((one) => one.corpCode === team?.corpCode)?.corpName ?? ''
const newcomers = new Newcomers('registration')
const person = { name: newcomers.name(), number: newcomers.number() }

let browser: Browser
let visitor: Visitor
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  visitor = await visit(browser, demo)
  page = visitor.page
  await visitor.context.grantPermissions(['camera'], { origin: demo.url })
  await logIn(visitor, demo, account)
})
afterAll(() => browser.close())

/** Types to filter, because long lists render only a part. */
async function choose(field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${field}`) }).fill(option)
  await page.locator('.ant-select-item-option', { hasText: option }).filter({ visible: true }).first().click()
}
const consent = (purpose: string) => page.locator('.per-consent > div', { hasText: purpose })

async function sign(purpose: string): Promise<void> {
  await consent(purpose).getByText('同意', { exact: true }).click()
  await page.getByRole('combobox', { name: `${purpose}签署方式` }).click()
  await page.locator('.ant-select-item-option', { hasText: '手写签名' }).filter({ visible: true }).click()
  const pad = consent(purpose).getByRole('img', { name: '在此手写签名' })
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('there is nothing to sign on')
  await page.mouse.move(box.x + 30, box.y + 30)
  await page.mouse.down()
  await page.mouse.move(box.x + 90, box.y + 60, { steps: 8 })
  await page.mouse.move(box.x + 150, box.y + 25, { steps: 8 })
  await page.mouse.up()
  await look(page, `registration-sign-${purpose}`)
  await consent(purpose).getByRole('button', { name: '确认签名' }).click()
  await consent(purpose).getByRole('button', { name: '重新签名' }).waitFor()
}

describe.sequential('a person is taken in at the desk', () => {
  test('what the reader typed fills the form', async () => {
    await visitor.go('/personListEdit')
    await page.getByLabel('读卡或粘贴').fill(`姓名：${person.name}，身份证号：${person.number}，电话 13871230001，民族：土家族`)
    await page.getByText('已识别 姓名、').waitFor()
    expect(await page.getByLabel('证件号码').first().inputValue()).toBe(person.number)
    expect(await page.getByLabel(/^姓名/).first().inputValue()).toBe(person.name)
    await page.getByText('号码未登记过').waitFor()
  })

  test('consent that is signed by hand wants the signature', async () => {
    await choose('单位', corpName)
    await choose('班组', team?.teamName ?? '')
    await sign('个人信息处理')
    await sign('人脸用于门禁')
  })

  test('a face is taken by the camera, seen, and taken again', async () => {
    await page
      .locator('[data-field="facePhoto"], .ant-form-item', { hasText: '现场照片' })
      .last()
      .getByRole('button', { name: '拍照' })
      .click()
    const dialog = page.getByRole('dialog', { name: '拍照' })
    await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
    await dialog.getByRole('button', { name: '拍下' }).click()
    await dialog.getByAltText('拍下的照片').waitFor()
    await look(page, 'registration-camera')
    await dialog.getByRole('button', { name: '重拍' }).click()
    await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
    await dialog.getByRole('button', { name: '拍下' }).click()
    await dialog.getByRole('button', { name: '使用这张' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '删除' }).first().waitFor()
  })

  test('the next one finds unit and team filled in, and both are kept with the person', async () => {
    await page.getByRole('button', { name: /保存登记/ }).click()
    await page.locator('.per-today', { hasText: person.name }).waitFor()
    expect(await page.getByLabel(/^姓名/).first().inputValue()).toBe('')
    await page
      .locator('.ant-select', { hasText: team?.teamName ?? '' })
      .first()
      .waitFor()
    await look(page, 'registration-next')
    expect(visitor.trouble()).toEqual([])
    const api = await apiAs(demo, account)
    const { list } = await api.get<{ list: { id: string; workerId: string }[] }>(
      `/api/v1/oa/worker?view=project&projectCode=${projectCode}&name=${encodeURIComponent(person.name)}`,
    )
    const [row] = list
    const file = await api.get<{ facePhoto: string; consents: { kind: string; way: string; file: string | null }[] }>(
      `/api/v1/oa/worker/detail/info/${row?.workerId}?projectCode=${projectCode}`,
    )
    for (const address of [file.facePhoto, ...file.consents.map((one) => one.file ?? '')]) {
      const picture = await fetch(demo.url + address)
      expect([picture.status, picture.headers.get('content-type')?.split('/')[0]], address).toEqual([200, 'image'])
    }
    expect(file.consents.map(({ way }) => way)).toEqual(['手写签名', '手写签名'])
  })
})

test('whoever lets the page use no camera is told so, and may send a picture', async () => {
  const denied = await visit(browser, demo)
  await logIn(denied, demo, account)
  await denied.go('/personListEdit')
  await denied.page.getByRole('button', { name: '拍照' }).first().click()
  const dialog = denied.page.getByRole('dialog', { name: '拍照' })
  await dialog.getByText('浏览器未获准使用摄像头').waitFor()
  expect(await dialog.getByRole('button', { name: '拍下' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: '取消' }).click()
  await denied.close()
})
