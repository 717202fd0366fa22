/** The order of the list from which an item was opened. 下一条 follows it, although decided items have left the list. */
let order: readonly string[] = []

export const keepOrder = (ids: readonly string[]): void => {
  order = ids
}
export function neighbourOf(id: string, step: 1 | -1): string | undefined {
  const at = order.indexOf(id)
  return at < 0 ? undefined : order[at + step]
}
