import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { liftRankList, liftRanks } from '@zhugong/contract/monitoring/lift-lists'
import { leastCoverage, leastCycles } from '@zhugong/contract/telemetry/analysis'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { ExpiryWords } from './expiry.tsx'

type Rank = OutputFor<typeof liftRanks>['list'][number]
const dueSoonDays = 30

/** Which lift, and whose, is to be inspected first? */
export default function LiftRankPage() {
  const scope = useFamilyScope({ family: 'lifter', usual: '30' })
  const go = useGo()
  const list = useListPage(liftRankList, { scope: scope.query, own: scope.own, inUrl: true, defaultSort: '-doorOpenPer1000' })
  const all = useCall(liftRanks, { query: { ...scope.query, size: 1000 } }, { quiet: true, keepPrevious: true })
  const ranked = useMemo(() => (all.data?.list ?? []).filter((one) => !one.doubtful && one.runs >= leastCycles), [all.data])
  const option = useMemo(() => scatter(ranked), [ranked])
  const open = (row: Pick<Rank, 'deviceId'>) => go('/equipment/analyze', { deviceId: row.deviceId, period: scope.period.text })
  const due = all.data?.list.filter((one) => one.expiryDays === null || one.expiryDays <= dueSoonDays).length
  const grave = all.data?.list.filter((one) => one.doorOpenRuns > 0).length
  const columns: ColumnOf<typeof liftRankList>[] = [
    ...(scope.projectCode === '*'
      ? [{ key: 'projectName' as const, width: 168, filter: 'text' as const, value: (r: Rank) => r.projectName }]
      : []),
    { key: 'deviceName', width: 132, locked: true, filter: 'text', value: (r) => r.deviceName },
    { key: 'reason', width: 300, locked: true, wrap: true, value: (r) => (r.doubtful ? <Tag tone="warning">{r.reason}</Tag> : r.reason) },
    { key: 'runs', width: 84, align: 'right', value: (r) => thousands(r.runs) },
    {
      key: 'doorOpenPer1000',
      width: 136,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => measure(r.doorOpenPer1000, 1),
    },
    { key: 'overPer1000', width: 116, align: 'right', sort: true, filter: 'numeric-range', value: (r) => measure(r.overPer1000, 1) },
    { key: 'noDriverPercent', width: 128, align: 'right', sort: true, value: (r) => measure(r.noDriverPercent, 1) },
    { key: 'handledHours', width: 148, align: 'right', sort: true, weak: true, value: (r) => measure(r.handledHours, 1) },
    { key: 'onlinePercent', width: 104, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.onlinePercent.toFixed(1) },
    {
      key: 'coverage',
      width: 116,
      align: 'right',
      sort: true,
      value: (r) => <span className={r.doubtful ? 'tone-warning' : ''}>{r.coverage.toFixed(1)}</span>,
    },
    { key: 'safetyDeviceExpiry', width: 168, value: (r) => <ExpiryWords date={r.safetyDeviceExpiry} days={r.expiryDays} /> },
    { key: 'expiryDays', width: 92, align: 'right', sort: true, filter: 'numeric-range', hidden: true, value: (r) => r.expiryDays },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="升降机"
      periods={['7', '30', '90']}
      loading={all.isPending}
      figures={[
        { label: '参与排名', value: all.data?.ranked, unit: '台', remark: `有效数据 ${leastCoverage} % 以上` },
        {
          label: '数据不足',
          value: all.data?.doubtful,
          unit: '台',
          remark: '先查设备，不排名',
          tone: all.data?.doubtful ? 'warning' : undefined,
          href: hrefOf('/equipment/analyze_2', { doubtful: '1', period: scope.period.text }),
        },
        { label: '有开门运行', value: grave, unit: '台', remark: scope.words, tone: grave ? 'danger' : undefined },
        { label: '防坠器该标定', value: due, unit: '台', remark: `${dueSoonDays} 日内、已过期或未填`, tone: due ? 'warning' : undefined },
      ]}
      above={
        <Card title="运行量与违章" remark={`每点一台：横为运行次数，纵为每千次超员与开门运行；数据不足与不满 ${leastCycles} 次的不画`}>
          {ranked.length === 0 ? (
            <Empty small text="没有可以比较的升降机" hint={`需要有效数据 ${leastCoverage} % 以上且满 ${leastCycles} 次运行`} />
          ) : (
            <Chart
              label={`${ranked.length} 台升降机的运行次数与每千次违章`}
              height={220}
              option={option}
              onClick={({ dataIndex }) => {
                const row = ranked[dataIndex]
                if (row) open(row)
              }}
            />
          )}
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="deviceId"
        unit="台"
        onRow={open}
        filterWords={{ doubtful: { title: '数据', words: { '1': '数据不足', '0': '可排名' } } }}
        emptyHint="范围内没有在用的升降机"
        actions={(row) => [
          { label: '分析', href: hrefOf('/equipment/analyze', { deviceId: row.deviceId, period: scope.period.text }) },
          { label: '告警', href: hrefOf('/equipment/warn', { tab: 'all', deviceName: row.deviceName }) },
        ]}
      />
    </FamilyRecord>
  )
}

const wrongOf = (row: Rank) => Number(((row.overPer1000 ?? 0) + (row.doorOpenPer1000 ?? 0)).toFixed(1))

function scatter(rows: readonly Rank[]): ChartOption {
  return {
    animation: false,
    grid: { left: 48, right: 24, top: 24, bottom: 34 },
    tooltip: {
      trigger: 'item',
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const row = rows[dataIndex]
        return row ? `${row.deviceName}<br/>运行 ${row.runs} 次<br/>超员 ${row.overPersonRuns}，开门运行 ${row.doorOpenRuns}` : ''
      },
    },
    xAxis: { type: 'value', name: '运行次数', nameLocation: 'middle', nameGap: 22 },
    yAxis: { type: 'value', name: '每千次违章' },
    series: [
      {
        type: 'scatter',
        symbolSize: 14,
        data: rows.map((one) => ({
          value: [one.runs, wrongOf(one)],
          itemStyle: { color: one.doorOpenRuns > 0 ? colors.danger : colors.primary, opacity: 0.75 },
          label: { show: rows.length <= 30, formatter: one.deviceName, position: 'right', color: colors.text2 },
        })),
      },
    ],
  }
}
