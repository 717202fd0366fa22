import { pickProjects } from '@zhugong/contract/organisation/endpoints'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { ReadOnly } from '#kit/form.tsx'
import { Choice } from '#kit/inputs.tsx'

/** The project a thing stands on; whoever works for one project does not choose. */
export function ProjectChoice({ fixed, ...control }: Control<string> & { fixed?: string | undefined }) {
  const { data, isPending } = useCall(pickProjects, { query: { size: 1000 } }, { enabled: fixed === undefined, staleMs: 300_000 })
  if (fixed !== undefined) return <ReadOnly value={fixed} />
  return (
    <Choice
      {...control}
      clear={false}
      loading={isPending}
      options={(data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
    />
  )
}
