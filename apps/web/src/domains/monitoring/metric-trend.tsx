import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { linePoint, lineQuery } from '@zhugong/contract/telemetry/model'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { z } from 'zod'
import { useCall } from '#kit/call.ts'
import { ErrorPanel, Panel } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { paceOf } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { numberIn } from './crane-state.ts'
import { type Readings, useEveryMs } from './family-monitor.tsx'
import { ticksOf } from './gauge.tsx'
import { Trend, type TrendLimit, type TrendPoint, type TrendProps } from './trend.tsx'

/** A call that answers the curve of a family. */
export type LineCall = Endpoint<
  { query: z.input<typeof lineQuery> },
  unknown,
  { list: z.output<typeof linePoint>[]; total: number; bucketSeconds: number }
>

interface MetricTrendProps {
  call: LineCall
  deviceId: string
  metric: string
  title: string
  remark?: ReactNode
  legend: (bucketSeconds: number) => ReactNode
  spanMs: number
  points: number
  readings: Readings
  /** Smallest maximum of the axis, and the margin above the highest point. */
  high: number
  room: number
  /** Further query parameters, such as the cage or the measuring point. */
  ask?: Readonly<Record<string, string>> | undefined
  drawn: Pick<TrendProps, 'limits' | 'ticks' | 'peak' | 'decimals' | 'reference' | 'blocks'>
}

/** The last minutes of one metric: requested once per machine, then extended by live readings. */
export function MetricTrend({
  call,
  deviceId,
  metric,
  title,
  remark,
  legend,
  spanMs,
  points: most,
  readings,
  high,
  room,
  ask,
  drawn,
}: MetricTrendProps) {
  const { reading, now, intervalMs, history } = readings
  const [since] = useState(() => time(Date.now() - spanMs - 60_000))
  const often = useEveryMs(120_000)
  const line = useCall(
    call,
    { query: { ...ask, deviceId, startTime: since, metrics: metric, points: most } },
    { quiet: true, keepPrevious: true, enabled: history === undefined, ...often },
  )
  const arrived = useArrived(deviceId, metric, reading, spanMs)
  const points = useMemo(() => {
    if (history)
      return history.flatMap((one): TrendPoint[] => {
        const value = numberIn(one.values, metric)
        return value === undefined || one.at < now - spanMs ? [] : [{ time: one.at, value }]
      })
    const requested = (line.data?.list ?? []).flatMap((one): TrendPoint[] => {
      const mean = one.v[metric]?.[0]
      return typeof mean === 'number' ? [{ time: one.time, value: mean }] : []
    })
    const last = requested.at(-1)?.time ?? 0
    return [...requested, ...arrived.filter((one) => one.time > last)].sort((a, b) => a.time - b.time)
  }, [line.data, arrived, metric, history, now, spanMs])
  const bucketSeconds = line.data?.bucketSeconds ?? intervalMs / 1_000
  return (
    <Panel title={title} remark={remark} actions={<span className="mon-legend">{legend(Math.round(bucketSeconds))}</span>}>
      {line.error && !line.data ? (
        <ErrorPanel error={line.error} retry={line.refetch} />
      ) : (
        <Trend
          label={title}
          points={points}
          from={now - spanMs}
          to={now}
          high={Math.max(high, ...points.map((one) => one.value + room))}
          gapMs={Math.max(3 * paceOf(reading, intervalMs), bucketSeconds * 2_500)}
          {...drawn}
        />
      )}
    </Panel>
  )
}

function useArrived(deviceId: string, metric: string, reading: Reading | undefined, spanMs: number): readonly TrendPoint[] {
  const [added, setAdded] = useState<{ deviceId: string; points: readonly TrendPoint[] }>({ deviceId, points: [] })
  const value = numberIn(reading?.values, metric)
  const at = reading?.at
  useEffect(() => {
    if (at === undefined || value === undefined) return
    setAdded((known) => {
      const points = known.deviceId === deviceId ? known.points : []
      return { deviceId, points: [...points.filter((one) => one.time > at - spanMs - 60_000 && one.time !== at), { time: at, value }] }
    })
  }, [deviceId, at, value, spanMs])
  return added.deviceId === deviceId ? added.points : []
}

/** The thresholds of a metric for a trend, named 报警 or 预警, with the unit of the metric. */
export const trendLimits = (limits: Readings['limits'], metric: string, span: number, unit: string): TrendLimit[] =>
  ticksOf(limits, metric, span).map(({ at, text, tone }) =>
    tone === 'alarm' ? { at, tone, text: `报警 ${text}${unit}` } : { at, tone: 'warning', text: `预警 ${text}${unit}` },
  )
