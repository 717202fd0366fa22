import { crc32 } from 'node:zlib'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { type SurveyField, surveyColumns, surveyJump } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { unreadable } from '#kit/cell-text'
import { formatInstant } from '#kit/clock'
import type { EnteredReadings } from '../../../telemetry/public.ts'
import { pitMetricOf } from '../../shared/points.ts'
import { pitFamily } from '../pit-of.ts'
import type { SurveyLine } from './sheet-thread.ts'

/** A point that the sheet is compared with. */
export interface SurveyPoint {
  deviceId: string
  pointCode: string
  pitName: string
  pointType: string
  unit: string
  /** Time of its newest reading. */
  time: number | null
  cumulative: number | null
}

export interface CheckedLine extends SurveyLine {
  errors: { column: SurveyField; text: string }[]
  warnings: { column: SurveyField; text: string }[]
}

export interface SurveyReading {
  point: SurveyPoint
  time: number
  value: number
  valueY: number | null
  profile: { depth: number; deepHorizontalDisplacement: number }[]
  surveyor: string | null
  /** Stored by an earlier import. */
  isKnown: boolean
  /** For an inclinometer the first of its lines. */
  line: CheckedLine
}

export interface CheckedSurvey {
  lines: CheckedLine[]
  readings: SurveyReading[]
}

/** Greatest accepted age of a reading. */
const oldestDays = 30
/** Most depths of one inclinometer: every half metre down to 50 m. */
const mostDepths = 100
const deepest = 100
const profiled = 'deepHorizontal'
const tilted = 'tilt'
const hasClock = /\d{1,2}:\d{2}/

/** Accepts 2026/3/1 8:30 for 2026-03-01 08:30:00. */
function momentOf(text: string): number | undefined {
  const parts = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (!parts) return undefined
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00'] = parts
  const two = (n: string) => n.padStart(2, '0')
  return parseInstant(`${year}-${two(month)}-${two(day)} ${two(hour)}:${minute}:${second}`)
}

const numberIn = (text: string): number | undefined => {
  const plain = text.replaceAll(',', '')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}

const rangeOf = (metric: string | undefined): { min: number; max: number } => {
  const { min, max } = familyOf(pitFamily)?.metric(metric ?? '') ?? {}
  return { min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY }
}

/** Validates a sheet cell by cell; returns errors and the readings. Pure, without the database. */
export function checkSurvey(given: readonly SurveyLine[], points: readonly SurveyPoint[], now: number): CheckedSurvey {
  const lines = given.map((line): CheckedLine => ({ ...line, errors: [], warnings: [] }))
  const byCode = Map.groupBy(points, (one) => one.pointCode.toLowerCase())
  const readings = new Map<string, SurveyReading>()
  for (const line of lines) readLine(line, byCode, readings, now)
  const all = [...readings.values()]
  for (const one of all) if (one.profile.length > 0) bulge(one)
  markJumps(all)
  return { lines, readings: all }
}

function readLine(
  line: CheckedLine,
  byCode: ReadonlyMap<string, readonly SurveyPoint[]>,
  readings: Map<string, SurveyReading>,
  now: number,
): void {
  const { cells } = line
  const wrong = (column: SurveyField, text: string) => {
    line.errors.push({ column, text })
    return undefined
  }
  for (const { key, title, required } of surveyColumns) {
    if (required && !cells[key]) wrong(key, `请填写${title}`)
    const problem = unreadable(cells[key] ?? '')
    if (problem) wrong(key, problem)
  }
  const point = pointOf(cells, byCode, wrong)
  const time = timeOf(cells.time, now, wrong)
  const number = (column: SurveyField, { min, max }: { min: number; max: number }) => {
    const text = cells[column]
    if (!text) return undefined
    const value = numberIn(text)
    if (value === undefined) return wrong(column, '应为数字')
    return value < min || value > max ? wrong(column, `应在 ${min} 到 ${max} 之间`) : value
  }
  const value = number('value', rangeOf(point && pitMetricOf(point.pointType)))
  const valueY = point?.pointType === tilted ? number('valueY', rangeOf('tiltY')) : undefined
  const depth = number('depth', { min: 0, max: deepest })
  if (point && point.pointType !== profiled && cells.depth) wrong('depth', '只有深层水平位移填写深度')
  if (point?.pointType === profiled && !cells.depth) wrong('depth', '深层水平位移按深度逐行填写')
  if (line.errors.length > 0 || !point || time === undefined || value === undefined) return
  const key = `${point.deviceId}/${point.pointCode}/${time}`
  const known = readings.get(key)
  if (!known) {
    const profile = depth === undefined ? [] : [{ depth, deepHorizontalDisplacement: value }]
    readings.set(key, { point, time, value, valueY: valueY ?? null, profile, surveyor: cells.surveyor ?? null, isKnown: false, line })
    return
  }
  if (depth === undefined) wrong('time', `与第 ${known.line.row} 行的测点和时间相同`)
  else if (known.profile.some((one) => one.depth === depth)) wrong('depth', '同一测点、时间的深度重复')
  else if (known.profile.length >= mostDepths) wrong('depth', `一次最多 ${mostDepths} 个深度`)
  else known.profile.push({ depth, deepHorizontalDisplacement: value })
}

type Wrong = (column: SurveyField, text: string) => undefined

function pointOf(cells: SurveyLine['cells'], byCode: ReadonlyMap<string, readonly SurveyPoint[]>, wrong: Wrong): SurveyPoint | undefined {
  if (!cells.pointCode) return undefined
  const named = byCode.get(cells.pointCode.toLowerCase()) ?? []
  if (named.length === 0) return wrong('pointCode', '本项目没有这个测点')
  const here = cells.pitName ? named.filter((one) => one.pitName === cells.pitName) : named
  if (here.length === 0) return wrong('pitName', `测点在“${named[0]?.pitName}”`)
  return here.length === 1 ? here[0] : wrong(cells.pitName ? 'pointCode' : 'pitName', '几个基坑有同名测点，请填写基坑')
}

function timeOf(text: string | undefined, now: number, wrong: Wrong): number | undefined {
  if (!text) return undefined
  if (!hasClock.test(text)) return wrong('time', '请填写到分钟，如 2026-03-01 08:30')
  const time = momentOf(text)
  if (time === undefined) return wrong('time', '时间应写成 2026-03-01 08:30')
  if (time > now) return wrong('time', '测量时间不能晚于现在')
  return time < now - oldestDays * dayMs ? wrong('time', `超过 ${oldestDays} 天的读数不能导入`) : time
}

/** The value of an inclinometer is its greatest displacement, with sign; the profile is ordered from the top down. */
function bulge(one: SurveyReading): void {
  one.profile.sort((a, b) => a.depth - b.depth)
  one.value = one.profile.reduce(
    (worst, { deepHorizontalDisplacement: d }) => (Math.abs(d) > Math.abs(worst) ? d : worst),
    one.profile[0]?.deepHorizontalDisplacement ?? 0,
  )
}

function markJumps(readings: SurveyReading[]): void {
  readings.sort((a, b) => a.time - b.time)
  const last = new Map<string, { time: number; value: number }>()
  for (const one of readings) {
    const { point, time, value, line } = one
    const key = `${point.deviceId}/${point.pointCode}`
    const stored =
      point.time !== null && point.cumulative !== null && point.time < time ? { time: point.time, value: point.cumulative } : undefined
    const inFile = last.get(key)
    const before = inFile && (!stored || inFile.time > stored.time) ? inFile : stored
    last.set(key, { time, value })
    if (!before || point.unit !== 'mm') continue
    const moved = Math.round((value - before.value) * 100) / 100
    if (Math.abs(moved) <= surveyJump) continue
    const text = `较 ${formatInstant(before.time).slice(5, 16)} 的 ${before.value} 变化 ${moved > 0 ? '+' : ''}${moved} ${point.unit}，请核对`
    line.warnings.push({ column: 'value', text })
  }
}

/** Above the sequence numbers of loggers: a manual and a logger's reading of the same second are both kept. */
const handSeq = 1_000_000_000
export const surveySeq = (pointCode: string): number => handSeq + (crc32(pointCode) % handSeq)

/** Readings in the ingest's format, by device. */
export function enteredOf(readings: readonly SurveyReading[], surveyId: string): EnteredReadings[] {
  return [...Map.groupBy(readings, (one) => one.point.deviceId)].map(([deviceId, own]) => ({
    deviceId,
    items: own.map(({ point, time, value, valueY, profile, surveyor }) => ({
      time,
      seq: surveySeq(point.pointCode),
      data: {
        [pitMetricOf(point.pointType)]: value,
        ...(valueY === null ? {} : { tiltY: valueY }),
        pointCode: point.pointCode,
        pointType: point.pointType,
        source: 'manual',
        surveyId,
        surveyor: surveyor || undefined,
        points: profile.length > 0 ? profile : undefined,
      },
    })),
  }))
}
