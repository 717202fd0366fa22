import { createHash } from 'node:crypto'

/** A reproducible random number generator. Every device and person has its own, so that adding one does not change others. */
export interface Random {
  /** [0, 1) */
  next(): number
  float(from: number, to: number): number
  /** Both ends inclusive. */
  int(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  weighted<T>(choices: readonly (readonly [T, number])[]): T
  normal(mean: number, deviation: number): number
  shuffled<T>(list: readonly T[]): T[]
}

/** Hashes text to four 32-bit words (cyrb128), as seed of sfc32. */
function words(text: string): [number, number, number, number] {
  let h1 = 1779033703
  let h2 = 3144134277
  let h3 = 1013904242
  let h4 = 2773480762
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i)
    h1 = h2 ^ Math.imul(h1 ^ k, 597399067)
    h2 = h3 ^ Math.imul(h2 ^ k, 2869860233)
    h3 = h4 ^ Math.imul(h3 ^ k, 951274213)
    h4 = h1 ^ Math.imul(h4 ^ k, 2716044179)
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067)
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233)
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213)
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179)
  return [h1 ^ h2 ^ h3 ^ h4, h2 ^ h1, h3 ^ h1, h4 ^ h1]
}

export function stream(...names: (string | number)[]): Random {
  let [a, b, c, d] = words(names.join('\u0000'))
  const raw = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return (t >>> 0) / 4294967296
  }
  for (let i = 0; i < 12; i++) raw()
  const random: Random = {
    next: raw,
    float: (from, to) => from + (to - from) * raw(),
    int: (from, to) => from + Math.floor((to - from + 1) * raw()),
    chance: (probability) => raw() < probability,
    pick: (list) => list[Math.floor(raw() * list.length)]!,
    weighted(choices) {
      let left = raw() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of choices) {
        left -= weight
        if (left < 0) return value
      }
      return choices.at(-1)![0]
    },
    normal(mean, deviation) {
      const radius = Math.sqrt(-2 * Math.log(1 - raw()))
      return mean + deviation * radius * Math.cos(2 * Math.PI * raw())
    },
    shuffled(list) {
      const copy = [...list]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = Math.floor(raw() * (i + 1))
        const current = copy[i]!
        copy[i] = copy[j]!
        copy[j] = current
      }
      return copy
    },
  }
  return random
}

/** 32 hexadecimal characters, determined by the names. */
export function idOf(...names: (string | number)[]): string {
  return createHash('sha256').update(names.join('\u0000')).digest('hex').slice(0, 32)
}

/** A key for `hashed`: hashes the names once, so that noise at any moment is cheap. */
export function noiseKey(...names: (string | number)[]): number {
  return words(names.join('\u0000'))[0]
}

/** [0, 1) for a lattice point. Stateless, so a value does not depend on the values requested before. */
export function hashed(key: number, at: number): number {
  const high = Math.floor(at / 4294967296)
  let h = Math.imul(key ^ (at >>> 0), 2654435761) ^ Math.imul(high + 0x9e3779b9, 2246822519)
  h = Math.imul(h ^ (h >>> 15), 2246822519)
  h = Math.imul(h ^ (h >>> 13), 3266489917)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

/** Smooth noise in [-1, 1] over time, with one random value every `periodMs`. */
export function smoothNoise(key: number, timeMs: number, periodMs: number): number {
  const at = timeMs / periodMs
  const i = Math.floor(at)
  const f = at - i
  const eased = f * f * (3 - 2 * f)
  const from = hashed(key, i) * 2 - 1
  return from + (hashed(key, i + 1) * 2 - 1 - from) * eased
}

export function round(value: number, digits: number): number {
  const factor = 10 ** digits
  const rounded = Math.round(value * factor) / factor
  return rounded === 0 ? 0 : rounded
}

export const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
