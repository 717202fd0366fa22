import { lazy, Suspense } from 'react'
import { useMapGround } from './map-ground.ts'
import type { SiteMapProps } from './map-props.ts'

const Canvas = lazy(() => import('./map-canvas.tsx').then((file) => ({ default: file.MapCanvas })))

/**
 * Map of a site or a district on the background that the active group has chosen. Works without a tile service: the site's plan or a grid,
 * fence and points. Created again, with the same view, when its page returns to the front.
 */
export function SiteMap(props: SiteMapProps) {
  const ground = useMapGround()
  return (
    <Suspense fallback={<div role="status" aria-label="地图加载中" style={{ height: props.height ?? 360 }} />}>
      <Canvas {...props} ground={ground} />
    </Suspense>
  )
}
