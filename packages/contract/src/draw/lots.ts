/**
 * The one draw of the platform: people or projects, from a list that was frozen before. Pure: the same list, numbers, seed and digits give
 * the same result everywhere. docs/draw/README.md states the rules for outsiders, docs/draw/repeat.mjs repeats them.
 */

/** One name on the list. */
export interface Lot {
  /** Opaque id. */
  key: string
  /** Classes it can be drawn for, for example specialties. */
  classes: readonly string[]
  /** Lots of one unit exclude each other beyond `perUnit`. Empty: belongs to no unit. */
  unit: string
}
export interface Quota {
  name: string
  seats: number
}
export interface DrawList {
  lots: readonly Lot[]
  /** In the order in which they are drawn. */
  quotas: readonly Quota[]
  /** Most seats of one unit over all quotas; null: no limit. */
  perUnit: number | null
}
export interface DrawnQuota {
  name: string
  /** Keys in the order drawn; fewer than wanted when the list does not suffice. */
  seats: string[]
  /** Everybody else of the class, in the order in which they step in. */
  reserve: string[]
}

/** Name of these rules, in every published file. */
export const drawRules = 'zhugong-draw-1'

/** The 32 bytes with number `index` of the stream: HMAC-SHA256 with the seed as key over `streamText`. */
export type Block = (index: number) => Uint8Array

/** The text whose HMAC is a block: hash of the list, digits of the witnesses, number of the block. */
export const streamText = (listHash: string, digits: readonly string[], index: number): string =>
  `${drawRules}\n${listHash}\n${digits.join(',')}\n${index}`

/** The text whose SHA-256 is the hash of the list. Key order and order of the lots are part of it. */
export const listText = ({ lots, quotas, perUnit }: DrawList): string =>
  JSON.stringify({
    rules: drawRules,
    lots: lots.map(({ key, classes, unit }) => ({ key, classes, unit })),
    quotas: quotas.map(({ name, seats }) => ({ name, seats })),
    perUnit,
  })

const wordBytes = 4
const words = 2 ** 32

/** Unbiased integers below a limit: 32-bit words of the stream, those beyond the last whole multiple are thrown away. */
function numbersOf(block: Block): (limit: number) => number {
  let [index, at] = [0, 0]
  let bytes = block(0)
  const word = () => {
    if (at + wordBytes > bytes.length) {
      index += 1
      at = 0
      bytes = block(index)
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    at += wordBytes
    return view.getUint32(at - wordBytes)
  }
  return (limit) => {
    const end = words - (words % limit)
    for (;;) {
      const drawn = word()
      if (drawn < end) return drawn % limit
    }
  }
}

/**
 * Draws the quotas one after another. The lots of a class that hold no seat yet are shuffled (Fisher-Yates from the end, in the order of the
 * list); seats are taken from the front, leaving out lots whose unit is full; the others are the reserve in the same order.
 */
export function drawLots({ lots, quotas, perUnit }: DrawList, block: Block): DrawnQuota[] {
  const below = numbersOf(block)
  const seated = new Set<string>()
  const ofUnit = new Map<string, number>()
  return quotas.map(({ name, seats: wanted }) => {
    const order = lots.filter((lot) => lot.classes.includes(name) && !seated.has(lot.key))
    for (let i = order.length - 1; i > 0; i--) {
      const j = below(i + 1)
      const [a, b] = [order[i] as Lot, order[j] as Lot]
      order[i] = b
      order[j] = a
    }
    const seats: string[] = []
    const reserve: string[] = []
    for (const { key, unit } of order) {
      const drawnOfUnit = unit ? (ofUnit.get(unit) ?? 0) : 0
      if (seats.length >= wanted || (unit && perUnit !== null && drawnOfUnit >= perUnit)) reserve.push(key)
      else {
        seats.push(key)
        seated.add(key)
        if (unit) ofUnit.set(unit, drawnOfUnit + 1)
      }
    }
    return { name, seats, reserve }
  })
}
