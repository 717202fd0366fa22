import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { riskLevels, timeOfDay } from '#kit/format.ts'
import type { AlarmFile } from './alarm-file.ts'

type Pair = [number, number | null]

/** Values of a metric over time. A gap of more than three usual intervals is broken by a null, so that the line is not joined. */
export function curveOf(evidence: AlarmFile['evidence'], metric: string): Pair[] {
  return withGaps(
    evidence.flatMap((one): Point[] => {
      const value = one.values[metric]
      return typeof value === 'number' ? [{ t: one.time, v: value, good: one.quality?.[metric] === undefined }] : []
    }),
  )
}

interface Point {
  t: number
  v: number
  good: boolean
}
function withGaps(points: readonly Point[]): Pair[] {
  const steps = points.slice(1).map((one, i) => one.t - (points[i]?.t ?? one.t))
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  const gap = Math.max(30_000, usual * 3)
  return points.flatMap((one, i): Pair[] => {
    const before = points[i - 1]
    const open: Pair[] = before && one.t - before.t > gap ? [[before.t + 1, null]] : []
    return [...open, [one.t, one.good ? one.v : null]]
  })
}

/** Evidence begins this long before the alarm; the chart shows at least `leastMs`. */
const beforeMs = 120_000
const leastMs = 60_000

/** Pseudo-metric: the clearance between two cranes. */
const clearance = 'clearance'

/** Chart of the metric around the alarm, with start, end and limits of the rule. */
export function EvidenceChart({ file, family }: { file: AlarmFile; family: FamilyView | undefined }) {
  const numeric = useMemo(() => {
    const found = new Set(
      file.evidence.flatMap((one) => Object.entries(one.values).flatMap(([key, value]) => (typeof value === 'number' ? [key] : []))),
    )
    const metrics = [...new Set([file.metric ?? '', ...found])].filter((key) => found.has(key))
    return file.approach?.points.length ? [clearance, ...metrics] : metrics
  }, [file])
  const [chosen, setChosen] = useState<string>()
  // An alarm raised by a state has no metric of its own: the reader chooses one.
  const judged = numeric[0] === clearance ? clearance : file.metric
  const metric = chosen ?? (judged !== null && numeric.includes(judged) ? judged : undefined)
  const field = family?.metrics.find((one) => one.key === metric)
  const unit = metric === clearance ? 'm' : (field?.unit ?? '')
  const option = useMemo(() => (metric ? optionOf(file, metric, metric === judged, unit) : undefined), [file, metric, judged, unit])
  const name = (key: string) =>
    key === clearance
      ? `与 ${file.approach?.otherCrane} 的净距`
      : (family?.metrics.find((one) => one.key === key)?.label ?? (family ? key : '…'))
  const count = metric === clearance ? file.approach?.points.length : file.evidence.length
  return (
    <Card
      title="证据"
      remark={metric ? `${file.deviceName} ${name(metric)}${unit ? `，${unit}` : ''}，${count} 点` : undefined}
      actions={
        numeric.length > (metric ? 1 : 0) ? (
          <Segmented
            size="small"
            value={metric ?? ''}
            options={numeric.slice(0, 4).map((value) => ({ value, label: name(value) }))}
            onChange={(value) => setChosen(String(value))}
          />
        ) : undefined
      }
    >
      {option ? (
        <>
          <Chart option={option} height={248} label={`${name(metric ?? '')} 从触发前 2 分钟到解除的曲线`} />
          {metric === clearance && (
            <p className="zg-2">
              由两台塔机的读数按当时速度前推 {file.approach?.seconds} 秒算出，20 m 以上画作 20 m；任一台没有读数的时段不画
            </p>
          )}
        </>
      ) : (
        <Empty
          small
          text="没有连续读数"
          hint={
            numeric.length > 0
              ? '这种告警由状态触发，可在右上选择一项读数查看当时的变化'
              : file.evidence.length > 0
                ? '这种告警由状态触发，设备没有上报数值'
                : '这段时间的读数已过保留期或没有上报'
          }
        />
      )}
    </Card>
  )
}

function optionOf(file: AlarmFile, metric: string, own: boolean, unit: string): ChartOption {
  const data =
    metric === clearance
      ? withGaps((file.approach?.points ?? []).map(({ time, meters }) => ({ t: time, v: meters, good: true })))
      : curveOf(file.evidence, metric)
  const risk = riskLevels[(file.level in riskLevels ? file.level : 4) as keyof typeof riskLevels]
  const values = data.flatMap(([, v]) => (v === null ? [] : [v]))
  const limits = own ? [file.limitValue, file.clearValue].filter((one) => one !== null) : []
  const low = Math.min(...values, ...limits)
  const high = Math.max(...values, ...limits)
  const room = (high - low || 1) * 0.14
  const end = file.clearTime ?? data.at(-1)?.[0] ?? file.startTime
  const last = data.at(-1)?.[0] ?? end
  const upright = (at: number, text: string, color: string, align: 'left' | 'right') => ({
    xAxis: at,
    lineStyle: { color, type: 'solid', width: 1.2 },
    label: { formatter: text, color, position: 'end', align, rotate: 0, fontWeight: 600, distance: 4 },
  })
  const level = (at: number, text: string, color: string, type: 'dashed' | 'dotted') => ({
    yAxis: at,
    lineStyle: { color, type, width: 1.4 },
    label: { formatter: text, color, position: type === 'dashed' ? 'insideStartTop' : 'insideStartBottom' },
  })
  const peak = own && file.peakValue !== null && file.peakTime !== null
  return {
    grid: { left: 46, right: 18, top: 34, bottom: 26 },
    animation: false,
    tooltip: {
      trigger: 'axis',
      valueFormatter: (value: unknown) => (typeof value === 'number' ? `${Number(value.toFixed(3))} ${unit}` : '--'),
    },
    xAxis: {
      type: 'time',
      axisLabel: { formatter: (at: number) => timeOfDay(at), hideOverlap: true },
      // Start two minutes before the alarm, so that even a single reading gets an axis of minutes instead of days.
      min: Math.min(data[0]?.[0] ?? file.startTime, file.startTime - beforeMs),
      max: Math.max(last, end, file.startTime + leastMs),
    },
    yAxis: {
      type: 'value',
      // A metric without negative values starts at zero.
      min: Number((low >= 0 ? Math.max(0, low - room) : low - room).toFixed(2)),
      max: Number((high + room).toFixed(2)),
      axisLabel: {
        showMinLabel: low < room,
        showMaxLabel: false,
        formatter: (v: number) => String(Number(v.toFixed(high - low < 2 ? 2 : 1))),
      },
    },
    series: [
      {
        type: 'line',
        name: '实际',
        data,
        connectNulls: false,
        symbol: 'emptyCircle',
        symbolSize: 5,
        showSymbol: values.length <= 90,
        lineStyle: { width: 2, color: colors.primary },
        itemStyle: { color: colors.primary },
        markLine: {
          symbol: 'none',
          silent: true,
          data: [
            upright(file.startTime, `${timeOfDay(file.startTime)} 触发`, risk.text, 'right'),
            ...(file.clearTime === null ? [] : [upright(file.clearTime, `${timeOfDay(file.clearTime)} 解除`, colors.fine, 'left')]),
            ...(own && file.limitValue !== null
              ? [level(file.limitValue, `${file.level} 级 ${file.limitValue} ${unit}`, risk.text, 'dashed')]
              : []),
            ...(own && file.clearValue !== null ? [level(file.clearValue, `解除 ${file.clearValue} ${unit}`, colors.fine, 'dotted')] : []),
          ],
        },
        markArea: { silent: true, itemStyle: { color: 'rgba(217,115,13,.10)' }, data: [[{ xAxis: file.startTime }, { xAxis: end }]] },
        markPoint: peak
          ? {
              symbol: 'circle',
              symbolSize: 9,
              itemStyle: { color: colors.orange, borderColor: colors.white, borderWidth: 1.5 },
              label: {
                show: true,
                formatter: `峰值 ${Number((file.peakValue ?? 0).toFixed(2))} ${unit}`,
                position: 'bottom',
                distance: 16,
                color: colors.warning,
                fontWeight: 600,
                backgroundColor: colors.white,
                borderColor: colors.warningLine,
                borderWidth: 1,
                borderRadius: 3,
                padding: [3, 6],
              },
              data: [{ coord: [file.peakTime, file.peakValue] }],
            }
          : undefined,
      },
    ],
  }
}
