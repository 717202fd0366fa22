import { BarChart, GaugeChart, LineChart, PieChart, RadarChart, ScatterChart } from 'echarts/charts'
import {
  DatasetComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components'
import { type EChartsType, init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import type { ChartProps } from './chart-props.ts'
import { colors, panelColors } from './colors.ts'

import { darkSeriesColors, fontFamily, seriesColors } from './theme.ts'

use([
  BarChart,
  GaugeChart,
  LineChart,
  PieChart,
  RadarChart,
  ScatterChart,
  DatasetComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
  CanvasRenderer,
  LabelLayout,
])

const axis = (text: string, line: string) => ({
  axisLine: { lineStyle: { color: line } },
  axisTick: { show: false },
  axisLabel: { color: text, fontSize: 12 },
  splitLine: { lineStyle: { color: line } },
  nameTextStyle: { color: text },
})

const look = (dark: boolean) => {
  const text = dark ? panelColors.night.label : colors.text2
  const line = dark ? panelColors.night.line : colors.line
  return {
    color: [...(dark ? darkSeriesColors : seriesColors)],
    textStyle: { fontFamily, color: text },
    legend: { textStyle: { color: text } },
    categoryAxis: { ...axis(text, line), splitLine: { show: false } },
    valueAxis: { ...axis(text, line), axisLine: { show: false } },
    timeAxis: { ...axis(text, line), splitLine: { show: false } },
  }
}

/**
 * One echarts instance per mounted and visible chart. Disposed when its page is hidden, created again with the same zoom when it returns.
 */
export function ChartCanvas({ option, label, height = 240, dark = false, onClick }: ChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const latest = useRef({ option, onClick })
  const zoom = useRef<unknown>(undefined)
  latest.current = { option, onClick }

  useEffect(() => {
    if (!element.current) return
    const made = init(element.current, look(dark))
    chart.current = made
    made.setOption(latest.current.option)
    if (zoom.current) made.setOption({ dataZoom: zoom.current })
    made.on('click', ({ name, seriesName, dataIndex, value }) => {
      if (dataIndex !== undefined) latest.current.onClick?.({ name: name ?? '', seriesName, dataIndex, value })
    })
    made.on('datazoom', () => {
      const { dataZoom } = made.getOption() as { dataZoom?: { start: number; end: number }[] }
      zoom.current = dataZoom?.map(({ start, end }) => ({ start, end }))
    })
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [dark])

  useEffect(() => {
    chart.current?.setOption(option, { replaceMerge: ['series'] })
  }, [option])

  return <div ref={element} role="img" aria-label={label} style={{ width: '100%', height }} />
}
