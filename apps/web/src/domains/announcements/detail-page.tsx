import { CheckCircleFilled, PrinterOutlined } from '@ant-design/icons'
import { getAnnouncement, listAnnouncements, type NoticeDetail, signAnnouncement } from '@zhugong/contract/announcements/calls'
import { remindHours, stateOf } from '@zhugong/contract/announcements/model'
import type { NoticeAction } from '@zhugong/contract/announcements/moves'
import { listHomeAlerts, listTodos } from '@zhugong/contract/home/endpoints'
import { Button, Segmented, Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Notice, Pairs } from '#kit/feedback.tsx'
import { storeFile } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { SignSheet } from '#kit/sign-sheet.tsx'
import { signatureFile } from '#kit/signature-pad.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { NoticePaper } from './paper.tsx'
import { Receipts } from './receipts.tsx'
import { useNoticeActs } from './use-notice-acts.ts'
import { anyProject, minute, paths, ReaderTag, StateTag } from './words.tsx'
import './announcements.css'

/** Reader: what is asked of me, and sign. Sender: who has and who has not. */
export default function NoticeDetailPage() {
  const id = usePageQuery().get('id')
  if (!id) return <NothingChosen title="通知详情" thing="通知" one="一条通知" from={{ path: paths.list, name: '通知公告' }} />
  return <Detail key={id} id={id} />
}

function Detail({ id }: { id: string }) {
  const go = useGo()
  const query = usePageQuery()
  const read = useCall(getAnnouncement, { params: { id }, query: { ...anyProject, part: 'receipts' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const opened = file?.myState === 'unread'
  // Opening has read it: the list and the bell count anew.
  useEffect(() => {
    if (opened) refresh(listAnnouncements, listTodos, listHomeAlerts)
  }, [opened])
  const tab = file?.seesReceipts && query.get('tab') === 'receipts' ? 'receipts' : 'text'
  const print = usePrint('noticePaper')
  return (
    <DetailShell
      title={file?.title}
      backTo={paths.list}
      loading={!file}
      error={read.error}
      retry={read.refetch}
      tags={
        file && (
          <>
            <StateTag row={file} />
            {file.myState && file.myState !== 'recalled' && file.myState !== 'unread' && (
              <ReaderTag state={file.myState} name={file.myStateName ?? ''} />
            )}
          </>
        )
      }
      actions={
        file && (
          <>
            {file.seesReceipts && (
              <Segmented
                aria-label="内容"
                value={tab}
                options={[
                  { value: 'text', label: '正文' },
                  { value: 'receipts', label: '回执' },
                ]}
                onChange={(next) =>
                  go(paths.detail, { ...Object.fromEntries(query), tab: next === 'text' ? undefined : next }, { replace: true })
                }
              />
            )}
            <SenderActions file={file} />
            <Button
              icon={<PrinterOutlined />}
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'noticePaper', exportType: 'pdf', query: { ...anyProject, id } } })}
            >
              打印
            </Button>
          </>
        )
      }
    >
      {file && (tab === 'receipts' ? <Receipts file={file} /> : <Text file={file} />)}
    </DetailShell>
  )
}

const primary: readonly string[] = ['publish', 'approve', 'submit']
function SenderActions({ file }: { file: NoticeDetail }) {
  const acts = useNoticeActs()
  return file.actions.map(({ action, label }) => {
    const waits = action === 'remind' && file.urgedUntil !== null
    const button = (
      <Button
        key={action}
        type={primary.includes(action) ? 'primary' : 'default'}
        danger={action === 'recall'}
        disabled={waits}
        loading={acts.running}
        onClick={() => void acts.run(file, action as NoticeAction)}
      >
        {label}
      </Button>
    )
    return waits ? (
      <Tooltip key={action} title={`${minute(file.urgedUntil).slice(5)} 之后可再催办（${remindHours} 小时一次）`}>
        <span>{button}</span>
      </Tooltip>
    ) : (
      button
    )
  })
}

function Text({ file }: { file: NoticeDetail }) {
  const recalled = file.state === stateOf.recalled
  return (
    <div className="zg-scroll notice-page">
      <div className="notice-column">
        {recalled && (
          <Notice tone="danger">
            本通知已于 {minute(file.recallTime)} 撤回：{file.recallReason}
          </Notice>
        )}
        {file.state === stateOf.timed && <Notice tone="info">将于 {minute(file.publishAt)} 自动发布</Notice>}
        {file.myState === 'late' && <Notice tone="info">您在通知发布后加入，可以查看，不需要签收</Notice>}
        <NoticePaper paper={file} instead={recalled && file.content === '' ? <p className="zg-2">正文已收回</p> : undefined} />
        {file.needReceipt && <ReceiptFoot file={file} />}
      </div>
      {file.lines.length > 0 && (
        <aside className="notice-side">
          <Card title="接收范围">
            <Pairs
              items={[
                { label: '范围', value: file.lines.map((line) => line.words).join('；'), wide: true },
                { label: '起草', value: file.createName },
                { label: '签收', value: file.needReceipt ? (file.needSignature ? '需要，手写签名' : '需要') : '不需要' },
                { label: '回执', value: file.all > 0 ? `${file.read}/${file.all} 已读` : '--' },
              ]}
            />
          </Card>
          {file.timeline.length > 0 && (
            <Card title="办理经过">
              <Course lines={file.timeline} />
            </Card>
          )}
        </aside>
      )}
    </div>
  )
}

/** Sticky: the button to sign, and after it who signed and when. */
function ReceiptFoot({ file }: { file: NoticeDetail }) {
  const [signing, setSigning] = useState(false)
  const [storing, setStoring] = useState(false)
  const name = useMe((me) => me.info?.name) ?? ''
  const act = useAct(signAnnouncement, { success: '已签收', refreshes: [listAnnouncements, getAnnouncement, listTodos, listHomeAlerts] })
  const sign = (signature: string | null) => act.run({ params: { id: file.id }, query: anyProject, body: { signature } })
  const store = async (image: string | undefined) => {
    if (!image) return notify.error('请手写签名')
    setStoring(true)
    const stored = await storeFile(signatureFile(`${name}签收`, image)).catch(() => undefined)
    setStoring(false)
    if (stored === undefined) return notify.error('签名没有上传，请再试一次')
    if (await sign(stored)) setSigning(false)
    return undefined
  }
  if (file.receiptTime)
    return (
      <footer className="notice-foot" data-signed="">
        <CheckCircleFilled className="tone-fine" aria-hidden />
        {file.readerName} 于 {minute(file.receiptTime)} 签收
        {file.signature && <Thumb src={file.signature} name="签名" width={96} height={36} />}
      </footer>
    )
  if (!file.mayReceipt) return null
  return (
    <footer className="notice-foot">
      <span className={file.myState === 'overdue' ? 'tone-danger' : 'zg-2'}>
        {file.myState === 'overdue' ? `已过签收截止时间 ${minute(file.deadline)}，仍可签收` : `请在 ${minute(file.deadline)} 前签收`}
      </span>
      <Button type="primary" loading={act.running} onClick={() => (file.needSignature ? setSigning(true) : void sign(null))}>
        签收
      </Button>
      {signing && (
        <SignSheet
          mode="own"
          title="签收"
          saveText="签收"
          remark={file.title}
          saving={act.running || storing}
          errors={act.fieldErrors}
          onSend={({ image }) => store(image)}
          onClose={() => setSigning(false)}
        />
      )}
    </footer>
  )
}
