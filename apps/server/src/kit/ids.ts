import { randomBytes } from 'node:crypto'

/**
 * 32 hexadecimal characters: 12 of the time in milliseconds, so that new rows land at the end of their index, and 20 random.
 * The browser's `uid` has another make-up; both are 32 characters and nobody reads meaning from either.
 */
export function newId(now = Date.now()): string {
  return now.toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
}
