import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense } from 'react'
import type { ChartProps } from './chart-props.ts'

// The chart library is larger than any page, so it is loaded with the first chart.
const Canvas = lazy(() => import('./chart-canvas.tsx').then((file) => ({ default: file.ChartCanvas })))

export type ChartOption = EChartsCoreOption

/** Placeholder of the chart's size while its values load. */
export const ChartBones = ({ height = 240 }: { height?: number | string }) => (
  <div role="status" aria-label="图表加载中" aria-busy="true" style={{ height }} />
)

/** A chart in the product's colours. `option` is an echarts option; bar, line, pie, scatter and gauge are registered. */
export function Chart(props: ChartProps) {
  return (
    <Suspense fallback={<ChartBones {...(props.height === undefined ? {} : { height: props.height })} />}>
      <Canvas {...props} />
    </Suspense>
  )
}
