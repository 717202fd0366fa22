import { type AlarmState, alarmStates } from '@zhugong/contract/alarms/codes'
import type { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { alarmList, type findAlarms as oneByOne, siteAlarmList } from '@zhugong/contract/alarms/lists'
import { urgingWord } from '@zhugong/contract/alarms/notices'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { causeSources } from '@zhugong/contract/monitoring/exceed-causes'
import { findingName } from '@zhugong/contract/monitoring/finding-kinds'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { exportOf, type ListContext } from '../exports/registry.ts'
import { driverSeen, veilFor } from '../readings/public.ts'
import { familiesFor } from './families.ts'
import { alarmFor, placedAt } from './file.ts'
import { alarmsByProject } from './statistics.ts'
import { type AlarmFilter, countAlarms, findAlarms, newestAlarm, totalOfAlarms, wornOf } from './store.ts'
import { placesOf } from './worn.ts'

type Query = Omit<ParsedFor<typeof oneByOne>['query'], 'sort'>

/** Combines the caller's projects and families with the filters of the request. */
function filterOf(ctx: ListContext, { startTime, endTime, ...query }: Query): AlarmFilter {
  return {
    ...query,
    seen: (name) => driverSeen(ctx, name),
    projects: projectsFor(ctx, query.projectCode),
    family: familiesFor(ctx, query.family),
    from: startTime ? parseInstant(startTime) : undefined,
    to: endTime ? parseInstant(endTime) : undefined,
  }
}

export const list: HandlerOf<typeof listAlarms> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const filter = filterOf(ctx, query)
  const counts = await countAlarms(ctx.db, filter, startOfDay(formatDay(now)), now)
  if (query.groupBy === 'project') return { ...(await alarmsByProject(ctx.db, filter, pageSlice(query), now)), counts, last: null }
  const { total, alarms } = await totalOfAlarms(ctx.db, filter)
  return {
    list: await shown(ctx, query, pageSlice(query)),
    total,
    alarms,
    counts,
    last: total ? null : await newestAlarm(ctx.db, filter.projects, filter.family),
  }
}

/** A slice of the list as visible to the caller. */
async function shown(ctx: ListContext, query: ParsedFor<typeof oneByOne>['query'], slice: { limit: number; offset: number }) {
  const rows = await findAlarms(ctx.db, filterOf(ctx, query), slice, query.sort)
  const veil = await veilFor(ctx, rows.map(wornOf))
  const places = await placesOf(ctx.db, veil, rows)
  return rows.map((row, i) => placedAt(alarmFor(ctx, row, veil), places[i]))
}

/** Rows read at a time for an export. */
const exportStep = 1_000
const minutesOf = (seconds: number) => Math.round(seconds / 6) / 10
const timeOf = (at: number | null) => (at === null ? null : formatInstant(at))

export function registerAlarmExports(): void {
  alarmFile()
  siteAlarmFile()
}

const sites = (ctx: ListContext, query: Query, slice: { limit: number; offset: number }) =>
  alarmsByProject(ctx.db, filterOf(ctx, query), slice, ctx.clock.now())
const percent = (share: number | null) => (share === null ? null : `${share} %`)

function alarmFile(): void {
  exportOf(
    alarmList,
    {
      title: '告警',
      widths: { projectName: 30, deviceName: 20, startTime: 20, clearTime: 20, thresholdText: 30, peakTime: 20, handleTime: 20 },
      // Exports list every alarm separately, even if the page merges them.
      async *rows(ctx, query) {
        for (let offset = 0; ; offset += exportStep) {
          const part = await shown(ctx, { ...query, merged: false }, { limit: exportStep, offset })
          yield* part
          if (part.length < exportStep) return
        }
      },
      count: async (ctx, query) => (await totalOfAlarms(ctx.db, filterOf(ctx, { ...query, merged: false }))).total,
    },
    {
      alarmKey: (row) => row.alarmLabel,
      deviceName: (row) => `${row.deviceName}${row.point ? ` · ${row.point}` : ''}`,
      family: (row) => row.familyName,
      active: (row) => (row.active ? '告警中' : '已恢复'),
      state: (row) => alarmStates[row.state as AlarmState],
      startTime: (row) => timeOf(row.startTime),
      clearTime: (row) => timeOf(row.clearTime),
      duration: (row) => `${minutesOf(row.durationSeconds)} 分钟`,
      urging: (row) => row.urging && `${urgingWord(row.urging)}，${row.urging.fromGroup}，期限 ${formatInstant(row.urging.deadline)}`,
      person: (row) => row.person && [row.person.name, row.person.team].filter(Boolean).join('，'),
      place: (row) => row.person?.place ?? null,
      peakValue: (row) => (row.peakValue === null ? null : `${row.peakValue} ${row.unit}`.trim()),
      peakTime: (row) => timeOf(row.peakTime),
      stop: (row) =>
        row.stop === null
          ? null
          : row.stop.to === null
            ? `停用中，自 ${timeOf(row.stop.from)}`
            : `${minutesOf((row.stop.to - row.stop.from) / 1000)} 分钟`,
      driverName: (row) => row.crane?.driverName ?? null,
      otherCrane: (row) => row.crane?.otherCrane ?? null,
      clearance: (row) => row.crane?.clearance ?? null,
      zoneName: (row) => row.crane?.zoneName ?? null,
      cycleNo: (row) => row.crane?.cycleNo ?? null,
      cause: (row) => row.cause && `${causeSources[row.cause.source]}：${row.cause.text}（${row.cause.byName} ${timeOf(row.cause.at)}）`,
      finding: (row) =>
        row.finding &&
        `${findingName(row.family, row.finding.code)}：${row.finding.text}（${row.finding.byName} ${timeOf(row.finding.at)}）`,
      permitted: (row) => row.permitNo,
      lossTonnes: (row) => row.loss?.tonnes ?? null,
      lossAmount: (row) => row.loss?.amount ?? null,
      handleTime: (row) => timeOf(row.handleTime),
    },
  )
}

function siteAlarmFile(): void {
  exportOf(
    siteAlarmList,
    {
      title: '项目告警',
      widths: { projectName: 30, contractorCorpName: 30 },
      async *rows(ctx, query) {
        for (let offset = 0; ; offset += exportStep) {
          const part = await sites(ctx, query, { limit: exportStep, offset })
          yield* part.list
          if (part.list.length < exportStep) return
        }
      },
      count: async (ctx, query) => (await sites(ctx, query, { limit: 1, offset: 0 })).total,
    },
    {
      ackMinutes: (row) => (row.ackMinutes === null ? null : `${row.ackMinutes} 分钟`),
      handledPercent: (row) => percent(row.handledPercent),
      falsePercent: (row) => percent(row.falsePercent),
      onlinePercent: (row) => percent(row.onlinePercent),
      silent: (row) => (row.silent ? '零告警且离线' : null),
    },
  )
}
