import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { leastCoverage, leastCycles } from '@zhugong/contract/monitoring/analysis'
import { craneRankList, craneRanks } from '@zhugong/contract/monitoring/crane/crane-analysis'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import type { ChartOption } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { daysUntil, measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { badCount, deviceColumn, projectColumn, rankColumns } from '../cycles/columns.tsx'
import { FamilyRank, namesOf, rankScatter, useRankedRows } from '../family-rank.tsx'
import { useFamilyScope } from '../family-scope.tsx'

type Rank = OutputFor<typeof craneRanks>['list'][number]
/** A due date within this many days is highlighted. */
const soonDays = 30

/** Cranes ranked by their rates over a period. */
export default function CraneRankPage() {
  const scope = useFamilyScope({ family: 'towerCrane', usual: '30' })
  const list = useListPage(craneRankList, { scope: scope.query, own: scope.own, inUrl: true, defaultSort: '-alarmPer100' })
  const all = useCall(craneRanks, { query: { ...scope.query, size: 1000 } }, { quiet: true, keepPrevious: true })
  const ranked = useMemo(
    () => (all.data?.list ?? []).filter((one) => !one.doubtful && one.alarmPer100 !== null && one.utilisation !== null),
    [all.data],
  )
  const option = useMemo(() => scatter(ranked), [ranked])
  const rows = useRankedRows<Rank>(scope, { analysis: '/tower/analysis', alarm: '/tower/alarm' })
  const grave = all.data?.list.filter((one) => one.level1 > 0).length
  const columns: ColumnOf<typeof craneRankList>[] = [
    ...projectColumn(scope, 168),
    deviceColumn(100),
    rankColumns.areaCode,
    rows.columns.reason,
    { key: 'utilisation', width: 104, align: 'right', sort: true, filter: 'numeric-range', value: (r) => measure(r.utilisation, 1) },
    { key: 'cycles', width: 76, align: 'right', value: (r) => thousands(r.cycles) },
    { key: 'alarmPer100', width: 124, align: 'right', sort: true, filter: 'numeric-range', value: (r) => measure(r.alarmPer100, 1) },
    { key: 'level1', width: 92, align: 'right', sort: true, value: (r) => badCount(r.level1) },
    { key: 'overMoment', width: 104, align: 'right', weak: true, value: (r) => r.overMoment },
    rankColumns.handledHours(140),
    rankColumns.onlinePercent,
    rows.columns.coverage,
    { key: 'falsePercent', width: 104, align: 'right', sort: true, hidden: true, value: (r) => measure(r.falsePercent, 1) },
    { key: 'ageYears', width: 84, align: 'right', weak: true, value: (r) => measure(r.ageYears, 1) },
    {
      key: 'dueDate',
      width: 104,
      value: (r) => {
        const left = daysUntil(r.dueDate)
        return r.dueDate === null ? null : <span className={left !== undefined && left <= soonDays ? 'tone-warning' : ''}>{r.dueDate}</span>
      },
    },
    rankColumns.ownerCorpName,
    rankColumns.modelName,
    rows.columns.notice,
  ]
  return (
    <FamilyRank
      scope={scope}
      unit="塔机"
      path="/tower/analysis_2"
      loading={!all.data}
      counts={all.data}
      figures={[
        { label: '有一级告警', value: grave, unit: '台', remark: scope.words, tone: grave ? 'danger' : undefined },
        { label: '平均利用率', value: meanOf(ranked.map((one) => one.utilisation ?? 0)), unit: '%' },
      ]}
      chart={{
        title: '利用率与告警',
        remark: '每点一台：横为利用率，纵为每百吊告警，点越大离线越久；数据不足与不满 30 吊的不画',
        label: `${ranked.length} 台塔机的利用率与每百吊告警`,
        hint: `需要有效数据 ${leastCoverage} % 以上且满 ${leastCycles} 吊`,
        points: ranked.length,
        option,
        onPoint: (index) => rows.open(ranked[index]),
      }}
    >
      <DataTable list={list} columns={columns} emptyHint="范围内没有在用的塔机" {...rows.table} />
      {rows.form}
    </FamilyRank>
  )
}

const meanOf = (values: readonly number[]) =>
  values.length > 0 ? (values.reduce((sum, one) => sum + one, 0) / values.length).toFixed(1) : '--'
const smallest = 8
const largest = 26

function scatter(rows: readonly Rank[]): ChartOption {
  const longest = Math.max(1, ...rows.map((one) => one.offlineHours))
  const names = namesOf(rows)
  return rankScatter(
    rows.map((one, i) => ({
      name: names[i] ?? one.deviceName,
      x: one.utilisation,
      y: one.alarmPer100,
      isGrave: one.level1 > 0,
      size: smallest + (largest - smallest) * (one.offlineHours / longest),
      said: [`利用率 ${one.utilisation} %，每百吊告警 ${one.alarmPer100}`, `离线 ${one.offlineHours} 小时`],
    })),
    { x: '利用率 %', y: '每百吊告警' },
  )
}
