import { dark } from '#kit/colors.ts'
import { type CraneShape, jibElevation, type Point, type Pose } from '../crane-geometry.ts'
import { pathOf, useSize, Words } from '../plan-view.tsx'

export interface SideCrane {
  shape: CraneShape
  pose: Pose | undefined
  color: string
}

const rad = Math.PI / 180

/** Zigzag of a lattice between two chords. */
function lattice(from: Point, to: Point, wide: number, step: number): string {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  const count = Math.max(2, Math.round(length / step))
  const ux = (to[0] - from[0]) / length
  const uy = (to[1] - from[1]) / length
  const side = (i: number, s: number): Point => [
    from[0] + (ux * length * i) / count - (uy * wide * s) / 2,
    from[1] + (uy * length * i) / count + (ux * wide * s) / 2,
  ]
  const zigzag = Array.from({ length: count + 1 }, (_, i) => side(i, i % 2 ? 1 : -1))
  return pathOf(zigzag) + pathOf([side(0, 1), side(count, 1)]) + pathOf([side(0, -1), side(count, -1)])
}

/**
 * The selected crane and its nearest neighbour, projected on the vertical plane through both masts, with one scale in both directions: jibs
 * have their projected length. A single crane is projected on the plane of its own jib.
 */
export function CraneSide(props: { main: SideCrane; other: SideCrane | undefined }) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="mon-trend" ref={ref}>
      {width > 0 && <Drawn {...props} width={width} height={height} />}
    </div>
  )
}

function Drawn({ main, other, width, height }: { main: SideCrane; other: SideCrane | undefined; width: number; height: number }) {
  // Left to right along the bearing from the western mast to the eastern one.
  const [west, east] = other && other.shape.x < main.shape.x ? [other.shape, main.shape] : [main.shape, other?.shape ?? main.shape]
  const bearing = other ? Math.atan2(east.x - west.x, east.y - west.y) / rad : (main.pose?.angle ?? 90)
  const along = (shape: CraneShape) => (shape.x - west.x) * Math.sin(bearing * rad) + (shape.y - west.y) * Math.cos(bearing * rad)
  const all = other ? [other, main] : [main]
  const sizes = all.map(({ shape, pose }) => {
    const seen = pose ? Math.cos((pose.angle - bearing) * rad) : 1
    const up = pose ? jibElevation(shape, pose) : 0
    const reachM = shape.luffing && pose ? pose.radius : shape.jibLength
    return {
      foot: along(shape),
      tip: along(shape) + reachM * seen,
      tail: along(shape) - shape.counterJibLength * seen,
      rise: Math.sin(up * rad) * shape.jibLength,
      seen,
    }
  })
  const low = Math.min(...sizes.flatMap((one) => [one.foot, one.tip, one.tail])) - 4
  const high = Math.max(...sizes.flatMap((one) => [one.foot, one.tip, one.tail])) + 4
  const topM = Math.max(...all.map(({ shape }, i) => shape.jibHeight + (sizes[i]?.rise ?? 0))) + 14
  const left = 36
  const bottom = height - 14
  const k = Math.min((width - left - 60) / Math.max(30, high - low), (bottom - (other ? 26 : 8)) / topM)
  const x0 = left + 12 + Math.max(0, (width - left - 60 - (high - low) * k) / 2)
  const x = (metres: number) => x0 + (metres - low) * k
  const y = (metres: number) => bottom - metres * k
  const step = topM > 120 ? 50 : 25
  const ticks = Array.from({ length: Math.floor(topM / step) + 1 }, (_, i) => i * step)
  const gap = other ? Math.abs(main.shape.jibHeight - other.shape.jibHeight) : undefined
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={`立面，${main.shape.label} 臂高 ${main.shape.jibHeight} m，吊钩 ${main.pose?.hook.toFixed(1) ?? '--'} m${gap === undefined ? '' : `，与 ${other?.shape.label} 竖向净距 ${gap.toFixed(1)} m`}`}
      className="zg-block"
    >
      <g fontSize={12} fill={dark.label}>
        {ticks.map((one) => (
          <g key={one}>
            <line x1={left} x2={width - 8} y1={y(one)} y2={y(one)} stroke={dark.hairline} />
            <text x={left - 6} y={y(one) + 4} textAnchor="end">
              {one}
            </text>
          </g>
        ))}
        <text x={left - 6} y={12} textAnchor="end">
          m
        </text>
      </g>
      {main.shape.maxHeight > 0 && (
        <>
          <line
            x1={left}
            x2={width - 8}
            y1={y(main.shape.base + main.shape.maxHeight)}
            y2={y(main.shape.base + main.shape.maxHeight)}
            stroke={dark.alarm}
            strokeDasharray="5 4"
            opacity=".8"
          />
          <Words at={[width - 10, y(main.shape.base + main.shape.maxHeight) + 15]} color={dark.limit} size={12} anchor="end">
            吊钩上限位 {main.shape.maxHeight} m
          </Words>
        </>
      )}
      {all.map(({ shape, pose, color }, i) => {
        const size = sizes[i]
        if (!size) return null
        const top = shape.jibHeight
        const hookAt = size.foot + (pose?.radius ?? 0) * size.seen
        const jib = shape.luffing ? top + (size.rise * (pose?.radius ?? 0)) / Math.max(1, pose?.radius ?? 1) : top
        const hookTop = shape.luffing ? top + size.rise : top
        return (
          <g key={shape.id} stroke={color} fill="none">
            <path d={lattice([x(size.foot), y(shape.base)], [x(size.foot), y(top)], 8, 12)} strokeWidth={1} />
            <path d={lattice([x(size.tail), y(top)], [x(size.foot), y(top)], 5, 9)} strokeWidth={1} />
            <path d={lattice([x(size.foot), y(top)], [x(size.tip), y(jib)], 5, 9)} strokeWidth={1} />
            <rect x={x(size.tail) - 5} y={y(top) - 4} width={10} height={13} fill={color} />
            {pose && (
              <>
                <path d={`M${x(hookAt)} ${y(hookTop)}V${y(shape.base + pose.hook)}`} strokeWidth={1.5} />
                <rect x={x(hookAt) - 8} y={y(shape.base + pose.hook)} width={16} height={7} fill={color} />
              </>
            )}
          </g>
        )
      })}
      {all.map(({ shape, pose, color }, i) => {
        const size = sizes[i]
        if (!size) return null
        const chosen = shape.id === main.shape.id
        const hookAt = size.foot + (pose?.radius ?? 0) * size.seen
        const labelX = Math.min(width - 60, Math.max(left + 46, x((size.foot + size.tip) / 2)))
        return (
          <g key={shape.id}>
            <Words
              at={[
                labelX,
                y(shape.jibHeight) +
                  (chosen && other && other.shape.jibHeight >= shape.jibHeight && (other.shape.jibHeight - shape.jibHeight) * k < 24
                    ? 20
                    : -8),
              ]}
              color={color}
              size={12}
            >
              {shape.label} 臂高 {shape.jibHeight} m
            </Words>
            {chosen && pose && (
              <Words
                at={[x(hookAt) + (x(hookAt) > width - 110 ? -12 : 12), y(shape.base + pose.hook) + 8]}
                color={color}
                size={12}
                weight={600}
                anchor={x(hookAt) > width - 110 ? 'end' : 'start'}
              >
                吊钩 {pose.hook.toFixed(1)} m
              </Words>
            )}
          </g>
        )
      })}
      {gap !== undefined && (
        <Words at={[width - 10, 14]} color={gap < 2 ? dark.limit : dark.bright} weight={600} anchor="end">
          竖向净距 {gap.toFixed(1)} m
        </Words>
      )}
    </svg>
  )
}
