import { PlusOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { adviceList, listAdvice, submitAdvice } from '@zhugong/contract/advice/calls'
import { answerDays, complaint, satisfactions } from '@zhugong/contract/advice/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AdviceStateTag, TypeTag } from './advice-words.tsx'
import { SubmitDrawer } from './submit-drawer.tsx'

const path = '/jgt/adviceReply/index'
const replyPage = '/jgt/adviceReply/reply'
const tabs = [
  { value: '', label: '全部' },
  { value: 'waiting', label: '待回复' },
  { value: 'replied', label: '已回复' },
  { value: 'closed', label: '已关闭' },
  { value: 'mine', label: '我提的' },
]

/** Who answers: what do sites ask or complain of, and what is unanswered? Everybody else: my questions and their answers. */
export default function AdviceListPage() {
  const go = useGo()
  const [submitting, setSubmitting] = useState(false)
  // A site also puts questions that are about no project.
  const chosen = useProjectCode()
  const scope = { projectCode: useGroupType() === groupTypes.project ? '*' : chosen }
  const list = useListPage(adviceList, { scope, tabs: ['tab'] })
  const { data } = useCall(listAdvice, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns()
  return (
    <ListShell
      actions={
        <Can call={submitAdvice}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setSubmitting(true)}>
            提意见
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '待回复', value: thousands(counts?.waiting), unit: '条', href: `${path}?tab=waiting` },
            {
              label: `超 ${answerDays} 日`,
              value: thousands(counts?.late),
              unit: '条',
              tone: counts?.late ? 'danger' : undefined,
              href: `${path}?late=true`,
            },
            { label: '投诉举报', value: thousands(counts?.complaints), unit: '条', href: `${path}?type=${complaint}` },
            { label: '平均答复', value: counts?.answerHours ?? undefined, unit: '小时', remark: '提交至首次回复' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        search={{ key: 'title', placeholder: '标题' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => go(replyPage, { id: row.id })}
        emptyHint="平台的问题、对监管的咨询和投诉从“提意见”提交"
        filterWords={{
          late: { title: '等待', words: { true: `超过 ${answerDays} 日` } },
          replyTime: { title: '回复', words: { true: '已回复', false: '未回复' } },
        }}
        actions={(row) => [{ label: '查看', href: hrefOf(replyPage, { id: row.id }) }]}
      />
      {submitting && <SubmitDrawer onClose={() => setSubmitting(false)} />}
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof adviceList>[] {
  const dicts = useDicts('feedbackType', 'feedbackState')
  return [
    { key: 'title', width: 260, locked: true, filter: 'text', value: (r) => r.title },
    { key: 'type', width: 112, filter: 'multi', options: dicts.options('feedbackType'), value: (r) => <TypeTag row={r} /> },
    { key: 'submitterName', width: 128, value: (r) => (r.mine ? `${r.submitterName}（我）` : r.submitterName) },
    { key: 'projectName', width: 180, filter: 'text', value: (r) => r.projectName },
    { key: 'addresseeName', width: 180, weak: true, value: (r) => r.addresseeName },
    { key: 'createTime', width: 152, sort: true, filter: 'date-range', value: (r) => r.createTime.slice(0, 16) },
    { key: 'replier', width: 96, weak: true, filter: 'text', value: (r) => r.replier },
    { key: 'replyTime', width: 152, weak: true, sort: true, value: (r) => r.replyTime?.slice(0, 16) },
    {
      key: 'waitHours',
      width: 116,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => <span className={r.late ? 'tone-danger' : undefined}>{thousands(r.waitHours)}</span>,
    },
    { key: 'rounds', width: 76, align: 'right', hidden: true, value: (r) => r.rounds },
    {
      key: 'satisfaction',
      width: 92,
      weak: true,
      value: (r) => (r.satisfaction === null ? undefined : satisfactions[r.satisfaction as keyof typeof satisfactions]),
    },
    {
      key: 'state',
      width: 104,
      keeps: true,
      filter: 'multi',
      options: dicts.options('feedbackState'),
      value: (r) => <AdviceStateTag row={r} />,
    },
  ]
}
