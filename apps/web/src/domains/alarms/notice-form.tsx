import { isUrgeable } from '@zhugong/contract/alarms/codes'
import { type AlarmRow, getAlarm, listAlarms } from '@zhugong/contract/alarms/endpoints'
import {
  type AlarmUrging,
  isChecked,
  listNotices,
  mostTargets,
  type NoticeKind,
  noticeKinds,
  noticeReceivers,
  noticeState,
  type SiteNotice,
  sendNotice,
  urgingWord,
} from '@zhugong/contract/alarms/notices'
import { hourMs } from '@zhugong/contract/kit/time'
import { Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Notice, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText, TimeInput } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { noticeTone, noticeWord } from './notice-words.ts'

const { Field, useValue } = formOf(sendNotice)

/** Recipient project of a notice, with the row it refers to as text. */
interface NoticeTarget {
  projectCode: string
  deviceId?: string | null
  alarmId?: string | null
  subject: string
  /** The latest supervision order about this alarm. */
  urging?: AlarmUrging | null
}
interface Sending {
  kind: NoticeKind
  targets: readonly NoticeTarget[]
  text: string
  hours: number
}

function NoticeForm({ sending, onClose }: { sending: Sending; onClose: () => void }) {
  const { targets } = sending
  const sites = [...new Set(targets.map((one) => one.projectCode))]
  const projects = sites.length
  const act = useAct(sendNotice, {
    success: (sent) => `已通知 ${sent.projects} 个项目，答复显示在原列表与“现场通知”中`,
    refreshes: [listNotices, listAlarms, getAlarm],
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
        photoWanted: sending.kind === 'supervise',
      }}
      input={(body: BodyOf<typeof sendNotice>) => ({
        query: { projectCode: '*' },
        body: { ...body, targets: targets.map(({ urging: _urging, ...one }) => ({ deviceId: null, alarmId: null, ...one })) },
      })}
      onClose={onClose}
    >
      {targets.map(
        ({ alarmId, urging }) =>
          urging && (
            <Notice key={alarmId} tone="warning">
              {urging.fromGroup} {urging.fromName} {urgingWord(urging)}，期限 {time(urging.deadline)}
            </Notice>
          ),
      )}
      <Field name="kind" label="类型" required>
        <Choice clear={false} options={Object.entries(noticeKinds).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="text" label="内容" required help="进入项目人员的待办，项目答复后显示在原列表">
        <LongText rows={5} maxLength={500} />
      </Field>
      <Field name="deadline" label="期限" required help="过期未办的标为逾期">
        <TimeInput />
      </Field>
      <ReplyFields />
      <Receivers sites={sites} />
    </FormDrawer>
  )
}

/** A supervision order always requires an answer; the sender decides whether it needs a photo. */
function ReplyFields() {
  const kind = useValue('kind')
  return (
    <>
      {kind && !isChecked(kind) && (
        <Field name="replyWanted" label="须答复">
          <Switch />
        </Field>
      )}
      <Field
        name="photoWanted"
        label="答复须附照片"
        help={kind && isChecked(kind) ? '项目答复后由本单位核查：通过，或退回重办' : undefined}
      >
        <Switch />
      </Field>
    </>
  )
}

/** People who will get the notice as a to-do. */
function Receivers({ sites }: { sites: readonly string[] }) {
  const said = useCall(noticeReceivers, { query: { projectCode: sites.join(',') } }, { quiet: true })
  if (!said.data) return <p className="zg-2">{said.error ? '接收人暂时无法查询' : '正在查询接收人'}</p>
  return (
    <div>
      <span className="zg-label">接收人</span>
      {said.data.list.map(({ projectCode, projectName, people }) => (
        <p key={projectCode}>
          {projectName}：{people.length > 0 ? people.join('、') : <span className="tone-danger">没有可答复的人员</span>}
        </p>
      ))}
    </div>
  )
}

/** State of the notice form: whether the caller may send, a function that opens the form, and the form element. */
export function useNoticeForm() {
  const may = useCan(sendNotice)
  const [sending, setSending] = useState<Sending>()
  return {
    may,
    send: setSending,
    form: sending && <NoticeForm sending={sending} onClose={() => setSending(undefined)} />,
  }
}

const targetOf = (row: AlarmRow): NoticeTarget => ({
  projectCode: row.projectCode,
  deviceId: row.deviceId,
  alarmId: row.id,
  subject: `${row.deviceName} ${row.alarmLabel} ${time(row.startTime)}`.slice(0, mostSubject),
  urging: row.urging,
})
const mostSubject = 100

/** Notice about one alarm: a supervision order if it is serious and unsettled, otherwise a reminder. */
export const alarmNotice = (row: AlarmRow): Sending => ({
  kind: isUrgeable(row) ? 'supervise' : 'urge',
  hours: 24,
  text: '请核查告警原因，完成处置后答复。',
  targets: [targetOf(row)],
})

/** One notice about all serious alarms of a site not yet supervised; undefined if there are none. */
export function siteNotice(rows: readonly AlarmRow[]): Sending | undefined {
  const free = rows.filter((row) => isUrgeable(row) && !(row.urging && row.urging.state !== noticeState.accepted)).slice(0, mostTargets)
  return free.length === 0
    ? undefined
    : { kind: 'supervise', hours: 24, text: '请逐条核查一、二级告警原因，完成处置后答复。', targets: free.map(targetOf) }
}

/** State of the supervision order about an alarm, with sender and deadline. */
export function UrgingMark({ urging }: { urging: AlarmUrging | null }) {
  if (!urging) return null
  return (
    <a
      href={hrefOf('/notice', { noticeId: urging.noticeId })}
      title={`${urging.fromGroup} ${urging.fromName} 督办，期限 ${time(urging.deadline)}`}
      onClick={(event) => event.stopPropagation()}
    >
      <Tag tone={noticeTone({ kind: 'supervise', ...urging })}>{urgingWord(urging)}</Tag>
    </a>
  )
}

const mostKnown = 100
/** Returns a function that finds the newest notice by project, device and text of the subject. */
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

/** State of a notice sent from a row. */
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
