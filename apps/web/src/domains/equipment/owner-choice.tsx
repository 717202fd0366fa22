import { runs } from '@zhugong/contract/kit/project-rights'
import { listUnits } from '@zhugong/contract/labour/units'
import { useCall } from '#kit/call.ts'
import { useCan, useProjectRights } from '#kit/can.tsx'
import type { Control } from '#kit/control.ts'
import { ReadOnly } from '#kit/form.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'

const mostUnits = 200

/**
 * 产权单位: one of the companies of the project; empty means the site itself. A company that does not run the project registers its
 * own devices only and cannot change the owner.
 */
export function OwnerChoice({
  projectCode,
  known,
  value,
  onChange,
  ...control
}: Omit<Control<string>, 'value' | 'onChange'> & {
  projectCode: string | undefined
  /** Current owner. */
  known: { code: string; name: string } | undefined
  value?: string | null
  onChange?: (next: string | null) => void
}) {
  const rights = useProjectRights()
  const ownName = useMe((me) => me.info?.groupName ?? '')
  const isFixed = projectCode !== undefined && !runs(rights, projectCode)
  const maySee = useCan(listUnits)
  const units = useCall(
    listUnits,
    { query: { projectCode: projectCode ?? '', stationed: '1', size: mostUnits } },
    { enabled: maySee && !isFixed && projectCode !== undefined, quiet: true, staleMs: 60_000 },
  )
  const names = new Map((units.data?.list ?? []).map((one) => [one.corpCode, one.corpName ?? one.corpCode]))
  if (known) names.set(known.code, known.name)
  const options = [...names].map(([code, name]) => ({ value: code, label: name }))
  if (isFixed) return <ReadOnly value={known?.name ?? ownName} />
  return (
    <Choice
      {...control}
      placeholder={projectCode === undefined ? '先选择项目' : '项目部自有'}
      disabled={projectCode === undefined || !maySee}
      loading={units.isFetching}
      options={options}
      value={value ?? undefined}
      onChange={(next) => onChange?.(next ?? null)}
    />
  )
}
