import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { look, saved, windows } from './day.ts'
import { press } from './page-acts.ts'

/**
 * A surprise campaign of the city from its list to a draw that an outsider repeats with the published script. Neither the district nor the
 * sites learn of it.
 */
const demo = inject('demo')
const name = `冬季飞行督查 ${Date.now()}`
const seats = 2
const repeatScript = join(import.meta.dirname, '../../docs/draw/repeat.mjs')
const run = promisify(execFile)
let browser: Browser
let organiser: Visitor
let api: Api
let id = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  organiser = await as('city-fang')
  api = await apiAs(demo, 'city-fang')
}, 180_000)
afterAll(() => browser.close())

interface Campaign {
  state: string
  tasks: { projectCode: string; projectName: string; source: string; groupSeq: number | null; dropped: string | null }[]
  runs: { run: number; drawnTime: string | null }[]
}
const path = () => `/api/v1/oa/process/provinces/${id}?projectCode=*`
const campaign = () => api.get<Campaign>(path())
const certificate = (page: Page, no: number) => page.locator('section.zg-card:visible', { hasText: `第 ${no} 次抽取凭证` })

async function pick(page: Page, box: Locator, nth: number): Promise<void> {
  await box.click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').nth(nth).click()
}
const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)

/** Repeats the draw of a published file, as anybody can. */
async function repeat(file: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zg-draw-'))
  const at = join(folder, 'draw.json')
  await writeFile(at, file)
  try {
    return (await run(process.execPath, [repeatScript, at])).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.sequential('a campaign from its list to a draw that anybody repeats', () => {
  test('the city sets it up with two groups and issues it', async () => {
    const { page } = organiser
    await organiser.go('/jgt/provinces/planManagement')
    await press(page, '新建督查')
    await page.waitForURL(/addPlan/)
    await page
      .locator('.app-page:not([hidden])')
      .getByPlaceholder(/季度全市/)
      .fill(name)
    await page.getByLabel(/^结束日期/).fill(day(10))
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: /不发通知/ }).check()
    for (const group of [0, 1]) {
      const members = page.locator('.campaign-members:visible').nth(group).locator('.campaign-member')
      for (const at of [0, 1])
        await pick(
          page,
          members.nth(at).getByRole('combobox', { name: new RegExp(at === 0 ? '账号' : '专家') }),
          at === 0 ? group : group * 2,
        )
    }
    // Each discipline with a sheet needs somebody in every group.
    for (const group of [0, 1]) {
      const members = page.locator('.campaign-members:visible').nth(group).locator('.campaign-member')
      await members
        .first()
        .getByRole('combobox', { name: /负责的专业/ })
        .click()
      await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: '安全' }).first().click()
      await page.keyboard.press('Escape')
      await page.locator('.ant-select-dropdown:visible').first().waitFor({ state: 'hidden' })
    }
    await page.locator('.campaign-quota:visible').first().getByLabel(/^名额/).fill(String(seats))
    await page.locator('.campaign-sheets:visible').getByRole('checkbox').first().check()
    await look(page, 'campaign-1-form')
    await press(page, /^下\s*发/)
    await page.waitForURL(/addProject\?planId=/)
    id = new URL(page.url()).searchParams.get('planId') ?? ''
    expect((await campaign()).state).toBe('1')
    expect(organiser.trouble()).toEqual([])
  })

  test('the list is frozen before the seed exists; two witnesses say digits, and the projects are drawn', async () => {
    const { page } = organiser
    await press(page, /冻结候选名单/)
    await certificate(page, 1).getByText('名单已冻结，待抽取').waitFor()
    await press(page, '增加见证人')
    for (const [no, witness, digits] of [
      [1, '纪检 王敏', '4071'],
      [2, '人大代表 李强', '88'],
    ] as const) {
      await page.getByLabel(`见证人 ${no}`).fill(witness)
      await page.getByLabel(`见证数字 ${no}`).fill(digits)
    }
    await press(page, '开始抽取')
    await certificate(page, 1).getByText('本次结果有效').waitFor()
    const { tasks, runs } = await campaign()
    expect(runs).toHaveLength(1)
    expect(tasks.filter((one) => one.source === 'drawn' && one.dropped === null)).toHaveLength(seats)
    await look(page, 'campaign-2-drawn')
    expect(organiser.trouble()).toEqual([])
  })

  test('an outsider repeats the draw from the published file; a file that was changed does not pass', async () => {
    const { page } = organiser
    const { name: fileName, body } = await saved(page, () => certificate(page, 1).getByRole('button', { name: '复核抽取' }).click())
    expect(fileName).toMatch(/第1次抽取\.json$/)
    await page
      .getByText(/复核一致：名单、种子与结果相符/)
      .filter({ visible: true })
      .waitFor()
    expect(await repeat(body)).toContain('list, seed and result agree')
    const file = JSON.parse(body.toString('utf8')) as {
      result: { seats: string[]; reserve: string[] }[]
      lots: { key: string }[]
      digits: string[]
    }
    const [first] = file.result
    const other = [...(first?.reserve ?? []), ...file.lots.map((one) => one.key)].find((key) => !first?.seats.includes(key)) ?? ''
    const bent = { ...file, result: [{ ...first, seats: [other, ...(first?.seats.slice(1) ?? [])] }] }
    await expect(repeat(Buffer.from(JSON.stringify(bent)))).rejects.toThrow('the result differs')
    await expect(repeat(Buffer.from(JSON.stringify({ ...file, lots: file.lots.slice(1) })))).rejects.toThrow('the list is not the one')
    expect(organiser.trouble()).toEqual([])
  })

  test('nobody draws again from the same list; the groups are assigned and the list is locked', async () => {
    const { page } = organiser
    const { version } = await api.get<{ version: number }>(path())
    expect(await api.put(path(), { action: 'freeze', version, reason: '对结果不满意，重抽一次' })).toMatchObject({ status: 4 })
    await press(page, '自动分组')
    await page.getByText(`${seats} 个项目已分组`).filter({ visible: true }).first().waitFor()
    await press(page, '锁定并派发检查任务')
    await page.getByRole('dialog').getByRole('button', { name: '锁定名单' }).click()
    await page.waitForURL(/provinces\/checkList/)
    const { state, tasks } = await campaign()
    expect(state).toBe('2')
    expect(tasks.filter((one) => one.dropped === null).every((one) => one.groupSeq !== null)).toBe(true)
    await look(page, 'campaign-3-locked')
    expect(organiser.trouble()).toEqual([])
  })

  test('neither the district nor a drawn site finds a word of it', async () => {
    for (const account of ['bj-wu', 'yd-wang', 'hospital-pm', 'yunze-lu', 'hospital-jl']) {
      const other = await apiAs(demo, account)
      const { list } = await other.get<{ list: { name: string }[] }>('/api/v1/oa/process/provinces?projectCode=*&size=200')
      expect(list?.map((one) => one.name) ?? [], account).not.toContain(name)
      expect(await other.get(path()), account).toBeNull()
      const messages = await other.get<{ list: { title: string }[] }>('/api/v1/sys/my/message?size=50')
      expect(JSON.stringify(messages), account).not.toContain(name)
    }
  })
})
