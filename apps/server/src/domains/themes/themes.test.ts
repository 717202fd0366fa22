import { itemResults } from '@zhugong/contract/scoring/score'
import { stopStart } from '@zhugong/contract/stops/calls'
import {
  changeThemeCampaign,
  createThemeCampaign,
  createThemeCheck,
  getThemeCampaign,
  getThemeCheck,
  listThemeCampaigns,
  listThemeChecks,
  removeThemeCampaign,
  themeSetup,
} from '@zhugong/contract/themes/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
let file = ''
const cast = {
  safety: 'hospital-safety',
  manager: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.safety)?.projectCode ?? ''
  contractor = settled.city.projects.find((one) => one.projectCode === projectCode)?.contractorCorpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) as[who] = await settled.as(account)
  const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
    join tenant t on t.id = m.group_id where u.account = ${cast.safety} order by m.is_default desc limit 1`.execute(world.database.kysely)
  file = await storedFile(world, rows[0]?.id ?? '')
})
afterAll(() => world.close())

const dayFrom = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const anyProject = { projectCode: '*' }
interface Answer {
  status: number
  message: string
  data: { id: string; state: string; version: number; field?: string }
}
const fields = {
  title: '临时用电专项检查',
  theme: '03',
  orderedBy: 'company',
  startDate: dayFrom(-3),
  endDate: dayFrom(5),
  persons: ['周安'],
  registers: ['area'],
  ownObjects: ['1# 总配电箱', '2# 分配电箱'],
  points: [{ name: '漏电保护器', requirement: '试验按钮动作可靠' }],
}
const create = (who: Who, action: 'save' | 'start', more: object = {}) =>
  as[who].ask(createThemeCampaign, {
    query: { projectCode },
    body: { id: newId(), action, ...fields, ...more },
  } as never) as Promise<Answer>
const act = (who: Who, id: string, body: object) =>
  as[who].ask(changeThemeCampaign, { params: { id }, query: anyProject, body } as never) as Promise<Answer>
const read = (who: Who, id: string) => as[who].call(getThemeCampaign, { params: { id }, query: anyProject })
const unseen = async (who: Who, id: string) => (await as[who].ask(getThemeCampaign, { params: { id }, query: anyProject })).status !== 0
const record = (who: Who, campaignId: string, objects: object[], problems: object[] = []) =>
  as[who].ask(createThemeCheck, {
    query: { projectCode },
    body: { id: newId(), action: 'submit', campaignId, objects, problems },
  } as never) as Promise<Answer>
const judged = (key: string, result: string = itemResults.right) => ({ key, items: [{ itemCode: 'T03-P01', result }] })
const problemAt = (part: string) => ({
  description: '漏电保护器不动作',
  part,
  itemCode: 'T03-P01',
  dangerLevel: '1',
  requirement: '更换漏电保护器',
  corpCode: contractor,
  deadline: dayFrom(3),
  photos: [file],
})

describe('a campaign', () => {
  test('counts the objects of its registers, and is closed with a report when all were checked and nothing is open', async () => {
    await sql`delete from site_place where project_code = ${projectCode}`.execute(world.database.kysely)
    const { data } = await create('safety', 'start')
    const begun = await read('manager', data.id)
    expect(begun.objects.map((one) => [one.name, one.state, one.added])).toEqual([
      ['1# 总配电箱', 'unchecked', false],
      ['2# 分配电箱', 'unchecked', false],
    ])
    const [first, second] = begun.objects
    const fault = await record('safety', data.id, [judged(first?.key ?? '', itemResults.wrong)])
    expect([fault.data.field, fault.message]).toEqual(['objects.0.items', expect.stringContaining('须写明问题、责任单位和期限')])
    const found = await record('safety', data.id, [judged(first?.key ?? '', itemResults.wrong)], [problemAt('1# 总配电箱')])
    expect([found.message, found.status, found.data?.state]).toEqual([found.message, 0, '1'])
    // It joins the register while the campaign runs.
    await sql`insert into site_place (id, project_code, kind, seq, name, path, full_name)
      values ('yard', ${projectCode}, 'area', 1, '新堆场', '{yard}', '新堆场')`.execute(world.database.kysely)
    const now = await read('safety', data.id)
    expect(now.objects.map((one) => [one.name, one.state, one.added])).toEqual([
      ['1# 总配电箱', 'problem', false],
      ['2# 分配电箱', 'unchecked', false],
      ['新堆场', 'unchecked', true],
    ])
    expect([now.objectCount, now.checkedCount, now.openCount, now.hindrance]).toEqual([3, 1, 1, '还有 2 个对象未检'])
    const yard = now.objects.find((one) => one.added)?.key ?? ''
    expect(yard).toBe('area:yard')
    expect((await record('safety', data.id, [judged(second?.key ?? ''), { key: yard, notApplicable: '无用电设备' }])).status).toBe(0)
    expect((await read('safety', data.id)).objects.map((one) => one.state)).toEqual(['problem', 'fine', 'skipped'])
    expect((await act('safety', data.id, { action: 'close', version: now.version })).message).toContain('1 个问题未闭合')
    await sql`update rectify_line set state = 'passed' where id in (select line_id from site_check_problem where description = '漏电保护器不动作')`.execute(
      world.database.kysely,
    )
    expect((await act('safety', data.id, { action: 'close', version: now.version })).message).toContain('总结')
    const report = '对全部配电箱检查完毕，发现一个问题并已整改，建议每周试验一次。'
    const reported = await act('safety', data.id, { action: 'report', version: now.version, report })
    expect((await act('company', data.id, { action: 'close', version: reported.data.version })).status).not.toBe(0)
    const closed = await act('safety', data.id, { action: 'close', version: reported.data.version })
    expect([closed.status, closed.data.state]).toEqual([0, '2'])
    const end = await read('authority', data.id)
    expect([end.report, end.objects[0]?.state, end.problems.length, end.checks.length]).toEqual([report, 'mended', 1, 2])
    expect((await record('safety', data.id, [judged(first?.key ?? '')])).data.field).toBe('campaignId')
    const checks = await as.manager.call(listThemeChecks, { query: { projectCode, campaign: data.id, theme: '03' } })
    expect(checks.list.map((one) => [one.inspectType, one.objectCount, one.result]).sort()).toEqual([
      ['02', 1, '3'],
      ['02', 2, '1'],
    ])
    const one = await as.supervisor.call(getThemeCheck, { params: { id: checks.list[0]?.id ?? '' }, query: anyProject })
    expect(one.campaignId).toBe(data.id)
  })

  const faults: readonly [string, object, string][] = [
    ['an end before the beginning', { endDate: dayFrom(-9) }, 'endDate'],
    ['an object twice', { ownObjects: ['甲', '甲'] }, 'ownObjects.1'],
    ['a point twice', { points: [...fields.points, ...fields.points] }, 'points.1.name'],
    ['nobody who checks', { persons: [] }, 'persons'],
    ['no object at all', { registers: [], ownObjects: [] }, 'registers'],
    ['a notice of nowhere', { noticeId: 'nowhere' }, 'noticeId'],
  ]
  test.each(faults)('%s is refused at its field', async (_name, more, field) => {
    expect((await create('safety', 'start', more)).data.field).toBe(field)
  })

  test('a draft is known to its own group only; started, to those of the site', async () => {
    const { data } = await create('safety', 'save')
    for (const who of ['company', 'supervisor', 'authority', 'subcontractor', 'stranger'] as const)
      expect(await unseen(who, data.id), who).toBe(true)
    const started = await act('safety', data.id, { action: 'start', version: data.version, ...fields, title: '夏季临电检查' })
    expect([started.message, started.status]).toEqual([started.message, 0])
    for (const who of ['manager', 'company', 'supervisor', 'authority'] as const)
      expect((await read(who, data.id)).title).toBe('夏季临电检查')
    for (const who of ['subcontractor', 'stranger'] as const) expect(await unseen(who, data.id), who).toBe(true)
    const removal = await as.safety.ask(removeThemeCampaign, { params: { id: data.id }, query: anyProject })
    expect(removal.status).not.toBe(0)
    expect((await act('safety', data.id, { action: 'report', version: 0, report: '总结'.repeat(20) })).message).toContain('刷新')
  })

  test('监理, the authority and strangers set up none and record nothing', async () => {
    const { data } = await create('safety', 'start')
    const key = (await read('safety', data.id)).objects[0]?.key ?? ''
    for (const who of ['supervisor', 'authority', 'subcontractor', 'stranger'] as const) {
      expect((await create(who, 'save')).status, who).not.toBe(0)
      expect((await record(who, data.id, [judged(key)])).status, who).not.toBe(0)
    }
  })
})

test('a check before work resumes stands in the way of resuming until it is passed', async () => {
  const open = async () => (await as.manager.call(stopStart, { query: { projectCode } })).open.filter((one) => one.label === '节后复工检查')
  const own = { title: '节后复工检查', theme: '05', registers: [], ownObjects: ['钢筋加工区'], persons: ['周安'] }
  const { data } = await create('safety', 'start', own)
  expect(await open()).toMatchObject([{ value: '“节后复工检查”还有 1 个对象未检、0 个问题未闭合', level: 'block' }])
  const key = (await read('safety', data.id)).objects[0]?.key ?? ''
  const passed = [{ key, items: [{ itemCode: 'T05-P01', result: itemResults.right }] }]
  const { data: check } = await record('safety', data.id, passed)
  expect((await as.manager.call(getThemeCheck, { params: { id: check.id }, query: anyProject })).inspectType).toBe('05')
  expect(await open()).toEqual([])
})

test('the cards count what their tabs show, and the registers name what stands there', async () => {
  const { counts } = await as.manager.call(listThemeCampaigns, { query: { projectCode, size: 1 } })
  for (const tab of ['running', 'late', 'done'] as const)
    expect((await as.manager.call(listThemeCampaigns, { query: { projectCode, tab, size: 1 } })).total, tab).toBe(counts[tab])
  const setup = await as.safety.call(themeSetup, { query: { projectCode } })
  expect(setup.registers.find((one) => one.code === 'area')?.objects).toEqual(['新堆场'])
  expect(setup.registers.find((one) => one.code === 'corp')?.objects.length).toBeGreaterThan(0)
})
