import { leaveWithTeam, type TeamStayInfo } from '@zhugong/contract/labour/unit-info'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { givenReasons } from './exit-reasons.ts'
import { FailedList } from './failed-list.tsx'

const { Field, useValue } = formOf(leaveWithTeam)

type Stay = Pick<TeamStayInfo, 'id' | 'teamName' | 'entryTime' | 'headcount'>

/** 退场 of a team, after its people or with them on the same day and for the same reason; shows the effect first. */
export function TeamLeaveDrawer({ stay, onClose }: { stay: Stay; onClose: () => void }) {
  const [failed, setFailed] = useState<{ done: number; failed: { id: string; name: string; message: string }[] }>()
  const act = useAct(leaveWithTeam, {
    success: (r) => (r.left ? `${stay.teamName}已退场${r.done ? `，一并退场 ${r.done} 人` : ''}` : `${r.done} 人已退场，班组仍在场`),
    onDone: (r) => (r.left ? onClose() : setFailed(r)),
  })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="班组退场"
      remark={stay.teamName}
      saveText="办理退场"
      initial={{ id: stay.id, exitTime: day(Date.now()), withPeople: false }}
      onClose={onClose}
    >
      {failed && <FailedList result={failed} verb="已退场" />}
      {stay.headcount > 0 && (
        <Notice tone="warning">还有 {stay.headcount} 人在场：可先在人员列表办理，或在此一并退场；工资未结清的仍可继续发放。</Notice>
      )}
      <Field name="exitTime" label="退场日期" required>
        <DayInput min={stay.entryTime} max={day(Date.now())} />
      </Field>
      {stay.headcount > 0 && (
        <Field name="withPeople" valueName="checked">
          <Checkbox>{stay.headcount} 人一并退场，收回门禁</Checkbox>
        </Field>
      )}
      <Reason />
      <Field name="exitAttachments" label="退场附件">
        <Upload max={6} accept="image/*,application/pdf" />
      </Field>
      <Field name="remark" label="备注">
        <LongText rows={2} maxLength={200} />
      </Field>
    </FormDrawer>
  )
}

function Reason() {
  const dicts = useDicts('exitReason')
  const together = useValue('withPeople')
  if (!together) return null
  return (
    <Field name="exitReason" label="人员退场原因" required>
      <Choice options={givenReasons(dicts)} />
    </Field>
  )
}
