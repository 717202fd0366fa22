import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { findSettlements, settlementList } from '@zhugong/contract/monitoring/meter/meter-lists'
import { Segmented } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Known, Tag } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { branchesOf, lossWords, suspectLossPercent } from './meter-state.ts'
import { MonthClosing } from './month-closing.tsx'
import { SiteIntensityPage } from './site-intensity.tsx'

type Row = OutputFor<typeof findSettlements>['list'][number]
const water = 'water'
const unnamed = '未分区'
const mostRows = 1_000

/** Who used how much this month, and how much is lost? */
export default function SettlementPage() {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const many = useProjectCode() === '*'
  const bySite = many && query.get('compare') !== null
  const kind = query.get('by') === water ? water : 'electric'
  const switcher = many && (
    <Segmented
      aria-label="对比"
      value={bySite ? 'site' : 'meter'}
      options={[
        { value: 'meter', label: '按表计' },
        { value: 'site', label: '按项目' },
      ]}
      onChange={(value) =>
        go(page.path, { by: kind === water ? water : undefined, compare: value === 'site' ? '1' : undefined }, { replace: true })
      }
    />
  )
  return bySite ? <SiteIntensityPage kind={kind} switcher={switcher} /> : <ByMeter switcher={switcher} />
}

function ByMeter({ switcher }: { switcher: ReactNode }) {
  const isWater = usePageQuery().get('by') === water
  const kind = isWater ? ('water' as const) : ('electric' as const)
  const scope = useFamilyScope({ family: isWater ? 'waterMeter' : 'electricMeter', usual: '30' })
  const go = useGo()
  const unit = isWater ? 'm³' : 'kWh'
  const fixed = { ...scope.query, kind, groupBy: 'meter,month' as const }
  const list = useListPage(settlementList, { scope: fixed, own: scope.own })
  const all = useCall(findSettlements, { query: { ...fixed, size: mostRows } }, { quiet: true, keepPrevious: true })
  const months = useMemo(() => byMonth(all.data?.list ?? []), [all.data])
  const newest = months.at(-1)
  const over = (all.data?.list ?? []).filter((one) => (one.quotaPercent ?? 0) > 100).length
  const columns: ColumnOf<typeof settlementList>[] = [
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 176, value: (r: Row) => r.projectName }] : []),
    { key: 'area', width: 108, filter: 'text', value: (r) => r.area ?? unnamed },
    { key: 'corpName', width: 160, filter: 'text', weak: true, value: (r) => r.corpName },
    { key: 'deviceName', width: 140, locked: true, filter: 'text', value: (r) => r.deviceName },
    { key: 'month', width: 92, sort: true, value: (r) => r.month },
    { key: 'startReading', width: 108, align: 'right', value: (r) => measure(r.startReading, 2) },
    { key: 'endReading', width: 108, align: 'right', value: (r) => measure(r.endReading, 2) },
    { key: 'ratio', width: 76, align: 'right', value: (r) => `× ${r.ratio}` },
    { key: 'usage', width: 116, align: 'right', locked: true, sort: true, filter: 'numeric-range', value: (r) => thousands(r.usage, 1) },
    { key: 'quota', width: 108, align: 'right', weak: true, value: (r) => (r.quota === null ? null : thousands(r.quota)) },
    {
      key: 'quotaPercent',
      width: 124,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) =>
        r.quotaPercent === null ? null : (
          <span className={r.quotaPercent > 100 ? 'tone-danger' : r.quotaPercent > 90 ? 'tone-warning' : ''}>
            {r.quotaPercent.toFixed(1)}
          </span>
        ),
    },
    { key: 'amount', width: 116, align: 'right', weak: true, value: (r) => (r.amount === null ? null : thousands(r.amount, 2)) },
    { key: 'locked', width: 92, value: (r) => (r.locked ? <Tag tone="neutral">已月结</Tag> : null) },
    { key: 'rollbacks', width: 108, align: 'right', value: (r) => (r.rollbacks > 0 ? <Tag tone="warning">{r.rollbacks} 次</Tag> : null) },
    { key: 'manualReads', width: 92, align: 'right', hidden: true, value: (r) => (r.manualReads ? `${r.manualReads} 次` : null) },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit={isWater ? '水表' : '电表'}
      periods={['30', '90']}
      loading={!all.data}
      figures={[
        {
          label: newest ? `${newest.month} 总用量` : '总用量',
          value: thousands(newest?.total, 1),
          unit,
          remark: '总表合计，无总表的计分表',
        },
        {
          label: '总表减分表',
          value: newest?.loss === undefined ? '--' : newest.loss.toFixed(1),
          unit: '%',
          remark: newest?.loss === undefined ? '没有总表与分表' : newest.loss < 0 ? lossWords(newest.loss) : `${newest.month}，含线路损耗`,
          tone: newest?.loss !== undefined && Math.abs(newest.loss) > suspectLossPercent ? 'danger' : undefined,
        },
        { label: '超定额', value: all.data ? over : undefined, unit: '表·月', tone: over > 0 ? 'warning' : undefined },
        { label: '表计', value: scope.devices.length, unit: '块' },
      ]}
      titleActions={
        <>
          <Segmented
            aria-label="水电"
            value={kind}
            options={[
              { value: 'electric', label: '用电' },
              { value: water, label: '用水' },
            ]}
            onChange={(value) => scope.put({ by: value === water ? water : undefined, deviceId: undefined })}
          />
          {switcher}
        </>
      }
      above={
        <>
          {scope.projectCode !== '*' && <MonthClosing projectCode={scope.projectCode} kind={kind} />}
          <Card title="各区用量" remark={`每月，${unit}；各区为分表合计`}>
            {months.length === 0 ? (
              <Known of={all}>
                <Empty small text="这段时间没有读数" />
              </Known>
            ) : (
              <Chart
                height={180}
                label={`各区每月${isWater ? '用水' : '用电'}量，${months.map((one) => one.month).join('、')}`}
                option={columnsOption({
                  names: months.map((one) => one.month),
                  unit,
                  series: areasOf(months).map((area) => ({
                    name: area,
                    stack: 'area',
                    values: months.map((one) => one.areas.get(area) ?? null),
                  })),
                })}
              />
            )}
          </Card>
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={(row) => `${row.deviceId}${row.month}`}
        unit="行"
        emptyHint="范围内的表计在这段时间没有读数"
        onRow={(row) =>
          go(isWater ? '/waterMeter' : '/electric/record', { deviceId: row.deviceId, ...(isWater ? {} : { by: 'day', period: '30' }) })
        }
        actions={(row) => [
          isWater
            ? { label: '实时', href: hrefOf('/waterMeter', { deviceId: row.deviceId }) }
            : { label: '逐日', href: hrefOf('/electric/record', { deviceId: row.deviceId, by: 'day', period: '30' }) },
        ]}
      />
    </FamilyRecord>
  )
}

interface Month {
  month: string
  total: number
  loss: number | undefined
  areas: Map<string, number>
}

/** Totals of a month: main meters are added, submeters are grouped by area. */
function byMonth(rows: readonly Row[]): Month[] {
  return [...Map.groupBy(rows, (one) => one.month)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, own]) => {
      const branches = branchesOf(own)
      const total = branches.reduce((sum, { meter }) => sum + meter.usage, 0)
      const mains = branches.filter(({ below }) => below.length > 0)
      const through = mains.reduce((sum, { meter }) => sum + meter.usage, 0)
      const counted = mains.reduce((sum, { below }) => sum + below.reduce((all, one) => all + one.usage, 0), 0)
      const areas = new Map<string, number>()
      for (const one of branches.flatMap(({ meter, below }) => (below.length > 0 ? below : [meter])))
        areas.set(one.area ?? unnamed, (areas.get(one.area ?? unnamed) ?? 0) + one.usage)
      return { month, total, loss: through > 0 ? ((through - counted) / through) * 100 : undefined, areas }
    })
}

const areasOf = (months: readonly Month[]): string[] => [...new Set(months.flatMap((one) => [...one.areas.keys()]))]
