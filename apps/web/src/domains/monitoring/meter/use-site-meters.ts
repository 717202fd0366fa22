import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { findSettlements } from '@zhugong/contract/monitoring/meter/meter-lists'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { numberIn, toneColors } from '../crane-state.ts'
import { type Desk, type Readings, railOf } from '../family-monitor.tsx'
import type { Node } from './line-diagram.tsx'
import { branchesOf } from './meter-state.ts'

interface Wish {
  kind: 'electric' | 'water'
  /** Metric and unit of the current flow. */
  metric: string
  unit: string
  decimals: number
  /** Text beside a normal state. */
  fine: (values: Readonly<Record<string, unknown>> | undefined) => string
}

/** A site's meters as a tree with current values: rows of the rail and nodes of the diagram. */
export function useSiteMeters(desk: Desk, seen: Readings, { kind, metric, unit, decimals, fine }: Wish) {
  const sheet = useCall(
    findSettlements,
    { query: { projectCode: desk.projectCode, groupBy: 'meter,month', kind, size: 500 } },
    { quiet: true, keepPrevious: true, staleMs: 300_000 },
  )
  const rail = railOf(desk, seen, (row, reading) => ({
    label: row.name,
    note: row.installPlace ?? row.modelName ?? row.deviceSn,
    fine: fine(reading?.values),
  }))
  const rows = sheet.data?.list
  // Meters not yet in service are not part of the tree.
  const inUse = useMemo(() => desk.live.devices.filter((row) => row.status === deviceStatus.inUse), [desk.live.devices])
  const branches = useMemo(() => {
    const known = new Map((rows ?? []).map((one) => [one.deviceId, one]))
    return branchesOf(
      inUse.map((row) => {
        const own = known.get(row.id)
        return { deviceId: row.id, deviceName: row.name, parentId: own?.parentId ?? null, area: own?.area ?? null, usage: own?.usage ?? 0 }
      }),
    )
  }, [rows, inUse])
  const flowOf = (id: string) => numberIn(seen.readings.get(id)?.values, metric)
  const nodeOf = (one: { deviceId: string; deviceName: string; area: string | null }, whole: number | undefined): Node => {
    const row = rail.find(({ id }) => id === one.deviceId)
    const flow = flowOf(one.deviceId)
    const tone = row?.status.tone ?? 'none'
    return {
      id: one.deviceId,
      label: one.deviceName.replace(/(?<=..)(电表|水表)$/, ''),
      area: one.area,
      value: flow === undefined ? '--' : `${flow.toFixed(decimals)} ${unit}`,
      word: row?.status.word ?? '尚无数据',
      color: toneColors[tone],
      share: flow === undefined || !whole ? 0 : Math.min(1, Math.max(0, flow / whole)),
      isAway: tone === 'offline' || tone === 'none',
    }
  }
  const flow = branches.reduce((sum, { meter }) => sum + (flowOf(meter.deviceId) ?? 0), 0)
  const own = branches.find(({ meter, below }) => meter.deviceId === desk.selected || below.some((one) => one.deviceId === desk.selected))
  const branch = own ?? branches[0]
  // Without submeters all meters are drawn side by side.
  const isFlat = branches.every(({ below }) => below.length === 0)
  const whole = (!isFlat && branch && flowOf(branch.meter.deviceId)) || flow
  const drawn = isFlat ? branches.map(({ meter }) => meter) : (branch?.below ?? [])
  return {
    rail,
    branch,
    main: isFlat || !branch ? undefined : nodeOf(branch.meter, whole),
    below: drawn.map((one) => nodeOf(one, whole)),
    flow,
    monthUsage: branches.reduce((sum, { meter }) => sum + meter.usage, 0),
    settled: rows !== undefined,
  }
}
