import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, enterProject, look, windows } from './day.ts'
import { choose, judge, photo, press, replyTo, tag, upload } from './page-acts.ts'

/**
 * Two ways to stop a site and to let it work again: the authority orders it by a notice, whose recheck on site lifts it; an owner applies to
 * resume, which the authority checks on site, and to stop.
 */
const demo = inject('demo')
const ordered = { name: '东湾综合体项目', projectCode: accountOf(demo, 'dongwan-pm').projectCode ?? '' }
/** Stands still in the demonstration, and does so again afterwards. */
const applied = { name: '江滩公寓二期项目', projectCode: accountOf(demo, 'jiangtan-pm').projectCode ?? '' }
const building = '在建'
const stopped = '停工'
/** Groups of conditions for resuming work. */
const resumeGroups = 6
let browser: Browser
let head: Visitor
let api: Api
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  head = await as('bj-wu')
  api = await apiAs(demo, 'bj-wu')
}, 180_000)
afterAll(() => browser.close())

const stateOf = async ({ projectCode }: { projectCode: string }) => {
  const path = `/api/v1/oa/process/stopapply/start?projectCode=${projectCode}`
  return (await api.get<{ prjStatusName: string }>(path)).prjStatusName
}
describe.sequential('a stop order and its lifting', () => {
  const found = `基坑东侧支撑轴力超控制值 ${Date.now()}`
  let id = ''
  let site: Visitor
  let supervisor: Visitor
  beforeAll(async () => {
    site = await as('dongwan-pm')
    supervisor = await as('dongwan-jl')
  }, 180_000)
  const trouble = () => [head, site, supervisor].flatMap((one) => one.trouble())

  test('the head of the section orders the whole site to stop', async () => {
    const { page } = head
    expect(await stateOf(ordered)).toBe(building)
    await head.go('/main')
    await enterProject(page, ordered.name)
    await head.go('/safetySupervisionRectification/edit')
    await page.getByText('问题 1', { exact: true }).waitFor()
    await choose(page, '责任单位', '中楚建设集团')
    await choose(page, '整改责任人')
    const card = page.locator('.rectify-line:visible').first()
    await card.getByLabel('问题描述').fill(found)
    await card.getByLabel('部位').fill('基坑东侧第二道支撑')
    await card.getByLabel('整改要求').fill('全面停工，卸载并补强支撑，监测稳定后申请复查')
    await card
      .locator('input[type=file]')
      .first()
      .setInputFiles(await photo(page))
    await card.locator('.zg-thumb').first().waitFor()
    await choose(page, '通知类型', '全面停工')
    await look(page, 'stop-order-1-form')
    await press(page, /^(保\s*存|提\s*交|下\s*发)/)
    await page.waitForURL((url) => !url.pathname.endsWith('/edit'))
    const { list } = await api.get<{ list: { id: string; summary: string }[] }>(
      `/api/v2/oa/se/rectify/list?projectCode=${ordered.projectCode}&origin=gov&state=1&size=100`,
    )
    id = list.find((one) => one.summary === found)?.id ?? ''
    expect(id).not.toBe('')
    expect(await stateOf(ordered)).toBe(stopped)
    expect(trouble()).toEqual([])
  })

  test('the site reads that it is stopped and answers; 监理 passes the answer, and it still stands still', async () => {
    const { page } = site
    await site.go(`/safetySupervisionRectification/details?id=${id}`)
    await page.getByText('全面停工').filter({ visible: true }).first().waitFor()
    await press(page, /^签\s*收$/)
    await press(page, /确认签收/)
    await replyTo(page, '支撑已补强，监测三日稳定', 1)
    await tag(page, '待监理复核')
    await supervisor.go(`/safetySupervisionRectification/details?id=${id}`)
    await supervisor.page.locator('.rectify-fill:visible').first().waitFor()
    await judge(supervisor.page, 0, '合格')
    await press(supervisor.page, /^监理通过$/)
    await tag(supervisor.page, '待复查')
    expect(await stateOf(ordered)).toBe(stopped)
    expect(trouble()).toEqual([])
  })

  test('the recheck needs a visit and a second officer; then the site works again', async () => {
    const { page } = head
    await head.go(`/jgt/project/shenhe?id=${id}`)
    await page.locator('.rectify-queue:visible').waitFor()
    await page.keyboard.press('1')
    await page.getByLabel('第二名监督员').fill('钱红')
    await press(page, /^复查合格/)
    await page.locator('.ant-modal').getByRole('button', { name: '复查合格' }).click()
    await page.locator('.tone-danger:visible', { hasText: '现场' }).first().waitFor()
    expect(head.trouble().some((one) => one.startsWith('400 PUT'))).toBe(true)
    expect(await stateOf(ordered)).toBe(stopped)
    await page.getByRole('checkbox', { name: /到现场/ }).check()
    await look(page, 'stop-order-2-recheck')
    await press(page, /^复查合格/)
    await page.locator('.ant-modal').getByRole('button', { name: '复查合格' }).click()
    await page.getByText('已复查').first().waitFor()
    expect(await stateOf(ordered)).toBe(building)
    expect(trouble()).toEqual([])
  })
})

describe.sequential('an owner resumes, stops and resumes again', () => {
  let id = ''
  let supervisor: Visitor
  let owner: Visitor
  beforeAll(async () => {
    supervisor = await as('jiangtan-jl')
    owner = await as('jiangtan-he')
  }, 180_000)
  const trouble = () => [head, supervisor, owner].flatMap((one) => one.trouble())
  const detail = () => `/jgt/stopapply/details?id=${id}`
  const agree = async () => {
    await supervisor.go(detail())
    await press(supervisor.page, '监理同意')
    await tag(supervisor.page, '待监管审核')
  }

  test('what it asked for in the demonstration is checked on site by two officers, and the site works', async () => {
    expect(await stateOf(applied)).toBe(stopped)
    const { list } = await api.get<{ list: { id: string }[] }>(
      `/api/v1/oa/process/stopapply?projectCode=${applied.projectCode}&type=2&state=3&size=1`,
    )
    id = list[0]?.id ?? ''
    await head.go(detail())
    // The header still shows the other site: the page says so instead of denying the record, and leads out.
    await head.page.getByText(`当前只看「${ordered.name}」`).filter({ visible: true }).first().waitFor()
    await look(head.page, 'stop-order-3-other-project')
    await press(head.page, '查看全部项目')
    expect(head.trouble().some((one) => one.startsWith('400 GET'))).toBe(true)
    const findings = head.page.locator('.stop-find:visible')
    await findings.first().waitFor()
    for (let item = 0; item < resumeGroups; item++) await findings.nth(item).getByText('合格', { exact: true }).click()
    await look(head.page, 'stop-order-6-site-check')
    await press(head.page, '核查通过')
    await head.page.getByRole('dialog').getByRole('button', { name: '核查通过' }).click()
    await expect.poll(() => stateOf(applied)).toBe(building)
    await owner.go(detail())
    await tag(owner.page, '已通过')
    expect(trouble()).toEqual([])
  })

  test('to stop again it applies, 监理 agrees, and the head approves after reading what it changes', async () => {
    const { page } = owner
    await owner.go(`/jgt/stopapply/edit?projectCode=${applied.projectCode}`)
    await page.getByRole('radio', { name: /停工/ }).first().check()
    await choose(page, '停工原因')
    await page.getByRole('textbox', { name: '详细原因' }).fill('总包资金调整，主体作业面全部停工两周')
    await page.getByLabel(/^计划复工日期/).fill(day(14))
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: /^在施部位/ }).fill('主体结构已封顶，临边防护封闭')
    await page.getByRole('textbox', { name: /^值守人员/ }).fill('周大勇')
    await upload(page)
    await look(page, 'stop-order-3-application')
    await press(page, /^提\s*交/)
    await page.waitForURL(/stopapply\/details\?id=/)
    id = new URL(page.url()).searchParams.get('id') ?? ''
    await agree()
    await head.go(detail())
    await press(head.page, /^同\s*意$/)
    await head.page
      .getByRole('dialog')
      .getByRole('button', { name: /^同\s*意$/ })
      .click()
    await expect.poll(() => stateOf(applied)).toBe(stopped)
    await look(head.page, 'stop-order-4-approved')
    expect(trouble()).toEqual([])
  })

  test('to resume once more it fills six groups, 监理 agrees, and the head arranges the check', async () => {
    const { page } = owner
    await owner.go(`/jgt/stopapply/edit?projectCode=${applied.projectCode}`)
    await page.getByRole('radio', { name: /复工/ }).first().check()
    await page.getByRole('textbox', { name: '详细原因' }).fill('资金已到位，人员返场，申请恢复施工')
    for (let item = 0; item < resumeGroups; item++) {
      const group = page.locator('.stop-check:visible').nth(item)
      await group.getByRole('radio', { name: '合格', exact: true }).check()
      await group
        .locator('input[type=file]')
        .first()
        .setInputFiles(await photo(page))
      await group.locator('.zg-thumb').first().waitFor()
    }
    await upload(page, -1)
    await look(page, 'stop-order-5-resume')
    await press(page, /^提\s*交/)
    await page.waitForURL(/stopapply\/details\?id=/)
    id = new URL(page.url()).searchParams.get('id') ?? ''
    await agree()
    await head.go(detail())
    await head.page.getByLabel('核查日期').fill(day(0))
    await head.page.keyboard.press('Enter')
    await head.page.getByLabel('第二名核查人').fill('钱红')
    await press(head.page, '安排核查')
    await tag(head.page, '现场核查')
    // As the demonstration left it.
    expect(await stateOf(applied)).toBe(stopped)
    expect(trouble()).toEqual([])
  })
})

const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
