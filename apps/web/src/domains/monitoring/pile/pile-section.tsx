import { dark } from '#kit/colors.ts'
import { useSize, Words } from '../plan-view.tsx'
import './pile.css'
import type { Bars, Metre } from './pile-state.ts'

interface SectionProps {
  name: string
  metres: readonly Metre[]
  depth: number | undefined
  designDepth: number | undefined
  /** Percent; positive is to the right. */
  lean: number | undefined
  leanLimit: number
  stale: boolean
  /** Assessment per metre. */
  bars: Bars
}

const axis = 52
const topPx = 64
const foot = 26
/** Inclination is drawn magnified by this factor, and labelled so: true to scale it would be invisible. */
const leanTimes = 8

/** The current pile to scale in depth: ground, tool, design line, inclination, and the assessment per metre. */
export function PileSection(props: SectionProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="mon-plan" ref={ref}>
      {width > 0 && <Drawn {...props} width={width} height={height} />}
    </div>
  )
}

function Drawn(props: SectionProps & { width: number; height: number }) {
  const { name, metres, depth, designDepth, lean, leanLimit, stale, bars: judged, width, height } = props
  const deepest = Math.max(designDepth ?? 0, depth ?? 0, metres.length, 5) * 1.08
  const k = (height - topPx - foot) / deepest
  const y = (m: number) => topPx + m * k
  const middle = axis + (width - axis) * 0.32
  const bars = { left: axis + (width - axis) * 0.58, right: width - 70 }
  const step = deepest > 60 ? 10 : deepest > 25 ? 5 : 2
  const ticks = Array.from({ length: Math.floor(deepest / step) + 1 }, (_, i) => i * step)
  const tip = Math.min(depth ?? 0, deepest)
  const shift = ((lean ?? 0) / 100) * tip * k * leanTimes
  const cone = (leanLimit / 100) * (designDepth ?? tip) * k * leanTimes
  const color = stale ? dark.stale : Math.abs(lean ?? 0) > leanLimit ? dark.alarm : dark.accent
  const { limit, unit, read } = judged
  const most = Math.max((limit ?? 0) * 1.1, 1, ...metres.map((one) => read(one) ?? 0))
  const x = (value: number) => bars.left + (value / most) * (bars.right - bars.left)
  const isWeak = (value: number, whole: boolean) =>
    limit !== undefined && (judged.weak === 'above' ? value > limit : judged.weak === 'below' && whole && value < limit)
  const label = `${name} 剖面，当前深度 ${depth?.toFixed(2) ?? '--'} 米，设计 ${designDepth ?? '--'} 米，垂直度偏差 ${lean?.toFixed(2) ?? '--'} %`
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="pile-section">
      <rect x={axis} y={topPx} width={width - axis} height={height - topPx} className="soil" />
      <line x1={axis} x2={width} y1={topPx} y2={topPx} className="ground" />
      {ticks.map((m) => (
        <g key={m}>
          <line x1={axis} x2={width} y1={y(m)} y2={y(m)} className="grid" />
          <text x={axis - 8} y={y(m) + 4} textAnchor="end" className="mark">
            {m === 0 ? '±0' : `-${m} m`}
          </text>
        </g>
      ))}
      <path d={`M${middle} ${topPx}L${middle - cone} ${y(designDepth ?? tip)}H${middle + cone}Z`} className="cone" />
      {designDepth !== undefined && (
        <>
          <line x1={middle - 120} x2={middle + 120} y1={y(designDepth)} y2={y(designDepth)} className="design" />
          <Words at={[middle + 124, y(designDepth) + 4]} color={dark.limitWarning} size={12} anchor="start">
            设计 {designDepth} m
          </Words>
        </>
      )}
      <g className="rig">
        <path d={`M${middle - 46} ${topPx - 4}h92v-10h-92zM${middle} ${topPx - 14}V8M${middle - 30} ${topPx - 14}L${middle} 12`} />
      </g>
      <path
        d={`M${middle - 11} ${topPx}L${middle - 11 + shift} ${y(tip)}H${middle + 11 + shift}L${middle + 11} ${topPx}Z`}
        className="shaft"
        stroke={color}
      />
      <path d={`M${middle - 13 + shift} ${y(tip)}h26l-13 14z`} fill={color} />
      <Words at={[middle + 26 + shift, y(tip) + 5]} color={color} weight={600} anchor="start">
        {depth === undefined ? '尚无深度' : `${depth.toFixed(2)} m`}
      </Words>
      <Words at={[middle, topPx + 18]} color={dark.label} size={12}>
        偏差放大 {leanTimes} 倍
      </Words>
      <text x={bars.left} y={topPx - 26} className="mark">
        {judged.title} {unit}
      </text>
      {metres.map((one) => {
        const value = read(one)
        return value === null ? (
          <rect
            key={one.from}
            x={bars.left}
            y={y(one.from) + 1}
            width={bars.right - bars.left}
            height={Math.max(2, k - 2)}
            className="missing"
          />
        ) : (
          <rect
            key={one.from}
            x={bars.left}
            y={y(one.from) + 1}
            width={Math.max(1, x(value) - bars.left)}
            height={Math.max(2, k - 2)}
            className="metre"
            data-over={isWeak(value, one.whole)}
          >
            <title>{`${one.from}-${one.from + 1} m：${value.toFixed(0)} ${unit}，垂直度 ${one.lean?.toFixed(2) ?? '--'} %`}</title>
          </rect>
        )
      })}
      {limit !== undefined && (
        <>
          <line x1={x(limit)} x2={x(limit)} y1={topPx - 4} y2={height - foot} className="over" />
          <Words at={[x(limit), topPx - 10]} color={dark.limit} size={12}>
            {limit} {unit}
          </Words>
        </>
      )}
    </svg>
  )
}
