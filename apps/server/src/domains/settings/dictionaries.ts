import { areaBelow, areaRoots, dictionaryCodes, dictionaryOf, offered } from '@zhugong/contract/settings/dictionaries'

/** Codes of the delivered dictionaries whose code or title has the words in it. */
export const dictionariesNamed = (name: string | undefined): string[] =>
  dictionaryCodes.filter((code) => !name || code.includes(name) || dictionaryOf(code)?.title.includes(name))

export const areasBelow = (parent: string | undefined) => (parent ? [...areaBelow(parent)] : [...areaRoots])
/** Those that may be chosen today. */
export const areasOffered = (parent: string | undefined) => offered(areasBelow(parent))
