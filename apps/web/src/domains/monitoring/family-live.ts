import { type AlarmRow, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import { type DeviceRow, listDevices } from '@zhugong/contract/equipment/endpoints'
import { siteOf } from '@zhugong/contract/monitoring/site'
import { actualProject } from '@zhugong/contract/organisation/projects'
import type { ReadingView } from '@zhugong/contract/telemetry/model'
import { liveAlarm, liveAlarmMessage, liveDeviceState } from '@zhugong/contract/telemetry/topics'
import { useEffect, useMemo, useState } from 'react'
import { keyOf, queryClient, refresh, useCall } from '#kit/call.ts'
import { putReading, useLive, useLiveState } from '#kit/live.ts'
import { usePage } from '#kit/page.tsx'
import { soundAlarm, soundOn } from './alarm-sound.ts'

/** Merges a call's reading with live readings. */
export function takeReading(deviceId: string, view: ReadingView | null | undefined): void {
  if (!view) return
  putReading({
    deviceId,
    at: view.time,
    receivedAt: view.receivedAt,
    values: view.values,
    quality: view.quality ?? undefined,
    paceMs: paceIn(view),
  })
}

const paceIn = ({ paceSeconds }: ReadingView) => (paceSeconds == null ? undefined : 1_000 * paceSeconds)

/** Site plan of the project, loaded once. */
export function useSite(projectCode: string) {
  // There is no plan for several projects.
  const enabled = projectCode !== '*'
  const { data, error, isPending, refetch } = useCall(actualProject, { query: { projectCode } }, { quiet: true, staleMs: 600_000, enabled })
  const site = useMemo(() => siteOf(data), [data])
  return { site, error, loading: enabled && isPending, retry: refetch }
}

export interface FamilyLive {
  devices: readonly DeviceRow[]
  loading: boolean
  error: Error | null
  retry: () => unknown
  /** Alarms of the last day, newest first. */
  alarms: readonly AlarmRow[]
  /** False until the alarms have been loaded. */
  alarmsKnown: boolean
  /** Last known online state, by device id. */
  online: ReadonlyMap<string, boolean>
  /** The most serious active alarm, except offline, which the state already shows. */
  openAlarm: (deviceId: string) => { id: string; level: number; label: string } | undefined
  events: readonly { at: number; deviceId: string; online: boolean }[]
}

/** Devices of one family on a site and their alarms, updated by the broker; polled every 10 s while the broker is unavailable. */
export function useFamilyLive(projectCode: string, family: string): FamilyLive {
  const { active } = usePage()
  const state = useLiveState()
  const everyMs = active ? (state === 'online' ? 60_000 : 10_000) : undefined
  const devices = useCall(listDevices, { query: { projectCode, family, with: 'latest', size: 200 } }, { quiet: true, everyMs })
  const alarms = useCall(findAlarms, { query: { projectCode, family, size: 30, sort: '-startTime' } }, { quiet: true, everyMs })
  const open = useCall(findAlarms, { query: { projectCode, family, active: true, size: 100 } }, { quiet: true, everyMs })
  const [heard, setHeard] = useState<readonly { at: number; deviceId: string; online: boolean }[]>([])

  const rows = devices.data?.list
  useEffect(() => {
    for (const row of rows ?? []) takeReading(row.id, row.latest)
  }, [rows])

  useLive(liveAlarm.of({ projectCode }), (message) => {
    const parsed = liveAlarmMessage.safeParse(message)
    if (!parsed.success || parsed.data.family !== family) return
    refresh(listAlarms)
    if (parsed.data.event === 'open' || parsed.data.event === 'upgrade') soundAlarm(parsed.data.level)
  })
  useLive(liveDeviceState.of({ projectCode }), (message) => {
    const parsed = liveDeviceState.schema.safeParse(message)
    if (!parsed.success) return
    const { deviceId, online, time } = parsed.data
    setHeard((now) => [{ at: time, deviceId, online }, ...now].slice(0, 40))
    queryClient.setQueriesData<{ list: DeviceRow[] }>({ queryKey: keyOf(listDevices) }, (known) =>
      known ? { ...known, list: known.list.map((row) => (row.id === deviceId ? { ...row, online } : row)) } : known,
    )
  })

  const opened = useMemo(() => (open.data?.list ?? []).filter((one) => !one.simulated && !one.historical), [open.data])
  return {
    devices: rows ?? [],
    loading: devices.isPending,
    error: devices.data ? null : devices.error,
    retry: devices.refetch,
    alarmsKnown: alarms.data !== undefined,
    alarms: useMemo(() => alarms.data?.list ?? [], [alarms.data]),
    online: useMemo(() => new Map((rows ?? []).map((row) => [row.id, row.online])), [rows]),
    openAlarm: (deviceId) => {
      const own = opened.filter((one) => one.deviceId === deviceId && one.alarmKey !== 'offline')
      const worst = own.reduce<AlarmRow | undefined>((best, one) => (!best || one.level < best.level ? one : best), undefined)
      return worst && { id: worst.id, level: worst.level, label: worst.alarmLabel }
    },
    events: heard,
  }
}

export { soundOn }
