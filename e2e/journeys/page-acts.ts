import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** What a user does on the page in front; pages opened before stay in the document, hidden. */

/** Presses the first visible button of that name. */
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).filter({ visible: true }).first().click()

/** Waits for a visible tag with that word. */
export const tag = (page: Page, word: string) => page.locator('.zg-tag:visible, [class*=tag]:visible', { hasText: word }).first().waitFor()

export const photo = async (page: Page) => ({
  name: '现场.png',
  mimeType: 'image/png',
  buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } }),
})

/** Adds a photograph to the `nth` upload field of the page in front. */
export async function upload(page: Page, nth = 0): Promise<void> {
  const field = page.locator('.app-page:not([hidden]) input[type=file]').nth(nth)
  // Pictures of earlier stages come with the form: count them when it is there.
  await field.waitFor({ state: 'attached' })
  const thumbs = page.locator('.app-page:not([hidden]) .zg-thumb')
  const before = await thumbs.count()
  await field.setInputFiles(await photo(page))
  await thumbs.nth(before).waitFor()
}

/** Adds a photograph to the first upload field of a drawer or dialog. */
export async function attach(page: Page, within: Locator): Promise<void> {
  await within
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photo(page))
  await within.locator('.zg-thumb, .field-photo').first().waitFor()
}

/** Picks an option of a select or tree select, by default the first. */
export async function choose(page: Page, label: string, option?: string): Promise<void> {
  const box = page
    .getByRole('combobox', { name: new RegExp(`^${label}`) })
    .filter({ visible: true })
    .first()
  await box.click()
  if (option) await box.fill(option)
  await page
    .locator('.ant-select-item-option, .ant-select-tree-title')
    .filter({ visible: true, ...(option ? { hasText: option } : {}) })
    .first()
    .click()
}

/** Fills every open problem of a notice and sends the answer. */
export async function replyTo(page: Page, measure: string, many: number): Promise<void> {
  const fields = page.locator('.rectify-fill:visible')
  await fields.first().waitFor()
  expect(await fields.count()).toBe(many)
  for (let i = 0; i < many; i++) {
    await fields
      .nth(i)
      .locator('textarea')
      .fill(`${measure}，第 ${i + 1} 处`)
    await fields
      .nth(i)
      .getByLabel('选择文件')
      .setInputFiles(await photo(page))
    await fields.nth(i).locator('.field-photo').first().waitFor()
  }
  await press(page, /^提交回复$/)
  await fields.first().waitFor({ state: 'detached' })
}

/** Judges the answer to a problem. */
export const judge = async (page: Page, no: number, verdict: '合格' | '不合格') =>
  page.locator('.rectify-fill:visible').nth(no).getByText(verdict, { exact: true }).click()
