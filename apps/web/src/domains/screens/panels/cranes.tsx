import { useMemo } from 'react'
import { type CallData, seconds, useFeed } from '../hub.ts'
import { Panel } from '../panel.tsx'
import { type PanelProps, useWall } from '../wall-state.ts'
import { alarmsEvery } from './alarms.tsx'
import { DeviceOnline } from './machines.tsx'
import { type Frame, frameOf, pathOf, type XY } from './plane.ts'

const cranesEvery = seconds(4)
type Crane = CallData<'cranes'>['cranes'][number]
const angleOf = (crane: Crane): number | undefined => {
  const slew = crane.latest?.values.slewAngle
  return typeof slew === 'number' ? slew + crane.angleOffset : undefined
}
const numberOf = (crane: Crane, key: string): number | undefined => {
  const value = crane.latest?.values[key]
  return typeof value === 'number' ? value : undefined
}

/** All cranes of the site; the endpoint needs the id of any one of them. */
export function useCranes() {
  const devices = useFeed('devices', seconds(300), { query: { family: 'towerCrane' } })
  const first = devices.data?.list[0]
  const feed = useFeed('cranes', cranesEvery, first ? { params: { id: first.id } } : null)
  return { devices, feed, none: devices.data !== undefined && !first }
}

/** Last bearing by crane in degrees, not limited to 360, so that the animation turns the short way instead of back through north. */
const bearings = new Map<string, number>()
function unwound(id: string, angle: number): number {
  const last = bearings.get(id) ?? angle
  const next = last + ((((angle - last) % 360) + 540) % 360) - 180
  bearings.set(id, next)
  return next
}

interface Jibs {
  cranes: readonly Crane[]
  at: (x: number, y: number) => XY
  k: number
  alarmed: ReadonlyMap<string, number>
}

/** Most serious open alarm of each device, which decides its colour. */
export function levelsOf(alarms: readonly { deviceId: string; level: number }[]): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  for (const one of alarms) levels.set(one.deviceId, Math.min(one.level, levels.get(one.deviceId) ?? 4))
  return levels
}

export function Jibs({ cranes, at, k, alarmed }: Jibs) {
  return cranes.map((crane) => {
    const [x, y] = at(crane.x, crane.y)
    const angle = angleOf(crane)
    const radius = numberOf(crane, 'radius')
    const level = alarmed.get(crane.deviceId)
    const moment = numberOf(crane, 'momentPercent')
    const tone = !crane.online ? 'off' : level && level <= 2 ? 'alarm' : (moment ?? 0) >= 90 ? 'warning' : 'fine'
    return (
      <g key={crane.deviceId} className={`wall-crane wall-crane-${tone}`}>
        <circle className="wall-reach" cx={x} cy={y} r={crane.jibLength * k} />
        {angle !== undefined && (
          <g className="wall-jib" style={turn(x, y, unwound(`${crane.deviceId}`, angle))}>
            <path d={`M0 ${crane.counterJibLength * k}V${-crane.jibLength * k}`} strokeWidth="3" />
            <path d={`M0 ${crane.counterJibLength * k}v-6`} strokeWidth="11" />
            {radius !== undefined && crane.online && <circle className="wall-hook" cx="0" cy={-radius * k} r="5" />}
          </g>
        )}
        <rect className="wall-mast" x={x - 6} y={y - 6} width="12" height="12" />
        <text className="wall-plan-name" x={x + 11} y={y - 10}>
          {crane.name.replace(/塔机|塔吊/, '').trim()} {crane.online ? (moment === undefined ? '--' : `${Math.round(moment)}%`) : '离线'}
        </text>
      </g>
    )
  })
}
const turn = (x: number, y: number, angle: number) => ({ transform: `translate(${x}px, ${y}px) rotate(${angle}deg)` })

const nearest = (cranes: readonly Crane[]): { words: string; meters: number } | undefined => {
  const tip = (crane: Crane): XY | undefined => {
    const angle = angleOf(crane)
    if (angle === undefined || !crane.online) return undefined
    const rad = (angle * Math.PI) / 180
    return [crane.x + crane.jibLength * Math.sin(rad), crane.y + crane.jibLength * Math.cos(rad)]
  }
  const pairs = cranes.flatMap((a, i) =>
    cranes.slice(i + 1).flatMap((b) => {
      const [p, q] = [tip(a), tip(b)]
      return p && q ? [{ words: `${a.name} 与 ${b.name}`, meters: Math.hypot(p[0] - q[0], p[1] - q[1]) }] : []
    }),
  )
  return pairs.sort((a, b) => a.meters - b.meters)[0]
}

/** Plan of all cranes with turning jibs; on a site without cranes, the number of devices online. */
export function CraneGroup(props: PanelProps) {
  const { title, w, h } = props
  const { closed } = useWall()
  const { feed, devices, none } = useCranes()
  const width = w * 238 - 16
  const height = h * 164 - 60
  const alarms = useFeed('alarms', alarmsEvery)
  const levels = useMemo(() => levelsOf(alarms.data?.list ?? []), [alarms.data])
  const cranes = feed.data?.cranes ?? []
  const frame = useMemo(
    () =>
      frameOf(
        cranes.flatMap((c): XY[] => [
          [c.x - c.jibLength, c.y - c.jibLength],
          [c.x + c.jibLength, c.y + c.jibLength],
        ]),
        width,
        height,
      ),
    [cranes, width, height],
  )
  const pair = nearest(cranes)
  if (none && !closed.includes('deviceOnline')) return <DeviceOnline {...props} params={{}} title="设备在线（没有塔机）" />
  return (
    <Panel
      title={title}
      feeds={none ? [devices] : [devices, feed]}
      everyMs={seconds(20)}
      empty={none && '没有塔机'}
      remark={pair && `臂端最近 ${pair.meters.toFixed(0)} m`}
    >
      <svg className="wall-plan" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`群塔平面，${cranes.length} 台`}>
        <Ground plan={feed.data?.plan} frame={frame} />
        <Jibs cranes={cranes} at={frame.at} k={frame.k} alarmed={levels} />
      </svg>
      <p className="wall-note">平台推算，仅供监管，不代替塔机自身保护</p>
    </Panel>
  )
}

function Ground({ plan, frame: { at } }: { plan: CallData<'cranes'>['plan'] | undefined; frame: Frame }) {
  if (!plan) return null
  return (
    <g className="wall-ground">
      {plan.fence.length > 2 && <path className="wall-fence" d={pathOf(plan.fence.map(({ x, y }) => at(x, y)))} />}
      {plan.buildings.map((one) => (
        <path key={one.name} className="wall-building" d={pathOf(one.points.map(({ x, y }) => at(x, y)))} />
      ))}
    </g>
  )
}

/** Side view of one crane at a time. */
export function CraneLive({ title, h }: PanelProps) {
  const { now } = useWall()
  const { feed, devices, none } = useCranes()
  const cranes = feed.data?.cranes ?? []
  const crane = cranes[Math.floor(now / 10_000) % Math.max(1, cranes.length)]
  const rows = [
    ['力矩', 'momentPercent', '%', 0],
    ['吊重', 'load', 't', 1],
    ['幅度', 'radius', 'm', 1],
    ['吊钩高度', 'hookHeight', 'm', 1],
    ['风速', 'windSpeed', 'm/s', 1],
  ] as const
  return (
    <Panel
      title={title}
      feeds={none ? [devices] : [devices, feed]}
      everyMs={seconds(20)}
      empty={none && '没有塔机'}
      remark={crane && `${crane.name}${crane.online ? '' : ' 离线'}`}
    >
      <div className={`wall-rows wall-roomy${crane?.online ? '' : ' wall-old'}`}>
        {rows.slice(0, h > 2 ? 5 : 5).map(([name, key, unit, digits]) => {
          const value = crane && numberOf(crane, key)
          return (
            <div key={key} className="wall-row wall-row-pair">
              <span>{name}</span>
              <b>
                {value === undefined ? '--' : value.toFixed(digits)} <small>{unit}</small>
              </b>
            </div>
          )
        })}
      </div>
    </Panel>
  )
}
