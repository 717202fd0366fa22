import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { enterProject, figure, look, until, windows } from './day.ts'
import { choose, judge, photo, press, replyTo, tag } from './page-acts.ts'

/** A notice of the district from issuing to closing: the site answers, 监理 returns one problem, the site answers again, two officers close it. */
const demo = inject('demo')
const siteName = '滨江医院东院区项目'
const found = ['消防箱前堆放模板影响取用', '木工棚内照明线路未穿管']
let browser: Browser
let officer: Visitor
let site: Visitor
let supervisor: Visitor
let id = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  officer = await as('bj-zhao')
  site = await as('hospital-pm')
  supervisor = await as('hospital-jl')
}, 180_000)
afterAll(() => browser.close())

const govPage = () => `/jgt/project/project_detail?id=${id}`
const sitePage = () => `/safetySupervisionRectification/details?id=${id}`

describe.sequential('a notice from issuing to closing', () => {
  test('the officer issues it for a site; the list counts one more', async () => {
    const { page } = officer
    await officer.go('/main')
    await enterProject(page, siteName)
    await officer.go('/jgt/project/tgzg_index')
    const before = await figure(page, '未闭合')
    await look(page, 'rectify-1-list')
    await press(page, '下发整改')
    await page.getByText('问题 1', { exact: true }).waitFor()
    await choose(page, '责任单位', '云泽建工集团')
    await choose(page, '整改责任人')
    await press(page, '再加一个问题')
    await page.getByText('问题 2', { exact: true }).waitFor()
    for (const [i, text] of found.entries()) {
      const card = page.locator('.rectify-line:visible').nth(i)
      await card.getByLabel('问题描述').fill(text)
      await card.getByLabel('部位').fill('二层西侧')
      await card.getByLabel('整改要求').fill('立即清理并落实责任人')
      await card
        .locator('input[type=file]')
        .first()
        .setInputFiles(await photo(page))
      await card.locator('.zg-thumb').first().waitFor()
    }
    await look(page, 'rectify-2-form')
    await press(page, /^(保\s*存|提\s*交)/)
    await page.waitForURL(/tgzg_index/)
    const { list } = await (await apiAs(demo, 'bj-zhao')).get<{ list: { id: string; summary: string }[] }>(
      '/api/v2/oa/se/rectify/list?projectCode=*&origin=gov&state=1&size=100',
    )
    id = list.find((one) => one.summary === found[0])?.id ?? ''
    expect(id).not.toBe('')
    await officer.go('/jgt/project/tgzg_index')
    expect(await figure(page, '未闭合')).toBe(before + 1)
    expect(officer.trouble()).toEqual([])
  })

  test('the site signs for it and answers each problem with a photograph', async () => {
    const { page } = site
    await site.go('/safetySupervisionRectification/list')
    const unsigned = await figure(page, '待签收')
    const toReview = await figure(page, '待监理复核')
    await look(page, 'rectify-3-site-list')
    await site.go(sitePage())
    await page
      .getByText(found[0] ?? '')
      .first()
      .waitFor()
    await press(page, /^签\s*收$/)
    await press(page, /确认签收/)
    await replyTo(page, '已按要求整改到位', 2)
    await tag(page, '待监理复核')
    await look(page, 'rectify-4-replied')
    await site.go('/safetySupervisionRectification/list')
    expect(await figure(page, '待签收')).toBe(unsigned - 1)
    expect(await figure(page, '待监理复核')).toBe(toReview + 1)
    expect(site.trouble()).toEqual([])
  })

  test('监理 returns one of two problems; only that one is answered again', async () => {
    const { page } = supervisor
    await supervisor.go(sitePage())
    await page.locator('.rectify-fill:visible').first().waitFor()
    await judge(page, 0, '合格')
    await judge(page, 1, '不合格')
    await page.getByLabel('第 2 个问题不合格的原因').fill('穿管只做了一半，另一侧仍明敷')
    await look(page, 'rectify-5-review')
    await press(page, /退回 1 个问题/)
    await tag(page, '退回')
    await site.go(sitePage())
    await replyTo(site.page, '另一侧线路已全部穿管', 1)
    await tag(site.page, '待监理复核')
    await supervisor.go(sitePage())
    await page.locator('.rectify-fill:visible').nth(1).waitFor()
    for (const no of [0, 1]) await judge(page, no, '合格')
    await press(page, /^监理通过$/)
    await tag(page, '待复查')
    expect(supervisor.trouble()).toEqual([])
    expect(site.trouble()).toEqual([])
  })

  test('the officer closes it with a second one; the history tells of both rounds', async () => {
    const { page } = officer
    await officer.go('/jgt/project/tgzg_index')
    const before = await figure(page, '未闭合')
    await officer.go(govPage())
    await press(page, /^复\s*查$/)
    await page.locator('.rectify-queue:visible').waitFor()
    // Nothing can be closed unseen: the second problem opens when the first is judged.
    expect(await page.getByRole('button', { name: '复查合格，办下一份' }).isDisabled()).toBe(true)
    for (const no of ['1', '2']) {
      await page
        .locator('.rectify-queue:visible [aria-current]')
        .filter({ hasText: `${no}. ` })
        .waitFor()
      await page.keyboard.press('1')
    }
    await page.getByLabel('第二名监督员').fill('钱红')
    await look(page, 'rectify-6-recheck')
    await press(page, '复查合格，办下一份')
    await page.locator('.ant-modal').getByRole('button', { name: '复查合格' }).click()
    await page.getByText('已复查').first().waitFor()
    await officer.go(govPage())
    await tag(page, '已闭合')
    for (const text of ['第 1 轮', '第 2 轮', '穿管只做了一半，另一侧仍明敷', '钱红'])
      await page.getByText(text).filter({ visible: true }).first().waitFor()
    await look(page, 'rectify-7-closed')
    await officer.go('/jgt/project/tgzg_index')
    expect(await figure(page, '未闭合')).toBe(before - 1)
    expect(officer.trouble()).toEqual([])
  })

  test('lists and notices of the past open on a telephone, too', async () => {
    const { list } = await (await apiAs(demo, 'hospital-pm')).get<{ list: { id: string }[] }>(
      '/api/v2/oa/se/rectify/list?projectCode=*&origin=gov&state=6&size=1',
    )
    const past = `/safetySupervisionRectification/details?id=${list[0]?.id ?? ''}`
    await site.go(past)
    await look(site.page, 'rectify-8-past')
    await site.go('/safetyP/abarbeitung/list')
    await look(site.page, 'rectify-9-orders')
    await site.page.setViewportSize({ width: 390, height: 844 })
    for (const [name, path] of [
      ['list', '/safetySupervisionRectification/list'],
      ['past', past],
      ['orders', '/safetyP/abarbeitung/list'],
    ] as const) {
      await site.go(path)
      await look(site.page, `rectify-phone-${name}`)
      const wide = await site.page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, `${name} is as wide as the telephone`).toBeLessThanOrEqual(390)
    }
    expect(site.trouble()).toEqual([])
  })
})

/**
 * A notice past its deadline: the contractor asks for more time, the head of the section grants it, and the ladder climbs. The clock is
 * moved by moving the deadline into the past, in the notice and in its to-do.
 */
describe.sequential('a notice that is late', () => {
  const problem = '四层楼梯口未设防护门'
  let contractor: Visitor
  let head: Visitor
  let owner: Visitor
  let late = ''
  let api: Api
  const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 })
  beforeAll(async () => {
    api = await apiAs(demo, 'bj-zhao')
    contractor = await as('yunze-lu')
    head = await as('bj-wu')
    owner = await as('weijian-xia')
  }, 180_000)
  afterAll(() => pool.end())

  const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
  const lateGovPage = () => `/jgt/project/project_detail?id=${late}`
  const lateSitePage = () => `/safetySupervisionRectification/details?id=${late}`
  const read = () => api.get<{ timeline: { label: string; opinion: string | null }[] }>(`/api/v2/oa/se/rectify/${late}`)
  /** Makes the notice as late as that, and waits for the step of the ladder. */
  async function overdue(days: number): Promise<void> {
    const deadline = day(-days)
    await pool.query('update rectify set deadline = $2 where id = $1', [late, deadline])
    await pool.query('update process_todo set due = $2, next_at = now() where object_id = $1', [late, deadline])
    await until(`the step of ${days} days`, read, ({ timeline }) =>
      timeline.some(({ label, opinion }) => label === '逾期提醒' && opinion?.startsWith(`逾期 ${days} 天`) === true),
    )
  }

  test('the contractor signs for it and asks for more time; the head of the section grants it', async () => {
    const projectCode = demo.accounts.find((one) => one.account === 'hospital-pm')?.projectCode ?? ''
    const { corps } = await api.get<{ corps: { code: string; name: string }[] }>(`/api/v2/oa/se/rectify/people?projectCode=${projectCode}`)
    const { data } = await api.post('/api/v2/oa/se/rectify', {
      ...{ projectCode, action: 'issue', corpCode: corps.find((one) => one.name.includes('云泽'))?.code },
      ...{
        sourceType: '01',
        noticeType: '2',
        category: '01',
        level: '1',
        checkDate: day(0),
        deadline: day(2),
        responsiblePerson: '周大勇',
      },
      lines: [{ description: problem, part: '四层楼梯口', requirement: '安装防护门并挂警示牌', photos: [] }],
    })
    late = (data as { id: string }).id
    const { page } = contractor
    await contractor.go(lateSitePage())
    await press(page, /^签\s*收$/)
    await press(page, /确认签收/)
    await tag(page, '待整改')
    await press(page, '申请延期')
    await page.getByLabel('延至').fill(day(5))
    await page.keyboard.press('Enter')
    await page.getByLabel('延期理由').fill('防护门为定制件，厂家五日内到货')
    await look(page, 'late-1-extension')
    await press(page, '提交延期申请')
    await page.getByText('待审批').filter({ visible: true }).first().waitFor()
    // The officer who issued it does not decide about its deadline.
    await officer.go(lateGovPage())
    await officer.page.getByText(problem).first().waitFor()
    expect(await officer.page.getByRole('button', { name: '同意延期' }).count()).toBe(0)
    await head.go(lateGovPage())
    await press(head.page, '同意延期')
    await head.page
      .getByText(`同意延至 ${day(5)}`)
      .filter({ visible: true })
      .first()
      .waitFor()
    await look(head.page, 'late-2-granted')
    expect([...contractor.trouble(), ...head.trouble(), ...officer.trouble()]).toEqual([])
  })

  test('it climbs its ladder: the site, then the head, then the advice to propose a penalty', async () => {
    for (const days of [1, 3, 7]) await overdue(days)
    const { page } = officer
    await officer.go(lateGovPage())
    await page.getByText('已逾期 7 天').filter({ visible: true }).first().waitFor()
    await page.getByText('建议提出不良行为认定').filter({ visible: true }).first().waitFor()
    await look(page, 'late-3-ladder')
    for (const account of ['bj-wu', 'hospital-pm']) {
      const { list } = await (await apiAs(demo, account)).get<{ list: { title: string }[] }>('/api/v1/sys/my/message?size=50')
      const titles = list.map((one) => one.title)
      expect(titles, account).toEqual(expect.arrayContaining(['整改逾期 3 天', '整改逾期 7 天']))
      expect(titles.includes('整改逾期 1 天'), account).toBe(account === 'hospital-pm')
    }
    await site.go('/safetySupervisionRectification/list?overdue=true')
    await site.page.getByText('逾期 7 天').filter({ visible: true }).first().waitFor()
    expect([...officer.trouble(), ...site.trouble()]).toEqual([])
    // Three steps, and the jobs look every minute.
  }, 400_000)

  test('answered late it is reviewed and closed all the same; the owner reads it, the subcontractor does not know it', async () => {
    await site.go(lateSitePage())
    await replyTo(site.page, '防护门已安装并上锁', 1)
    await tag(site.page, '待监理复核')
    await supervisor.go(lateSitePage())
    await supervisor.page.locator('.rectify-fill:visible').first().waitFor()
    await judge(supervisor.page, 0, '合格')
    await press(supervisor.page, /^监理通过$/)
    await tag(supervisor.page, '待复查')
    await officer.go(`/jgt/project/shenhe?id=${late}`)
    await officer.page.locator('.rectify-queue:visible').waitFor()
    await officer.page.keyboard.press('1')
    await officer.page.getByLabel('第二名监督员').fill('钱红')
    await press(officer.page, /^复查合格/)
    await officer.page.locator('.ant-modal').getByRole('button', { name: '复查合格' }).click()
    await officer.page.getByText('已复查').first().waitFor()
    await owner.go(lateSitePage())
    await tag(owner.page, '已闭合')
    await owner.page.getByText('防护门已安装并上锁').filter({ visible: true }).first().waitFor()
    await look(owner.page, 'late-4-owner')
    const stranger = await apiAs(demo, 'dingli-cheng')
    expect(await stranger.get(`/api/v2/oa/se/rectify/${late}`)).toBeNull()
    expect([...site.trouble(), ...supervisor.trouble(), ...officer.trouble(), ...owner.trouble()]).toEqual([])
  })
})
