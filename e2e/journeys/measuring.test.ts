import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, expect, inject, test } from 'vitest'
import { type Api, apiAs, type Visitor, visitKept } from '../browser.ts'
import { accountOf, look, until } from './day.ts'
import { device, forgetDevices, killDevice, openOffline, outbox, phone } from './kept-device.ts'
import { photo, press } from './page-acts.ts'

/**
 * Two hundred points of one flat are measured on a phone in a shaft without network. The browser is killed in between; back in the network
 * every point has arrived exactly once, also what was typed while the start was on its way.
 */
const demo = inject('demo')
const measurer = 'hospital-pm'
const { projectCode, name: measurerName } = accountOf(demo, measurer)
const site = `projectCode=${projectCode}`
const [areas, perArea] = [10, 10]
const items = ['垂直度', '平整度'] as const
afterAll(forgetDevices)

const made = ({ data, message }: { data: unknown; message: string }) => {
  const { id } = (data ?? {}) as { id?: string }
  if (!id) throw new Error(message)
  return id
}

interface Place {
  id: string
  name: string
  kind: string
}

interface Task {
  state: string
  totalPoints: number
  currentPoints: number
  areas: { itemNo: number; areaNo: number; points: { pointNo: number; value: number; photos: string[] }[] }[]
  timeline: { action: string }[]
}

/** A task of two items with a hundred points each in one room, for the measurer himself. */
async function assigned(api: Api): Promise<string> {
  const stamp = Date.now()
  const rule = (body: object) => api.post(`/api/v1/measure/rule?${site}`, body)
  const templateId = made(await rule({ action: 'createTemplate', name: `抹灰样板 ${stamp}`, stage: '3', targetRate: 50 }))
  for (const standardName of items)
    made(
      await rule({
        ...{ action: 'create', templateId, itemCode: '301', standardName, baseValue: null, judgeStart: 0, judgeEnd: 4, isAbsolute: true },
        ...{ isRange: false, isCustomBase: false, areaCount: areas, pointCount: perArea, method: '靠尺', norm: null, burstFactor: 1.5 },
      }),
    )
  const { list } = await api.get<{ list: Place[] }>(`/api/v1/measure/place?${site}`)
  const room = list.find((one) => one.kind === 'room' && !/楼梯|井/.test(one.name))
  const { members } = await api.get<{ members: { id: string; name: string }[] }>(`/api/v1/measure/task/choices?${site}`)
  const { data, message } = await api.post(`/api/v1/measure/task?${site}`, {
    ...{ action: 'assign', id: randomUUID().replaceAll('-', ''), taskName: `抹灰实测 ${stamp}`, templateId, placeIds: [room?.id] },
    ...{ unitCorp: null, memberId: members.find((one) => one.name === measurerName)?.id, deadline: null, perFloor: false },
  })
  const { ids } = (data ?? { ids: [] }) as { ids: string[] }
  if (!ids[0]) throw new Error(message)
  return ids[0]
}

const point = (page: Page, areaNo: number, pointNo: number) =>
  page.locator('.measuring-grid:visible').getByLabel(`测区 ${areaNo} 测点 ${pointNo}`, { exact: true })
/** Deviations in millimetres, different for every point; one of them is far out. */
const typedAt = (item: number, areaNo: number, pointNo: number) =>
  item === 1 && areaNo === 4 && pointNo === 7 ? 9.5 : ((item * 31 + areaNo * 7 + pointNo * 3) % 45) / 10

/** Types the points of an item with the keypad; Enter moves on to the next. */
async function type(page: Page, item: number, from: number, to: number): Promise<void> {
  await page
    .getByRole('navigation', { name: '测项' })
    .getByRole('button', { name: new RegExp(`^${items[item - 1]}`) })
    .click()
  await point(page, from, 1).click()
  for (let areaNo = from; areaNo <= to; areaNo++)
    for (let pointNo = 1; pointNo <= perArea; pointNo++) {
      await page.keyboard.type(String(typedAt(item, areaNo, pointNo)))
      await page.keyboard.press('Enter')
    }
  await point(page, to, perArea).blur()
}
const progress = (page: Page, measured: number) =>
  page
    .getByRole('status')
    .filter({ hasText: `已测 ${measured} / 200` })
    .waitFor()

test('two hundred points of a phone without network outlive a killed browser and arrive once each', async () => {
  const api = await apiAs(demo, measurer)
  const id = await assigned(api)
  const read = () => api.get<Task>(`/api/v1/measure/task/${id}?projectCode=*`)
  const path = `/measure_task?task=${id}`
  const folder = await device(demo, measurer, phone, path)
  const first: Visitor = await visitKept(folder, demo, phone)
  await first.go(path)
  await first.page.getByRole('button', { name: '开始测量' }).waitFor()
  await first.context.setOffline(true)
  await press(first.page, '开始测量')
  await type(first.page, 1, 1, 10)
  await progress(first.page, 100)
  await first.page.locator('.measuring-burst').getByText('测点 7 爆点').waitFor()
  await look(first.page, 'measuring-1-offline')
  await press(first.page, /^保\s*存$/)
  await outbox(first.page).getByText('待传 2 项').waitFor()
  // Typed, but not saved.
  await type(first.page, 2, 1, 2)
  await progress(first.page, 120)
  await first.page.waitForTimeout(1_000)
  killDevice(folder)
  expect(await read()).toMatchObject({ state: '1', currentPoints: 0 })

  const second = await visitKept(folder, demo, phone)
  await openOffline(second, demo, path)
  const { page } = second
  await progress(page, 120)
  await type(page, 2, 3, 5)
  await progress(page, 150)
  // The network comes for a while: the start and the first points are sent, what is being typed stays.
  await second.context.setOffline(false)
  await until('the first points', read, (task) => task.state === '2' && task.currentPoints === 100)
  await outbox(page).waitFor({ state: 'detached' })
  await progress(page, 150)
  await second.context.setOffline(true)
  await type(page, 2, 6, 10)
  await progress(page, 200)
  // A burst point needs a photograph.
  await press(page, /^提\s*交$/)
  await page.getByText('1 个爆点还没有照片').waitFor()
  await page
    .getByRole('navigation', { name: '测项' })
    .getByRole('button', { name: /^垂直度/ })
    .click()
  await page
    .locator('.measuring-burst')
    .getByLabel('选择文件')
    .setInputFiles(await photo(page))
  await page.locator('.measuring-burst .field-photo').waitFor()
  await press(page, /^提\s*交$/)
  await outbox(page).getByText('待传 1 项').waitFor()
  await look(page, 'measuring-2-submitted')
  await second.context.setOffline(false)
  // A burst point keeps it from its target, whatever the rate.
  const task = await until('the submission', read, ({ state }) => state === '4')
  await outbox(page).waitFor({ state: 'detached' })

  expect(task).toMatchObject({ totalPoints: 200, currentPoints: 200 })
  const arrived = task.areas.flatMap((area) => area.points.map((one) => `${area.itemNo} ${area.areaNo} ${one.pointNo} ${one.value}`))
  const typed = [1, 2].flatMap((item) =>
    Array.from({ length: areas * perArea }, (_, i) => {
      const [areaNo, pointNo] = [Math.floor(i / perArea) + 1, (i % perArea) + 1]
      return `${item} ${areaNo} ${pointNo} ${typedAt(item, areaNo, pointNo)}`
    }),
  )
  expect(arrived.toSorted()).toEqual(typed.toSorted())
  expect(task.areas.flatMap((area) => area.points.flatMap((one) => one.photos))).toHaveLength(1)
  expect(task.timeline.map((one) => one.action).toSorted()).toEqual(['create', 'start', 'submit'])
  const { total } = await api.get<{ total: number }>(`/api/v1/measure/record?${site}&task=${id}&page=1&size=1`)
  expect(total).toBe(200)
  await second.context.close()
})
