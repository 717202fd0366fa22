import { explainSilence, findOfflineSpans, offlineCauses } from '@zhugong/contract/monitoring/crane/crane-lists'
import { useAct } from '#kit/call.ts'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText } from '#kit/inputs.tsx'

const { Field } = formOf(explainSilence)

interface Silence {
  id: string
  deviceName: string
  projectCode: string
  startTime: number
  cause: string
  remark: string | null
}

/** Form for the cause of an offline span. */
export function OfflineNote({ silence, onClose }: { silence: Silence; onClose: () => void }) {
  const act = useAct(explainSilence, { success: '原因已保存', refreshes: [findOfflineSpans] })
  const known = offlineCauses.find((one) => one === silence.cause)
  return (
    <FormDrawer
      open
      narrow
      width={480}
      title="填写离线原因"
      remark={`${silence.deviceName} ${time(silence.startTime)}`}
      act={act}
      initial={{ cause: known, remark: silence.remark ?? undefined }}
      onClose={onClose}
      input={(body: Values) => ({ params: { id: silence.id }, query: { projectCode: silence.projectCode }, body })}
    >
      <Field name="cause" label="原因" required>
        <Choice clear={false} options={offlineCauses.map((value) => ({ value, label: value }))} />
      </Field>
      <Field name="remark" label="说明" required>
        <LongText rows={3} />
      </Field>
    </FormDrawer>
  )
}
