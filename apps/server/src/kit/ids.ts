import { randomBytes } from 'node:crypto'

/**
 * The last ten random characters are incremented within one millisecond. They start in the lower half of their range, so that the
 * increments fit.
 */
const tailLimit = 2 ** 40
const stepLimit = 2 ** 24
const last = { ms: Number.NaN, head: '', tail: 0 }

/**
 * Creates an id of 32 hexadecimal characters: 12 for the time in milliseconds, so that new rows are appended to the index, then 20 random
 * ones. Ids that one process creates within a millisecond sort in order of creation: `order by …_time, id` gives the order of events. An id
 * is not a secret. The browser's `uid` has another structure; both have 32 characters and no code interprets either.
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
