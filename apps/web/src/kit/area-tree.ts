import { areaTree } from '@zhugong/contract/settings/endpoints'
import { useMemo } from 'react'
import { useCall } from './call.ts'
import { areaOptions, type TreeOption } from './list-state.ts'

/**
 * Administrative divisions to choose from, with the deployment's own names and without disabled ones. The tree is large and rarely needed,
 * so it is requested when the first cascader opens.
 */
export function useAreaTree(wanted: boolean): readonly TreeOption[] {
  const { data } = useCall(areaTree, { query: {} }, { quiet: true, enabled: wanted, staleMs: Number.POSITIVE_INFINITY })
  return useMemo(() => areaOptions(data ?? []), [data])
}
