import { areaTree } from '@zhugong/contract/settings/endpoints'
import { useMemo } from 'react'
import { useCall } from './call.ts'
import { areaOptions, type TreeOption } from './list-state.ts'

/** The divisions that may be chosen, with a deployment's own names and without those it has stopped; large and rarely needed, so asked for when the first cascader opens. */
export function useAreaTree(wanted: boolean): readonly TreeOption[] {
  const { data } = useCall(areaTree, { query: {} }, { quiet: true, enabled: wanted, staleMs: Number.POSITIVE_INFINITY })
  return useMemo(() => areaOptions(data ?? []), [data])
}
