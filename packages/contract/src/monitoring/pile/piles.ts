import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { numericRange, paged, parseInstant, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { deviceInfo, lineQuery, lines, periodQuery, readingRow, readingsQuery, recordView } from '../../telemetry/model.ts'
import { byId } from '../model.ts'
import { pileWork } from './pile-work.ts'

const pileView = 'foundation-pile.view'

/** Result of a pile proposed by its rig; the decision is made by a person on paper. */
export const pileResults = { failed: '0', passed: '1', pending: '2' } as const
export const pileResultNames: Readonly<Record<string, string>> = { '1': '合格', '2': '待定', '0': '不合格' }
/** Greatest inclination of a pile, percent of its depth (GB 50202-2018). */
export const leanLimit = 1
/** Least share of the designed grout volume. */
export const leastGroutShare = 0.95

export const pileInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/pile/info/:id',
  summary: '桩机实时数据',
  needs: pileView,
  params: byId,
  response: deviceInfo.extend({
    params: z.record(z.string(), z.unknown()),
    /** Piles this rig finished today, and those not yet accepted. */
    today: z.object({ piles: z.number().int(), open: z.number().int() }),
    /** The pile being worked on, as entered by people. */
    work: pileWork.nullable(),
  }),
})
export const pileLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/pile/line',
  summary: '桩机数据曲线',
  needs: pileView,
  answers: 'list',
  query: lineQuery,
  response: lines,
})
export const pileReadings = endpoint({
  method: 'GET',
  path: '/api/v1/iot/pile/reading',
  summary: '桩机监测记录',
  needs: pileView,
  answers: 'list',
  query: readingsQuery,
  response: paged(readingRow),
})

const range = numericRange.optional()
export const pileRow = recordView.extend({
  key: z.string(),
  /** The register entry it is assigned to; `verdict` is what a person decided. */
  pileId: z.string().nullable(),
  registerNo: z.string().nullable(),
  verdict: z.enum(['1', '2', '0']).nullable(),
  designDepth: z.number().nullable(),
  pileType: z.string().nullable(),
  /** L per metre, from the rig's record. */
  designGrout: z.number().nullable(),
  /** kN at the end of a pressed pile, from the rig's record. */
  designPressure: z.number().nullable(),
  /** Who entered the start of this pile. */
  operator: z.string().nullable(),
  /** Alarms of the rig during this pile. */
  alarmCount: z.number().int(),
})
export type PileRow = z.infer<typeof pileRow>
export const findPiles = endpoint({
  method: 'GET',
  path: '/api/v1/iot/pile/record',
  summary: '成桩记录',
  needs: pileView,
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('startTime', 'finalDepth', 'maxVerticality'),
    pileNo: text(64).optional(),
    deviceName: text(50).optional(),
    result: several.optional(),
    finalDepth: range,
    maxVerticality: range,
    groutPercent: range,
  }),
  response: paged(pileRow).extend({
    /** Over the same projects, rig and period, ignoring the other filters. */
    counts: z.object({ piles: z.number().int(), today: z.number().int(), pending: z.number().int(), failed: z.number().int() }),
  }),
})
export const pileList = listOf(findPiles, {
  feature: 'pile',
  columns: {
    projectName: '项目',
    pileNo: '桩号',
    pileType: '桩型',
    deviceName: '桩机',
    startTime: '开始',
    endTime: '结束',
    finalDepth: '终孔深度（m）',
    designDepth: '设计桩长（m）',
    maxVerticality: '最大垂直度偏差（%）',
    groutTotal: '总浆量（L）',
    groutPercent: '浆量占设计（%）',
    operator: '登记人',
    finalPressure: '终压力（kN）',
    finalPenetration: '最后贯入度（mm）',
    alarmCount: '告警',
    result: '桩机结论',
    verdict: '判定',
    doubt: '疑点',
  },
})

type Data = Readonly<Record<string, unknown>>
const numberIn = (data: Data, key: string): number | null => {
  const value = data[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
const textIn = (data: Data, key: string): string | null => {
  const value = data[key]
  return typeof value === 'string' && value !== '' ? value : null
}
const instantIn = (data: Data, key: string): number | undefined => {
  const value = data[key]
  return typeof value === 'number' ? value : typeof value === 'string' ? parseInstant(value) : undefined
}
/** Highest plausible drilling speed, m/min: a record above it was not measured. */
const fastest = 10

/** A finished pile from its record; depths in m, inclination in percent, grout in L. */
export function pileOf({
  time,
  data,
  designDepth,
  designGrout = null,
  designPressure = null,
}: Pick<PileRow, 'time' | 'data' | 'designDepth'> & Partial<Pick<PileRow, 'designGrout' | 'designPressure'>>) {
  const endTime = instantIn(data, 'endTime') ?? time
  const startTime = instantIn(data, 'startTime') ?? null
  const finalDepth = numberIn(data, 'finalDepth')
  const maxVerticality = numberIn(data, 'maxVerticality')
  const groutTotal = numberIn(data, 'groutTotal')
  const groutPercent =
    groutTotal !== null && designGrout !== null && designGrout > 0 && finalDepth !== null && finalDepth > 0
      ? Math.round((groutTotal / (designGrout * finalDepth)) * 1000) / 10
      : null
  const finalPressure = numberIn(data, 'finalPressure')
  const minutes = startTime === null ? null : (endTime - startTime) / 60_000
  return {
    pileNo: textIn(data, 'pileNo'),
    startTime,
    endTime,
    finalDepth,
    maxVerticality,
    finalPressure,
    finalPenetration: numberIn(data, 'finalPenetration'),
    groutTotal,
    /** Percent of the volume designed for its depth. */
    groutPercent,
    result: textIn(data, 'result') ?? pileResults.pending,
    /** Reasons for doubt, as text. */
    doubts: [
      ...(finalDepth !== null && designDepth !== null && finalDepth < designDepth ? [`短 ${(designDepth - finalDepth).toFixed(2)} m`] : []),
      ...((maxVerticality ?? 0) > leanLimit ? [`垂直度 ${maxVerticality} %`] : []),
      ...(groutPercent !== null && groutPercent < leastGroutShare * 100 ? [`浆量 ${groutPercent} %`] : []),
      ...(finalPressure !== null && designPressure !== null && finalPressure < designPressure
        ? [`终压力差 ${Math.round(designPressure - finalPressure)} kN`]
        : []),
      ...(minutes !== null && finalDepth !== null && minutes < finalDepth / fastest ? ['时间短得不可能'] : []),
      ...(textIn(data, 'pileNo') === null ? ['未指定桩号'] : []),
    ],
  }
}
export type Pile = ReturnType<typeof pileOf>
