import { PlusOutlined } from '@ant-design/icons'
import { itemResults } from '@zhugong/contract/scoring/score'
import { createSpotCheck, listSpotChecks, removeSpotCheck, type SpotRow, spotCheckList } from '@zhugong/contract/spotchecks/calls'
import { Button, Segmented } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { kindWords, LabDue, paths, ResultTag, StateTag } from './spot-words.tsx'
import './spotchecks.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'awaited', label: '待报告' },
  { value: 'failed', label: '不合格' },
  { value: 'closed', label: '合格与闭合' },
]
const draft = '0'

/** What was sampled, what failed, which report is overdue? For the site: what is asked of it. */
export default function SpotListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(spotCheckList, { scope, defaultSort: 'urgency', tabs: ['tab'] })
  const { data } = useCall(listSpotChecks, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const removal = useAct(removeSpotCheck, { success: '草稿已删除' })
  const columns = useColumns()
  const counts = data?.counts
  return (
    <ListShell
      actions={
        <Can call={createSpotCheck}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.edit)}>
            新增抽查
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '待报告', value: thousands(counts?.awaited), unit: '次', href: `${paths.list}?tab=awaited` },
            {
              label: '报告超期',
              value: thousands(counts?.late),
              unit: '次',
              tone: counts?.late ? 'danger' : undefined,
              href: `${paths.list}?late=true`,
            },
            {
              label: '不合格待处理',
              value: thousands(counts?.failed),
              unit: '次',
              tone: counts?.failed ? 'danger' : undefined,
              href: `${paths.list}?tab=failed`,
            },
            { label: '合格率', value: counts?.passRate ?? '--', unit: counts?.passRate == null ? '' : '%', remark: '一次合格' },
          ]}
        />
      }
      right={<Ranking rows={data?.ranking} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        search={{ key: 'part', placeholder: '部位或批次' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => go(...pageOf(row))}
        emptyHint="还没有质量抽查"
        filterWords={{ late: { title: '报告', words: { true: '超期未出' } } }}
        actions={(row) => [
          { label: '查看', href: hrefOf(...pageOf(row)) },
          row.state === draft && {
            label: '删除',
            danger: true,
            call: removeSpotCheck,
            run: () =>
              removal.afterRequesting(
                { thing: `删除 ${row.part} 的抽查草稿`, consequence: '草稿不再保留。', verb: '删除草稿' },
                { params: { id: row.id } },
              ),
          },
        ]}
      />
    </ListShell>
  )
}

const pageOf = ({ id, state }: SpotRow): [string, { id: string }] => [state === draft ? paths.edit : paths.detail, { id }]

/** Suppliers by failures. */
function Ranking({ rows }: { rows: readonly { supplier: string; checks: number; failed: number }[] | undefined }) {
  return (
    <aside className="spot-rank">
      <Card title="供应商不合格排行">
        <ol>
          {rows?.map((one) => (
            <li key={one.supplier}>
              <span>{one.supplier}</span>
              <span className={one.failed ? 'tone-danger' : 'zg-2'}>
                {one.failed} / {one.checks}
              </span>
            </li>
          ))}
        </ol>
        {rows?.length === 0 && <Empty small text="没有原材料抽查" />}
      </Card>
    </aside>
  )
}

function useColumns(): ColumnOf<typeof spotCheckList>[] {
  const dicts = useDicts('spotCheckKind', 'spotCheckState', 'itemResult')
  const all: ColumnOf<typeof spotCheckList>[] = [
    { key: 'code', width: 170, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 120, value: (r) => r.projectName },
    { key: 'kind', width: 110, sort: true, filter: 'multi', options: dicts.options('spotCheckKind'), value: kindWords },
    { key: 'part', width: 150, filter: 'text', value: (r) => r.part },
    { key: 'unitName', width: 100, weak: true, value: (r) => r.unitName },
    { key: 'checkDate', width: 104, sort: true, filter: 'date-range', value: (r) => <span className="zg-num">{r.checkDate}</span> },
    { key: 'checkers', width: 120, weak: true, filter: 'text', value: (r) => r.checkers.join('、') },
    { key: 'method', width: 110, weak: true, filter: 'text', value: (r) => r.method },
    { key: 'designValue', width: 150, weak: true, value: (r) => r.designValue },
    { key: 'actualValue', width: 130, keeps: true, value: (r) => r.actualValue },
    { key: 'sampleNo', width: 120, weak: true, filter: 'text', value: (r) => r.sampleNo },
    { key: 'labOrg', width: 150, weak: true, filter: 'text', value: (r) => r.labOrg },
    { key: 'labDue', width: 150, sort: true, value: (r) => <LabDue row={r} /> },
    {
      key: 'reportNo',
      width: 120,
      filter: 'single',
      filterKey: 'reported',
      options: [
        { value: 'true', label: '已出报告' },
        { value: 'false', label: '未出报告' },
      ],
      value: (r) => r.reportNo,
    },
    { key: 'supplier', width: 130, weak: true, filter: 'text', value: (r) => r.supplier },
    {
      key: 'result',
      width: 84,
      keeps: true,
      filter: 'multi',
      options: dicts.options('itemResult').filter((one) => one.value === itemResults.right || one.value === itemResults.wrong),
      value: (r) => <ResultTag row={r} />,
    },
    {
      key: 'state',
      width: 120,
      keeps: true,
      filter: 'multi',
      options: dicts.options('spotCheckState'),
      value: (r) => <StateTag row={r} />,
    },
  ]
  return useProjectCode() === '*' ? all : all.filter((column) => column.key !== 'projectName')
}
