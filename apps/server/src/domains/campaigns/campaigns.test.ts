import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  campaignPeople,
  createCampaign,
  getCampaign,
  listCampaigns,
  listPool,
  removeCampaign,
  removeTask,
  verifyCampaignDraw,
} from '@zhugong/contract/campaigns/calls'
import { campaignMatrix, campaignStanding, changeStanding, listCampaignChecks, listMyChecks } from '@zhugong/contract/campaigns/checks'
import { changeDayCheck, getDayCheck, listDayChecks } from '@zhugong/contract/daychecks/calls'
import type { DayCheckAction } from '@zhugong/contract/daychecks/moves'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { changeRectify } from '@zhugong/contract/rectify/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Somebody } from '../../../test/members.ts'
import type { Caller, World } from '../../../test/world.ts'
import { act, anywhere, inspector, issued, later, request, see, witnesses } from './givens-for-test.ts'

let world: World
let settled: CityWorld
let cityGroup = ''
let photo = ''
const cast = {
  city: 'city-fang',
  clerk: 'city-xu',
  head: 'bj-wu',
  officer: 'bj-zhao',
  otherDistrict: 'yd-wang',
  site: 'hospital-pm',
  contractor: 'yunze-lu',
  supervisor: 'hospital-jl',
  owner: 'weijian-xia',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const outside = ['site', 'contractor', 'supervisor', 'owner', 'stranger'] as const
const as = {} as Record<Who, Caller>
let people: Somebody[] = []
const db = () => world.database.kysely
const hospital = () => settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  for (const who of Object.keys(cast) as Who[]) as[who] = await settled.as(cast[who])
  const { rows } = await sql<{ groupId: string }>`select m.group_id from app_user u join member m on m.user_id = u.id
    where u.account = 'city-fang' and m.is_default`.execute(db())
  cityGroup = rows[0]?.groupId ?? ''
  people = []
  for (const name of ['罗一', '胡二', '彭三', '江四']) people.push(await inspector(world, cityGroup, name))
  photo = await storedFile(world, cityGroup)
})
afterAll(() => world.close())

beforeEach(async () => {
  await sql`delete from campaign`.execute(db())
  await sql`delete from rectify`.execute(db())
  await sql`delete from site_check where kind = 'daycheck'`.execute(db())
  await sql`delete from process_todo`.execute(db())
  await sql`update project set prj_status = '003'`.execute(db())
})

const groups = () => [
  { leader: people[0] as Somebody, members: [people[1] as Somebody] },
  { leader: people[2] as Somebody, members: [people[3] as Somebody] },
]
const plan = (more: object = {}, who: Who = 'city') => issued(as[who], request(groups(), more))
const take = (id: string, action: Parameters<typeof act>[3], more: object = {}, who: Who = 'city') => act(world, as[who], id, action, more)
async function fine(answer: Promise<{ status: number; message: string }>): Promise<void> {
  expect(await answer).toMatchObject({ status: 0 })
}
/** Issued and drawn, without groups for the projects yet. */
async function drawn(more: object = {}): Promise<string> {
  const id = await plan(more)
  await fine(take(id, 'freeze'))
  await fine(take(id, 'draw', { witnesses }))
  return id
}
async function locked(more: object = {}): Promise<string> {
  const id = await drawn(more)
  await fine(take(id, 'assign'))
  await fine(take(id, 'lock'))
  return id
}
/** One named project, that of the hospital, by the first group. */
async function ofHospital(more: object = {}): Promise<{ id: string; checkId: string; taskId: string }> {
  const id = await plan({ drawMode: '1', quotas: [], groups: request(groups()).groups.slice(0, 1), ...more })
  await fine(take(id, 'addProjects', { projects: [hospital()], reason: '群众反映较多' }))
  await fine(take(id, 'assign'))
  await fine(take(id, 'lock'))
  const task = (await see(as.city, id)).tasks[0]
  return { id, checkId: task?.checkId ?? '', taskId: task?.taskId ?? '' }
}
const leader = () => (people[0] as Somebody).caller
const member = () => (people[1] as Somebody).caller

const readCheck = (caller: Caller, id: string) => caller.call(getDayCheck, { params: { id }, query: anywhere })
async function inCheck(caller: Caller, id: string, action: DayCheckAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from day_check where id = ${id}`.execute(db())
  return caller.ask(changeDayCheck, { params: { id }, query: anywhere, body: { action, version: rows[0]?.version ?? 0, ...more } as never })
}
const arrive = (caller: Caller, id: string) =>
  inCheck(caller, id, 'checkIn', { lng: null, lat: null, abnormalReason: '地下室无定位信号', progress: '3', photos: [photo] })
/** Everything of these sheets in order, in every unit. */
async function judge(caller: Caller, id: string, sheetCode: string) {
  for (const unit of (await readCheck(caller, id)).units) {
    const items = unit.sheets
      .filter((one) => one.sheetCode === sheetCode)
      .flatMap((sheet) => sheet.items.map(({ itemCode }) => ({ sheetId: sheet.id, itemCode, result: '1', deduction: 0, photos: [] })))
    if (items.length === 0) continue
    const answer = await inCheck(caller, id, 'saveUnit', { taskId: unit.id, version: unit.version, items })
    if (answer.status !== 0) return answer
  }
  return { status: 0, message: '' }
}
async function finishUnits(caller: Caller, id: string): Promise<void> {
  for (const unit of (await readCheck(caller, id)).units)
    await fine(inCheck(caller, id, 'saveUnit', { taskId: unit.id, version: unit.version, items: [], done: true }))
}
const submit = async (id: string, more: object = {}) => {
  const names = (await readCheck(leader(), id)).checkers
  const signatures = names.map((name, i) => ({ id: newId(), seat: `checker${i + 1}`, name, place: null, image: strokes() }))
  return inCheck(leader(), id, 'submit', { conclusion: '1', problems: [], signatures, ...more })
}
const problem = async (more: object = {}) => {
  const contractor = settled.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  return {
    description: '脚手架连墙件缺失',
    part: '1#楼',
    dangerLevel: '1',
    requirement: '补齐连墙件',
    corpCode: contractor,
    deadline: later(7),
    photos: [photo],
    noticeType: null,
    ...more,
  }
}
async function checked(id: string, more: object = {}): Promise<void> {
  await fine(arrive(leader(), id))
  await fine(judge(leader(), id, '01'))
  await fine(judge(member(), id, '02'))
  await fine(inCheck(leader(), id, 'submitDiscipline', { discipline: '1' }))
  await fine(inCheck(member(), id, 'submitDiscipline', { discipline: '4' }))
  await finishUnits(leader(), id)
  await fine(submit(id, more))
}

describe('a campaign', () => {
  test('asks at its field for what it lacks, and keeps a draft without it', async () => {
    const ask = (more: object, action = 'issue') =>
      as.city.ask(createCampaign, { query: anywhere, body: { action, ...request(groups(), more) } as never })
    const alone = request(groups()).groups.map((one) => ({ ...one, members: one.members.slice(0, 1) }))
    expect((await ask({ groups: alone })).data).toMatchObject({ field: 'groups.0.members' })
    expect((await ask({ quotas: [] })).data).toMatchObject({ field: 'quotas' })
    expect((await ask({ sheets: [] })).data).toMatchObject({ field: 'sheets' })
    expect((await ask({ endDate: later(-1) })).data).toMatchObject({ field: 'endDate' })
    expect((await ask({ sheets: [{ discipline: '5', sheetCode: '01' }] })).message).toContain('没有人负责')
    expect((await ask({ groups: [request(groups()).groups[0], request(groups()).groups[0]] })).status).not.toBe(0)
    const { id } = (await ask({ groups: alone, sheets: [], quotas: [] }, 'save')).data
    expect(await see(as.city, id)).toMatchObject({ state: '0', removable: true })
    await as.city.call(removeCampaign, { params: { id }, query: anywhere })
    expect((await as.city.ask(getCampaign, { params: { id }, query: anywhere })).status).not.toBe(0)
  })

  test('goes from the draw over its checks to the report, and its states follow', async () => {
    const { id, checkId } = await ofHospital()
    expect(await see(as.city, id)).toMatchObject({ state: '2', due: 1, done: 0 })
    const todos = await leader().call(listTodos, { query: {} })
    expect(JSON.stringify(todos)).toContain(checkId)
    await fine(arrive(leader(), checkId))
    expect((await see(as.city, id)).state).toBe('3')
    expect((await take(id, 'finish', { summary: '本次督查共检查项目一个，总体受控，请各地举一反三。' })).status).not.toBe(0)
    await fine(judge(leader(), checkId, '01'))
    await fine(judge(member(), checkId, '02'))
    await fine(inCheck(leader(), checkId, 'submitDiscipline', { discipline: '1' }))
    await fine(inCheck(member(), checkId, 'submitDiscipline', { discipline: '4' }))
    await finishUnits(leader(), checkId)
    await fine(submit(checkId, { conclusion: '3', problems: [await problem()] }))
    expect((await see(as.city, id)).state).toBe('4')
    const early = await take(id, 'finish', { summary: '本次督查共检查项目一个，总体受控，请各地举一反三。' })
    expect(early.message).toContain('1 个项目')
    expect((await see(as.city, id)).open).toHaveLength(1)
    await sql`update rectify set state = '7' where source_id = ${checkId}`.execute(db())
    await fine(take(id, 'finish', { summary: '本次督查共检查项目一个，总体受控，请各地举一反三。' }))
    const { list } = await as.city.call(listCampaigns, { query: { ...anywhere, tab: 'own' } })
    expect(list[0]).toMatchObject({ state: '5', due: 1, done: 1, avgScore: 100, problems: 1, closeRate: 100, published: true })
    const own = await as.site.call(listCampaigns, { query: { ...anywhere, tab: 'mine' } })
    expect(own.list.map((one) => one.id)).toEqual([id])
  })

  test('offers a further look, which changes nothing of the first check', async () => {
    const { id, checkId, taskId } = await ofHospital()
    await checked(checkId)
    await fine(take(id, 'furtherLook', { taskId, plannedDate: later(3) }))
    const taskResult = await as.city.call(campaignStanding, { params: { taskId }, query: anywhere })
    expect(taskResult.looks.map((one) => one.plannedDate)).toEqual([later(3)])
    expect(taskResult.task).toMatchObject({ checkId, rank: 1, score: 100, missingSheets: [] })
    const matrix = await as.city.call(campaignMatrix, { params: { id }, query: anywhere })
    expect(matrix.list[0]?.scores.slice(0, 3)).toEqual([100, 100, null])
  })
})

describe('the draw', () => {
  test('freezes before the seed, is repeated by an outsider, and the lines agree with it', async () => {
    await sql`update project set prj_status = '005' where project_code = ${hospital()}`.execute(db())
    const id = await plan()
    await fine(take(id, 'freeze'))
    const frozen = (await see(as.city, id)).runs[0]
    expect(frozen?.leftOut).toEqual([{ reason: '停工', count: 1 }])
    const open = await as.city.call(verifyCampaignDraw, { params: { id }, query: { ...anywhere, run: 1 } })
    expect([open.file.seed, open.file.result, open.agrees, open.chain.sound]).toEqual([null, null, true, true])
    await fine(take(id, 'draw', { witnesses }))
    const { file, agrees } = await as.city.call(verifyCampaignDraw, { params: { id }, query: { ...anywhere, run: 1 } })
    expect([agrees, file.listHash, file.commitment]).toEqual([true, frozen?.listHash, frozen?.commitment])
    const after = await see(as.city, id)
    expect(after.tasks.map((one) => one.projectCode)).toEqual(file.result?.[0]?.seats)
    expect(after.tasks.map((one) => one.projectCode)).not.toContain(hospital())
    const path = join(world.config.dataDir, 'campaign.json')
    writeFileSync(path, JSON.stringify(file))
    const script = join(import.meta.dirname, '../../../../../docs/draw/repeat.mjs')
    expect(execFileSync(process.execPath, [script, path]).toString()).toContain('list, seed and result agree')
  })

  test('takes projects of the quota only, by area', async () => {
    const id = await drawn({ quotas: [{ areaCode: '420203', riskLevel: null, category: null, seats: 1 }] })
    const { tasks } = await see(as.city, id)
    expect(tasks).toHaveLength(1)
    expect(tasks[0]?.areaCode).toBe('420203')
    const short = await plan({ quotas: [{ areaCode: '420203', riskLevel: null, category: null, seats: 200 }] })
    expect((await take(short, 'freeze')).message).toContain('候选只有')
  })

  test('is not drawn again until it pleases: the same list is refused, another one needs a reason and keeps the first run', async () => {
    const id = await drawn()
    const first = await see(as.city, id)
    expect((await take(id, 'draw', { witnesses })).message).toContain('已经抽取')
    expect((await take(id, 'freeze')).data).toMatchObject({ field: 'reason' })
    expect((await take(id, 'freeze', { reason: '结果不理想，再来一次' })).message).toContain('不能重抽')
    const stopped = first.tasks[0]?.projectCode ?? ''
    await sql`update project set prj_status = '005' where project_code = ${stopped}`.execute(db())
    await fine(take(id, 'freeze', { reason: '候选项目停工，名单有变化' }))
    expect((await take(id, 'addProjects', { projects: [hospital()], reason: '群众反映较多' })).message).toContain('已冻结')
    await fine(take(id, 'draw', { witnesses }))
    const second = await see(as.city, id)
    expect(second.runs.map((one) => [one.run, one.reason])).toEqual([
      [1, null],
      [2, '候选项目停工，名单有变化'],
    ])
    expect(second.tasks.filter((one) => one.run === 1).every((one) => one.dropped === '第 2 次抽取取代')).toBe(true)
    const again = await as.city.call(verifyCampaignDraw, { params: { id }, query: { ...anywhere, run: 1 } })
    expect(again.agrees).toBe(true)
  })

  test('loses no lot: what was drawn is not removed, and the database refuses to change a locked list', async () => {
    const id = await drawn()
    const taskId = (await see(as.city, id)).tasks[0]?.taskId ?? ''
    expect((await as.city.ask(removeTask, { params: { taskId }, query: anywhere })).message).toContain('不能移出')
    await expect(world.database.pool.query('delete from campaign_project where id = $1', [taskId])).rejects.toThrow('never removed')
    await fine(take(id, 'assign'))
    await fine(take(id, 'lock'))
    for (const action of ['freeze', 'draw', 'addProjects', 'assign', 'lock'] as const)
      expect((await take(id, action, { witnesses, projects: [hospital()], reason: '试试能不能改' })).status, action).not.toBe(0)
    for (const change of [`project_code = 'x'`, 'rank = 9', 'group_seq = 1', `source = 'named'`])
      await expect(world.database.pool.query(`update campaign_project set ${change} where id = $1`, [taskId]), change).rejects.toThrow()
    const { rows } = await world.database.pool.query('select list_text from draw_run where kind = $1', ['provinces'])
    expect(rows.length).toBeGreaterThan(0)
    await expect(world.database.pool.query(`update draw_run set list_text = '{}'`)).rejects.toThrow('never changed')
  })

  test('notices a line that was not drawn', async () => {
    const id = await drawn()
    const task = (await see(as.city, id)).tasks[0]
    const { rows } = await sql<{ projectCode: string }>`select project_code from project p where prj_status = '003'
      and not exists (select from campaign_project t where t.campaign_id = ${id} and t.project_code = p.project_code) limit 1`.execute(db())
    await sql`update campaign_project set project_code = ${rows[0]?.projectCode} where id = ${task?.taskId}`.execute(db())
    expect((await as.city.call(verifyCampaignDraw, { params: { id }, query: { ...anywhere, run: 1 } })).agrees).toBe(false)
  })

  test('replaces only what is no longer under construction, by the next of the same draw', async () => {
    const id = await locked()
    const before = await see(as.city, id)
    const out = before.tasks[0]
    const replace = () => take(id, 'replace', { taskId: out?.taskId, reason: '项目已全面停工' })
    expect((await replace()).message).toContain('仍在建')
    await sql`update project set prj_status = '005' where project_code = ${out?.projectCode ?? ''}`.execute(db())
    await fine(replace())
    const { file, agrees } = await as.city.call(verifyCampaignDraw, { params: { id }, query: { ...anywhere, run: 1 } })
    expect(agrees).toBe(true)
    const after = await see(as.city, id)
    const next = after.tasks.find((one) => one.source === 'replacement' && one.dropped === null)
    expect([next?.projectCode, next?.rank, next?.replaces]).toEqual([file.result?.[0]?.reserve[0], 3, out?.projectName])
    expect(after.tasks.find((one) => one.taskId === out?.taskId)?.dropped).toContain('停工')
    const { rows } = await sql<{ state: string }>`select state from day_check where id = ${out?.checkId ?? ''}`.execute(db())
    expect(rows[0]?.state).toBe('6')
    expect(next?.checkId).toBeTruthy()
  })
})

describe('conflicts of interest', () => {
  test('an officer of a district is warned of and never checks its sites', async () => {
    const [borrowed] = people
    const { rows } = await sql<{ id: string }>`select id from tenant where type = 1 and code = '420202001'`.execute(db())
    const second = newId()
    await sql`insert into member (id, user_id, group_id) values (${second}, ${borrowed?.userId ?? ''}, ${rows[0]?.id ?? ''})`.execute(db())
    try {
      const { list } = await as.city.call(campaignPeople, { query: { ...anywhere, kind: 'user' } })
      expect(list.find((one) => one.id === borrowed?.userId)?.conflicts).toBeGreaterThan(0)
      expect(list.find((one) => one.id === people[2]?.userId)?.conflicts).toBe(0)
      const id = await plan({ drawMode: '1', quotas: [] })
      await fine(take(id, 'addProjects', { projects: [hospital()], reason: '群众反映较多' }))
      const task = (await see(as.city, id)).tasks[0]
      expect(task?.conflicts.map((one) => one.groupSeq)).toEqual([0])
      const forced = await take(id, 'assign', { tasks: [{ taskId: task?.taskId, groupSeq: 0 }] })
      expect(forced.message).toContain('回避')
      await fine(take(id, 'assign'))
      expect((await see(as.city, id)).tasks[0]?.groupSeq).toBe(1)
      await fine(take(id, 'lock'))
    } finally {
      await sql`delete from member where id = ${second}`.execute(db())
    }
  })
})

describe('secrecy', () => {
  const everything = async (who: Who, id: string, checkId: string, taskId: string) => {
    const texts: string[] = []
    const add = async (ask: Promise<{ status: number; data: unknown }>) => {
      const { status, data } = await ask
      if (status === 0) texts.push(JSON.stringify(data))
    }
    await add(as[who].ask(listCampaigns, { query: anywhere }))
    await add(as[who].ask(listCampaigns, { query: { ...anywhere, tab: 'mine' } }))
    await add(as[who].ask(getCampaign, { params: { id }, query: anywhere }))
    await add(as[who].ask(listCampaignChecks, { query: { ...anywhere, planId: id } }))
    await add(as[who].ask(campaignMatrix, { params: { id }, query: anywhere }))
    await add(as[who].ask(campaignStanding, { params: { taskId }, query: anywhere }))
    await add(as[who].ask(listDayChecks, { query: anywhere }))
    await add(as[who].ask(getDayCheck, { params: { id: checkId }, query: anywhere }))
    await add(as[who].ask(listTodos, { query: {} }))
    await add(as[who].ask(listPool, { params: { id }, query: anywhere }))
    return texts.join('\n')
  }
  const leaks = (text: string, ...ids: string[]) => ids.filter((one) => text.includes(one))
  const totals = async (who: Who) => {
    const { total, counts } = await as[who].call(listCampaigns, { query: anywhere })
    return { total, counts }
  }

  test('nobody outside the organiser learns of a draft or an issued campaign', async () => {
    const id = await plan()
    for (const who of [...outside, 'head', 'officer', 'otherDistrict'] as const) {
      expect(leaks(await everything(who, id, 'x', 'x'), id), who).toEqual([])
      expect(await totals(who)).toEqual({ total: 0, counts: { running: 0, projects: 0, problems: 0, closeRate: null } })
    }
  })

  test('飞检: the district learns of it when the group has signed in, the site when it is submitted, the ranks never', async () => {
    const { id, checkId, taskId } = await ofHospital({ surprise: true })
    const all = [...outside, 'head', 'officer', 'otherDistrict'] as const
    for (const who of all) expect(leaks(await everything(who, id, checkId, taskId), id, checkId, taskId), who).toEqual([])
    await fine(arrive(leader(), checkId))
    for (const who of [...outside, 'otherDistrict'] as const)
      expect(leaks(await everything(who, id, checkId, taskId), id, checkId, taskId), who).toEqual([])
    expect(leaks(await everything('head', id, checkId, taskId), id, checkId)).toEqual([id, checkId])
    await fine(judge(leader(), checkId, '01'))
    await fine(judge(member(), checkId, '02'))
    await fine(inCheck(leader(), checkId, 'submitDiscipline', { discipline: '1' }))
    await fine(inCheck(member(), checkId, 'submitDiscipline', { discipline: '4' }))
    await finishUnits(leader(), checkId)
    await fine(submit(checkId))
    // The check itself is known to the site now, the campaign with the report.
    expect((await readCheck(as.site, checkId)).state).toBe('2')
    expect((await as.site.ask(getCampaign, { params: { id }, query: anywhere })).status).not.toBe(0)
    await fine(take(id, 'finish', { summary: '本次督查共检查项目一个，总体受控，请各地举一反三。' }))
    const taskResult = await as.site.call(campaignStanding, { params: { taskId }, query: anywhere })
    expect([taskResult.task.rank, taskResult.ranked, taskResult.avgScore, taskResult.task.score]).toEqual([null, null, null, 100])
    expect(taskResult.summary).toContain('举一反三')
    const file = await see(as.site, id)
    expect([file.groups, file.quotas, file.runs, file.timeline]).toEqual([[], [], [], []])
    expect((await as.head.call(campaignStanding, { params: { taskId }, query: anywhere })).task.rank).toBe(1)
    expect(leaks(await everything('stranger', id, checkId, taskId), id, checkId, taskId)).toEqual([])
  })

  test('with notice the district knows its own projects from the lock on, and no others', async () => {
    const id = await locked({
      quotas: [
        { areaCode: '420202', riskLevel: null, category: null, seats: 1 },
        { areaCode: '420203', riskLevel: null, category: null, seats: 1 },
      ],
    })
    const mine = await see(as.head, id)
    expect(mine.tasks.map((one) => one.areaCode)).toEqual(['420202'])
    expect([mine.due, mine.runs, mine.timeline]).toEqual([1, [], []])
    expect(mine.actions).toEqual([])
    for (const who of outside) expect((await as[who].ask(getCampaign, { params: { id }, query: anywhere })).status, who).not.toBe(0)
    const file = await as.site.ask(submitExport, {
      body: { feature: 'provincesCheck', exportType: 'xlsx', query: { ...anywhere, planId: id } },
    })
    expect(file.status === 0 ? JSON.stringify(file.data) : '').not.toContain(id)
  })

  test('refuses every action of an organiser to others', async () => {
    const id = await drawn()
    for (const who of [...outside, 'head', 'officer', 'otherDistrict', 'clerk'] as const)
      for (const action of ['freeze', 'draw', 'assign', 'lock', 'cancel'] as const)
        expect((await take(id, action, { witnesses, opinion: '不应成功的取消' }, who)).status, `${who} ${action}`).not.toBe(0)
    const old = await as.city.ask(removeCampaign, { params: { id }, query: anywhere })
    expect(old.message).toContain('只有草稿')
    await fine(take(id, 'cancel', { opinion: '改为下季度组织' }))
  })
})

describe('several people in one check', () => {
  test('each writes his own discipline, at once, until it is signed off; the leader sums up', async () => {
    const { checkId } = await ofHospital()
    await fine(arrive(member(), checkId))
    const before = await readCheck(member(), checkId)
    const unit = before.units.find((one) => one.sheets.some((sheet) => sheet.sheetCode === '01'))
    const items = (code: string) =>
      (unit?.sheets ?? [])
        .filter((one) => one.sheetCode === code)
        .flatMap((sheet) =>
          sheet.items.slice(0, 1).map(({ itemCode }) => ({ sheetId: sheet.id, itemCode, result: '1', deduction: 0, photos: [] })),
        )
    const save = (caller: Caller, code: string) =>
      inCheck(caller, checkId, 'saveUnit', { taskId: unit?.id, version: unit?.version, items: items(code) })
    expect((await save(member(), '01')).message).toContain('安全专业')
    expect((await save(leader(), '02')).message).toContain('文明施工专业')
    expect((await save((people[2] as Somebody).caller, '01')).status).not.toBe(0)
    expect((await save(as.city, '01')).status).not.toBe(0)
    // Two at the same moment, in the same unit: neither waits for the other, and nothing is lost.
    const answers = await Promise.all([save(leader(), '01'), save(member(), '02')])
    expect(answers.map((one) => one.status)).toEqual([0, 0])
    const both = (await readCheck(leader(), checkId)).units.find((one) => one.id === unit?.id)
    expect(both?.sheets.map((one) => one.items.filter((item) => item.result === '1').length)).toEqual([1, 1])
    await fine(judge(leader(), checkId, '01'))
    await fine(judge(member(), checkId, '02'))
    expect((await inCheck(member(), checkId, 'submitDiscipline', { discipline: '1' })).message).toContain('不负责')
    await fine(inCheck(member(), checkId, 'submitDiscipline', { discipline: '4' }))
    expect((await judge(member(), checkId, '02')).message).toContain('已提交')
    expect((await inCheck(member(), checkId, 'save', { problems: [], conclusion: null, summary: null, progress: null })).message).toContain(
      '组长',
    )
    await finishUnits(leader(), checkId)
    expect((await submit(checkId)).message).toContain('安全')
    await fine(inCheck(leader(), checkId, 'submitDiscipline', { discipline: '1' }))
    expect((await inCheck(member(), checkId, 'submit', { conclusion: '1', problems: [], signatures: [] })).status).not.toBe(0)
    await fine(submit(checkId))
  })

  test('the task stays as drawn', async () => {
    const { checkId } = await ofHospital()
    const mine = await member().call(listMyChecks, { query: anywhere })
    expect(mine.list.map((one) => one.checkId)).toEqual([checkId])
    expect((await as.city.ask(listMyChecks, { query: anywhere })).data.list).toEqual([])
    expect((await inCheck(as.city, checkId, 'cancel', { opinion: '单独取消一个检查' })).message).toContain('不能单独')
    await fine(arrive(leader(), checkId))
    const added = await inCheck(leader(), checkId, 'addUnit', { unitId: null, name: '5#楼', sheets: ['0301'] })
    expect(added.message).toContain('不在本次督查')
  })
})

test('notices go to the authority of the project, which accepts and rechecks them; the organiser does not', async () => {
  const { checkId, taskId } = await ofHospital({ recheck: 'district' })
  await checked(checkId, { conclusion: '3', problems: [await problem()] })
  const { rows } = await sql<{ id: string; version: number; issuerGroupName: string }>`select id, version, issuer_group_name from rectify
    where source_id = ${checkId}`.execute(db())
  const notice = rows[0]
  const taskResult = (who: Who) => as[who].call(campaignStanding, { params: { taskId }, query: anywhere })
  expect(await taskResult('head')).toMatchObject({ canAccept: true, entrust: { acceptedAt: null } })
  expect(await taskResult('city')).toMatchObject({ canAccept: false, canEntrust: null })
  const change = (who: Who, action: 'entrust' | 'accept') =>
    as[who].ask(changeStanding, { params: { taskId }, query: anywhere, body: { action } })
  for (const who of [...outside, 'otherDistrict', 'city'] as const) expect((await change(who, 'accept')).status, who).not.toBe(0)
  await fine(change('head', 'accept'))
  expect((await change('head', 'accept')).message).toContain('接收')
  await sql`update rectify set state = '5' where id = ${notice?.id ?? ''}`.execute(db())
  const pass = (who: Who) =>
    as[who].ask(changeRectify, {
      body: { id: notice?.id ?? '', version: notice?.version ?? 0, action: 'recheckPass', opinion: '已整改', second: '钱红' } as never,
    })
  expect((await pass('city')).status).not.toBe(0)
  expect(await pass('head')).toMatchObject({ status: 0 })
  expect((await taskResult('city')).task).toMatchObject({ state: '5', closeRate: 100 })
})
