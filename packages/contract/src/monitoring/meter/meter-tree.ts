interface Hung {
  deviceId: string
  parentId: string | null
}

/** Whether a meter is a main meter rather than a submeter; one whose main is not in the list counts as a main. */
export function isMainAmong(meters: readonly Hung[]): (one: Hung) => boolean {
  const known = new Set(meters.map((one) => one.deviceId))
  return (one) => one.parentId === null || !known.has(one.parentId)
}
