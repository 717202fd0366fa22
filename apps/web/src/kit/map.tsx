import { lazy, Suspense } from 'react'
import type { LngLat } from './geo.ts'
import { useMapGround } from './map-ground.ts'

const Canvas = lazy(() => import('./map-canvas.tsx').then((file) => ({ default: file.MapCanvas })))

export type PointState = 'normal' | 'warning' | 'alarm' | 'offline' | 'maintenance' | 'person'

export interface MapPoint {
  id: string
  at: LngLat
  state: PointState
  /** Beside the point; a word, so that colour is not all there is. */
  label?: string
  size?: number
}
export interface MapLine {
  id: string
  path: readonly LngLat[]
  color?: string
  width?: number
  dash?: number[]
}
export interface MapArea {
  id: string
  ring: readonly LngLat[]
  label?: string
  /** Dashed brown like the site's fence, or a danger zone. */
  kind?: 'fence' | 'danger' | 'zone'
}
/** A plan of the site laid on the ground by its south-west and north-east corners. */
export interface SitePlan {
  url: string
  southWest: LngLat
  northEast: LngLat
}

export interface SiteMapProps {
  label: string
  points?: readonly MapPoint[]
  lines?: readonly MapLine[]
  areas?: readonly MapArea[]
  plan?: SitePlan | null
  dark?: boolean
  height?: number | string
  selected?: string | undefined
  onPoint?: (id: string) => void
  onClick?: (at: LngLat) => void
  /** Kept in view once; by default all there is. */
  focus?: LngLat
}

/**
 * Map of a site or a district on the ground the active group has chosen. Works without any tile service: the site's plan or a grid, fence and points.
 * Made anew when its page comes back to the front, with the view it had.
 */
export function SiteMap(props: SiteMapProps) {
  const ground = useMapGround()
  return (
    <Suspense fallback={<div role="status" aria-label="地图加载中" style={{ height: props.height ?? 360 }} />}>
      <Canvas {...props} ground={ground} />
    </Suspense>
  )
}
