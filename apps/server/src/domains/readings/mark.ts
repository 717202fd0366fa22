/**
 * Distinguishes readings of one device and time; stored in `telemetry.seq`. It combines the device's message number with a hash of the
 * content. The same content sent again has the same mark and is stored once; different content of the same time is stored too.
 */
export type Mark = number & { readonly kind: 'mark' }

const hashBits = 40
/** The message number is stored modulo this, which keeps readings of one time in order. The mark stays a safe integer for JSON. */
const numbered = 2 ** 13
const high = 2 ** (hashBits - 32)

/** A 40-bit hash of a text: fast and well distributed, but not cryptographic. */
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

/** `seq` is 0 if the device does not number its messages. */
export const markOf = (seq: number, content: string): Mark => ((seq % numbered) * 2 ** hashBits + hashOf(`${seq}\n${content}`)) as Mark

/** The message number contained in a mark, for ordering readings of the same time. */
export const seqOf = (mark: Mark): number => Math.floor(mark / 2 ** hashBits)

/** Uses a number as a mark, for callers with their own way to recognise duplicates. */
export const markGiven = (mark: number): Mark => mark as Mark

/** JSON with sorted keys, because a retransmission may have a different key order. */
export function orderedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(orderedText).join()}]`
  const given = value as Record<string, unknown>
  let text = '{'
  for (const key of Object.keys(given).sort()) text += `${JSON.stringify(key)}:${orderedText(given[key])},`
  return `${text}}`
}
