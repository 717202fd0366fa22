import { PlusOutlined } from '@ant-design/icons'
import { lateAlterDays } from '@zhugong/contract/organisation/alter-types'
import { type AlterTab, alterList, alterTabs, fileAlter, listAlters, withdrawAlter } from '@zhugong/contract/organisation/project-alter'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AlterDrawer } from './alter-detail.tsx'
import { AlterForm } from './alter-form.tsx'
import { AlterState, alterPath, stayWords } from './alter-words.tsx'

const tabIn = (value: string | null): AlterTab => (value !== null && value in alterTabs ? (value as AlterTab) : 'all')

/** Has something registered of a project changed, who approved it, and is the file up to date? */
export default function AlterPage() {
  const go = useGo()
  const query = usePageQuery()
  const tab = tabIn(query.get('tab'))
  const shown = query.get('id')
  const scope = useProjectScope()
  const { data } = useCall(listAlters, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const [applying, setApplying] = useState(false)
  const mayApply = (useGroupType() ?? 0) >= 2
  const counts = data?.counts
  const year = data ? `${data.year.from},${data.year.to}` : ''
  const accepted = (type: string) => hrefOf(alterPath, { tab: 'all', type, state: '2', decideTime: year })
  return (
    <ListShell
      actions={
        mayApply && (
          <Can call={fileAlter}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setApplying(true)}>
              发起变更
            </Button>
          </Can>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '审批中', value: thousands(counts?.running), unit: '件', href: hrefOf(alterPath, { tab: 'all', state: '1' }) },
            {
              label: `超 ${lateAlterDays} 个工作日`,
              value: thousands(counts?.late),
              unit: '件',
              tone: counts?.late ? 'danger' : undefined,
              href: hrefOf(alterPath, { tab: 'all', late: 'true' }),
            },
            { label: '本年项目负责人变更', value: thousands(counts?.managers), unit: '件', href: accepted('3') },
            { label: '本年总监变更', value: thousands(counts?.chiefs), unit: '件', href: accepted('4') },
          ]}
        />
      }
    >
      <Alters key={tab} tab={tab} year={year} counts={counts} />
      {shown && <AlterDrawer key={shown} id={shown} onClose={() => go(alterPath, tab === 'all' ? {} : { tab }, { replace: true })} />}
      {applying && <AlterForm onClose={() => setApplying(false)} />}
    </ListShell>
  )
}

function Alters({ tab, year, counts }: { tab: AlterTab; year: string; counts: Partial<Record<AlterTab, number>> | undefined }) {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(alterList, { scope: { ...scope, tab }, own: ['tab', 'id'] })
  const withdraw = useAct(withdrawAlter, { success: '已撤回' })
  const open = (id: string) => go(alterPath, tab === 'all' ? { id } : { tab, id })
  return (
    <DataTable
      list={list}
      columns={useColumns()}
      unit="件"
      name={`alters-${tab}`}
      search={{ key: 'code', placeholder: '编号' }}
      toolbar={
        <Segmented
          value={tab}
          options={Object.entries(alterTabs).map(([value, label]) => {
            const count = value === 'waiting' ? counts?.waiting : undefined
            return { value: value as AlterTab, label: count ? `${label} ${count}` : label }
          })}
          onChange={(next) => go(alterPath, next === 'all' ? {} : { tab: next }, { replace: true })}
        />
      }
      onRow={(row) => open(row.id)}
      emptyHint={tab === 'waiting' ? '没有等您审批的变更' : undefined}
      filterWords={{
        late: { title: '停留', words: { true: `超 ${lateAlterDays} 个工作日` } },
        decideTime: { title: '审定时间', words: { [year]: '本年' } },
      }}
      actions={(row) => [
        { label: row.waits ? '办理' : '查看', onClick: () => open(row.id) },
        tab === 'mine' &&
          row.state === approvalStates.running && {
            label: '撤回',
            needs: withdrawAlter,
            onClick: async () => {
              const reason = await askReason(`撤回 ${row.projectName} 的${row.typeName}变更`, '原因')
              if (reason === undefined) return
              await withdraw.run({
                params: { id: row.id },
                query: { projectCode: row.projectCode },
                body: { action: 'withdraw', version: row.version, reason },
              })
            },
          },
      ]}
    />
  )
}

function useColumns(): ColumnOf<typeof alterList>[] {
  const dicts = useDicts('projectAlterType', 'approvalState')
  return [
    { key: 'code', width: 148, locked: true, filter: 'text', value: (r) => r.code && <span className="zg-num">{r.code}</span> },
    { key: 'projectName', width: 180, filter: 'text', sort: true, value: (r) => r.projectName },
    { key: 'type', width: 120, filter: 'multi', options: dicts.options('projectAlterType'), value: (r) => r.typeName },
    { key: 'summary', width: 300, value: (r) => r.summary },
    { key: 'applicant', width: 180, weak: true, filter: 'text', value: (r) => r.applicant },
    {
      key: 'createTime',
      width: 136,
      sort: true,
      filter: 'datetime-range',
      value: (r) => <span className="zg-num">{r.createTime.slice(0, 16)}</span>,
    },
    { key: 'node', width: 104, value: (r) => r.node },
    {
      key: 'stay',
      width: 96,
      align: 'right',
      sort: true,
      value: (r) => <span className={r.late ? 'tone-danger' : undefined}>{stayWords(r.stay)}</span>,
    },
    {
      key: 'state',
      width: 92,
      keeps: true,
      filter: 'multi',
      options: dicts.options('approvalState').filter(({ value }) => ['1', '2', '3', '4'].includes(value)),
      value: (r) => <AlterState row={r} />,
    },
  ]
}
