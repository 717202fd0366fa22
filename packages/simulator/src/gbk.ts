/** GBK encoder. The standard library only decodes GBK, so the table is built by decoding, when first needed. */
let codes: Map<string, number> | undefined

function table(): Map<string, number> {
  if (codes) return codes
  codes = new Map()
  const decoder = new TextDecoder('gbk')
  const pair = new Uint8Array(2)
  for (let high = 0x81; high <= 0xfe; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      if (low === 0x7f) continue
      pair[0] = high
      pair[1] = low
      const text = decoder.decode(pair)
      if (text.length === 1 && text !== '\ufffd' && !codes.has(text)) codes.set(text, (high << 8) | low)
    }
  }
  return codes
}

export function gbk(text: string): Buffer {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) bytes.push(point)
    else {
      const code = table().get(character) ?? 0x3f3f
      bytes.push(code >> 8, code & 0xff)
    }
  }
  return Buffer.from(bytes)
}

export const fromGbk = (bytes: Uint8Array): string => new TextDecoder('gbk').decode(bytes)
