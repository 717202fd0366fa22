import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { exportKeys } from '@zhugong/contract/kit/list'
import { liftAnalysis, liftDayList } from '@zhugong/contract/monitoring/lift/lift-lists'
import { colors } from '#kit/colors.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useGo } from '#kit/page.tsx'
import { besides, changeWords, columnsOption } from '../analysis-charts.ts'
import { nobody } from '../cycles/columns.tsx'
import { TenthsCard } from '../cycles/tenths-card.tsx'
import { ChartCard, FamilyAnalysis, useAnalyses } from '../family-analysis.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { MonthReport } from '../month-report.tsx'
import { FloorBoard } from './floor-board.tsx'
import { sentenceOf } from './rush.ts'

type Analysis = OutputFor<typeof liftAnalysis>

/** Load of a lift over a period, by time of day, floor and driver. */
export default function LiftAnalysisPage() {
  const scope = useFamilyScope({ family: 'lifter', usual: '30', one: true })
  const { analysis, beside, compared: then } = useAnalyses(liftAnalysis, scope)
  const go = useGo()
  const runs = (more: Record<string, string | undefined>) =>
    go('/equipment/handling', { deviceId: scope.deviceId, period: scope.period.text, ...more })
  return (
    <FamilyAnalysis
      scope={scope}
      unit="升降机"
      shown={analysis}
      sentence={sentenceOf}
      figures={(one) => figuresOf(one, then, beside?.words)}
      file={{
        feature: liftDayList.feature ?? '',
        title: '多机监测记录',
        query: { ...scope.query, groupBy: 'day' },
        columns: exportKeys(liftDayList),
        total: analysis.data?.days.length ?? 0,
        export: 'lifter.export',
      }}
      actions={
        <MonthReport
          scope={scope}
          family="lifter"
          code="lifter.export"
          unit="升降机"
          counts="按日与司机统计运行、超员、超载、开门运行、违章与故障"
        />
      }
    >
      {(one) => (
        <>
          <ChartCard
            wide
            title="一天中的运行与满载"
            definition={`每 15 分钟的运行次数，全部日子相加；线为满载率：人数或载重达到 90 % 的运行占比${beside ? `，虚线为${beside.words}` : ''}`}
            label={sentenceOf(one)}
            empty={one.quarters.length === 0 ? '这段时间没有运行' : undefined}
            option={columnsOption({
              names: one.quarters.map((quarter) => quarter.from),
              unit: '次',
              rightUnit: '%',
              series: [
                { name: '运行', values: one.quarters.map((quarter) => quarter.runs), color: colors.primary },
                ...besides(
                  then,
                  beside && `运行 ${beside.words}`,
                  (then) => one.quarters.map((quarter) => then.quarters.find((old) => old.from === quarter.from)?.runs ?? null),
                  'line',
                ),
                {
                  name: '满载率',
                  values: one.quarters.map((quarter) => quarter.fullPercent),
                  line: true,
                  right: true,
                  color: colors.orange,
                },
              ],
            })}
            table={{
              head: ['时段', '运行', '载人次', '满载次', '满载率 %', '超员次'],
              rows: one.quarters.map((quarter) => [
                quarter.from,
                quarter.runs,
                quarter.persons,
                quarter.full,
                quarter.fullPercent,
                quarter.overs,
              ]),
            }}
            onPick={(row) => {
              const hour = one.quarters[row]?.from.slice(0, 2)
              if (hour) runs({ hour: `${Number(hour)},${Number(hour)}` })
            }}
          />
          <Card title="楼层之间" remark="从哪一层到哪一层，颜色越深次数越多；点开看运行">
            {one.floors.length === 0 ? (
              <Empty small text="这段时间没有带楼层的运行" />
            ) : (
              <FloorBoard
                pairs={one.floors}
                onPick={(from, to) => runs({ startFloor: `${from.from},${from.to}`, endFloor: `${to.from},${to.to}` })}
              />
            )}
          </Card>
          <TenthsCard
            title="载重分布"
            definition="每次运行的最大载重百分比，每 10 % 一档；人数为估算，载重以传感器为准"
            name="运行"
            unit="次"
            of="载重"
            empty="这段时间没有运行"
            tenths={one.loads.map(({ from, runs: count }) => ({ from, count }))}
            then={then?.loads.map(({ from, runs: count }) => ({ from, count }))}
            beside={beside?.words}
            onPick={(maxLoadPercent) => runs({ maxLoadPercent })}
          />
          <ChartCard
            wide
            title="每日运行与违章"
            definition="柱为运行，线为超员与开门运行；没有上报的日子留空"
            label={`每日运行，共 ${one.figures.runs} 次`}
            option={columnsOption({
              names: one.days.map((day) => day.day.slice(5)),
              unit: '次',
              rightUnit: '次',
              series: [
                {
                  name: '运行',
                  values: one.days.map((day) => (day.coverage === 0 && day.runs === 0 ? null : day.runs)),
                  color: colors.primary,
                },
                { name: '超员', values: one.days.map((day) => day.overPersonRuns), line: true, right: true, color: colors.orange },
                { name: '开门运行', values: one.days.map((day) => day.doorOpenRuns), line: true, right: true, color: colors.danger },
              ],
            })}
            table={{
              head: ['日期', '运行', '载人次', '超员', '开门运行', '告警', '最大风速 m/s', '有效数据 %'],
              rows: one.days.map((day) => [
                day.day,
                day.runs,
                day.persons,
                day.overPersonRuns,
                day.doorOpenRuns,
                day.alarms,
                day.maxWindSpeed,
                day.coverage,
              ]),
            }}
            onPick={(row) => {
              const date = one.days[row]?.day
              if (date) runs({ period: `${date},${date}` })
            }}
          />
          {one.illegalBy.length > 0 && (
            <ChartCard
              wide
              title="违章的司机"
              definition="超员、超载、开门运行与人工标记，按识别到的司机；没有识别的单列"
              label={`${one.illegalBy[0]?.name ?? ''} 违章最多`}
              option={columnsOption({
                names: one.illegalBy.map((each) => each.name),
                unit: '次',
                series: [
                  { name: '超员', values: one.illegalBy.map((each) => each.overPersonRuns), stack: 'driver', color: colors.orange },
                  { name: '开门运行', values: one.illegalBy.map((each) => each.doorOpenRuns), stack: 'driver', color: colors.danger },
                  {
                    name: '其他与人工标记',
                    values: one.illegalBy.map((each) => Math.max(0, each.illegal - each.overPersonRuns - each.doorOpenRuns)),
                    stack: 'driver',
                    color: colors.primary,
                  },
                ],
              })}
              table={{
                head: ['司机', '运行', '超员', '开门运行', '违章合计'],
                rows: one.illegalBy.map((each) => [each.name, each.runs, each.overPersonRuns, each.doorOpenRuns, each.illegal]),
              }}
              onPick={(row) => runs({ driverName: one.illegalBy[row]?.name === nobody ? undefined : one.illegalBy[row]?.name })}
            />
          )}
        </>
      )}
    </FamilyAnalysis>
  )
}

function figuresOf(analysis: Analysis, then: Analysis | undefined, words: string | undefined) {
  const { figures } = analysis
  const against = changeWords(words)
  return [
    {
      label: '运行',
      value: thousands(figures.runs),
      unit: '次',
      remark: `运行 ${figures.hours} 小时${against(figures.runs, then?.figures.runs)}`,
    },
    {
      label: '载人次',
      value: thousands(figures.persons),
      unit: '人次',
      remark: `每次 ${measure(figures.runs > 0 ? figures.persons / figures.runs : null, 1)} 人，估算${against(figures.persons, then?.figures.persons)}`,
    },
    {
      label: '超员超载',
      value: figures.overPersonRuns + figures.overLoadRuns,
      unit: '次',
      remark: `超员 ${figures.overPersonRuns}，超载 ${figures.overLoadRuns}`,
      tone: figures.overPersonRuns + figures.overLoadRuns > 0 ? ('warning' as const) : undefined,
    },
    {
      label: '开门运行',
      value: figures.doorOpenRuns,
      unit: '次',
      remark: `大风停用 ${figures.windStopMinutes} 分`,
      tone: figures.doorOpenRuns > 0 ? ('danger' as const) : undefined,
    },
  ]
}
