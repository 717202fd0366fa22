import { dayMs } from '@zhugong/contract/kit/time'
import { formworkLine } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { pitRecords } from '@zhugong/contract/monitoring/pit/pit-live'
import type { WorkDevice } from '@zhugong/contract/works/calls'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { Card, Empty, Known, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { MonitorTag } from './work-words.tsx'

const height = 180
const mostReadings = 1000
/** 10 minutes, so that reopening the card within that time reads nothing new. */
const stepMs = 600_000
const aDayAgo = () => String(Math.floor((Date.now() - dayMs) / stepMs) * stepMs)

/** The devices that watch a work: their state, the alarms that are open, and the last 24 hours. */
export function WorkMonitor({ devices, party }: { devices: readonly WorkDevice[]; party: string | null }) {
  return (
    <Card title="实施与监测" remark={party ? `第三方监测：${party}` : '未登记第三方监测单位'}>
      {devices.length === 0 ? (
        <Empty small text="没有关联监测设备" />
      ) : (
        <div className="work-devices">
          {devices.map((one) => (
            <section key={one.id}>
              <header>
                <b>{one.name}</b>
                <span className="zg-2">{one.familyName}</span>
                <MonitorTag state={one.state} />
                {one.alarms.map((label) => (
                  <Tag key={label} tone="danger">
                    {label}
                  </Tag>
                ))}
                <span className="zg-2">{one.lastAt === null ? '没有数据' : `最近数据 ${time(one.lastAt)}`}</span>
                {one.link && <Link to={one.link}>实时监测</Link>}
              </header>
              {one.family === 'foundationPit' && <PitCurve deviceId={one.id} />}
              {one.family === 'highFormwork' && <FormworkCurve deviceId={one.id} />}
            </section>
          ))}
        </div>
      )}
    </Card>
  )
}

type Series = { name: string; points: [number, number][] }

function PitCurve({ deviceId }: { deviceId: string }) {
  const [startTime] = useState(aDayAgo)
  const read = useCall(pitRecords, { query: { deviceId, startTime, sort: 'time', size: mostReadings } }, { quiet: true })
  const byPoint = new Map<string, [number, number][]>()
  for (const row of read.data?.list ?? []) {
    if (!('time' in row) || !('pointCode' in row) || !('cumulative' in row) || row.cumulative === null || row.time === null) continue
    byPoint.set(row.pointCode, [...(byPoint.get(row.pointCode) ?? []), [row.time, row.cumulative]])
  }
  return (
    <Known of={read} rows={3}>
      <Curve label="累计变化" series={[...byPoint].map(([name, points]) => ({ name, points }))} />
    </Known>
  )
}

/** What is drawn of a point of formwork, by the keys of its family. */
const formworkMetrics = { axialForce: '轴力 kN', settlement: '沉降 mm', displacement: '水平位移 mm', tilt: '倾角 °' }

function FormworkCurve({ deviceId }: { deviceId: string }) {
  const [startTime] = useState(aDayAgo)
  const read = useCall(formworkLine, { query: { deviceId, startTime } }, { quiet: true })
  const list = read.data?.list ?? []
  const series = Object.entries(formworkMetrics).flatMap(([key, name]): Series[] => {
    const points = list.flatMap(({ time: at, v }): [number, number][] => (v[key] ? [[at, v[key][0]]] : []))
    return points.length > 0 ? [{ name, points }] : []
  })
  return (
    <Known of={read} rows={3}>
      <Curve label="读数" series={series} />
    </Known>
  )
}

function Curve({ label, series }: { label: string; series: readonly Series[] }) {
  if (series.length === 0) return <p className="zg-2">近 24 小时没有读数</p>
  const last = series.map(({ name, points }) => `${name} ${points.at(-1)?.[1] ?? ''}`).join('，')
  return <Chart height={height} label={`近 24 小时${label}：${last}`} option={curveOption(series)} />
}

const curveOption = (series: readonly Series[]): ChartOption => ({
  grid: { left: 44, right: 16, top: 28, bottom: 24 },
  legend: { top: 0, type: 'scroll' },
  tooltip: { trigger: 'axis' },
  xAxis: { type: 'time' },
  yAxis: { type: 'value', scale: true },
  series: series.map(({ name, points }) => ({ name, type: 'line', showSymbol: false, data: points })),
})
