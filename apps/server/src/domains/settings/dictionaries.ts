import { areaBelow, areaRoots, dictionaryCodes, dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import type { DictItem } from '@zhugong/contract/settings/endpoints'

/** Dictionaries as they are answered: hidden entries stay, marked, so that old records still find their names. */
export function itemsOf(code: string): DictItem[] {
  return (dictionaryOf(code)?.items ?? []).map((item) => ({
    code: item.code,
    name: item.name,
    ...(item.parent ? { parent: item.parent } : {}),
    ...(item.hidden ? { hidden: true } : {}),
  }))
}

export function dictionariesNamed(codes: readonly string[]) {
  return codes.flatMap((code) => {
    const d = dictionaryOf(code)
    return d ? [{ code, title: d.title, items: itemsOf(code) }] : []
  })
}

export function searchDictionaries(name: string | undefined) {
  return dictionariesNamed(dictionaryCodes.filter((code) => !name || code.includes(name) || dictionaryOf(code)?.title.includes(name)))
}

export const areasBelow = (parent: string | undefined) => (parent ? [...areaBelow(parent)] : [...areaRoots])
