import { leastCoverage } from '@zhugong/contract/monitoring/analysis'
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
  /** How many machines are ranked and how many are not; `path` lists the latter. */
  counts: { ranked: number; doubtful: number } | undefined
  path: string
  /** Further figures of the family. */
  figures: readonly FigureProps[]
  /** Machines as points; `hint` says which machines are drawn. */
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

/** The ranking of a family's machines. Machines with too little data are listed but not ranked. */
export function FamilyRank({ scope, unit, loading, counts, path, figures, chart, children }: FamilyRankProps) {
  return (
    <FamilyRecord
      scope={scope}
      unit={unit}
      periods={['7', '30', '90']}
      loading={loading}
      figures={[
        { label: '参与排名', value: counts?.ranked, unit: '台', remark: `有效数据 ${leastCoverage} % 以上，断电时段不计` },
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
  /** The machine and the reason for its rank. */
  subject: string
}

/** Longest subject of a notice. */
const longestSubject = 100

/** Sends notices to the sites of ranked machines and shows the state of the notice in the row. */
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

/** Links, notices and common columns of a ranking. */
export function useRankedRows<Row extends RankedMachine>(scope: FamilyScope, paths: { analysis: string; alarm: string }) {
  const go = useGo()
  const requested = useRankNotice(scope.projectCode, '请对照排名所列原因检查设备与司机操作，落实整改后答复。')
  const open = (row: Row | undefined) => row && go(paths.analysis, { deviceId: row.deviceId, period: scope.period.text })
  const targetOf = ({ projectCode, deviceId, deviceName, reason }: Row) => ({ projectCode, deviceId, subject: `${deviceName} ${reason}` })
  return {
    open,
    form: requested.form,
    /** Columns that every ranking has. */
    columns: {
      reason: {
        key: 'reason',
        width: 300,
        locked: true,
        wrap: true,
        value: (row: Ranked) => (row.doubtful ? <Tag tone="warning">{row.reason}</Tag> : row.reason),
      },
      coverage: {
        key: 'coverage',
        width: 116,
        align: 'right',
        sort: true,
        value: (row: Ranked) => <span className={row.doubtful ? 'tone-warning' : ''}>{row.coverage.toFixed(1)}</span>,
      },
      notice: { key: 'notice', width: 116, value: (row: { deviceId: string }) => requested.mark(row.deviceId) },
    } as const,
    /** Properties of the table. */
    table: {
      rowKey: 'deviceId' as const,
      unit: '台',
      onRow: open,
      filterWords: doubtWords,
      actions: (row: Row) => [
        { label: '分析', href: hrefOf(paths.analysis, { deviceId: row.deviceId, period: scope.period.text }) },
        { label: '告警', href: hrefOf(paths.alarm, { tab: 'all', deviceName: row.deviceName }) },
        requested.action(targetOf(row)),
      ],
      selection: requested.selection('台', targetOf),
    },
  }
}

const doubtWords = { doubtful: { title: '数据', words: { '1': '数据不足', '0': '可排名' } } }

export interface RankPoint {
  name: string
  x: number | null
  y: number | null
  isGrave: boolean
  size: number
  /** Lines of the tooltip below the name. */
  said: readonly string[]
}

/** Names of machines in a chart, with their site if there are several. */
export const namesOf = (rows: readonly { projectCode: string; projectName: string; deviceName: string }[]): string[] => {
  const isMany = new Set(rows.map((one) => one.projectCode)).size > 1
  return rows.map((one) => (isMany ? `${one.projectName} ${one.deviceName}` : one.deviceName))
}
/** With more points than this, names are not shown. */
const mostNames = 30
/** ECharts includes the padding of a label in its size only if the label has a background. */
const named = { color: colors.text2, backgroundColor: 'transparent', padding: [3, 4] }

export function rankScatter(points: readonly RankPoint[], axes: { x: string; y: string }): ChartOption {
  const farthest = Math.max(0, ...points.map((one) => one.x ?? 0))
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
          label: {
            ...named,
            // To the right of a point near the edge, the name would be cut off.
            position: (one.x ?? 0) > farthest / 2 ? ('left' as const) : ('right' as const),
            show: points.length <= mostNames,
            formatter: one.name,
          },
        })),
        labelLayout: { moveOverlap: 'shiftY', hideOverlap: true },
      },
    ],
  }
}
