/// <reference lib="dom" />
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import type { Demo } from './product.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A camera that shows a test picture: whoever may use it is asked as ever.
  '--use-fake-device-for-media-stream',
]

const whole = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** The same engine without windows of its own: a quarter less work, but no camera and no films beside it. */
const shell = process.env.CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell'

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: whole, args: flags })
/** Hundreds of pages are drawn once each: compiling for speed what never runs often took a fifth of all work. */
const runsOnce = '--js-flags=--no-opt'
/** For whoever only looks at what pages say. */
export const openShell = (): Promise<Browser> =>
  chromium.launch({ executablePath: existsSync(shell) ? shell : whole, args: [...flags, runsOnce] })

export interface Visitor {
  context: BrowserContext
  page: Page
  /** Script errors, failed calls and logged errors since the last look; emptied by looking. */
  trouble(): string[]
  go(path: string): Promise<void>
  /** Goes on inside the open page, as a click on a link of the frame does: nothing is loaded anew. */
  follow(path: string): Promise<void>
  /** Resolves when no call has been under way for a moment, or when that does not come about. */
  quiet(): Promise<void>
  /** One more tab of the same window, with the same session. */
  another(): Promise<Visitor>
  close(): Promise<void>
}

interface Visit {
  viewport?: { width: number; height: number }
  /** Nothing glides, shimmers or grows: that is drawn sixty times a second, and a press between two frames falls beside what moves. */
  calm?: boolean
}
/** A new visitor without anything in storage. */
export async function visit(
  browser: Browser,
  demo: Demo,
  { viewport = { width: 1440, height: 900 }, calm = true }: Visit = {},
): Promise<Visitor> {
  const reducedMotion = calm ? 'reduce' : null
  const context = await browser.newContext({ viewport, reducedMotion, locale: 'zh-CN', timezoneId: 'Asia/Shanghai', acceptDownloads: true })
  return tabIn(context, demo)
}

/** How long nothing may be asked for until all is taken to be there: a call that follows from another begins within a frame or two. */
const quietMs = 250
const patienceMs = 20_000

/** What somebody waits for in a test comes late where both cores have much to do: how quick pages are is for the benchmark to say. */
const busyMs = 60_000
/** Every tab that is open, the newest last. */
export const openTabs = new Set<Page>()

async function tabIn(context: BrowserContext, demo: Demo): Promise<Visitor> {
  const page = await context.newPage()
  openTabs.add(page)
  page.setDefaultTimeout(busyMs)
  page.once('close', () => openTabs.delete(page))
  let seen: string[] = []
  page.on('pageerror', (error) => seen.push(`script: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) seen.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  const underWay = new Set<Request>()
  let lastChange = 0
  const changed = (request: Request, begins: boolean) => {
    // A page that is loaded anew gets no answers of the one before.
    if (begins && request.isNavigationRequest()) underWay.clear()
    if (begins) underWay.add(request)
    else underWay.delete(request)
    lastChange = performance.now()
  }
  page.on('request', (request) => changed(request, true))
  page.on('requestfinished', (request) => changed(request, false))
  page.on('requestfailed', (request) => changed(request, false))
  return {
    context,
    page,
    async follow(path) {
      await page.evaluate((to) => {
        window.shiftSessions = []
        history.pushState({ key: crypto.randomUUID() }, '', to)
        window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
      }, path)
      lastChange = performance.now()
    },
    async quiet() {
      const given = performance.now() + patienceMs
      while (performance.now() < given && (underWay.size > 0 || performance.now() - lastChange < quietMs)) await page.waitForTimeout(50)
    },
    trouble() {
      const all = seen
      seen = []
      return all
    },
    async go(path) {
      await page.goto(demo.url + path, { waitUntil: 'load' })
      await page.waitForLoadState('networkidle', { timeout: 8_000 }).catch(() => undefined)
    },
    another: () => tabIn(context, demo),
    close: () => context.close(),
  }
}

/** Logs in through the page, as a person does. */
export async function logIn(visitor: Visitor, demo: Demo, account: string): Promise<void> {
  const credentials = demo.accounts.find((a) => a.account === account)
  if (!credentials) throw new Error(`nobody is called ${account}`)
  await visitor.go('/login')
  await visitor.page.getByLabel('账号').fill(account)
  await visitor.page.getByLabel('密码').fill(credentials.password)
  await visitor.page.getByRole('button', { name: /^登\s*录$/ }).click()
  await visitor.page.waitForURL((url) => !url.pathname.startsWith('/login'), { timeout: 20_000 })
}

/** The API as a script would use it. */
export type Api = Awaited<ReturnType<typeof apiAs>>
export async function apiAs(demo: Demo, account: string) {
  const password = demo.accounts.find((a) => a.account === account)?.password
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(demo.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).then((r) => r.json())
  const { data } = (await post('/api/v1/sys/login', { account, password })) as { data: { token: string } }
  const headers = { token: data.token, group: '*' }
  return {
    get: async <T>(path: string): Promise<T> => ((await fetch(demo.url + path, { headers }).then((r) => r.json())) as { data: T }).data,
    put: (path: string, body: unknown) =>
      fetch(demo.url + path, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((r) => r.json()) as Promise<{ status: number; message: string }>,
    post: (path: string, body: unknown) => post(path, body, headers) as Promise<{ status: number; message: string; data: unknown }>,
  }
}
