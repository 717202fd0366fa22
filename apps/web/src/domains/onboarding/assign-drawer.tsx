import { changeOnboarding, getOnboarding, type ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { onboardingSteps, type StepKey, whole } from '@zhugong/contract/onboarding/steps'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'

const { Field } = formOf(changeOnboarding)

/** Assigns one step, or the whole onboarding of a site, to a person with a deadline. */
export function AssignDrawer({
  row,
  step = whole,
  onClose,
}: {
  row: Pick<ReadinessRow, 'projectCode' | 'name'>
  step?: StepKey | typeof whole
  onClose: () => void
}) {
  const at = { projectCode: row.projectCode }
  const read = useCall(getOnboarding, { params: { id: row.projectCode }, query: at }, { quiet: true, staleMs: 0 })
  const act = useAct(changeOnboarding, { success: '已指派' })
  const title = step === whole ? '指派开通负责人' : `指派：${onboardingSteps[step]}`
  if (!read.data)
    return (
      <PageDrawer open size={420} title={title} onClose={onClose}>
        {read.error ? <ErrorPanel error={read.error} retry={read.refetch} /> : <DetailSkeleton />}
      </PageDrawer>
    )
  const said = step === whole ? read.data.whole : read.data.details.find(({ key }) => key === step)
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={title}
      remark={row.name}
      initial={{ action: 'assign', version: said?.version ?? 0, assigneeId: said?.assigneeId, dueDay: said?.dueDay, note: said?.note }}
      input={(body) => ({ params: { id: step }, query: at, body: { ...body, action: 'assign' as const, version: said?.version ?? 0 } })}
      onClose={onClose}
    >
      <Field name="assigneeId" label="负责人" help="本机构或该项目的人员；清空为不指派">
        <Choice options={read.data.people.map((one) => ({ value: one.id, label: `${one.name}（${one.groupName}）` }))} />
      </Field>
      <Field name="dueDay" label="完成期限">
        <DayInput />
      </Field>
      <Field name="note" label="备注">
        <LongText maxLength={200} />
      </Field>
    </FormDrawer>
  )
}
