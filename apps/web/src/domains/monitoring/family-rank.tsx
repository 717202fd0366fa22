import { leastCoverage } from '@zhugong/contract/telemetry/analysis'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'
import { Chart, ChartBones, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, type FigureProps, Tag } from '#kit/feedback.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { tooltipLines } from '#kit/tooltip.ts'
import { FamilyRecord } from './family-record.tsx'
import type { FamilyScope } from './family-scope.tsx'

interface Ranked {
  doubtful: boolean
  reason: string
  coverage: number
}

interface FamilyRankProps {
  scope: FamilyScope
  unit: string
  loading: boolean
  /** How many are ranked and how many are not, and where these are listed. */
  counts: { ranked: number; doubtful: number } | undefined
  path: string
  /** What this family looks at beside. */
  figures: readonly FigureProps[]
  /** Machines as points: what the axes are, and what it takes to be one of them. */
  chart: {
    title: string
    remark: string
    label: string
    option: ChartOption
    points: number
    hint: string
    onPoint: (index: number) => void
  }
  /** The table. */
  children: ReactNode
}

/** Whom to look at first among all machines of a family: only those whose data can be believed are ranked. */
export function FamilyRank({ scope, unit, loading, counts, path, figures, chart, children }: FamilyRankProps) {
  return (
    <FamilyRecord
      scope={scope}
      unit={unit}
      periods={['7', '30', '90']}
      loading={loading}
      figures={[
        { label: '参与排名', value: counts?.ranked, unit: '台', remark: `有效数据 ${leastCoverage} % 以上` },
        {
          label: '数据不足',
          value: counts?.doubtful,
          unit: '台',
          remark: '先查设备，不排名',
          tone: counts?.doubtful ? 'warning' : undefined,
          href: hrefOf(path, { doubtful: '1', period: scope.period.text }),
        },
        ...figures,
      ]}
      above={
        <Card title={chart.title} remark={chart.remark}>
          {loading ? (
            <ChartBones height={220} />
          ) : chart.points === 0 ? (
            <Empty small text={`没有可以比较的${unit}`} hint={chart.hint} />
          ) : (
            <Chart label={chart.label} height={220} option={chart.option} onClick={({ dataIndex }) => chart.onPoint(dataIndex)} />
          )}
        </Card>
      }
    >
      {children}
    </FamilyRecord>
  )
}

interface Target {
  projectCode: string
  deviceId: string
  /** The machine and why it stands where it stands. */
  subject: string
}

/** What a notice has room for. */
const longestSubject = 100

/** From a ranking the sites in question are asked: what the site did and when stands in the row. */
export function useRankNotice(projectCode: string, text: string) {
  const notices = useNotices(projectCode)
  const notice = useNoticeForm()
  const ask = (targets: readonly Target[]) =>
    notice.send({
      kind: 'supervise',
      hours: 72,
      text,
      targets: targets.map((one) => ({ ...one, subject: one.subject.slice(0, longestSubject) })),
    })
  return {
    form: notice.form,
    mark: (deviceId: string) => <NoticeMark notice={notices({ deviceId })} />,
    action: (target: Target) => notice.may && { label: '督办', onClick: () => ask([target]) },
    selection: <Row,>(unit: string, targetOf: (row: Row) => Target) =>
      notice.may ? { unit, actions: (rows: readonly Row[]) => <Button onClick={() => ask(rows.map(targetOf))}>督办</Button> } : undefined,
  }
}

interface RankedMachine extends Ranked {
  projectCode: string
  deviceId: string
  deviceName: string
}

/** What the machines of a ranking lead to, and what their sites are asked. */
export function useRankedRows<Row extends RankedMachine>(scope: FamilyScope, paths: { analysis: string; alarm: string }) {
  const go = useGo()
  const asked = useRankNotice(scope.projectCode, '请对照排名所列原因检查设备与司机操作，落实整改后答复。')
  const open = ({ deviceId }: Pick<Row, 'deviceId'>) => go(paths.analysis, { deviceId, period: scope.period.text })
  const targetOf = ({ projectCode, deviceId, deviceName, reason }: Row) => ({ projectCode, deviceId, subject: `${deviceName} ${reason}` })
  return {
    open,
    form: asked.form,
    mark: asked.mark,
    /** What their table is told. */
    table: {
      rowKey: 'deviceId' as const,
      unit: '台',
      onRow: open,
      filterWords: doubtWords,
      actions: (row: Row) => [
        { label: '分析', href: hrefOf(paths.analysis, { deviceId: row.deviceId, period: scope.period.text }) },
        { label: '告警', href: hrefOf(paths.alarm, { tab: 'all', deviceName: row.deviceName }) },
        asked.action(targetOf(row)),
      ],
      selection: asked.selection('台', targetOf),
    },
  }
}

/** Columns every ranking has. */
export const reasonCell = (row: Ranked) => (row.doubtful ? <Tag tone="warning">{row.reason}</Tag> : row.reason)
export const coverageCell = (row: Ranked) => <span className={row.doubtful ? 'tone-warning' : ''}>{row.coverage.toFixed(1)}</span>
const doubtWords = { doubtful: { title: '数据', words: { '1': '数据不足', '0': '可排名' } } }

export interface RankPoint {
  name: string
  x: number | null
  y: number | null
  isGrave: boolean
  size: number
  /** Lines of its tooltip, under its name. */
  said: readonly string[]
}
/** Above so many names nobody reads any. */
const mostNames = 30
/** Names pushed apart keep some air: only what has a ground is measured with its padding. */
const named = { position: 'right' as const, color: colors.text2, backgroundColor: 'transparent', padding: [3, 4] }

export function rankScatter(points: readonly RankPoint[], axes: { x: string; y: string }): ChartOption {
  return {
    animation: false,
    grid: { left: 48, right: 24, top: 24, bottom: 34 },
    tooltip: {
      trigger: 'item',
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const point = points[dataIndex]
        return point ? tooltipLines(point.name, ...point.said) : ''
      },
    },
    xAxis: { type: 'value', name: axes.x, nameLocation: 'middle', nameGap: 22 },
    yAxis: { type: 'value', name: axes.y },
    series: [
      {
        type: 'scatter',
        data: points.map((one) => ({
          value: [one.x, one.y],
          symbolSize: one.size,
          itemStyle: { color: one.isGrave ? colors.danger : colors.primary, opacity: 0.75 },
          label: { ...named, show: points.length <= mostNames, formatter: one.name },
        })),
        labelLayout: { moveOverlap: 'shiftY', hideOverlap: true },
      },
    ],
  }
}
