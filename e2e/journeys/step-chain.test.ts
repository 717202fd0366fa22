import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, look, windows } from './day.ts'
import { choose, photo, press, tag } from './page-acts.ts'
import { draw, signSeat } from './signing.ts'

/**
 * The steps of one room up to the rebar that will be covered: the next step stays locked, photographs are taken before covering, and only the
 * signature of 监理 opens the pour.
 */
const demo = inject('demo')
const officer = 'hospital-pm'
const supervisor = 'hospital-jl'
const { projectCode } = accountOf(demo, officer)
const site = `projectCode=${projectCode}`
const path = '/api/v1/oa/process/qualityP'
let browser: Browser
let api: Api
let placeId = ''
let corpCode = ''
let id = ''
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  api = await apiAs(demo, officer)
}, 180_000)
afterAll(() => browser.close())

interface Next {
  chain: { work: string; kind: string; accepted: boolean; checkTime: string | null }[]
  next: { work: string; kind: string; name: string } | null
  locked: string | null
}
interface Step {
  version: number
  state: string
  photos: string[]
  signatures: { role: string; state: string }[]
}
const next = () => api.get<Next>(`${path}/next?${site}&placeId=${placeId}`)
const step = (one: string) => api.get<Step>(`${path}/${one}?projectCode=*`)
const detail = () => `/safetyP/qualityP/details?id=${id}`

/** Values that pass at every point of a work. */
const pointsOf: Readonly<Record<string, readonly (readonly [key: string, value: number | null])[]>> = {
  setout: [
    ['axis', 2],
    ['level', 1],
    ['marks', null],
  ],
  formwork: [
    ['axis', 3],
    ['level', -2],
    ['section', 4],
    ['plumb', 5],
    ['flat', 3],
    ['support', null],
  ],
  rebar: [
    ['spacing', 12],
    ['mainSpacing', -6],
    ['cover', 2],
    ['anchor', 5],
    ['grade', null],
    ['joint', null],
  ],
}
const send = async (work: string, kind: string, photos: string[] = []) =>
  api.post(`${path}?${site}`, {
    ...{ id: randomUUID().replaceAll('-', ''), action: 'submit', work, kind, placeId, pin: null, part: '样板间梁板', corpCode },
    ...{ gang: '钢筋班', begunAt: null, checkTime: null, checkers: [], photos, remark: null, person: null, deadline: null, problems: [] },
    points: (pointsOf[work] ?? pointsOf.rebar ?? []).map(([key, value]) => ({
      ...{ key, value, note: null, photos: [] },
      fine: value === null ? true : null,
    })),
  })

/** Brings a room without records to its concealed work; the steps before are written as the site writes them. */
async function untilConcealed(page: Page): Promise<void> {
  const { list } = await api.get<{ list: { id: string; kind: string; name: string }[] }>(`/api/v1/measure/place?${site}`)
  for (const room of list.filter((one) => one.kind === 'room').toReversed()) {
    placeId = room.id
    if ((await next()).chain.every((one) => one.checkTime === null)) break
  }
  const { corps } = await api.get<{ corps: { code: string; name: string }[] }>(`/api/v2/oa/se/rectify/people?${site}`)
  corpCode = corps.find((one) => one.name.includes('云泽'))?.code ?? ''
  const witness = await apiAs(demo, supervisor)
  const signature = `data:image/png;base64,${(await photo(page)).buffer.toString('base64')}`
  for (let at = await next(); at.next && !(at.next.work === 'rebar' && at.next.kind === '5'); at = await next()) {
    const { work, kind } = at.next
    const made = await send(work, kind)
    const { id: one } = (made.data ?? {}) as { id?: string }
    if (!one) throw new Error(made.message)
    if ((await step(one)).state !== '1') continue
    const { version } = await step(one)
    const accepted = await witness.put(`${path}/${one}?projectCode=*`, { action: 'accept', version, opinion: '同意', signature })
    if (accepted.status !== 0) throw new Error(accepted.message)
  }
}

describe.sequential('the steps of a room', () => {
  test('the pour stays locked while the rebar is not accepted', async () => {
    const who = await as(officer)
    await who.go('/safetyP/qualityP/list')
    await untilConcealed(who.page)
    expect((await next()).next).toMatchObject({ work: 'rebar', kind: '5' })
    expect(await send('concrete', '2')).toMatchObject({ message: expect.stringContaining('不能验收') })
    await who.go(`/safetyP/qualityP/create?place=${placeId}&work=concrete&kind=2`)
    await who.page.getByText('下一道：').filter({ visible: true }).first().waitFor()
    await look(who.page, 'steps-1-locked')
    expect(who.trouble()).toEqual([])
  })

  test('concealed work is submitted with photographs before covering, and not without', async () => {
    const who: Visitor = await as(officer)
    const { page } = who
    await who.go(`/safetyP/qualityP/create?place=${placeId}&work=rebar&kind=5`)
    await page.getByRole('textbox', { name: /^部位/ }).filter({ visible: true }).fill('样板间梁板钢筋')
    await choose(page, '施工单位', '云泽建工集团')
    await page.getByRole('textbox', { name: /^班组/ }).filter({ visible: true }).fill('钢筋班')
    const fields = page.locator('.step-point:visible')
    for (const [i, value] of ['12', '-6', '2', '5'].entries()) await fields.nth(i).getByRole('spinbutton').fill(value)
    for (const i of [4, 5]) {
      await fields.nth(i).getByRole('combobox').click()
      await page
        .locator('.ant-select-item-option')
        .filter({ visible: true, hasText: /^合格$/ })
        .first()
        .click()
    }
    await press(page, '提交验收')
    await page
      .getByText(/覆盖前照片|请上传|照片/)
      .filter({ visible: true })
      .first()
      .waitFor()
    expect(page.url()).toContain('/safetyP/qualityP/create')
    await look(page, 'steps-2-no-photo')
    await page
      .locator('.app-page:not([hidden]) input[type=file]')
      .first()
      .setInputFiles(await photo(page))
    await page.locator('.field-photo:visible').first().waitFor()
    await press(page, '提交验收')
    await page.waitForURL(/qualityP\/details\?id=/)
    id = new URL(page.url()).searchParams.get('id') ?? ''
    expect(await step(id)).toMatchObject({ state: '1' })
    expect((await step(id)).photos).toHaveLength(1)
    await tag(page, '待监理验收')
    // Handed in, but not accepted: the pour is still locked.
    expect(await send('concrete', '2')).toMatchObject({ message: expect.stringContaining('上一工序') })
  })

  test('the signature of 监理 accepts it and opens the pour', async () => {
    const who = await as(supervisor)
    const { page } = who
    await who.go(detail())
    await page.getByText('覆盖前照片').filter({ visible: true }).first().waitFor()
    await press(page, '同意验收')
    const drawer = page.getByRole('dialog', { name: '同意验收' })
    await page.getByLabel('验收意见').fill('钢筋规格、数量、间距符合设计，同意隐蔽')
    await draw(page, drawer)
    await drawer.getByRole('button', { name: /^保\s*存$/ }).click()
    await drawer.waitFor({ state: 'detached' })
    await tag(page, '验收通过')
    await look(page, 'steps-3-accepted')
    const site = await as(officer)
    await site.go(detail())
    await signSeat(site.page, '施工班组', '潘钢筋')
    const { signatures, state } = await step(id)
    expect(state).toBe('2')
    expect(signatures.filter((one) => one.state === 'signed').map((one) => one.role)).toEqual(
      expect.arrayContaining(['监理（隐蔽验收）', '施工班组']),
    )
    expect((await next()).next).toMatchObject({ work: 'concrete' })
    expect(who.trouble()).toEqual([])
    expect(site.trouble()).toEqual([])
  })
})
