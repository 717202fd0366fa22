/// <reference lib="dom" />
import { createHash } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { apiAs, logIn, openBrowser, visit } from '../browser.ts'
import { look, until } from './day.ts'
import { photo } from './page-acts.ts'

/**
 * A problem spoken instead of written, by a phone in a cellar without network: the recording waits with the photograph, arrives as it was
 * recorded, and is heard by whoever has to mend the problem. The microphone is the browser's test tone.
 */
const demo = inject('demo')
const phone = { width: 390, height: 844 }
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 120_000)
afterAll(() => browser.close())

test('a spoken note recorded without network is heard in the notice, as it was recorded', async () => {
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  const { page, context } = visitor
  await context.grantPermissions(['microphone'])
  await logIn(visitor, demo, 'hospital-safety')
  await visitor.go('/securityCheck/addsecurityCheck')
  await page.getByLabel('检查部位').waitFor()
  await page.getByText('责任单位', { exact: true }).waitFor()
  await until(
    'the cached files of the field pages',
    () => page.evaluate(async () => navigator.serviceWorker?.controller != null && (await caches.match('/build')) !== undefined),
    Boolean,
  )
  await context.setOffline(true)
  const words = `地下一层集水井未盖板 ${Date.now() % 100_000}`
  await page.getByLabel('检查部位').fill('地下一层')
  await page
    .locator('.check-problem')
    .getByLabel('选择文件')
    .setInputFiles(await photo(page))
  await page.locator('.field-photo').first().waitFor()
  await page.getByRole('button', { name: '录音', exact: true }).click()
  await page.locator('.field-seconds', { hasText: /^2 / }).waitFor()
  await page.getByRole('button', { name: '停止录音' }).click()
  await page.getByLabel('录音 1', { exact: true }).waitFor()
  await look(page, 'voice-1-recorded')
  // What the device has computed before anything was sent.
  const kept = await page.evaluate(
    () =>
      new Promise<{ sha256?: string; size: number; type: string }[]>((resolve, reject) => {
        const opening = indexedDB.open('zhugong-field')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const all = opening.result.transaction('photos').objectStore('photos').getAll()
          all.onsuccess = () =>
            resolve(
              (all.result as { sha256?: string; file: Blob }[]).map(({ sha256, file }) => ({ sha256, size: file.size, type: file.type })),
            )
        }
      }),
  )
  const recording = kept.find((one) => one.type.startsWith('audio/'))
  expect(recording?.size).toBeGreaterThan(1_000)
  await page.getByRole('textbox', { name: '问题' }).fill(words)
  await page.getByRole('textbox', { name: '整改要求' }).fill('加盖固定盖板')
  await page.getByRole('combobox', { name: '责任单位' }).click()
  await page.locator('.ant-select-item-option').filter({ visible: true }).first().click()
  await page.getByRole('button', { name: '加入本次检查' }).click()
  await page.getByText('1 个问题', { exact: true }).waitFor()
  await page.getByRole('button', { name: '提交 1 个问题' }).click()
  await page.locator('.app-outbox').getByText('待传 1 项').waitFor()
  await context.setOffline(false)
  await page.locator('.app-outbox').waitFor({ state: 'detached' })
  // The browser logs what it could not fetch without network; from here on nothing may fail.
  visitor.trouble()

  const api = await apiAs(demo, 'hospital-pm')
  const { list } = await api.get<{ list: { id: string; summary: string }[] }>(
    '/api/v2/oa/se/rectify/list?projectCode=*&origin=site&state=1&size=100',
  )
  const id = list.find((one) => one.summary === words)?.id ?? ''
  const { lines } = await api.get<{ lines: { voices: string[]; photos: string[] }[] }>(`/api/v2/oa/se/rectify/${id}`)
  expect(lines.map((one) => [one.photos.length, one.voices.length])).toEqual([[1, 1]])
  const served = await fetch(new URL(lines[0]?.voices[0] ?? '', page.url()))
  expect(served.headers.get('content-type')).toContain('audio/webm')
  const body = Buffer.from(await served.arrayBuffer())
  expect(createHash('sha256').update(body).digest('hex')).toBe(recording?.sha256)

  await visitor.go(`/safetyP/abarbeitung/details?id=${id}`)
  const player = page.getByLabel('录音 1', { exact: true }).filter({ visible: true }).first()
  await player.waitFor()
  await player.evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true
    await audio.play()
  })
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0.5)
  await look(page, 'voice-2-heard')
  expect(visitor.trouble()).toEqual([])
  await visitor.close()
}, 240_000)
