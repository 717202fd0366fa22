import { createHash } from 'node:crypto'

interface Identified {
  gate: string
  workerId: string | null
  pictureHash: string | null
  recordId: string | null
  /** As received. */
  direction: string | null
  time: number
  pass: string | null
  live: string | null
}

/** Access denied or liveness check failed: an attempt, never a passage. */
export const isRefused = (event: { pass: string | null; live: string | null }): boolean => event.pass === '0' || event.live === '2'

/**
 * A2: two events with the same key are the same passage, whatever their channel. For known persons the device's record number is not
 * part of the key, because gates restart it after a reset.
 */
export function dedupKey(event: Identified): string {
  const person = event.workerId ?? `?${event.pictureHash ?? event.recordId ?? ''}`
  const second = Math.floor(event.time / 1000)
  const text = `${event.gate}|${person}|${event.direction ?? ''}|${second}${isRefused(event) ? '|refused' : ''}`
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

export const mobileGate = (workerId: string): string => `mobile:${workerId}`
export const manualGate = (correctionId: string): string => `manual:${correctionId}`
/** An event added by a correction; clock rules do not apply to it. */
export const isManual = (gate: string): boolean => gate.startsWith('manual:')

/** A41: events keep the ids of merged files; aliases lead to the remaining person. Circular aliases end where they began. */
export function survivorOf(aliases: ReadonlyMap<string, string>, workerId: string): string {
  const seen = new Set([workerId])
  let id = workerId
  for (let next = aliases.get(id); next !== undefined && !seen.has(next); next = aliases.get(id)) {
    seen.add(next)
    id = next
  }
  return id
}
