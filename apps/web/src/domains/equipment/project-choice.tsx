import { pickProjects } from '@zhugong/contract/organisation/projects'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { ReadOnly } from '#kit/form.tsx'
import { Choice } from '#kit/inputs.tsx'

/** Project of a record. Users who work for one project cannot choose and see its name. */
export function ProjectChoice({ isFixed = false, ...control }: Control<string> & { isFixed?: boolean }) {
  const { data, isPending } = useCall(pickProjects, { query: { size: 1000 } }, { staleMs: 300_000 })
  if (isFixed) return <ReadOnly value={data?.list.find((one) => one.projectCode === control.value)?.name ?? (isPending ? '' : '本项目')} />
  return (
    <Choice
      {...control}
      clear={false}
      loading={isPending}
      options={(data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
    />
  )
}
