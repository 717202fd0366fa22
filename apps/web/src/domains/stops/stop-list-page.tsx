import { PlusOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { createStop, listStops, type StopRow, stopList } from '@zhugong/contract/stops/calls'
import { stopStates } from '@zhugong/contract/stops/moves'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { StopStateTag, shortType } from './stop-words.tsx'

const path = '/jgt/stopapply'
const tabs = [
  { value: '', label: '全部' },
  { value: 'mine', label: '待我办理' },
  { value: 'running', label: '在办' },
  { value: 'closed', label: '已办结' },
]

/** Where is my application, what waits for my decision, and which stopped sites pass their planned resumption? */
export default function StopListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(stopList, { scope, defaultSort: '-urgency', tabs: ['tab'] })
  const { data } = useCall(listStops, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const pageOf = usePageOf()
  const columns = useColumns()
  const figure = (label: string, count: number | undefined, query: string, tone?: 'danger' | 'warning', remark?: string) => ({
    label,
    value: thousands(count),
    unit: '项',
    tone: count ? tone : undefined,
    remark,
    href: `${path}?${query}`,
  })
  return (
    <ListShell
      actions={
        <Can call={createStop}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/jgt/stopapply/edit')}>
            新建申请
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('待我办理', counts?.mine, 'tab=mine', 'warning'),
            figure('停工中', counts?.stopping, 'stopping=true', 'danger'),
            figure('超计划复工日', counts?.overdue, 'overdue=true', 'danger'),
            figure('本年复工', counts?.resumed, 'resumed=true'),
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns.filter((column) => !(column.key === 'projectName' && oneProject))}
        unit="项"
        search={{ key: 'code', placeholder: '申请或通知编号' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        rowClass={(row) => (row.kind === 'order' ? 'zg-2' : '')}
        onRow={(row) => {
          const page = pageOf(row)
          if (page) go(...page)
        }}
        emptyHint="还没有停复工申请：由建设单位从“新建申请”开始"
        filterWords={{
          stopping: { title: '停工', words: { true: '停工中' } },
          overdue: { title: '计划复工', words: { true: '已超计划复工日' } },
          resumed: { title: '复工', words: { true: '本年复工' } },
        }}
        selection={{
          unit: '项',
          disabled: (row) => row.kind !== 'apply' || row.state !== stopStates.passed,
          actions: (rows, clear) => (
            <ZipButton
              feature="stopPaper"
              query={{ ids: rows.map((row) => row.id), paper: 'decision' }}
              count={rows.length}
              label="下载告知书"
              onDone={clear}
            />
          ),
        }}
        actions={(row) => {
          const page = pageOf(row)
          return [page && { label: row.mine ? '办理' : row.kind === 'order' ? '通知' : '查看', href: hrefOf(...page) }]
        }}
      />
    </ListShell>
  )
}

/** The page of a row: an application, or the notice that orders the stop. A stop older than this procedure has none. */
function usePageOf(): (row: StopRow) => [string, { id: string }] | undefined {
  const gov = useGroupType() === groupTypes.government
  return (row) => {
    if (row.kind === 'apply') return ['/jgt/stopapply/details', { id: row.id }]
    if (row.noticeId === null) return undefined
    return [gov ? '/jgt/project/project_detail' : '/safetySupervisionRectification/details', { id: row.noticeId }]
  }
}

function useColumns(): ColumnOf<typeof stopList>[] {
  const dicts = useDicts('stopApplyType', 'stopReason', 'stopApplyState')
  return [
    {
      key: 'code',
      width: 208,
      locked: true,
      filter: 'text',
      value: (r) => r.code ?? <span className="zg-2">{r.kind === 'apply' ? '草稿' : '启用本流程前的停工'}</span>,
    },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'type', width: 116, filter: 'multi', options: dicts.options('stopApplyType'), value: shortType },
    {
      key: 'reasonType',
      width: 130,
      weak: true,
      filter: 'multi',
      options: dicts.options('stopReason'),
      value: (r) => r.reasonTypeName ?? '--',
    },
    { key: 'applyCorp', width: 170, weak: true, filter: 'text', value: (r) => r.applyCorp || '--' },
    { key: 'stopDate', width: 104, sort: true, filter: 'date-range', value: (r) => r.stopDate ?? '--' },
    {
      key: 'planResumeDate',
      width: 156,
      keeps: true,
      sort: true,
      filter: 'date-range',
      value: (r) =>
        r.overdueDays > 0 ? (
          <span className="tone-danger">
            <span className="zg-num">{r.planResumeDate}</span> 超 {r.overdueDays} 天
          </span>
        ) : (
          (r.planResumeDate ?? '--')
        ),
    },
    {
      key: 'stoppedDays',
      width: 92,
      keeps: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => r.stoppedDays ?? '--',
    },
    {
      key: 'state',
      width: 164,
      keeps: true,
      filter: 'multi',
      options: dicts.options('stopApplyState'),
      value: (r) => <StopStateTag row={r} />,
    },
    { key: 'waitDays', width: 110, keeps: true, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.waitDays ?? '--' },
  ]
}
