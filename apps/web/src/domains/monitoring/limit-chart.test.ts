import type { Limit } from '@zhugong/contract/telemetry/model'
import { expect, test } from 'vitest'
import { curveWithGaps, limitOption, named } from './limit-chart.ts'

const point = (time: number, mean: number, high = mean) => ({ time, n: 1, v: { load: [mean, mean, high] as [number, number, number] } })

test('a pause of more than two and a half spans stays open, a missing metric is no point', () => {
  const points = [point(0, 1, 4), point(10_000, 2), { time: 20_000, n: 1, v: {} }, point(60_000, 3)]
  expect(curveWithGaps(points, 'load', 10)).toEqual([
    [0, 1],
    [10_000, 2],
    [10_001, null],
    [60_000, 3],
  ])
  expect(curveWithGaps(points, 'load', 10, 'high')[0]).toEqual([0, 4])
  expect(curveWithGaps(points, 'wind', 10)).toEqual([])
})

test('limits of the first metric are drawn where they are within reach of the curve', () => {
  const limit = (value: number, level: number): Limit => ({
    metric: 'load',
    alarmKey: 'a',
    label: '超重',
    level,
    op: '>=',
    value,
    clearValue: null,
    text: '',
    ruleId: 'r',
    version: 1,
  })
  const option = limitOption({
    points: [point(0, 4), point(10_000, 5)],
    bucketSeconds: 10,
    metrics: [{ key: 'load', label: '吊重', unit: 't' }],
    limits: [limit(6, 2), limit(60, 1), { ...limit(5, 1), metric: 'wind' }],
    alarms: [{ startTime: 1, clearTime: null, level: 2, label: '超重' }],
    span: { from: 0, to: 20_000 },
  })
  const [series] = option.series as { markLine: { data: { yAxis: number }[] }; markArea: { data: { xAxis: number }[][] } }[]
  expect(series?.markLine.data.map((one) => one.yAxis)).toEqual([6])
  expect(series?.markArea.data[0]?.map((one) => one.xAxis)).toEqual([1, 20_000])
})

test('of names that would lie on each other the first stays', () => {
  const area = (from: number, name: string) => ({ from, name })
  const shown = named([area(50, '乙'), area(0, '甲'), area(55, '丙'), area(90, '丁')], { from: 0, to: 100 })
  expect(shown.map((one) => one.name)).toEqual(['甲', '乙', '', '丁'])
})
