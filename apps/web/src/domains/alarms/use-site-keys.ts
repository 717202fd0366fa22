import { findAlarms } from '@zhugong/contract/alarms/lists'
import { pickDevices } from '@zhugong/contract/equipment/endpoints'
import { findTriggers, ruleBase } from '@zhugong/contract/rules/endpoints'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { effectiveRows } from './effective.ts'
import type { OpenCounts } from './project-keys.tsx'

const everyDevice = 999_999

/** Alarm kinds of the families present on a site, the rule in force for each, and open alarms. */
export function useSiteKeys(projectCode: string) {
  const devices = useCall(pickDevices, { query: { projectCode, size: everyDevice } }, { quiet: true, staleMs: 60_000 })
  const counts = useMemo(() => {
    const byFamily = new Map<string, number>()
    for (const one of devices.data?.list ?? []) byFamily.set(one.family, (byFamily.get(one.family) ?? 0) + 1)
    return byFamily
  }, [devices.data])
  const present = [...counts.keys()].sort().join(',')
  const catalogue = useCall(ruleBase, { query: { family: present, size: 1000 } }, { enabled: present !== '', quiet: true, staleMs: 60_000 })
  const rules = useCall(findTriggers, { query: { projectCode, family: present, size: 1000 } }, { enabled: present !== '', quiet: true })
  const open = useCall(findAlarms, { query: { projectCode, active: true, simulated: false, size: 1000 } }, { quiet: true, everyMs: 30_000 })
  const rows = useMemo(
    () => effectiveRows(catalogue.data?.list ?? [], rules.data?.list ?? [], projectCode),
    [catalogue.data, rules.data, projectCode],
  )
  const openByKey = useMemo<OpenCounts>(() => {
    const found = new Map<string, { count: number; level: number }>()
    for (const one of open.data?.list ?? []) {
      const key = `${one.family}.${one.alarmKey}`
      const before = found.get(key)
      found.set(key, { count: (before?.count ?? 0) + 1, level: Math.min(before?.level ?? 4, one.level) })
    }
    return found
  }, [open.data])
  return {
    counts,
    devices: devices.data?.list ?? [],
    rows,
    openByKey,
    /** Number of alarms not recovered; undefined while loading. */
    open: open.data?.total,
    error: devices.error ?? catalogue.error ?? rules.error,
    loading: devices.isPending || (present !== '' && (catalogue.isPending || rules.isPending)),
    refetch: () => void Promise.all([devices.refetch(), catalogue.refetch(), rules.refetch()]),
  }
}
