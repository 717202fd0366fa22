import type { UnitRow } from '@zhugong/contract/labour/model'
import { setUnitTime } from '@zhugong/contract/labour/units'
import { useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'

const { Field } = formOf(setUnitTime)

/** Sets the entry date of a unit, or its exit, which requires that its teams and people have left; shows who is still there. */
export function UnitTimeDrawer({ unit, leaves, onClose }: { unit: UnitRow; leaves: boolean; onClose: () => void }) {
  const act = useAct(setUnitTime, { success: leaves ? `${unit.corpName}已退场` : '进场日期已保存', onDone: onClose })
  const today = day(Date.now())
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title={leaves ? '单位退场' : '进场日期'}
      remark={unit.corpName}
      saveText={leaves ? '办理退场' : '保存'}
      initial={{ id: unit.id, entryTime: unit.entryTime, exitTime: leaves ? today : undefined }}
      input={(body) => ({ body: { ...body, exitTime: leaves ? body.exitTime : null } })}
      onClose={onClose}
    >
      {leaves && (unit.teamCount ?? 0) + (unit.onSite ?? 0) > 0 && (
        <Notice tone="warning">
          还有 {unit.teamCount ?? 0} 个班组、{unit.onSite ?? 0} 人在册：先办理人员和班组退场。
        </Notice>
      )}
      {!leaves && unit.exitTime && <Notice tone="info">保存后撤销 {unit.exitTime} 的退场，单位重新在场。</Notice>}
      {leaves ? (
        <Field name="exitTime" label="退场日期" required>
          <DayInput min={unit.entryTime} max={today} />
        </Field>
      ) : (
        <Field name="entryTime" label="进场日期" required>
          <DayInput max={today} />
        </Field>
      )}
    </FormDrawer>
  )
}
