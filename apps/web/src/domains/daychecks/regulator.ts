import { groupTypes } from '@zhugong/contract/access/group-types'
import { useGroupType } from '#kit/me.ts'

/** Of an authority or the platform: the whole course of a check; others see its result. */
export function useIsRegulator(): boolean {
  const type = useGroupType()
  return type === groupTypes.government || type === groupTypes.platform
}
