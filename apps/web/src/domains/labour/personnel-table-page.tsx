import {
  type Dimension,
  dimensions,
  type PersonnelStatsRow,
  personnelStatsList,
  personnelStatsTotals,
  ratios,
} from '@zhugong/contract/labour/tables'
import { Segmented } from 'antd'
import { useMemo } from 'react'
import { type CallState, useCall } from '#kit/call.ts'
import { Chart, ChartBones, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, FigureStrip, Known, Tag } from '#kit/feedback.tsx'
import { month, ratio, thousands } from '#kit/format.ts'
import { Choice, MonthInput } from '#kit/inputs.tsx'
import { queryOf, useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { seriesColors } from '#kit/theme.ts'
import { Share } from './stats-cells.tsx'
import './labour.css'

const options = Object.entries(dimensions).map(([value, label]) => ({ value: value as Dimension, label }))
/** Maximum number of groups in a chart. */
const drawnGroups = 10
const crossColours = [...seriesColors, colors.amber, colors.primarySoft, colors.warningDeep, colors.text2, colors.navText2]

/** Composition of the workforce and its changes. Figures only, no names. */
export default function PersonnelTablePage() {
  const go = useGo()
  const page = usePage()
  const query = usePageQuery()
  const dimension = (options.find((o) => o.value === query.get('dimension'))?.value ?? 'workType') as Dimension
  const second = options.find((o) => o.value === query.get('second'))?.value
  const requested = query.get('month') ?? month(Date.now())
  const scope = useProjectScope()
  const given = useMemo(
    () => ({ ...scope, month: requested, dimension, second: second || undefined }),
    [scope, requested, dimension, second],
  )
  const list = useListPage(personnelStatsList, { scope: given, own: ['month', 'dimension', 'second'] })
  const totals = useCall(personnelStatsTotals, { query: { ...scope, month: requested } }, { quiet: true, keepPrevious: true })
  const t = totals.data
  const turn = (next: Record<string, string | undefined>) =>
    go(page.path, { month: requested, dimension, second, ...next }, { replace: true })
  const columns: ColumnOf<typeof personnelStatsList>[] = [
    {
      key: 'name',
      width: 168,
      locked: true,
      sort: true,
      value: (r) => (
        <>
          {r.name}{' '}
          {r.care && (
            <Tag tone="warning" icon={false}>
              超龄或未满 18 岁
            </Tag>
          )}
        </>
      ),
    },
    { key: 'count', width: 88, align: 'right', sort: true, value: (r) => thousands(r.count) },
    { key: 'share', width: 88, align: 'right', value: (r) => ratio(r.share) },
    { key: 'male', width: 76, align: 'right', value: (r) => thousands(r.male) },
    { key: 'female', width: 76, align: 'right', value: (r) => thousands(r.female) },
    { key: 'averageAge', width: 88, align: 'right', value: (r) => r.averageAge },
    {
      key: 'contract',
      width: 116,
      align: 'right',
      value: (r) => <Share cell={r.contract} least={ratios.contract.least} how={ratios.contract.how} />,
    },
    {
      key: 'training',
      width: 116,
      align: 'right',
      value: (r) => <Share cell={r.training} least={ratios.training.least} how={ratios.training.how} />,
    },
    { key: 'cert', width: 116, align: 'right', value: (r) => <Share cell={r.cert} least={ratios.cert.least} how={ratios.cert.how} /> },
    { key: 'averageDays', width: 116, align: 'right', value: (r) => r.averageDays },
    {
      key: 'before',
      width: 104,
      align: 'right',
      value: (r) => {
        const change = r.count - (r.before ?? 0)
        return (
          <span>
            {thousands(r.before)}
            {change !== 0 && <small className={change > 0 ? 'tone-fine' : 'tone-danger'}> {change > 0 ? `+${change}` : change}</small>}
          </span>
        )
      },
    },
  ]
  const behind = (r: PersonnelStatsRow) => linkOf(dimension, r)
  return (
    <ListShell
      remark="不足 5 人的分组并入其他，项目内部除外"
      actions={
        <>
          <span className="zg-w-132">
            <MonthInput value={requested} max={month(Date.now())} onChange={(next) => turn({ month: next })} />
          </span>
          <Segmented
            value={dimension}
            options={options}
            onChange={(next) => turn({ dimension: next, second: next === second ? undefined : second })}
          />
          <span className="zg-w-150">
            <Choice
              aria-label="交叉维度"
              placeholder="交叉维度"
              value={second ?? null}
              options={options.filter((o) => o.value !== dimension)}
              onChange={(next) => turn({ second: next })}
            />
          </span>
        </>
      }
      strip={
        <FigureStrip
          loading={!totals.data}
          items={[
            {
              label: '在册',
              value: thousands(t?.count),
              unit: '人',
              remark:
                t?.before !== null && t ? `较上月 ${t.count - (t.before ?? 0) >= 0 ? '+' : ''}${t.count - (t.before ?? 0)}` : undefined,
            },
            { label: '工人 / 管理', value: t ? `${thousands(t.workers)} / ${thousands(t.managers)}` : '--' },
            { label: '平均年龄', value: t?.averageAge ?? '--', unit: '岁' },
            {
              label: '超龄',
              value: thousands(t?.overAge),
              unit: '人',
              tone: t?.overAge ? 'warning' : undefined,
              href: '/personList?stationed=1&missing=age',
            },
          ]}
        />
      }
      above={
        <Card title={second ? `${dimensions[dimension]} × ${dimensions[second]}` : `按${dimensions[dimension]}`}>
          {list.loading ? (
            <ChartBones height={heightOf(drawnGroups)} />
          ) : (
            <Groups requested={queryOf(list)} rows={list.rows} dimension={dimension} crossed={second !== undefined} />
          )}
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="key"
        unit="组"
        sums={t ? { name: '合计', count: thousands(t.count) } : undefined}
        actions={(r) => {
          const href = behind(r)
          return [href !== undefined && { label: '看人员', href }]
        }}
      />
    </ListShell>
  )
}

/** Link to the people of a group, if the list of people has a filter for exactly these. */
function linkOf(dimension: Dimension, r: PersonnelStatsRow): string | undefined {
  if (r.key === 'others' || r.key === '') return undefined
  if (dimension === 'workType')
    return hrefOf('/personList', { stationed: '1', ...(r.key === 'manager' ? { workRole: '10' } : { workType: r.key }) })
  if (dimension === 'gender') return hrefOf('/personList', { stationed: '1', gender: r.key })
  if (dimension === 'corp') return hrefOf('/personList', { stationed: '1', corpCode: r.key })
  return undefined
}

const heightOf = (groups: number) => Math.max(140, groups * 18 + 56)

/** Axis with absolute numbers: in a pyramid men have negative values, drawn to the left. */
const people = { type: 'value', minInterval: 1, axisLabel: { formatter: (n: number) => String(Math.abs(n)) } } as const

/** Charts: age and sex as a pyramid, two dimensions as stacked bars, others as bars of men and women. */
function Groups({
  requested,
  rows,
  dimension,
  crossed,
}: {
  requested: CallState
  rows: readonly PersonnelStatsRow[]
  dimension: Dimension
  crossed: boolean
}) {
  const option = useMemo<ChartOption>(() => {
    const shown = rows.slice(0, drawnGroups)
    const ordered = dimension === 'age' || dimension === 'stay' ? shown : [...shown].reverse()
    const common = {
      grid: { left: 8, right: 24, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0, type: 'scroll' },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      yAxis: { type: 'category', data: ordered.map((r) => r.name) },
    }
    if (crossed) {
      const parts = [...new Map(ordered.flatMap((r) => r.cells.map((c) => [c.key, c.name] as const)))].slice(0, crossColours.length)
      return {
        ...common,
        xAxis: people,
        series: parts.map(([key, name], i) => ({
          type: 'bar',
          stack: 'all',
          name,
          barMaxWidth: 14,
          itemStyle: { color: crossColours[i] },
          data: ordered.map((r) => r.cells.find((c) => c.key === key)?.count ?? 0),
        })),
      }
    }
    const pyramid = dimension === 'age'
    return {
      ...common,
      xAxis: people,
      series: [
        {
          type: 'bar',
          stack: 'all',
          name: '男',
          barMaxWidth: 14,
          itemStyle: { color: colors.primary },
          data: ordered.map((r) => (pyramid ? -r.male : r.male)),
        },
        { type: 'bar', stack: 'all', name: '女', barMaxWidth: 14, itemStyle: { color: colors.orange }, data: ordered.map((r) => r.female) },
      ],
    }
  }, [rows, dimension, crossed])
  if (rows.length === 0)
    return (
      <Known of={requested}>
        <Empty small text="该月没有在场人员" />
      </Known>
    )
  return <Chart option={option} height={heightOf(Math.min(rows.length, drawnGroups))} label={`${dimensions[dimension]}构成，男女人数`} />
}
