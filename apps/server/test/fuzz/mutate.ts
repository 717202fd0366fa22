/** A small pseudo-random generator that can be repeated from its seed (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  return { next, below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}
export type Random = ReturnType<typeof randomFrom>

const deep = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

/** Values that often cause faults: lengths, encodings, property names of every object, extreme numbers, invalid dates, nesting. */
const odd: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  0,
  -1,
  1.5,
  -0,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  5e-324,
  '0',
  '-1',
  '1e400',
  '9223372036854775808',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'hasOwnProperty',
  '-constructor',
  'valueOf',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\ufffe',
  '\u202e',
  '👷‍♂️'.repeat(20),
  '汉'.repeat(5_000),
  'a'.repeat(70_000),
  "'; drop table worker; --",
  "' or '1'='1",
  '%',
  '_%\\',
  '\\',
  '$1',
  '${1}',
  '{{1}}',
  '../../etc/passwd',
  '..%2f..%2f',
  '<script>alert(1)</script>',
  '=cmd()',
  '2026-02-30',
  '2026-13-45',
  '0000-00-00',
  '9999-12-31',
  '10000-01-01',
  '-271821-04-20',
  '+275760-09-13',
  '2026-02-29 25:61:61',
  '2026-11-01T00:00:00+99:99',
  '99999999999999',
  '2026-11-01,2026-02-30',
  ',',
  ',,',
  '1,x',
  '-,-',
  '24:00',
  '*',
  '-9999',
  '4'.repeat(18),
  'f'.repeat(32),
  '1'.repeat(64),
  [],
  {},
  [[]],
  [null],
  ['__proto__'],
  Array.from({ length: 300 }, (_, i) => i),
  Array.from({ length: 1_000 }, () => 'f'.repeat(32)),
  deep(40),
  deep(400),
  { $gt: '' },
  { toString: 1 },
  { length: 1e9 },
]

type Holder = Record<string, unknown>
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** Lists the places in a value that can be replaced. Does not descend further once it has found 200. */
function places(value: unknown, found: { at: Holder; key: string }[] = []): { at: Holder; key: string }[] {
  if (!isHolder(value)) return found
  for (const key of Object.keys(value)) {
    found.push({ at: value, key })
    if (found.length < 200) places(value[key], found)
  }
  return found
}

/** Changes one to three things of an input: replaces a value, removes a key, repeats a value, or adds an unknown key. */
export function mutate(random: Random, input: Record<string, unknown>): Record<string, unknown> {
  const out = structuredClone(input)
  for (let n = 1 + random.below(3); n > 0; n--) {
    const spots = places(out)
    const spot = spots.length ? random.pick(spots) : undefined
    switch (random.below(8)) {
      case 0:
        if (spot) delete spot.at[spot.key]
        break
      case 1: {
        const part = random.pick(['query', 'body'])
        const holder = isHolder(out[part]) ? (out[part] as Holder) : {}
        out[part] = holder
        const name = random.pick(['__proto__', 'constructor', 'sort', 'page', 'size', 'projectCode', 'id', 'x', 'toString', ''])
        Object.defineProperty(holder, name, {
          value: structuredClone(random.pick(odd)),
          enumerable: true,
          configurable: true,
          writable: true,
        })
        break
      }
      case 2:
        if (spot) spot.at[spot.key] = Array.from({ length: 1 + random.below(60) }, () => structuredClone(spot.at[spot.key]))
        break
      default:
        if (spot) spot.at[spot.key] = structuredClone(random.pick(odd))
    }
  }
  return out
}
