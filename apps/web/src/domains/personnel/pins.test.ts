import { expect, test } from 'vitest'
import { allPins, pinnedOf, pinWords } from './pins.ts'

const stay = {
  projectCode: 'P1',
  corpCode: 'C1',
  teamId: 'T1',
  workRole: '20' as const,
  workType: '010',
  entryTime: '2026-11-20',
  paymentType: '1',
  unitPriceCents: 36_000,
  cardNumber: 'K1',
  hasBuyInsurance: true,
}

test('what is pinned goes to the next person; a price and a card never do', () => {
  expect(pinnedOf(stay, allPins)).toEqual({
    corpCode: 'C1',
    teamId: 'T1',
    workRole: '20',
    workType: '010',
    entryTime: '2026-11-20',
    paymentType: '1',
    hasBuyInsurance: true,
  })
  expect(pinnedOf(stay, ['entry'])).toEqual({ entryTime: '2026-11-20' })
})

test('a team is kept with its unit only', () => expect(pinnedOf(stay, ['team', 'payment'])).toEqual({ paymentType: '1' }))

test('the pins are named as their fields', () => expect(pinWords(['corp', 'entry'])).toBe('单位、进场日期'))
