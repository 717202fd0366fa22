import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { minuteMs } from '@zhugong/contract/kit/time'
import { Segmented } from 'antd'
import { useCallback, useMemo } from 'react'
import { type CallState, useCall } from '#kit/call.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { useNow } from '#kit/live.ts'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { type Period, periodIn, periodQueryOf, periodWords } from './period.ts'
import { replayIn } from './replay.ts'

interface ScopeWish {
  family: string
  /** Default period, as `periodIn` reads it. */
  usual: string
  /** The page shows one machine; default: the first. */
  one?: boolean
}

/** Machine and period of a page; both are URL parameters, so that links can be shared. */
export interface FamilyScope {
  projectCode: string
  family: string
  /** Whether the machines are loaded. */
  settled: boolean
  /** The query for the machines; show no empty state before it has answered. */
  requested: CallState
  devices: readonly { id: string; name: string; projectName: string; projectCode: string }[]
  loading: boolean
  deviceId: string | undefined
  deviceName: string | undefined
  one: boolean
  period: Period
  words: string
  /** Query parameters of the page's calls. */
  query: { projectCode: string; deviceId?: string; startTime: string; endTime?: string }
  /** URL parameters that are not list filters. */
  own: readonly string[]
  put: (values: Readonly<Record<string, string | undefined>>) => void
}

const own = ['deviceId', 'period', 'record', 'compare', 'by'] as const
/** More machines of a family than any company has. */
const mostDevices = 1_000

export function useFamilyScope({ family, usual, one = false }: ScopeWish): FamilyScope {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const now = Math.floor(useNow(minuteMs) / minuteMs) * minuteMs
  const list = useCall(listDevices, { query: { projectCode, family, status: '1', size: mostDevices } }, { quiet: true, staleMs: 300_000 })
  const devices = useMemo(
    () =>
      (list.data?.list ?? [])
        .map(({ id, name, projectName, projectCode: site }) => ({ id, name, projectName, projectCode: site }))
        .sort((a, b) => a.projectName.localeCompare(b.projectName, 'zh') || a.name.localeCompare(b.name, 'zh', { numeric: true })),
    [list.data],
  )
  const wanted = query.get('deviceId') || undefined
  // Until the machines are loaded the URL's machine is assumed to exist.
  const deviceId = list.isPending || devices.some((each) => each.id === wanted) ? wanted : one ? devices[0]?.id : undefined
  const text = query.get('period') ?? usual
  const period = periodIn(text, now) ?? periodIn(usual, now) ?? { from: now - 86_400_000, to: now, text: usual, open: true }
  const { search, path } = page
  const put = useCallback(
    (values: Readonly<Record<string, string | undefined>>) => {
      const next = new URLSearchParams(search)
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) next.delete(name)
        else next.set(name, value)
      }
      next.delete('page')
      go(`${path}${next.size ? `?${next}` : ''}`, {}, { replace: true })
    },
    [go, path, search],
  )
  const { startTime, endTime } = periodQueryOf(period)
  return {
    projectCode,
    family,
    devices,
    settled: !list.isPending,
    requested: list,
    loading: list.isPending,
    deviceId,
    deviceName: devices.find((each) => each.id === deviceId)?.name,
    one,
    period,
    words: periodWords(period),
    query: useMemo(
      () => ({ projectCode, startTime, endTime: endTime || undefined, deviceId: deviceId || undefined }),
      [projectCode, deviceId, startTime, endTime],
    ),
    own,
    put,
  }
}

const periodNames: Readonly<Record<string, string>> = { '1': '今天', '7': '近 7 天', '30': '近 30 天', '90': '近 90 天' }
const free = 'free'

/** Machine and period, first in the toolbar of every page of a family. */
export function ScopeBar({ scope, periods, unit }: { scope: FamilyScope; periods: readonly string[]; unit: string }) {
  const { period, devices, projectCode } = scope
  const moments = replayIn(period.text) !== undefined
  const chosen = periods.includes(period.text) ? period.text : free
  const [from, to] = [day(period.from), day(period.to - 1)]
  const days = (start: string | undefined, end: string | undefined) =>
    start && end && scope.put({ period: `${start},${end < start ? start : end}` })
  return (
    <>
      <span className="fam-device">
        <Choice
          aria-label={unit}
          placeholder={`全部${unit}`}
          clear={!scope.one}
          loading={scope.loading}
          value={scope.deviceId}
          options={devices.map((one) => ({ value: one.id, label: projectCode === '*' ? `${one.projectName} ${one.name}` : one.name }))}
          onChange={(id) => scope.put({ deviceId: id, record: undefined })}
        />
      </span>
      <Segmented
        aria-label="时间"
        value={chosen}
        options={[
          ...periods.map((value) => ({ value, label: periodNames[value] ?? value })),
          { value: free, label: moments ? '指定时段' : '自选' },
        ]}
        onChange={(value) => scope.put({ period: value === free ? `${from},${to}` : String(value), record: undefined })}
      />
      {chosen === free && (
        <span className="fam-days">
          {moments ? (
            <span title={scope.words}>{scope.words}</span>
          ) : (
            <>
              <DayInput aria-label="开始日期" value={from} onChange={(value) => days(value, to)} />
              至
              <DayInput aria-label="结束日期" value={to} onChange={(value) => days(from, value)} />
            </>
          )}
        </span>
      )}
    </>
  )
}
