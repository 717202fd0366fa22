interface Hung {
  deviceId: string
  parentId: string | null
}

/** Whether a meter counts what flows in, rather than a part of what another counts; one whose main is not there stands by itself. */
export function isMainAmong(meters: readonly Hung[]): (one: Hung) => boolean {
  const known = new Set(meters.map((one) => one.deviceId))
  return (one) => one.parentId === null || !known.has(one.parentId)
}
