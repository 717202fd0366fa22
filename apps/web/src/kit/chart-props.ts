import type { EChartsCoreOption } from 'echarts/core'

export interface ChartProps {
  option: EChartsCoreOption
  /** Text alternative: describes what the chart shows. */
  label: string
  height?: number | string
  dark?: boolean
  onClick?: (event: { name: string; seriesName?: string; dataIndex: number; value: unknown }) => void
}
