import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { hintOfShape } from './envelope.ts'
import { verdictOf } from './frame-verdict.ts'

const station = familyOf('environment') as Family
const reading = (more: object) => ({ flag: 0, unknown: undefined, quality: undefined, values: {}, ...more }) as never

test('what a device marks itself, is beyond the range or unknown stands in the log by name, whatever the protocol', () => {
  const verdict = (more: object) => verdictOf(station, { readings: [reading(more)] }, [], false)
  expect(verdict({ values: { pm10: 51 } })).toEqual({ result: 'stored', hint: undefined })
  expect(verdict({ values: { pm10: 51 }, quality: { pm10: 'fault' } })).toMatchObject({
    result: 'flagged',
    hint: expect.stringContaining('pm10 故障'),
  })
  expect(verdict({ values: { pm10: 99_999 }, quality: { pm10: 'outOfRange' } }).result).toBe('outOfRange')
  expect(verdict({ values: {}, unknown: { a99999: 3 } })).toMatchObject({ result: 'unknownKey', hint: expect.stringContaining('a99999') })
  // The point fields of a reading are not unknown fields.
  expect(verdict({ values: {}, unknown: { pointCode: 'CX-01', pointType: 'a' } }).result).toBe('stored')
})

test('bodies of the form of another platform are told how to change', () => {
  expect(hintOfShape([{ ts: 1, values: { pm10: 5 } }])).toContain('ThingsBoard')
  expect(hintOfShape([{ time: 1, pm10: 5 }])).toContain('"data":{"pm10":…}')
  expect(hintOfShape([{ time: 1, data: { pm10: 5 } }])).toBeUndefined()
})
