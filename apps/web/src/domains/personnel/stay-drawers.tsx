import type { BatchResult } from '@zhugong/contract/labour/model'
import type { StayRow } from '@zhugong/contract/personnel/people-rows'
import { moveWorker, trainWorkers, workerForm } from '@zhugong/contract/personnel/workers'
import { Button, Checkbox, Input } from 'antd'
import type { z } from 'zod'
import { FailedList } from '#domains/labour/public.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, NumberInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'

const { Field, useValue } = formOf(moveWorker, trainWorkers)

/** 登记入场教育 for one or more people. */
export function TrainDrawer({
  people,
  onClose,
  onDone,
}: {
  people: readonly Pick<StayRow, 'id' | 'name'>[]
  onClose: () => void
  /** Reports who was processed and who was refused. */
  onDone: (result: BatchResult) => void
}) {
  const dicts = useDicts('trainingType')
  const act = useAct(trainWorkers, { success: false, onDone: (r) => onDone(r) })
  return (
    <FormDrawer
      open
      act={act}
      schema={(trainWorkers.schemas.body as z.ZodObject).omit({ ids: true })}
      title="登记入场教育"
      remark={people.length === 1 ? people[0]?.name : `${people.length} 人`}
      initial={{ trainingType: '003002', trainDate: day(Date.now()), hours: 8, passed: true }}
      input={(values: Omit<BodyOf<typeof trainWorkers>, 'ids'>) => ({ body: { ...values, ids: people.map((p) => p.id) } })}
      onClose={onClose}
    >
      <Field name="trainingType" label="培训类型" help="入场教育合格，或三级安全教育全部合格，即可进场作业">
        <Choice options={dicts.options('trainingType')} />
      </Field>
      <Field name="trainDate" label="培训日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="hours" label="学时">
        <NumberInput min={0.5} max={200} step={0.5} unit="学时" />
      </Field>
      <Field name="score" label="成绩">
        <NumberInput min={0} max={100} unit="分" />
      </Field>
      <Field name="trainer" label="授课人">
        <Input maxLength={50} />
      </Field>
      <Field name="passed" valueName="checked">
        <Checkbox>考核合格</Checkbox>
      </Field>
    </FormDrawer>
  )
}

/** 调班组: moves a stay to another unit or team. */
export function MoveDrawer({ stay, onClose }: { stay: StayRow; onClose: () => void }) {
  const act = useAct(moveWorker, { success: '已调整' })
  const form = useCall(workerForm, { query: { projectCode: stay.projectCode } }, { quiet: true })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="调班组"
      remark={stay.name}
      initial={{ projectWorkerId: stay.id, corpCode: stay.corpCode, teamId: stay.teamId, workType: stay.workType, version: stay.version }}
      input={(body) => ({ params: { id: stay.workerId }, body })}
      onClose={onClose}
    >
      <MoveFields corps={form.data?.corps ?? []} teams={form.data?.teams ?? []} />
    </FormDrawer>
  )
}

function MoveFields({
  corps,
  teams,
}: {
  corps: readonly { corpCode: string; corpName: string }[]
  teams: readonly { id: string; teamName: string; corpCode: string }[]
}) {
  const dicts = useDicts('workerType')
  const corpCode = useValue('corpCode')
  return (
    <>
      <Field name="corpCode" label="单位">
        <Choice clear={false} options={corps.map((c) => ({ value: c.corpCode, label: c.corpName }))} />
      </Field>
      <Field name="teamId" label="班组">
        <Choice options={teams.filter((t) => t.corpCode === corpCode).map((t) => ({ value: t.id, label: t.teamName }))} />
      </Field>
      <Field name="workType" label="工种" help="改为特种工种后，须有有效的特种作业证才能继续作业">
        <Choice options={dicts.options('workerType')} />
      </Field>
    </>
  )
}

/** Result of a batch action: who was processed and who was refused. */
export function Outcome({ onClose, ...outcome }: { result: BatchResult; verb: string; onClose: () => void }) {
  return (
    <PageModal open width={480} title="办理结果" footer={<Button onClick={onClose}>关闭</Button>} onCancel={onClose}>
      <FailedList {...outcome} />
    </PageModal>
  )
}
