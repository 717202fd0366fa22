import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { changeSchedule, type TaskRow } from '@zhugong/contract/schedule/calls'
import { mostReportPhotos } from '@zhugong/contract/schedule/moves'
import { lateDays } from '@zhugong/contract/schedule/plan'
import { reportTask } from '@zhugong/contract/schedule/unit'
import { Slider } from 'antd'
import { useAct } from '#kit/call.ts'
import { Notice, Pairs } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { Delay, ScheduleTag } from './schedule-words.tsx'

const { Field } = formOf(reportTask)

interface ReportDrawerProps {
  projectCode: string
  task: TaskRow
  mayReport: boolean
  onClose: () => void
}

/** The weekly report of one task; for others what is known of it. */
export function ReportDrawer({ mayReport, ...props }: ReportDrawerProps) {
  if (!mayReport || !props.task.leaf)
    return (
      <PageDrawer open title={props.task.name} onClose={props.onClose}>
        <Known task={props.task} />
        {!props.task.leaf && <Notice tone="info">有下级任务，进度由下级按权重汇总。</Notice>}
      </PageDrawer>
    )
  return props.task.unitId === null ? <OfProject {...props} /> : <OfUnit {...props} unitId={props.task.unitId} />
}

type Report = NonNullable<InputFor<typeof reportTask>['body']>
type FormProps = Omit<ReportDrawerProps, 'mayReport'>
/** Begins with what the construction log says. */
const begin = ({ id, percent, actualStart, actualEnd, proposal }: TaskRow) => ({
  taskId: id,
  percent: proposal?.percent ?? percent,
  actualStart,
  actualEnd,
  photos: [],
})
const success = '进度已填报'

function OfUnit({ projectCode, task, onClose, unitId }: FormProps & { unitId: string }) {
  const act = useAct(reportTask, { success })
  return (
    <FormDrawer
      act={act}
      open
      title="填报进度"
      remark={`${task.unitName ?? ''} ${task.name}`}
      onClose={onClose}
      initial={begin(task)}
      input={(body) => ({ params: { id: unitId }, query: { projectCode }, body: { ...body, taskId: task.id, version: task.version } })}
    >
      <Fields task={task} />
    </FormDrawer>
  )
}

/** A task of the whole project, which belongs to no unit. */
function OfProject({ projectCode, task, onClose }: FormProps) {
  const act = useAct(changeSchedule, { success })
  return (
    <FormDrawer
      act={{ ...act, body: reportTask.schemas.body }}
      open
      title="填报进度"
      remark={task.name}
      onClose={onClose}
      initial={begin(task)}
      input={(body) => ({
        query: { projectCode },
        body: { ...(body as Report), action: 'report' as const, taskId: task.id, version: task.version },
      })}
    >
      <Fields task={task} />
    </FormDrawer>
  )
}

function Known({ task }: { task: TaskRow }) {
  return (
    <Pairs
      items={[
        { label: '状态', value: <ScheduleTag row={task} /> },
        { label: '滞后', value: <Delay days={task.delayDays} /> },
        { label: '计划', value: `${task.planStart} 至 ${task.planEnd}` },
        { label: '基准', value: task.baseStart && `${task.baseStart} 至 ${task.baseEnd}` },
        { label: '实际', value: task.actualStart && `${task.actualStart} 至 ${task.actualEnd ?? '今'}` },
        { label: '计划 / 实际', value: `${task.planPercent}% / ${task.percent}%` },
        { label: '责任单位', value: task.corpName },
        { label: '最近填报', value: task.reportTime?.slice(0, 16) },
        { label: '施工日志建议', value: task.proposal && `${task.proposal.percent}%（${task.proposal.day} ${task.proposal.byName}）` },
        { label: '滞后原因', value: task.delayReason, wide: true },
      ]}
    />
  )
}

function Fields({ task }: { task: TaskRow }) {
  return (
    <>
      <div className="zg-span-all">
        <Known task={task} />
      </div>
      <Field name="percent" label="完成百分比" span="all" help={`上次 ${task.percent}%；按计划应为 ${task.planPercent}%`}>
        <Slider min={0} max={100} />
      </Field>
      <Field name="actualStart" label="实际开始">
        <DayInput />
      </Field>
      <Field name="actualEnd" label="实际结束" help="完成 100% 时填写">
        <DayInput />
      </Field>
      <Field
        name="reason"
        label="原因"
        span="all"
        required={task.delayDays > lateDays && task.delayReason === null}
        help={`滞后超过 ${lateDays} 天，或比上次低时填写`}
      >
        <LongText maxLength={500} />
      </Field>
      <Field name="photos" label="形象照片" span="all">
        <Upload max={mostReportPhotos} camera="environment" />
      </Field>
    </>
  )
}
