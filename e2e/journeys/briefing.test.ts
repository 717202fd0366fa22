import { fastMinutes } from '@zhugong/contract/briefings/doubts'
import { minuteMs } from '@zhugong/contract/kit/time'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, logIn, openShell, type Visitor, visit } from '../browser.ts'
import { accountOf, look } from './day.ts'
import { choose, press } from './page-acts.ts'
import { draw } from './signing.ts'

/** Seven o'clock: a gang of 24 is briefed at the tablet of the safety officer, and everybody signs for himself, one after another. */
const demo = inject('demo')
const tablet = { width: 820, height: 1180 }
const gangSize = 24
const title = `班前交底 桥架安装 ${Date.now()}`
const projectCode = accountOf(demo, 'hospital-safety').projectCode ?? ''
const path = '/api/v1/oa/process/safetyPTechnical'
interface Briefing {
  id: string
  state: string
  version: number
  signed: number
  total: number
  signatureCount: number
  doubts: string[]
  receivers: { name: string; state: string; signedAt: string | null }[]
  signatures: { seat: string; expects: string | null; image: string | null; state: string }[]
}
let browser: Browser
let site: Visitor
let api: Api
let gang = ''
let id = ''
beforeAll(async () => {
  browser = await openShell()
  site = await visit(browser, demo, { viewport: tablet })
  await logIn(site, demo, 'hospital-safety')
  api = await apiAs(demo, 'hospital-safety')
  type Desk = { teams: { name: string; people: number; workType: string | null }[] }
  const { teams } = await api.get<Desk>(`${path}/desk?projectCode=${projectCode}`)
  const fitting = teams.filter((one) => one.people >= gangSize && one.workType !== '900').toSorted((a, b) => a.people - b.people)
  gang = fitting[0]?.name ?? ''
}, 180_000)
afterAll(() => browser.close())

const read = () => api.get<Briefing>(`${path}/${id}?projectCode=*`)

/** Whoever came is chosen with the gang; at any other hour the rest is ticked or left out until 24 are named. */
async function nameGang(page: Page): Promise<void> {
  const boxes = page.locator('.briefing-pick:visible input[type=checkbox]')
  await boxes.first().waitFor()
  const count = page.getByText(/^已选 \d+ 人/).filter({ visible: true })
  const chosen = async () => Number(/已选 (\d+) 人/.exec((await count.textContent()) ?? '')?.[1])
  await site.quiet()
  for (let i = 0; i < (await boxes.count()) && (await chosen()) !== gangSize; i++) {
    const box = boxes.nth((await chosen()) < gangSize ? i : (await chosen()) - 1)
    await box.click()
  }
  expect(await chosen()).toBe(gangSize)
}

describe.sequential('a briefing in the morning', () => {
  test('is written from a template, names its gang, and opens the screen to sign', async () => {
    const { page } = site
    expect(gang).not.toBe('')
    await site.go('/safetyP/technical/create')
    await page.getByLabel('交底名称').fill(title)
    await page.getByRole('textbox', { name: '部位' }).fill('门诊楼 3 层走廊')
    await choose(page, '班组', gang)
    await page.getByRole('combobox', { name: '见证的安全员' }).fill('周立新')
    await page.keyboard.press('Escape')
    await press(page, /^套\s*用$/)
    await nameGang(page)
    await look(page, 'briefing-1-form')
    await press(page, /^保\s*存/)
    await page.getByRole('button', { name: '退出签字' }).waitFor()
    id = new URL(page.url()).searchParams.get('id') ?? ''
    const file = await read()
    expect([file.state, file.total]).toEqual(['1', gangSize])
    expect(site.trouble()).toEqual([])
  })

  test('is signed by all of them one by one; nobody signs an empty pad', async () => {
    const { page } = site
    const one = page.locator('.briefing-sign-mode .one')
    const waiting = page.getByRole('navigation', { name: '待签字人员' }).getByRole('button')
    await page.getByRole('button', { name: '确认签字' }).click()
    await page.getByText('请本人先签名').waitFor()
    await look(page, 'briefing-2-sign')
    // The gang, and whoever briefs and witnesses.
    const places = gangSize + 2
    for (let left = places; left > 0; left--) {
      await expect.poll(() => waiting.count()).toBe(left)
      const name = (await one.locator('.who b').textContent()) ?? ''
      await draw(page, one)
      await page.getByRole('button', { name: '确认签字' }).click()
      if (left === places) await look(page, `briefing-3-signed-${name}`)
    }
    await expect.poll(async () => (await read()).signed).toBe(gangSize)
    const file = await read()
    expect(file.signatures.filter((seat) => seat.state === 'signed' && seat.image)).toHaveLength(places)
    expect(new Set(file.receivers.map((person) => person.state))).toEqual(new Set(['signed']))
    expect(site.trouble()).toEqual([])
  })

  test('is handed in, and is doubted when everybody signed within two minutes', async () => {
    const { page } = site
    await site.go(`/safetyP/technical/details?id=${id}`)
    await page.getByText(`${gangSize} / ${gangSize}`).filter({ visible: true }).first().waitFor()
    await press(page, /^提\s*交$/)
    await expect.poll(async () => (await read()).state).toBe('2')
    const { doubts, receivers } = await read()
    const times = receivers.map(({ signedAt }) => Date.parse(`${(signedAt ?? '').replace(' ', 'T')}+08:00`))
    expect(doubts.includes('fast')).toBe(Math.max(...times) - Math.min(...times) <= fastMinutes * minuteMs)
    expect(
      await page
        .getByText(/签字存疑/)
        .filter({ visible: true })
        .count(),
    ).toBe(doubts.length > 0 ? 1 : 0)
    await look(page, 'briefing-4-handed-in')
    expect(site.trouble()).toEqual([])
  })

  test('is read by the supervisor with every signature', async () => {
    const supervisor = await visit(browser, demo)
    await logIn(supervisor, demo, 'hospital-jl')
    await supervisor.go(`/safety/technical/details?id=${id}&type=safetyPTechnical`)
    await supervisor.page.getByText(title).filter({ visible: true }).first().waitFor()
    expect(await supervisor.page.locator('.briefing-people:visible img').count()).toBe(gangSize + 2)
    expect(supervisor.trouble()).toEqual([])
    await supervisor.close()
  })
})
