import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { logIn, type Visitor, visitKept } from '../browser.ts'
import type { Demo } from '../product.ts'
import { until } from './day.ts'

/** Devices that work without network, and browsers that are killed on them and opened again. */

export const phone = { width: 390, height: 844 }
export const tablet = { width: 820, height: 1180 }

/** Folders of browsers that are killed; a failed attempt leaves one running. */
const folders: string[] = []

/** The battery is empty: nothing is closed in order. */
export function killDevice(folder: string): void {
  try {
    execFileSync('pkill', ['-9', '-f', folder])
  } catch {
    // None runs.
  }
}

export function forgetDevices(): void {
  for (const folder of folders.splice(0)) {
    killDevice(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The files of the field pages stand in the cache, so that the product opens without network. */
export const fieldReady = (page: Page) =>
  until(
    'the cached files of the field pages',
    // Not `waitForFunction`: it does not await a predicate that is asynchronous.
    () => page.evaluate(async () => navigator.serviceWorker?.controller != null && (await caches.match('/build')) !== undefined),
    Boolean,
  )

/** A device on which `account` logged in this morning. The browser writes its storage to disk with a delay, and when it is closed. */
export async function device(demo: Demo, account: string, viewport: { width: number; height: number }, path: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'field-'))
  folders.push(folder)
  const morning = await visitKept(folder, demo, viewport)
  await logIn(morning, demo, account, { stays: true })
  await morning.go(path)
  await fieldReady(morning.page)
  await morning.context.close()
  return folder
}

/** Opens a page without network; on a busy machine the browser starts the service worker too late for its first attempt. */
export async function openOffline({ context, page }: Visitor, demo: Demo, path: string): Promise<void> {
  await context.setOffline(true)
  await until(
    'the page without network',
    () =>
      page.goto(demo.url + path).then(
        () => true,
        () => false,
      ),
    Boolean,
  )
}

/** What waits for the network, in the header. */
export const outbox = (page: Page) => page.locator('.app-outbox')
