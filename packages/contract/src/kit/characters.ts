/** C0 and C1 controls (tab and line feed aside), zero-width and direction marks: never typed on purpose, useful to nobody but an attacker. */
export function hasControlCharacters(text: string): boolean {
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || (code >= 127 && code < 160)) return true
    if ((code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code === 0xfeff)
      return true
  }
  return false
}
