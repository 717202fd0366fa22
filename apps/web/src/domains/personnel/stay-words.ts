import { type DayResult, dayResults } from '@zhugong/contract/attendance/facts'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { yuan } from '#kit/format.ts'

/** Unit of a price by dictionary paymentType; other types are paid by agreement. */
const pricedPer: Readonly<Record<string, string>> = { 1: '日', 2: '月', 3: '小时', 4: '件', 5: '计量单位' }

/** For example 360.00 元 / 日. */
export function priceWords(cents: number | null, paymentType: string | null): string | null {
  if (cents === null) return null
  const per = paymentType ? pricedPer[paymentType] : undefined
  return `${yuan(cents)} 元${per ? ` / ${per}` : ''}`
}

const reported: readonly DayResult[] = [5, 6, 8, 12]
/** State of a day without an entry: absent, on leave or work stopped. Absence requires an expected day. */
export function absenceWord({ results, expected }: { results: readonly number[]; expected: boolean }): string {
  const result = reported.find((one) => results.includes(one))
  return result ? dayResults[result] : expected ? '未到' : '不考核'
}

/** State of a bad record; a confirmed one counts until its validity ends. */
export function badStateWords(r: { auditStatus: string; auditStatusName: string | null; counts: boolean }): string {
  if (r.auditStatus !== auditStates.passed) return r.auditStatusName ?? '--'
  return r.counts ? '已认定' : '已过影响期'
}
