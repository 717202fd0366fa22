import { expect, test } from 'vitest'
import { approverWords, conditionWords, deciderWords, newNode, nodeWords } from './flow-words.ts'

const names = {
  places: [{ key: 'named', name: '监护人' }],
  codes: [{ key: 'attendance.approve', name: '考勤：审批补正' }],
  roles: [{ id: 'r1', name: '项目经理', groupsType: 3 }],
  people: [{ id: 'u1', name: '李工' }],
  facts: [
    { key: 'late', label: '已过期限', type: 'flag' as const, options: [] },
    { key: 'days', label: '天数', type: 'number' as const, options: [] },
    { key: 'kind', label: '类型', type: 'code' as const, options: [{ value: 'leave', label: '请假' }] },
  ],
}

test.each([
  [{ kind: 'code', code: 'attendance.approve' }, '考勤：审批补正'],
  [{ kind: 'role', roleId: 'r1' }, '项目经理'],
  [{ kind: 'users', userIds: ['u1', 'gone'] }, '李工、未知人员'],
  [{ kind: 'superior' }, '发起人的上级'],
] as const)('%j is decided by %s', (by, words) =>
  expect(approverWords(by.kind === 'users' ? { ...by, userIds: [...by.userIds] } : by, names)).toBe(words),
)

test.each([
  [{ fact: 'late', op: '=', value: true }, '已过期限'],
  [{ fact: 'late', op: '=', value: false }, '非已过期限'],
  [{ fact: 'days', op: '>', value: 3 }, '天数 > 3'],
  [{ fact: 'kind', op: 'in', value: ['leave'] }, '类型 属于 请假'],
] as const)('%j reads %s', (condition, words) =>
  expect(conditionWords({ ...condition, value: typeof condition.value === 'object' ? [...condition.value] : condition.value }, names)).toBe(
    words,
  ),
)

test.each([
  [['named'], '监护人'],
  [['corp'], '责任单位 · 管理员'],
  [['site', 'named'], '项目部 · 管理员，或监护人'],
] as const)('a step at %j is decided by %s', (places, words) =>
  expect(deciderWords({ places: [...places], by: { kind: 'admin' } }, names)).toBe(words),
)

test('a new step has a key of its own and reads as what it is', () => {
  const first = newNode([])
  const second = newNode([first, { key: 'step2' }])
  expect([first.key, second.key]).toEqual(['step1', 'step3'])
  expect(nodeWords({ ...first, hours: 24, late: 'raise', sign: true }, names)).toBe(
    '审批，发起单位 · 管理员，或签，24 小时，超时上报，须签名',
  )
})
