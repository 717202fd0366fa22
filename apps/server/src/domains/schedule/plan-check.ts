import { day } from '@zhugong/contract/kit/fields'
import { dayNumber } from '@zhugong/contract/schedule/plan'
import { type PlanField, planColumns } from '@zhugong/contract/schedule/plan-import'
import { unreadable } from '#kit/cell-text'
import type { SheetLine } from '#kit/sheet-lines'

interface Fault {
  column: PlanField
  text: string
}
export interface PlanItem {
  wbs: string
  unitId: string | null
  name: string
  planStart: string
  planEnd: string
  weight: number
  milestone: boolean
  critical: boolean
  /** Null: the general contractor. */
  corpCode: string | null
  /** Number of the task above; null at the top. */
  parent: string | null
}
export interface CheckedTask extends SheetLine<PlanField> {
  errors: Fault[]
  warnings: Fault[]
  /** Only if there is no error in the line. */
  item: PlanItem | undefined
}
export interface Known {
  units: readonly { id: string; name: string }[]
  corps: readonly { code: string; name: string }[]
}

const number = /^\d{1,4}(\.\d{1,4}){0,7}$/
const longest: Partial<Record<PlanField, number>> = { name: 100 }
const whole = 100
/** A plan of a building site does not take longer. */
const mostDays = 3650
const yesWords = ['是', '√', 'y', 'yes', '1', 'true']
const noWords = ['', '否', 'n', 'no', '0', 'false']

/** Identity of a task in a plan: its number within its unit. */
export const keyOf = (one: Pick<PlanItem, 'unitId' | 'wbs'>): string => `${one.unitId ?? ''} ${one.wbs}`

/**
 * Validates the lines of a plan cell by cell; pure, without the database. The tree follows from the numbers. A missing unit is that of the task
 * above, or the one that a task of the top level is named after; missing weights are shared out by duration.
 */
export function checkPlan(lines: readonly SheetLine<PlanField>[], known: Known): CheckedTask[] {
  const units = unitsOf(lines, known)
  const checked = lines.map((line) => checkLine(line, known, units))
  markRepeated(checked)
  markParents(checked)
  shareWeights(checked)
  for (const one of checked) if (one.errors.length > 0) one.item = undefined
  return checked
}

const plainName = (text: string) => text.replace(/\s/g, '')
const parentOf = (wbs: string): string | null => (wbs.includes('.') ? wbs.slice(0, wbs.lastIndexOf('.')) : null)
const topOf = (wbs: string): string => wbs.split('.')[0] ?? wbs

/** The unit of every number at the top, where its line tells it. */
function unitsOf(lines: readonly SheetLine<PlanField>[], { units }: Known): Map<string, string> {
  return new Map(
    lines.flatMap(({ cells }): [string, string][] => {
      if (!cells.wbs || cells.wbs.includes('.') || cells.unit) return []
      const unit = units.find((one) => plainName(one.name) === plainName(cells.name ?? ''))
      return unit ? [[cells.wbs, unit.id]] : []
    }),
  )
}

function checkLine(line: SheetLine<PlanField>, { units, corps }: Known, unitByTop: ReadonlyMap<string, string>): CheckedTask {
  const { cells } = line
  const errors: Fault[] = []
  const wrong = (column: PlanField, text: string) => {
    errors.push({ column, text })
  }
  for (const { key, title, required } of planColumns) {
    if (required && !cells[key]) wrong(key, `请填写${title}`)
    const problem = unreadable(cells[key] ?? '')
    if (problem) wrong(key, problem)
    const most = longest[key]
    if (most && (cells[key]?.length ?? 0) > most) wrong(key, `${title}最多 ${most} 个字`)
  }
  const { wbs = '', name = '' } = cells
  if (wbs && !number.test(wbs)) wrong('wbs', '编号格式应为 1、1.2、1.2.3，最多 8 级')
  const unit = cells.unit ? units.find((one) => plainName(one.name) === plainName(cells.unit ?? '')) : undefined
  if (cells.unit && !unit) wrong('unit', '项目中没有这个单体，请先在项目设置中登记')
  const corp = cells.corp ? corps.find((one) => one.name === cells.corp || one.code === cells.corp) : undefined
  if (cells.corp && !corp) wrong('corp', '不是本项目的在场参建单位')
  const [planStart, planEnd] = [dayIn(cells.planStart), dayIn(cells.planEnd)]
  if (cells.planStart && !planStart) wrong('planStart', '日期格式应为 2026-03-01')
  if (cells.planEnd && !planEnd) wrong('planEnd', '日期格式应为 2026-03-01')
  if (planStart && planEnd && planEnd < planStart) wrong('planEnd', '计划结束不能早于计划开始')
  else if (planStart && planEnd && dayNumber(planEnd) - dayNumber(planStart) > mostDays) wrong('planEnd', '工期超过 10 年，请检查年份')
  const weight = cells.weight ? weightIn(cells.weight) : Number.NaN
  if (cells.weight && weight === undefined) wrong('weight', '权重应为 0 到 100 的数，最多两位小数')
  const milestone = flagIn(cells.milestone)
  if (milestone === undefined) wrong('milestone', '请填“是”或留空')
  const critical = flagIn(cells.critical)
  if (critical === undefined) wrong('critical', '请填“是”或留空')
  const item: PlanItem | undefined =
    planStart && planEnd
      ? {
          wbs,
          unitId: unit?.id ?? unitByTop.get(topOf(wbs)) ?? null,
          name,
          planStart: milestone ? planEnd : planStart,
          planEnd,
          weight: weight ?? Number.NaN,
          milestone: milestone ?? false,
          critical: critical ?? false,
          corpCode: corp?.code ?? null,
          parent: parentOf(wbs),
        }
      : undefined
  return { ...line, errors, warnings: [], item }
}

/** 2026-03-01, 2026/3/1, 2026年3月1日, with or without a time. */
function dayIn(text: string | undefined): string | undefined {
  const found = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ].*)?$/.exec(text ?? '')
  if (!found) return undefined
  const [, year = '', month = '', date = ''] = found
  const read = day.safeParse(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
  return read.success ? read.data : undefined
}

function weightIn(text: string): number | undefined {
  const plain = text.replace(/[%％]$/, '')
  const n = /^\d{1,3}(\.\d{1,2})?$/.test(plain) ? Number(plain) : Number.NaN
  return n >= 0 && n <= whole ? n : undefined
}

function flagIn(text = ''): boolean | undefined {
  const plain = text.toLowerCase()
  return yesWords.includes(plain) ? true : noWords.includes(plain) ? false : undefined
}

function markRepeated(checked: readonly CheckedTask[]): void {
  const seen = new Map<string, number>()
  for (const { row, item, errors } of checked) {
    if (!item?.wbs) continue
    const earlier = seen.get(keyOf(item))
    if (earlier !== undefined) errors.push({ column: 'wbs', text: `与第 ${earlier} 行编号相同` })
    else seen.set(keyOf(item), row)
  }
}

/** A number needs the one above it. A task inside the dates of none other is fine: those above follow from their parts. */
function markParents(checked: readonly CheckedTask[]): void {
  const inherited = new Map<string, string | null>()
  for (const { item } of checked) if (item && item.parent === null) inherited.set(item.wbs, item.unitId)
  for (const one of checked) {
    const { item } = one
    if (!item || item.parent === null || one.cells.unit) continue
    const unitId = inherited.get(topOf(item.wbs))
    if (unitId !== undefined) item.unitId = unitId
  }
  const keys = new Set(checked.flatMap(({ item }) => (item ? [keyOf(item)] : [])))
  for (const { item, errors } of checked)
    if (item?.parent && !keys.has(keyOf({ unitId: item.unitId, wbs: item.parent })))
      errors.push({ column: 'wbs', text: `没有上级任务 ${item.parent}` })
}

/** Weights of one level: those that are missing share what the others leave, by duration. */
function shareWeights(checked: readonly CheckedTask[]): void {
  const levels = Map.groupBy(
    checked.filter((one) => one.item !== undefined),
    ({ item }) => (item?.parent ? keyOf({ unitId: item.unitId, wbs: item.parent }) : ''),
  )
  for (const level of levels.values()) {
    const items = level.flatMap(({ item }) => item ?? [])
    const open = items.filter((one) => Number.isNaN(one.weight))
    const given = items.reduce((sum, one) => sum + (Number.isNaN(one.weight) ? 0 : one.weight), 0)
    if (open.length > 0) spread(open, Math.max(0, whole - given))
    const sum = Math.round(items.reduce((total, one) => total + one.weight, 0) * 100) / 100
    if (sum !== whole) level[0]?.warnings.push({ column: 'weight', text: `同级权重合计 ${sum}，应为 100，按比例折算` })
  }
}

function spread(open: readonly PlanItem[], left: number): void {
  const days = open.map((one) => dayNumber(one.planEnd) - dayNumber(one.planStart) + 1)
  const total = days.reduce((sum, n) => sum + n, 0)
  let hundredths = Math.round(left * 100)
  for (const [i, one] of open.entries()) {
    const share = i === open.length - 1 ? hundredths : Math.min(hundredths, Math.floor(((days[i] ?? 0) / total) * left * 100))
    one.weight = share / 100
    hundredths -= share
  }
}
