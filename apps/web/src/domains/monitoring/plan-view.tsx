import { AimOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import type { Site } from '@zhugong/contract/monitoring/site'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { dark } from '#kit/colors.ts'
import type { Point } from './crane-geometry.ts'
import { type Bounds, middleOf } from './site.ts'

/** Converts metres of the site to pixels; `k` pixels per metre. */
export interface Projection {
  width: number
  height: number
  k: number
  at: (point: Point) => Point
}

/** Key that resets the view. */
const wholePlanKey = '0'

interface View {
  zoom: number
  /** Offset of the drawing in pixels. */
  dx: number
  dy: number
}
const still: View = { zoom: 1, dx: 0, dy: 0 }

export function useSize<E extends Element>(): [React.RefObject<E | null>, number, number] {
  const ref = useRef<E>(null)
  const [size, setSize] = useState<[number, number]>([0, 0])
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const { clientWidth, clientHeight } = element
      // A hidden page measures 0: its last size is kept.
      if (clientWidth > 0 && clientHeight > 0) setSize([clientWidth, clientHeight])
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, ...size]
}

const clampZoom = (zoom: number) => Math.min(8, Math.max(0.5, zoom))

/** A drawing to scale with pan and zoom by wheel, drag, keys and buttons. */
export function PlanView({
  bounds,
  label,
  padding = 26,
  children,
  overlay,
}: {
  bounds: Bounds
  label: string
  padding?: number
  children: (projection: Projection) => ReactNode
  overlay?: ReactNode
}) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  const [view, setView] = useState(still)
  const drag = useRef<{ x: number; y: number } | undefined>(undefined)
  const { left, right, bottom, top } = bounds
  const projection = useMemo<Projection | undefined>(() => {
    if (width === 0) return undefined
    const fit = Math.min((width - 2 * padding) / Math.max(1, right - left), (height - 2 * padding) / Math.max(1, top - bottom))
    const k = fit * view.zoom
    const cx = (left + right) / 2
    const cy = (bottom + top) / 2
    return { width, height, k, at: ([x, y]) => [width / 2 + (x - cx) * k + view.dx, height / 2 - (y - cy) * k + view.dy] }
  }, [width, height, left, right, bottom, top, padding, view])

  const zoomBy = useCallback(
    (factor: number, at?: Point) =>
      setView((now) => {
        const zoom = clampZoom(now.zoom * factor)
        const real = zoom / now.zoom
        const [px, py] = at ? [at[0] - width / 2, at[1] - height / 2] : [0, 0]
        return { zoom, dx: px - (px - now.dx) * real, dy: py - (py - now.dy) * real }
      }),
    [width, height],
  )
  // React registers wheel listeners as passive; only a listener of our own can prevent scrolling.
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      const box = element.getBoundingClientRect()
      zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15, [event.clientX - box.left, event.clientY - box.top])
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [ref, zoomBy])

  const press = (key: string): boolean => {
    const by = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[key]
    if (by) setView((now) => ({ ...now, dx: now.dx + (by[0] ?? 0), dy: now.dy + (by[1] ?? 0) }))
    else if (key === '+' || key === '=') zoomBy(1.3)
    else if (key === '-') zoomBy(1 / 1.3)
    else if (key === wholePlanKey) setView(still)
    else return false
    return true
  }
  return (
    <div className="mon-plan" ref={ref}>
      {projection && (
        <svg
          width={width}
          height={height}
          role="group"
          aria-label={`${label}。方向键移动，加减键缩放，0 复原`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the drawing is moved and magnified by keys.
          tabIndex={0}
          onKeyDown={(event) => {
            if (press(event.key)) event.preventDefault()
          }}
          onPointerDown={(event) => {
            if ((event.target as Element).closest('[data-hit]')) return
            drag.current = { x: event.clientX - view.dx, y: event.clientY - view.dy }
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={(event) => {
            const from = drag.current
            if (from) setView((now) => ({ ...now, dx: event.clientX - from.x, dy: event.clientY - from.y }))
          }}
          onPointerUp={() => {
            drag.current = undefined
          }}
          className="mon-held"
        >
          {children(projection)}
        </svg>
      )}
      {overlay}
      <div className="mon-zoom">
        <button type="button" className="zg-bare" aria-label="放大" onClick={() => zoomBy(1.3)}>
          <PlusOutlined />
        </button>
        <button type="button" className="zg-bare" aria-label="缩小" onClick={() => zoomBy(1 / 1.3)}>
          <MinusOutlined />
        </button>
        <button type="button" className="zg-bare" aria-label="复原视图" onClick={() => setView(still)}>
          <AimOutlined />
        </button>
      </div>
    </div>
  )
}

export const pathOf = (points: readonly Point[], close = false): string =>
  points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('') + (close ? 'Z' : '')

/** Text over a drawing, with a halo against lines behind it. */
export function Words({
  at,
  children,
  color = dark.text,
  size = 13,
  weight = 400,
  anchor = 'middle',
}: {
  at: Point
  children: ReactNode
  color?: string
  size?: number
  weight?: number
  anchor?: 'start' | 'middle' | 'end'
}) {
  return (
    <text
      x={at[0]}
      y={at[1]}
      fill={color}
      fontSize={size}
      fontWeight={weight}
      textAnchor={anchor}
      stroke={dark.ground}
      strokeWidth={3.5}
      paintOrder="stroke"
      strokeLinejoin="round"
    >
      {children}
    </text>
  )
}

const scaleSteps = [5, 10, 20, 50, 100, 200]

/** Grid, fence, buildings, roads and zones; rendered again only when the view changes. */
export function Ground({ site, projection }: { site: Site; projection: Projection }) {
  const { at, k, width, height } = projection
  const gridM = k > 6 ? 10 : 20
  const [ox, oy] = at([0, 0])
  const step = gridM * k
  const columns = Array.from({ length: Math.ceil(width / step) + 1 }, (_, i) => (((ox % step) + step) % step) + (i - 1) * step)
  const rows = Array.from({ length: Math.ceil(height / step) + 1 }, (_, i) => (((oy % step) + step) % step) + (i - 1) * step)
  return (
    <g>
      <g stroke={dark.hairline} opacity=".7">
        {columns.map((x) => (
          <line key={x} x1={x} x2={x} y1={0} y2={height} />
        ))}
        {rows.map((y) => (
          <line key={y} x1={0} x2={width} y1={y} y2={y} />
        ))}
      </g>
      {site.fence.length > 2 && (
        <path
          d={pathOf(site.fence.map(at), true)}
          fill={dark.raised}
          fillOpacity=".38"
          stroke={dark.fence}
          strokeWidth={1.5}
          strokeDasharray="8 5"
        />
      )}
      {site.roads.map((road) => (
        <path
          key={road.join()}
          d={pathOf(road.map(at))}
          fill="none"
          stroke={dark.raised}
          strokeWidth={Math.max(4, 6 * k)}
          strokeLinejoin="round"
        />
      ))}
      {site.buildings.map((one) => (
        <path key={one.name} d={pathOf(one.points.map(at), true)} fill={dark.raised} stroke={dark.building} opacity=".9" />
      ))}
      {site.gates.map((one) => {
        const [x, y] = at([one.x, one.y])
        return <rect key={one.name} x={x - 4} y={y - 2} width={8} height={4} fill={dark.label} opacity=".8" />
      })}
    </g>
  )
}

/** Names are placed at the lower edge of their building: the middle is left for the mast. */
export function namesOf(site: Site, { at }: Pick<Projection, 'at'>): { name: string; at: Point }[] {
  return site.buildings.map((one) => {
    const [x, y] = at(middleOf(one.points))
    const foot = Math.max(...one.points.map((corner) => at(corner)[1]))
    return { name: one.name, at: [x, Math.max(y + 4, foot - 7)] }
  })
}

export function GroundNames({ site, projection }: { site: Site; projection: Projection }) {
  return namesOf(site, projection).map((one) => (
    <Words key={one.name} at={one.at} color={dark.label} size={12}>
      {one.name}
    </Words>
  ))
}

/** Scale bar and north arrow. */
export function Bearings({ projection: { k, width, height }, north = true }: { projection: Projection; north?: boolean }) {
  const metres = scaleSteps.find((one) => one * k >= 40) ?? 200
  return (
    <g fontSize={12} fill={dark.label}>
      <path d={`M16 ${height - 20}v6h${metres * k}v-6`} fill="none" stroke={dark.label} />
      <text x={24 + metres * k} y={height - 12}>
        {metres} m
      </text>
      {north && (
        <>
          <path d={`M${width - 26} 16l7 22-7-5-7 5z`} fill={dark.text} />
          <text x={width - 26} y={54} textAnchor="middle">
            北
          </text>
        </>
      )}
    </g>
  )
}
