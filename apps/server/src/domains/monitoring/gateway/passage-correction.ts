import { AppError } from '@zhugong/contract/kit/errors'
import { coverNames, directionNames, vehicleTypeNames, washNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { plateMarks } from '@zhugong/contract/monitoring/record-fixes'
import type { Context } from '#kit/context'
import { fixRecord } from '../shared/record-fix.ts'
import type { RecordRow } from '../shared/records.ts'

/** The device's direction codes to the platform's: the camera counts from 0. */
export const directions: Readonly<Record<string, string>> = { 0: '1', 1: '2' }
export const washes: Readonly<Record<string, string>> = { 1: '1', 0: '2', 2: '3' }
export const covers: Readonly<Record<string, string>> = { 1: '1', 0: '2' }

const codeIn = (map: Readonly<Record<string, string>>, wanted: string): string =>
  Object.keys(map).find((code) => map[code] === wanted) ?? wanted
const wordIn = (map: Readonly<Record<string, string>>, names: Readonly<Record<string, string>>) => (value: unknown) =>
  names[map[String(value)] ?? ''] ?? String(value)

/** Correctable fields by the camera's names, with their labels. */
export const passageWords = {
  plateNo: { label: '车牌' },
  direction: { label: '方向', word: wordIn(directions, directionNames) },
  vehicleType: { label: '车型', word: (value: unknown) => vehicleTypeNames[String(value)] ?? String(value) },
  washed: { label: '冲洗', word: wordIn(washes, washNames) },
  covered: { label: '密闭', word: wordIn(covers, coverNames) },
  confidence: { label: '车牌置信度' },
  plateUnreadable: { label: '车牌', word: (value: unknown) => (value === true ? plateMarks.unreadable : '可辨认') },
  pair: { label: '配对' },
}
const isPlate = (value: unknown): boolean => typeof value === 'string' && /^[一-龥][A-Z][A-Z0-9]{5,6}$/.test(value)

interface PassageChange {
  version: number
  reason: string
  plateNo?: string | undefined
  direction?: string | undefined
  vehicleType?: string | undefined
  washState?: string | undefined
  coverState?: string | undefined
  /** Result of looking at the picture of the plate. */
  plate?: keyof typeof plateMarks | undefined
}

/** Corrects a passage. Pairs, stays, counts and shares follow, because they are computed from the corrected values. */
export async function correctPassage(ctx: Context, row: RecordRow, body: PassageChange): Promise<string[]> {
  const request: Record<string, unknown> = {
    plateNo: body.plateNo,
    direction: body.direction && codeIn(directions, body.direction),
    vehicleType: body.vehicleType,
    washed: body.washState && codeIn(washes, body.washState),
    covered: body.coverState && codeIn(covers, body.coverState),
    confidence: body.plate === 'right' ? 1 : undefined,
    plateUnreadable: body.plate === 'unreadable' ? true : undefined,
  }
  if (body.plate === 'right' && !isPlate(row.data.plateNo)) throw new AppError('refused', '车牌未识别或格式不符，请逐条更正车牌')
  const changed = (Object.keys(passageWords) as (keyof typeof passageWords)[]).filter(
    (name) => request[name] !== undefined && String(row.data[name] ?? '') !== String(request[name]),
  )
  if (changed.length === 0) throw new AppError('invalidInput', '没有要更正的内容', { field: 'reason' })
  const fields: Record<string, unknown> = Object.fromEntries(changed.map((name) => [name, request[name]]))
  // A plate read by a person is no longer doubtful.
  if (changed.includes('plateNo')) fields.confidence = 1
  if (row.data.plateUnreadable === true && (changed.includes('plateNo') || changed.includes('confidence'))) fields.plateUnreadable = false
  await fixRecord(ctx, row, body.version, fields, changed, body.reason)
  return [...new Set(changed.map((name) => passageWords[name].label))]
}
