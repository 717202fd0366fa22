import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openShell, type Visitor } from '../browser.ts'
import { accountOf, look, until, windows } from './day.ts'

/** An integrator connects another vendor's platform using only the pages and the OpenAPI document: identity, first device, first value. */
const demo = inject('demo')
const projectCode = accountOf(demo, 'hospital-pm').projectCode ?? ''
const appName = `集成验收 ${Date.now()}`
const deviceSn = `OPEN-${Date.now()}`

let browser: Browser
let manager: Visitor
let page: Page
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  manager = await as('hospital-pm')
  page = manager.page
}, 120_000)
afterAll(() => browser.close())

interface Answer {
  status: number
  message: string
  data: { stringToSign?: string; accepted?: number; status?: string; id?: string }
}

/** A call signed as described by the document's security schemes. */
async function signedCall(app: { id: string; secret: string }, path: string, body: object): Promise<Answer> {
  const text = JSON.stringify(body)
  const [timestamp, nonce] = [String(Date.now()), randomBytes(12).toString('hex')]
  const stringToSign = ['POST', path, timestamp, nonce, createHash('sha256').update(text).digest('hex')].join('\n')
  const response = await fetch(demo.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-app-id': app.id,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-sign': createHmac('sha256', app.secret).update(stringToSign).digest('hex'),
    },
    body: text,
  })
  return (await response.json()) as Answer
}

describe.sequential('the integrator’s day', () => {
  let app = { id: '', secret: '' }

  test('an application is made on the page of gateways; its secret is shown once', async () => {
    await manager.go('/gateway')
    await page.getByText('开放应用', { exact: true }).click()
    await page.getByRole('button', { name: '新增应用' }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: /应用名称/ })
      .fill(appName)
    await page.getByRole('button', { name: /^保\s*存$/ }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: '密钥只显示这一次' })
    await dialog.waitFor()
    await look(page, 'integrator-1-secret')
    const [id = '', secret = ''] = await dialog.locator('code').allInnerTexts()
    app = { id, secret }
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
    await dialog.getByRole('button', { name: '已保存' }).click()
    await page.locator('tr.ant-table-row', { hasText: appName }).waitFor()
    expect(await page.locator('tr.ant-table-row', { hasText: appName }).innerText()).not.toContain(secret)
    await look(page, 'integrator-2-list')
  })

  test('a wrong signature is answered with the text that the platform signed', async () => {
    const answer = await signedCall({ ...app, secret: 'wrong' }, '/api/v1/open/device/heartbeat', { deviceSn })
    expect(answer.message).toContain('签名不正确')
    expect(answer.data.stringToSign).toContain('/api/v1/open/device/heartbeat')
  })

  test('a device is registered and waits for its review; once in service its first value is stored', async () => {
    const registered = await signedCall(app, '/api/v1/open/device/register', {
      deviceSn,
      family: 'environment',
      name: '对接扬尘仪',
      projectCode,
    })
    expect(registered).toMatchObject({ status: 0, data: { status: '0' } })
    const item = { time: Date.now(), data: { pm10: 51, pm25: 30 } }
    expect((await signedCall(app, '/api/v1/open/device/data', { deviceSn, items: [item] })).message).toContain('尚未投入使用')

    // The review starts in the background.
    const admin = await as('admin')
    const agree = admin.page.getByRole('dialog').getByRole('button', { name: /^同\s*意$/ })
    const row = admin.page.locator('tr.ant-table-row', { hasText: '对接扬尘仪' })
    await until(
      'the review is offered',
      async () => {
        await admin.go('/toExamine')
        // The applicant is shown by the application's name, not by its id.
        expect(await row.innerText()).toContain('集成验收')
        await row.click()
        return agree.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        )
      },
      (available) => available,
    )
    await look(admin.page, 'integrator-3-review')
    await agree.click()
    await row.waitFor({ state: 'detached' })

    await expect
      .poll(
        async () => (await signedCall(app, '/api/v1/open/device/data', { deviceSn, items: [{ ...item, time: Date.now() }] })).data.accepted,
      )
      .toBe(1)
    await manager.go('/gateway?tab=apps')
    const listed = page.locator('tr.ant-table-row', { hasText: appName })
    await expect.poll(() => listed.innerText()).toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
  })

  test('stopped, it is refused at once', async () => {
    const row = page.locator('tr.ant-table-row', { hasText: appName })
    await row
      .getByText('更多', { exact: true })
      .click()
      .catch(() => undefined)
    await page.getByText('停用', { exact: true }).last().click()
    await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
    await expect.poll(async () => (await signedCall(app, '/api/v1/open/device/heartbeat', { deviceSn })).message).toContain('应用已停用')
  })
})
