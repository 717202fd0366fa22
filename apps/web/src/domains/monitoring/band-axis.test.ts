import { expect, test } from 'vitest'
import { bandTicks } from './band-axis.tsx'

const at = (text: string) => Date.parse(`${text}+08:00`)
test('bands of a day are marked with its hours, of a week with days', () => {
  expect(bandTicks(at('2026-11-20T00:00:00'), at('2026-11-21T00:00:00'))).toEqual(['00:00', '06:00', '12:00', '18:00', '00:00'])
  expect(bandTicks(at('2026-11-16T00:00:00'), at('2026-11-20T00:00:00'))).toEqual([
    '11-16 00:00',
    '11-17 00:00',
    '11-18 00:00',
    '11-19 00:00',
    '11-20 00:00',
  ])
})
