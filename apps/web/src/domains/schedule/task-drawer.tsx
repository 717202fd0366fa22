import { changeSchedule, createScheduleTask, removeScheduleTask, type ScheduleTasks, type TaskRow } from '@zhugong/contract/schedule/calls'
import { Button, Checkbox, Input } from 'antd'
import { useAct } from '#kit/call.ts'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, NumberInput } from '#kit/inputs.tsx'

const { Field, useValue } = formOf(createScheduleTask)

interface TaskDrawerProps {
  projectCode: string
  data: ScheduleTasks
  /** Undefined: a new task. */
  task: TaskRow | undefined
  onClose: () => void
}

/** Adds or changes a task of the plan. */
export function TaskDrawer({ task, ...rest }: TaskDrawerProps) {
  return task ? <Change task={task} {...rest} /> : <Add {...rest} />
}

function Add({ projectCode, data, onClose }: Omit<TaskDrawerProps, 'task'>) {
  const act = useAct(createScheduleTask, { success: '任务已新增' })
  return (
    <FormDrawer
      act={act}
      open
      title="新增任务"
      onClose={onClose}
      initial={{ weight: 0, milestone: false, critical: false }}
      input={(body) => ({ query: { projectCode }, body })}
    >
      <Fields data={data} fresh leaf />
    </FormDrawer>
  )
}

function Change({ projectCode, data, task, onClose }: TaskDrawerProps & { task: TaskRow }) {
  const act = useAct(changeSchedule)
  const removal = useAct(removeScheduleTask, { success: '已删除', onDone: onClose })
  const { name, planStart, planEnd, weight, milestone, critical, corpCode } = task
  return (
    <FormDrawer
      act={{ ...act, body: createScheduleTask.schemas.body, fieldErrors: bare(act.fieldErrors) }}
      open
      title="修改任务"
      remark={`${task.wbs} ${task.name}`}
      onClose={onClose}
      initial={{ name, planStart, planEnd, weight, milestone, critical, corpCode }}
      input={(body) => {
        const { unitId: _unit, parentId: _parent, ...fields } = body as Record<string, unknown>
        const change = { taskId: task.id, planStart, planEnd, ...fields }
        return { query: { projectCode }, body: { action: 'plan' as const, version: data.head?.version ?? 0, changes: [change] } }
      }}
    >
      <Fields data={data} leaf={task.leaf} />
      <div className="zg-span-all">
        <Button
          danger
          loading={removal.running}
          onClick={() =>
            void removal.afterRequesting(
              { thing: `删除 ${task.name}`, consequence: '连同其下级任务一起删除。', verb: '删除' },
              { params: { taskId: task.id }, query: { projectCode } },
            )
          }
        >
          删除任务
        </Button>
      </div>
    </FormDrawer>
  )
}

/** `changes.0.planEnd` stands at the field 计划结束. */
const bare = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([key, text]) => [key.replace(/^changes\.0\./, ''), text]))

function Fields({ data, fresh = false, leaf }: { data: ScheduleTasks; fresh?: boolean; leaf: boolean }) {
  const parent = useValue('parentId')
  return (
    <>
      <Field name="name" label="任务名称" span="all">
        <Input placeholder="例如 12层主体结构" />
      </Field>
      {fresh && (
        <>
          <Field name="parentId" label="上级任务">
            <Choice options={data.list.map((one) => ({ value: one.id, label: `${one.wbs} ${one.name}` }))} />
          </Field>
          {!parent && (
            <Field name="unitId" label="单体">
              <Choice options={data.units.map((one) => ({ value: one.id, label: one.name }))} />
            </Field>
          )}
        </>
      )}
      {leaf && (
        <>
          <Field name="planStart" label="计划开始">
            <DayInput />
          </Field>
          <Field name="planEnd" label="计划结束">
            <DayInput />
          </Field>
        </>
      )}
      <Field name="weight" label="权重" help="同级合计 100">
        <NumberInput unit="%" min={0} max={100} precision={2} />
      </Field>
      <Field name="corpCode" label="责任单位" help="不选为总包单位">
        <Choice options={data.corps.map((one) => ({ value: one.code, label: one.name }))} />
      </Field>
      {leaf && (
        <Field name="milestone" label="里程碑" valueName="checked">
          <Checkbox>是一个节点</Checkbox>
        </Field>
      )}
      <Field name="critical" label="关键" valueName="checked">
        <Checkbox>在关键线路上</Checkbox>
      </Field>
    </>
  )
}
