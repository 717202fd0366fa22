import { leastCoverage } from '@zhugong/contract/monitoring/analysis'
import { envAnalysis, type StationRank } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { stationRankList, stationRanks } from '@zhugong/contract/monitoring/environment/station-ranks'
import { Popover } from 'antd'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useFamily } from '#kit/family.ts'
import { Card, Empty, Known, Tag } from '#kit/feedback.tsx'
import { measure } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { useRankNotice } from '../family-rank.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'

/** Only the worst ones are drawn: more lines are unreadable. */
const mostLines = 5
const method =
  '排名分 =（超标小时 + 没有许可的夜间噪声超标小时）÷ 有效小时 × 100，越低越好；许可期内的夜间超标只按超标小时计一次，并单独列出。有效小时为 45 分钟以上有数据的小时；有效数据不足 75 % 的站不计分，列在最后，先查设备。'

/** Which sites to inspect, and which stations not to trust? */
export default function StationRankPage() {
  const scope = useFamilyScope({ family: 'environment', usual: '30' })
  const go = useGo()
  const list = useListPage(stationRankList, { scope: scope.query, own: scope.own, inUrl: true, defaultSort: '-score' })
  const all = useCall(stationRanks, { query: { ...scope.query, size: 1000 } }, { quiet: true, keepPrevious: true })
  const air = useCall(envAnalysis, { query: scope.query }, { quiet: true, keepPrevious: true })
  const kind = useFamily('environment')
  const stages = kind.data?.params.find((one) => one.key === 'stage')?.values ?? {}
  const rows = all.data?.list ?? []
  const scored = rows.filter((one) => one.score !== null)
  const suspect = rows.filter((one) => one.frozenHours > 0 || one.offlineAtPeak > 0 || one.score === null)
  const lines = useMemo(() => {
    const days = [...new Set((air.data?.days ?? []).map((one) => one.day))].sort()
    const worst = [...(air.data?.devices ?? [])].sort((a, b) => (b.pm10Mean ?? 0) - (a.pm10Mean ?? 0)).slice(0, mostLines)
    return {
      days,
      series: worst.map((station) => ({
        name: `${station.projectName} ${station.name}`,
        line: true,
        values: days.map((day) => air.data?.days.find((one) => one.day === day && one.key === station.key)?.pm10 ?? null),
      })),
    }
  }, [air.data])
  const requested = useRankNotice(scope.projectCode, '请核查扬尘与噪声超标原因及监测数据，落实降尘与设备检查后答复。')
  const targetOf = (row: StationRank) => ({ projectCode: row.projectCode, deviceId: row.key, subject: `${row.name} ${rankWords(row)}` })
  const open = (row: { key: string }) => go('/analysisrecord', { deviceId: row.key, period: scope.period.text })
  const columns: ColumnOf<typeof stationRankList>[] = [
    { key: 'projectName', width: 176, filter: 'text', value: (r) => r.projectName },
    { key: 'name', width: 92, locked: true, filter: 'text', value: (r) => r.name },
    { key: 'areaCode', width: 92, filter: 'area-cascader', weak: true, value: (r) => r.areaName },
    {
      key: 'stage',
      width: 132,
      filter: 'multi',
      options: Object.entries(stages).map(([value, label]) => ({ value, label })),
      value: (r) => (r.stage && kind.data ? (stages[r.stage] ?? r.stage) : null),
    },
    { key: 'pm10Mean', width: 104, align: 'right', sort: true, value: (r) => measure(r.pm10Mean, 1) },
    { key: 'deltaToDistrict', width: 124, align: 'right', sort: true, value: (r) => measure(r.deltaToDistrict, 1) },
    { key: 'overHours', width: 100, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.overHours },
    { key: 'nightNoiseHours', width: 152, align: 'right', sort: true, value: (r) => r.nightNoiseHours },
    { key: 'nightPermitHours', width: 152, align: 'right', weak: true, value: (r) => r.nightPermitHours },
    {
      key: 'validPercent',
      width: 116,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => <span className={r.validPercent < leastCoverage ? 'tone-warning' : ''}>{r.validPercent.toFixed(1)}</span>,
    },
    {
      key: 'frozenHours',
      width: 92,
      align: 'right',
      value: (r) => (r.frozenHours > 0 ? <span className="tone-warning">{r.frozenHours}</span> : 0),
    },
    {
      key: 'offlineAtPeak',
      width: 132,
      align: 'right',
      value: (r) => (r.offlineAtPeak > 0 ? <span className="tone-warning">{r.offlineAtPeak}</span> : 0),
    },
    {
      key: 'score',
      width: 104,
      align: 'right',
      sort: true,
      locked: true,
      value: (r) => (r.score === null ? <Tag tone="warning">不计分</Tag> : r.score.toFixed(1)),
    },
    { key: 'ownerCorpName', width: 132, filter: 'text', hidden: true, value: (r) => r.ownerCorpName },
    { key: 'modelName', width: 104, filter: 'text', hidden: true, value: (r) => r.modelName },
    { key: 'notice', width: 116, value: (r) => requested.mark(r.key) },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="监测站"
      periods={['7', '30']}
      loading={!all.data}
      figures={[
        { label: '计分监测站', value: scored.length, unit: '个', remark: `有效数据 ${leastCoverage} % 以上` },
        { label: '超标小时', value: rows.reduce((sum, one) => sum + one.overHours, 0), unit: '时', remark: scope.words },
        {
          label: '夜间噪声超标',
          value: rows.reduce((sum, one) => sum + one.nightNoiseHours, 0),
          unit: '时',
          remark: `没有许可；另有许可期内 ${rows.reduce((sum, one) => sum + one.nightPermitHours, 0)} 时`,
        },
        {
          label: '可疑数据',
          value: suspect.length,
          unit: '个',
          remark: '恒值、高值时离线或数据不足',
          tone: suspect.length > 0 ? 'warning' : undefined,
        },
      ]}
      titleActions={
        <Popover content={<div className="fam-method">{method}</div>} trigger="click">
          <button type="button" className="zg-bare zg-link">
            排名方法
          </button>
        </Popover>
      }
      above={
        <Card
          title="PM10 每日均值"
          remark={all.data && `均值最高的 ${Math.min(mostLines, lines.series.length)} 个站；没有有效小时的日子留空`}
        >
          {lines.series.length === 0 ? (
            <Known of={air}>
              <Empty small text="这段时间没有数据" />
            </Known>
          ) : (
            <Chart
              label={`PM10 每日均值，${lines.series.map((one) => one.name).join('、')}`}
              height={200}
              option={columnsOption({
                names: lines.days.map((day) => day.slice(5)),
                unit: 'μg/m³',
                series: lines.series,
                marks: air.data?.district
                  ? [{ at: air.data.district, text: `区域站 ${air.data.district}`, tone: 'warning' as const }]
                  : undefined,
              })}
            />
          )}
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="key"
        unit="个"
        onRow={open}
        emptyHint="范围内没有在用的监测站"
        actions={(row) => [
          { label: '分析', href: hrefOf('/analysisrecord', { deviceId: row.key, period: scope.period.text }) },
          { label: '实时', href: hrefOf('/monitor/environmental', { deviceId: row.key }) },
          requested.action(targetOf(row)),
        ]}
        selection={requested.selection('个', targetOf)}
      />
      {requested.form}
    </FamilyRecord>
  )
}

/** Pollution first, then reasons for doubt about its data. */
function rankWords(row: StationRank): string {
  const said = [
    row.overHours > 0 && `超标 ${row.overHours} 小时`,
    row.nightNoiseHours > 0 && `夜间噪声超标 ${row.nightNoiseHours} 小时`,
    row.frozenHours > 0 && `恒值 ${row.frozenHours} 小时`,
    row.offlineAtPeak > 0 && `高值时离线 ${row.offlineAtPeak} 小时`,
    row.score === null && `有效数据 ${row.validPercent.toFixed(0)} %`,
  ].filter(Boolean)
  return said.length > 0 ? said.join('，') : '排名督办'
}
