import { day } from '@zhugong/contract/kit/fields'
import { normalDay } from '@zhugong/contract/kit/normal'
import { type PileKind, pileKinds } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { type PileBody, type PileField, pileColumns } from '@zhugong/contract/monitoring/pile/pile-register'
import { unreadable } from '#kit/cell-text'
import type { PileLine } from './sheet-thread.ts'

export interface CheckedPile extends PileLine {
  errors: { column: PileField; text: string }[]
  warnings: { column: PileField; text: string }[]
  /** Only if there is no error. */
  pile: Omit<PileBody, 'madeOn'> | undefined
}

const kindByName = new Map<string, PileKind>(Object.entries(pileKinds).map(([key, name]) => [name, key as PileKind]))
/** Greatest distance from the site's origin, metres. */
const farthest = 20_000
const longest: Partial<Record<PileField, number>> = { pileNo: 40, axis: 60, concrete: 20 }

/** Accepts 2026/3/1 for 2026-03-01. */
function dayIn(text: string): string | undefined {
  const read = day.safeParse(normalDay(text))
  return read.success ? read.data : undefined
}

/** Validates a sheet of piles cell by cell; returns errors and the piles. Pure, without the database. */
export function checkPiles(lines: readonly PileLine[]): CheckedPile[] {
  const rowByNo = new Map<string, number>()
  return lines.map((line): CheckedPile => {
    const { cells, row } = line
    const errors: CheckedPile['errors'] = []
    const wrong = (column: PileField, text: string) => {
      errors.push({ column, text })
      return undefined
    }
    for (const { key, title, required } of pileColumns) {
      if (required && !cells[key]) wrong(key, `请填写${title}`)
      const problem = unreadable(cells[key] ?? '')
      if (problem) wrong(key, problem)
      const most = longest[key]
      if (most && (cells[key]?.length ?? 0) > most) wrong(key, `${title}最多 ${most} 个字`)
    }
    const number = (column: PileField, min: number, max: number): number | undefined => {
      const text = cells[column]
      if (!text) return undefined
      const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
      if (value === undefined) return wrong(column, '应为数字')
      return value < min || value > max ? wrong(column, `应在 ${min} 到 ${max} 之间`) : value
    }
    const kind = cells.kind ? (kindByName.get(cells.kind) ?? wrong('kind', `桩型应为${[...kindByName.keys()].join('、')}之一`)) : undefined
    const diameter = number('diameter', 100, 5000)
    if (diameter !== undefined && !Number.isInteger(diameter)) wrong('diameter', '桩径以毫米计，应为整数')
    const designLength = number('designLength', 1, 150)
    const designDepth = number('designDepth', 1, 150)
    const along = (column: 'x' | 'y'): number | undefined => {
      const text = cells[column]
      if (!text) return undefined
      const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
      if (value === undefined) return wrong(column, '应为数字')
      return Math.abs(value) > farthest ? wrong(column, '超出工地范围') : value
    }
    const [x, y] = [along('x'), along('y')]
    if (!cells.x !== !cells.y) wrong(cells.x ? 'y' : 'x', '坐标 X、Y 应同时填写')
    const plannedOn = cells.plannedOn ? (dayIn(cells.plannedOn) ?? wrong('plannedOn', '日期应写成 2026-03-01')) : undefined
    const no = cells.pileNo?.toLowerCase()
    const before = no === undefined ? undefined : rowByNo.get(no)
    if (before !== undefined) wrong('pileNo', `与第 ${before} 行的桩号相同`)
    else if (no !== undefined) rowByNo.set(no, row)
    const pile =
      errors.length === 0 && cells.pileNo && kind && designLength !== undefined
        ? {
            pileNo: cells.pileNo,
            kind,
            axis: cells.axis ?? null,
            diameter: diameter ?? null,
            designLength,
            designDepth: designDepth ?? null,
            concrete: cells.concrete ?? null,
            plannedOn: plannedOn ?? null,
            x: x ?? null,
            y: y ?? null,
          }
        : undefined
    return { ...line, errors, warnings: [], pile }
  })
}
