/** The first character of each initial in pinyin order; no syllable begins with i, u or v. */
const firsts: readonly (readonly [string, string])[] = [
  ['a', '阿'],
  ['b', '八'],
  ['c', '嚓'],
  ['d', '咑'],
  ['e', '妸'],
  ['f', '发'],
  ['g', '旮'],
  ['h', '哈'],
  ['j', '讥'],
  ['k', '咔'],
  ['l', '垃'],
  ['m', '妈'],
  ['n', '拏'],
  ['o', '噢'],
  ['p', '妑'],
  ['q', '七'],
  ['r', '呥'],
  ['s', '仨'],
  ['t', '他'],
  ['w', '屲'],
  ['x', '夕'],
  ['y', '丫'],
  ['z', '帀'],
]
const order = new Intl.Collator('zh-Hans-CN-u-co-pinyin')
const han = /\p{Script=Han}/u
/** Cache: comparing by pinyin is slow, and a search compares the same characters with every key press. */
const known = new Map<string, string>()

function initialOf(sign: string): string {
  if (!han.test(sign)) return sign.toLowerCase()
  const before = known.get(sign)
  if (before !== undefined) return before
  let found = ''
  for (const [letter, first] of firsts) {
    if (order.compare(first, sign) > 0) break
    found = letter
  }
  known.set(sign, found)
  return found
}

/**
 * The pinyin initials of a name; letters and digits are unchanged: 滨江医院 is `bjyy`. A character with several readings gets its most common
 * one.
 */
export const initialsOf = (name: string): string => [...name].map(initialOf).join('')

/** Whether `requested` matches `name`: as a part of it, or of its initials. */
export function meansName(name: string, requested: string): boolean {
  const wanted = requested.trim().toLowerCase()
  if (name.toLowerCase().includes(wanted)) return true
  return /^[a-z\d]+$/.test(wanted) && initialsOf(name).includes(wanted)
}
