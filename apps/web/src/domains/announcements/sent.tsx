import { PlusOutlined } from '@ant-design/icons'
import { announcementList, createAnnouncement, listAnnouncements, type NoticeRow } from '@zhugong/contract/announcements/calls'
import { stateOf } from '@zhugong/contract/announcements/model'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { ShareBar } from '#kit/filled.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { useNoticeActs } from './use-notice-acts.ts'
import { anyProject, minute, paths, StateTag, stateOptions } from './words.tsx'
import './announcements.css'

const scope = { ...anyProject, box: 'out' as const }
const barPx = 56

/** What the caller's group sent: drafts first, then how far each has been read and signed. */
export function Sent({ views }: { views: ReactNode }) {
  const go = useGo()
  const list = useListPage(announcementList, { scope, own: ['tab'], inUrl: true })
  const { data } = useCall(listAnnouncements, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const acts = useNoticeActs()
  const hrefTo = (more: Record<string, string>) => hrefOf(paths.list, { tab: 'out', ...more })
  const open = (row: NoticeRow) => (row.state === stateOf.draft ? go(paths.edit, { id: row.id }) : go(paths.detail, { id: row.id }))
  return (
    <ListShell
      titleActions={views}
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '草稿', value: thousands(counts?.drafts), unit: '条', href: hrefTo({ state: stateOf.draft }) },
            {
              label: '待审核',
              value: thousands(counts?.submitted),
              unit: '条',
              tone: counts?.submitted ? 'warning' : undefined,
              href: hrefTo({ state: stateOf.submitted }),
            },
            {
              label: '有人未读或未签收',
              value: thousands(counts?.missing),
              unit: '条',
              tone: counts?.missing ? 'warning' : undefined,
              href: hrefTo({ missing: 'true' }),
            },
          ]}
        />
      }
      actions={
        <Can call={createAnnouncement}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.edit)}>
            新建通知
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={useColumns(open)}
        unit="条"
        name="notice-out"
        search={{ key: 'title', placeholder: '标题' }}
        onRow={open}
        filterWords={{ missing: { title: '回执', words: { true: '有人未读或未签收' } } }}
        emptyHint="点“新建通知”，发给管辖范围内的单位和人员"
        actions={(row) => [
          row.state === stateOf.draft
            ? { label: '编辑', onClick: () => go(paths.edit, { id: row.id }) }
            : { label: '回执', onClick: () => go(paths.detail, { id: row.id, ...(row.publishTime ? { tab: 'receipts' } : {}) }) },
          ...acts.of(row),
        ]}
      />
    </ListShell>
  )
}

function Share({ part, whole }: { part: number; whole: number }) {
  if (whole === 0) return <>--</>
  return (
    <span className="notice-share">
      <ShareBar part={part} whole={whole} px={barPx} />
      {thousands(part)}/{thousands(whole)}
    </span>
  )
}

function useColumns(open: (row: NoticeRow) => void): ColumnOf<typeof announcementList>[] {
  const dicts = useDicts('noticeType')
  return [
    {
      key: 'title',
      width: 300,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <span className="notice-title">
          {r.top && <span className="notice-top">置顶</span>}
          <button type="button" className="zg-bare zg-link" onClick={() => open(r)}>
            {r.title}
          </button>
        </span>
      ),
    },
    { key: 'type', width: 92, filter: 'multi', options: dicts.options('noticeType'), value: (r) => r.typeName },
    { key: 'scope', width: 240, weak: true, value: (r) => r.scope || '--' },
    {
      key: 'publishTime',
      width: 156,
      sort: true,
      filter: 'date-range',
      value: (r) => (r.publishTime ? minute(r.publishTime) : r.publishAt ? `定时 ${minute(r.publishAt).slice(5)}` : '--'),
    },
    { key: 'deadline', width: 148, sort: true, hidden: true, filter: 'date-range', value: (r) => minute(r.deadline) },
    { key: 'read', width: 140, value: (r) => <Share part={r.read} whole={r.all} /> },
    { key: 'receipts', width: 140, value: (r) => (r.needReceipt ? <Share part={r.receipts} whole={r.all} /> : '不需签收') },
    { key: 'state', width: 92, keeps: true, filter: 'multi', options: stateOptions, value: (r) => <StateTag row={r} /> },
  ]
}
