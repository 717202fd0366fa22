import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Demo } from './product.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--user-data-dir=${mkdtempSync(join(tmpdir(), 'zg-chromium-'))}`,
]

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags.slice(0, -1) })
}

export interface Visitor {
  context: BrowserContext
  page: Page
  /** Script errors, failed calls and logged errors since the last look; emptied by looking. */
  trouble(): string[]
  go(path: string): Promise<void>
  /** One more tab of the same window, with the same session. */
  another(): Promise<Visitor>
  close(): Promise<void>
}

/** A new visitor without anything in storage. */
export async function visit(browser: Browser, demo: Demo, viewport = { width: 1440, height: 900 }): Promise<Visitor> {
  const context = await browser.newContext({ viewport, locale: 'zh-CN', timezoneId: 'Asia/Shanghai', acceptDownloads: true })
  return tabIn(context, demo)
}

async function tabIn(context: BrowserContext, demo: Demo): Promise<Visitor> {
  const page = await context.newPage()
  let seen: string[] = []
  page.on('pageerror', (error) => seen.push(`script: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) seen.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  return {
    context,
    page,
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
