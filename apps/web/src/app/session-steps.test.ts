import { expect, test } from 'vitest'
import { nextStep } from './session-steps.ts'

const minute = 60_000
const session = { live: false, timeStamp: 0, duration: 30 * minute }
test.each([
  ['just begun', 1 * minute, 1 * minute, 'none'],
  ['working after a third of the time', 11 * minute, 12 * minute, 'renew'],
  ['gone since the beginning', -1, 27 * minute, 'none'],
  ['two minutes before the end', -1, 28 * minute, 'warn'],
  ['at the end', -1, 30 * minute, 'over'],
  ['worked, but the end has come', 29 * minute, 30 * minute, 'over'],
])('%s', (_, active, now, step) => expect(nextStep(session, active, now)).toBe(step))
