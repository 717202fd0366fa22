import type { ProjectRow } from '@zhugong/contract/organisation/model'
import { assignSupervisor } from '@zhugong/contract/organisation/projects'
import { useAct } from '#kit/call.ts'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'

const { Field } = formOf(assignSupervisor)

export function AssignDrawer({
  rows,
  options,
  onClose,
  onDone,
}: {
  rows: readonly ProjectRow[]
  options: readonly { value: string; label: string }[]
  onClose: () => void
  onDone: () => void
}) {
  const act = useAct(assignSupervisor, { success: `已指派 ${rows.length} 个项目`, onDone })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="指派监督机构"
      remark={rows.length === 1 ? rows[0]?.name : `${rows.length} 个项目`}
      initial={{ projectCodes: rows.map((r) => r.projectCode) }}
      onClose={onClose}
    >
      <Field name="govCode" label="监督机构" help="指派后由该机构监督，原机构不再收到提醒">
        <Choice options={options} />
      </Field>
    </FormDrawer>
  )
}
