import { expect, test } from 'vitest'
import { changesBetween } from './version-diff.ts'

const level = (value: number) => ({ level: 2, condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value }, forSeconds: 10 })
const content = (more: object = {}) => ({
  name: '大风告警',
  scope: { kind: 'projects', projectCodes: ['P1'] },
  levels: [level(12)],
  schedule: null,
  options: {},
  execIds: [],
  enabled: true,
  locked: false,
  ...more,
})

test.each<[string, object, [string, string, string][]]>([
  ['nothing', {}, []],
  ['the limit', { levels: [level(10)] }, [['二级条件', 'windSpeed ≥ 12 持续 10 秒，报二级', 'windSpeed ≥ 10 持续 10 秒，报二级']]],
  ['the hours', { schedule: [[21_600, 79_200]] }, [['时段', '全天', '06:00-22:00']]],
  [
    'another level beside it',
    { levels: [level(12), { ...level(15), level: 1 }] },
    [['一级条件', '（无）', 'windSpeed ≥ 15 持续 10 秒，报一级']],
  ],
  ['switched off', { enabled: false }, [['启用', '是', '否']]],
  ['actions exchanged', { execIds: ['a'] }, [['执行动作', '0 个', '1 个']]],
  ['its reach', { scope: { kind: 'devices', deviceIds: ['a', 'b'] } }, [['范围', '项目 1 个', '设备 2 个']]],
])('a new version changes %s', (_, more, expected) => {
  const found = changesBetween(content(), content(more), undefined)
  expect(found.map(({ label, before, after }) => [label, before, after])).toEqual(expected)
})
