import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, look, pastStands, windows } from './day.ts'
import { choose, press } from './page-acts.ts'

/** Half past five: what the day recorded is in the log already; two sentences and one button, in under two minutes. */
const demo = inject('demo')
const account = 'dongwan-safety'
const projectCode = accountOf(demo, account).projectCode ?? ''
const path = '/api/v1/oa/process/safetyPLog'
const minutes = 2
/** After this time what was typed is kept on the device. */
const settledMs = 1_000
/** Choices, fields and buttons of the whole log. */
const mostActs = 6
interface Log {
  id: string
  state: string
  day: string
  workerCount: number | null
  facts: { kind: string; refId: string }[]
}
let browser: Browser
let site: Visitor
let api: Api
let day = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  site = await as(account)
  api = await apiAs(demo, account)
  await pastStands(demo)
  day = await unwritten()
}, 300_000)
afterAll(() => browser.close())

/** The newest day without a log: usually today, another one when this ran before. */
async function unwritten(): Promise<string> {
  for (let back = 0; back < 30; back++) {
    const one = new Date(Date.now() + 8 * 3_600_000 - back * 86_400_000).toISOString().slice(0, 10)
    const known = await api.get<{ existing: unknown }>(`${path}/prefill?projectCode=${projectCode}&day=${one}`)
    if (known.existing === null) return one
  }
  throw new Error('every day has its log')
}

describe.sequential('the log of the evening', () => {
  test('is prefilled, and written in a few acts', async () => {
    const { page } = site
    const known = await api.get<{ workerCount: number | null; facts: { kind: string }[]; late: boolean }>(
      `${path}/prefill?projectCode=${projectCode}&day=${day}`,
    )
    const begun = performance.now()
    let acts = 0
    const act = async (doing: Promise<unknown>) => {
      acts++
      await doing
    }
    await site.go(`/safetyP/log/create?day=${day}`)
    const head = page.getByLabel('现场人数')
    await expect.poll(() => head.inputValue()).toBe(known.workerCount === null ? '' : String(known.workerCount))
    if (known.facts.length > 0)
      await page
        .getByText(/系统带入 \d+ 条/)
        .filter({ visible: true })
        .first()
        .waitFor()
    await look(page, 'evening-log-1-prefilled')
    await act(choose(page, '天气', '多云'))
    await act(page.getByLabel('施工部位与内容').fill('地下二层底板钢筋绑扎，基坑东侧支撑拆除'))
    await act(page.getByLabel('安全生产情况').fill('全天无事故，临边防护完好'))
    if (known.late) await act(page.getByLabel('补记原因').fill('当天网络中断，次日补记'))
    // What is typed stays when the page is opened again, a moment later.
    await page.waitForTimeout(settledMs)
    await site.go(`/safetyP/log/create?day=${day}`)
    await expect.poll(() => page.getByLabel('安全生产情况').inputValue()).toContain('全天无事故')
    await act(press(page, /^提\s*交/))
    await page.waitForURL(/safetyP\/log\/details\?id=/)
    const id = new URL(page.url()).searchParams.get('id') ?? ''
    expect(performance.now() - begun).toBeLessThan(minutes * 60_000)
    expect(acts).toBeLessThanOrEqual(mostActs)
    const log = await api.get<Log>(`${path}/${id}?projectCode=*`)
    expect([log.state, log.day, log.facts.length]).toEqual(['1', day, known.facts.length])
    await look(page, 'evening-log-2-written')
    expect(site.trouble()).toEqual([])
  })
})
