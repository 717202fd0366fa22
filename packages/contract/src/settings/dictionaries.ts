import areas from '../data/areas.json' with { type: 'json' }
import dictionaries from '../data/dictionaries.json' with { type: 'json' }
import type { AreaNode, DictItem } from './endpoints.ts'

/** The delivered dictionaries and administrative divisions. Only for the server: the browser requests the few that it shows. */
export interface Dictionary {
  title: string
  items: (DictItem & Record<string, unknown>)[]
}
const all = dictionaries as unknown as Record<string, Dictionary>

export const dictionaryCodes = Object.keys(all)
export const dictionaryOf = (code: string): Dictionary | undefined => (Object.hasOwn(all, code) ? all[code] : undefined)

const names = new Map(Object.entries(all).map(([code, d]) => [code, new Map(d.items.map((item) => [item.code, item]))] as const))

/** Entries that groups have added, by dictionary and code, to find the names in records that use them. */
let ownNames: ReadonlyMap<string, ReadonlyMap<string, DictItem>> = new Map()
export function setOwnEntries(entries: readonly { dictionary: string; item: DictItem }[]): void {
  const next = new Map<string, Map<string, DictItem>>()
  for (const { dictionary, item } of entries) {
    const known = next.get(dictionary) ?? new Map<string, DictItem>()
    next.set(dictionary, known.set(item.code, item))
  }
  ownNames = next
}

export const dictEntry = (dictionary: string, code: string | null | undefined): (DictItem & Record<string, unknown>) | undefined =>
  code ? (names.get(dictionary)?.get(code) ?? ownNames.get(dictionary)?.get(code)) : undefined
/** The Chinese name of a code; the code itself when it is unknown, and null when there is no code. */
export const dictName = (dictionary: string, code: string | null | undefined): string | null =>
  code === null || code === undefined || code === '' ? null : (dictEntry(dictionary, code)?.name ?? code)
export const isDictCode = (dictionary: string, code: string): boolean => dictEntry(dictionary, code) !== undefined

type RawArea = [string, string, RawArea[]?]
const toNode = ([code, name, children]: RawArea): AreaNode => ({
  code,
  name,
  children: children?.length ? children.map(toNode) : undefined,
})
export const areaRoots: readonly AreaNode[] = (areas as unknown as { tree: RawArea[] }).tree.map(toNode)

const areaNames = new Map<string, string>()
/** The parent of each division, by code because names may change. */
const areaParents = new Map<string, string | undefined>()
const walk = (nodes: readonly AreaNode[], above: string | undefined) => {
  for (const node of nodes) {
    // A town of a city without districts has the code of its city, which then means the city.
    if (node.code !== above) {
      areaNames.set(node.code, node.name)
      areaParents.set(node.code, above)
    }
    walk(node.children ?? [], node.code)
  }
}
walk(areaRoots, undefined)
/** Sets names that this deployment has changed or added (for example of a new district); they take precedence over the delivered ones. */
export function renameAreas(names: Readonly<Record<string, string>>): void {
  for (const [code, name] of Object.entries(names)) {
    areaNames.set(code, name)
    const node = findArea(areaRoots, code)
    if (node) node.name = name
  }
}
interface AddedArea {
  code: string
  name: string
}
let added: readonly AddedArea[] = []
let stopped: ReadonlySet<string> = new Set()
/** The parent division according to the digits of a code; undefined at the top level. */
export const parentArea = (code: string): string | undefined =>
  code.endsWith('0000') ? undefined : code.endsWith('00') ? `${code.slice(0, 2)}0000` : `${code.slice(0, 4)}00`

/** Replaces the divisions that were added to the delivered ones, and those that are no longer offered. */
export function setOwnAreas(more: readonly AddedArea[], off: readonly string[]): void {
  for (const { code } of added) {
    const parent = findArea(areaRoots, parentArea(code) ?? '')
    if (parent?.children) parent.children = parent.children.filter((node) => node.code !== code)
    areaNames.delete(code)
    areaParents.delete(code)
  }
  // Add parents before their children.
  added = more.toSorted((a, b) => Number(b.code.endsWith('00')) - Number(a.code.endsWith('00')))
  for (const { code, name } of added) {
    const above = parentArea(code) ?? ''
    const parent = findArea(areaRoots, above)
    if (!parent) continue
    parent.children = [...(parent.children ?? []), { code, name }].sort((a, b) => a.code.localeCompare(b.code))
    areaNames.set(code, name)
    areaParents.set(code, above)
  }
  stopped = new Set(off)
}
export const isAreaStopped = (code: string): boolean => stopped.has(code)
/** The divisions that can be chosen: without the disabled ones and their descendants. */
export const available = (nodes: readonly AreaNode[]): AreaNode[] =>
  stopped.size === 0
    ? [...nodes]
    : nodes.flatMap((node) => (stopped.has(node.code) ? [] : [{ ...node, children: node.children && available(node.children) }]))

const findArea = (nodes: readonly AreaNode[], code: string): AreaNode | undefined => {
  for (const node of nodes) {
    const hit =
      node.code === code ? node : code.startsWith(node.code.replace(/(00){1,2}$/, '')) ? findArea(node.children ?? [], code) : undefined
    if (hit) return hit
  }
  return undefined
}

export const areaName = (code: string | null | undefined): string | null => (code ? (areaNames.get(code) ?? code) : null)
/** The name of a division with the names of all its parents, as they are now. */
export const areaPath = (code: string | null | undefined): string | null =>
  code ? (areaParents.has(code) ? `${areaPath(areaParents.get(code)) ?? ''}${areaName(code)}` : code) : null
export const isAreaCode = (code: string): boolean => areaNames.has(code)
export const areaBelow = (code: string): readonly AreaNode[] => findArea(areaRoots, code)?.children ?? []
