import { areaBelow, areaRoots, available, dictionaryCodes, dictionaryOf } from '@zhugong/contract/settings/dictionaries'

/** Codes of the default dictionaries whose code or title contains the text. */
export const dictionariesNamed = (name: string | undefined): string[] =>
  dictionaryCodes.filter((code) => !name || code.includes(name) || dictionaryOf(code)?.title.includes(name))

export const areasBelow = (parent: string | undefined) => (parent ? [...areaBelow(parent)] : [...areaRoots])
/** Divisions that can be selected today. */
export const areasAvailable = (parent: string | undefined) => available(areasBelow(parent))
