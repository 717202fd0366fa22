import { materialFlow, materialFlowList } from '@zhugong/contract/materials/calls'
import { materialEvents } from '@zhugong/contract/materials/moves'
import { Input } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag, type Tone } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { paths } from './material-words.tsx'

const tones: Readonly<Record<string, Tone>> = {
  receive: 'running',
  accept: 'fine',
  report: 'fine',
  use: 'neutral',
  withdraw: 'danger',
  block: 'danger',
  correct: 'warning',
}
const bad = '不合格'

/** What came when, with which papers, and where did it go? Events in time, never edited. */
export default function MaterialRecordsPage() {
  const go = useGo()
  const scope = { ...useProjectScope(), view: 'flow' as const }
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(materialFlowList, { scope, defaultSort: '-at', tabs: ['trace'] })
  const { data } = useCall(materialFlow, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  const counts = data?.counts
  const traced = list.filters.trace
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '本月进场批',
              value: thousands(counts?.received),
              unit: '批',
              href: `${paths.records}?action=receive&at=${encodeURIComponent(`${data?.monthStart ?? ''},`)}`,
            },
            {
              label: '待复验',
              value: thousands(counts?.retest),
              unit: '批',
              tone: counts?.retest ? 'warning' : undefined,
              href: `${paths.records}?action=receive&pending=true`,
            },
            {
              label: '不合格退场',
              value: thousands(counts?.exited),
              unit: '批',
              href: `${paths.records}?action=withdraw`,
            },
            {
              label: '过磅偏差',
              value: thousands(counts?.deviates),
              unit: '批',
              remark: '超出允许偏差',
              tone: counts?.deviates ? 'danger' : undefined,
              href: `${paths.records}?action=receive&deviates=true`,
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        toolbar={
          <Input.Search
            key={traced ?? ''}
            className="zg-w-280"
            allowClear
            defaultValue={traced}
            placeholder="追溯：批号、样品或报告编号"
            aria-label="追溯"
            onSearch={(value) => list.setFilters({ trace: value.trim() || undefined, action: undefined })}
          />
        }
        search={{ key: 'name', placeholder: '材料名称' }}
        onRow={(row) => go(paths.detail, { id: row.batchId })}
        emptyHint={traced ? `没有批号、样品或报告编号为 ${traced} 的批次` : '材料进场、取样、复验、领用和退场都记在这里'}
        filterWords={{
          pending: { title: '复验', words: { true: '待复验' } },
          deviates: { title: '过磅偏差', words: { true: '超出允许偏差' } },
        }}
        actions={(row) => [{ label: '查看批次', href: hrefOf(paths.detail, { id: row.batchId }) }]}
      />
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof materialFlowList>[] {
  const dicts = useDicts('materialCategory')
  const actions = Object.entries(materialEvents).map(([value, label]) => ({ value, label }))
  return [
    {
      key: 'at',
      width: 136,
      locked: true,
      sort: true,
      filter: 'date-range',
      value: (r) => <span className="zg-num">{r.at.slice(0, 16)}</span>,
    },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    {
      key: 'action',
      width: 104,
      keeps: true,
      filter: 'multi',
      options: actions,
      value: (r) => <Tag tone={r.result === bad ? 'danger' : (tones[r.action] ?? 'neutral')}>{r.actionName}</Tag>,
    },
    { key: 'category', width: 104, weak: true, filter: 'multi', options: dicts.options('materialCategory'), value: (r) => r.categoryName },
    { key: 'name', width: 140, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'spec', width: 130, filter: 'text', value: (r) => r.spec },
    { key: 'batchNo', width: 130, filter: 'text', value: (r) => r.batchNo },
    { key: 'supplier', width: 150, weak: true, value: (r) => r.supplier },
    {
      key: 'quantity',
      width: 104,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.quantity === null ? null : `${thousands(r.quantity)} ${r.unitName}`),
    },
    { key: 'part', width: 160, value: (r) => r.placeName ?? r.part },
    {
      key: 'weighId',
      width: 80,
      filter: 'single',
      filterKey: 'weighed',
      options: [
        { value: 'true', label: '有磅单' },
        { value: 'false', label: '无磅单' },
      ],
      value: (r) => r.weighId && <Link to={hrefOf('/loadometer/detail', { id: r.weighId })}>磅单</Link>,
    },
    { key: 'sampleNo', width: 120, weak: true, value: (r) => r.sampleNo },
    { key: 'reportNo', width: 130, filter: 'text', value: (r) => r.reportNo },
    {
      key: 'result',
      width: 96,
      filter: 'text',
      value: (r) => r.result && <span className={r.result === bad ? 'tone-danger' : undefined}>{r.result}</span>,
    },
    { key: 'operator', width: 88, filter: 'text', value: (r) => r.operator },
  ]
}
