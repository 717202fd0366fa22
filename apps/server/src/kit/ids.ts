import { randomBytes } from 'node:crypto'

/** Of the twenty random characters the last ten count on within one millisecond; they begin in the lower half, so that there is room. */
const tailLimit = 2 ** 40
const stepLimit = 2 ** 24
const last = { ms: Number.NaN, head: '', tail: 0 }

/**
 * 32 hexadecimal characters: 12 of the time in milliseconds, so that new rows land at the end of their index, and 20 random.
 * What one process makes within a millisecond sorts as it was made: `order by …_time, id` tells the order of events.
 * An id is no secret. The browser's `uid` has another make-up; both are 32 characters and nobody reads meaning from either.
 */
export function newId(now = Date.now()): string {
  const next = last.tail + 1 + (randomBytes(4).readUInt32BE() % stepLimit)
  if (now === last.ms && next < tailLimit) last.tail = next
  else {
    const random = randomBytes(10)
    last.ms = now
    last.head = random.toString('hex', 0, 5)
    last.tail = random.readUIntBE(5, 5) % (tailLimit / 2)
  }
  return now.toString(16).padStart(12, '0') + last.head + last.tail.toString(16).padStart(10, '0')
}
