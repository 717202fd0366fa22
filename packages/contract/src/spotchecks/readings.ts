import { z } from 'zod'
import { filled, text } from '../kit/fields.ts'

/** Which table of readings a spot check has. */
export const spotTests = { rebound: '回弹', thickness: '楼板厚度', scan: '钢筋扫描', material: '原材料', other: '其他' } as const
export type SpotTest = keyof typeof spotTests

/** Code of dictionary spotCheckKind for 实体质量, which is measured on the site; all others are sampled. */
export const bodyKind = '1'
/** 原材料 … 门窗: what is sampled from a delivered batch. */
export const batchKinds: readonly string[] = ['2', '4', '5', '6', '7', '8']
export const testsOf = (kind: string): readonly SpotTest[] =>
  kind === bodyKind ? ['rebound', 'thickness', 'scan'] : batchKinds.includes(kind) ? ['material'] : ['other']

/** Readings in one measuring area (JGJ/T 23-2011, 4.2.1). */
export const readingsPerArea = 16
/** Of 16 readings the three highest and the three lowest are dropped (5.0.1). */
const dropped = 3
export const mostAreas = 30
const mostPoints = 60

/** Readings outside are asked about once, those outside `possible` are refused. */
export const usualRebound = { low: 20, high: 60 } as const
const possible = { low: 10, high: 100 } as const

const tenth = (n: number) => Math.round((n + Number.EPSILON) * 10) / 10

/** Mean rebound of an area: without the three highest and three lowest of 16 readings, to one decimal. */
export function areaRebound(readings: readonly number[]): number | null {
  if (readings.length !== readingsPerArea) return null
  const kept = readings.toSorted((a, b) => a - b).slice(dropped, readingsPerArea - dropped)
  return tenth(kept.reduce((sum, one) => sum + one, 0) / kept.length)
}

/** Strength of pumped concrete from rebound and carbonation depth in mm, tested horizontally (JGJ/T 23-2011, appendix B), MPa. */
export const strengthOf = (rebound: number, carbonation: number): number =>
  tenth(0.034488 * rebound ** 1.94 * 10 ** (-0.0173 * Math.min(Math.max(carbonation, 0), 6)))

/** Areas from which on the mean minus 1.645 standard deviations is presumed; below, the lowest (7.0.3). */
const manyAreas = 10
const quantile = 1.645
export function presumedStrength(strengths: readonly number[]): number | null {
  if (strengths.length === 0) return null
  if (strengths.length < manyAreas) return Math.min(...strengths)
  const mean = strengths.reduce((sum, one) => sum + one, 0) / strengths.length
  const variance = strengths.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (strengths.length - 1)
  return tenth(mean - quantile * Math.sqrt(variance))
}

const number = (label: string, low: number, high: number) =>
  z
    .number({ error: `请填写${label}` })
    .min(low, `${label}不小于 ${low}`)
    .max(high, `${label}不大于 ${high}`)

const rebound = z.object({
  test: z.literal('rebound'),
  /** Characteristic strength of the design, for example 30 for C30. */
  grade: number('设计强度', 10, 100),
  areas: z
    .array(
      z.object({
        name: filled(30, '测区'),
        readings: z
          .array(number('回弹值', possible.low, possible.high))
          .length(readingsPerArea, `每个测区须有 ${readingsPerArea} 个回弹值`),
        carbonation: number('碳化深度', 0, 20),
      }),
    )
    .min(1, '至少一个测区')
    .max(mostAreas, `测区最多 ${mostAreas} 个`),
})
const thickness = z.object({
  test: z.literal('thickness'),
  /** Millimetres. */
  design: number('设计厚度', 40, 1000),
  points: z
    .array(z.object({ name: filled(30, '测点'), value: number('实测厚度', 10, 1500) }))
    .min(3, '至少三个测点')
    .max(mostPoints, `测点最多 ${mostPoints} 个`),
})
const scan = z.object({
  test: z.literal('scan'),
  member: z.enum(['slab', 'beam'], { error: '请选择构件' }),
  spacing: number('设计间距', 50, 500),
  cover: number('设计保护层', 10, 100),
  points: z
    .array(z.object({ name: filled(30, '测点'), spacing: number('实测间距', 10, 1000), cover: number('实测保护层', 0, 200) }))
    .min(3, '至少三个测点')
    .max(mostPoints, `测点最多 ${mostPoints} 个`),
})
/** What was taken of a material, in words. */
const sampled = <const T extends 'material' | 'other'>(test: T) =>
  z.object({ test: z.literal(test), note: text(500, '取样或检查情况').min(2, '请填写取样或检查情况') })

export const spotReadings = z.discriminatedUnion('test', [rebound, thickness, scan, sampled('material'), sampled('other')])
export type SpotReadings = z.output<typeof spotReadings>

/** Permitted deviation of the thickness of a slab, mm (GB 50204-2015, 8.3.2), of spacing (5.5.3) and of cover (E.0.4). */
const slabThickness = { low: -5, high: 10 } as const
const spacingWithin = 10
const coverWithin = { slab: { low: -5, high: 8 }, beam: { low: -7, high: 10 } } as const
/** Shares of points that must pass (GB 50204-2015, E.0.5 and F.0.4). */
const scanShare = 90
const thicknessShare = 80
/** No single cover may exceed the permitted deviation by more than this factor. */
const worstFactor = 1.5

interface SpotVerdict {
  passed: boolean
  /** As it is written into 实测值. */
  actual: string
  design: string
  /** The calculation, line by line. */
  lines: readonly string[]
}

const within = (deviation: number, { low, high }: { low: number; high: number }, factor = 1) =>
  deviation >= low * factor && deviation <= high * factor
const share = (some: readonly boolean[]) => Math.round((some.filter(Boolean).length / some.length) * 1000) / 10

/** The verdict of readings that were taken on the site; undefined for a sample, of which the laboratory says it. */
export function judge(readings: SpotReadings): SpotVerdict | undefined {
  switch (readings.test) {
    case 'rebound':
      return judgeRebound(readings)
    case 'thickness': {
      const fine = readings.points.map((one) => within(one.value - readings.design, slabThickness))
      const part = share(fine)
      return {
        passed: part >= thicknessShare,
        actual: `合格点率 ${part}%`,
        design: `${readings.design} mm（+10、-5 mm，合格点率 ≥${thicknessShare}%）`,
        lines: readings.points.map(
          (one, i) => `${one.name} ${one.value} mm，偏差 ${signed(one.value - readings.design)} mm ${fine[i] ? '合格' : '超差'}`,
        ),
      }
    }
    case 'scan': {
      const limits = coverWithin[readings.member]
      const covers = readings.points.map((one) => within(one.cover - readings.cover, limits))
      const spacings = readings.points.map((one) => Math.abs(one.spacing - readings.spacing) <= spacingWithin)
      const gross = readings.points.some((one) => !within(one.cover - readings.cover, limits, worstFactor))
      const [coverShare, spacingShare] = [share(covers), share(spacings)]
      return {
        passed: coverShare >= scanShare && spacingShare >= scanShare && !gross,
        actual: `保护层合格率 ${coverShare}%，间距合格率 ${spacingShare}%`,
        design: `间距 ${readings.spacing} mm，保护层 ${readings.cover} mm（合格率 ≥${scanShare}%）`,
        lines: [
          ...readings.points.map(
            (one, i) =>
              `${one.name} 间距 ${one.spacing} mm ${spacings[i] ? '合格' : '超差'}，保护层 ${one.cover} mm ${covers[i] ? '合格' : '超差'}`,
          ),
          ...(gross ? [`有测点超过允许偏差的 ${worstFactor} 倍`] : []),
        ],
      }
    }
    default:
      return undefined
  }
}

const signed = (n: number) => (n > 0 ? `+${n}` : String(n))

function judgeRebound({ grade, areas }: Extract<SpotReadings, { test: 'rebound' }>): SpotVerdict {
  const rows = areas.map((one) => {
    const mean = areaRebound(one.readings) ?? 0
    return { ...one, mean, strength: strengthOf(mean, one.carbonation) }
  })
  const presumed = presumedStrength(rows.map((one) => one.strength)) ?? 0
  return {
    passed: presumed >= grade,
    actual: `推定强度 ${presumed.toFixed(1)} MPa`,
    design: `C${grade}（≥${grade.toFixed(1)} MPa）`,
    lines: [
      ...rows.map(
        (one) => `${one.name} 平均回弹值 ${one.mean.toFixed(1)}，碳化 ${one.carbonation} mm，换算强度 ${one.strength.toFixed(1)} MPa`,
      ),
      rows.length < manyAreas
        ? `测区少于 ${manyAreas} 个，取最小值 ${presumed.toFixed(1)} MPa`
        : `平均值 - 1.645 × 标准差 = ${presumed.toFixed(1)} MPa`,
    ],
  }
}

/** Readings that are possible but unusual, to be confirmed once. */
export function oddReadings(readings: SpotReadings): string[] {
  if (readings.test === 'rebound')
    return readings.areas.flatMap(({ name, readings: some }) => {
      const odd = some.filter((one) => one < usualRebound.low || one > usualRebound.high)
      return odd.length > 0 ? [`${name}：${odd.join('、')}`] : []
    })
  if (readings.test === 'thickness')
    return readings.points
      .filter((one) => Math.abs(one.value - readings.design) > readings.design * oddShare)
      .map((one) => `${one.name}：${one.value} mm`)
  if (readings.test === 'scan')
    return readings.points
      .filter((one) => Math.abs(one.spacing - readings.spacing) > readings.spacing * oddShare)
      .map((one) => `${one.name}：间距 ${one.spacing} mm`)
  return []
}
const oddShare = 0.4
