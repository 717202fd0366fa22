/**
 * What tells readings of one device and one moment apart, kept in `telemetry.seq`: made of the number the device gave its message and of what
 * it said. The same content again has the same mark and is stored once; other content of the same moment has another and is stored beside it.
 */
export type Mark = number & { readonly kind: 'mark' }

const hashBits = 40
/** Of a device's own number so much that neighbours of one moment stay in order; a mark stays a whole number that JSON can carry. */
const numbered = 2 ** 13
const high = 2 ** (hashBits - 32)

/** A text in 40 bits. Not for secrets: it only has to be fast and to differ. */
function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (b & (high - 1)) * 2 ** 32 + (a >>> 0)
}

/** `seq` is 0 where the device does not count its messages. */
export const markOf = (seq: number, content: string): Mark => ((seq % numbered) * 2 ** hashBits + hashOf(`${seq}\n${content}`)) as Mark

/** The device's own number, as far as a mark holds it: for the order of what was told of one moment. */
export const seqOf = (mark: Mark): number => Math.floor(mark / 2 ** hashBits)

/** For whoever knows another way by which a reading of a device's moment is the same again. */
export const markGiven = (mark: number): Mark => mark as Mark

/** JSON with its keys in order: what a device tells again it may have put together anew. */
export function orderedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(orderedText).join()}]`
  const given = value as Record<string, unknown>
  let text = '{'
  for (const key of Object.keys(given).sort()) text += `${JSON.stringify(key)}:${orderedText(given[key])},`
  return `${text}}`
}
