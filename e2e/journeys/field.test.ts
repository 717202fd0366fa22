import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Api, apiAs, logIn, openShell, type Visitor, visit, visitKept } from '../browser.ts'
import { look, until } from './day.ts'
import { device, fieldReady, forgetDevices, killDevice, openOffline, outbox, phone, tablet } from './kept-device.ts'

/**
 * Work without network: an answer with thirty photographs is written on a phone in a cellar, the browser is killed, and everything arrives
 * once. The hashes of what the server serves are compared with those of what was sent.
 */
const demo = inject('demo')
let browser: Browser
let company: Api
let site: Api
beforeAll(async () => {
  browser = await openShell()
  company = await apiAs(demo, 'yunze-lu')
  site = await apiAs(demo, 'hospital-pm')
}, 180_000)
afterAll(async () => {
  await browser.close()
  forgetDevices()
})

const crcOf = (data: Buffer): number => {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(data.length)
  tail.writeUInt32BE(crcOf(named))
  return Buffer.concat([head, named, tail])
}
/** A picture of one colour that no other picture has. */
let shades = 0
function picture(): { name: string; mimeType: string; buffer: Buffer } {
  shades += 1
  const [width, height] = [120, 90]
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0])
  const row = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: width }, () => Buffer.from([shades % 256, 120, (shades * 7) % 256])),
  ])
  const stamp = Buffer.from(`${Date.now()} ${shades}`)
  const rows = Buffer.concat([...Array.from({ length: height }, () => row)])
  for (const [i, byte] of stamp.entries()) rows[1 + i] = byte
  const buffer = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { name: `现场 ${shades}.png`, mimeType: 'image/png', buffer }
}
const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('hex')

interface Notice {
  version: number
  state: string
  lines: { answers: { photos: string[]; draft: boolean }[] }[]
}
const read = (id: string) => site.get<Notice>(`/api/v2/oa/se/rectify/${id}`)
/** A notice with problems that the site has signed for. */
async function notice(problems: number): Promise<string> {
  const projectCode = demo.accounts.find((one) => one.account === 'hospital-pm')?.projectCode ?? ''
  const { corps } = await company.get<{ corps: { code: string; name: string }[] }>(
    `/api/v2/oa/se/rectify/people?projectCode=${projectCode}`,
  )
  const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
  const { data } = await company.post('/api/v2/oa/se/rectify', {
    projectCode,
    action: 'issue',
    corpCode: corps.find((one) => one.name.includes('云泽'))?.code ?? corps[0]?.code,
    sourceType: '11',
    noticeType: '2',
    category: '01',
    level: '1',
    checkDate: day(0),
    deadline: day(7),
    responsiblePerson: '周大勇',
    lines: Array.from({ length: problems }, (_, i) => ({
      description: `地下室临边防护缺失第 ${i + 1} 处`,
      part: `地下二层 ${i + 1} 轴`,
      requirement: '补齐防护栏杆',
      photos: [],
    })),
  })
  const { id } = data as { id: string }
  const { version } = await read(id)
  await site.put('/api/v2/oa/se/rectify', { id, version, action: 'sign' })
  return id
}

// Of the company, not of the authority: another journey counts the authority's.
const pageOf = (id: string) => `/safetyP/abarbeitung/details?id=${id}`
const fields = (page: Page) => page.locator('.rectify-fill:visible')

/** Fills every open problem with photographs; returns the hashes of what was chosen. */
async function fill(page: Page, each: number): Promise<string[]> {
  const hashes: string[] = []
  await fields(page).first().waitFor()
  for (let i = 0; i < (await fields(page).count()); i++) {
    const one = fields(page).nth(i)
    await one.locator('textarea').fill(`栏杆已补齐并固定，第 ${i + 1} 处`)
    const pictures = Array.from({ length: each }, picture)
    hashes.push(...pictures.map(({ buffer }) => hashOf(buffer)))
    await one.getByLabel('选择文件').setInputFiles(pictures)
    await one
      .locator('.field-photo')
      .nth(each - 1)
      .waitFor()
  }
  return hashes
}
const send = (page: Page) => page.getByRole('button', { name: '提交回复' }).click()

/** Hashes of the photographs as the server serves them. */
async function served(id: string): Promise<string[]> {
  const { lines } = await read(id)
  const links = lines.flatMap((line) => line.answers.flatMap((one) => one.photos))
  return Promise.all(links.map(async (link) => hashOf(Buffer.from(await (await fetch(demo.url + link)).arrayBuffer()))))
}
const answered = (id: string) =>
  until(
    'the answer of the outbox',
    () => read(id),
    ({ state }) => state === '4',
  )
test('an answer with thirty photographs outlives a killed browser without network and arrives once', async () => {
  const id = await notice(4)
  const folder = await device(demo, 'hospital-pm', phone, pageOf(id))
  const first = await visitKept(folder, demo, phone)
  await first.go(pageOf(id))
  await first.context.setOffline(true)
  const hashes = await fill(first.page, 8)
  await send(first.page)
  await outbox(first.page).getByText('待传 1 项').waitFor()
  expect(await outbox(first.page).textContent()).toContain('32 张照片')
  await look(first.page, 'field-1-offline')
  killDevice(folder)
  expect((await read(id)).state).toBe('2')

  const second = await visitKept(folder, demo, phone)
  await openOffline(second, demo, pageOf(id))
  await outbox(second.page).getByText('待传 1 项').waitFor()
  expect(await outbox(second.page).textContent()).toContain('32 张照片')
  await second.page.getByText('地下室临边防护缺失第 1 处').first().waitFor()
  await outbox(second.page).click()
  await second.page.getByText('没有网络。内容存在本机').waitFor()
  await look(second.page, 'field-2-outbox')
  await second.page.keyboard.press('Escape')
  await second.context.setOffline(false)
  await answered(id)
  await outbox(second.page).waitFor({ state: 'detached' })
  await second.context.close()
  const arrived = await served(id)
  expect(arrived.toSorted()).toEqual(hashes.toSorted())
})

test('what is typed outlives a killed browser before it is sent', async () => {
  const id = await notice(1)
  const folder = await device(demo, 'hospital-pm', tablet, pageOf(id))
  const first = await visitKept(folder, demo, tablet)
  await first.go(pageOf(id))
  await first.page.waitForTimeout(500)
  const hashes = await fill(first.page, 2)
  await first.page.waitForTimeout(1_000)
  killDevice(folder)
  const second = await visitKept(folder, demo, tablet)
  await second.go(pageOf(id))
  await fields(second.page).first().waitFor()
  await expect.poll(() => fields(second.page).first().locator('textarea').inputValue()).toBe('栏杆已补齐并固定，第 1 处')
  await second.page.locator('.field-photo').nth(1).waitFor()
  await look(second.page, 'field-3-draft')
  await send(second.page)
  await answered(id)
  expect((await served(id)).toSorted()).toEqual(hashes.toSorted())
  await second.context.close()
})

test('two tabs send it once', async () => {
  const id = await notice(2)
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-pm')
  const other = await visitor.another()
  await other.go('/safetyP/abarbeitung/list')
  await visitor.go(pageOf(id))
  await visitor.context.setOffline(true)
  const hashes = await fill(visitor.page, 3)
  await send(visitor.page)
  await outbox(visitor.page).waitFor()
  await outbox(other.page).getByText('待传 1 项').waitFor()
  await visitor.context.setOffline(false)
  await answered(id)
  await outbox(other.page).waitFor({ state: 'detached' })
  expect((await served(id)).toSorted()).toEqual(hashes.toSorted())
  await visitor.close()
})

test('a session that ended meanwhile asks for the password and goes on; another account sees and loses nothing', async () => {
  const id = await notice(1)
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-pm')
  await visitor.go(pageOf(id))
  await visitor.context.setOffline(true)
  const hashes = await fill(visitor.page, 3)
  await send(visitor.page)
  await outbox(visitor.page).getByText('待传 1 项').waitFor()
  // The session ends on the server while the device is away.
  const token = await visitor.page.evaluate(() => localStorage.getItem('token') ?? '')
  await fetch(`${demo.url}/api/v1/sys/logout`, { method: 'POST', headers: { token } })
  await visitor.context.setOffline(false)
  await visitor.page.waitForURL(/\/login/, { timeout: 60_000 })
  expect((await read(id)).state).toBe('2')
  await logIn(visitor, demo, 'yunze-lu')
  await outbox(visitor.page).waitFor({ state: 'detached' })
  await visitor.page.waitForTimeout(2_000)
  expect((await read(id)).state).toBe('2')
  await logIn(visitor, demo, 'hospital-pm')
  await answered(id)
  expect((await served(id)).toSorted()).toEqual(hashes.toSorted())
  await visitor.close()
})

test('a full device says so, and with a network the photograph goes to the server at once', async () => {
  const id = await notice(1)
  const visitor: Visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-pm')
  await visitor.go(pageOf(id))
  await fields(visitor.page).first().waitFor()
  await visitor.page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
  })
  const one = picture()
  await fields(visitor.page).first().getByLabel('选择文件').setInputFiles([one])
  await visitor.page.locator('.field-photo').first().waitFor()
  await visitor.context.setOffline(true)
  await fields(visitor.page).first().getByLabel('选择文件').setInputFiles([picture()])
  await visitor.page.getByText('本机存储已满且没有网络，照片未保存').waitFor()
  expect(await visitor.page.locator('.field-photo').count()).toBe(1)
  await visitor.close()
})

test('what the server refuses meanwhile is shown beside the record, and is sent on top of it', async () => {
  const id = await notice(1)
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-pm')
  await visitor.go(pageOf(id))
  await visitor.context.setOffline(true)
  const hashes = await fill(visitor.page, 1)
  await send(visitor.page)
  await outbox(visitor.page).waitFor()
  const { version } = await read(id)
  await site.put('/api/v2/oa/se/rectify', { id, version, action: 'start' })
  await visitor.context.setOffline(false)
  await expect.poll(() => outbox(visitor.page).getAttribute('class')).toContain('tone-danger')
  await outbox(visitor.page).click()
  await visitor.page.getByText('开始整改，请刷新后再办').waitFor()
  await look(visitor.page, 'field-4-refused')
  await visitor.page.getByRole('button', { name: '按最新状态重新发送' }).click()
  await answered(id)
  expect(await served(id)).toEqual(hashes)
  await visitor.close()
})

test('a round of the site is recorded without network, draft and all, and issues its notices once there is one', async () => {
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-officer')
  await visitor.go('/securityCheck/addsecurityCheck')
  const { page } = visitor
  await page.getByLabel('检查部位').waitFor()
  await page.getByText('责任单位', { exact: true }).waitFor()
  await visitor.context.setOffline(true)
  const words = `地下二层 ${Date.now() % 100_000} 轴洞口未盖板`
  await page.getByLabel('检查部位').fill('地下二层')
  await page.locator('.check-problem').getByLabel('选择文件').setInputFiles([picture(), picture()])
  await page.locator('.field-photo').nth(1).waitFor()
  await page.getByRole('textbox', { name: '问题' }).fill(words)
  await page.getByRole('textbox', { name: '整改要求' }).fill('用木胶合板固定覆盖')
  await page.getByRole('combobox', { name: '责任单位' }).click()
  await page.locator('.ant-select-item-option').filter({ visible: true }).first().click()
  await page.getByRole('button', { name: '加入本次检查' }).click()
  await page.getByText('1 个问题', { exact: true }).waitFor()
  await look(page, 'field-5-round')
  await page.getByRole('button', { name: '提交 1 个问题' }).click()
  await outbox(page).getByText('待传 1 项').waitFor()
  await visitor.context.setOffline(false)
  await outbox(page).waitFor({ state: 'detached' })
  const { list } = await site.get<{ list: { summary: string; sourceKind: string | null; state: string }[] }>(
    '/api/v2/oa/se/rectify/list?projectCode=*&origin=site&state=1&size=100',
  )
  expect(list.filter((one) => one.summary === words)).toMatchObject([{ sourceKind: 'securityCheck', state: '1' }])
  await visitor.close()
})

/** Chooses the first entry of a list on the page. */
async function chooseFirst(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name }).click()
  await page.locator('.ant-select-item-option').filter({ visible: true }).first().click()
}

/** A person of the chosen company, or a name where nobody of it is on the site. */
async function namePerson(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label)
  if ((await field.getAttribute('role')) === 'combobox') await chooseFirst(page, label)
  else await field.fill('周大勇')
}

test('a notice is written without network, outlives a reload and is issued once', async () => {
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-officer')
  const { page } = visitor
  await visitor.go('/safetyP/abarbeitung/create')
  await page.getByLabel('问题描述').waitFor()
  await fieldReady(page)
  await visitor.quiet()
  await visitor.context.setOffline(true)
  const words = `三层 ${Date.now() % 100_000} 轴临边未设防护栏杆`
  await page.getByLabel('问题描述').fill(words)
  await page.getByLabel('部位').fill('三层')
  await page.locator('.rectify-line').getByLabel('选择文件').setInputFiles([picture(), picture()])
  await page.locator('.field-photo').nth(1).waitFor()
  await page.waitForTimeout(1_000)
  await openOffline(visitor, demo, '/safetyP/abarbeitung/create')
  await expect.poll(() => page.getByLabel('问题描述').inputValue()).toBe(words)
  await page.locator('.field-photo').nth(1).waitFor()
  await page.getByLabel('整改要求').fill('当日补齐防护栏杆')
  await chooseFirst(page, '责任单位')
  await namePerson(page, '整改责任人')
  await look(page, 'field-6-notice')
  await page.getByRole('button', { name: /^保存/ }).click()
  await outbox(page).getByText('待传 1 项').waitFor()
  await visitor.context.setOffline(false)
  await outbox(page).waitFor({ state: 'detached' })
  const { list } = await site.get<{ list: { summary: string; state: string }[] }>(
    '/api/v2/oa/se/rectify/list?projectCode=*&origin=site&state=1&size=100',
  )
  expect(list.filter((one) => one.summary === words)).toHaveLength(1)
  await visitor.close()
})

test('a safety measure is written and submitted without network', async () => {
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-officer')
  const { page } = visitor
  await visitor.go('/addsafetyMeasures')
  await page.getByLabel('措施名称').waitFor()
  await fieldReady(page)
  await visitor.quiet()
  await visitor.context.setOffline(true)
  const name = `洞口防护专项措施 ${Date.now() % 100_000}`
  await page.getByLabel('措施名称').fill(name)
  await chooseFirst(page, '针对危险源')
  await page.getByLabel('措施内容').fill('木工班逐层用胶合板固定覆盖洞口，每日收工前由安全员复核')
  await page.getByLabel('选择文件').first().setInputFiles([picture()])
  await page.locator('.field-photo').first().waitFor()
  await chooseFirst(page, '责任单位')
  await namePerson(page, '责任人')
  await look(page, 'field-7-measure')
  await page.getByRole('button', { name: /^保存/ }).click()
  await outbox(page).getByText('待传 1 项').waitFor()
  await visitor.context.setOffline(false)
  await outbox(page).waitFor({ state: 'detached' })
  const { list } = await site.get<{ list: { name: string; state: string }[] }>(
    `/api/v1/oa/process/safetyMeasures?projectCode=*&size=100&name=${encodeURIComponent(name)}`,
  )
  expect(list).toMatchObject([{ name, state: '1' }])
  await visitor.close()
})

/** A photograph of a camera, drawn by the browser: 4,000 x 3,000 noisy pixels, taken on 2 January 2026, held sideways. */
async function cameraPicture(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const drawn = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4000, 3000)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('no canvas')
    for (let i = 0; i < 60_000; i++) {
      pen.fillStyle = `hsl(${Math.random() * 360} 60% 50%)`
      pen.fillRect(Math.random() * 4000, Math.random() * 3000, 40, 30)
    }
    const body = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.97 })).arrayBuffer())
    let text = ''
    for (let at = 0; at < body.length; at += 32_768) text += String.fromCharCode(...body.subarray(at, at + 32_768))
    return btoa(text)
  })
  const body = Buffer.from(drawn, 'base64')
  // Orientation 6 and DateTimeOriginal, big-endian.
  const tiff = Buffer.concat([
    Buffer.from('4d4d002a00000008000201120003000000010006000087690004000000010000002600000000', 'hex'),
    Buffer.from('000190030002000000140000003800000000', 'hex'),
    Buffer.from('2026:01:02 08:12:30\0', 'latin1'),
  ])
  const block = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const size = Buffer.alloc(2)
  size.writeUInt16BE(block.length + 2)
  return {
    name: '手机拍摄.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), size, block, body.subarray(2)]),
  }
}

test('a photograph of a phone is shrunk before it is kept, stands upright, and keeps when it was taken; lists load a small picture', async () => {
  const id = await notice(1)
  const visitor = await visit(browser, demo, { viewport: phone, field: true })
  await logIn(visitor, demo, 'hospital-pm')
  const { page } = visitor
  await visitor.go(pageOf(id))
  await fields(page).first().waitFor()
  const camera = await cameraPicture(page)
  expect(camera.buffer.length).toBeGreaterThan(2 * 1024 ** 2)
  await fields(page).first().locator('textarea').fill('栏杆已补齐并固定')
  await fields(page).first().getByLabel('选择文件').setInputFiles([camera])
  await page.locator('.field-photo').first().waitFor()
  await send(page)
  await answered(id)
  const [link = ''] = (await read(id)).lines.flatMap((line) => line.answers.flatMap((one) => one.photos))
  const sizeOf = (address: string) =>
    page.evaluate(async (url) => {
      const body = await (await fetch(url)).blob()
      const { width, height } = await createImageBitmap(body)
      return { width, height, bytes: body.size }
    }, address)
  const sent = await sizeOf(link)
  expect(sent).toMatchObject({ width: 1920, height: 2560 })
  expect(sent.bytes).toBeLessThanOrEqual(1.5 * 1024 ** 2)
  const small = await sizeOf(`${link}&size=small`)
  expect(small).toMatchObject({ width: 360, height: 480 })
  expect(small.bytes).toBeLessThan(128 * 1024)
  // The server read the camera's time from what was sent.
  const { lines } = await site.get<{ lines: { answers: { photoNotes: string[] }[] }[] }>(`/api/v2/oa/se/rectify/${id}`)
  expect(JSON.stringify(lines)).toContain('拍摄于 2026-01-02 08:12')
  await visitor.go(pageOf(id))
  const shown = page.locator('.zg-thumb img').first()
  await shown.waitFor()
  expect(await shown.getAttribute('src')).toContain('&size=small')
  await page.locator('.zg-thumb').first().click()
  expect(await page.locator('.zg-viewer img').getAttribute('src')).not.toContain('size=small')
  await visitor.close()
})

test('a large file goes on after a break of the network and a reload, and can be cancelled', async () => {
  const visitor = await visit(browser, demo)
  await logIn(visitor, demo, 'hospital-officer')
  const { page } = visitor
  await visitor.go('/addsafetyMeasures')
  await page.getByLabel('措施名称').waitFor()
  const input = page.locator('.ant-form-item').filter({ hasText: '费用凭证' }).getByLabel('选择文件')
  const pdf = (bytes: number) => ({
    name: `凭证 ${bytes}.pdf`,
    mimeType: 'application/pdf',
    buffer: Buffer.concat([Buffer.from(`%PDF-1.7 ${Date.now()}`), Buffer.alloc(bytes, 32)]),
  })
  // Two parts pass, then the network is gone.
  let passed = 0
  await page.route('**/api/v1/tool/upload/*/part/*', (route) => (++passed > 2 ? route.abort('internetdisconnected') : route.continue()))
  await input.setInputFiles([pdf(11 * 1024 ** 2)])
  const row = page.locator('.zg-large-file')
  await row.getByText('断网或刷新后自动续传').waitFor()
  await expect.poll(() => passed, { timeout: 60_000 }).toBeGreaterThan(3)
  await look(page, 'field-8-large')
  await page.unroute('**/api/v1/tool/upload/*/part/*')
  const resent: string[] = []
  page.on('request', (request) => {
    const part = /\/part\/(\d+)$/.exec(request.url())?.[1]
    if (part) resent.push(part)
  })
  page.once('dialog', (dialog) => void dialog.accept())
  await visitor.go('/addsafetyMeasures')
  await page.locator('.ant-form-item').filter({ hasText: '费用凭证' }).locator('.zg-thumb').waitFor()
  await row.waitFor({ state: 'detached' })
  // Six parts in all; the two that had passed are not sent again.
  expect(new Set(resent).size).toBe(4)
  // Another one is cancelled: nothing of it is left, here or on the server.
  await page.route('**/api/v1/tool/upload/*/part/*', (route) => route.abort('internetdisconnected'))
  await input.setInputFiles([pdf(12 * 1024 ** 2)])
  await row.getByText('断网或刷新后自动续传').waitFor()
  await row.getByRole('button', { name: /^取消/ }).click()
  await row.waitFor({ state: 'detached' })
  await visitor.go('/addsafetyMeasures')
  await page.getByLabel('措施名称').waitFor()
  await page.waitForTimeout(2_000)
  expect(await row.count()).toBe(0)
  await visitor.close()
})
