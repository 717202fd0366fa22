import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, enterProject, look, until, windows } from './day.ts'
import { choose, judge, photo, press, replyTo, tag } from './page-acts.ts'

/**
 * A finding through six hands: the officer orders it, the general contractor passes one problem on to its subcontractor, which mends it with
 * photographs; the site confirms that and answers with it, 监理 verifies, the officer rechecks and returns one problem, and after the second
 * round the head of the section closes the notice. Nobody can take the step of another.
 */
const demo = inject('demo')
const siteName = '滨江医院东院区项目'
const projectCode = accountOf(demo, 'hospital-pm').projectCode ?? ''
const mark = Date.now() % 1_000_000
const ofContractor = `三层临时配电箱门未上锁 ${mark}`
const ofSubcontractor = `落地架连墙件缺失三处 ${mark}`
const mended = '连墙件已补齐并经扭矩检查'
const tooLittle = '配电箱仅挂锁，未张贴责任牌'
let browser: Browser
let officer: Visitor
let site: Visitor
let subcontractor: Visitor
let supervisor: Visitor
let head: Visitor
let owner: Visitor
let api: Api
/** The notice of the authority, and the order by which one of its problems was passed on. */
let id = ''
let order = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  api = await apiAs(demo, 'bj-zhao')
  officer = await as('bj-zhao')
  site = await as('hospital-pm')
  subcontractor = await as('dingli-cheng')
  supervisor = await as('hospital-jl')
  head = await as('bj-wu')
  owner = await as('weijian-xia')
}, 240_000)
afterAll(() => browser.close())

const govPage = () => `/jgt/project/project_detail?id=${id}`
const sitePage = () => `/safetySupervisionRectification/details?id=${id}`
const orderPage = () => `/safetyP/abarbeitung/details?id=${order}`
const calm = (...visitors: Visitor[]) => expect(visitors.flatMap((one) => one.trouble())).toEqual([])

interface Offered {
  state: string
  actions: { action: string }[]
}
/** What an account may do with a notice now; undefined where it does not know it. */
async function actionsFor(account: string, notice: string): Promise<string[] | undefined> {
  const file = await (await apiAs(demo, account)).get<Offered | null>(`/api/v2/oa/se/rectify/${notice}`)
  return file?.actions.map((one) => one.action)
}
/** Of these accounts only the named ones may take the action. The owner may sign for his site: he is a party of it. */
async function onlyBy(action: string, notice: string, may: readonly string[]): Promise<void> {
  const accounts = ['bj-zhao', 'bj-wu', 'hospital-pm', 'dingli-cheng', 'hospital-jl', 'weijian-xia']
  const able: string[] = []
  for (const account of accounts) if ((await actionsFor(account, notice))?.includes(action)) able.push(account)
  expect(able, action).toEqual(may)
}

/** Writes one problem of the form in front. */
async function problem(who: Visitor, nth: number, text: string, part: string): Promise<void> {
  const card = who.page.locator('.rectify-line:visible').nth(nth)
  await card.getByLabel('问题描述').fill(text)
  await card.getByLabel('部位').fill(part)
  await card.getByLabel('整改要求').fill('立即整改并复核')
  await card
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photo(who.page))
  await card.locator('.zg-thumb').first().waitFor()
}

describe.sequential('a finding through six hands', () => {
  test('the officer finds two problems and orders the general contractor to mend them', async () => {
    const { page } = officer
    await officer.go('/main')
    await enterProject(page, siteName)
    await officer.go('/jgt/project/tgzg_index')
    await press(page, '下发整改')
    await page.getByText('问题 1', { exact: true }).waitFor()
    await choose(page, '责任单位', '云泽建工集团')
    await choose(page, '整改责任人')
    await press(page, '再加一个问题')
    await page.getByText('问题 2', { exact: true }).waitFor()
    await problem(officer, 0, ofContractor, '三层东侧')
    await problem(officer, 1, ofSubcontractor, '住院楼西立面')
    await press(page, /^(保\s*存|提\s*交)/)
    await page.waitForURL(/tgzg_index/)
    const { list } = await until(
      'the notice',
      () => api.get<{ list: { id: string; summary: string }[] }>('/api/v2/oa/se/rectify/list?projectCode=*&origin=gov&state=1&size=100'),
      (answer) => answer.list.some((one) => one.summary === ofContractor),
    )
    id = list.find((one) => one.summary === ofContractor)?.id ?? ''
    await onlyBy('sign', id, ['hospital-pm', 'weijian-xia'])
    calm(officer)
  })

  test('the general contractor signs for it and passes one problem on; the subcontractor sees nothing of the notice above', async () => {
    const { page } = site
    await site.go(sitePage())
    await press(page, /^签\s*收$/)
    await press(page, /确认签收/)
    await tag(page, '待整改')
    await press(page, '分派给分包')
    await page.getByRole('checkbox', { name: ofContractor }).uncheck()
    await look(page, 'six-1-pass-on')
    await press(page, '填写分派通知')
    await page.getByText('问题 1', { exact: true }).waitFor()
    expect(await page.locator('.rectify-line:visible').count()).toBe(1)
    await choose(page, '责任单位', '鼎力架业')
    await choose(page, '整改责任人')
    await press(page, /^(保\s*存|提\s*交)/)
    const { list } = await until(
      'the order',
      () =>
        api.get<{ list: { id: string }[] }>(
          `/api/v2/oa/se/rectify/list?projectCode=${projectCode}&origin=site&sourceKind=rectify&sourceId=${id}&size=10`,
        ),
      (answer) => answer.list.length > 0,
    )
    order = list[0]?.id ?? ''
    expect(await actionsFor('dingli-cheng', id)).toBeUndefined()
    await onlyBy('sign', order, ['hospital-pm', 'dingli-cheng', 'weijian-xia'])
    await site.go(sitePage())
    await page.getByText('已分派').filter({ visible: true }).first().waitFor()
    calm(site)
  })

  test('the subcontractor mends it with a photograph, 监理 passes it and the general contractor confirms', async () => {
    await subcontractor.go(orderPage())
    await press(subcontractor.page, /^签\s*收$/)
    await press(subcontractor.page, /确认签收/)
    await replyTo(subcontractor.page, mended, 1)
    await tag(subcontractor.page, '待监理复核')
    await look(subcontractor.page, 'six-2-subcontractor')
    await onlyBy('jlPass', order, ['hospital-jl'])
    await supervisor.go(orderPage())
    await supervisor.page.locator('.rectify-fill:visible').first().waitFor()
    await judge(supervisor.page, 0, '合格')
    await press(supervisor.page, /^监理通过$/)
    await until(
      'the verdict',
      () => api.get<Offered>(`/api/v2/oa/se/rectify/${order}`),
      ({ state }) => state === '5' || state === '7',
    )
    // The subcontractor does not confirm its own work.
    expect(await actionsFor('dingli-cheng', order)).not.toContain('recheckPass')
    await site.go(orderPage())
    await site.page.locator('.rectify-fill:visible').first().waitFor()
    await judge(site.page, 0, '合格')
    await press(site.page, /^复查合格$/)
    await site.page.locator('.ant-modal').getByRole('button', { name: '复查合格' }).click()
    await tag(site.page, '已闭合')
    calm(subcontractor, supervisor, site)
  })

  test('the general contractor takes over what the subcontractor did and answers the notice', async () => {
    const { page } = site
    await site.go(sitePage())
    const fields = page.locator('.rectify-fill:visible')
    await fields.nth(1).waitFor()
    await fields.nth(0).locator('textarea').fill('已加锁并钥匙专管')
    await fields
      .nth(0)
      .getByLabel('选择文件')
      .setInputFiles(await photo(page))
    await fields.nth(0).locator('.field-photo').first().waitFor()
    await press(page, /^取\s*用$/)
    await fields.nth(1).locator('.field-photo').first().waitFor()
    expect(await fields.nth(1).locator('textarea').inputValue()).toContain(mended)
    await look(page, 'six-3-answer')
    await press(page, /^提交回复$/)
    await tag(page, '待监理复核')
    await onlyBy('jlPass', id, ['hospital-jl'])
    calm(site)
  })

  test('监理 verifies, the officer rechecks with a colleague and returns one problem with a new deadline', async () => {
    await supervisor.go(sitePage())
    await supervisor.page.locator('.rectify-fill:visible').nth(1).waitFor()
    for (const no of [0, 1]) await judge(supervisor.page, no, '合格')
    await press(supervisor.page, /^监理通过$/)
    await tag(supervisor.page, '待复查')
    await onlyBy('recheckPass', id, ['bj-zhao', 'bj-wu'])
    const { page } = officer
    await officer.go(`/jgt/project/shenhe?id=${id}`)
    await page.locator('.rectify-queue:visible').waitFor()
    await page.keyboard.press('2')
    await page.getByLabel('第 1 个问题不合格的原因').fill(tooLittle)
    await page.locator('.rectify-queue:visible button').nth(1).click()
    await page.locator('.rectify-queue:visible [aria-current]').filter({ hasText: '2. ' }).waitFor()
    await page.keyboard.press('1')
    await page.getByLabel('第二名监督员').fill('钱红')
    await look(page, 'six-4-recheck')
    await press(page, /退回 1 个问题/)
    await until(
      'the return',
      () => api.get<Offered>(`/api/v2/oa/se/rectify/${id}`),
      ({ state }) => state === '6',
    )
    calm(supervisor, officer)
  })

  test('only the returned problem is answered again, and the head of the section closes the notice', async () => {
    await site.go(sitePage())
    await replyTo(site.page, '责任牌已张贴', 1)
    await tag(site.page, '待监理复核')
    await supervisor.go(sitePage())
    await supervisor.page.locator('.rectify-fill:visible').first().waitFor()
    await judge(supervisor.page, 0, '合格')
    await press(supervisor.page, /^监理通过$/)
    await tag(supervisor.page, '待复查')
    const { page } = head
    await head.go(`/jgt/project/shenhe?id=${id}`)
    await page.locator('.rectify-queue:visible').waitFor()
    await page.keyboard.press('1')
    await page.getByLabel('第二名监督员').fill('赵启明')
    await press(page, /^复查合格/)
    await page.locator('.ant-modal').getByRole('button', { name: '复查合格' }).click()
    await page.getByText('已复查').first().waitFor()
    await head.go(govPage())
    await tag(page, '已闭合')
    for (const text of ['第 1 轮', '第 2 轮', tooLittle, '赵启明']) await page.getByText(text).filter({ visible: true }).first().waitFor()
    await look(page, 'six-5-closed')
    calm(site, supervisor, head)
  })

  test('the owner reads the whole course; nobody can act on the closed notice', async () => {
    await owner.go(sitePage())
    await tag(owner.page, '已闭合')
    await owner.page.getByText(mended).filter({ visible: true }).first().waitFor()
    const { actions } = await api.get<Offered>(`/api/v2/oa/se/rectify/${id}`)
    expect(actions).toEqual([])
    expect(await actionsFor('dingli-cheng', id)).toBeUndefined()
    calm(owner)
  })
})
