import { findLoadDays, findLoads, loadDayList, loadTeamList } from '@zhugong/contract/monitoring/unloading/unloading-lists'
import { Segmented } from 'antd'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { measure, span } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { FamilyRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'

const team = 'team'
/** Below this percentage of expected readings a platform counts as unmonitored. */
const leastReport = 90
const mostRows = 1_000

/** Which platforms and teams overload, and which platforms are unmonitored? */
export default function LoadDayPage() {
  const scope = useFamilyScope({ family: 'unloadingPlatform', usual: '7' })
  const byTeam = usePageQuery().get('by') === team
  const days = useCall(findLoadDays, { query: { ...scope.query, groupBy: 'day', size: mostRows } }, { quiet: true, keepPrevious: true })
  const loads = useCall(findLoads, { query: { ...scope.query, size: 1 } }, { quiet: true, keepPrevious: true })
  const rows = useMemo(() => days.data?.list ?? [], [days.data])
  const watched = new Set(rows.map((one) => one.key)).size
  const thin = rows.filter((one) => one.reportPercent !== null && one.reportPercent < leastReport).length
  const names = useMemo(() => [...new Set(rows.map((one) => one.day))].sort(), [rows])
  const shared = {
    scope,
    loading: !days.data || !scope.requested.data,
    figures: [
      { label: '平台', value: scope.devices.length, unit: '个', remark: `有装卸 ${watched} 个` },
      {
        label: '超载次数',
        value: loads.data?.sums?.overloads,
        unit: '次',
        remark: scope.words,
        tone: loads.data?.sums?.overloads ? ('danger' as const) : undefined,
      },
      {
        label: '没有装卸的平台',
        value: days.data ? Math.max(0, scope.devices.length - watched) : undefined,
        unit: '个',
        remark: '没有上料，或没有上报',
        tone: days.data && scope.devices.length > watched ? ('warning' as const) : undefined,
      },
      {
        label: `上报率不足 ${leastReport} %`,
        value: days.data ? thin : undefined,
        unit: '台·日',
        tone: thin > 0 ? ('warning' as const) : undefined,
      },
    ],
    titleActions: (
      <Segmented
        aria-label="汇总"
        value={byTeam ? team : 'day'}
        options={[
          { value: 'day', label: '按平台与日' },
          { value: team, label: '按班组' },
        ]}
        onChange={(value) => scope.put({ by: value === team ? team : undefined, sort: undefined })}
      />
    ),
    above: (
      <Card title="每日上料与超载" remark="所选范围全部平台">
        {names.length === 0 ? (
          <Known of={days}>
            <Empty small text="这段时间没有上料" />
          </Known>
        ) : (
          <Chart
            height={170}
            label={`每日上料与超载次数，${names[0]} 至 ${names.at(-1)}`}
            option={columnsOption({
              names: names.map((one) => one.slice(5)),
              unit: '次',
              series: [
                { name: '未超载', stack: 'all', values: names.map((day) => sumOf(rows, day, (one) => one.loads - one.overloads)) },
                { name: '超载', stack: 'all', values: names.map((day) => sumOf(rows, day, (one) => one.overloads)) },
              ],
            })}
          />
        )}
      </Card>
    ),
  }
  return byTeam ? <Teams {...shared} /> : <Days {...shared} />
}

interface Counted {
  day: string
  loads: number
  overloads: number
}
const sumOf = (rows: readonly Counted[], day: string, pick: (one: Counted) => number) =>
  rows.reduce((sum, one) => (one.day === day ? sum + pick(one) : sum), 0)

type Shared = Omit<Parameters<typeof FamilyRecord>[0], 'unit' | 'periods' | 'children' | 'detail'> & { scope: FamilyScope }

const percent = (n: number | null) => (
  <span className={(n ?? 0) >= 100 ? 'tone-danger' : (n ?? 0) >= 80 ? 'tone-warning' : ''}>{measure(n, 1)}</span>
)
const overs = (n: number) => (n > 0 ? <span className="tone-danger">{n}</span> : 0)

function Days(shared: Shared) {
  const { scope } = shared
  const go = useGo()
  const list = useListPage(loadDayList, { scope: { ...scope.query, groupBy: 'day' }, own: scope.own })
  const columns: ColumnOf<typeof loadDayList>[] = [
    ...(scope.projectCode === '*'
      ? [{ key: 'projectName' as const, width: 176, value: (r: { projectName: string }) => r.projectName }]
      : []),
    { key: 'name', width: 190, locked: true, filterKey: 'deviceName', filter: 'text', value: (r) => r.name },
    { key: 'day', width: 108, value: (r) => r.day },
    { key: 'loads', width: 100, align: 'right', sort: true, value: (r) => r.loads },
    { key: 'overloads', width: 108, align: 'right', sort: true, filter: 'numeric-range', value: (r) => overs(r.overloads) },
    { key: 'maxWeightPercent', width: 132, align: 'right', sort: true, value: (r) => percent(r.maxWeightPercent) },
    { key: 'stayOver2h', width: 124, align: 'right', filter: 'numeric-range', value: (r) => r.stayOver2h },
    { key: 'longestSeconds', title: '最长滞留', width: 124, align: 'right', value: (r) => span(r.longestSeconds * 1000) },
    { key: 'moves', width: 76, align: 'right', weak: true, value: (r) => r.moves },
    {
      key: 'reportPercent',
      width: 108,
      align: 'right',
      value: (r) =>
        r.reportPercent === null ? null : (
          <span className={r.reportPercent < leastReport ? 'tone-warning' : ''}>{r.reportPercent.toFixed(1)}</span>
        ),
    },
  ]
  const open = (row: { key: string; day: string }) => go('/unloading/monitor', { deviceId: row.key, period: `${row.day},${row.day}` })
  return (
    <FamilyRecord {...shared} unit="卸料平台" periods={['1', '7', '30']}>
      <DataTable
        list={list}
        columns={columns}
        rowKey={(row) => `${row.key}${row.day}`}
        unit="台·日"
        onRow={open}
        emptyHint="范围内的平台在这段时间没有上料"
        actions={(row) => [
          { label: '装卸', href: hrefOf('/unloading/monitor', { deviceId: row.key, period: `${row.day},${row.day}` }) },
          { label: '实时', href: hrefOf('/unloading', { deviceId: row.key }) },
        ]}
      />
    </FamilyRecord>
  )
}

function Teams(shared: Shared) {
  const { scope } = shared
  const list = useListPage(loadTeamList, { scope: { ...scope.query, groupBy: 'team' }, own: scope.own })
  const columns: ColumnOf<typeof loadTeamList>[] = [
    { key: 'name', width: 200, locked: true, value: (r) => r.name },
    { key: 'loads', width: 108, align: 'right', sort: true, value: (r) => r.loads },
    { key: 'overloads', width: 108, align: 'right', sort: true, filter: 'numeric-range', value: (r) => overs(r.overloads) },
    { key: 'maxWeightPercent', width: 132, align: 'right', sort: true, value: (r) => percent(r.maxWeightPercent) },
    { key: 'stayOver2h', width: 124, align: 'right', filter: 'numeric-range', value: (r) => r.stayOver2h },
    { key: 'longestSeconds', title: '最长滞留', width: 124, align: 'right', value: (r) => span(r.longestSeconds * 1000) },
  ]
  return (
    <FamilyRecord {...shared} unit="卸料平台" periods={['1', '7', '30']}>
      <DataTable list={list} columns={columns} rowKey="key" unit="个班组" emptyHint="这段时间没有登记班组的上料" />
    </FamilyRecord>
  )
}
