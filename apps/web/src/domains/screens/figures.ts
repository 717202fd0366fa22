import { projectStates } from '@zhugong/contract/organisation/codes'
import type { FigureKey } from '@zhugong/contract/screens/catalogue'
import { dueWords } from '#kit/format.ts'
import type { CallData } from './hub.ts'
import type { Tone } from './panel.tsx'
import { inArea, percent, sum } from './wall-state.ts'

interface Kpi {
  value: number | null | undefined
  unit: string
  note: string
  tone: Tone
}

/** A figure of the strip for the selected district; its value is undefined until loaded. */
export function kpiOf(
  key: FigureKey,
  main: CallData<'main'> | undefined,
  alarms: CallData<'alarms'> | undefined,
  presence: CallData<'presence'> | undefined,
  area: string | undefined,
  now: number,
): Kpi {
  const own = !main || main.kind === 'project' ? undefined : inArea(main.projects, area)
  const figure = (name: string) => main?.figures.find((one) => one.key === name)
  const yesterday = main?.week.at(-2)
  const against = (now: number | null | undefined, then: number | undefined) =>
    now === null || now === undefined || then === undefined || area ? '' : `昨日全天 ${then.toLocaleString('en-US')}`
  switch (key) {
    case 'building':
      return {
        value: own?.filter((one) => one.prjStatus === projectStates.building).length,
        unit: '个',
        note: own ? `停工 ${own.filter((one) => one.prjStatus === projectStates.stopped).length} 个` : '',
        tone: 'plain',
      }
    case 'inPlace': {
      const value = own ? sum(own, (one) => one.onSite) : presence?.inPlace
      return { value, unit: '人', note: against(value, yesterday?.onSite), tone: 'plain' }
    }
    case 'attended': {
      const value = own ? sum(own, (one) => one.attended) : presence?.attended
      return { value, unit: '人', note: against(value, yesterday?.attended), tone: 'accent' }
    }
    case 'rate': {
      const value = own
        ? percent(
            sum(own, (one) => one.arrived),
            sum(own, (one) => one.expected),
          )
        : presence?.rate
      const due = own ? { arrived: sum(own, (one) => one.arrived), expected: sum(own, (one) => one.expected) } : presence
      return { value, unit: '%', note: due ? dueWords(due) : '', tone: 'accent' }
    }
    case 'onDuty':
      return {
        value: presence?.onDuty,
        unit: '人',
        note: presence ? `${area ? '全辖区，' : ''}管理人员 ${presence.managers.onDuty}` : '',
        tone: 'accent',
      }
    case 'online': {
      if (!main) return { value: undefined, unit: '%', note: '', tone: 'plain' }
      const total = own ? sum(own, (one) => one.devices) : sum(main.devices, (one) => one.total)
      const online = own ? sum(own, (one) => one.online) : sum(main.devices, (one) => one.online)
      return { value: percent(online, total), unit: '%', note: `${online} / ${total} 台在线`, tone: online < total ? 'warning' : 'fine' }
    }
    case 'openAlarms': {
      const value = own ? sum(own, (one) => one.openAlarms) : figure('openAlarms')?.value
      return { value, unit: '条', note: alarms && !area ? `今日新增 ${alarms.counts.today}` : '', tone: toneOf(value, 'warning') }
    }
    case 'grave': {
      const value = own ? sum(own, (one) => one.graveAlarms) : main?.graveAlarms
      const note = value === undefined ? '' : value ? '待接单与已接单' : '没有一、二级'
      return { value, unit: '条', note, tone: toneOf(value, 'alarm') }
    }
    case 'absentPosts': {
      const value = own ? sum(own, (one) => one.absentPosts) : figure('absentPosts')?.value
      return { value, unit: '人', note: area ? '' : (figure('absentPosts')?.note ?? ''), tone: toneOf(value, 'warning') }
    }
    case 'siteDays': {
      const start = main?.site?.startDate
      const value = start && now ? Math.max(0, Math.floor((now - Date.parse(`${start}T00:00:00+08:00`)) / 86_400_000) + 1) : null
      return { value, unit: '天', note: start ? `${start} 开工` : '', tone: 'plain' }
    }
  }
}

const toneOf = (value: number | null | undefined, wrong: Tone): Tone =>
  value === undefined || value === null ? 'plain' : value > 0 ? wrong : 'fine'

type Row = CallData<'alarms'>['list'][number]
/** Alarm state: not acknowledged. */
export const waiting = 'open'
/** Order: level, then not acknowledged, then newest. */
export const gravestFirst = (rows: readonly Row[], codes: ReadonlySet<string> | undefined): Row[] =>
  rows
    .filter((one) => !codes || codes.has(one.projectCode))
    .toSorted((a, b) => a.level - b.level || Number(a.state !== waiting) - Number(b.state !== waiting) || b.startTime - a.startTime)
