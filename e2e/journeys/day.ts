import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildCity } from '@zhugong/simulator/city'
import type { City } from '@zhugong/simulator/city-types'
import { idCardNumber } from '@zhugong/simulator/numbers'
import { type Random, stream } from '@zhugong/simulator/random'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { apiAs, logIn, type Visitor, visit } from '../browser.ts'
import type { Demo } from '../product.ts'

/** What the days of several roles need. */

const cities = new Map<string, City>()
/** The invented city as it was before the product knew of it: numbers in clear, who works where. */
export function cityOf({ simulation }: Demo): City {
  const key = JSON.stringify(simulation)
  const known = cities.get(key)
  if (known) return known
  const city = buildCity(simulation)
  cities.set(key, city)
  return city
}

/** Numbers and names of people nobody has met yet; every run has others. */
export class Newcomers {
  readonly random: Random
  readonly #given = new Set<string>()
  constructor(purpose: string) {
    this.random = stream(Date.now(), purpose)
  }

  /** A resident number of a district that does not exist; born on that day, or some thirty to fifty years ago. */
  number(birthday?: string): string {
    const { random } = this
    const two = (low: number, high: number) => String(random.int(low, high)).padStart(2, '0')
    const born = birthday ?? `19${two(76, 94)}-${two(1, 12)}-${two(1, 28)}`
    // Odd orders are men's.
    const one = idCardNumber(`4298${two(90, 99)}`, born, random.int(0, 499) * 2 + 1)
    if (this.#given.has(one)) return this.number(birthday)
    this.#given.add(one)
    return one
  }

  name(): string {
    const { random } = this
    return random.pick([...'安白毕卞车褚戴狄樊方']) + random.pick([...'晨远松帆柏川岭泽']) + random.pick([...'峻原山河林海岩舟'])
  }
}

export const accountOf = (demo: Demo, account: string) => {
  const found = demo.accounts.find((one) => one.account === account)
  if (!found) throw new Error(`nobody is called ${account}`)
  return found
}

/** Asks again until it holds; tells what it saw last where it never does. */
export async function until<T>(what: string, read: () => Promise<T>, holds: (value: T) => boolean, patienceMs = 150_000): Promise<T> {
  for (const begun = Date.now(); ; ) {
    const value = await read()
    if (holds(value)) return value
    if (Date.now() - begun > patienceMs) throw new Error(`${what}: ${JSON.stringify(value).slice(0, 300)}`)
    await sleep(300)
  }
}

export const dayBefore = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** Past passages of the site where the story plays are written while the first pages are already open. */
export async function pastStands(demo: Demo): Promise<void> {
  const account = 'hospital-labour'
  const api = await apiAs(demo, account)
  const at = `/api/v1/attendance/daily?projectCode=${accountOf(demo, account).projectCode}&date=${dayBefore(demo.simulation.today)}&size=1`
  await until(
    'days of the past',
    async () => (await api.get<{ total: number }>(at)).total,
    (total) => total > 0,
  )
}

/** One window for each account, kept from test to test. */
export function windows(browser: () => Browser, demo: Demo): (account: string) => Promise<Visitor> {
  const open = new Map<string, Promise<Visitor>>()
  const enter = async (account: string) => {
    const visitor = await visit(browser(), demo)
    await logIn(visitor, demo, account)
    return visitor
  }
  return (account) => {
    const known = open.get(account) ?? enter(account)
    open.set(account, known)
    return known
  }
}

/** Goes into one project by the switch in the head of the page, as a company or a body does. */
export async function enterProject(page: Page, name: string): Promise<void> {
  await page.locator('button.switch').click()
  // Not as somebody else: whoever has several identities finds them beside the projects.
  await page.locator('.app-scope > :not(.groups)').getByRole('button', { name }).first().click()
  await page.locator('button.switch', { hasText: name }).waitFor()
}

/** With SHOTS naming a folder, what is seen on the way is kept there, for whoever wants to look at it. */
export async function look(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  mkdirSync(process.env.SHOTS, { recursive: true })
  await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

/** Does something that makes the browser save a file, and answers with the file. */
export async function saved(page: Page, act: () => Promise<unknown>): Promise<{ name: string; body: Buffer }> {
  const coming = page.waitForEvent('download')
  await act()
  const download = await coming
  return { name: download.suggestedFilename(), body: await readFile(await download.path()) }
}

/** What is worked on in the background, a document or hundreds of people, while both cores have other things to do. */
export const backgroundMs = 120_000

/** Waits for the newest file of the open export centre and saves it. */
export async function fromExportCentre(page: Page): Promise<{ name: string; body: Buffer }> {
  const centre = page.getByRole('dialog', { name: '导出中心' })
  const button = centre.getByRole('button', { name: '下载' }).first()
  await button.waitFor({ timeout: backgroundMs })
  await centre.locator('.anticon-loading').waitFor({ state: 'detached', timeout: backgroundMs })
  return saved(page, () => button.click())
}

/** Pages of a PDF that really is one. */
export function pdfPages(body: Buffer): number {
  expect(body.subarray(0, 5).toString('latin1')).toBe('%PDF-')
  expect(body.subarray(-32).toString('latin1')).toContain('%%EOF')
  return body.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0
}

/** The number a figure of a strip shows. */
export async function figure(page: Page, label: string): Promise<number> {
  const card = page.locator('.zg-figure:visible', { hasText: label }).first()
  await card.waitFor()
  return Number((await card.locator('.value').textContent())?.replaceAll(',', ''))
}
