import { listPlaces } from '@zhugong/contract/places/places'
import { useCall } from '#kit/call.ts'
import type { Option } from '#kit/list-state.ts'

/** The units of the works of a site, also without network. */
export function useUnits(projectCode: string): Option[] {
  const { data } = useCall(
    listPlaces,
    { query: { projectCode } },
    { quiet: true, offline: true, enabled: projectCode !== '' && projectCode !== '*' },
  )
  return (data?.list ?? []).flatMap(({ unitId, name, archived }) => (unitId && !archived ? [{ value: unitId, label: name }] : []))
}
