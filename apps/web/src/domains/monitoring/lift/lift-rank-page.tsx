import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { leastCoverage, leastCycles } from '@zhugong/contract/monitoring/analysis'
import { liftRankList, liftRanks } from '@zhugong/contract/monitoring/lift/lift-lists'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import type { ChartOption } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { deviceColumn, projectColumn, rankColumns } from '../cycles/columns.tsx'
import { FamilyRank, namesOf, rankScatter, useRankedRows } from '../family-rank.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { dueSoonDays, ExpiryWords } from './expiry.tsx'

type Rank = OutputFor<typeof liftRanks>['list'][number]

/** Lifts ranked by their violations over a period. */
export default function LiftRankPage() {
  const scope = useFamilyScope({ family: 'lifter', usual: '30' })
  const list = useListPage(liftRankList, { scope: scope.query, own: scope.own, inUrl: true, defaultSort: '-doorOpenPer1000' })
  const all = useCall(liftRanks, { query: { ...scope.query, size: 1000 } }, { quiet: true, keepPrevious: true })
  const ranked = useMemo(() => (all.data?.list ?? []).filter((one) => !one.doubtful && one.runs >= leastCycles), [all.data])
  const option = useMemo(() => scatter(ranked), [ranked])
  const due = all.data?.list.filter((one) => one.expiryDays === null || one.expiryDays <= dueSoonDays).length
  const rows = useRankedRows<Rank>(scope, { analysis: '/equipment/analyze', alarm: '/equipment/warn' })
  const grave = all.data?.list.filter((one) => one.doorOpenRuns > 0).length
  const columns: ColumnOf<typeof liftRankList>[] = [
    ...projectColumn(scope, 168),
    deviceColumn(132),
    rankColumns.areaCode,
    rows.columns.reason,
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
    rankColumns.handledHours(148),
    rankColumns.onlinePercent,
    rows.columns.coverage,
    { key: 'safetyDeviceExpiry', width: 168, value: (r) => <ExpiryWords date={r.safetyDeviceExpiry} days={r.expiryDays} /> },
    { key: 'expiryDays', width: 92, align: 'right', sort: true, filter: 'numeric-range', hidden: true, value: (r) => r.expiryDays },
    rankColumns.ownerCorpName,
    rankColumns.modelName,
    rows.columns.notice,
  ]
  return (
    <FamilyRank
      scope={scope}
      unit="升降机"
      path="/equipment/analyze_2"
      loading={!all.data}
      counts={all.data}
      figures={[
        { label: '有开门运行', value: grave, unit: '台', remark: scope.words, tone: grave ? 'danger' : undefined },
        { label: '防坠器该标定', value: due, unit: '台', remark: `${dueSoonDays} 日内、已过期或未填`, tone: due ? 'warning' : undefined },
      ]}
      chart={{
        title: '运行量与违章',
        remark: `每点一台：横为运行次数，纵为每千次超员与开门运行；数据不足与不满 ${leastCycles} 次的不画`,
        label: `${ranked.length} 台升降机的运行次数与每千次违章`,
        hint: `需要有效数据 ${leastCoverage} % 以上且满 ${leastCycles} 次运行`,
        points: ranked.length,
        option,
        onPoint: (index) => rows.open(ranked[index]),
      }}
    >
      <DataTable list={list} columns={columns} emptyHint="范围内没有在用的升降机" {...rows.table} />
      {rows.form}
    </FamilyRank>
  )
}

const wrongOf = (row: Rank) => Number(((row.overPer1000 ?? 0) + (row.doorOpenPer1000 ?? 0)).toFixed(1))

const pointSize = 14

function scatter(rows: readonly Rank[]): ChartOption {
  const names = namesOf(rows)
  return rankScatter(
    rows.map((one, i) => ({
      name: names[i] ?? one.deviceName,
      x: one.runs,
      y: wrongOf(one),
      isGrave: one.doorOpenRuns > 0,
      size: pointSize,
      said: [`运行 ${one.runs} 次`, `超员 ${one.overPersonRuns}，开门运行 ${one.doorOpenRuns}`],
    })),
    { x: '运行次数', y: '每千次违章' },
  )
}
