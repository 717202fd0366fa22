import { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import { dailyCounts, listDaily } from '@zhugong/contract/attendance/days'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { listGateways } from '@zhugong/contract/equipment/gateway-endpoints'
import type { Endpoint, OutputFor } from '@zhugong/contract/kit/endpoint'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { listWorkers } from '@zhugong/contract/personnel/people'
import { type CallKey, screenCalls } from '@zhugong/contract/screens/calls'
import { type PanelKey, panelKeys } from '@zhugong/contract/screens/catalogue'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { seedAttendance } from '../src/demo/seed-attendance.ts'
import { type CityWorld, settleCity } from './city.ts'
import { raiseAlarms } from './raised-alarms.ts'
import { type Caller, openWorld, type World } from './world.ts'

/** For every panel of a wall: its figure equals the list behind it, read by the same account, or a reason why it has no list. */

type Figure = [what: string, value: number | null | undefined, list: () => Promise<number>]
type Panel = (who: Caller) => Promise<Figure[]>

const waiting = { state: 'open,acknowledged', simulated: false, historical: false, size: 1 } as const
const alarms = (who: Caller, query: object) => async () => (await who.call(listAlarms, { query: { ...waiting, ...query } })).total
const people = (who: Caller, query: object) => async () =>
  (await who.call(listWorkers, { query: { view: 'project', stationed: '1', size: 1, ...query } })).total
const days = (who: Caller, query: object) => async () => (await who.call(listDaily, { query: { size: 1, ...query } })).total
const machines = async (who: Caller, of: 'inUse' | 'online', query: object = {}) =>
  (await who.call(listDevices, { query: { size: 1, ...query } })).counts[of]
/** The query of a wall with its defaults filled in. */
const reported = <K extends CallKey>(who: Caller, key: K, query: object = {}): Promise<OutputFor<(typeof screenCalls)[K]>> => {
  const view = screenCalls[key] as unknown as Endpoint
  return who.call(view, { query: view.schemas.query?.parse(query) }) as Promise<OutputFor<(typeof screenCalls)[K]>>
}
const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((n, one) => n + of(one), 0)
const sitesOf = async (who: Caller) => (await reported(who, 'main')).projects

const panels: Record<PanelKey, Panel | string> = {
  kpiStrip: async (who) => {
    const main = await reported(who, 'main')
    const presence = await reported(who, 'presence')
    const { projects } = main
    const one = main.kind === 'project'
    const states = (prjStatus: string) => async () => (await who.call(listProjects, { query: { enable: '1', prjStatus, size: 1 } })).total
    const shown = main.figures.find(({ key }) => key === 'openAlarms')?.value
    return [
      ['在册人数', one ? presence.inPlace : sum(projects, (p) => p.onSite), people(who, {})],
      ['今日出勤', one ? presence.attended : sum(projects, (p) => p.attended), days(who, { chip: 'entered' })],
      ['应到', one ? presence.expected : sum(projects, (p) => p.expected), days(who, { chip: 'due' })],
      ['实到', one ? presence.arrived : sum(projects, (p) => p.arrived), days(who, { chip: 'came' })],
      ['待处理告警', one ? shown : sum(projects, (p) => p.openAlarms), alarms(who, {})],
      ['一、二级待处理', one ? main.graveAlarms : sum(projects, (p) => p.graveAlarms), alarms(who, { level: '1,2' })],
      ['设备', one ? sum(main.devices, (d) => d.total) : sum(projects, (p) => p.devices), () => machines(who, 'inUse')],
      ['在线设备', one ? sum(main.devices, (d) => d.online) : sum(projects, (p) => p.online), () => machines(who, 'online')],
      ...(one
        ? []
        : ([
            ['关键岗位未到', sum(projects, (p) => p.absentPosts), days(who, { chip: 'keyAbsent' })],
            ['在建项目', projects.filter((p) => p.prjStatus === projectStates.building).length, states(projectStates.building)],
            ['停工项目', projects.filter((p) => p.prjStatus === projectStates.stopped).length, states(projectStates.stopped)],
          ] satisfies Figure[])),
    ]
  },
  projectMap: async (who) => {
    const { districts } = await reported(who, 'main')
    const inArea = (areaCode: string, query: object) => async () =>
      (await sitesOf(who)).filter((p) => p.areaCode === areaCode && (!('prjStatus' in query) || p.prjStatus === query.prjStatus)).length
    return districts.flatMap(({ areaCode, name, building, projects }): Figure[] => [
      [`${name} 在建`, building, inArea(areaCode, { prjStatus: projectStates.building })],
      [`${name} 项目`, projects, inArea(areaCode, {})],
    ])
  },
  alarmTicker: async (who) => {
    const all = await reported(who, 'alarms')
    const grave = await reported(who, 'alarms', { level: '1,2' })
    const merged = (query: object) => async () => (await who.call(findAlarms, { query: { ...waiting, merged: true, ...query } })).total
    return [
      ['待处理', all.alarms, alarms(who, {})],
      ['一、二级', grave.alarms, alarms(who, { level: '1,2' })],
      ['起', all.total, merged({})],
    ]
  },
  alarmTrend: async (who) => {
    const { alarms: days } = await reported(who, 'report', { days: 14 })
    const today = days.at(-1)
    if (!today) return []
    const at = (endTime: string) => async () =>
      (
        await who.call(listAlarms, {
          query: { simulated: false, historical: false, startTime: `${today.day} 00:00:00`, endTime: `${today.day} ${endTime}`, size: 1 },
        })
      ).total
    return [[today.day, today.level1 + today.level2 + today.level3 + today.level4, at('23:59:59')]]
  },
  alarmRank: async (who) =>
    (await sitesOf(who)).map(({ name, projectCode, openAlarms }): Figure => [name, openAlarms, alarms(who, { projectCode })]),
  areaCompare: async (who) => {
    const { districts } = await reported(who, 'main')
    return [
      ['告警', districts.length ? sum(districts, (d) => d.openAlarms) : null, alarms(who, {})],
      [
        '在建',
        sum(districts, (d) => d.building),
        async () => (await sitesOf(who)).filter((p) => p.prjStatus === projectStates.building).length,
      ],
    ].filter(([, value]) => value !== null && districts.length > 0) as Figure[]
  },
  projectHealth: async (who) =>
    (await sitesOf(who)).map(({ name, projectCode, onSite }): Figure => [name, onSite, people(who, { projectCode })]),
  attendanceNow: async (who) => {
    const answer = await reported(who, 'presence')
    return [
      ['在册', answer.inPlace, people(who, {})],
      ['今日出勤', answer.attended, days(who, { chip: 'entered' })],
      ['应到', answer.expected, days(who, { chip: 'due' })],
      ['实到', answer.arrived, days(who, { chip: 'came' })],
    ]
  },
  attendanceDay: async (who) => {
    const today = (await reported(who, 'report', { days: 30 })).attendance.at(-1)
    return today ? [['今日', today.attended, async () => (await who.call(dailyCounts, { query: {} })).came]] : []
  },
  workTypeMix: async (who) => {
    const { trades, compliance } = await reported(who, 'report', { days: 30 })
    return trades.length < 12 ? [['工种合计', sum(trades, (t) => t.count), async () => compliance.inPlace]] : []
  },
  corpRank: async (who) => {
    const { corps } = await reported(who, 'presence')
    return [
      ['应到', sum(corps, (c) => c.expected), days(who, { chip: 'due' })],
      ['实到', sum(corps, (c) => c.arrived), days(who, { chip: 'came' })],
    ]
  },
  keyPost: async (who) => {
    const { keyPosts } = await reported(who, 'main')
    const missing = keyPosts.filter((p) => p.expected && !p.present).length
    return keyPosts.length ? [['今日未到', missing, days(who, { chip: 'keyAbsent' })]] : []
  },
  laborCompliance: async (who) => {
    const { compliance: c } = await reported(who, 'report', { days: 30 })
    return [
      ['在册', c.inPlace, people(who, {})],
      ['实名未核验', c.inPlace - c.realName, people(who, { missing: 'realName' })],
      ['未签合同', c.inPlace - c.contract, people(who, { missing: 'contract' })],
      ['未入场教育', c.inPlace - c.trained, people(who, { missing: 'training' })],
      ['无工资卡', c.inPlace - c.account, people(who, { missing: 'payCard' })],
    ]
  },
  deviceOnline: async (who) => {
    const answer = await reported(who, 'fleet')
    return [
      ['启用', answer.inUse, () => machines(who, 'inUse')],
      ['在线', answer.online, () => machines(who, 'online')],
      ['合计', sum(answer.groups, (g) => g.inUse), async () => answer.inUse],
    ]
  },
  deviceColumn: async (who) => {
    const { list } = await reported(who, 'columns', { size: 200 })
    return [
      ['设备', sum(list, (one) => one.total), () => machines(who, 'inUse')],
      ['在线', sum(list, (one) => one.online), () => machines(who, 'online')],
    ]
  },
  dataHealth: async (who) => {
    const { counts } = await reported(who, 'gateways')
    const gateways = (online: 'true' | 'false') => async () =>
      (await who.call(listGateways, { query: { status: '1', online, size: 1 } })).total
    return [
      ['静默网关', counts.offline, gateways('false')],
      ['在线网关', counts.online, gateways('true')],
    ]
  },
  lifterLive: async (who) => {
    const answer = await reported(who, 'lifts', { size: 200 })
    return [['离线', answer.offline, async () => answer.list.filter((lift) => !lift.online).length]]
  },
  envRank: async (who) => {
    const answer = await reported(who, 'stations', { size: 200 })
    return [['站', answer.online + answer.offline, async () => answer.list.length]]
  },
  sitePlan: 'machines where they stand: no figure but those with grave alarms, which are the ticker’s rows',
  attendanceHour: 'a curve of passages by the hour: the list of passages has no filter by hour',
  gateLive: 'the newest passages, row by row',
  dueSoon: 'the rows of the list of what falls due themselves, with the counts that answer gives',
  craneGroup: 'cranes as they turn',
  craneLive: 'readings of one machine',
  envLive: 'readings of one machine',
  pitLive: 'readings of measuring points',
  unloadingLive: 'readings of one machine',
  truckAccess: 'the figures of today stand on the answer of the list of passages itself',
  aiEvents: 'the rows of the alarm list of cameras themselves',
  formworkLive: 'readings of measuring points',
  energyUse: 'sums of the settlement sheet, in kWh and m³',
  weighToday: 'sums of the weighing sheet, in tonnes',
  helmetMap: 'people by place: helmets on the map are no list',
  videoWall: 'pictures',
}

test('every panel is compared with its list, or says why it has none', () =>
  expect(Object.keys(panels).sort()).toEqual([...panelKeys].sort()))

const accounts = ['hospital-pm', 'yunze-lu', 'dingli-cheng', 'hospital-jl', 'bj-zhao', 'city-fang']
const now = Date.parse('2026-11-20T10:30:00+08:00')
let world: World
let settled: CityWorld
const seen = new Set<string>()
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world, '2026-11-20')
  await seedAttendance(world.database, settled.city, now)
  for (const { projectCode } of settled.city.projects) await raiseAlarms(world, projectCode, now)
  // Managers without a bank card: they need none, so they are not counted.
  await world.database.pool.query(
    `update project_worker set pay_roll_bank_card_hash = null where id in (select id from project_worker where exit_time is null and work_role <> '20' limit 20)`,
  )
}, 300_000)
afterAll(() => world.close())

test.each(accounts)('%s: a panel says what its list holds', async (account) => {
  const who = await settled.as(account)
  for (const [key, panel] of Object.entries(panels)) {
    if (typeof panel === 'string') continue
    const figures = await panel(who).catch((refusal: unknown) => {
      // Without the right to read the data, the panel is absent.
      if (String(refusal).includes(' 403/403 ')) return []
      throw refusal
    })
    for (const [what, value, list] of figures) expect([key, what, value]).toEqual([key, what, await list()])
    if (figures.length) seen.add(key)
  }
})

test('every panel with a list was read by somebody', () =>
  expect([...seen].sort()).toEqual(
    Object.entries(panels)
      .filter(([, panel]) => typeof panel !== 'string')
      .map(([key]) => key)
      .sort(),
  ))
