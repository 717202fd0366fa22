import { useEffect, useReducer, useRef } from 'react'
import { between, type Pose } from './crane-geometry.ts'

const frameMs = 40
const calm = () => typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches

/** Poses animated towards the last reported ones, where they stop. With reduced motion preferred they jump. */
export function useGlide(targets: ReadonlyMap<string, Pose>, durationMs: number): ReadonlyMap<string, Pose> {
  const shown = useRef<ReadonlyMap<string, Pose>>(targets)
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    const from = new Map([...targets].map(([id, pose]) => [id, shown.current.get(id) ?? pose]))
    if (calm() || durationMs <= 0) {
      shown.current = targets
      redraw()
      return
    }
    const start = performance.now()
    let last = 0
    let frame = 0
    const step = (at: number) => {
      const share = Math.min(1, Math.max(0, (at - start) / durationMs))
      if (share === 1 || at - last >= frameMs) {
        last = at
        shown.current = new Map([...targets].map(([id, pose]) => [id, between(from.get(id) ?? pose, pose, share)]))
        redraw()
      }
      if (share < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [targets, durationMs])
  return shown.current
}
