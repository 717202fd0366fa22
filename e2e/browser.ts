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
  // A fake camera with a test picture; permission is asked as usual.
  '--use-fake-device-for-media-stream',
]

const whole = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Headless shell of the same engine: a quarter less CPU, but no camera and no videos. */
const shell = process.env.CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell'

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: whole, args: flags })
/** Hundreds of pages are rendered once each, so optimising their JavaScript would waste a fifth of the CPU time. */
const runsOnce = '--js-flags=--no-opt'
/** Browser for tests that only read pages. */
export const openShell = (): Promise<Browser> =>
  chromium.launch({ executablePath: existsSync(shell) ? shell : whole, args: [...flags, runsOnce] })

export interface Visitor {
  context: BrowserContext
  page: Page
  /** Script errors, failed calls and logged errors since the last call of this function. */
  trouble(): string[]
  go(path: string): Promise<void>
  /** Client-side navigation, as by a link inside the page; nothing is reloaded. */
  follow(path: string): Promise<void>
  /** Resolves when no request has been pending for a moment, or after a timeout. */
  quiet(): Promise<void>
  /** Another tab of the same context, with the same session. */
  another(): Promise<Visitor>
  close(): Promise<void>
}

interface Visit {
  viewport?: { width: number; height: number }
  /** Disables animations: they cost CPU, and a click may miss a moving element. */
  calm?: boolean
  /** Allows the service worker, which fetches what field pages need; tests of other pages do without. */
  field?: boolean
}
/** A new visitor with empty storage. */
export async function visit(
  browser: Browser,
  demo: Demo,
  { viewport = { width: 1440, height: 900 }, calm = true, field = false }: Visit = {},
): Promise<Visitor> {
  const reducedMotion = calm ? 'reduce' : null
  const serviceWorkers = field ? 'allow' : 'block'
  const context = await browser.newContext({ viewport, reducedMotion, serviceWorkers, ...chinese, acceptDownloads: true })
  return tabIn(context, demo)
}
const chinese = { locale: 'zh-CN', timezoneId: 'Asia/Shanghai' }

/** A browser whose data are kept in a folder, so that it can be killed and opened again. */
export async function visitKept(folder: string, demo: Demo, viewport: Visit['viewport']): Promise<Visitor> {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: existsSync(shell) ? shell : whole,
    args: flags,
    ...(viewport ? { viewport } : {}),
    ...chinese,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  return tabIn(context, demo)
}

/** Time without requests after which a page counts as loaded; a dependent request starts within a frame or two. */
const quietMs = 250
const patienceMs = 20_000

/** Long timeout, because both cores are busy during tests; speed is measured by the benchmark. */
const busyMs = 60_000
/** Open tabs, the newest last. */
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
    // Requests of the previous page get no response after a reload.
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

/** Logs in through the login page. */
export async function logIn(visitor: Visitor, demo: Demo, account: string, { stays = false } = {}): Promise<void> {
  const credentials = demo.accounts.find((a) => a.account === account)
  if (!credentials) throw new Error(`nobody is called ${account}`)
  await visitor.go('/login')
  await visitor.page.getByLabel('账号').fill(account)
  await visitor.page.getByLabel('密码').fill(credentials.password)
  if (stays) await visitor.page.getByText('在此电脑保持登录').click()
  await visitor.page.getByRole('button', { name: /^登\s*录$/ }).click()
  await visitor.page.waitForURL((url) => !url.pathname.startsWith('/login'), { timeout: 20_000 })
}

/** API client of a logged-in account. */
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
    /** Uploads a picture; the address that fields take. */
    upload: async (name: string, picture: Buffer): Promise<string> => {
      const body = new FormData()
      body.append('file', new File([new Uint8Array(picture)], name, { type: 'image/png' }))
      const answer = await fetch(`${demo.url}/api/v1/tool/upload`, { method: 'POST', headers, body }).then((r) => r.json())
      return (answer as { data: { url: string } }).data.url
    },
  }
}
