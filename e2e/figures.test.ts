/// <reference lib="dom" />
import { globSync, readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { apiAs, logIn, openShell, type Visitor, visit } from './browser.ts'
import { settle } from './page-look.ts'
import { samples } from './page-samples.ts'

/** A figure with a link opens a list with that many rows. Each page with such figures is tested as one of the accounts whose menu has it. */
const demo = inject('demo')
const registry = new URL('../apps/web/src/app/routes.ts', import.meta.url).href
const { allPages } = (await import(registry)) as { allPages: readonly PageEntry[] }

const accounts = ['hospital-pm', 'yunze-lu', 'bj-zhao', 'dingli-cheng', 'city-fang', 'hospital-jl', 'admin'] as const
type Account = (typeof accounts)[number]

/** Targets that do not list the counted rows, with the reason. */
const noRows: Readonly<Record<string, string>> = {
  '/administration': 'a share of the machines in use: the ledger has all of them',
  '/flowPerson?tab=cross': 'a table of pairs of sites, counted by people and day',
  '/person/certificate?tab=coverage': 'trades, each with how many hold what it asks for',
  '/RegulatoryDocking?tab=cause': 'failures by their cause',
  '/projectNavigation': 'cards and a board, not a list',
  '/deviceInspect?view=board': 'a board of machines, not a list',
  '/deviceMaintenance?view=calendar': 'a calendar of machines, not a list',
}
const opensRows = (href: string) => !Object.keys(noRows).some((start) => href.startsWith(start))

/** Source files of pages, to find those that link a figure, themselves or through the component they pass their strip to. */
const sources = new Map(
  globSync('../apps/web/src/domains/**/*.tsx', { cwd: import.meta.dirname }).map((path) => [path.split('/').at(-1) ?? '', path]),
)
const links = ({ load }: PageEntry) => {
  const file = /([\w-]+\.tsx)/.exec(load.toString())?.[1]
  const path = file && sources.get(file)
  if (!path) return false
  const text = readFileSync(new URL(path, import.meta.url), 'utf8')
  return /FigureStrip|HomeFigures|-tab\.tsx'|strip[:=]/.test(text) && /href: |HomeFigures|-tab\.tsx'/.test(text)
}

interface MenuNode {
  path?: string
  relevance: string[]
  children: MenuNode[]
}
const pathsIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((one) => [...(one.path ? [one.path] : []), ...one.relevance, ...pathsIn(one.children)])
const apis = new Map(await Promise.all(accounts.map(async (account) => [account, await apiAs(demo, account)] as const)))
const available = new Map(
  await Promise.all(
    [...apis].map(async ([account, api]) => {
      const menu = (await api.post('/api/v1/sys/ui/tree/init', {})).data as MenuNode[]
      return [account, new Set(pathsIn(menu))] as const
    }),
  ),
)

/** The home page as all accounts, other pages as one of them in rotation. */
const visits = allPages
  .filter((page) => page.auth !== 'public' && !page.redirect && (page.path === '/main' || links(page)))
  .flatMap((page, i): [path: string, account: Account][] => {
    const able = accounts.filter((account) => available.get(account)?.has(page.path))
    const one = able[i % able.length]
    return page.path === '/main' ? able.map((account) => [page.path, account]) : one ? [[page.path, one]] : []
  })

let browser: Browser
const visitors = new Map<Account, Visitor>()
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

async function as(account: Account): Promise<Visitor> {
  const known = visitors.get(account)
  if (known) return known
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, account)
  visitors.set(account, visitor)
  return visitor
}

interface Linked {
  label: string
  value: string
  href: string
}
/** Runs in the page. */
const readFigures = (): Linked[] => {
  const main = document.querySelector('.app-page:not([hidden])') ?? document.body
  return [...main.querySelectorAll('a.zg-figure')].map((one) => ({
    label: one.querySelector('.label')?.textContent ?? '',
    value: (one.querySelector('.value')?.textContent ?? '').replace(/,/g, ''),
    href: one.getAttribute('href') ?? '',
  }))
}
/** Runs in the page: number of rows of its list, and number of alarms where a row stands for several. */
const readTotals = (): number[] => {
  const main = document.querySelector('.app-page:not([hidden])') ?? document.body
  const foot = [...main.querySelectorAll('.zg-table-footer')].find((one) => one.getClientRects().length > 0)
  return [...(foot?.textContent ?? '').replace(/,/g, '').matchAll(/(?:共 |（)(\d+)/g)].map(([, n]) => Number(n))
}

/** Data changes during the test, and lists over many sites are refetched every 15 s, so a difference is checked again. */
const tries = 5
const patienceMs = 6_000

let followed = 0
test.each(visits)('%s as %s: each figure that is a link is the number of rows it opens', async (path, account) => {
  const { page, follow, go } = await as(account)
  const api = apis.get(account)
  const sample = api && (await samples[path]?.(api))
  const address = path.includes(':') ? path.replace(/:\w+/, sample ?? '') : path + (sample ?? '')
  // Pages show cached data for up to a minute, so a retry reloads the page.
  const open = async (to: string, anew = false) => {
    await (anew ? go(to) : follow(to))
    await settle(await as(account))
  }
  await open(address)
  const found = (await page.evaluate(readFigures)).filter(({ value, href }) => /^\d+$/.test(value) && opensRows(href))
  for (const { label, value, href } of found) {
    const seen: string[] = []
    let now: string | undefined = value
    for (let i = 0; ; i++) {
      await open(href, i > 0)
      const totals = await page.evaluate(readTotals)
      seen.push(`${now} ${label}, ${href} has ${totals.join(' or ')}`)
      if (totals.includes(Number(now))) break
      if (i === tries - 1) expect.fail(seen.join('; '))
      if (i > 0) await page.waitForTimeout(patienceMs)
      await open(address, true)
      now = (await page.evaluate(readFigures)).find((one) => one.label === label)?.value
    }
    followed++
  }
  // A page left open would keep loading and rendering beside the others.
  await follow('/404')
})

test('figures were followed', () => expect(followed).toBeGreaterThan(80))
