import { z } from 'zod'

/** Background of a group's maps (dictionary mapType); the module map is the empty string. */
export const mapTypes = { module: '', world: '2' } as const
export const mapTypeNames = { [mapTypes.module]: '模块地图', [mapTypes.world]: '世界地图' } as const satisfies Record<MapType, string>
export const mapType = z.enum([mapTypes.module, mapTypes.world], { error: '地图类型应为模块地图或世界地图' })
export type MapType = z.infer<typeof mapType>
