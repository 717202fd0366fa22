import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense } from 'react'

// The chart library weighs more than any page: it comes with the first chart.
const Canvas = lazy(() => import('./chart-canvas.tsx').then((file) => ({ default: file.ChartCanvas })))

export type ChartOption = EChartsCoreOption

export interface ChartProps {
  option: ChartOption
  /** Says in words what the picture shows. */
  label: string
  height?: number | string
  dark?: boolean
  onClick?: (event: { name: string; seriesName?: string; dataIndex: number; value: unknown }) => void
}

/** Keeps a chart's place while its values are on their way. */
export const ChartBones = ({ height = 240 }: { height?: number | string }) => (
  <div role="status" aria-label="图表加载中" aria-busy="true" style={{ height }} />
)

/** A chart in the house's colours. `option` as echarts takes it; bar, line, pie, scatter and gauge are there. */
export function Chart(props: ChartProps) {
  return (
    <Suspense fallback={<ChartBones {...(props.height === undefined ? {} : { height: props.height })} />}>
      <Canvas {...props} />
    </Suspense>
  )
}
