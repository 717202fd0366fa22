import type { Locator, Page } from 'playwright-core'

/** Draws a stroke into the signature pad that is open, of the page or of a part of it. */
export async function draw(page: Page, within: Page | Locator = page): Promise<void> {
  const pad = within.getByRole('img', { name: '在此手写签名' }).filter({ visible: true })
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('no signature pad')
  await page.mouse.move(box.x + 30, box.y + 30)
  await page.mouse.down()
  await page.mouse.move(box.x + 90, box.y + 60, { steps: 8 })
  await page.mouse.move(box.x + 150, box.y + 25, { steps: 8 })
  await page.mouse.up()
}

/** Signs a seat of the record on the page: with the own account, or `name` signs on this device. */
export async function signSeat(page: Page, role: string, name?: string): Promise<void> {
  const seat = page.locator('.zg-signs > li').filter({ hasText: role, visible: true }).first()
  await seat.getByRole('button', { name: name ? '请他人签名' : /^签名$/ }).click()
  // A seat may stand in a drawer, which is a dialog too.
  const confirms = page.getByRole('button', { name: '确认签名' })
  const sheet = page.getByRole('dialog').filter({ has: confirms }).last()
  if (name) await sheet.getByLabel('签名人').fill(name)
  await draw(page)
  await sheet.getByRole('button', { name: '确认签名' }).last().click()
  await sheet.waitFor({ state: 'detached' })
  await seat.getByText('已签', { exact: true }).waitFor()
}
