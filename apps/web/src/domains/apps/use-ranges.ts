import { everybody, type GrantRow, grantsOf, type RangeRule, updateGrant } from '@zhugong/contract/apps/grant-endpoints'
import { rangePeople } from '@zhugong/contract/apps/range-endpoints'
import { useMemo } from 'react'
import { useAct, useCall } from '#kit/call.ts'

/** Apps of a group, one row each, with their ranges; and the people of the group. */
export function useRanges(groupId: string, appId?: string) {
  const grants = useCall(grantsOf, { query: { groupId, size: 500 } }, { quiet: true, keepPrevious: true, enabled: groupId !== '' })
  const people = useCall(rangePeople, { query: { groupId, appId } }, { quiet: true, keepPrevious: true, enabled: groupId !== '' })
  const save = useAct(updateGrant, { success: '范围已保存，几秒内生效' })
  const list = useMemo(
    () =>
      (grants.data?.list ?? [])
        .filter((grant, i, all) => all.findIndex((one) => one.appId === grant.appId) === i)
        .toSorted((a, b) => a.sort - b.sort || a.appName.localeCompare(b.appName)),
    [grants.data],
  )
  return {
    list,
    people: people.data,
    /** Holders of the selected app's rights; undefined while another app is loading. */
    holders: { ...people, data: people.isPlaceholderData ? undefined : people.data },
    error: grants.error ?? people.error,
    loading: grants.isPending || people.isPending,
    retry: () => Promise.all([grants.refetch(), people.refetch()]),
    saving: save.running,
    save: (grant: GrantRow, range: RangeRule) =>
      save.run({ params: { id: grant.id }, body: { range, rangeVersion: grant.rangeVersion, version: grant.version } }),
  }
}

export const ruleOf = (grant: Pick<GrantRow, 'range'>): RangeRule => grant.range ?? everybody
export const sameRule = (a: RangeRule, b: RangeRule): boolean => JSON.stringify(a) === JSON.stringify(b)
