import type { AlarmRow } from '@zhugong/contract/alarms/endpoints'
import { listNotices, type NoticeKind, noticeKinds, type SiteNotice, sendNotice } from '@zhugong/contract/alarms/notices'
import { Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, Field, FormDrawer } from '#kit/form.tsx'
import { time } from '#kit/format.ts'
import { Choice, LongText, TimeInput } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { noticeTone, noticeWord } from './notice-words.ts'

/** Whom a notice goes to, and the row it is about in words. */
interface NoticeTarget {
  projectCode: string
  deviceId?: string | null
  alarmId?: string | null
  subject: string
}
interface Sending {
  kind: NoticeKind
  targets: readonly NoticeTarget[]
  text: string
  hours: number
}
const hourMs = 3_600_000

function NoticeForm({ sending, onClose }: { sending: Sending; onClose: () => void }) {
  const { targets } = sending
  const projects = new Set(targets.map((one) => one.projectCode)).size
  const act = useAct(sendNotice, {
    success: (sent) => `已通知 ${sent.projects} 个项目，答复显示在原列表与“现场通知”中`,
    refreshes: [listNotices],
    onDone: onClose,
  })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title={noticeKinds[sending.kind]}
      remark={projects > 1 ? `${targets.length} 项，${projects} 个项目` : targets.map((one) => one.subject).join('、')}
      saveText="发送"
      initial={{
        kind: sending.kind,
        text: sending.text,
        deadline: time(Date.now() + sending.hours * hourMs),
        replyWanted: true,
      }}
      input={(body: BodyOf<typeof sendNotice>) => ({
        query: { projectCode: '*' },
        body: { ...body, targets: targets.map((one) => ({ deviceId: null, alarmId: null, ...one })) },
      })}
      onClose={onClose}
    >
      <Field name="kind" label="类型" required>
        <Choice clear={false} options={Object.entries(noticeKinds).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="text" label="内容" required help="进入项目人员的待办，项目答复后显示在原列表">
        <LongText rows={5} maxLength={500} />
      </Field>
      <Field name="deadline" label="期限" required help="过期未办的标为逾期">
        <TimeInput />
      </Field>
      <Field name="replyWanted" label="须答复">
        <Switch />
      </Field>
    </FormDrawer>
  )
}

/** Sending from a list: what opens the form, the form, and whether the caller may send at all. */
export function useNoticeForm() {
  const may = useCan(sendNotice)
  const [sending, setSending] = useState<Sending>()
  return {
    may,
    send: setSending,
    form: sending && <NoticeForm sending={sending} onClose={() => setSending(undefined)} />,
  }
}

/** A site is asked what it did about one alarm. */
export const alarmNotice = (row: AlarmRow): Sending => ({
  kind: 'supervise',
  hours: 24,
  text: '请核查告警原因，完成处置后答复。',
  targets: [
    {
      projectCode: row.projectCode,
      deviceId: row.deviceId,
      alarmId: row.id,
      subject: `${row.deviceName} ${row.alarmLabel} ${time(row.startTime)}`,
    },
  ],
})

const mostKnown = 100
/** The newest notice of a row, by its machine and what its subject says. */
export function useNotices(projectCode: string) {
  const all = useCall(listNotices, { query: { projectCode, size: mostKnown } }, { quiet: true, keepPrevious: true })
  const list = all.data?.list ?? []
  return (about: { projectCode?: string; deviceId?: string; says?: string }): SiteNotice | undefined =>
    list.find(
      (one) =>
        (about.projectCode === undefined || one.projectCode === about.projectCode) &&
        (about.deviceId === undefined || one.deviceId === about.deviceId) &&
        (about.says === undefined || one.subject.includes(about.says)),
    )
}

/** How far what was sent from a row has come. */
export function NoticeMark({ notice }: { notice: SiteNotice | undefined }) {
  if (!notice) return null
  const said = [
    `${noticeKinds[notice.kind]} ${time(notice.createTime)}`,
    notice.readTime === null ? '未签收' : `${notice.readName} ${time(notice.readTime)} 签收`,
    `期限 ${time(notice.deadline)}`,
    notice.answer,
  ]
  return (
    <a href={hrefOf('/notice', { noticeId: notice.id })} title={said.filter(Boolean).join('；')}>
      <Tag tone={noticeTone(notice)}>{noticeWord(notice)}</Tag>
    </a>
  )
}
