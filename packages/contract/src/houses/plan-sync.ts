/** Compares the houses of a source with those that the platform has: what a dry run shows and what a sync writes are one list. */

export interface SourceRow {
  externalNo: string
  building: string
  unit: string
  floor: string
  name: string
  houseType: string
  businessType: string
  buildArea: string
}
export interface KnownHouse {
  id: string
  externalNo: string
  building: string
  unit: string
  floor: string
  name: string
  houseType: string | null
  businessType: string | null
  buildArea: number | null
  /** Acceptance has begun: the house is never removed, and stays where it is. */
  accepted: boolean
  /** Not in the source of the last sync. */
  gone: boolean
}
export interface SoundRow extends Omit<SourceRow, 'buildArea' | 'houseType' | 'businessType'> {
  houseType: string | null
  businessType: string | null
  buildArea: number | null
}
export interface Change {
  id: string
  row: SoundRow
  /** What differs, in words. */
  what: string[]
}
export interface Failure {
  /** Of the source, from 1. */
  row: number
  externalNo: string
  reason: string
}
export interface SyncPlan {
  added: SoundRow[]
  changed: Change[]
  /** In the platform, not in the source: `kept` because acceptance has begun. */
  missing: { id: string; externalNo: string; label: string; kept: boolean }[]
  unchanged: number
  failures: Failure[]
}

const mostArea = 99_999.99
export const labelOf = ({ building, unit, floor, name }: Pick<SourceRow, 'building' | 'unit' | 'floor' | 'name'>): string =>
  [building, unit, floor, name].filter(Boolean).join(' / ')

function soundOf(row: SourceRow): SoundRow | string {
  const required = [
    ['externalNo', '外部编号'],
    ['building', '楼栋'],
    ['floor', '楼层'],
    ['name', '房号'],
  ] as const
  const lacking = required.find(([key]) => row[key] === '')
  if (lacking) return `缺少${lacking[1]}`
  const slashed = [row.building, row.unit, row.floor, row.name].find((one) => one.includes('/'))
  if (slashed !== undefined) return `“${slashed}”含有 /`
  const area = row.buildArea === '' ? null : Number(row.buildArea)
  if (area !== null && (!Number.isFinite(area) || area <= 0 || area > mostArea)) return `建筑面积“${row.buildArea}”不是面积`
  const { externalNo, building, unit, floor, name } = row
  return {
    externalNo,
    building,
    unit,
    floor,
    name,
    houseType: row.houseType || null,
    businessType: row.businessType || null,
    buildArea: area === null ? null : Math.round(area * 100) / 100,
  }
}

interface Sound {
  at: number
  row: SoundRow
}

/** The rows that can be written, and why the others cannot. */
function sortOut(known: readonly KnownHouse[], rows: readonly SourceRow[]): { sound: Sound[]; failures: Failure[] } {
  const failures: Failure[] = []
  const fail = (at: number, reason: string) => failures.push({ row: at + 1, externalNo: rows[at]?.externalNo ?? '', reason })
  const seen = new Map<string, number>()
  const placed = new Map<string, string>()
  let sound: Sound[] = []
  for (const [at, given] of rows.entries()) {
    const row = soundOf(given)
    if (typeof row === 'string') {
      fail(at, row)
      continue
    }
    const before = seen.get(row.externalNo)
    const other = placed.get(labelOf(row))
    if (before !== undefined) fail(at, `外部编号与第 ${before + 1} 行重复`)
    else if (other !== undefined) fail(at, `${labelOf(row)} 与外部编号 ${other} 是同一户`)
    else {
      seen.set(row.externalNo, at)
      placed.set(labelOf(row), row.externalNo)
      sound.push({ at, row })
    }
  }
  const byNo = new Map(known.map((one) => [one.externalNo, one]))
  const named = new Set(rows.map((one) => one.externalNo))
  // A row that fails leaves its house where it is, where it may stand in the way of another row: until nothing more fails.
  for (;;) {
    const moving = new Set(sound.map((one) => one.row.externalNo))
    const staying = new Map(
      known
        .filter((one) => !moving.has(one.externalNo) && (one.accepted || (named.has(one.externalNo) && !one.gone)))
        .map((one) => [labelOf(one), one.externalNo]),
    )
    const refused = new Map<number, string>()
    for (const { at, row } of sound) {
      const label = labelOf(row)
      const house = byNo.get(row.externalNo)
      const taken = staying.get(label)
      if (house?.accepted && labelOf(house) !== label) refused.set(at, `${labelOf(house)} 已有验收数据，不能改为 ${label}`)
      else if (taken !== undefined) refused.set(at, `${label} 已是外部编号 ${taken}`)
    }
    if (refused.size === 0) break
    for (const [at, reason] of refused) fail(at, reason)
    sound = sound.filter((one) => !refused.has(one.at))
  }
  return { sound, failures: failures.sort((a, b) => a.row - b.row) }
}

/** The plan of one sync. Houses are missing only in buildings that the source names: a source of one building says nothing of the others. */
export function planSync(known: readonly KnownHouse[], rows: readonly SourceRow[]): SyncPlan {
  const { sound, failures } = sortOut(known, rows)
  const plan: SyncPlan = { added: [], changed: [], missing: [], unchanged: 0, failures }
  const byNo = new Map(known.map((one) => [one.externalNo, one]))
  // A refused row is in the source all the same: its house is not missing.
  const named = new Set(rows.map((one) => one.externalNo))
  const buildings = new Set(rows.map((one) => one.building))
  for (const { row } of sound) {
    const house = byNo.get(row.externalNo)
    if (!house) {
      plan.added.push(row)
      continue
    }
    const what = [
      labelOf(house) !== labelOf(row) && `位置 ${labelOf(house)} → ${labelOf(row)}`,
      house.houseType !== row.houseType && `户型 ${house.houseType ?? '无'} → ${row.houseType ?? '无'}`,
      house.businessType !== row.businessType && `业态 ${house.businessType ?? '无'} → ${row.businessType ?? '无'}`,
      house.buildArea !== row.buildArea && `面积 ${house.buildArea ?? '无'} → ${row.buildArea ?? '无'}`,
      house.gone && '来源恢复',
    ].filter((one) => one !== false)
    if (what.length > 0) plan.changed.push({ id: house.id, row, what })
    else plan.unchanged++
  }
  plan.missing = known
    .filter((one) => !one.gone && buildings.has(one.building) && !named.has(one.externalNo))
    .map((one) => ({ id: one.id, externalNo: one.externalNo, label: labelOf(one), kept: one.accepted }))
  return plan
}
