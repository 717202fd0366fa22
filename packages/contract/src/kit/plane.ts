/**
 * Converts between places on the ellipsoid (WGS-84) and the site's tangent plane: metres east (x) and north (y) of the site's origin. Both
 * directions use earth-centred coordinates, so that the error is in millimetres at a distance of a kilometre.
 */
const semiMajor = 6_378_137
const flattening = 1 / 298.257223563
const e2 = flattening * (2 - flattening)
const rad = Math.PI / 180

export interface Place {
  lng: number
  lat: number
}

type Vector = readonly [x: number, y: number, z: number]

function centred({ lng, lat }: Place): Vector {
  const sin = Math.sin(lat * rad)
  const n = semiMajor / Math.sqrt(1 - e2 * sin * sin)
  const flat = n * Math.cos(lat * rad)
  return [flat * Math.cos(lng * rad), flat * Math.sin(lng * rad), n * (1 - e2) * sin]
}

export function toPlane(origin: Place, place: Place): [x: number, y: number] {
  const [x0, y0, z0] = centred(origin)
  const [x1, y1, z1] = centred(place)
  const [dx, dy, dz] = [x1 - x0, y1 - y0, z1 - z0]
  const [sinLng, cosLng, sinLat, cosLat] = [
    Math.sin(origin.lng * rad),
    Math.cos(origin.lng * rad),
    Math.sin(origin.lat * rad),
    Math.cos(origin.lat * rad),
  ]
  return [-sinLng * dx + cosLng * dy, -sinLat * cosLng * dx - sinLat * sinLng * dy + cosLat * dz]
}

/** Iterations of the inverse; each reduces the error to a millionth. */
const rounds = 3

export function toPlace(origin: Place, x: number, y: number): Place {
  const sin = Math.sin(origin.lat * rad)
  const w = 1 - e2 * sin * sin
  const north = (semiMajor * (1 - e2)) / (w * Math.sqrt(w))
  const east = (semiMajor / Math.sqrt(w)) * Math.cos(origin.lat * rad)
  let place: Place = { lng: origin.lng + x / east / rad, lat: origin.lat + y / north / rad }
  for (let i = 0; i < rounds; i++) {
    const [gotX, gotY] = toPlane(origin, place)
    place = { lng: place.lng + (x - gotX) / east / rad, lat: place.lat + (y - gotY) / north / rad }
  }
  return place
}
