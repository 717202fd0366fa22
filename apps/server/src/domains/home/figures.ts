import type { HomeFigure, HomeProject, MainPage } from '@zhugong/contract/home/endpoints'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { presenceRate, sumDue } from '../attendance/public.ts'
import { sumOf, type Today } from './today.ts'

/** Percentage with two decimals; null if the whole is zero. */
export const rate = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100)

/** Key posts are evaluated from 9 o'clock on; before it the figure only shows arrivals so far. */
const judgedFromHour = 9

interface Given {
  kind: MainPage['kind']
  today: Today
  projects: readonly HomeProject[]
  devices: MainPage['devices']
  week: MainPage['week']
  now: number
}

/** The permission code of the list behind a figure; without it, the figure has no link. */
const listCodes: Readonly<Record<string, string>> = {
  '/alarm/record': 'alarm.view',
  '/personList': 'personnel.view',
  '/checkingList': 'attendance.view',
  '/gov/project': 'project.view',
  '/administration': 'device-admin.view',
}
const mayOpen = (link: string, codes: ReadonlySet<string>) => codes.has(listCodes[link.split('?')[0] ?? ''] ?? '')

/** The figures of a home page. Those with a link equal the number of rows of the list it opens. */
export const figuresOf = (given: Given, codes: ReadonlySet<string>): HomeFigure[] =>
  figuresOfKind(given).map((one) => (one.link && !mayOpen(one.link, codes) ? { ...one, link: null } : one))

function figuresOfKind(given: Given): HomeFigure[] {
  const { projects } = given
  const inUse = '/gov/project?enable=1'
  const building = figure({
    key: 'building',
    title: '在建项目',
    value: projects.filter((p) => p.prjStatus === projectStates.building).length,
    unit: '个',
    note:
      given.kind === 'corporation'
        ? `参与 ${projects.length} 个项目`
        : `停工 ${projects.filter((p) => p.prjStatus === projectStates.stopped).length} 个`,
    link: given.kind === 'corporation' ? null : `${inUse}&prjStatus=${projectStates.building}`,
  })
  switch (given.kind) {
    case 'project':
      return [people(given), attended(given), alarms(given), machines(given), absent(given)]
    case 'corporation':
      return [building, people(given), attended(given), alarms(given), absent(given)]
    case 'government':
      return [building, attended(given), absent(given), alarms(given), machines(given)]
    default:
      return [
        figure({ key: 'projects', title: '项目', value: projects.length, unit: '个', note: `在建 ${building.value} 个`, link: inUse }),
        people(given),
        alarms(given),
        machines(given),
      ]
  }
}

const figure = (given: Pick<HomeFigure, 'key' | 'title' | 'value' | 'unit' | 'note'> & Partial<HomeFigure>): HomeFigure => ({
  digits: 0,
  tone: 'plain',
  trend: [],
  link: null,
  ...given,
})

function people({ today, week }: Given): HomeFigure {
  const yesterday = week.at(-2)
  return figure({
    key: 'onSite',
    title: '在册人数',
    value: sumOf(today.presence.values(), (site) => site.inPlace),
    unit: '人',
    note: yesterday ? `昨日在册 ${yesterday.onSite.toLocaleString('zh-CN')}` : '已进场未退场',
    trend: week.map((d) => d.onSite),
    link: '/personList?stationed=1',
  })
}

/** The figure counts everybody who came; the rate includes only expected people. */
function attended({ today, week }: Given): HomeFigure {
  const sites = [...today.presence.values()]
  const percent = presenceRate(sites)
  const { expected, arrived } = sumDue(sites)
  return figure({
    key: 'attended',
    title: '今日出勤',
    value: sumOf(sites, (site) => site.attended),
    unit: '人',
    note: percent === null ? '今日无应到人员，不计出勤率' : `应到 ${expected}，实到 ${arrived}，出勤率 ${percent}%`,
    trend: week.map((d) => d.attended),
    link: '/checkingList?chip=entered',
  })
}

function alarms({ today }: Given): HomeFigure {
  const waiting = sumOf(today.awaiting.values(), (one) => one.count)
  const grave = sumOf(today.awaiting.values(), (one) => one.grave)
  return figure({
    key: 'openAlarms',
    title: '待处理告警',
    value: waiting,
    unit: '条',
    note: waiting === 0 ? '没有待处理告警' : grave ? `其中一、二级 ${grave} 条` : '没有一、二级',
    tone: waiting ? 'danger' : 'fine',
    link: '/alarm/record',
  })
}

function machines({ devices }: Given): HomeFigure {
  const total = sumOf(devices, (d) => d.total)
  const online = sumOf(devices, (d) => d.online)
  return figure({
    key: 'online',
    title: '设备在线率',
    value: rate(online, total),
    unit: '%',
    digits: 2,
    note: `${online} / ${total} 台在线`,
    tone: online < total ? 'warning' : 'fine',
    link: '/administration',
  })
}

function absent({ today, now }: Given): HomeFigure {
  const missing = sumOf(today.absentPosts.values(), (n) => n)
  const atRest = sumOf(today.presence.values(), (site) => site.expected) === 0
  // A company without sites shows no rest day.
  const nobody = sumOf(today.presence.values(), (site) => site.inPlace) === 0
  const hour = new Date(now + shanghaiOffsetMs).getUTCHours()
  return figure({
    key: 'absentPosts',
    title: '关键岗位未到',
    value: atRest ? null : missing,
    unit: '人',
    note: atRest
      ? nobody
        ? '没有在册人员，不作考核'
        : '今日休息或停工，不作考核'
      : hour < judgedFromHour
        ? `${judgedFromHour} 点前为实时，不作考核`
        : missing
          ? '今日应到，尚无通行记录'
          : '今日应到的都已到岗',
    tone: missing && hour >= judgedFromHour ? 'warning' : 'plain',
    link: atRest ? null : '/checkingList?chip=keyAbsent',
  })
}
