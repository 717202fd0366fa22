import { mapTypes } from '@zhugong/contract/organisation/map-type'
import { useMemo } from 'react'
import { useMe } from './me.ts'

interface MapTiles {
  /** Address with {z} {x} {y}. */
  tiles: string
  /** `gcj02` and `bd09` are converted to; anything else is taken as WGS-84. */
  crs: string
  attribution: string
}

/** What a map stands on. */
export interface MapGround {
  /** A piece of the world, told by longitude and latitude; else the ground of the module alone. */
  world: boolean
  /** Of a world map only; null where the deployment has no tile service. */
  tiles: MapTiles | null
}

/** Grounds are compared by what they hold. */
export const groundKey = ({ world, tiles }: MapGround): string => `${world}|${tiles ? tiles.tiles + tiles.crs : ''}`

/** The ground the active group's maps stand on, by the map type it has chosen. */
export function useMapGround(): MapGround {
  const world = useMe((me) => me.info?.profile.mapType === mapTypes.world)
  const tiles = useMe((me) => me.settings?.map ?? null)
  return useMemo(() => ({ world, tiles: world ? tiles : null }), [world, tiles])
}
