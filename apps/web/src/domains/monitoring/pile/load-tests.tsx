import { pileKinds } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { listPileTests, pileTestList } from '@zhugong/contract/monitoring/pile/pile-tests'
import { settlementLimit } from '@zhugong/contract/monitoring/pile/pile-verdict'
import { type ReactNode, useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Pairs, Tag } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { RecordPanel, useRecord } from '../family-record.tsx'
import type { FamilyScope } from '../family-scope.tsx'
import './pile.css'
import { loadOption } from './pile-card.tsx'

/** More load tests than any site makes. */
const most = 200

/** Static load tests of piles. */
export function LoadTests({ scope, turn }: { scope: FamilyScope; turn: ReactNode }) {
  const { projectCode } = scope
  const fixed = useMemo(() => ({ projectCode, kind: 'staticLoad' as const }), [projectCode])
  const list = useListPage(pileTestList, { scope: fixed, own: scope.own, defaultSort: '-testedOn' })
  const all = useCall(listPileTests, { query: { ...fixed, size: most } }, { quiet: true, keepPrevious: true })
  const { record, open, close } = useRecord(scope, list.rows, (row) => row.id)
  const rows = all.data?.list ?? []
  const failed = rows.filter((one) => one.isPassed === false).length
  const sunk = rows.filter((one) => (one.settlement ?? 0) > settlementLimit).length
  const columns: ColumnOf<typeof pileTestList>[] = [
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 168, value: (r: (typeof rows)[number]) => r.projectName }] : []),
    { key: 'pileNo', width: 108, locked: true, filter: 'text', value: (r) => r.pileNo },
    { key: 'pileKind', width: 112, value: (r) => pileKinds[r.pileKind] },
    { key: 'testedOn', width: 116, sort: true, filter: 'date-range', value: (r) => r.testedOn },
    { key: 'maxLoad', width: 132, align: 'right', sort: true, value: (r) => thousands(r.maxLoad) },
    {
      key: 'settlement',
      width: 144,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => <span className={(r.settlement ?? 0) > settlementLimit ? 'tone-danger' : ''}>{measure(r.settlement)}</span>,
    },
    {
      key: 'isPassed',
      width: 96,
      filter: 'single',
      options: [
        { value: '1', label: '满足' },
        { value: '0', label: '不满足' },
      ],
      value: (r) => (r.isPassed === null ? null : <Tag tone={r.isPassed ? 'fine' : 'danger'}>{r.isPassed ? '满足' : '不满足'}</Tag>),
    },
    { key: 'tester', width: 176, value: (r) => r.tester },
    { key: 'report', width: 132, value: (r) => r.report },
    { key: 'note', width: 168, weak: true, value: (r) => r.note },
  ]
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!all.data}
          items={[
            { label: '静载试验', value: all.data?.total, unit: '次' },
            { label: '承载力不满足', value: failed, unit: '次', tone: failed ? 'danger' : undefined },
            { label: `沉降超过 ${settlementLimit} mm`, value: sunk, unit: '次', tone: sunk ? 'danger' : undefined },
          ]}
        />
      }
      titleActions={turn}
      right={
        record && (
          <RecordPanel title={record.pileNo} remark={`静载 ${record.testedOn}`} onClose={close}>
            <Pairs
              items={[
                { label: '最大荷载', value: `${thousands(record.maxLoad)} kN` },
                { label: '最大沉降', value: `${measure(record.settlement)} mm` },
                { label: '检测单位', value: record.tester },
                { label: '报告编号', value: record.report },
                { label: '录入', value: record.createBy },
                { label: '说明', value: record.note },
              ]}
            />
            <h3>荷载与沉降</h3>
            <Chart height={260} label={`静载 荷载沉降曲线 ${record.pileNo} ${record.testedOn}`} option={loadOption(record)} />
          </RecordPanel>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="id"
        unit="次"
        onRow={open}
        rowClass={(row) => (record?.id === row.id ? 'ant-table-row-selected' : '')}
        emptyHint="在桩清单里选一根桩，点“录入检测”登记静载结果"
      />
    </ListShell>
  )
}
