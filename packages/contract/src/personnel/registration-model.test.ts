import { expect, test } from 'vitest'
import { registerBody } from './registration-model.ts'
import { contractStateOf, isEntryTrained, licencesFor } from './rules.ts'

const problems = (body: unknown) => {
  const result = registerBody.safeParse(body)
  return result.success ? {} : Object.fromEntries(result.error.issues.map((i) => [i.path.join('.'), i.message]))
}

test('rules between fields speak while other fields are still empty', () => {
  expect(problems({ idCardNumber: '11010519491231002Y' })).toHaveProperty('idCardNumber')
  expect(problems({ idCardNumber: '110105194912310029' }).idCardNumber).toMatch(/校验位/)
  expect(problems({ cellPhone: '13800138000', urgentLinkManPhone: '13800138000' }).urgentLinkManPhone).toMatch(/相同/)
  expect(problems({ stay: { workRole: '20' } })).toMatchObject({ 'stay.teamId': '建筑工人请选择班组' })
})

test.each([
  undefined,
  null,
  {},
  [],
  'x',
  { stay: null },
  { stay: 'x' },
  { cert: {} },
  { contract: {} },
  { consents: 'x' },
  { idCardNumber: 5 },
])('a body that is nothing like one is refused, never thrown at: %j', (body) => expect(registerBody.safeParse(body).success).toBe(false))

test.each([
  [{ startDate: '2026-12-01', endDate: null, terminateDate: null }, 'future'],
  [{ startDate: '2026-01-01', endDate: null, terminateDate: null }, 'valid'],
  [{ startDate: '2026-01-01', endDate: '2026-12-21', terminateDate: null }, 'ending'],
  [{ startDate: '2026-01-01', endDate: '2026-12-22', terminateDate: null }, 'valid'],
  [{ startDate: '2026-01-01', endDate: '2026-11-20', terminateDate: null }, 'ended'],
  [{ startDate: '2026-01-01', endDate: null, terminateDate: '2026-11-21' }, 'terminated'],
] as const)('a contract %j is %s', (contract, state) => expect(contractStateOf(contract, '2026-11-21')).toBe(state))

test('the site opens by the entry training, or by all three levels', () => {
  expect(isEntryTrained(['003002'])).toBe(true)
  expect(isEntryTrained(['003101', '003102'])).toBe(false)
  expect(isEntryTrained(['003101', '003102', '003103'])).toBe(true)
})

test('only special trades ask for a licence', () => {
  expect(licencesFor('020')).toEqual([])
  expect(licencesFor('031')).toEqual(['02'])
  expect(licencesFor(null)).toEqual([])
})
