import { inflateSync } from 'node:zlib'

/** Streams of a PDF as pdfkit writes them, inflated. */
function streamsOf(body: Buffer): Buffer[] {
  const text = body.toString('latin1')
  const found: Buffer[] = []
  for (let at = text.indexOf('\nstream\n'); at >= 0; at = text.indexOf('\nstream\n', at)) {
    const dictionary = text.slice(text.lastIndexOf(' obj', at), at)
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1])
    const begin = at + '\nstream\n'.length
    const bytes = body.subarray(begin, begin + length)
    found.push(dictionary.includes('/FlateDecode') ? inflateSync(bytes) : bytes)
    at = begin + length
  }
  return found
}

const wordOf = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** Characters by glyph. The product draws with one font. */
function glyphsOf(streams: readonly string[]): Map<number, string> {
  const maps = streams.filter((one) => one.includes('beginbfrange'))
  if (maps.length !== 1) throw new Error(`${maps.length} fonts in a print`)
  const glyphs = new Map<number, string>()
  for (const [, from = '', list = ''] of (maps[0] ?? '').matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi))
    for (const [i, [, hex = '']] of [...list.matchAll(/<([0-9a-f]*)>/gi)].entries()) glyphs.set(Number.parseInt(from, 16) + i, wordOf(hex))
  return glyphs
}

/** What a print says, in the order in which it was drawn, without white space. Fails where a glyph has no character. */
export function pdfWords(body: Buffer): string {
  const streams = streamsOf(body).map((one) => one.toString('latin1'))
  const glyphs = glyphsOf(streams)
  const drawn = streams
    .filter((one) => /\bBT\b/.test(one))
    .flatMap((one) => [...one.matchAll(/\[((?:<[0-9a-f]*>|[^\]<])*)\] TJ/gi)].map((shown) => shown[1] ?? ''))
  const words = drawn.flatMap((shown) =>
    [...shown.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) =>
      (hex.match(/.{4}/g) ?? []).map((glyph) => {
        const word = glyphs.get(Number.parseInt(glyph, 16))
        if (word === undefined) throw new Error(`glyph ${glyph} has no character`)
        return word
      }),
    ),
  )
  return words.join('').replace(/\s+/g, '')
}
