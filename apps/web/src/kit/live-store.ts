/** Newest reading per device, passed to subscribers in batches. Pure except for the injected timer. */
export interface Reading {
  deviceId: string
  /** Device time and receive time, epoch ms. */
  at: number
  receivedAt: number
  values: Readonly<Record<string, unknown>>
  quality?: Readonly<Record<string, string>> | undefined
  /** Milliseconds since the previous reading; unknown for the first. */
  paceMs?: number | undefined
}

export interface LatestStore {
  put: (reading: Reading) => void
  get: (deviceId: string) => Reading | undefined
  version: () => number
  subscribe: (listener: () => void) => () => void
}

export function latestStore(schedule: (flush: () => void) => void): LatestStore {
  const readings = new Map<string, Reading>()
  const listeners = new Set<() => void>()
  let version = 0
  let waiting = false
  return {
    put(reading) {
      const known = readings.get(reading.deviceId)
      // A late message must not replace a newer reading.
      if (known && known.at > reading.at) return
      const paceMs = reading.paceMs ?? (known && reading.at > known.at ? reading.at - known.at : known?.paceMs)
      readings.set(reading.deviceId, { ...reading, paceMs, values: { ...known?.values, ...reading.values } })
      if (waiting) return
      waiting = true
      schedule(() => {
        waiting = false
        version++
        for (const listener of listeners) listener()
      })
    },
    get: (deviceId) => readings.get(deviceId),
    version: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Whether a topic matches an MQTT filter with `+` and `#`. */
export function topicMatches(filter: string, topic: string): boolean {
  const wanted = filter.split('/')
  const given = topic.split('/')
  for (const [i, part] of wanted.entries()) {
    if (part === '#') return true
    if (given[i] === undefined || (part !== '+' && part !== given[i])) return false
  }
  return wanted.length === given.length
}
