import {
  type GovernmentStatsRow,
  governmentStatsList,
  governmentStatsTotals,
  listGovernmentStats,
  type RatioKey,
  ratios,
} from '@zhugong/contract/labour/tables'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type CallState, useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, FigureStrip, Known } from '#kit/feedback.tsx'
import { month, thousands } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ratioColumns, Share } from './stats-cells.tsx'
import './labour.css'

const keys = ['realName', 'keyPost', 'contract', 'training', 'cert', 'attend'] as const satisfies readonly RatioKey[]
const mostBodies = 100

/** Areas of governments compared, and the activity of supervision itself. */
export default function GovernmentTablePage() {
  const go = useGo()
  const page = usePage()
  const requested = usePageQuery().get('month') ?? month(Date.now())
  const [drawn, setDrawn] = useState<(typeof keys)[number]>('realName')
  const scope = useMemo(() => ({ month: requested }), [requested])
  const totals = useCall(governmentStatsTotals, { query: scope }, { quiet: true, keepPrevious: true })
  const all = useCall(listGovernmentStats, { query: { ...scope, size: mostBodies } }, { quiet: true, keepPrevious: true })
  const list = useListPage(governmentStatsList, { scope, own: ['month'] })
  const bodies = all.data?.list ?? []
  const known = new Set(bodies.map((b) => b.govCode))
  const t = totals.data
  const columns: ColumnOf<typeof governmentStatsList>[] = [
    {
      key: 'name',
      width: 220,
      locked: true,
      sort: true,
      value: (b) => (
        <span className={b.parentGovCode && known.has(b.parentGovCode) ? 'lab-below' : undefined}>
          <Link to={hrefOf('/projectTable', { govCode: b.govCode, month: requested })}>{b.name}</Link>
        </span>
      ),
    },
    { key: 'areaName', width: 88, value: (b) => b.areaName },
    { key: 'projects', width: 96, align: 'right', sort: true, value: (b) => b.projects },
    { key: 'building', width: 76, align: 'right', value: (b) => b.building },
    { key: 'onSite', width: 96, align: 'right', sort: true, value: (b) => thousands(b.onSite) },
    ...ratioColumns<GovernmentStatsRow>(keys).map(({ filter: _none, ...c }) => ({ ...c, key: c.key as (typeof keys)[number] })),
    {
      key: 'alarms',
      width: 104,
      align: 'right',
      sort: true,
      value: (b) => (b.alarms ? <span className="tone-danger">{b.alarms}</span> : 0),
    },
    { key: 'alarmHours', width: 116, align: 'right', value: (b) => b.alarmHours },
    { key: 'blackListed', width: 96, align: 'right', value: (b) => b.blackListed },
    { key: 'fresh', width: 116, align: 'right', value: (b) => <Share cell={b.fresh} least={0.9} how="在建项目中 24 小时内有数据的" /> },
    { key: 'rank', width: 76, align: 'right', sort: true, value: (b) => b.rank ?? <span className="zg-2">--</span> },
  ]
  return (
    <ListShell
      remark="上级机构的数字中每个项目只计一次；监管项目少于 3 个的不排名"
      actions={
        <span className="zg-w-132">
          <MonthInput value={requested} max={month(Date.now())} onChange={(next) => go(page.path, { month: next }, { replace: true })} />
        </span>
      }
      strip={
        <FigureStrip
          loading={!totals.data}
          items={[
            { label: '监管项目', value: thousands(t?.rows), unit: '个', href: hrefOf('/projectTable', { month: requested }) },
            { label: '在册', value: thousands(t?.onSite), unit: '人' },
            {
              label: '未达标项目',
              value: thousands(t?.failing),
              unit: '个',
              tone: t?.failing ? 'warning' : undefined,
              href: hrefOf('/projectTable', { month: requested, prjStatus: projectStates.building, failing: '1,' }),
            },
            { label: '未处理预警', value: thousands(t?.sum.alarms), unit: '条', tone: t?.sum.alarms ? 'danger' : undefined },
          ]}
        />
      }
      above={
        <Card
          title="各机构比较"
          actions={<Segmented value={drawn} onChange={setDrawn} options={keys.map((key) => ({ value: key, label: ratios[key].name }))} />}
        >
          <Bodies
            requested={all}
            bodies={bodies.filter((b) => b.projects > 0)}
            drawn={drawn}
            onOpen={(govCode) => go('/projectTable', { govCode, month: requested })}
          />
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="govCode"
        unit="个"
        onRow={(b) => go('/projectTable', { govCode: b.govCode, month: requested })}
      />
    </ListShell>
  )
}

function Bodies({
  requested,
  bodies,
  drawn,
  onOpen,
}: {
  requested: CallState
  bodies: readonly GovernmentStatsRow[]
  drawn: RatioKey
  onOpen: (govCode: string) => void
}) {
  const rows = useMemo(() => [...bodies].reverse(), [bodies])
  const option = useMemo<ChartOption>(() => {
    const least = ratios[drawn].least ?? 0
    return {
      grid: { left: 8, right: 48, top: 8, bottom: 8, containLabel: true },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', max: 100, axisLabel: { formatter: '{value}%' } },
      yAxis: { type: 'category', data: rows.map((b) => b.name) },
      series: [
        {
          type: 'bar',
          name: ratios[drawn].name,
          barMaxWidth: 18,
          label: { show: true, position: 'right', formatter: '{c}%' },
          data: rows.map((b) => {
            const { part, whole } = b[drawn]
            const value = whole ? Math.round((part / whole) * 1000) / 10 : null
            return { value, itemStyle: { color: value !== null && value < least * 100 ? colors.danger : colors.primary } }
          }),
        },
      ],
    }
  }, [rows, drawn])
  if (rows.length === 0)
    return (
      <Known of={requested}>
        <Empty small text="没有监管项目" />
      </Known>
    )
  return (
    <Chart
      option={option}
      height={Math.max(120, rows.length * 30 + 30)}
      label={`各机构${ratios[drawn].name}`}
      onClick={({ dataIndex }) => {
        const body = rows[dataIndex]
        if (body) onOpen(body.govCode)
      }}
    />
  )
}
