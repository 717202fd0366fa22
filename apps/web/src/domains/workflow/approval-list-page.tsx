import { approvalList, listApprovals } from '@zhugong/contract/home/endpoints'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { type ApprovalRow, actOnApproval } from '@zhugong/contract/workflow/endpoints'
import { type ApprovalBox, approvalBoxes } from '@zhugong/contract/workflow/lists'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { keepOrder } from './approval-order.ts'
import { Deadline, StateTag, stayWords } from './approval-words.tsx'
import { BatchPass } from './batch-pass.tsx'
import { DeputyDrawer } from './deputy-drawer.tsx'
import './workflow.css'

const boxIn = (value: string | null): ApprovalBox => (value !== null && value in approvalBoxes ? (value as ApprovalBox) : 'todo')
const countsEveryMs = 30_000

/** The user's approval items in the active group: waiting, decided, submitted, copies. */
export default function ApprovalListPage() {
  const go = useGo()
  const page = usePage()
  const box = boxIn(usePageQuery().get('box'))
  const [deputing, setDeputing] = useState(false)
  const { data } = useCall(listApprovals, { query: { box, size: 1 } }, { quiet: true, everyMs: countsEveryMs, keepPrevious: true })
  const counts = data?.counts
  const marks: Partial<Record<ApprovalBox, number | undefined>> = { todo: counts?.todo, cc: counts?.cc }
  return (
    <ListShell
      titleActions={<Button onClick={() => setDeputing(true)}>委托</Button>}
      actions={
        <Segmented
          value={box}
          options={Object.entries(approvalBoxes).map(([value, label]) => {
            const n = marks[value as ApprovalBox]
            return { value: value as ApprovalBox, label: n ? `${label} ${n}` : label }
          })}
          onChange={(next) => go(page.path, { box: next }, { replace: true })}
        />
      }
      strip={
        <FigureStrip
          loading={!data}
          items={[
            { label: '待办', value: thousands(counts?.todo), unit: '件', href: hrefOf(page.path, { box: 'todo' }) },
            { label: '今日到期', value: thousands(counts?.dueToday), unit: '件', href: hrefOf(page.path, { box: 'todo', due: 'today' }) },
            {
              label: '逾期',
              value: thousands(counts?.overdue),
              unit: '件',
              tone: counts?.overdue ? 'danger' : undefined,
              href: hrefOf(page.path, { box: 'todo', due: 'overdue' }),
            },
            { label: '平均处理时长', value: thousands(counts?.meanHours, 1), unit: '小时', remark: '我近 30 天' },
          ]}
        />
      }
    >
      <Approvals key={box} box={box} kinds={data?.kinds ?? []} />
      {deputing && <DeputyDrawer onClose={() => setDeputing(false)} />}
    </ListShell>
  )
}

type Kinds = readonly { kind: string; name: string }[]

function Approvals({ box, kinds }: { box: ApprovalBox; kinds: Kinds }) {
  const go = useGo()
  const list = useListPage(approvalList, { scope: { box }, own: ['box'] })
  const act = useAct(actOnApproval, { refreshes: [listApprovals] })
  const [passing, setPassing] = useState<{ rows: readonly ApprovalRow[]; clear: () => void }>()
  const open = (row: ApprovalRow) => {
    keepOrder(list.rows.map((r) => r.id))
    go('/workbench/approvalDetail', { id: row.id })
  }
  const say = (row: ApprovalRow, result: 'urge' | 'withdraw', opinion = '') =>
    act.run({ params: { id: row.id }, body: { result, opinion, version: row.version } })
  const withdraw = async (row: ApprovalRow) => {
    const reason = await askReason(`撤回 ${row.title}`, '原因')
    if (reason !== undefined) await say(row, 'withdraw', reason)
  }
  return (
    <>
      <DataTable
        list={list}
        columns={useColumns(box, kinds)}
        unit="件"
        name={`approvals-${box}`}
        search={{ key: 'title', placeholder: '事项' }}
        onRow={open}
        rowClass={(row) => (row.overdue ? 'flow-late' : '')}
        emptyHint={box === 'todo' ? '没有等您审批的事项' : undefined}
        filterWords={{ due: { title: '时限', words: { overdue: '已逾期', today: '今日到期' } } }}
        selection={
          box === 'todo'
            ? {
                unit: '件',
                disabled: (row: ApprovalRow) => !row.batch,
                actions: (rows: readonly ApprovalRow[], clear: () => void) => (
                  <Button type="primary" onClick={() => setPassing({ rows, clear })}>
                    批量同意
                  </Button>
                ),
              }
            : undefined
        }
        actions={(row) => [
          { label: row.actions.includes('pass') ? '办理' : '查看', onClick: () => open(row) },
          row.actions.includes('urge') && { label: '催办', onClick: () => void say(row, 'urge') },
          row.actions.includes('withdraw') && { label: '撤回', onClick: () => void withdraw(row) },
        ]}
      />
      {passing && (
        <BatchPass
          rows={passing.rows}
          onClose={(done) => {
            setPassing(undefined)
            if (done) passing.clear()
          }}
        />
      )}
    </>
  )
}

function useColumns(box: ApprovalBox, kinds: Kinds): ColumnOf<typeof approvalList>[] {
  const dicts = useDicts('approvalState')
  const projects = useCall(pickProjects, { query: { page: 1, size: 500 } }, { quiet: true, staleMs: 600_000 })
  const running = box === 'todo'
  return [
    { key: 'title', value: (r) => r.title, filter: 'text', sort: true, width: 260, locked: true },
    {
      key: 'bizType',
      value: (r) => r.bizTypeName,
      filter: 'multi',
      options: kinds.map((k) => ({ value: k.kind, label: k.name })),
      width: 110,
    },
    {
      key: 'projectName',
      value: (r) => r.projectName,
      filter: 'single',
      filterKey: 'projectCode',
      options: (projects.data?.list ?? []).map((p) => ({ value: p.projectCode, label: p.name })),
      width: 180,
    },
    { key: 'applicant', value: (r) => r.applicant, filter: 'text', sort: true, width: 100 },
    { key: 'groupName', value: (r) => r.groupName, width: 180, hidden: true },
    { key: 'node', value: (r) => r.node, filter: 'text', width: 130 },
    { key: 'createTime', value: (r) => r.createTime, filter: 'datetime-range', sort: true, width: 170 },
    { key: 'deadline', value: (r) => <Deadline row={r} />, filter: 'date-range', sort: true, width: 120, hidden: box === 'done' },
    { key: 'stay', value: (r) => stayWords(r.stay), filter: 'numeric-range', sort: true, align: 'right', width: 110 },
    {
      key: 'state',
      value: (r) => <StateTag row={r} />,
      hidden: running,
      width: 100,
      ...(running ? {} : { filter: 'multi' as const, options: dicts.options('approvalState') }),
    },
    { key: 'code', value: (r) => r.code, width: 170, weak: true },
    { key: 'doneTime', value: (r) => r.doneTime, width: 170, hidden: running || box === 'done' },
  ]
}
