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

/** Helpers for the journeys of several roles. */

const cities = new Map<string, City>()
/** The simulated city, with unmasked numbers and the employment of everybody. */
export function cityOf({ simulation }: Demo): City {
  const key = JSON.stringify(simulation)
  const known = cities.get(key)
  if (known) return known
  const city = buildCity(simulation)
  cities.set(key, city)
  return city
}

/** Numbers and names of new people; different in every run. */
export class Newcomers {
  readonly random: Random
  readonly #given = new Set<string>()
  constructor(purpose: string) {
    this.random = stream(Date.now(), purpose)
  }

  /** An ID number of a non-existing district; born on that day, or thirty to fifty years ago. */
  number(birthday?: string): string {
    const { random } = this
    const two = (low: number, high: number) => String(random.int(low, high)).padStart(2, '0')
    const born = birthday ?? `19${two(76, 94)}-${two(1, 12)}-${two(1, 28)}`
    // An odd sequence number means male.
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

/** Polls until the condition holds; on timeout reports the last value. */
export async function until<T>(what: string, read: () => Promise<T>, holds: (value: T) => boolean, patienceMs = 150_000): Promise<T> {
  for (const begun = Date.now(); ; ) {
    const value = await read()
    if (holds(value)) return value
    if (Date.now() - begun > patienceMs) throw new Error(`${what}: ${JSON.stringify(value).slice(0, 300)}`)
    await sleep(300)
  }
}

export const dayBefore = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** Waits until the past passages of the main site are written, which goes on while pages can already be opened. */
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

/** One browser context per account, reused by later tests. */
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

/** Selects a project by the switch in the header, as a company or government does. */
export async function enterProject(page: Page, name: string): Promise<void> {
  await page.locator('button.switch').click()
  // Excludes the list of groups, which a user with several memberships sees beside the projects.
  await page.locator('.app-scope > :not(.groups)').getByRole('button', { name }).first().click()
  await page.locator('button.switch', { hasText: name }).waitFor()
}

/** Saves a screenshot to the folder SHOTS, if set. */
export async function look(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  mkdirSync(process.env.SHOTS, { recursive: true })
  await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

/** Performs an action that downloads a file, and returns the file. */
export async function saved(page: Page, act: () => Promise<unknown>): Promise<{ name: string; body: Buffer }> {
  const coming = page.waitForEvent('download')
  await act()
  const download = await coming
  return { name: download.suggestedFilename(), body: await readFile(await download.path()) }
}

/** Timeout of background jobs (a document, hundreds of people) while both cores are busy. */
export const backgroundMs = 120_000

/** Waits for the newest file of the open export centre and saves it. */
export async function fromExportCentre(page: Page): Promise<{ name: string; body: Buffer }> {
  const centre = page.getByRole('dialog', { name: '导出中心' })
  const button = centre.getByRole('button', { name: '下载' }).first()
  await button.waitFor({ timeout: backgroundMs })
  await centre.locator('.anticon-loading').waitFor({ state: 'detached', timeout: backgroundMs })
  return saved(page, () => button.click())
}

/** Number of pages of a PDF; fails if it is none. */
export function pdfPages(body: Buffer): number {
  expect(body.subarray(0, 5).toString('latin1')).toBe('%PDF-')
  expect(body.subarray(-32).toString('latin1')).toContain('%%EOF')
  return body.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0
}

/** Value of a figure in a strip. */
export async function figure(page: Page, label: string): Promise<number> {
  const card = page.locator('.zg-figure:visible', { hasText: label }).first()
  // While the answer is on its way the value is an empty placeholder.
  const value = card.locator('.value', { hasText: /\d/ })
  await value.waitFor()
  return Number((await value.textContent())?.replaceAll(',', ''))
}
