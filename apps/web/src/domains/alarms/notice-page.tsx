import {
  actOnNotice,
  listNotices,
  noticeKinds,
  noticeList,
  noticeState,
  noticeStates,
  type SiteNotice,
} from '@zhugong/contract/alarms/notices'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Pairs, Tag } from '#kit/feedback.tsx'
import { type BodyOf, Field, FormDrawer } from '#kit/form.tsx'
import { time } from '#kit/format.ts'
import { LongText, Upload } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { noticeTone, noticeWord } from './notice-words.ts'

const boxes = { all: '全部', in: '收到的', out: '发出的' } as const
const optionsOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))

const boxOf = (text: string | null): 'in' | 'out' | undefined => (text === 'in' || text === 'out' ? text : undefined)

/** What was asked of which site, who took it in, what it answered, and what is late? */
export default function NoticePage() {
  const projectCode = useProjectCode()
  const page = usePage()
  const go = useGo()
  const asked = usePageQuery()
  const box = boxOf(asked.get('box'))
  const scope: { projectCode: string; box?: 'in' | 'out' } = { projectCode, box: box || undefined }
  const list = useListPage(noticeList, { scope, own: ['box', 'noticeId'], inUrl: true, defaultSort: '-createTime' })
  const head = useCall(listNotices, { query: { ...scope, size: 1 } }, { quiet: true, keepPrevious: true })
  const [doing, setDoing] = useState<{ row: SiteNotice; action: 'answer' | 'return' | 'withdraw' }>()
  const opened = asked.get('noticeId')
  const shown = list.rows.find((one) => one.id === opened)
  const put = (changed: Record<string, string | undefined>) =>
    go(page.path, { ...Object.fromEntries(asked), ...changed }, { replace: true })
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
    { key: 'doneTime', width: 148, hidden: true, value: (r) => time(r.doneTime) },
    { key: 'fromGroup', width: 160, weak: true, value: (r) => r.fromGroup },
    { key: 'fromName', width: 84, hidden: true, value: (r) => r.fromName },
  ]
  const counts = head.data?.counts
  return (
    <ListShell
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
          loading={head.isPending}
          items={[
            {
              label: '待答复',
              value: counts?.waiting,
              unit: '条',
              tone: counts?.waiting ? 'warning' : undefined,
              href: hrefOf(page.path, { state: '1' }),
            },
            { label: '未签收', value: counts?.unread, unit: '条' },
            { label: '逾期未办', value: counts?.late, unit: '条', tone: counts?.late ? 'danger' : undefined },
            { label: '已答复', value: counts?.answered, unit: '条', href: hrefOf(page.path, { state: '2' }) },
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
          row.actions.includes('withdraw') && {
            label: '撤回',
            needs: actOnNotice,
            danger: true,
            onClick: () => setDoing({ row, action: 'withdraw' }),
          },
        ]}
      />
      {shown && (
        <NoticeFile row={shown} onAnswer={() => setDoing({ row: shown, action: 'answer' })} onClose={() => put({ noticeId: undefined })} />
      )}
      {doing && <DoingForm {...doing} onClose={() => setDoing(undefined)} />}
    </ListShell>
  )
}

function NoticeFile({ row, onAnswer, onClose }: { row: SiteNotice; onAnswer: () => void; onClose: () => void }) {
  const read = useAct(actOnNotice, { success: '已签收', refreshes: [listNotices] })
  const moment = (at: number | null, by: string | null) => (at === null ? null : `${by ?? ''} ${time(at)}`.trim())
  return (
    <PageDrawer
      open
      size={520}
      title={`${noticeKinds[row.kind]}　${row.projectName}`}
      onClose={onClose}
      extra={
        <>
          {row.actions.includes('read') && (
            <Button
              loading={read.running}
              onClick={() =>
                void read.run({
                  params: { id: row.id },
                  query: { projectCode: row.projectCode },
                  body: { action: 'read', version: row.version },
                })
              }
            >
              签收
            </Button>
          )}
          {row.actions.includes('answer') && (
            <Button type="primary" onClick={onAnswer}>
              答复
            </Button>
          )}
        </>
      }
    >
      <Pairs
        items={[
          { label: '状态', value: <Tag tone={noticeTone(row)}>{noticeWord(row)}</Tag> },
          { label: '期限', value: time(row.deadline) },
          { label: '事由', value: row.subject || null, wide: true },
          { label: '内容', value: row.text, wide: true },
          { label: '发出', value: `${row.fromGroup} ${row.fromName} ${time(row.createTime)}`, wide: true },
          { label: '签收', value: moment(row.readTime, row.readName) ?? '未签收', wide: true },
          {
            label: row.state === noticeState.withdrawn ? '撤回原因' : row.state === noticeState.returned ? '退回原因' : '答复',
            value: row.answer,
            wide: true,
          },
          {
            label: '图片',
            wide: true,
            value:
              row.photos.length === 0
                ? null
                : row.photos.map((src) => <Thumb key={src} src={src} name="答复图片" width={96} height={72} />),
          },
          { label: '办结', value: moment(row.doneTime, row.doneName), wide: true },
        ]}
      />
    </PageDrawer>
  )
}

const titles = { answer: '答复通知', return: '退回通知', withdraw: '撤回通知' } as const
const labels = { answer: '答复', return: '退回原因', withdraw: '撤回原因' } as const
const successes = { answer: '已答复', return: '已退回，发出单位可以看到原因', withdraw: '已撤回，项目可以看到原因' } as const

function DoingForm({ row, action, onClose }: { row: SiteNotice; action: 'answer' | 'return' | 'withdraw'; onClose: () => void }) {
  const act = useAct(actOnNotice, { success: successes[action], refreshes: [listNotices], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title={titles[action]}
      remark={row.text}
      initial={{ photos: [] }}
      input={(body: BodyOf<typeof actOnNotice>) => ({
        params: { id: row.id },
        query: { projectCode: row.projectCode },
        body: { ...body, action, version: row.version },
      })}
      onClose={onClose}
    >
      <Field name="text" label={labels[action]} required={action !== 'answer' || row.replyWanted}>
        <LongText rows={4} maxLength={500} />
      </Field>
      {action === 'answer' && (
        <Field name="photos" label="图片">
          <Upload max={6} maxMb={10} />
        </Field>
      )}
    </FormDrawer>
  )
}
