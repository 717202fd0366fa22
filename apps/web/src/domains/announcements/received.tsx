import { announcementList, listAnnouncements, markAnnouncements, type NoticeRow } from '@zhugong/contract/announcements/calls'
import { readerStates } from '@zhugong/contract/announcements/model'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { anyProject, minute, paths, ReaderTag, readerOptions } from './words.tsx'
import './announcements.css'

const scope = { ...anyProject, box: 'in' as const }

/** What came to the caller: what is to be signed stands before the rest. */
export function Received({ views }: { views: ReactNode }) {
  const go = useGo()
  const list = useListPage(announcementList, { scope, own: ['tab'], inUrl: true })
  const { data } = useCall(listAnnouncements, { query: { ...scope, size: 1 } }, { quiet: true })
  const mark = useAct(markAnnouncements, {
    success: ({ marked, left }) => (left > 0 ? `已标记 ${marked} 条，${left} 条须签收的请打开办理` : `已标记 ${marked} 条`),
  })
  const counts = data?.counts
  const open = (id: string) => go(paths.detail, { id })
  const figure = (state: 'unread' | 'unsigned' | 'overdue', tone?: 'warning' | 'danger') => ({
    label: readerStates[state],
    value: thousands(counts?.[state]),
    unit: '条',
    tone: counts?.[state] ? tone : undefined,
    href: hrefOf(paths.list, { myState: state }),
  })
  return (
    <ListShell
      titleActions={views}
      strip={<FigureStrip loading={!counts} items={[figure('unread'), figure('unsigned', 'warning'), figure('overdue', 'danger')]} />}
      actions={
        <Button disabled={!counts?.unread} loading={mark.running} onClick={() => void mark.run({ query: anyProject, body: { ids: null } })}>
          全部标为已读
        </Button>
      }
    >
      <DataTable
        list={list}
        columns={useColumns(open)}
        unit="条"
        name="notice-in"
        search={{ key: 'title', placeholder: '标题' }}
        onRow={(row) => open(row.id)}
        rowClass={(row) => (row.myState === 'unread' || row.myState === 'unsigned' ? 'notice-unread' : '')}
        selection={{
          unit: '条',
          actions: (rows) => (
            <Button loading={mark.running} onClick={() => void mark.run({ query: anyProject, body: { ids: rows.map((one) => one.id) } })}>
              标为已读
            </Button>
          ),
        }}
        emptyHint="监管机构、企业和项目发给您的通知会出现在这里"
        actions={(row) => [
          { label: row.myState === 'unsigned' || row.myState === 'overdue' ? '签收' : '查看', onClick: () => open(row.id) },
        ]}
      />
    </ListShell>
  )
}

function useColumns(open: (id: string) => void): ColumnOf<typeof announcementList>[] {
  const dicts = useDicts('noticeType')
  return [
    {
      key: 'title',
      width: 360,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r: NoticeRow) => (
        <span className="notice-title">
          <i
            className="dot"
            aria-hidden={r.myState !== 'unread'}
            {...(r.myState === 'unread' ? { 'aria-label': '未读', role: 'img' } : {})}
          />
          {r.top && <span className="notice-top">置顶</span>}
          <button type="button" className="zg-bare zg-link" onClick={() => open(r.id)}>
            {r.title}
          </button>
        </span>
      ),
    },
    { key: 'type', width: 100, filter: 'multi', options: dicts.options('noticeType'), value: (r) => r.typeName },
    { key: 'sender', width: 200, filter: 'text', value: (r) => r.sender },
    { key: 'publishTime', width: 148, sort: true, filter: 'date-range', value: (r) => minute(r.publishTime) },
    {
      key: 'deadline',
      width: 148,
      sort: true,
      filter: 'date-range',
      value: (r) => <span className={r.near ? 'tone-danger' : undefined}>{minute(r.deadline)}</span>,
    },
    {
      key: 'myState',
      width: 108,
      keeps: true,
      filter: 'multi',
      options: readerOptions,
      value: (r) => (r.myState ? <ReaderTag state={r.myState} name={r.myStateName ?? ''} /> : '--'),
    },
  ]
}
