/**
 * Invisible characters, which make two different names look alike.
 * Soft hyphen, Arabic and Mongolian marks, zero-width and direction marks, word joiner and invisible operators, Hangul fillers, annotation
 * marks, and tags.
 * Variation selectors are allowed: emoji contain them.
 */
const invisible: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe007f],
]

/**
 * Whether a text contains C0 or C1 control characters (other than tab and line feed) or invisible ones. Users never type them on purpose;
 * attackers use them.
 */
export function hasControlCharacters(text: string): boolean {
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || (code >= 127 && code < 160)) return true
    if (code >= 0xad && invisible.some(([from, to]) => code >= from && code <= to)) return true
  }
  return false
}
