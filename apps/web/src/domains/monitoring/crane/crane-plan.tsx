import type { Site } from '@zhugong/contract/monitoring/site'
import { useMemo } from 'react'
import { dark } from '#kit/colors.ts'
import { charWidth } from '#kit/format.ts'
import {
  type CraneShape,
  carried,
  type Encounter,
  grown,
  type Motion,
  type Point,
  type Pose,
  reach,
  reachOnPlan,
} from '../crane-geometry.ts'
import { isMoving, type MachineStatus, toneColors } from '../crane-state.ts'
import { Bearings, Ground, GroundNames, namesOf, PlanView, type Projection, pathOf, Words } from '../plan-view.tsx'
import { boundsOf, middleOf } from '../site.ts'
import { placeChips } from './labels.ts'

export interface DrawnCrane {
  shape: CraneShape
  /** Position at the common instant; undefined without data. */
  pose: Pose | undefined
  motion: Motion
  shown: MachineStatus
  /** Data older than three intervals: drawn dashed and grey, without motion. */
  stale: boolean
}

export interface CranePlanProps {
  site: Site
  cranes: readonly DrawnCrane[]
  /** Animated positions. */
  poses: ReadonlyMap<string, Pose>
  selected: string | undefined
  encounter: Encounter | undefined
  warnM: number
  /** Reason why no clearance is shown. */
  degraded: string | undefined
  onSelect: (id: string) => void
}

const chipText = ({ shape, shown: status }: DrawnCrane) =>
  status.tone === 'fine' || status.tone === 'warning' || status.tone === 'alarm' ? `${shape.jibHeight} m` : status.word

/** A sector from one bearing to another, clockwise. */
function sector(centre: Point, radius: number, from: number, to: number): string {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) / 6))
  const rad = Math.PI / 180
  const arc = Array.from({ length: steps + 1 }, (_, i): Point => {
    const angle = (from + ((to - from) * i) / steps) * rad
    return [centre[0] + radius * Math.sin(angle), centre[1] - radius * Math.cos(angle)]
  })
  return pathOf([centre, ...arc], true)
}

export function CranePlan(props: CranePlanProps) {
  const { site, cranes, degraded } = props
  // The view is fitted to what does not move, so that a slewing jib does not move it.
  const bounds = useMemo(() => {
    const ground = boundsOf(site.fence)
    if (ground) {
      // Jibs reach over the fence, so there is a margin at the sides, where a wide panel has space.
      const room = (ground.right - ground.left) * 0.13
      return { ...ground, left: ground.left - room, right: ground.right + room }
    }
    const around = cranes.flatMap(({ shape }): Point[] => [
      [shape.x - shape.jibLength, shape.y - shape.jibLength],
      [shape.x + shape.jibLength, shape.y + shape.jibLength],
    ])
    return boundsOf(around) ?? { left: 0, right: 200, bottom: 0, top: 140 }
  }, [site, cranes])
  const words = cranes.map(({ shape, shown: status }) => `${shape.label} ${status.word}`).join('，')
  return (
    <PlanView bounds={bounds} label={`塔机平面：${words}`} overlay={degraded && <div className="mon-degraded">{degraded}</div>}>
      {(projection) => (
        <>
          <Ground site={site} projection={projection} />
          <Zones site={site} projection={projection} />
          <Cranes {...props} projection={projection} />
          <Bearings projection={projection} />
        </>
      )}
    </PlanView>
  )
}

function Zones({ site, projection: { at, k } }: { site: Site; projection: Projection }) {
  return (
    <g>
      <pattern id="mon-hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="9" height="9" fill="rgba(255,92,92,.12)" />
        <path d="M0 0v9" stroke={dark.alarm} strokeWidth="2.4" opacity=".55" />
      </pattern>
      {site.zones.map((zone) => {
        const [x, y] = at(middleOf(zone.points))
        return (
          <g key={zone.name}>
            <path d={pathOf(zone.points.map(at), true)} fill="url(#mon-hatch)" stroke={dark.alarm} strokeWidth={1.5} />
            {zone.marginMeters > 0 && (
              <path
                d={pathOf(grown(zone.points, zone.marginMeters).map(at), true)}
                fill="none"
                stroke={dark.alarm}
                strokeDasharray="4 4"
                opacity=".8"
              />
            )}
            {k > 1 && (
              <>
                <Words at={[x, y]} color={dark.ban} weight={600}>
                  禁吊区 · {zone.name}
                </Words>
                <Words at={[x, y + 17]} color={dark.ban} size={12}>
                  预警边距 {zone.marginMeters} m
                </Words>
              </>
            )}
          </g>
        )
      })}
    </g>
  )
}

function Cranes(props: CranePlanProps & { projection: Projection }) {
  const { site, cranes, poses, selected, encounter, warnM, onSelect, projection } = props
  const { at, k, width, height } = projection
  const drawn = cranes.filter((one) => one.pose !== undefined)
  const order = [...drawn].sort((a, b) => Number(a.shape.id === selected) - Number(b.shape.id === selected))
  // Chips follow the reported positions; with the animated ones they would flicker.
  // biome-ignore lint/correctness/useExhaustiveDependencies: by what is reported and how it is seen.
  const chips = useMemo(() => {
    const lines = drawn.flatMap(({ shape, pose }) =>
      pose
        ? [[at(reach(shape, pose.angle + 180, shape.counterJibLength)), at(reach(shape, pose.angle, reachOnPlan(shape, pose)))] as const]
        : [],
    )
    return placeChips(
      order.map((one) => ({
        id: one.shape.id,
        at: at([one.shape.x, one.shape.y]),
        width: 16 + charWidth(`${one.shape.label} ${chipText(one)}`) * 7,
      })),
      lines,
      { width, height },
      namesOf(site, projection).map(({ name, at: [x, y] }) => {
        const wide = charWidth(name) * 6.5
        return { id: name, x: x - wide / 2, y: y - 13, width: wide }
      }),
    )
  }, [cranes, selected, projection])
  const near = encounter && encounter.distance < warnM ? encounter : undefined
  const pick = (id: string) => ({
    'data-hit': true,
    role: 'button',
    tabIndex: 0,
    onClick: () => onSelect(id),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === 'Enter' || event.key === ' ') onSelect(id)
    },
    style: { cursor: 'pointer' },
  })
  return (
    <g>
      {drawn.map(({ shape }) => {
        const [x, y] = at([shape.x, shape.y])
        const chosen = shape.id === selected
        return (
          <circle
            key={shape.id}
            cx={x}
            cy={y}
            r={shape.jibLength * k}
            fill={chosen ? dark.accent : 'none'}
            fillOpacity={0.06}
            stroke={chosen ? dark.accent : dark.edge}
            strokeWidth={chosen ? 1.6 : 1}
            strokeDasharray={chosen ? 'none' : '4 5'}
          />
        )
      })}
      {order.map((crane) => {
        const { shape, motion, shown: status, stale } = crane
        const pose = poses.get(shape.id) ?? crane.pose
        if (!pose) return null
        const chosen = shape.id === selected
        const foot = at([shape.x, shape.y])
        const length = reachOnPlan(shape, pose)
        const moving = isMoving(motion) && !stale && status.tone !== 'offline'
        const limit = chosen ? shape.slewLimit : undefined
        return (
          <g key={shape.id}>
            {limit && (
              <>
                <path
                  d={sector(foot, shape.jibLength * k, limit[0], limit[1] < limit[0] ? limit[1] + 360 : limit[1])}
                  fill={dark.alarm}
                  fillOpacity={0.13}
                  stroke={dark.limit}
                  strokeDasharray="4 4"
                />
                <Words at={at(reach(shape, (limit[0] + limit[1]) / 2 + 22, shape.jibLength * 0.86))} color={dark.limit} size={12}>
                  回转限位 {limit[0]}°–{limit[1]}°
                </Words>
              </>
            )}
            {moving && <Ahead crane={crane} pose={pose} chosen={chosen} length={length} projection={projection} />}
            <Jib crane={crane} pose={pose} chosen={chosen} length={length} projection={projection} />
          </g>
        )
      })}
      <GroundNames site={site} projection={projection} />
      {order.map((crane) => {
        const { shape, shown: status } = crane
        const chip = chips.find((one) => one.id === shape.id)
        if (!chip) return null
        const chosen = shape.id === selected
        const wide = 16 + charWidth(`${shape.label} ${chipText(crane)}`) * 7
        return (
          <g key={shape.id} {...pick(shape.id)} aria-label={`${shape.label} ${chipText(crane)}，${status.word}`}>
            <rect
              x={chip.x}
              y={chip.y}
              width={wide}
              height={20}
              rx={3}
              fill={chosen ? dark.accent : dark.hairline}
              fillOpacity={chosen ? 1 : 0.94}
            />
            <text x={chip.x + 8} y={chip.y + 14.5} fontSize={13} fill={chosen ? dark.ground : dark.text}>
              <tspan fontWeight={600}>{shape.label}</tspan> <tspan fillOpacity={0.9}>{chipText(crane)}</tspan>
            </text>
          </g>
        )
      })}
      {near && <Near encounter={near} cranes={cranes} warnM={warnM} projection={projection} />}
    </g>
  )
}

function Ahead({
  crane: { shape, motion, shown: status },
  pose,
  chosen,
  length,
  projection: { at, k },
}: {
  crane: DrawnCrane
  pose: Pose
  chosen: boolean
  length: number
  projection: Projection
}) {
  const color = toneColors[status.tone]
  const foot = at([shape.x, shape.y])
  const in10 = carried(shape, pose, motion, 10)
  return (
    <g>
      {Math.abs(motion.slew) > 0.15 && <path d={sector(foot, length * k, pose.angle, in10.angle)} fill={color} fillOpacity={0.2} />}
      {[5, 10].map((seconds) => {
        const there = carried(shape, pose, motion, seconds)
        const tip = at(reach(shape, there.angle, reachOnPlan(shape, there)))
        const [bx, by] = at(reach(shape, there.angle, reachOnPlan(shape, there) + 16 / k))
        const hook = at(reach(shape, there.angle, there.radius))
        return (
          <g key={seconds}>
            <path d={pathOf([foot, tip])} stroke={color} strokeWidth={1.6} strokeDasharray="6 5" opacity=".85" />
            <circle cx={hook[0]} cy={hook[1]} r={2.5} fill={color} opacity=".85" />
            {chosen && (
              <Words at={[bx, by + 4]} color={dark.limitWarning} size={12} weight={600}>
                +{seconds} s
              </Words>
            )}
          </g>
        )
      })}
    </g>
  )
}

function Jib({
  crane: { shape, shown: status, stale },
  pose,
  chosen,
  length,
  projection: { at },
}: {
  crane: DrawnCrane
  pose: Pose
  chosen: boolean
  length: number
  projection: Projection
}) {
  const color = stale ? toneColors.offline : toneColors[status.tone]
  const [x, y] = at([shape.x, shape.y])
  const tip = at(reach(shape, pose.angle, length))
  const tail = at(reach(shape, pose.angle + 180, shape.counterJibLength))
  const weight = at(reach(shape, pose.angle + 180, shape.counterJibLength - 3))
  const [hx, hy] = at(reach(shape, pose.angle, pose.radius))
  const wide = chosen ? 4.5 : 3
  return (
    <g strokeLinecap="butt">
      <path d={pathOf([tail, [x, y], tip])} fill="none" stroke={color} strokeWidth={wide} strokeDasharray={stale ? '7 5' : undefined} />
      <path d={pathOf([tail, weight])} stroke={color} strokeWidth={wide + 6} />
      <rect x={x - 6} y={y - 6} width={12} height={12} fill={dark.ground} stroke={color} strokeWidth={2.5} />
      {!stale && (
        <g stroke={color} fill={dark.ground} strokeWidth={2}>
          <circle cx={hx} cy={hy} r={6.5} />
          <path d={`M${hx - 3.5} ${hy}h7M${hx} ${hy - 3.5}v7`} />
        </g>
      )}
    </g>
  )
}

function Near({
  encounter,
  cranes,
  warnM,
  projection: { at, width },
}: {
  encounter: Encounter
  cranes: readonly DrawnCrane[]
  warnM: number
  projection: Projection
}) {
  const [x, y] = at(encounter.at)
  const swinging = cranes.find((one) => (one.shape.id === encounter.a || one.shape.id === encounter.b) && Math.abs(one.motion.slew) > 0.15)
  const line1 = `${encounter.inSeconds === 0 ? '现在相距' : `${encounter.inSeconds} s 后最近`} ${encounter.distance.toFixed(1)} m（预警 ${warnM} m）`
  const line2 = `${encounter.words}${swinging ? `，回转 ${Math.abs(swinging.motion.slew).toFixed(1)} °/s` : ''}`
  const wide = 24 + Math.max(charWidth(line1), charWidth(line2)) * 6.6
  const left = Math.min(width - wide - 60, Math.max(10, x + 50))
  const top = Math.max(12, y - 150)
  return (
    <g>
      <circle cx={x} cy={y} r={13} fill="none" stroke={dark.warning} strokeWidth={2} />
      <circle cx={x} cy={y} r={20} fill="none" stroke={dark.warning} opacity=".6" />
      <path
        d={pathOf([
          [x + 7, y - 12],
          [left + 20, top + 52],
        ])}
        stroke={dark.warning}
      />
      <rect x={left} y={top} width={wide} height={52} rx={3} fill={dark.note} stroke={dark.warning} />
      <text x={left + 10} y={top + 21} fontSize={13} fontWeight={600} fill={dark.limitWarning}>
        {line1}
      </text>
      <text x={left + 10} y={top + 41} fontSize={12} fill={dark.noteText}>
        {line2}
      </text>
    </g>
  )
}
