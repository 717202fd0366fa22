import { leastCoverage } from '@zhugong/contract/monitoring/analysis'
import type { Pdf } from '#kit/pdf'
import type { ListContext } from '../../exports/registry.ts'
import {
  alarmCountWords,
  alarmTable,
  dayAlarms,
  figure,
  type MonthQuery,
  monthAlarms,
  monthScope,
  monthSheet,
  named,
  registerMonth,
} from '../shared/month.ts'
import { environmentAnalysis } from './environment.ts'
import { findSprayRuns } from './spray-runs.ts'

const family = 'environment'
/** Alarms about the data, not about pollution. */
const doubts = ['offline', 'constantValue']
const metricNames = { pm10: 'PM10', pm25: 'PM2.5', tsp: 'TSP', noise: '噪声' } as const

interface DayRow {
  day: string
  station: string
  pm10: number | null
  pm25: number | null
  tsp: number | null
  noise: number | null
  overHours: number
  validPercent: number
  alarms: string
}

async function reported(ctx: ListContext, query: MonthQuery) {
  const scope = await monthScope(ctx, query, family)
  const air = await environmentAnalysis(ctx.db, scope, ctx.clock.now())
  const alarms = await monthAlarms(ctx, scope, doubts)
  const names = new Map(air.devices.map((one) => [one.key, one.name]))
  const alarmsOf = dayAlarms(alarms)
  const days = air.days.map(({ key, ...day }): DayRow => {
    const station = names.get(key) ?? ''
    return { ...day, station, alarms: alarmsOf(day.day, station) }
  })
  return { scope, air, alarms, days }
}

/** Monthly report of air and noise. An hour counts if three quarters of it were measured. */
export function registerStationMonth(): void {
  registerMonth<DayRow>({
    family,
    title: '环境监测月报',
    columns: [
      { key: 'day', title: '日期', width: 12, value: (r) => r.day },
      { key: 'station', title: '监测站', width: 16, value: (r) => r.station },
      { key: 'pm10', title: 'PM10（μg/m³）', value: (r) => r.pm10 },
      { key: 'pm25', title: 'PM2.5（μg/m³）', value: (r) => r.pm25 },
      { key: 'tsp', title: 'TSP（μg/m³）', value: (r) => r.tsp },
      { key: 'noise', title: '噪声（dB）', value: (r) => r.noise },
      { key: 'overHours', title: '超标小时', value: (r) => r.overHours },
      { key: 'validPercent', title: '有效数据（%）', value: (r) => r.validPercent },
      { key: 'alarms', title: '当日告警', width: 40, value: (r) => r.alarms },
    ],
    rows: async (ctx, query) => (await reported(ctx, query)).days,
    draw,
  })
}

async function draw(ctx: ListContext, query: MonthQuery): Promise<Pdf> {
  const { scope, air, alarms, days } = await reported(ctx, query)
  const { sums } = await findSprayRuns(ctx.db, { projects: scope.projects, period: scope.period }, { limit: 1, offset: 0 }, undefined)
  const pdf = await monthSheet(ctx, scope, query, '环境监测月报')
  pdf.facts([
    ['监测站', `${air.devices.length} 个`],
    ['有效数据', `${air.coverage} %`],
    ['超标小时', air.overHours.map((one) => `${metricNames[one.metric]} ${one.hours}`).join('，')],
    ['小时限值', air.overHours.map((one) => `${metricNames[one.metric]} ${one.limit}`).join('，')],
    ['昼间噪声', `${air.noise.dayOver} / ${air.noise.day} 小时超标`],
    [
      '夜间噪声',
      `${air.noise.nightOver} / ${air.noise.night} 小时超标${air.noise.nightPermit > 0 ? `，另有许可期内 ${air.noise.nightPermit} 小时` : ''}`,
    ],
    ['喷淋', `${sums.runs} 次，${Math.round((sums.seconds ?? 0) / 60)} 分，${(sums.water ?? 0).toFixed(1)} m³`],
    ['告警', alarmCountWords(alarms)],
  ])
  pdf.heading('各监测站')
  await pdf.table<(typeof air.devices)[number]>(
    [
      named('监测站', (r) => r.name),
      figure('PM10', (r) => r.pm10Mean),
      figure('较区域站', (r) => r.deltaToDistrict),
      figure('PM2.5', (r) => r.pm25Mean),
      figure('TSP', (r) => r.tspMean),
      figure('噪声 dB', (r) => r.noiseMean),
      figure('超标小时', (r) => r.overHours),
      figure('夜间超标', (r) => r.nightNoiseHours),
      figure('许可内', (r) => r.nightPermitHours),
      figure('有效 %', (r) => (r.validPercent < leastCoverage ? `${r.validPercent} 不足` : r.validPercent)),
    ],
    air.devices,
  )
  pdf.heading('每日均值')
  await pdf.table<DayRow>(
    [
      named('日期', (r) => r.day, 14),
      named('监测站', (r) => r.station, 14),
      figure('PM10', (r) => r.pm10),
      figure('PM2.5', (r) => r.pm25),
      figure('TSP', (r) => r.tsp),
      figure('噪声 dB', (r) => r.noise),
      figure('超标小时', (r) => r.overHours),
      figure('有效 %', (r) => r.validPercent),
    ],
    days,
  )
  await alarmTable(pdf, '监测站', alarms)
  pdf.small(
    '浓度单位 μg/m³，噪声为能量平均。均值只取 45 分钟以上有数据的小时；恒值与离线不计为超标。有效数据不足 75 % 的站，均值仅供参考。',
  )
  pdf.signatures(['环保专员', '安全员', '项目经理'])
  return pdf
}
