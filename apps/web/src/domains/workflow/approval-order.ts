/** The list as it was when an item was opened from it: 下一条 goes through it, though what was decided has left the list. */
let order: readonly string[] = []

export const keepOrder = (ids: readonly string[]): void => {
  order = ids
}
export function neighbourOf(id: string, step: 1 | -1): string | undefined {
  const at = order.indexOf(id)
  return at < 0 ? undefined : order[at + step]
}
