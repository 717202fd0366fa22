import { inPlaceStats } from '@zhugong/contract/attendance/stats'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { HoursOfWeek } from './analysis-hours.tsx'
import { HeatBoard } from './heat-board.tsx'
import type { OpenPeople } from './people-drawer.tsx'
import { shiftDate, weekdayOf } from './sheet-mark.ts'
import { most } from './stats-query.ts'
import { isRest } from './stats-words.ts'

const rhythmDays = 90

export function Rhythm({ projectCode, onOpen }: { projectCode: string; onOpen: OpenPeople }) {
  const endDate = day(Date.now())
  const startDate = shiftDate(endDate, 1 - rhythmDays)
  const { data, error, refetch } = useCall(
    inPlaceStats.byDay,
    { query: { projectCode, startDate, endDate, size: most } },
    { quiet: true, keepPrevious: true },
  )
  const days = useMemo(() => (data?.list ?? []).filter((d) => d.inPlace > 0), [data])
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 8, top: 32, bottom: 40, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: 'axis' },
      dataZoom: [{ type: 'slider', height: 18, bottom: 4, start: days.length > 45 ? 50 : 0, end: 100 }],
      xAxis: { type: 'category', data: days.map((d) => d.date.slice(5)) },
      yAxis: [
        { type: 'value', minInterval: 1 },
        { type: 'value', max: 100, axisLabel: { formatter: '{value} %' }, splitLine: { show: false } },
      ],
      series: [
        { name: '实到', type: 'bar', stack: 'who', data: days.map((d) => d.arrived) },
        {
          name: '未到',
          type: 'bar',
          stack: 'who',
          itemStyle: { color: colors.lineStrong },
          data: days.map((d) => d.expected - d.arrived),
        },
        { name: '出勤率', type: 'line', yAxisIndex: 1, connectNulls: true, data: days.map((d) => (isRest(d) ? null : d.rate)) },
        {
          name: '日结时出勤',
          type: 'scatter',
          symbolSize: 6,
          data: days.map((d) => d.atClose?.attended ?? null),
        },
      ],
    }),
    [days],
  )
  const kinds = [
    { key: 'late', label: '迟到' },
    { key: 'early', label: '早退' },
    { key: 'missing', label: '缺卡' },
    { key: 'absent', label: '缺勤' },
    { key: 'leave', label: '请假' },
    { key: 'night', label: '夜班' },
  ] as const
  const peak = Math.max(1, ...days.flatMap((d) => kinds.map((k) => d[k.key])))
  const latest = days.slice(-31)
  const byWeekday = useMemo(() => weekdayMeans(days), [days])
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (data && days.length === 0) return <Empty text="还没有可看的规律" hint="闸机有通行的第二天起有日考勤" />
  return (
    <div className="att-panels">
      <Card title="每日出勤" remark="点柱看当日到场的人；圆点为日结时的数字，与柱不同即有补传或更正" className="wide">
        <Chart
          height={300}
          label="近 90 天每日出勤人数与出勤率"
          option={option}
          onClick={({ dataIndex, seriesName }) => {
            const one = days[dataIndex]
            if (!one) return
            onOpen({
              scope: 'inPlace',
              projectCode,
              title: `${one.date} ${seriesName === '未到' ? '缺勤' : '出勤'}`,
              state: seriesName === '未到' ? 'absent' : 'attended',
              startDate: one.date,
              endDate: one.date,
            })
          }}
        />
      </Card>
      <Card title="异常日历" remark="近 31 天，点格看人" className="wide">
        <HeatBoard
          label="每日迟到早退缺卡缺勤请假夜班人数"
          heads={latest.map((d) => (
            <span key={d.date}>
              {Number(d.date.slice(8))}
              <br />
              {weekdayOf(d.date)}
            </span>
          ))}
          rows={kinds.map((k) => ({
            key: k.key,
            title: k.label,
            cells: latest.map((d) => ({
              text: d[k.key] ? String(d[k.key]) : '',
              share: d[k.key] / peak,
              rest: isRest(d) && d[k.key] === 0,
              words: `${d.date} ${k.label} ${d[k.key]} 人`,
            })),
          }))}
          onCell={(key, i) => {
            const kind = kinds.find((k) => k.key === key)
            const one = latest[i]
            if (!kind || !one) return
            onOpen({
              scope: 'inPlace',
              projectCode,
              title: `${one.date} ${kind.label}`,
              state: kind.key,
              startDate: one.date,
              endDate: one.date,
            })
          }}
        />
      </Card>
      <Card title="一周之内" remark="工作日平均到场人数与出勤率">
        <Chart height={240} label="星期一至星期日的平均到场人数" option={byWeekday} />
      </Card>
      <HoursOfWeek projectCode={projectCode} endDate={endDate} onOpen={onOpen} />
    </div>
  )
}

function weekdayMeans(
  days: readonly { date: string; entered: number; rate: number | null; expected: number; inPlace: number }[],
): ChartOption {
  const names = ['一', '二', '三', '四', '五', '六', '日']
  const groups = names.map((name) => days.filter((d) => weekdayOf(d.date) === name && !isRest(d)))
  const mean = (list: readonly number[]) => (list.length ? Math.round((list.reduce((a, b) => a + b, 0) / list.length) * 10) / 10 : null)
  return {
    grid: { left: 8, right: 8, top: 32, bottom: 8, containLabel: true },
    legend: { top: 0 },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'category', data: names.map((n) => `周${n}`) },
    yAxis: [
      { type: 'value', minInterval: 1 },
      { type: 'value', max: 100, axisLabel: { formatter: '{value} %' }, splitLine: { show: false } },
    ],
    series: [
      { name: '平均到场', type: 'bar', barMaxWidth: 28, data: groups.map((g) => mean(g.map((d) => d.entered))) },
      { name: '出勤率', type: 'line', yAxisIndex: 1, data: groups.map((g) => mean(g.flatMap((d) => d.rate ?? []))) },
    ],
  }
}
