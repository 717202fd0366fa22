/** Percentage with two decimals, rounded half up in exact integers; null if `whole` is 0. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((part * 20_000 + whole) / (2 * whole)) / 100
}
