import { bytesOf } from './decode-trial.ts'
import { extensions } from './extensions.ts'
import type { DialectVerdict } from './trial.ts'

/** Tries a pasted frame as every format that the platform reads. Stores nothing. The fitting formats come first. */
export function dialectsOf(frame: string, now: number): DialectVerdict[] {
  const text = frame.trim()
  const pasted = { text, binary: bytesOf(text, false), now }
  return extensions.flatMap(({ dialects }) => dialects?.(pasted) ?? []).toSorted((a, b) => Number(b.fits) - Number(a.fits))
}
