import { expect, test } from 'vitest'
import { checksOf, driverTypes, failing, licenceFits } from './rules.ts'

const today = '2026-11-20'
const good = { driverType: '1', certType: '0401', certValidEnd: '2027-01-01', realName: true, onSite: true, listed: false }

test('a good driver has no fault', () => {
  expect(failing(checksOf(good, today))).toBeUndefined()
})
test.each([
  [{ certValidEnd: '2026-11-19' }, '到期'],
  [{ certType: '0402' }, '不符'],
  [{ onSite: false }, '不在本项目'],
  [{ listed: true }, '黑名单'],
])('%o is a fault', (more, words) => {
  expect(failing(checksOf({ ...good, ...more }, today))).toContain(words)
})
test('the last day of a licence counts, and the identity is looked at by eye', () => {
  expect(failing(checksOf({ ...good, certValidEnd: today, realName: false }, today))).toBeUndefined()
})
test('a licence fits its own type only', () => {
  expect(Object.keys(driverTypes).filter((type) => licenceFits(type, '0401'))).toEqual(['1'])
  expect(licenceFits('1', null)).toBe(false)
})
