import { PlusOutlined } from '@ant-design/icons'
import { changeMeasure, createMeasure, listMeasures, type MeasureRow, measureList } from '@zhugong/contract/measures/measures'
import { measureMoves, measureStates } from '@zhugong/contract/measures/moves'
import { Button, Segmented } from 'antd'
import { call, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEach } from '#kit/each.ts'
import { FigureStrip, RiskBadge } from '#kit/feedback.tsx'
import { amount, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { DoneTag, LastDay, paths, StateTag } from './measure-words.tsx'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'running', label: '实施中' },
  { value: 'archived', label: '已归档' },
]
const bySource = 'hazardSource'

/** Which measures stand against which hazards, which are due and not done, and what did they cost? */
export default function MeasureListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(measureList, { scope, defaultSort: '-overdueDays', tabs: ['tab'] })
  const { data } = useCall(listMeasures, { query: { ...list.query, ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const columns = useColumns()
  const counts = data?.counts
  const grouped = list.sort === bySource
  const mayArchive = useCan(measureMoves.archive.needs)
  return (
    <ListShell
      actions={
        <Can call={createMeasure}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            新增措施
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '实施中', value: thousands(counts?.running), unit: '项', href: `${paths.list}?tab=running` },
            {
              label: '到期未落实',
              value: thousands(counts?.overdue),
              unit: '项',
              tone: counts?.overdue ? 'danger' : undefined,
              href: `${paths.list}?overdue=true`,
            },
            {
              label: '一二级风险措施',
              value: thousands(counts?.grave),
              unit: '项',
              remark: '实施中',
              href: `${paths.list}?tab=running&riskLevel=1,2`,
            },
            { label: '措施费', value: amount(data?.costSum), unit: '元', remark: '当前筛选' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="项"
        selection={
          mayArchive
            ? {
                unit: '项',
                disabled: (row) => !row.done || !measureMoves.archive.from.some((one) => one === row.state),
                actions: (rows, clear) => <ArchiveAll rows={rows} onDone={clear} />,
              }
            : undefined
        }
        search={{ key: 'name', placeholder: '措施名称' }}
        toolbar={
          <>
            <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
            <Segmented
              options={[
                { value: 'late', label: '按逾期' },
                { value: 'source', label: '按危险源' },
              ]}
              value={grouped ? 'source' : 'late'}
              onChange={(way) => list.setSort(way === 'source' ? bySource : undefined)}
            />
          </>
        }
        onRow={(row) => go(...pageOf(row))}
        emptyHint="还没有安全措施：反复出现的隐患，编制一项有人负责、有期限的措施"
        filterWords={{ overdue: { title: '逾期', words: { true: '到期未落实' } } }}
        sums={{ name: '合计', cost: amount(data?.costSum) }}
        actions={(row) => [{ label: '查看', href: hrefOf(...pageOf(row)) }]}
      />
    </ListShell>
  )
}

/** 监理 confirms several measures whose photographs were handed in. */
function ArchiveAll({ rows, onDone }: { rows: readonly MeasureRow[]; onDone: () => void }) {
  const each = useEach('项', onDone)
  const archive = ({ id, projectCode, version }: MeasureRow) =>
    call(changeMeasure, { params: { id }, query: { projectCode }, body: { version, action: 'archive', opinion: '' } })
  return (
    <Button loading={each.running} onClick={() => void each.run(rows, measureMoves.archive.label, archive)}>
      归档
    </Button>
  )
}

const pageOf = ({ id }: MeasureRow): [string, { id: string }] => [paths.detail, { id }]

function useColumns(): ColumnOf<typeof measureList>[] {
  const dicts = useDicts('hazardSource', 'riskLevel')
  const projectCode = useProjectCode()
  const oneProject = projectCode !== '*'
  const places = usePlaceFilter(projectCode)
  const states = Object.entries(measureStates).map(([value, label]) => ({ value, label }))
  const all: ColumnOf<typeof measureList>[] = [
    { key: 'name', width: 240, locked: true, filter: 'text', value: (r) => r.name },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    {
      key: 'hazardSource',
      width: 112,
      sort: true,
      filter: 'multi',
      options: dicts.options('hazardSource'),
      value: (r) => r.hazardSourceName,
    },
    {
      key: 'riskLevel',
      width: 96,
      sort: true,
      filter: 'multi',
      options: dicts.options('riskLevel'),
      value: (r) => <RiskBadge level={r.riskLevel} />,
    },
    {
      key: 'placeName',
      width: 150,
      filter: places && 'tree-cascader',
      filterKey: 'place',
      tree: places,
      value: (r) => r.placeName,
    },
    { key: 'corpName', width: 170, weak: true, filter: 'text', value: (r) => r.corpName },
    { key: 'responsible', width: 88, filter: 'text', value: (r) => r.responsible },
    { key: 'startDate', width: 104, weak: true, sort: true, filter: 'date-range', value: (r) => r.startDate },
    { key: 'endDate', width: 168, keeps: true, sort: true, filter: 'date-range', value: (r) => <LastDay row={r} /> },
    {
      key: 'done',
      width: 96,
      filter: 'single',
      options: [
        { value: 'true', label: '已落实' },
        { value: 'false', label: '未落实' },
      ],
      value: (r) => <DoneTag row={r} />,
    },
    {
      key: 'cost',
      width: 112,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.cost === null ? null : amount(r.cost)),
    },
    { key: 'sourceCount', width: 88, align: 'right', value: (r) => r.sourceCount || null },
    { key: 'state', width: 96, keeps: true, filter: 'multi', options: states, value: (r) => <StateTag row={r} /> },
  ]
  return oneProject ? all.filter((column) => column.key !== 'projectName') : all
}
