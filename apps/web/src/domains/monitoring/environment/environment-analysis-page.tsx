import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { exportKeys } from '@zhugong/contract/kit/list'
import { envAnalysis } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import {
  findEnvWorks,
  findSprayRuns,
  stationHourList,
  type WorkKind,
  workKinds,
} from '@zhugong/contract/monitoring/environment/environment-lists'
import { sprayRunOf } from '@zhugong/contract/telemetry/known-records'
import { Checkbox, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card } from '#kit/feedback.tsx'
import { measure, time } from '#kit/format.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { besides, changeWords, columnsOption, directionName } from '../analysis-charts.ts'
import { ChartCard, FamilyAnalysis, useAnalyses } from '../family-analysis.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { HeatBoard } from '../heat-board.tsx'
import { MonthReport } from '../month-report.tsx'
import { StationHours } from './station-hours.tsx'

type Analysis = OutputFor<typeof envAnalysis>
const metrics = {
  pm10: { label: 'PM10', unit: 'μg/m³' },
  pm25: { label: 'PM2.5', unit: 'μg/m³' },
  noise: { label: '噪声', unit: 'dB' },
} as const
type Metric = keyof typeof metrics
const isMetric = (text: string | null): text is Metric => text !== null && Object.hasOwn(metrics, text)
const metricNames: Readonly<Record<string, string>> = { pm10: 'PM10', pm25: 'PM2.5', tsp: 'TSP', noise: '噪声' }
/** Periods, in days, that the list of alarms offers too. */
const sharedPeriods = ['7', '30']
const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']
/** Fewest hours of a wind direction to be considered. */
const leastHours = 3

/** Analysis of dust and noise of a station over a period. */
export default function EnvironmentAnalysisPage() {
  const scope = useFamilyScope({ family: 'environment', usual: '30', one: true })
  const { analysis, beside, compared: then } = useAnalyses(envAnalysis, scope)
  const go = useGo()
  const requested = usePageQuery().get('by')
  const by: Metric = isMetric(requested) ? requested : 'pm10'
  const { deviceId: _station, ...site } = scope.query
  const runs = useCall(findSprayRuns, { query: { ...site, size: 1000 } }, { quiet: true, keepPrevious: true })
  const works = useCall(
    findEnvWorks,
    { query: { deviceId: scope.deviceId ?? '', startTime: scope.query.startTime, endTime: scope.query.endTime } },
    { quiet: true, keepPrevious: true, enabled: Boolean(scope.deviceId) },
  )
  const laid = laidOf(usePageQuery().get('works'))
  const { text } = scope.period
  const alarms = () => go('/alarmrecord', { tab: 'all', period: sharedPeriods.includes(text) ? text : undefined })
  return (
    <FamilyAnalysis
      scope={scope}
      unit="监测站"
      shown={analysis}
      sentence={sentenceOf}
      figures={(one) => figuresOf(one, then, beside?.words)}
      file={{
        feature: stationHourList.feature ?? '',
        title: '环境小时数据',
        query: { ...scope.query, kind: 'hour' },
        columns: exportKeys(stationHourList),
        total: (analysis.data?.days.length ?? 0) * 24,
        export: 'environment.export',
      }}
      actions={
        <>
          <Segmented
            aria-label="指标"
            value={by}
            options={Object.entries(metrics).map(([value, { label }]) => ({ value, label }))}
            onChange={(value) => scope.put({ by: value === 'pm10' ? undefined : String(value) })}
          />
          <MonthReport
            scope={scope}
            family="environment"
            code="environment.report"
            unit="监测站"
            counts="按日与监测站统计浓度、噪声、超标小时、喷淋与告警"
          />
        </>
      }
    >
      {(one) => {
        const { label, unit } = metrics[by]
        const busy = busyHours(works.data, laid)
        const limit = one.overHours.find((each) => each.metric === by)?.limit
        const cells = one.byHour.map((each) => ({
          weekday: each.weekday,
          hour: each.hour,
          value: each[by],
          ...withWorks(`${label} ${measure(each[by], 0)} ${unit}`, busy.get(`${each.weekday}/${each.hour}`)),
        }))
        const effects = (runs.data?.list ?? []).map(sprayRunOf).filter((run) => run.effect !== null)
        return (
          <>
            <Card
              className="wide"
              title={`${label} 星期 × 时段`}
              remark={`小时均值的平均（${unit}）；红色超过 ${limit ?? '--'}；斜纹为没有有效小时；字标为该作业多于其平均的时段`}
              actions={
                <Checkbox.Group
                  aria-label="叠加作业"
                  value={[...laid]}
                  options={kinds.map((kind) => ({ value: kind, label: `${signs[kind]} ${workKinds[kind]}` }))}
                  onChange={(chosen) => scope.put({ works: chosen.length === 0 ? 'none' : chosen.join(',') })}
                />
              }
            >
              <HeatBoard cells={cells} unit={unit} {...(limit === undefined ? {} : { limit })} />
            </Card>
            <ChartCard
              wide
              title={`${label} 每日均值`}
              definition={`有效小时（45 分钟以上）的平均；没有数据的日子留空${beside ? `，虚线为${beside.words}` : ''}`}
              label={`${label} 每日均值，${one.days.length} 天`}
              option={columnsOption({
                names: one.days.map((day) => day.day.slice(5)),
                unit,
                rightUnit: '时',
                ...(limit === undefined ? {} : { marks: [{ at: limit, text: `限值 ${limit}`, tone: 'danger' as const }] }),
                series: [
                  { name: label, values: one.days.map((day) => day[by]), line: true, color: colors.primary },
                  ...besides(then, beside?.words, (then) => one.days.map((_, i) => then.days[i]?.[by] ?? null), 'line'),
                  { name: '超标小时', values: one.days.map((day) => day.overHours), right: true, color: colors.warningLine },
                ],
              })}
              table={{
                head: ['日期', 'PM10', 'PM2.5', 'TSP', '噪声 dB', '超标小时', '有效 %'],
                rows: one.days.map((day) => [day.day, day.pm10, day.pm25, day.tsp, day.noise, day.overHours, day.validPercent]),
              }}
            />
            <ChartCard
              wide
              title={`${label} 与施工作业`}
              definition="一天各小时：线为小时均值的平均，柱为每天平均作业次数（浇筑按持续的小时计）；来自道闸、塔机循环、浇筑与成桩记录"
              label={worksWords(works.data, laid)}
              empty={(works.data?.hours.length ?? 0) === 0 ? '这段时间没有作业记录' : undefined}
              option={columnsOption({
                names: dayHours.map((hour) => `${hour}`),
                unit,
                rightUnit: '次',
                series: [
                  { name: label, values: dayHours.map((hour) => meanAt(one, hour, by)), line: true, color: colors.primary },
                  ...laid.map((kind, n) => ({
                    name: workKinds[kind],
                    values: dayHours.map((hour) => perDay(works.data, kind, hour)),
                    right: true,
                    stack: 'works',
                    color: workColors[n % workColors.length],
                  })),
                ],
              })}
              table={{
                head: ['时', label, ...laid.map((kind) => workKinds[kind])],
                rows: dayHours.map((hour) => [hour, meanAt(one, hour, by), ...laid.map((kind) => perDay(works.data, kind, hour))]),
              }}
            />
            <ChartCard
              title="PM10 与风向"
              definition="风从哪里来时的 PM10 小时均值：指向道路、基坑或邻家；不足 3 小时的方向不画"
              label={roseWords(one)}
              empty={one.rose.length === 0 ? '没有同时有风向和 PM10 的小时' : undefined}
              option={columnsOption({
                names: one.rose.map((each) => directionName(each.direction)),
                unit: 'μg/m³',
                ...(one.district === null
                  ? {}
                  : { marks: [{ at: one.district, text: `区域站 ${one.district}`, tone: 'warning' as const }] }),
                series: [{ name: 'PM10', values: one.rose.map((each) => (each.n < leastHours ? null : each.pm10)), color: colors.orange }],
              })}
              table={{ head: ['风向', 'PM10', '小时数'], rows: one.rose.map((each) => [directionName(each.direction), each.pm10, each.n]) }}
            />
            <ChartCard
              title="超标小时"
              definition="小时均值超过限值的小时：PM10 150、PM2.5 75（GB 3095），TSP 按施工阶段，噪声昼 70 夜 55（GB 12523）"
              label={one.overHours.map((each) => `${metricNames[each.metric]} ${each.hours} 小时`).join('，')}
              option={columnsOption({
                names: one.overHours.map((each) => metricNames[each.metric] ?? each.metric),
                unit: '时',
                series: [
                  { name: '本期', values: one.overHours.map((each) => each.hours), color: colors.danger },
                  ...besides(
                    then,
                    beside?.words,
                    (then) => one.overHours.map((each) => then.overHours.find((old) => old.metric === each.metric)?.hours ?? 0),
                    'bars',
                  ),
                ],
              })}
              table={{
                head: ['指标', '超标小时', '限值'],
                rows: one.overHours.map((each) => [metricNames[each.metric] ?? each.metric, each.hours, each.limit]),
              }}
              onPick={alarms}
            />
            <ChartCard
              title="昼夜噪声"
              definition="有效小时中超过昼间 70、夜间 55 dB 的占比；夜间从 22 时到 6 时，不与昼间平均；夜间施工许可期内的超标单独计"
              label={`昼间超标 ${one.noise.dayOver} / ${one.noise.day} 小时，夜间没有许可 ${one.noise.nightOver}、许可期内 ${one.noise.nightPermit} / ${one.noise.night} 小时`}
              option={columnsOption({
                names: ['昼间', '夜间'],
                unit: '时',
                series: [
                  {
                    name: '达标',
                    values: [one.noise.day - one.noise.dayOver, one.noise.night - one.noise.nightOver - one.noise.nightPermit],
                    stack: 'noise',
                    color: colors.fineLine,
                  },
                  { name: '许可期内超标', values: [0, one.noise.nightPermit], stack: 'noise', color: colors.warningLine },
                  { name: '超标', values: [one.noise.dayOver, one.noise.nightOver], stack: 'noise', color: colors.danger },
                ],
              })}
              table={{
                head: ['时段', '有效小时', '超标小时', '许可期内超标'],
                rows: [
                  ['昼间', one.noise.day, one.noise.dayOver, null],
                  ['夜间', one.noise.night, one.noise.nightOver, one.noise.nightPermit],
                ],
              }}
            />
            <ChartCard
              title="喷淋效果"
              definition="每次喷淋启动与结束时的 PM10；线在柱下即有效"
              label={`${effects.length} 次喷淋`}
              empty={effects.length === 0 ? '这段时间没有前后都有浓度的喷淋' : undefined}
              option={columnsOption({
                names: effects.map((run) => time(run.startTime).slice(5, 16)).reverse(),
                unit: 'μg/m³',
                series: [
                  { name: '启动时', values: effects.map((run) => run.pm10Before).reverse(), color: colors.warningLine },
                  { name: '结束时', values: effects.map((run) => run.pm10After).reverse(), line: true, color: colors.primary },
                ],
              })}
              table={{
                head: ['开始', '启动时', '结束时', '降幅 %'],
                rows: effects.map((run) => [time(run.startTime), run.pm10Before, run.pm10After, run.effect]),
              }}
              onPick={() => go('/sprayrecord', { period: scope.period.text })}
            />
            <StationHours scope={scope} />
          </>
        )
      }}
    </FamilyAnalysis>
  )
}

type Works = OutputFor<typeof findEnvWorks> | undefined
const kinds = Object.keys(workKinds) as WorkKind[]
const signs: Readonly<Record<WorkKind, string>> = { earth: '土', concrete: '砼', vehicle: '车', pour: '浇', pile: '桩', lift: '吊' }
/** By default, works that raise dust are marked. */
const usualWorks: readonly WorkKind[] = ['earth', 'concrete', 'pour']
const workColors = [colors.orange, colors.warningLine, colors.fineLine, colors.border]
const dayHours = Array.from({ length: 24 }, (_, hour) => hour)

function laidOf(chosen: string | null): readonly WorkKind[] {
  return chosen === null ? usualWorks : kinds.filter((kind) => chosen.split(',').includes(kind))
}

const perDay = (works: Works, kind: WorkKind, hour: number): number | null => {
  if (!works) return null
  const count = works.hours.reduce((sum, one) => (one.kind === kind && one.hour === hour ? sum + one.count : sum), 0)
  return Math.round((count / works.days) * 10) / 10
}

function meanAt(analysis: Analysis, hour: number, by: Metric): number | null {
  const values = analysis.byHour.flatMap((one) => (one.hour === hour && one[by] !== null ? [one[by]] : []))
  return values.length === 0 ? null : Math.round((values.reduce((sum, one) => sum + one, 0) / values.length) * 10) / 10
}

/** Hours of the week with more than the mean amount of a work. */
function busyHours(works: Works, laid: readonly WorkKind[]): ReadonlyMap<string, { kind: WorkKind; count: number }[]> {
  const busy = new Map<string, { kind: WorkKind; count: number }[]>()
  for (const kind of laid) {
    const own = works?.hours.filter((one) => one.kind === kind) ?? []
    const mean = own.reduce((sum, one) => sum + one.count, 0) / Math.max(1, own.length)
    for (const { weekday, hour, count } of own) {
      if (count < mean) continue
      const key = `${weekday}/${hour}`
      busy.set(key, [...(busy.get(key) ?? []), { kind, count }])
    }
  }
  return busy
}

const withWorks = (title: string, works: { kind: WorkKind; count: number }[] | undefined) => ({
  title: [title, ...(works ?? []).map((one) => `${workKinds[one.kind]} ${one.count} 次`)].join('，'),
  marks: (works ?? []).map((one) => signs[one.kind]),
})

function worksWords(works: Works, laid: readonly WorkKind[]): string {
  const said = laid.map((kind) => {
    const count = works?.hours.reduce((sum, one) => (one.kind === kind ? sum + one.count : sum), 0) ?? 0
    return `${workKinds[kind]} ${count} 次`
  })
  return said.length > 0 ? said.join('，') : '没有选择叠加的作业'
}

function roseWords(analysis: Pick<Analysis, 'rose'>): string {
  const worst = [...analysis.rose].filter((one) => one.n >= leastHours).sort((a, b) => b.pm10 - a.pm10)[0]
  return worst ? `${directionName(worst.direction)}风时 PM10 最高，${worst.pm10.toFixed(0)} μg/m³` : ''
}

/** The main finding in one sentence: when dust is highest, with which wind, and compared with the district. */
export function sentenceOf(analysis: Analysis): string {
  const worst = analysis.byHour.filter((one) => one.pm10 !== null).sort((a, b) => (b.pm10 ?? 0) - (a.pm10 ?? 0))[0]
  if (!worst) return analysis.coverage === 0 ? '本期没有数据' : '本期没有有效小时'
  const wind = roseWords(analysis)
  const delta = analysis.district === null ? '' : `，比区域站高 ${((worst.pm10 ?? 0) - analysis.district).toFixed(0)} μg/m³`
  const over = analysis.overHours.filter((one) => one.hours > 0).map((one) => `${metricNames[one.metric]} ${one.hours} 小时`)
  return `${weekdays[worst.weekday]} ${worst.hour} 时 PM10 最高，平均 ${worst.pm10?.toFixed(0)} μg/m³${delta}${wind ? `；${wind}` : ''}；${over.length > 0 ? `超标 ${over.join('、')}` : '没有超标小时'}`
}

function figuresOf(analysis: Analysis, then: Analysis | undefined, words: string | undefined) {
  const [own] = analysis.devices
  const [old] = then?.devices ?? []
  const against = changeWords(words)
  return [
    {
      label: 'PM10 均值',
      value: measure(own?.pm10Mean, 1),
      unit: 'μg/m³',
      remark: `有效小时的平均${against(own?.pm10Mean, old?.pm10Mean)}`,
    },
    {
      label: '与区域站差',
      value: measure(own?.deltaToDistrict, 1),
      unit: 'μg/m³',
      remark: analysis.district === null ? '档案未填区域站浓度' : `区域站 ${analysis.district}`,
    },
    {
      label: '超标小时',
      value: own?.overHours,
      unit: '时',
      remark: `任一指标小时均值超限${against(own?.overHours, old?.overHours)}`,
      tone: own && own.overHours > 0 ? ('danger' as const) : undefined,
    },
    {
      label: '夜间噪声超标',
      value: own?.nightNoiseHours,
      unit: '时',
      remark: `22 至 6 时超过 55 dB，许可期内另有 ${own?.nightPermitHours ?? 0} 时${against(own?.nightNoiseHours, old?.nightNoiseHours)}`,
    },
  ]
}
