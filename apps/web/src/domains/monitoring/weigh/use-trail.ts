import { useEffect, useState } from 'react'
import type { Reading } from '#kit/live-store.ts'
import { numberIn } from '../crane-state.ts'
import type { Weighed } from './weigh-state.ts'

/** Values of one metric received while the page is open, oldest first: the server does not store single seconds. */
export function useTrail(deviceId: string, metric: string, reading: Reading | undefined, spanMs: number): readonly Weighed[] {
  const [kept, setKept] = useState<{ deviceId: string; points: readonly Weighed[] }>({ deviceId, points: [] })
  const value = numberIn(reading?.values, metric)
  const at = reading?.at
  useEffect(() => {
    if (at === undefined || value === undefined) return
    setKept((known) => {
      const points = known.deviceId === deviceId ? known.points : []
      return { deviceId, points: [...points.filter((one) => one.time > at - spanMs && one.time < at), { time: at, value }] }
    })
  }, [deviceId, at, value, spanMs])
  return kept.deviceId === deviceId ? kept.points : []
}
