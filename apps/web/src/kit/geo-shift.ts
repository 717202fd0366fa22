import gcoord from 'gcoord'
import type { LngLat } from './geo.ts'

/**
 * Converts between stored places (WGS-84) and the coordinate system of the map tiles. Calculated locally, point by point, without a remote
 * service.
 */
export function projectionOf(crs: string | undefined): { toMap: (at: LngLat) => LngLat; fromMap: (at: LngLat) => LngLat } {
  const shifted = /gcj/i.test(crs ?? '') ? gcoord.GCJ02 : /bd-?09/i.test(crs ?? '') ? gcoord.BD09 : undefined
  if (!shifted) return { toMap: (at) => at, fromMap: (at) => at }
  return {
    toMap: ([lng, lat]) => gcoord.transform([lng, lat], gcoord.WGS84, shifted),
    fromMap: ([lng, lat]) => gcoord.transform([lng, lat], shifted, gcoord.WGS84),
  }
}
