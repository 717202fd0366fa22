import { getAlarm, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { actOnNotice, listNotices, noticeKinds, type SiteNotice } from '@zhugong/contract/alarms/notices'
import { dayMs } from '@zhugong/contract/kit/time'
import { Button } from 'antd'
import { useAct } from '#kit/call.ts'
import { Pairs, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { LongText, TimeInput, Upload } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { noticeTone, noticeWord } from './notice-words.ts'

const { Field } = formOf(actOnNotice)

export type Deed = Exclude<SiteNotice['actions'][number], 'read'>

export function NoticeFile({ row, onDeed, onClose }: { row: SiteNotice; onDeed: (deed: Deed) => void; onClose: () => void }) {
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
            <Button type="primary" onClick={() => onDeed('answer')}>
              答复
            </Button>
          )}
          {row.actions.includes('redo') && <Button onClick={() => onDeed('redo')}>退回重办</Button>}
          {row.actions.includes('accept') && (
            <Button type="primary" onClick={() => onDeed('accept')}>
              通过
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
          { label: '答复须附照片', value: row.photoWanted ? '是' : '否' },
          { label: '退回重办', value: row.redone > 0 ? `${row.redone} 次` : null },
          {
            label: '告警',
            wide: true,
            value: row.alarmId && (
              <a href={hrefOf('/alarm/record', { alarmId: row.alarmId, projectCode: row.projectCode })}>查看告警与处置经过</a>
            ),
          },
        ]}
      />
      <NoticeCourse course={row.course} />
    </PageDrawer>
  )
}

const stepNames: Readonly<Record<string, string>> = {
  send: '发出',
  read: '签收',
  answer: '答复',
  return: '退回',
  withdraw: '撤回',
  accept: '核查通过',
  redo: '退回重办',
}

/** Every round of question and answer; rejected answers stay visible. */
function NoticeCourse({ course }: { course: SiteNotice['course'] }) {
  return (
    <ol className="zg-work-rounds notice-course">
      {course.map((step) => (
        <li key={step.id}>
          <Tag tone={step.action === 'redo' || step.action === 'return' ? 'warning' : step.action === 'accept' ? 'fine' : 'neutral'}>
            {stepNames[step.action] ?? step.action}
          </Tag>{' '}
          <span className="zg-2">
            {step.byGroup} {step.byName} {time(step.time)}
          </span>
          {step.text && <p>{step.text}</p>}
          {step.deadline !== null && <p className="zg-2">期限 {time(step.deadline)}</p>}
          {step.photos.map((src) => (
            <Thumb key={src} src={src} name="答复图片" width={96} height={72} />
          ))}
        </li>
      ))}
    </ol>
  )
}

const titles: Record<Deed, string> = { answer: '答复通知', return: '退回通知', withdraw: '撤回通知', accept: '核查通过', redo: '退回重办' }
const labels: Record<Deed, string> = {
  answer: '答复',
  return: '退回原因',
  withdraw: '撤回原因',
  accept: '核查意见',
  redo: '退回原因和要求',
}
const successes: Record<Deed, string> = {
  answer: '已答复',
  return: '已退回，发出单位可以看到原因',
  withdraw: '已撤回，项目可以看到原因',
  accept: '已通过，督办结束',
  redo: '已退回，项目须在新的期限前重新答复',
}

export function DoingForm({ row, action, onClose }: { row: SiteNotice; action: Deed; onClose: () => void }) {
  const act = useAct(actOnNotice, { success: successes[action], refreshes: [listNotices, listAlarms, getAlarm], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title={titles[action]}
      remark={row.text}
      initial={{ photos: [], ...(action === 'redo' ? { deadline: time(Date.now() + dayMs) } : {}) }}
      input={(body: BodyOf<typeof actOnNotice>) => ({
        params: { id: row.id },
        query: { projectCode: row.projectCode },
        body: { ...body, action, version: row.version },
      })}
      onClose={onClose}
    >
      <Field name="text" label={labels[action]} required={action === 'answer' ? row.replyWanted : action !== 'accept'}>
        <LongText rows={4} maxLength={500} />
      </Field>
      {action === 'answer' && (
        <Field name="photos" label="现场照片" required={row.photoWanted} help={row.photoWanted ? '此通知要求附照片' : undefined}>
          <Upload max={6} maxMb={10} />
        </Field>
      )}
      {action === 'redo' && (
        <Field name="deadline" label="新的期限" required>
          <TimeInput />
        </Field>
      )}
    </FormDrawer>
  )
}
