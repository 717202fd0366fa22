import { ClockCircleOutlined } from '@ant-design/icons'
import type { Limit } from '@zhugong/contract/telemetry/model'
import { dark } from '#kit/colors.ts'
import { measure, span, time } from '#kit/format.ts'

export interface Tick {
  at: number
  text: string
  tone: 'warning' | 'alarm' | 'plain'
  title?: string
}

export interface GaugeProps {
  label: string
  /** Text beside the name: rating, motion. */
  remark?: string | undefined
  value: number | undefined
  unit: string
  decimals?: number
  low?: number
  high: number
  ticks?: readonly Tick[]
  /** Shown as a pointer, for angles. */
  pointer?: boolean
  /** When the value was measured, for its age. */
  at?: number | undefined
  now: number
  stale: boolean
  /** Set if the device doubts its own value: 超量程, 设备故障. */
  doubt?: string | undefined
  tone?: 'fine' | 'warning' | 'alarm'
  /** Mean of the current hour, drawn as a white diamond. */
  mean?: number | undefined
}

const tickColors = { warning: dark.limitWarning, alarm: dark.limit, plain: dark.text }
const valueColors = { fine: dark.bright, warning: dark.warning, alarm: dark.alarm }

/** A bar with limit marks; an outdated value is grey and shows its age. Limits stay visible. */
export function Gauge(props: GaugeProps) {
  const { label, remark, value, unit, decimals = 1, low = 0, high, ticks = [], pointer, at, now, stale, doubt, tone = 'fine', mean } = props
  const share = (n: number) => `${(Math.min(1, Math.max(0, (n - low) / (high - low || 1))) * 100).toFixed(2)}%`
  const grey = stale || doubt !== undefined
  const bar = grey ? dark.edge : tone === 'fine' ? dark.accent : valueColors[tone]
  return (
    <div className="mon-gauge">
      <div className="head">
        <span>{label}</span>
        {stale && at !== undefined ? (
          <span className="mon-age" title={time(at)}>
            <ClockCircleOutlined /> {span(now - at)}前
          </span>
        ) : doubt ? (
          <span className="mon-age">{doubt}</span>
        ) : (
          remark && <span className="remark">{remark}</span>
        )}
        <span
          className="value"
          style={{ color: grey ? dark.stale : valueColors[tone] }}
          {...(value === undefined
            ? {}
            : {
                role: 'meter',
                'aria-label': label,
                'aria-valuemin': Math.min(low, value),
                'aria-valuemax': Math.max(high, value),
                'aria-valuenow': value,
                'aria-valuetext': `${measure(value, decimals)} ${unit}${stale && at !== undefined ? `，${span(now - at)}前` : ''}${doubt ? `，${doubt}` : ''}`,
              })}
        >
          {measure(value, decimals)}
          <small>{unit}</small>
        </span>
      </div>
      <div className="bar">
        {value !== undefined && !pointer && <i style={{ width: share(value), background: bar }} />}
        {value !== undefined && pointer && <em style={{ left: share(value), borderTopColor: bar }} />}
        {mean !== undefined && <b style={{ left: share(mean) }} />}
        {ticks.map((one) => (
          <span
            key={`${one.text}${one.at}`}
            style={{ left: share(one.at), color: tickColors[one.tone] }}
            title={one.title}
            data-side={sideOf(one, ticks, high - low)}
          >
            {one.text}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Placement of close labels: the lower one left of its mark, the upper one right. */
function sideOf(tick: Tick, all: readonly Tick[], span: number): 'left' | 'right' | 'middle' {
  const near = (by: number) => by > 0 && by < span * 0.17
  const above = all.some((other) => near(other.at - tick.at))
  const below = all.some((other) => near(tick.at - other.at))
  return above === below ? 'middle' : above ? 'left' : 'right'
}

/** Marks of a metric from the rules in force; of overlapping ones the more serious is kept. */
export function ticksOf(limits: readonly Limit[], metric: string, span: number, scale = 1): Tick[] {
  const own = limits.filter((one) => one.metric === metric && one.value !== null).sort((a, b) => a.level - b.level)
  const kept: Tick[] = []
  for (const one of own) {
    const at = (one.value ?? 0) * scale
    if (kept.some((other) => Math.abs(other.at - at) < span * 0.045)) continue
    kept.push({
      at,
      text: String(Number(at.toFixed(2))),
      tone: one.level <= 2 ? 'alarm' : 'warning',
      title: `${one.label} ${one.text}（规则 v${one.version}）`,
    })
  }
  return kept
}

/** Tone of a value by the rules in force. */
export function toneAgainst(limits: readonly Limit[], metric: string, value: number | undefined): 'fine' | 'warning' | 'alarm' {
  if (value === undefined) return 'fine'
  const hit = limits
    .filter((one) => one.metric === metric && one.value !== null)
    .filter((one) =>
      one.op.includes('<') ? value <= (one.value ?? 0) : (one.op.startsWith('abs') ? Math.abs(value) : value) >= (one.value ?? 0),
    )
  if (hit.length === 0) return 'fine'
  return Math.min(...hit.map((one) => one.level)) <= 2 ? 'alarm' : 'warning'
}

export const qualityNames: Readonly<Record<string, string>> = {
  outOfRange: '超量程',
  swapped: '经纬度可能填反',
  fault: '设备故障',
  maintenance: '维护校准',
  stale: '过期',
  clockSkew: '时钟偏差',
}
