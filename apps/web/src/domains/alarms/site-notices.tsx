import { actOnNotice, listNotices, noticeKinds, noticeList, noticeStates, type SiteNotice } from '@zhugong/contract/alarms/notices'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { type Deed, DoingForm, NoticeFile } from './notice-file.tsx'
import { noticeTone, noticeWord } from './notice-words.ts'

const boxes = { all: '全部', in: '收到的', out: '发出的' } as const
const optionsOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))

const boxOf = (text: string | null): 'in' | 'out' | undefined => (text === 'in' || text === 'out' ? text : undefined)

/** Notices to sites: what was asked, who confirmed receipt, what was answered and what is overdue. A tab of the page of notices. */
export function SiteNotices({ views }: { views: ReactNode }) {
  const projectCode = useProjectCode()
  const page = usePage()
  const go = useGo()
  const requested = usePageQuery()
  const box = boxOf(requested.get('box'))
  const scope: { projectCode: string; box?: 'in' | 'out' } = { projectCode, box: box || undefined }
  const list = useListPage(noticeList, { scope, own: ['box', 'noticeId', 'tab'], inUrl: true, defaultSort: '-createTime' })
  const head = useCall(listNotices, { query: { ...scope, size: 1 } }, { quiet: true, keepPrevious: true })
  const [doing, setDoing] = useState<{ row: SiteNotice; action: Deed }>()
  const opened = requested.get('noticeId')
  // The notice a link points to may be on another page of the list.
  const linked = useCall(
    listNotices,
    { query: { projectCode: '*', id: opened ?? undefined, size: 1 } },
    { quiet: true, enabled: opened !== null && !list.rows.some((one) => one.id === opened) },
  )
  const shown =
    opened === null ? undefined : (list.rows.find((one) => one.id === opened) ?? linked.data?.list.find((one) => one.id === opened))
  const put = (changed: Record<string, string | undefined>) =>
    go(page.path, { ...Object.fromEntries(requested), ...changed }, { replace: true })
  const columns: ColumnOf<typeof noticeList>[] = [
    { key: 'createTime', width: 148, locked: true, sort: true, value: (r) => time(r.createTime) },
    ...(projectCode === '*'
      ? [{ key: 'projectName' as const, width: 168, filter: 'text' as const, value: (r: SiteNotice) => r.projectName }]
      : []),
    { key: 'kind', width: 88, filter: 'multi', options: optionsOf(noticeKinds), value: (r) => noticeKinds[r.kind] },
    { key: 'subject', width: 180, filter: 'text', value: (r) => r.subject },
    { key: 'text', width: 220, value: (r) => r.text },
    { key: 'deadline', width: 148, sort: true, value: (r) => time(r.deadline) },
    {
      key: 'state',
      width: 132,
      filter: 'multi',
      options: optionsOf(noticeStates),
      value: (r) => <Tag tone={noticeTone(r)}>{noticeWord(r)}</Tag>,
    },
    { key: 'readTime', width: 160, hidden: true, value: (r) => (r.readTime === null ? '未签收' : `${r.readName} ${time(r.readTime)}`) },
    { key: 'answer', width: 200, value: (r) => r.answer },
    { key: 'checkText', width: 180, hidden: true, value: (r) => r.checkText },
    { key: 'doneTime', width: 148, hidden: true, value: (r) => time(r.doneTime) },
    { key: 'fromGroup', width: 160, weak: true, value: (r) => r.fromGroup },
    { key: 'fromName', width: 84, hidden: true, value: (r) => r.fromName },
  ]
  const counts = head.data?.counts
  return (
    <ListShell
      titleActions={views}
      actions={
        <Segmented
          aria-label="收发"
          value={box ?? 'all'}
          options={optionsOf(boxes)}
          onChange={(next) => put({ box: next === 'all' ? undefined : String(next), page: undefined })}
        />
      }
      strip={
        <FigureStrip
          loading={!head.data}
          items={[
            {
              label: '待答复',
              value: counts?.waiting,
              unit: '条',
              tone: counts?.waiting ? 'warning' : undefined,
              href: hrefOf(page.path, { tab: 'site', state: '1' }),
            },
            {
              label: '督办待核查',
              value: counts?.toCheck,
              unit: '条',
              tone: counts?.toCheck ? 'warning' : undefined,
              href: hrefOf(page.path, { tab: 'site', state: '2', kind: 'supervise' }),
            },
            { label: '未签收', value: counts?.unread, unit: '条' },
            { label: '逾期未办', value: counts?.late, unit: '条', tone: counts?.late ? 'danger' : undefined },
            { label: '已答复', value: counts?.answered, unit: '条', href: hrefOf(page.path, { tab: 'site', state: '2' }) },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        onRow={(row) => put({ noticeId: row.id })}
        emptyHint="监督机构或企业从监测、告警列表发出的通知显示在这里"
        actions={(row) => [
          row.actions.includes('answer') && { label: '答复', needs: actOnNotice, onClick: () => setDoing({ row, action: 'answer' }) },
          row.actions.includes('return') && { label: '退回', needs: actOnNotice, onClick: () => setDoing({ row, action: 'return' }) },
          row.actions.includes('accept') && { label: '通过', needs: actOnNotice, onClick: () => setDoing({ row, action: 'accept' }) },
          row.actions.includes('redo') && { label: '退回重办', needs: actOnNotice, onClick: () => setDoing({ row, action: 'redo' }) },
          row.actions.includes('withdraw') && {
            label: '撤回',
            needs: actOnNotice,
            danger: true,
            onClick: () => setDoing({ row, action: 'withdraw' }),
          },
        ]}
      />
      {shown && (
        <NoticeFile row={shown} onDeed={(action) => setDoing({ row: shown, action })} onClose={() => put({ noticeId: undefined })} />
      )}
      {doing && <DoingForm {...doing} onClose={() => setDoing(undefined)} />}
    </ListShell>
  )
}
