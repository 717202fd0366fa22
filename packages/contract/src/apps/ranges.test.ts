import { expect, test } from 'vitest'
import { everybody, type RangeRule } from './grant-endpoints.ts'
import { inRange } from './ranges.ts'

const who = { userId: 'u', orgIds: ['machines', 'company'], posts: ['机械员'], roleIds: ['r1'], corps: ['c1'] }
const some = (part: Partial<RangeRule>): RangeRule => ({ ...everybody, mode: 'some', ...part })
const but = (rule: RangeRule): RangeRule => ({ ...rule, exceptIds: ['u'] })
const day = '2026-11-20'

test.each([
  ['everybody', everybody, true],
  ['nobody named', some({}), false],
  ['a department above his', some({ orgIds: ['company'] }), true],
  ['another department', some({ orgIds: ['safety'] }), false],
  ['his post', some({ posts: ['机械员'] }), true],
  ['his role', some({ roleIds: ['r1'] }), true],
  ['himself', some({ userIds: ['u'] }), true],
  ['his unit as a whole', some({ units: [{ corpCode: 'c1', mode: 'all', posts: [], userIds: [] }] }), true],
  ['another post of his unit', some({ units: [{ corpCode: 'c1', mode: 'posts', posts: ['安全员'], userIds: [] }] }), false],
  ['his post of another unit', some({ units: [{ corpCode: 'c2', mode: 'posts', posts: ['机械员'], userIds: [] }] }), false],
  ['named in his unit', some({ units: [{ corpCode: 'c1', mode: 'users', posts: [], userIds: ['u'] }] }), true],
  ['everybody but him', but(everybody), false],
  ['his department but him', some({ orgIds: ['machines'], exceptIds: ['u'] }), false],
  ['himself until today', some({ userIds: ['u'], until: { u: day } }), true],
  ['himself until yesterday', some({ userIds: ['u'], until: { u: '2026-11-19' } }), false],
] as const)('a range of %s', (_name, rule, expected) => {
  expect(inRange(rule, who, day)).toBe(expected)
})
