import type { LevelRow } from '@zhugong/contract/rules/level-model'
import { expect, test } from 'vitest'
import { levelDifferences } from './level-words.ts'

const level = (more: Partial<LevelRow> = {}): LevelRow => ({
  level: 1,
  name: '重大',
  label: '红色',
  color: '#C62828',
  contrast: 5.6,
  sound: 'siren',
  plan: { channels: ['1'], repeatMinutes: 5, photoRequired: true, escalation: [] },
  openNow: 3,
  own: false,
  updateBy: null,
  updateTime: null,
  version: 0,
  ...more,
})

test('a setting says before saving what it would change, in words', () => {
  const current = [level(), level({ level: 2, name: '较大' })]
  const drafted = [
    level({
      name: '特大',
      sound: 'ring',
      plan: { channels: ['1', '2'], repeatMinutes: null, photoRequired: false, escalation: [{ afterMinutes: 5, roles: ['项目经理'] }] },
    }),
    level({ level: 2, name: '较大' }),
  ]
  expect(levelDifferences(current, drafted).map(({ label, before, after }) => `${label} ${before} → ${after}`)).toEqual([
    '1 级名称 重大 → 特大',
    '1 级声音 警笛 → 铃声',
    '1 级渠道 站内消息 → 站内消息、短信',
    '1 级重复提醒 每 5 分钟 → 不重复',
    '1 级处置须上传照片 是 → 否',
    '1 级无人接单时升级 不升级 → 5 分钟 项目经理',
  ])
})

test('what is not a setting is no difference: the count of open alarms, a colour in small letters', () => {
  expect(levelDifferences([level()], [level({ openNow: 9, color: '#c62828' })])).toEqual([])
})
