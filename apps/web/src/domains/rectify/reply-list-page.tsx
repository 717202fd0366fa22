import { listReplies, replyList } from '@zhugong/contract/rectify/replies'
import { jlResults, type ReplyRow, replyStates, replyTabs } from '@zhugong/contract/rectify/reply-model'
import { Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Photos } from './rectify-problems.tsx'
import { Deadline } from './rectify-words.tsx'
import { JlVerdict, ProxyTag, ReplyStateTag, VisitTag } from './reply-words.tsx'

const path = '/jgt/project/zghf_index'
const pageOf = (row: ReplyRow, mayRecheck: boolean): [string, { id: string }] => [
  row.state === 'recheck' && mayRecheck ? '/jgt/project/shenhe' : '/jgt/project/huifu',
  { id: row.id },
]

/** Which replies wait for me, oldest first? One row is one round of reply. */
export default function ReplyListPage() {
  const go = useGo()
  const scope = { ...useProjectScope(), view: 'reply' as const }
  const oneProject = useProjectCode() !== '*'
  const mayRecheck = useCan('supervision.rectifyRecheck')
  const list = useListPage(replyList, { scope, tabs: ['tab'] })
  const { data } = useCall(listReplies, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '待我复查',
              value: thousands(counts?.forMe),
              unit: '份',
              tone: counts?.forMe ? 'warning' : undefined,
              href: `${path}?forMe=true`,
            },
            {
              label: '最长等待',
              value: thousands(counts?.longestDays),
              unit: '天',
              remark: '自监理通过起',
              tone: (counts?.longestDays ?? 0) > longWait ? 'danger' : undefined,
            },
            { label: '需现场复查', value: thousands(counts?.toVisit), unit: '份', href: `${path}?tab=recheck&mustVisit=true` },
            { label: '今日已办', value: thousands(counts?.doneToday), unit: '份', href: `${path}?doneToday=true` },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="份"
        rowKey={(row) => `${row.id}.${row.round}`}
        search={{ key: 'code', placeholder: '通知编号' }}
        toolbar={
          <Segmented
            options={[
              { value: '', label: '全部' },
              ...replyTabs.map((tab) => ({ value: tab, label: counts ? `${replyStates[tab]} ${counts[tab]}` : replyStates[tab] })),
            ]}
            value={list.filters.tab ?? ''}
            onChange={(tab) => list.setFilter('tab', tab || undefined)}
          />
        }
        onRow={(row) => go(...pageOf(row, mayRecheck))}
        expand={(row) => <Pictures row={row} />}
        emptyHint="责任单位回复并经监理复核后，会列在这里等待复查"
        filterWords={{
          forMe: { title: '待办', words: { true: '待我复查' } },
          mustVisit: { title: '复查方式', words: { true: '须现场复查' } },
          doneToday: { title: '办理', words: { true: '今日已办' } },
        }}
        actions={(row) => [
          row.state === 'recheck' && mayRecheck && { label: '复查', href: hrefOf('/jgt/project/shenhe', { id: row.id }) },
          { label: '查看回复', href: hrefOf('/jgt/project/huifu', { id: row.id, round: row.round }) },
        ]}
      />
    </ListShell>
  )
}

/** Days after which a waiting reply stands out. */
const longWait = 3

function Pictures({ row }: { row: ReplyRow }) {
  if (row.before.length + row.after.length === 0) return <span className="zg-2">没有照片</span>
  return (
    <div className="rectify-sides">
      <div>
        <p className="zg-2">整改前</p>
        <Photos photos={row.before} name="整改前" />
      </div>
      <div>
        <p className="zg-2">整改后</p>
        <Photos photos={row.after} name="整改后" />
      </div>
    </div>
  )
}

function useColumns(): ColumnOf<typeof replyList>[] {
  const dicts = useDicts('rectifyNoticeType', 'hiddenDangerLevel')
  const results = Object.entries(jlResults).map(([value, label]) => ({ value, label }))
  return [
    { key: 'code', width: 296, locked: true, filter: 'text', value: (r) => r.code },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'round', width: 76, sort: true, value: (r) => `第 ${r.round} 轮` },
    { key: 'replyTime', width: 152, weak: true, sort: true, filter: 'date-range', value: (r) => r.replyTime.slice(0, 16) },
    {
      key: 'replier',
      width: 112,
      filter: 'text',
      value: (r) => (
        <>
          {r.replier} {r.onBehalf && <ProxyTag />}
        </>
      ),
    },
    { key: 'corpName', width: 180, weak: true, filter: 'text', value: (r) => r.corpName },
    { key: 'lines', width: 84, align: 'right', value: (r) => r.lines },
    { key: 'jlResult', width: 128, filter: 'multi', options: results, value: (r) => <JlVerdict row={r} /> },
    {
      key: 'noticeType',
      width: 140,
      weak: true,
      filter: 'multi',
      options: dicts.options('rectifyNoticeType'),
      value: (r) => r.noticeTypeName,
    },
    {
      key: 'level',
      width: 124,
      weak: true,
      filter: 'multi',
      options: dicts.options('hiddenDangerLevel'),
      value: (r) => r.levelName,
    },
    { key: 'deadline', width: 168, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
    {
      key: 'waitDays',
      width: 92,
      align: 'right',
      keeps: true,
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.waitDays === null ? undefined : r.waitDays),
    },
    {
      key: 'state',
      width: 188,
      keeps: true,
      value: (r) => (
        <>
          <ReplyStateTag state={r.state} /> {r.mustVisit && r.state === 'recheck' && <VisitTag />}
        </>
      ),
    },
  ]
}
