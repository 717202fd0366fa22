import { mapTypes } from '@zhugong/contract/organisation/map-type'
import { useMemo } from 'react'
import { useMe } from './me.ts'

interface MapTiles {
  /** Address template with {z} {x} {y}. */
  tiles: string
  /** Coordinate system of the tiles: `gcj02` and `bd09` are converted; anything else counts as WGS-84. */
  crs: string
  attribution: string
}

/** The background of a map. */
export interface MapGround {
  /** A map with longitude and latitude; false for a module map without real-world position. */
  world: boolean
  /** For world maps only; null if the deployment has no tile service. */
  tiles: MapTiles | null
}

/** Key for comparing backgrounds by content. */
export const groundKey = ({ world, tiles }: MapGround): string => `${world}|${tiles ? tiles.tiles + tiles.crs : ''}`

/** The background for maps of the active group, by its configured map type. */
export function useMapGround(): MapGround {
  const world = useMe((me) => me.info?.profile.mapType === mapTypes.world)
  const tiles = useMe((me) => me.settings?.map ?? null)
  return useMemo(() => ({ world, tiles: world ? tiles : null }), [world, tiles])
}
