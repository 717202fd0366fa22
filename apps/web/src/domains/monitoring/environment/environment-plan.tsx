import type { Site } from '@zhugong/contract/monitoring/site'
import { useMemo } from 'react'
import { dark } from '#kit/colors.ts'
import { charWidth } from '#kit/format.ts'
import { compass, type Point, reach } from '../crane-geometry.ts'
import { type MachineStatus, toneColors } from '../crane-state.ts'
import { Bearings, Ground, GroundNames, PlanView, type Projection, pathOf, Words } from '../plan-view.tsx'
import { boundsOf, middleOf } from '../site.ts'

export type SprayState = 'running' | 'standby' | 'dry' | 'offline'
export interface SprayLine {
  id: string
  name: string
  state: SprayState
  word: string
}
export interface StationMark {
  id: string
  label: string
  at: Point
  text: string
  shown: MachineStatus
  stale: boolean
}
export interface Wind {
  speed: number
  /** Degrees from which the wind comes. */
  from: number
}

export const sprayColors: Record<SprayState, string> = { running: dark.water, standby: dark.edge, dry: dark.dry, offline: dark.idle }
export const sprayWordColors: Record<SprayState, string> = {
  running: dark.running,
  standby: dark.label,
  dry: dark.limit,
  offline: dark.gone,
}

export interface EnvironmentPlanProps {
  site: Site
  stations: readonly StationMark[]
  selected: string | undefined
  sprays: readonly SprayLine[]
  wind: Wind | undefined
  windStale: boolean
  onSelect: (id: string) => void
}

/** Plan of stations, spray lines and wind. */
export function EnvironmentPlan(props: EnvironmentPlanProps) {
  const { site, stations, wind, windStale, sprays } = props
  const bounds = useMemo(() => {
    const around = stations.flatMap(({ at: [x, y] }): Point[] => [
      [x - 80, y - 60],
      [x + 80, y + 60],
    ])
    const ground = boundsOf(site.fence) ?? boundsOf(around) ?? { left: 0, right: 200, bottom: 0, top: 140 }
    // Margins: left for the wind, both sides for the names of the lines.
    const wide = ground.right - ground.left
    return { ...ground, left: ground.left - wide * 0.17, right: ground.right + wide * 0.08 }
  }, [site, stations])
  const label = `环境平面：${stations.map((one) => `${one.label} ${one.text}`).join('，')}；喷淋 ${sprays.map((one) => `${one.name}${one.word}`).join('，')}`
  return (
    <PlanView bounds={bounds} label={label} padding={34} overlay={<WindRose wind={wind} stale={windStale} />}>
      {(projection) => (
        <>
          <Ground site={site} projection={projection} />
          <GroundNames site={site} projection={projection} />
          <Sensitive site={site} projection={projection} wind={wind} station={stations.find((one) => one.id === props.selected)} />
          <Sprays site={site} projection={projection} sprays={sprays} />
          <Stations {...props} projection={projection} />
          <Bearings projection={projection} north={false} />
        </>
      )}
    </PlanView>
  )
}

/** No-lift zones are drawn, because they include places sensitive to dust, such as schools. */
function Sensitive({
  site,
  projection: { at },
  wind,
  station,
}: {
  site: Site
  projection: Projection
  wind: Wind | undefined
  station: StationMark | undefined
}) {
  return site.zones.map((zone) => {
    const middle = middleOf(zone.points)
    const [x, y] = at(middle)
    const bearing = station ? (Math.atan2(middle[0] - station.at[0], middle[1] - station.at[1]) * 180) / Math.PI : 0
    const off = wind && station ? Math.abs(((bearing - wind.from - 180 + 540) % 360) - 180) : 180
    return (
      <g key={zone.name}>
        <path d={pathOf(zone.points.map(at), true)} fill="rgba(143,179,217,.10)" stroke={dark.label} strokeDasharray="4 4" />
        <Words at={[x, y]} color={dark.noteText} weight={600}>
          {zone.name}
        </Words>
        <Words at={[x, y + 17]} color={dark.label} size={12}>
          {off < 45 ? '下风向，敏感点' : '敏感点'}
        </Words>
      </g>
    )
  })
}

function Sprays({ site, projection: { at, k }, sprays }: { site: Site; projection: Projection; sprays: readonly SprayLine[] }) {
  return site.spray.map((line) => {
    const device = sprays.find((one) => one.name === line.name)
    if (!device) return null
    const color = sprayColors[device.state]
    const points = line.points.map(at)
    const [first] = points
    if (!first) return null
    if (points.length === 1) {
      const [x, y] = first
      return (
        <g key={line.name}>
          {device.state === 'running' && (
            <path
              d={`M${x} ${y}L${x - 30 * k * 0.7} ${y - 26 * k * 0.7}A${28 * k} ${28 * k} 0 0 1 ${x - 4} ${y - 30 * k}Z`}
              fill={dark.water}
              opacity=".3"
            />
          )}
          <circle cx={x} cy={y} r={8} fill={dark.ground} stroke={color} strokeWidth={2} />
          <path d={`M${x - 3.5} ${y + 3.5}l7-7`} stroke={color} strokeWidth={2} />
          <Words at={[x, y + 26]} color={sprayWordColors[device.state]} size={12}>
            {line.name} {device.word}
          </Words>
        </g>
      )
    }
    const middle = points[Math.floor((points.length - 1) / 2)] ?? first
    const next = points[Math.floor((points.length - 1) / 2) + 1] ?? middle
    const across = Math.abs(next[0] - middle[0]) > Math.abs(next[1] - middle[1])
    const x = (middle[0] + next[0]) / 2
    const y = (middle[1] + next[1]) / 2
    const centre = at(middleOf(site.fence.length > 2 ? site.fence : line.points))
    // The name is placed outside the fence, away from the centre.
    const place: Point = across ? [x, y + (y < centre[1] ? -12 : 22)] : [x + (x < centre[0] ? -10 : 10), y]
    return (
      <g key={line.name}>
        <path
          d={pathOf(points)}
          fill="none"
          stroke={color}
          strokeWidth={4}
          strokeLinejoin="round"
          strokeDasharray={device.state === 'dry' || device.state === 'offline' ? '2 5' : undefined}
        />
        {device.state === 'running' && <Jets points={points} centre={centre} />}
        <Words at={place} color={sprayWordColors[device.state]} size={12} anchor={across ? 'middle' : x < centre[0] ? 'end' : 'start'}>
          {line.name} {device.word}
        </Words>
      </g>
    )
  })
}

/** Small water fans on the inner side, every 16 px. */
function Jets({ points, centre }: { points: readonly Point[]; centre: Point }) {
  const jets = points.slice(1).flatMap((to, i): string[] => {
    const from = points[i] ?? to
    const length = Math.hypot(to[0] - from[0], to[1] - from[1])
    const ux = (to[0] - from[0]) / (length || 1)
    const uy = (to[1] - from[1]) / (length || 1)
    const inward = (centre[0] - from[0]) * -uy + (centre[1] - from[1]) * ux > 0 ? 1 : -1
    return Array.from({ length: Math.floor(length / 16) }, (_, n) => {
      const px = from[0] + ux * (n * 16 + 8)
      const py = from[1] + uy * (n * 16 + 8)
      return [-0.5, 0, 0.5]
        .map(
          (side) =>
            `M${px.toFixed(1)} ${py.toFixed(1)}l${((-uy * inward + ux * side) * 11).toFixed(1)} ${((ux * inward + uy * side) * 11).toFixed(1)}`,
        )
        .join('')
    })
  })
  return <path d={jets.join('')} stroke={dark.water} strokeWidth={1.2} opacity=".85" fill="none" />
}

function Stations({
  stations,
  selected,
  wind,
  windStale,
  onSelect,
  projection: { at, k },
}: EnvironmentPlanProps & { projection: Projection }) {
  return stations.map((one) => {
    const [x, y] = at(one.at)
    const chosen = one.id === selected
    const color = one.stale ? dark.stale : toneColors[one.shown.tone]
    const words = `${one.label}  ${one.text}`
    const width = 16 + charWidth(words) * 7
    const plume = chosen && wind && !windStale && !one.stale && wind.speed > 0.3
    // A rough fan downwind, longer in stronger wind; labelled as an estimate.
    const [ax, ay] = at(reach({ x: one.at[0], y: one.at[1] }, (wind?.from ?? 0) + 180 - 20, 26 + (wind?.speed ?? 0) * 8))
    const [bx, by] = at(reach({ x: one.at[0], y: one.at[1] }, (wind?.from ?? 0) + 180 + 20, 26 + (wind?.speed ?? 0) * 8))
    const r = (26 + (wind?.speed ?? 0) * 8) * k
    return (
      <g key={one.id}>
        {plume && (
          <>
            <radialGradient id="mon-plume" gradientUnits="userSpaceOnUse" cx={x} cy={y} r={r}>
              <stop offset="0" stopColor={dark.warning} stopOpacity=".55" />
              <stop offset="1" stopColor={dark.warning} stopOpacity="0" />
            </radialGradient>
            <path d={`M${x} ${y}L${ax} ${ay}A${r} ${r} 0 0 1 ${bx} ${by}Z`} fill="url(#mon-plume)" />
          </>
        )}
        <g
          data-hit
          role="button"
          tabIndex={0}
          aria-label={`${one.label} ${one.text} ${one.shown.word}`}
          className="zg-pointer"
          onClick={() => onSelect(one.id)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === ' ') onSelect(one.id)
          }}
        >
          <circle cx={x} cy={y} r={11} fill={dark.ground} stroke={color} strokeWidth={2.5} />
          <path d={`M${x - 5} ${y + 1}q2.5-4 5-1t5-1`} fill="none" stroke={color} strokeWidth={2} />
          <rect x={x + 17} y={y - 11} width={width} height={22} rx={3} fill={one.stale ? dark.off : chosen ? dark.accent : dark.hairline} />
          <text
            x={x + 25}
            y={y + 4.5}
            fontSize={13}
            fontWeight={chosen ? 600 : 400}
            fill={one.stale ? dark.gone : chosen ? dark.ground : dark.text}
          >
            {words}
          </text>
        </g>
      </g>
    )
  })
}

const forces = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7]
/** Beaufort wind force from m/s. */
export const windForce = (speed: number): number => {
  const at = forces.findIndex((limit) => speed < limit)
  return at < 0 ? 12 : at
}

function WindRose({ wind, stale }: { wind: Wind | undefined; stale: boolean }) {
  const color = stale ? dark.stale : dark.accent
  return (
    <div className="mon-wind">
      <svg
        width="104"
        height="104"
        viewBox="-52 -52 104 104"
        role="img"
        aria-label={wind ? `${compass(wind.from)}风 ${wind.speed.toFixed(1)} 米每秒` : '没有风的读数'}
      >
        <circle r="40" fill={dark.ground} stroke={dark.line} />
        {Array.from({ length: 12 }, (_, i) => (
          <path key={i} d="M0-40v5" stroke={dark.edge} transform={`rotate(${i * 30})`} />
        ))}
        <text y="-42" textAnchor="middle" fontSize="12" fill={dark.label}>
          北
        </text>
        {wind && (
          <g transform={`rotate(${wind.from + 180})`}>
            <path d="M0 26V-18" stroke={color} strokeWidth="4" />
            <path d="M0-30l8 14h-16z" fill={color} />
          </g>
        )}
      </svg>
      <b>{wind ? `${compass(wind.from)} ${wind.speed.toFixed(1)} m/s` : '--'}</b>
      {wind && <span>{stale ? '数据陈旧' : `${windForce(wind.speed)} 级，箭头指向下风`}</span>}
    </div>
  )
}
