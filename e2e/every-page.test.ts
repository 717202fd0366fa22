/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { PageEntry } from '../apps/web/src/kit/pages.ts'
import { apiAs, logIn, openShell, type Visitor, visit } from './browser.ts'
import { type Exception, exceptions, twins } from './page-exceptions.ts'
import { type Glance, type Look, look, narrow, type Problem, serious, settle, sizeFor, watchShifts, wide } from './page-look.ts'
import { needNoSample, samples, showsOneRecord } from './page-samples.ts'

/** Every page of the product is opened as each kind of account that may enter it. New pages join by standing in the registry. */
const demo = inject('demo')
// Named at run time, so that the web's sources are checked by its own project alone.
const registry = new URL('../apps/web/src/app/routes.ts', import.meta.url).href
const { allPages } = (await import(registry)) as { allPages: readonly PageEntry[] }

/** One of each kind: what they see and may differs by kind, hardly within one. */
const accounts = { project: 'hospital-pm', company: 'yunze-lu', district: 'bj-zhao', city: 'city-fang', platform: 'admin' } as const
type Kind = keyof typeof accounts
const kinds = Object.keys(accounts) as Kind[]

/** How long the frame may take to bring a page. */
const patienceMs = 20_000
/** Looked for by the clock: asked in each frame, a page would be drawn sixty times a second meanwhile. */
const pollMs = 50

interface MenuNode {
  path?: string
  relevance: string[]
  code?: string
  operator: string[]
  children: MenuNode[]
}
const codesIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((one) => [...(one.code ? [one.code] : []), ...one.operator, ...codesIn(one.children)])

const apis = Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await apiAs(demo, accounts[kind])] as const))) as Record<
  Kind,
  Awaited<ReturnType<typeof apiAs>>
>
const pathsIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((one) => [...(one.path ? [one.path] : []), ...one.relevance, ...pathsIn(one.children)])
/** What each kind may open: the codes of the person and of the menu, as the page itself asks; and what its menu offers. */
const rights = new Map(
  await Promise.all(
    kinds.map(async (kind) => {
      const info = await apis[kind].get<{ operator: string[] }>('/api/v1/sys/my/info')
      const menu = (await apis[kind].post('/api/v1/sys/ui/tree/init', {})).data as MenuNode[]
      return [kind, { codes: new Set([...info.operator, ...codesIn(menu)]), paths: new Set(pathsIn(menu)) }] as const
    }),
  ),
)
const offered = (kind: Kind, path: string) => rights.get(kind)?.paths.has(path) ?? false
const mayEnter = (kind: Kind, { code, path }: PageEntry): boolean => {
  // Some pages belong to kinds of groups that the code does not tell of: whoever is not offered them has no business there.
  if (!offered(kind, path) && kinds.some((other) => offered(other, path))) return false
  return code === undefined || (typeof code === 'string' ? [code] : code).some((one) => rights.get(kind)?.codes.has(one))
}

const inside = allPages.filter((page) => page.auth !== 'public' && page.path !== '/')
/** District and city are authorities both and see pages of the same build: what both may enter they open by turns. */
const authorities: readonly Kind[] = ['district', 'city']
const visitors = new Map(
  inside.map((page, i) => {
    const able = kinds.filter((kind) => mayEnter(kind, page))
    const rests = authorities.every((kind) => able.includes(kind)) ? authorities[i % 2] : undefined
    return [page.name, able.filter((kind) => kind !== rests)] as const
  }),
)
/** Accounts change with every line, so that pages opened side by side belong to different ones. */
const visits = inside.flatMap((page) =>
  (visitors.get(page.name) ?? []).map((kind) => ({ kind, page, title: `${page.path} as ${accounts[kind]}` })),
)

/** Who looks at a page thoroughly: once is enough, by turns as everybody. */
const judges = new Map(inside.map(({ name }, i) => [name, visitors.get(name)?.at(i % (visitors.get(name)?.length ?? 1))] as const))
const judge = (page: PageEntry) => judges.get(page.name)
const glanceOf = (kind: Kind, page: PageEntry): Glance => {
  if (kind !== judge(page)) return 'narrow'
  // A project's rows are the fullest: what is theirs to show has to fit as well.
  return kind === 'project' || visitors.get(page.name)?.length === 1 ? 'both' : 'wide'
}

let browser: Browser
const idle = new Map<Kind, Visitor[]>()
const home = new Map<Kind, Promise<Visitor>>()
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

/** One log-in per account; its pages are tabs of the same window. The tab that logged in stays at a quiet page: a new tab is handed its session. */
async function tabOf(kind: Kind): Promise<Visitor> {
  const free = idle.get(kind)?.pop()
  if (free) return free
  let first = home.get(kind)
  if (!first) {
    first = visit(browser, demo, { viewport: narrow }).then(async (visitor) => {
      await visitor.context.addInitScript(watchShifts)
      await logIn(visitor, demo, accounts[kind])
      await visitor.go('/404')
      return visitor
    })
    home.set(kind, first)
  }
  return (await first).another()
}
/** A page left open would go on reading, drawing and moving beside those that are looked at. */
async function release(kind: Kind, tab: Visitor) {
  await tab.follow('/404')
  idle.set(kind, [...(idle.get(kind) ?? []), tab])
}

const looks = new Map<Kind, Map<string, Look>>(kinds.map((kind) => [kind, new Map()]))
const needed = new Set<Exception>()
const visited = new Set<string>()

async function addressOf(kind: Kind, page: PageEntry): Promise<string> {
  const sample = await samples[page.path]?.(apis[kind])
  if (sample === undefined) {
    if (samples[page.path])
      throw new Error(`the call for ${page.path} in e2e/page-samples.ts answers ${accounts[kind]} no record: name another list`)
    if (showsOneRecord(page.path) && !(page.path in needNoSample))
      throw new Error(
        `${page.path} shows one record: say in e2e/page-samples.ts which call names one (or in needNoSample why it needs none)`,
      )
    return page.path
  }
  return page.path.includes(':') ? page.path.replace(/:\w+/, sample) : page.path + sample
}

async function problemsOf(kind: Kind, page: PageEntry): Promise<Problem[]> {
  const address = await addressOf(kind, page)
  const tab = await tabOf(kind)
  try {
    // A new tab has no frame yet in which one could go on.
    const byAddress = kind === judge(page) || page.auth === 'top' || tab.page.url() === 'about:blank'
    const problems = await openedAt(tab, kind, page, address, byAddress)
    // What comes in another order another time jumps by chance: what jumps twice is built so.
    if (!problems.some(({ check }) => check === 'shift')) return problems
    const again = await openedAt(tab, kind, page, address, true)
    return again.some(({ check }) => check === 'shift') ? problems : problems.filter(({ check }) => check !== 'shift')
  } finally {
    await release(kind, tab)
  }
}

const knownOf = (page: PageEntry, { check, text }: Problem) =>
  exceptions.find((one) => one.page === page.name && one.check === check && one.text.test(text))

/** By its address once, as a bookmark opens it; for the other accounts from within, as the menu does: a tenth of the work. */
async function openedAt(tab: Visitor, kind: Kind, page: PageEntry, address: string, byAddress: boolean): Promise<Problem[]> {
  const glance = glanceOf(kind, page)
  if (tab.page.viewportSize()?.width !== sizeFor(glance).width) await tab.page.setViewportSize(sizeFor(glance))
  if (byAddress) await tab.page.goto(demo.url + address, { waitUntil: 'commit' })
  // What the page before had asked for and did not get any more is not this one's.
  tab.trouble()
  if (byAddress) await tab.page.waitForLoadState('load')
  else await tab.follow(address)
  const wanted = (page.redirect ?? page.path).replace(/:\w+/, '[^/]+')
  if (!byAddress) await inFront(tab, wanted)
  const seen = await look(tab, glance, (problem) => knownOf(page, problem) !== undefined)
  looks.get(kind)?.set(page.name, seen)
  const at = new URL(tab.page.url()).pathname
  const astray = new RegExp(`^${wanted}$`).test(at) ? [] : [{ check: 'address' as const, text: `ended on ${at}` }]
  const said = tab.trouble().filter((text) => !text.includes('Failed to load resource'))
  const trouble = said.map((text) => ({ check: /^\d/.test(text) ? ('call' as const) : ('console' as const), text }))
  return [...trouble, ...astray, ...seen.problems]
}

/** The frame has brought the page: before that the one opened last would be looked at. */
const inFront = (tab: Visitor, wanted: string) =>
  tab.page.waitForFunction(
    (path) => new RegExp(`^${path}$`).test(document.querySelector<HTMLElement>('.app-page:not([hidden])')?.dataset['path'] ?? ''),
    wanted,
    { timeout: patienceMs, polling: pollMs },
  )

test('every page of the frame may be entered by somebody', () => {
  const closed = inside.filter((page) => !kinds.some((kind) => mayEnter(kind, page))).map((page) => page.path)
  // Give one of the accounts above the code, or add an account that holds it.
  expect(closed).toEqual([])
})

describe.concurrent('opens without a fault, by its address and from within [route-history-mode]', () => {
  test.for(visits)('$title', async ({ kind, page }, { expect: expectHere }) => {
    visited.add(page.name)
    const left = (await problemsOf(kind, page)).filter((problem) => {
      const known = knownOf(page, problem)
      if (known) needed.add(known)
      return !known
    })
    const texts = left.map(({ check, text }) => `${check}: ${text}`)
    // The report of a run shows the message alone, not what differs.
    expectHere(texts, texts.join('\n')).toEqual([])
  })
})

test.for(kinds)('the frame around the pages can be read and operated by everybody, as %s', async (kind) => {
  const tab = await tabOf(kind)
  await tab.page.setViewportSize(wide)
  await tab.go('/main')
  await settle(tab)
  expect(await serious(tab.page)).toEqual([])
  await release(kind, tab)
})

test('public pages open for a stranger', async () => {
  const stranger = await visit(browser, demo, { viewport: wide })
  await stranger.context.addInitScript(watchShifts)
  for (const { path } of allPages.filter((page) => page.auth === 'public')) {
    await stranger.page.setViewportSize(wide)
    await stranger.go(path)
    const { problems } = await look(stranger, 'both')
    expect({ path, trouble: stranger.trouble(), problems }).toEqual({ path, trouble: [], problems: [] })
  }
  await stranger.close()
})

test('no two pages look alike', () => {
  const redirected = new Set(inside.filter((page) => page.redirect).map((page) => page.name))
  const pairs = kinds.flatMap((kind) => {
    const seen = [...(looks.get(kind) ?? [])].filter(([name]) => !redirected.has(name))
    return seen.flatMap(([name, one], i) =>
      seen
        .slice(i + 1)
        .filter(([, other]) => one.text === other.text || (one.sign.length > 8 && one.sign === other.sign))
        .map(([other]) => [name, other] as const),
    )
  })
  const strange = pairs.filter(([a, b]) => !twins.some(({ pages }) => pages.includes(a) && pages.includes(b)))
  // A page of its own shows something of its own; pages that may be alike stand in e2e/page-exceptions.ts with the reason.
  expect([...new Set(strange.map(([a, b]) => `${a} = ${b}`))]).toEqual([])
})

test('no exception stands for nothing', () => {
  const idleOnes = exceptions.filter(
    (one) => (visited.has(one.page) || !inside.some((page) => page.name === one.page)) && !one.sometimes && !needed.has(one),
  )
  // The product holds these now: take the lines out of e2e/page-exceptions.ts.
  expect(idleOnes.map((one) => `${one.page} ${one.check} ${one.text}`)).toEqual([])
})
