/** Number of cases per test: few in a normal run, the full number when the environment variable `name` is set. */
export const sizeOf = (name: string, usual: number): number => Number(process.env[name] ?? usual)

/** Pseudo-random numbers that depend only on the seed. */
export function randomFrom(seed: number) {
  let state = seed >>> 0 || 1
  const below = (n: number): number => {
    // xorshift32
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % n
  }
  return {
    below,
    pick: <T>(list: readonly T[]): T => {
      const one = list[below(list.length)]
      if (one === undefined) throw new Error('nothing to pick from')
      return one
    },
    some: <T>(list: readonly T[], most: number): T[] => [
      ...new Set(list.length === 0 ? [] : Array.from({ length: below(most + 1) }, () => list[below(list.length)] as T)),
    ],
  }
}
export type Random = ReturnType<typeof randomFrom>

/** Runs `one` for each turn below `count`, `atOnce` at a time. */
export async function inParallel(count: number, atOnce: number, one: (turn: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let turn = next++; turn < count; turn = next++) await one(turn)
    }),
  )
}
