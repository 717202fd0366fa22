import type { MainPage } from '@zhugong/contract/home/endpoints'
import type { SitePlan } from '@zhugong/contract/organisation/site-plan'
import { colors } from '#kit/colors.ts'

type Site = NonNullable<MainPage['site']>
type Machine = Site['machines'][number]

const stateColor: Record<Machine['state'], string> = {
  normal: colors.fine,
  warning: colors.orange,
  alarm: colors.danger,
  offline: colors.text2,
  maintenance: colors.purple,
}
const paddingMetres = 18

/** Plan of the site: fence, buildings, gates, and devices with their state. Coordinates are metres of the site's plane, north up. */
export function SitePicture({ plan, machines }: { plan: SitePlan; machines: readonly Machine[] }) {
  const cranes = machines.filter((m) => m.family === 'towerCrane')
  const others = machines.filter((m) => m.family !== 'towerCrane')
  const reach = cranes.flatMap((c) => [
    [c.x - (c.jibLength ?? 0) * 0.6, c.y - (c.jibLength ?? 0) * 0.6],
    [c.x + (c.jibLength ?? 0) * 0.6, c.y + (c.jibLength ?? 0) * 0.6],
  ])
  const all = [...plan.fence, ...reach]
  const xs = all.map((p) => p[0] ?? 0)
  const ys = all.map((p) => p[1] ?? 0)
  const left = Math.min(...xs) - paddingMetres
  const top = Math.max(...ys) + paddingMetres
  const width = Math.max(...xs) + paddingMetres - left
  const height = top - (Math.min(...ys) - paddingMetres)
  const at = (x: number, y: number) => [x - left, top - y] as const
  const path = (points: readonly (readonly [number, number])[]) =>
    points
      .map(([x, y]) =>
        at(x, y)
          .map((n) => n.toFixed(1))
          .join(','),
      )
      .join(' ')
  const unit = width / 640
  const scale = [10, 20, 40, 50, 100, 200].find((m) => m / unit > 60) ?? 200
  return (
    <svg
      className="home-site"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      role="img"
      aria-label={`现场平面图，${machines.length} 台设备`}
    >
      <defs>
        <pattern id="home-hatch" width={8 * unit} height={8 * unit} patternTransform="rotate(45)" patternUnits="userSpaceOnUse">
          <rect width={8 * unit} height={8 * unit} fill={colors.dangerSoft} />
          <line x1="0" y1="0" x2="0" y2={8 * unit} stroke="#E5A5A0" strokeWidth={1.4 * unit} />
        </pattern>
      </defs>
      <rect width={width} height={height} fill={colors.sunken} />
      <polygon
        points={path(plan.fence)}
        fill={colors.warningWash}
        stroke="#8A6D2F"
        strokeWidth={2 * unit}
        strokeDasharray={`${7 * unit} ${4 * unit}`}
      />
      {plan.roads.map((road, i) => (
        <polyline key={i} points={path(road)} fill="none" stroke="#E6DDC8" strokeWidth={12 * unit} strokeLinejoin="round" />
      ))}
      {plan.zones.map((zone) => (
        <g key={zone.name}>
          <polygon points={path(zone.points)} fill="url(#home-hatch)" stroke={colors.danger} strokeWidth={1.2 * unit} />
          <Label at={at(...centre(zone.points))} unit={unit} text={zone.name} color={colors.dangerDeep} />
        </g>
      ))}
      {plan.buildings.map((building) => (
        <polygon key={building.name} points={path(building.points)} fill="#C9D8EF" stroke="#8CA9D6" strokeWidth={unit} />
      ))}
      {cranes.map((crane) => {
        const [x, y] = at(crane.x, crane.y)
        const color = stateColor[crane.state]
        const angle = ((crane.slewAngle ?? 45) * Math.PI) / 180
        const jib = crane.jibLength ?? 50
        return (
          <g key={crane.id} stroke={color}>
            <circle
              cx={x}
              cy={y}
              r={jib}
              fill={color}
              fillOpacity={crane.state === 'alarm' || crane.state === 'warning' ? 0.08 : 0.02}
              strokeWidth={unit}
              strokeDasharray={`${4 * unit} ${4 * unit}`}
              strokeOpacity=".45"
            />
            <line
              x1={x - Math.sin(angle) * jib * 0.24}
              y1={y + Math.cos(angle) * jib * 0.24}
              x2={x + Math.sin(angle) * jib}
              y2={y - Math.cos(angle) * jib}
              strokeWidth={3 * unit}
              strokeDasharray={crane.state === 'offline' ? `${5 * unit} ${4 * unit}` : undefined}
            />
            <rect x={x - 5 * unit} y={y - 5 * unit} width={10 * unit} height={10 * unit} fill={colors.white} strokeWidth={2.4 * unit} />
          </g>
        )
      })}
      {plan.buildings.map((building) => (
        <Label key={building.name} at={at(...foot(building.points, 6 * unit))} unit={unit} text={building.name} color={colors.text} />
      ))}
      {plan.gates.map((gate) => (
        <Chip key={gate.name} at={at(gate.x, gate.y)} unit={unit} text={gate.name} ground={colors.nav} />
      ))}
      {others.map((m) => {
        const [x, y] = at(m.x, m.y)
        return (
          <g key={m.id}>
            <circle cx={x} cy={y} r={5 * unit} fill={colors.white} stroke={stateColor[m.state]} strokeWidth={2.4 * unit} />
            <Label
              at={[x, y + 16 * unit]}
              unit={unit}
              text={m.state === 'normal' ? (m.family === 'lifter' ? '' : m.name) : `${m.name} ${m.stateText}`}
              color={stateColor[m.state]}
            />
          </g>
        )
      })}
      {cranes.map((crane) => {
        const [x, y] = at(crane.x, crane.y)
        const word = crane.state === 'normal' ? '' : ` ${crane.stateText}`
        return (
          <Chip
            key={crane.id}
            at={[x + 10 * unit, y - 18 * unit]}
            unit={unit}
            text={`${crane.name.replace(' 塔机', '')}${word}`}
            ground={stateColor[crane.state]}
            start
          />
        )
      })}
      <g transform={`translate(${18 * unit} ${height - 18 * unit})`}>
        <path d={`M0 ${-6 * unit}V0H${scale}V${-6 * unit}`} fill="none" stroke={colors.text2} strokeWidth={1.4 * unit} />
        <text x={scale + 6 * unit} y={2 * unit} fontSize={12 * unit} fill={colors.text2}>
          {scale} m
        </text>
      </g>
    </svg>
  )
}

function centre(points: readonly (readonly [number, number])[]): [number, number] {
  const n = Math.max(1, points.length)
  return [points.reduce((sum, p) => sum + p[0], 0) / n, points.reduce((sum, p) => sum + p[1], 0) / n]
}

/** Label position at the lower edge of a building; its centre is occupied by the crane that builds it. */
function foot(points: readonly (readonly [number, number])[], above: number): [number, number] {
  return [centre(points)[0], Math.min(...points.map((p) => p[1])) + above]
}

function Label({ at, unit, text, color }: { at: readonly [number, number]; unit: number; text: string; color: string }) {
  return (
    <text
      x={at[0]}
      y={at[1]}
      fontSize={12.5 * unit}
      fontWeight="600"
      textAnchor="middle"
      fill={color}
      stroke={colors.white}
      strokeWidth={3 * unit}
      paintOrder="stroke"
      strokeLinejoin="round"
    >
      {text}
    </text>
  )
}

function Chip({
  at,
  unit,
  text,
  ground,
  start,
}: {
  at: readonly [number, number]
  unit: number
  text: string
  ground: string
  start?: boolean
}) {
  const width = ([...text].reduce((n, c) => n + (c.charCodeAt(0) > 255 ? 12 : 7), 0) + 12) * unit
  const x = start ? at[0] : at[0] - width / 2
  return (
    <g>
      <rect x={x} y={at[1] - 9 * unit} width={width} height={18 * unit} rx={3 * unit} fill={ground} />
      <text x={x + width / 2} y={at[1] + 4.2 * unit} fontSize={12 * unit} fontWeight="600" textAnchor="middle" fill={colors.white}>
        {text}
      </text>
    </g>
  )
}
