import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { rehearseTrigger } from '@zhugong/contract/rules/endpoints'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Segmented, Slider } from 'antd'
import { useMemo, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, RiskBadge } from '#kit/feedback.tsx'
import { span, time } from '#kit/format.ts'
import { Choice, Choices } from '#kit/inputs.tsx'
import type { Draft, DraftLevel } from './condition-words.ts'
import { coverWords } from './rehearsal-cover.ts'
import { noisyPerDay } from './rehearsal-limits.ts'

const shownOpenings = 50

export interface Rehearsed {
  opens: number
  perDay: number
}
/** Time, mean, minimum, maximum. */
type Span = [number, number, number, number]
interface Event {
  event: string
  time: number
  level?: number | undefined
  startTime?: number | undefined
  reason?: string | undefined
  deviceId?: string | undefined
  point?: string | undefined
  until?: number | undefined
}

type RehearsedTrigger = NonNullable<InputFor<typeof rehearseTrigger>['body']>['trigger']

/** Rehearsal of a rule on the stored readings of the last days. */
export function Rehearsal({
  trigger,
  family,
  devices,
  chosen,
  onRehearsed,
  onThreshold,
}: {
  /** Returns the rule for the request; undefined while it is incomplete. */
  trigger: (levels?: readonly DraftLevel[]) => RehearsedTrigger | undefined
  family: FamilyView | undefined
  devices: readonly { id: string; name: string }[]
  chosen: readonly string[]
  onRehearsed: (result: Rehearsed) => void
  onThreshold: (value: number) => void
}) {
  const [days, setDays] = useState(7)
  const [picked, setPicked] = useState<string[]>()
  const [submitted, setSubmitted] = useState<{ from: number; to: number; deviceIds: string[]; levels: readonly DraftLevel[] }>()
  const [shownDevice, setShownDevice] = useState<string>()
  const act = useAct(rehearseTrigger, {
    success: false,
    refreshes: [],
    onDone: (result) => onRehearsed({ opens: result.opens, perDay: result.opens / days }),
  })
  const [result, setResult] = useState<{
    opens: number
    nights: number
    evaluated: number
    events: Event[]
    devices: readonly { deviceId: string; deviceName: string; opens: number; nights: number; series: readonly Span[] }[]
  }>()
  const deviceIds = picked ?? (chosen.length > 0 ? [...chosen] : devices.slice(0, 5).map((d) => d.id))

  const run = async () => {
    const made = trigger()
    if (!made || deviceIds.length === 0) return
    const to = Date.now()
    const from = to - days * dayMs
    const done = await act.run({ body: { trigger: made, samples: { deviceIds, from, to } } })
    if (!done) return
    const { data } = done
    setResult({ ...data, devices: data.devices ?? [] })
    setSubmitted({ from, to, deviceIds, levels: made.levels as DraftLevel[] })
    setShownDevice(worstOf(data.devices ?? [])?.deviceId ?? deviceIds[0])
  }
  const first = submitted?.levels[0]
  const spoken = first && firstMetric(first.condition)
  const metric = typeof spoken?.metric === 'string' ? spoken.metric : undefined
  const field = family?.metrics.find((m) => m.key === metric)
  const threshold = first && typeof first.condition.value === 'number' ? first.condition.value : undefined
  const involved = result?.devices.filter((d) => d.opens > 0).length ?? 0
  const openings = useMemo(() => pairsOf(result?.events ?? []), [result])

  return (
    <Card
      title="试算"
      remark="用已存的读数算一遍，不产生告警"
      actions={
        <Button type="primary" loading={act.running} disabled={deviceIds.length === 0} onClick={() => void run()}>
          试算
        </Button>
      }
    >
      <div className="rule-rehearse-bar">
        <Segmented
          value={days}
          options={[
            { value: 1, label: '近 1 天' },
            { value: 7, label: '近 7 天' },
            { value: 30, label: '近 30 天' },
          ]}
          onChange={(value) => setDays(Number(value))}
        />
        <div className="rule-rehearse-devices">
          <Choices
            aria-label="试算的设备"
            placeholder="全部设备"
            value={deviceIds}
            options={devices.map((d) => ({ value: d.id, label: d.name }))}
            onChange={(next) => setPicked((next ?? []).slice(0, 50))}
          />
        </div>
      </div>
      {devices.length === 0 && <Empty small text={family ? '没有这类设备' : '先选择设备类型'} hint="有设备和数据后可以试算" />}
      {result && submitted && (
        <>
          <Notice tone={result.opens === 0 ? 'info' : result.opens / days > noisyPerDay ? 'danger' : 'fine'}>
            {result.evaluated === 0
              ? '这段时间没有存下读数，试算没有依据'
              : `${days} 天会触发 ${result.opens} 次${result.nights ? `（夜间 ${result.nights} 次）` : ''}，涉及 ${involved} 台，共判定 ${result.evaluated} 个读数${coverWords(submitted, result.devices)}`}
          </Notice>
          {threshold !== undefined && field && (
            <div className="rule-slider">
              <span>阈值</span>
              <Slider
                min={field.typical?.[0] ?? field.min ?? 0}
                max={Math.max(threshold * 1.5, field.typical?.[1] ?? threshold * 1.5)}
                step={10 ** -(field.precision ?? 1)}
                defaultValue={threshold}
                key={threshold}
                tooltip={{ formatter: (v) => `${v} ${field.unit}` }}
                onChangeComplete={(value) => onThreshold(Number(value))}
              />
              <span>
                {threshold} {field.unit}，拖动后再试算
              </span>
            </div>
          )}
          {result.devices.length > 1 && (
            <Choice
              aria-label="曲线的设备"
              clear={false}
              value={shownDevice}
              options={[...result.devices]
                .sort((a, b) => b.opens - a.opens)
                .map((d) => ({ value: d.deviceId, label: `${d.deviceName}，${d.opens} 次` }))}
              onChange={setShownDevice}
            />
          )}
          {shownDevice && (
            <DeviceCurve
              series={result.devices.find((d) => d.deviceId === shownDevice)?.series ?? []}
              metric={metric}
              unit={field?.unit ?? ''}
              from={submitted.from}
              to={submitted.to}
              levels={submitted.levels}
              spells={openings.filter((o) => o.deviceId === undefined || o.deviceId === shownDevice)}
            />
          )}
          {openings.length > 0 && (
            <table className="rule-openings">
              <thead>
                <tr>
                  <th>设备</th>
                  <th>等级</th>
                  <th>报警</th>
                  <th>持续</th>
                </tr>
              </thead>
              <tbody>
                {openings.slice(0, shownOpenings).map((o) => {
                  const unknown = unknownMs(o, submitted.to)
                  return (
                    <tr key={`${o.deviceId}-${o.point}-${o.from}`}>
                      <td>{devices.find((d) => d.id === o.deviceId)?.name ?? '--'}</td>
                      <td>
                        <RiskBadge level={o.level} word={false} />
                      </td>
                      <td title={`${time(o.start)} 开始满足，${time(o.from)} 报警`}>{time(o.from).slice(5)}</td>
                      <td title={o.to === undefined ? undefined : `${time(o.to)} 解除`}>
                        {span((o.to ?? submitted.to) - o.start - unknown)}
                        {unknown > 0 && `，另有 ${span(unknown)}无数据`}
                        {o.to === undefined && '，仍在告警'}
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          )}
          {openings.length > shownOpenings && <div className="rule-help">只列出前 {shownOpenings} 次</div>}
        </>
      )}
    </Card>
  )
}

/** The first part of a condition about a metric, which the chart shows. */
export function firstMetric(condition: Draft): Draft | undefined {
  if (typeof condition.metric === 'string') return condition
  for (const one of condition.of ?? []) {
    const found = firstMetric(one)
    if (found) return found
  }
  return undefined
}

const worstOf = <T extends { opens: number }>(devices: readonly T[]): T | undefined => [...devices].sort((a, b) => b.opens - a.opens)[0]

interface Spell {
  deviceId: string | undefined
  point: string | undefined
  level: number
  start: number
  from: number
  to: number | undefined
  /** Periods within it without readings, in which the condition is unknown. */
  gaps: { from: number; to: number | undefined }[]
}

export const unknownMs = ({ gaps, to }: Spell, end: number) =>
  gaps.reduce((sum, gap) => sum + Math.max(0, Math.min(gap.to ?? end, to ?? end) - gap.from), 0)

/** The parts of an alarm period that have readings. */
export function knownParts({ start, to, gaps }: Spell, end: number): [from: number, to: number][] {
  const edges = [start, ...gaps.flatMap((gap) => [gap.from, gap.to ?? end]), to ?? end]
  return edges.flatMap((from, i): [number, number][] => {
    const until = edges[i + 1]
    return i % 2 === 0 && until !== undefined && until > from ? [[from, until]] : []
  })
}

/** Pairs each opening with the clearing that ended it. */
export function pairsOf(events: readonly Event[]): Spell[] {
  const spells: Spell[] = []
  const open = new Map<string, Spell>()
  for (const event of [...events].sort((a, b) => a.time - b.time)) {
    const key = `${event.deviceId ?? ''} ${event.point ?? ''}`
    if (event.event === 'open') {
      const spell: Spell = {
        deviceId: event.deviceId,
        point: event.point,
        level: event.level ?? 4,
        start: event.startTime ?? event.time,
        from: event.time,
        to: undefined,
        gaps: [],
      }
      spells.push(spell)
      open.set(key, spell)
    } else if (event.event === 'upgrade') {
      const spell = open.get(key)
      if (spell && event.level) spell.level = Math.min(spell.level, event.level)
    } else if (event.event === 'stale') {
      open.get(key)?.gaps.push({ from: event.time, to: event.until })
    } else if (event.event === 'clear') {
      const spell = open.get(key)
      if (spell) spell.to = event.time
      open.delete(key)
    }
  }
  return spells
}

/** A gap of more than this many usual intervals is drawn as unknown. */
const gapSteps = 3

function DeviceCurve(props: {
  series: readonly Span[]
  metric: string | undefined
  unit: string
  from: number
  to: number
  levels: readonly DraftLevel[]
  spells: readonly Spell[]
}) {
  const { metric, series } = props
  const option = useMemo(() => optionOf(props), [props])
  return (
    <>
      {series.length === 0 && (
        <div className="rule-help">
          {metric === undefined
            ? '这条规则不看某个指标的数值，图中只有会触发的时段。'
            : '这段时间没有该指标的有效读数，图中只有会触发的时段。'}
        </div>
      )}
      <Chart option={option} height={260} label="试算期间的读数、阈值与会触发的时段" />
    </>
  )
}

function optionOf(p: {
  metric: string | undefined
  unit: string
  from: number
  to: number
  levels: readonly DraftLevel[]
  spells: readonly Spell[]
  series: readonly Span[]
}): ChartOption {
  // Use the value of each interval that is nearest to the limit.
  const falling = String((p.levels[0] && firstMetric(p.levels[0].condition)?.op) ?? '')
    .replace('abs', '')
    .startsWith('<')
  const values = p.series.map(([t, , least, greatest]) => [t, falling ? least : greatest] as const)
  const steps = values.slice(1).map(([t], i) => t - (values[i]?.[0] ?? t))
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 300_000
  const gaps: [number, number][] = []
  let last = p.from
  for (const [t] of values) {
    if (t - last > usual * gapSteps) gaps.push([last, t])
    last = t
  }
  if (values.length > 0 && p.to - last > usual * gapSteps) gaps.push([last, p.to])
  const data = values.flatMap(([t, v], i) => {
    const before = values[i - 1]
    return before && t - before[0] > usual * gapSteps
      ? [
          [before[0] + 1, null],
          [t, v],
        ]
      : [[t, v]]
  })
  const limits = p.levels.flatMap((l) => {
    const spoken = firstMetric(l.condition)
    // Draw a limit only on the chart of the metric it compares.
    if (!spoken || spoken.metric !== p.metric) return []
    return (['value', 'low', 'high'] as const).flatMap((part) =>
      typeof spoken[part] === 'number' ? [{ yAxis: spoken[part], name: `${l.level} 级` }] : [],
    )
  })
  const clears = p.levels.flatMap((l) => {
    const clear = l.clearValue ?? l.condition.clearValue
    return typeof clear === 'number' ? [{ yAxis: clear, name: '解除' }] : []
  })
  return {
    grid: { left: 48, right: 16, top: 16, bottom: 28 },
    xAxis: { type: 'time', min: p.from, max: p.to },
    yAxis: {
      type: 'value',
      name: p.unit,
      // Include the limits in the axis even if no value came near them.
      min: Math.floor(Math.min(0, ...limits.map((l) => l.yAxis), ...values.map(([, v]) => v ?? 0))),
      max: Math.ceil(Math.max(...limits.map((l) => l.yAxis), ...values.map(([, v]) => v ?? 0), 1) * 1.1),
    },
    tooltip: { trigger: 'axis' },
    series: [
      {
        type: 'line',
        name: falling ? '读数（时段最小）' : '读数（时段最大）',
        showSymbol: false,
        data,
        markLine: {
          symbol: 'none',
          silent: true,
          data: [
            ...limits.map((l) => ({
              ...l,
              lineStyle: { color: colors.danger, type: 'dashed' },
              label: { formatter: '{b}', position: 'insideEndTop' },
            })),
            ...clears.map((l) => ({
              ...l,
              lineStyle: { color: colors.fine, type: 'dotted' },
              label: { formatter: '{b}', position: 'insideEndBottom' },
            })),
          ],
        },
        markArea: {
          silent: true,
          data: [
            ...p.spells
              .flatMap((s) => knownParts(s, p.to))
              .map(([from, to]) => [{ xAxis: from, itemStyle: { color: 'rgba(198,40,40,.18)' } }, { xAxis: to }]),
            // Mark periods without readings as unknown.
            ...gaps.map(([a, b]) => [{ xAxis: a, itemStyle: { color: 'rgba(120,130,150,.16)' }, name: '无数据' }, { xAxis: b }]),
          ],
        },
      },
    ],
  }
}
