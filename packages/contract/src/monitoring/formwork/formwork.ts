import { z } from 'zod'
import { endpoint, viewOf } from '../../kit/endpoint.ts'
import { filled, nullable, ofProject, paged, pageQuery, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch, periodQuery, readingRow } from '../../telemetry/model.ts'
import { formworkRecords, pourRow } from './formwork-live.ts'

/** Limits of a point: settlement in mm, tilt in degrees, displacement as a fraction of the support's height (JGJ 300-2013, 8). */
export const formworkLimits = { settlementMm: 10, tiltDegrees: 1.5, displacementPart: 300 }
/** Percent of a limit at which a point warns, and at which the pour stops. */
export const formworkMarks = { warning: 80, stop: 100 }
export const formworkMetrics: Readonly<Record<string, string>> = {
  axialForce: '轴力',
  settlement: '沉降',
  horizontalDisplacement: '位移',
  tilt: '倾斜',
}

const number = (value: unknown): number | null =>
  value === null || value === undefined || value === '' || !Number.isFinite(Number(value)) ? null : Number(value)
const rounded = (n: number, digits = 1): number => Math.round(n * 10 ** digits) / 10 ** digits
const percent = (value: number | null, limit: number | null): number | null =>
  value === null || !limit ? null : (Math.abs(value) / limit) * 100

/** Highest percentage of a limit that a point reaches, and which limit that is, from its readings and parameters. */
export function formworkShare(values: Readonly<Record<string, unknown>>, params: Readonly<Record<string, unknown>>) {
  const designForce = number(params.designForce)
  const height = number(params.supportHeight)
  const displacementLimit = height ? rounded((height * 1000) / formworkLimits.displacementPart) : null
  const [x, y] = [number(values.tiltX), number(values.tiltY)]
  const tilt = x === null && y === null ? null : rounded(Math.hypot(x ?? 0, y ?? 0), 3)
  const force = number(values.axialForce)
  const shares: [string, number | null][] = [
    ['axialForce', designForce && force !== null ? (force / designForce) * 100 : number(values.axialForcePercent)],
    ['settlement', percent(number(values.settlement), formworkLimits.settlementMm)],
    ['horizontalDisplacement', percent(number(values.horizontalDisplacement), displacementLimit)],
    ['tilt', percent(tilt, formworkLimits.tiltDegrees)],
  ]
  const known = shares.filter((s): s is [string, number] => s[1] !== null).sort((a, b) => b[1] - a[1])
  return { share: known[0] ? rounded(known[0][1]) : null, worstMetric: known[0]?.[0] ?? null, displacementLimit, designForce, tilt }
}

/** Steps of a pour. */
export const pourStepKinds = {
  start: '开始浇筑',
  layer: '完成一层',
  stop: '停泵撤离',
  evacuated: '人员已撤离',
  resume: '恢复浇筑',
  end: '结束浇筑',
} as const
export type PourStepKind = keyof typeof pourStepKinds

/** Permitted next steps: resuming requires a completed evacuation; an ended pour cannot end again. */
const following: Readonly<Record<PourStepKind | 'none', readonly PourStepKind[]>> = {
  none: ['start'],
  end: ['start'],
  start: ['layer', 'stop', 'end'],
  layer: ['layer', 'stop', 'end'],
  resume: ['layer', 'stop', 'end'],
  stop: ['evacuated'],
  evacuated: ['resume', 'end'],
}
export const nextPourSteps = (last: PourStepKind | undefined): readonly PourStepKind[] => following[last ?? 'none']

export const pourStep = z.object({
  id: z.string(),
  projectCode: z.string(),
  bayName: z.string(),
  at: epoch,
  kind: z.enum(Object.keys(pourStepKinds) as [PourStepKind]),
  /** Volume poured so far, m³. */
  volume: z.number().nullable(),
  note: z.string().nullable(),
  byName: z.string(),
})
export type PourStep = z.infer<typeof pourStep>

/** Steps of all pours of a site, newest first. */
export const listPourSteps = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pour',
  summary: '浇筑过程列表',
  needs: 'high-formwork.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, bayName: text(60).optional() }),
  response: paged(pourStep),
})
export const addPourStep = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pour',
  summary: '登记浇筑过程',
  needs: 'high-formwork.pour',
  query: ofProject,
  body: z.object({
    bayName: filled(60, '浇筑部位'),
    kind: z.enum(Object.keys(pourStepKinds) as [PourStepKind], { error: '请选择浇筑步骤' }),
    volume: nullable(z.coerce.number({ error: '方量应为数字' }).min(0, '方量不能为负').max(20_000, '方量最多 20000 m³')),
    note: nullable(text(300, '说明')),
  }),
  response: pourStep,
})

export const findFormworkReadings = viewOf(formworkRecords, {
  query: periodQuery.extend({ sort: sortBy('time') }),
  response: paged(readingRow),
})
export const formworkReadingList = listOf(findFormworkReadings, {
  feature: 'readings.highFormwork',
  columns: {
    deviceName: '测点',
    time: '时间',
    axialForce: '立杆轴力（kN）',
    axialForcePercent: '占设计值（%）',
    horizontalDisplacement: '水平位移（mm）',
    settlement: '模板沉降（mm）',
    tiltX: '倾斜 X（°）',
    tiltY: '倾斜 Y（°）',
    batteryPercent: '电量（%）',
    quality: '数据质量',
    receivedAt: '接收时间',
  },
})

/** Pours over their whole bay, with the extremes of all points, newest first. */
export const findPours = viewOf(formworkRecords, {
  query: periodQuery.extend({ groupBy: z.literal('pour'), kind: z.literal('pour') }),
  response: paged(pourRow),
})
export const pourList = listOf(findPours, {
  feature: 'pour',
  columns: {
    projectName: '项目',
    bayName: '部位',
    pourName: '浇筑',
    startTime: '开始',
    endTime: '结束',
    hours: '时长（小时）',
    maxAxialForce: '最大轴力（kN）',
    maxAxialForcePercent: '最大占设计值（%）',
    worstPoint: '最大测点',
    maxDisplacement: '最大位移（mm）',
    maxSettlement: '最大沉降（mm）',
    maxTilt: '最大倾斜（°）',
    alarmCount: '告警',
    stopSeconds: '撤离用时（秒）',
    dataPercent: '数据完整率（%）',
  },
})

/** Monitoring report of one pour, identified by its bay and start in epoch milliseconds. */
export const pourPrint = ofProject.extend({ bayName: filled(60, '部位'), startTime: z.coerce.number() })
