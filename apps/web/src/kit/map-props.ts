import type { LngLat } from './geo.ts'

export type PointState = 'normal' | 'warning' | 'alarm' | 'offline' | 'maintenance' | 'person'

export interface MapPoint {
  id: string
  at: LngLat
  state: PointState
  /** Text beside the point, so that colour is not the only information. */
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
  /** Style: dashed brown for the site's fence, or a danger zone. */
  kind?: 'fence' | 'danger' | 'zone'
}

/** A site plan image, placed on the map by its south-west and north-east corners. */
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
  /** Initial centre of the view; by default the view shows everything. */
  focus?: LngLat
}
