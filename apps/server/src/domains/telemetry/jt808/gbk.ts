/** Texts of JT/T 808 are GBK. The runtime only decodes GBK; the encoding table is built from the decoder at first use. */
const decoder = new TextDecoder('gbk')
let table: Map<string, number> | undefined

export const fromGbk = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Decodes GBK; zero bytes are padding and removed. */
export const trimmedGbk = (bytes: Uint8Array): string => fromGbk(bytes).replaceAll('\0', '').trim()

export function toGbk(text: string): Buffer {
  table ??= buildTable()
  const out: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) {
      out.push(code)
      continue
    }
    // Characters that GBK lacks are sent as question marks, as terminals display them.
    const pair = table.get(character)
    if (pair === undefined) out.push(0x3f)
    else out.push(pair >> 8, pair & 0xff)
  }
  return Buffer.from(out)
}

function buildTable(): Map<string, number> {
  const map = new Map<string, number>()
  for (let high = 0x81; high <= 0xfe; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      const character = decoder.decode(Uint8Array.of(high, low))
      if (character !== '\ufffd' && !map.has(character)) map.set(character, (high << 8) | low)
    }
  }
  return map
}
