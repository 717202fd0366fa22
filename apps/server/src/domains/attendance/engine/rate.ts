/** `part` of `whole` in percent, two decimals, half up on exact integers; null when there is nothing to compare with. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((part * 20_000 + whole) / (2 * whole)) / 100
}
