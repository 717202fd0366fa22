import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { exportKeys } from '@zhugong/contract/kit/list'
import { tiltDriftLimit, towerAnalysis, windMarks } from '@zhugong/contract/monitoring/crane/crane-analysis'
import { craneDayList } from '@zhugong/contract/monitoring/crane/crane-lists'
import { colors } from '#kit/colors.ts'
import { Notice } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useGo } from '#kit/page.tsx'
import { besides, calmest, changeWords, columnsOption } from '../analysis-charts.ts'
import { TenthsCard } from '../cycles/tenths-card.tsx'
import { ChartCard, FamilyAnalysis, useAnalyses } from '../family-analysis.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { MonthReport } from '../month-report.tsx'

type Analysis = OutputFor<typeof towerAnalysis>
/** Jacking needs this many calm hours in a row. */
const jackingHours = 4

const hourName = (hour: number) => `${hour} 时`

/** Use, loads, wind and tilt of a crane over a period. */
export default function CraneAnalysisPage() {
  const scope = useFamilyScope({ family: 'towerCrane', usual: '30', one: true })
  const { analysis, beside, compared: then } = useAnalyses(towerAnalysis, scope)
  const go = useGo()
  const lifts = (more: Record<string, string | undefined>) =>
    go('/tower/handling', { deviceId: scope.deviceId, period: scope.period.text, ...more })
  return (
    <FamilyAnalysis
      scope={scope}
      unit="塔机"
      shown={analysis}
      sentence={sentenceOf}
      figures={(one) => figuresOf(one, then, beside?.words)}
      file={{
        feature: craneDayList.feature ?? '',
        title: '多塔监测记录',
        query: { ...scope.query, groupBy: 'day' },
        columns: exportKeys(craneDayList),
        total: analysis.data?.days.length ?? 0,
        export: 'tower-crane.export',
      }}
      actions={
        <MonthReport
          scope={scope}
          family="towerCrane"
          code="tower-crane.export"
          unit="塔机"
          counts="按日、塔机与司机统计吊次、超力矩、违章、大风、空载倾角与故障"
        />
      }
    >
      {(one) => (
        <>
          <ChartCard
            wide
            title="每日吊次与告警"
            definition={`柱为吊次，线为告警；没有上报的日子留空${beside ? `，虚线为${beside.words}` : ''}`}
            label={`每日吊次，共 ${one.figures.cycles} 吊，告警 ${one.figures.alarms} 条`}
            option={columnsOption({
              names: one.days.map((day) => day.day.slice(5)),
              unit: '吊',
              rightUnit: '条',
              series: [
                {
                  name: '吊次',
                  values: one.days.map((day) => (day.coverage === 0 && day.cycles === 0 ? null : day.cycles)),
                  color: colors.primary,
                },
                ...besides(then, beside && `吊次 ${beside.words}`, (then) => one.days.map((_, i) => then.days[i]?.cycles ?? null), 'line'),
                {
                  name: '告警',
                  values: one.days.map((day) => (day.coverage === 0 && day.alarms === 0 ? null : day.alarms)),
                  line: true,
                  right: true,
                  color: colors.danger,
                },
              ],
            })}
            table={{
              head: ['日期', '吊次', '作业小时', '告警', '最大力矩 %', '最大风速 m/s', '有效数据 %'],
              rows: one.days.map((day) => [
                day.day,
                day.cycles,
                day.workHours,
                day.alarms,
                day.maxMomentPercent,
                day.maxWindSpeed,
                day.coverage,
              ]),
            }}
            onPick={(row) => {
              const day = one.days[row]?.day
              if (day) lifts({ period: `${day},${day}` })
            }}
          />
          <ChartCard
            title="一天中的利用"
            definition="各小时作业、待机、无数据的分钟，全部日子相加；检修时段不计"
            label={`利用率 ${measure(one.figures.utilisation, 1)} %`}
            option={columnsOption({
              names: one.hours.map((hour) => hourName(hour.hour)),
              unit: '分',
              series: [
                { name: '作业', values: one.hours.map((hour) => hour.working), stack: 'hour', color: colors.primary },
                { name: '待机', values: one.hours.map((hour) => hour.waiting), stack: 'hour', color: colors.primaryLine },
                { name: '无数据', values: one.hours.map((hour) => hour.off), stack: 'hour', color: colors.line },
              ],
            })}
            table={{
              head: ['时段', '吊次', '作业分', '待机分', '无数据分', '超力矩吊次'],
              rows: one.hours.map((hour) => [hourName(hour.hour), hour.cycles, hour.working, hour.waiting, hour.off, hour.overMoment]),
            }}
            onPick={() => lifts({})}
          />
          <TenthsCard
            title="载荷谱"
            definition="每一吊的最大力矩百分比，每 10 % 一档；90 % 起为重载"
            name="吊次"
            unit="吊"
            of="力矩"
            empty="这段时间没有吊装"
            tenths={one.spectrum.map(({ from, cycles }) => ({ from, count: cycles }))}
            then={then?.spectrum.map(({ from, cycles }) => ({ from, count: cycles }))}
            beside={beside?.words}
            onPick={(maxMomentPercent) => lifts({ maxMomentPercent })}
          />
          <ChartCard
            title="一天中的大风"
            definition={`最大风速超过 ${windMarks.watch} 和 ${windMarks.stop} m/s 的分钟（五分钟最大值），全部日子相加`}
            label={windWords(one)}
            option={columnsOption({
              names: one.hours.map((hour) => hourName(hour.hour)),
              unit: '分',
              series: [
                { name: `超过 ${windMarks.watch} m/s`, values: one.hours.map((hour) => hour.windWatch), color: colors.orange },
                { name: `超过 ${windMarks.stop} m/s`, values: one.hours.map((hour) => hour.windStop), color: colors.danger },
              ],
            })}
            table={{
              head: ['时段', `超过 ${windMarks.watch} m/s 分`, `超过 ${windMarks.stop} m/s 分`],
              rows: one.hours.map((hour) => [hourName(hour.hour), hour.windWatch, hour.windStop]),
            }}
          />
          <ChartCard
            title="空载倾角"
            definition="每周中位数；只取吊重接近 0 且风速小于 5 m/s 的五分钟值"
            label={`空载倾角 ${one.tilt.map((each) => each.median).join('、')} 度`}
            empty={one.tilt.length === 0 ? '没有空载且无风的读数' : undefined}
            option={columnsOption({
              names: one.tilt.map((each) => each.week.slice(5)),
              unit: '°',
              series: [{ name: '倾角中位数', values: one.tilt.map((each) => each.median), line: true, color: colors.primary }],
            })}
            table={{
              head: ['周（周一）', '倾角中位数 °', '五分钟值'],
              rows: one.tilt.map((each) => [each.week, each.median, each.samples]),
            }}
          />
          {driftOf(one) > tiltDriftLimit && (
            <div className="wide">
              <Notice tone="danger">
                空载倾角在本期移动 {driftOf(one).toFixed(2)}°，超过 {tiltDriftLimit}°：请检查基础与塔身垂直度
              </Notice>
            </div>
          )}
        </>
      )}
    </FamilyAnalysis>
  )
}

/** Change of the idle crane's tilt from the first week to the last, in degrees. */
export const driftOf = ({ tilt }: Pick<Analysis, 'tilt'>): number => Math.abs((tilt.at(-1)?.median ?? 0) - (tilt[0]?.median ?? 0))

const windWords = (analysis: Pick<Analysis, 'hours'>): string => {
  const calm = calmest(
    analysis.hours.map((one) => ({ hour: one.hour, value: one.windWatch })).filter((one) => one.hour >= 6 && one.hour < 18),
    jackingHours,
  )
  return calm ? `白天风最小为 ${calm.from} 至 ${calm.to} 时` : ''
}

/** The main finding in one sentence: when and by whom the rated moment was exceeded, the utilisation, and when wind is lowest. */
export function sentenceOf(analysis: Analysis): string {
  const { cycles, overMoment, utilisation } = analysis.figures
  if (cycles === 0) return analysis.coverage === 0 ? '本期没有数据' : '本期没有吊装'
  const when = analysis.hours.filter((one) => one.overMoment > 0).sort((a, b) => b.overMoment - a.overMoment)[0]
  const [who] = analysis.overBy
  const over =
    overMoment > 0
      ? `超力矩 ${overMoment} 吊${when ? `，最多在 ${when.hour} 至 ${when.hour + 1} 时` : ''}${who ? `，${who.name} ${who.cycles} 吊` : ''}`
      : '没有超力矩'
  return `本期 ${cycles} 吊，利用率 ${measure(utilisation, 1)} %；${over}；${windWords(analysis)}`
}

function figuresOf(analysis: Analysis, then: Analysis | undefined, words: string | undefined) {
  const { figures } = analysis
  const against = changeWords(words)
  return [
    {
      label: '吊次',
      value: thousands(figures.cycles),
      unit: '吊',
      remark: `作业 ${figures.workHours} 小时${against(figures.cycles, then?.figures.cycles)}`,
    },
    {
      label: '利用率',
      value: measure(figures.utilisation, 1),
      unit: '%',
      remark: `有负荷的时间 ÷ 有数据的时间${against(figures.utilisation, then?.figures.utilisation)}`,
    },
    {
      label: '超力矩吊次',
      value: thousands(figures.overMoment),
      unit: '吊',
      remark: `达到额定力矩 100 %${against(figures.overMoment, then?.figures.overMoment)}`,
      tone: figures.overMoment > 0 ? ('danger' as const) : undefined,
    },
    {
      label: '每百吊告警',
      value: measure(figures.alarmPer100, 1),
      unit: '次',
      remark: `不含离线与模拟（模拟 ${figures.simulated} 条、检修 ${figures.maintenanceHours} 小时不计）${against(figures.alarmPer100, then?.figures.alarmPer100)}`,
    },
  ]
}
