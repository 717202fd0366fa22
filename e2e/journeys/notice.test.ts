import { askedAbove } from '@zhugong/contract/announcements/model'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, figure, look, windows } from './day.ts'
import { given } from './given.ts'
import { choose, press } from './page-acts.ts'

/** A notice to a site with five hundred accounts: its number is confirmed, who signed is counted, who did not is reminded once in four hours. */
const demo = inject('demo')
const project = { name: '东湾综合体项目', code: accountOf(demo, 'dongwan-pm').projectCode ?? '' }
const many = 500
const mark = `crowd${Date.now()}`
const title = `汛期停工待命通知 ${Date.now()}`
const path = '/api/v1/oa/process/notice'
interface Notice {
  id: string
  title: string
  state: string
  all: number
  receipts: { all: number; read: number; signed: number; missing: number } | null
}
let browser: Browser
let sender: Visitor
let api: Api
let id = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  await given(
    `with people as (
       insert into app_user (id, account, name, phone_mask, password_hash)
       select $1 || '-' || i, $1 || '-' || i, '群众' || i, '138****' || lpad(i::text, 4, '0'), 'none' from generate_series(1, $2::int) i returning id)
     insert into member (id, user_id, group_id, is_default, create_time)
     select 'm' || people.id, people.id, t.id, true, now() - interval '1 day' from people, tenant t where t.type = 3 and t.code = $3`,
    [mark, many, project.code],
  )
  sender = await as('bj-wu')
  api = await apiAs(demo, 'bj-wu')
}, 180_000)
afterAll(async () => {
  await given('delete from app_user where id ^@ $1', [mark])
  await browser.close()
})
const read = () => api.get<Notice>(`${path}/${id}?projectCode=*&part=receipts`)

describe.sequential('a notice to five hundred', () => {
  test('counts its recipients while it is written, and is published after its number was confirmed', async () => {
    const { page } = sender
    await sender.go('/createNotice')
    await page.getByLabel('标题').fill(title)
    await page.getByRole('textbox', { name: '正文' }).click()
    await page.keyboard.type('即日起至洪峰过境，停止露天高处作业和起重吊装，人员撤至安全区域，接到通知后立即签收。')
    await press(page, '加一行')
    const line = page.getByRole('group', { name: '第 1 行' })
    await choose(page, '范围', '项目')
    await line.getByRole('combobox', { name: /^项目/ }).click()
    await page.locator('.ant-select-item-option', { hasText: project.name }).filter({ visible: true }).first().click()
    await page.keyboard.press('Escape')
    const count = page.locator('.notice-count b').first()
    await expect.poll(async () => Number((await count.textContent())?.replaceAll(',', ''))).toBeGreaterThan(askedAbove)
    const people = Number((await count.textContent())?.replaceAll(',', ''))
    await page.getByRole('switch', { name: '需要签收' }).click()
    await page.getByLabel(/^签收截止/).fill(later(24))
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: /^保存后/ }).check()
    await look(page, 'notice-1-form')
    await press(page, /^保存并/)
    const confirm = page.getByRole('button', { name: new RegExp(`发布给 ${people} 人`) })
    await confirm.waitFor()
    await look(page, 'notice-2-confirm')
    await confirm.click()
    await page.waitForURL(/infoNotice\?id=/)
    id = new URL(page.url()).searchParams.get('id') ?? ''
    await expect.poll(async () => (await read()).state).toBe('2')
    expect((await read()).receipts).toMatchObject({ all: people, read: 0, signed: 0, missing: people })
    expect(sender.trouble()).toEqual([])
  })

  test('is read and signed by the manager of the site; seen in a list it is not read', async () => {
    const { page, go, trouble } = await as('dongwan-pm')
    await go('/notice')
    const row = page.getByRole('row', { name: new RegExp(title) })
    await row.waitFor()
    expect((await read()).receipts?.read).toBe(0)
    await row.getByRole('button', { name: title }).click()
    await page.locator('.notice-foot:visible').waitFor()
    await expect.poll(async () => (await read()).receipts?.read).toBe(1)
    await look(page, 'notice-3-reader')
    await page
      .locator('.notice-foot:visible')
      .getByRole('button', { name: /^签\s*收$/ })
      .click()
    await page.locator('.notice-foot[data-signed]').waitFor()
    expect((await read()).receipts?.signed).toBe(1)
    expect(trouble()).toEqual([])
  })

  test('shows who is missing, and reminds only them, once in four hours', async () => {
    // Of the crowd 450 have read and 430 signed.
    const ofCrowd = `where announcement_id = $1 and user_id ^@ $2 and substring(user_id from '[0-9]+$')::int <=`
    await given(`update announcement_reader set read_time = now() ${ofCrowd} 450`, [id, mark])
    await given(`update announcement_reader set receipt_time = now() ${ofCrowd} 430`, [id, mark])
    const { page } = sender
    const before = (await read()).receipts
    expect(before?.signed).toBe(431)
    await sender.go(`/infoNotice?id=${id}&tab=receipts`)
    expect(await figure(page, '已签收')).toBe(431)
    expect(await figure(page, '已读')).toBe(451)
    await page.getByText(`未签收 ${before?.missing}`).first().waitFor()
    await look(page, 'notice-4-receipts')
    await press(page, /^催\s*办$/)
    await page.getByText(`已提醒 ${before?.missing} 人`).first().waitFor()
    await page
      .locator('button:disabled', { hasText: /催\s*办/ })
      .first()
      .waitFor()
    const refused = await api.put(`${path}/${id}?projectCode=*`, { action: 'remind', version: await versionOf() })
    expect(refused.message).toMatch(/小时内不能重复催办/)
    const reminders = `select count(*)::int as n from message where title = $1 and user_id ^@ $2`
    await expect.poll(async () => (await given<{ n: number }>(reminders, [`催办：${title}`, mark]))[0]?.n).toBe(70)
    expect(sender.trouble()).toEqual([])
  })

  test('leads whoever was reminded to it; after his signature one fewer is missing', async () => {
    const { page, go, trouble } = await as('dongwan-safety')
    const missing = (await read()).receipts?.missing ?? 0
    await go('/notice?myState=unsigned')
    await page.getByRole('button', { name: title }).click()
    await page
      .locator('.notice-foot:visible')
      .getByRole('button', { name: /^签\s*收$/ })
      .click()
    await page.locator('.notice-foot[data-signed]').waitFor()
    expect((await read()).receipts?.missing).toBe(missing - 1)
    expect(trouble()).toEqual([])
  })

  test('is recalled: its readers see that, and the reason', async () => {
    const { page } = sender
    await sender.go(`/infoNotice?id=${id}`)
    await press(page, /^撤\s*回$/)
    const question = page.getByRole('dialog').last()
    await question.locator('textarea').fill('洪峰已过境，恢复正常作业')
    await question
      .getByRole('button', { name: /^(确\s*定|确\s*认|撤\s*回|提\s*交|保\s*存)/ })
      .last()
      .click()
    await expect.poll(async () => (await read()).state).toBe('3')
    const reader = await as('dongwan-pm')
    await reader.go(`/infoNotice?id=${id}`)
    await reader.page.getByText('洪峰已过境，恢复正常作业').first().waitFor()
    await look(reader.page, 'notice-5-recalled')
    expect([...sender.trouble(), ...reader.trouble()]).toEqual([])
  })
})

const versionOf = async () => (await api.get<{ version: number }>(`${path}/${id}?projectCode=*`)).version
const later = (hours: number) => new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
