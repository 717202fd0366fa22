/** Places are stored in WGS-84. They are converted for a tile service only when displayed on a map. */
export type LngLat = readonly [lng: number, lat: number]

const earthRadiusM = 6_371_008.8
const rad = Math.PI / 180

/** Distance between two places in metres. */
export function distanceM([lng1, lat1]: LngLat, [lng2, lat2]: LngLat): number {
  const a =
    Math.sin(((lat2 - lat1) * rad) / 2) ** 2 + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lng2 - lng1) * rad) / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(a)))
}

/** Metres east and north of an origin; accurate to millimetres over a site. */
export function metresFrom([lng0, lat0]: LngLat, [lng, lat]: LngLat): [x: number, y: number] {
  return [(lng - lng0) * rad * earthRadiusM * Math.cos(lat0 * rad), (lat - lat0) * rad * earthRadiusM]
}

export function isPlace(place: readonly (number | null | undefined)[] | null | undefined): place is [number, number] {
  const [lng, lat] = place ?? []
  return typeof lng === 'number' && typeof lat === 'number' && Math.abs(lng) <= 180 && Math.abs(lat) <= 90 && !(lng === 0 && lat === 0)
}
