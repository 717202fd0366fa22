import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { exportKeys } from '@zhugong/contract/kit/list'
import { helmetAnalysis, responseClasses } from '@zhugong/contract/monitoring/helmet/helmet-statistics'
import { helmetList } from '@zhugong/contract/monitoring/helmet/helmets'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { measure, span, thousands } from '#kit/format.ts'
import { useGo } from '#kit/page.tsx'
import { changeWords, columnsOption } from '../analysis-charts.ts'
import { ChartCard, FamilyAnalysis, useBeside } from '../family-analysis.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { sentenceOf } from './helmet-words.ts'

type Analysis = OutputFor<typeof helmetAnalysis>
/** Share of wearing, in percent, below which a team needs training. */
const wearingGoal = 90
/** Number of kinds drawn separately; the others are drawn together. */
const drawnKinds = 5

/** Analysis of helmets: wearing by team, and alarms. */
export default function HelmetAnalysisPage() {
  const whole = useFamilyScope({ family: 'smartHelmet', usual: '30' })
  // Teams are compared, not persons, so no single helmet can be selected or compared.
  const scope = { ...whole, devices: [], deviceId: undefined, deviceName: undefined }
  const beside = useBeside(scope)
  const go = useGo()
  const { projectCode, startTime, endTime } = scope.query
  const analysis = useCall(
    helmetAnalysis,
    { query: { projectCode, startTime, endTime: endTime || undefined } },
    { quiet: true, keepPrevious: true },
  )
  const other = useCall(
    helmetAnalysis,
    { query: { projectCode, startTime: beside?.query.startTime, endTime: beside?.query.endTime } },
    { quiet: true, keepPrevious: true, enabled: beside !== undefined },
  )
  const then = beside ? other.data : undefined
  const alarms = (alarmKey: string | undefined) => go('/helmet/alarm', { tab: 'all', alarmKey })
  return (
    <FamilyAnalysis
      scope={scope}
      unit="安全帽"
      shown={analysis}
      sentence={sentenceOf}
      figures={(one) => figuresOf(one, then, beside?.words)}
      file={{
        feature: helmetList.feature ?? '',
        title: '安全帽',
        query: { projectCode, category: '700' },
        columns: exportKeys(helmetList),
        total: analysis.data?.helmets ?? 0,
        export: 'helmet.export',
      }}
    >
      {(one) => (
        <>
          <ChartCard
            wide
            title="每日告警"
            definition="按种类堆叠，不含模拟；点开看告警"
            label={`每日告警，共 ${one.figures.alarms} 条`}
            empty={one.days.length === 0 ? '这段时间没有告警' : undefined}
            option={columnsOption({
              names: one.days.map((day) => day.day.slice(5)),
              unit: '条',
              series: kindsDrawn(one).map((kind, i) => ({
                name: kind.label,
                values: one.days.map((day) => kind.keys.reduce((sum, key) => sum + (day.byKey[key] ?? 0), 0)),
                stack: 'day',
                color: inkOf(kind.keys, i),
              })),
            })}
            table={{
              head: ['日期', '合计', ...kindsDrawn(one).map((kind) => kind.label)],
              rows: one.days.map((day) => [
                day.day,
                day.total,
                ...kindsDrawn(one).map((kind) => kind.keys.reduce((sum, key) => sum + (day.byKey[key] ?? 0), 0)),
              ]),
            }}
            onPick={() => alarms(undefined)}
          />
          <ChartCard
            title="班组佩戴率"
            definition={`工作时间（6 至 18 时）内有数据的时间里没有脱帽告警的占比；${wearingGoal} % 以下安排教育`}
            label={one.teams.map((team) => `${team.team} ${team.wearingPercent ?? '--'} %`).join('，')}
            empty={one.teams.every((team) => team.wearingPercent === null) ? '工作时间没有数据' : undefined}
            option={columnsOption({
              names: one.teams.map((team) => team.team),
              unit: '%',
              series: [{ name: '佩戴率', values: one.teams.map((team) => team.wearingPercent), color: colors.primary }],
              marks: [{ at: wearingGoal, text: `目标 ${wearingGoal} %`, tone: 'warning' }],
            })}
            table={{
              head: ['班组', '安全帽', '有数据小时', '佩戴率 %', '告警', '最差时段'],
              rows: one.teams.map((team) => [
                team.team,
                team.helmets,
                team.hours,
                team.wearingPercent,
                team.alarms,
                team.worstHour === null ? null : `${team.worstHour} 时`,
              ]),
            }}
          />
          <ChartCard
            title="一天中的佩戴"
            definition="各小时佩戴率，全部日子相加；柱为有数据的小时"
            label="一天中各小时的佩戴率"
            option={columnsOption({
              names: one.hours.map((hour) => `${hour.hour} 时`),
              unit: '小时',
              rightUnit: '%',
              series: [
                { name: '有数据', values: one.hours.map((hour) => hour.onlineHours), color: colors.primaryLine },
                { name: '佩戴率', values: one.hours.map((hour) => hour.wearingPercent), line: true, right: true, color: colors.primary },
              ],
            })}
            table={{
              head: ['时段', '有数据小时', '佩戴率 %'],
              rows: one.hours.map((hour) => [`${hour.hour} 时`, hour.onlineHours, hour.wearingPercent]),
            }}
          />
          <ChartCard
            title="响应用时"
            definition="从告警到第一个人接单；不含离线与电量"
            label={`一分钟内接单 ${one.responses[0] ?? 0} 条`}
            option={columnsOption({
              names: responseNames,
              unit: '条',
              series: [{ name: '告警', values: one.responses, color: colors.primary }],
            })}
            table={{ head: ['用时', '告警'], rows: responseNames.map((name, i) => [name, one.responses[i] ?? 0]) }}
          />
          <ChartCard
            title="误报"
            definition="各种告警里被判为误报的；误报多的调整阈值"
            label={one.kinds.map((kind) => `${kind.label} ${kind.count} 条误报 ${kind.falseCount}`).join('，')}
            empty={one.kinds.length === 0 ? '这段时间没有告警' : undefined}
            option={columnsOption({
              names: one.kinds.map((kind) => kind.label),
              unit: '条',
              series: [
                { name: '属实或未判', values: one.kinds.map((kind) => kind.count - kind.falseCount), stack: 'kind', color: colors.primary },
                { name: '误报', values: one.kinds.map((kind) => kind.falseCount), stack: 'kind', color: colors.orange },
              ],
            })}
            table={{
              head: ['告警', '条数', '误报', '误报率 %', '平均响应'],
              rows: one.kinds.map((kind) => [
                kind.label,
                kind.count,
                kind.falseCount,
                Number(((kind.falseCount / Math.max(1, kind.count)) * 100).toFixed(1)),
                kind.averageResponseSeconds === null ? null : span(kind.averageResponseSeconds * 1000),
              ]),
            }}
            onPick={(row) => alarms(one.kinds[row]?.alarmKey)}
          />
        </>
      )}
    </FamilyAnalysis>
  )
}

/** Colours of series: the most serious kinds are red, and none is green. */
const graveInks: Readonly<Record<string, string>> = { sos: colors.danger, fall: colors.orange }
const inks = [colors.primary, colors.purple, colors.primarySoft, colors.amber, colors.primaryLine, colors.border]
const inkOf = (keys: readonly string[], place: number): string => graveInks[keys[0] ?? ''] ?? inks[place % inks.length] ?? colors.primary
const responseNames = [
  ...responseClasses.map((minutes, i) => (i === 0 ? `${minutes} 分内` : `${responseClasses[i - 1]}-${minutes} 分`)),
  '更久',
  '未接单',
]

/** The most frequent kinds, and the others together. */
function kindsDrawn(analysis: Analysis): { label: string; keys: string[] }[] {
  const rest = analysis.kinds.slice(drawnKinds).map((one) => one.alarmKey)
  return [
    ...analysis.kinds.slice(0, drawnKinds).map((one) => ({ label: one.label, keys: [one.alarmKey] })),
    ...(rest.length > 0 ? [{ label: '其他', keys: rest }] : []),
  ]
}

function figuresOf({ figures, helmets }: Analysis, then: Analysis | undefined, words: string | undefined) {
  const against = changeWords(words)
  return [
    {
      label: '告警',
      value: thousands(figures.alarms),
      unit: '条',
      remark: `${helmets} 顶安全帽${against(figures.alarms, then?.figures.alarms)}`,
    },
    {
      label: 'SOS 与跌落',
      value: figures.sos + figures.falls,
      unit: '次',
      remark: `SOS ${figures.sos}，跌落撞击 ${figures.falls}`,
      tone: figures.sos + figures.falls > 0 ? ('danger' as const) : undefined,
    },
    {
      label: '平均响应',
      value: figures.averageResponseSeconds === null ? '--' : span(figures.averageResponseSeconds * 1000),
      remark: '从告警到第一个人接单',
    },
    {
      label: '佩戴率',
      value: measure(figures.wearingPercent, 1),
      unit: '%',
      remark: `工作时间内有数据且没有脱帽${against(figures.wearingPercent, then?.figures.wearingPercent)}`,
      tone: (figures.wearingPercent ?? 100) < wearingGoal ? ('warning' as const) : undefined,
    },
  ]
}
