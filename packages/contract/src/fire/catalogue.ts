import type { Level } from './rule.ts'

/** A point, sub-item or project of the catalogue, as the delivered one and the changes of an authority make it. */
export interface CatalogueItem {
  code: string
  name: string
  /** Of points only. */
  level: Level | null
  /** Of projects only: the check table, A2 to A12. */
  table: string | null
  method: string
  needsValue: boolean
  /** Kinds of place; empty: all. */
  applicable: string[]
  /** Of sub-items: all places are looked at. */
  fullCheck: boolean
  enable: boolean
  seq: number
  /** Added by an authority. */
  local: boolean
}
/** The fields that an authority may change. */
export type CatalogueChange = Pick<
  CatalogueItem,
  'code' | 'name' | 'level' | 'method' | 'needsValue' | 'applicable' | 'fullCheck' | 'enable' | 'seq'
>

export const projectOf = (code: string): string => code.slice(0, 2)
export const subOf = (code: string): string => code.slice(0, 4)
const lengths = { project: 2, sub: 4, point: 6 } as const
export const isPoint = (code: string): boolean => code.length === lengths.point
export const isSub = (code: string): boolean => code.length === lengths.sub
export const isProject = (code: string): boolean => code.length === lengths.project
/** Numbers of local points in their sub-item lie above. */
export const localAbove = 90
export const mostLocal = 99
export const isLocal = (code: string): boolean => isPoint(code) && Number(code.slice(4)) > localAbove

/** 防火间距, 消防车道, 安全出口. */
const fullChecked = ['0201', '0202', '0901']
const measured = /间距|净宽|净高|宽度|距离|高度|面积|长宽|坡度|压力|流量|容积|风速|照度/
const tested = /功能|联动|试验|启动|切换|动作|报警|控制|通话/
const papered = /证明|资料|文件/

interface Entry {
  code: string
  name: string
  level?: string | undefined
  table?: string | undefined
}
/** The delivered catalogue from the entries of dictionary fireItem. */
export const deliveredCatalogue = (entries: readonly Entry[]): CatalogueItem[] =>
  entries.map(({ code, name, level, table }, seq) => ({
    code,
    name,
    level: (level as Level | undefined) ?? null,
    table: table ?? null,
    method: isPoint(code) ? methodOf(name) : '',
    needsValue: isPoint(code) && measured.test(name),
    applicable: [],
    fullCheck: fullChecked.includes(code),
    enable: true,
    seq,
    local: false,
  }))

const methodOf = (name: string): string =>
  papered.test(name)
    ? '核对产品证明文件与现场实物'
    : measured.test(name)
      ? '对照设计文件现场测量'
      : tested.test(name)
        ? '现场测试，系统功能须实测实现'
        : '对照设计文件现场查看'

/** Lays the changes of an authority over the delivered catalogue. Code and weight of delivered points stay. */
export function catalogueWith(delivered: readonly CatalogueItem[], changes: readonly CatalogueChange[]): CatalogueItem[] {
  const changed = new Map(changes.map((one) => [one.code, one]))
  const known = new Set(delivered.map((one) => one.code))
  const own = delivered.map((one) => {
    const change = changed.get(one.code)
    if (!change) return one
    const { method, needsValue, applicable, fullCheck, enable, seq } = change
    return { ...one, method, needsValue, applicable, fullCheck, enable, seq }
  })
  const local = changes.filter((one) => !known.has(one.code)).map((one) => ({ ...one, table: null, local: true }))
  const order = (one: CatalogueItem) => `${one.code.slice(0, 4).padEnd(4, ' ')}${String(isPoint(one.code) ? one.seq : -1).padStart(6, '0')}`
  return [...own, ...local].sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : a.code < b.code ? -1 : 1))
}

/** The points that are looked at in a building: enabled, of its projects, and for one of its kinds of place. */
export function pointsFor(catalogue: readonly CatalogueItem[], projects: readonly string[], places: readonly string[]): CatalogueItem[] {
  return catalogue.filter(
    (one) =>
      isPoint(one.code) &&
      one.enable &&
      projects.includes(projectOf(one.code)) &&
      (one.applicable.length === 0 || one.applicable.some((code) => places.includes(code))),
  )
}
