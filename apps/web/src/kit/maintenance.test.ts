import { expect, test } from 'vitest'
import { isNear, maintenanceWords } from './maintenance.tsx'

const night = { from: '2026-11-30 22:00:00', until: '2026-12-01 02:00:00', words: '升级数据库' }
const at = (text: string) => Date.parse(`${text.replace(' ', 'T')}+08:00`)

test('the day of the end is told where it is another', () => {
  expect(maintenanceWords(night)).toBe('11-30 22:00 至 12-01 02:00，升级数据库')
  expect(maintenanceWords({ ...night, until: '2026-11-30 23:30:00' })).toBe('11-30 22:00 至 23:30，升级数据库')
})

test('it is near from a day before until it ends', () => {
  expect(isNear(night, at('2026-11-29 21:59:59'))).toBe(false)
  expect(isNear(night, at('2026-11-29 22:00:00'))).toBe(true)
  expect(isNear(night, at('2026-12-01 01:59:59'))).toBe(true)
  expect(isNear(night, at('2026-12-01 02:00:00'))).toBe(false)
})
