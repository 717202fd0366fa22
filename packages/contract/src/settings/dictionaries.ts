import areas from '../data/areas.json' with { type: 'json' }
import dictionaries from '../data/dictionaries.json' with { type: 'json' }
import type { AreaNode, DictItem } from './endpoints.ts'

/** The delivered dictionaries and administrative divisions. For the server: the browser asks for the few it shows. */
export interface Dictionary {
  title: string
  items: (DictItem & Record<string, unknown>)[]
}
const all = dictionaries as unknown as Record<string, Dictionary>

export const dictionaryCodes = Object.keys(all)
export const dictionaryOf = (code: string): Dictionary | undefined => (Object.hasOwn(all, code) ? all[code] : undefined)

const names = new Map(Object.entries(all).map(([code, d]) => [code, new Map(d.items.map((item) => [item.code, item]))] as const))

export const dictEntry = (dictionary: string, code: string | null | undefined) => (code ? names.get(dictionary)?.get(code) : undefined)
/** The Chinese name of a code; the code itself when the dictionary has none, null for nothing. */
export const dictName = (dictionary: string, code: string | null | undefined): string | null =>
  code === null || code === undefined || code === '' ? null : (dictEntry(dictionary, code)?.name ?? code)
export const isDictCode = (dictionary: string, code: string): boolean => dictEntry(dictionary, code) !== undefined

type RawArea = [string, string, RawArea[]?]
const toNode = ([code, name, children]: RawArea): AreaNode => ({
  code,
  name,
  ...(children?.length ? { children: children.map(toNode) } : {}),
})
export const areaRoots: readonly AreaNode[] = (areas as unknown as { tree: RawArea[] }).tree.map(toNode)

const areaNames = new Map<string, string>()
const areaPaths = new Map<string, string>()
const walk = (nodes: readonly AreaNode[], path: string) => {
  for (const node of nodes) {
    areaNames.set(node.code, node.name)
    areaPaths.set(node.code, path + node.name)
    walk(node.children ?? [], path + node.name)
  }
}
walk(areaRoots, '')
/** Names of a deployment's own (a district renamed or newly made before the delivered list knows it); they go before the delivered ones. */
export function renameAreas(names: Readonly<Record<string, string>>): void {
  for (const [code, name] of Object.entries(names)) {
    areaNames.set(code, name)
    const node = findArea(areaRoots, code)
    if (node) node.name = name
  }
}
const findArea = (nodes: readonly AreaNode[], code: string): AreaNode | undefined => {
  for (const node of nodes) {
    const hit =
      node.code === code ? node : code.startsWith(node.code.replace(/(00){1,2}$/, '')) ? findArea(node.children ?? [], code) : undefined
    if (hit) return hit
  }
  return undefined
}

export const areaName = (code: string | null | undefined): string | null => (code ? (areaNames.get(code) ?? code) : null)
export const areaPath = (code: string | null | undefined): string | null => (code ? (areaPaths.get(code) ?? code) : null)
export const isAreaCode = (code: string): boolean => areaNames.has(code)
export const areaBelow = (code: string): readonly AreaNode[] => findArea(areaRoots, code)?.children ?? []
