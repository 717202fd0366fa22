import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, apiAs, openShell, type Visitor } from '../browser.ts'
import { look, windows } from './day.ts'
import { choose, press, upload } from './page-acts.ts'
import { signSeat } from './signing.ts'

/**
 * An over-scale formwork from registration to completion: plan and signatures, a drawn panel of five experts who ask for a change, its
 * revision, instruction, work, acceptance. Nothing passes without what it needs.
 */
const demo = inject('demo')
const workName = `大堂高支模 ${Date.now()}`
const anywhere = 'projectCode=*'
let browser: Browser
let site: Visitor
let supervisor: Visitor
let id = ''
let siteApi: Api
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  site = await as('hospital-pm')
  supervisor = await as('hospital-jl')
  siteApi = await apiAs(demo, 'hospital-pm')
}, 180_000)
afterAll(() => browser.close())

const path = '/api/v1/oa/process/bigproject'
const detail = () => `/jgt/bigproject/details?id=${id}`
const save = /^保\s*存/
const stateOf = async () => (await siteApi.get<{ state: string }>(`${path}/${id}?${anywhere}`)).state
/** Presses an action of the open file and waits until the record has its state. */
async function move(who: Visitor, action: string | RegExp, state: string): Promise<void> {
  await who.go(detail())
  await press(who.page, action)
  await expect.poll(stateOf, { timeout: 30_000 }).toBe(state)
}

/** Opens the form of a stage, fills it and saves. */
async function form(who: Visitor, button: string, fill: (page: Page) => Promise<void>): Promise<void> {
  await who.go(detail())
  await press(who.page, button)
  await fill(who.page)
  await press(who.page, save)
  await who.page.waitForURL(/bigproject\/details/)
}

const idIn = ({ data, message }: { data: unknown; message: string }) => {
  const { id: made } = (data ?? {}) as { id?: string }
  if (!made) throw new Error(message)
  return made
}

/** The over-scale review of experts: frozen list, draw, replies, five signatures, conclusion. Returns the title of the activity. */
async function review(projectCode: string): Promise<string> {
  const head = await apiAs(demo, 'bj-wu')
  const title = `大堂高支模专项方案论证 ${Date.now()}`
  const meetingDate = new Date(Date.now() + 8 * 3_600_000 + 5 * 86_400_000).toISOString().slice(0, 10)
  const meeting = { purpose: '1', title, meetingDate, half: 'am', place: '项目会议室', overScale: true }
  const { list } = await head.get<{ list: { specialty: string; candidates: number }[] }>(
    `/api/v1/oa/process/expertDraw/candidates?projectCode=${projectCode}&meetingDate=${meetingDate}&half=am&specialties=01,02,03,04,05,06,07`,
  )
  const [widest] = list.toSorted((a, b) => b.candidates - a.candidates)
  expect(widest?.candidates).toBeGreaterThanOrEqual(5)
  const draw = await head.post(`/api/v1/oa/process/expertDraw?projectCode=${projectCode}`, {
    ...meeting,
    quotas: [{ specialty: widest?.specialty, seats: 5 }],
  })
  const drawId = idIn(draw)
  type Drawn = { version: number; seats: { id: string; expertId: string; reply: string }[] }
  const see = () => head.get<Drawn>(`/api/v1/oa/process/expertDraw/${drawId}?${anywhere}`)
  const act = async (body: object) =>
    await head.put(`/api/v1/oa/process/expertDraw/${drawId}?${anywhere}`, { version: (await see()).version, ...body })
  await act({
    action: 'draw',
    witnesses: [
      { name: '王监督', digits: '42' },
      { name: '李代表', digits: '007' },
    ],
  })
  for (const seat of (await see()).seats.filter((one) => one.reply === 'invited'))
    await act({ action: 'reply', seat: seat.id, answer: 'accepted' })
  const made = await head.post(`/api/v1/oa/process/expertActivity?projectCode=${projectCode}`, {
    drawId,
    activityType: '1',
    title,
    date: meetingDate,
    half: 'am',
    place: '项目会议室',
    content: '论证大堂高支模专项施工方案',
    overScale: true,
  })
  const activityId = idIn(made)
  await meetToday(activityId)
  await signIn(head, activityId)
  return title
}

/** The day of the meeting has come. */
async function meetToday(activityId: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  await client.query(`update expert_activity set date = (now() at time zone 'Asia/Shanghai')::date, shown_at = now() where id = $1`, [
    activityId,
  ])
  await client.query('update expert_activity_seat set shown_at = now() where activity_id = $1', [activityId])
  await client.end()
}

async function signIn(head: Api, activityId: string): Promise<void> {
  type Meeting = { version: number; seats: { id: string; expertId: string }[] }
  const address = `/api/v1/oa/process/expertActivity/${activityId}?${anywhere}`
  const clerk = await apiAs(demo, 'city-xu')
  const { seats } = await head.get<Meeting>(address)
  for (const seat of seats) {
    const { data } = await clerk.post(`/api/v1/oa/process/expert/${seat.expertId}/unmask?${anywhere}`, { reason: '核对签到人手机号' })
    const { phone } = data as { phone: string }
    await head.put(address, { action: 'signIn', version: (await head.get<Meeting>(address)).version, seat: seat.id, phone })
  }
  await head.put(address, {
    action: 'conclude',
    version: (await head.get<Meeting>(address)).version,
    result: 'changed',
    conclusion: '修改后通过：补充立杆基础承载力验算和浇筑顺序',
    report: null,
  })
}

describe.sequential('an over-scale work', () => {
  test('is registered as over-scale by its height, and cannot be submitted before its plan is signed', async () => {
    const { page } = site
    await site.go('/jgt/bigproject/edit')
    await page.getByLabel('危大工程名称').fill(workName)
    await choose(page, '类别', '混凝土模板支撑')
    await page.getByLabel('高度', { exact: true }).fill('9')
    await page.getByText(/方案须经专家论证/).waitFor()
    await choose(page, '风险等级')
    await page.getByLabel('工程部位').fill('主楼一层大堂')
    await choose(page, '施工单位', '云泽建工集团')
    await look(page, 'works-1-form')
    await press(page, save)
    await page.waitForURL(/bigproject\/details\?id=/)
    id = new URL(page.url()).searchParams.get('id') ?? ''
    await page.locator('.zg-tag:visible', { hasText: '超规模' }).first().waitFor()
    await move(site, '编制方案', '1')
    await form(site, '上传方案', upload)
    await site.go(detail())
    await page.getByRole('list', { name: '提交审核还缺' }).getByText('施工单位技术负责人未签字').waitFor()
    await signSeat(page, '施工单位技术负责人（方案）', '雷志刚')
    await move(site, '提交审核', '2')
    expect(site.trouble()).toEqual([])
  })

  test('is passed by the chief supervisor to the experts, and does not begin without them', async () => {
    const { page } = supervisor
    await supervisor.go(detail())
    await signSeat(page, '总监理工程师（方案）')
    await move(supervisor, '审查通过', '3')
    await site.go(detail())
    expect(await site.page.getByRole('button', { name: '开始实施', disabled: false }).filter({ visible: true }).count()).toBe(0)
    expect(supervisor.trouble()).toEqual([])
  })

  test('waits for its revision when five drawn experts ask for a change', async () => {
    const { projectCode } = await siteApi.get<{ projectCode: string }>(`${path}/${id}?${anywhere}`)
    const title = await review(projectCode)
    const { page } = site
    await form(site, '引用论证结论', async () => {
      await choose(page, '专家论证活动', title)
      await look(page, 'works-2-review')
    })
    expect(await stateOf()).toBe('3')
    await form(site, '提交方案修改', async () => {
      await page.getByLabel('修改说明').fill('补充立杆基础承载力验算，明确浇筑顺序')
      await upload(page)
    })
    await site.go(detail())
    await signSeat(page, '施工单位技术负责人（修改后）', '雷志刚')
    await supervisor.go(detail())
    await signSeat(supervisor.page, '总监理工程师（修改后）')
    await move(supervisor, '修改审查通过', '5')
    expect(site.trouble()).toEqual([])
  })

  test('begins when everybody concerned was instructed and has signed', async () => {
    const { page } = site
    await form(site, '登记交底与公告牌', async () => {
      await page.getByLabel('交底人', { exact: true }).fill('雷志刚')
      await page.getByLabel('交底内容').fill('立杆间距、扫地杆、剪刀撑按方案搭设，浇筑先中间后两边，监测到预警值停止浇筑')
      await page.getByLabel('姓名').first().fill('潘木工')
      await page.getByLabel('岗位或班组').first().fill('木工班')
      await page.getByLabel('姓名').nth(1).fill('韩雪')
      await page.getByLabel('姓名').nth(2).fill('姚建国')
      await upload(page)
    })
    await form(site, '登记监测', async () => {
      await page.getByLabel('第三方监测单位').fill('江城工程检测公司')
      await upload(page)
    })
    await site.go(detail())
    const missing = page.getByRole('list', { name: '开始实施还缺' })
    await missing.getByText('交底人雷志刚未签字').waitFor()
    await look(page, 'works-3-missing')
    await signSeat(page, '交底人', '雷志刚')
    await signSeat(page, '接受交底', '潘木工')
    await move(site, '开始实施', '6')
    expect(site.trouble()).toEqual([])
  })

  test('is accepted by two and closed; its file tells every step', async () => {
    const { page } = site
    await move(site, '实施完成', '7')
    await form(site, '上传验收资料', upload)
    await site.go(detail())
    await signSeat(page, '项目技术负责人（验收）', '雷志刚')
    await supervisor.go(detail())
    await signSeat(supervisor.page, '总监理工程师（验收）')
    await move(supervisor, '验收合格', '8')
    await move(site, '销项', '9')
    await site.go(detail())
    await look(page, 'works-4-closed')
    const { timeline } = await (await apiAs(demo, 'bj-zhao')).get<{ timeline: { action: string }[] }>(`${path}/${id}?${anywhere}`)
    expect(timeline.map((one) => one.action)).toEqual(
      expect.arrayContaining(['plan', 'submit', 'pass', 'review', 'revise', 'passRevised', 'start', 'finish', 'accept', 'close']),
    )
    expect(site.trouble()).toEqual([])
    expect(supervisor.trouble()).toEqual([])
  })
})
