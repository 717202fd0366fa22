import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { expect, test } from 'vitest'
import type { DraftLevel } from './condition-words.ts'
import { knobsOf, movedKnob, withKnob } from './level-knobs.tsx'
import { draftOf, readTemplate, templateText } from './template-file.ts'

const level: DraftLevel = {
  level: 2,
  condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value: 12 },
  forSeconds: 10,
  clearValue: 10.8,
}
const seen = {
  name: '塔机标准',
  family: 'towerCrane',
  standard: 'GB 5144',
  remark: null,
  triggers: [
    {
      name: '风速',
      alarmKey: 'windWarning',
      enabled: true,
      levels: [{ ...level, text: '风速 ≥ 12 m/s' }],
      schedule: null,
      on: null,
      noDataSeconds: 60,
    },
  ],
}

test('a template goes out as a file and comes back as it was', () => {
  const draft = draftOf(seen)
  expect(draft.triggers[0]).toEqual({
    name: '风速',
    alarmKey: 'windWarning',
    enabled: true,
    levels: [level],
    schedule: null,
    noDataSeconds: 60,
  })
  expect(readTemplate(templateText(draft))).toEqual({ draft })
})

test.each([
  ['{', '文件不是 JSON'],
  ['[]', '不是规则模板文件'],
  ['{"kind":"other"}', '不是规则模板文件'],
  [JSON.stringify({ kind: 'zhugong.ruleTemplate', name: 'a', family: 'towerCrane', triggers: [] }), '模板中没有规则'],
])('%s is refused: %s', (text, problem) => {
  expect(readTemplate(text)).toEqual({ problem })
})

test('a broken rule in a file is named by its place', () => {
  const file = JSON.parse(templateText(draftOf(seen)))
  file.triggers[0].levels[0].level = 9
  expect(readTemplate(JSON.stringify(file))).toMatchObject({ problem: expect.stringContaining('triggers.0.levels.0.level') })
})

const family = {
  metrics: [{ key: 'windSpeed', label: '风速', unit: 'm/s', type: 'number' }],
  params: [],
  records: [],
} as unknown as FamilyView

test('the numbers of a level, with their units', () => {
  expect(knobsOf(level, family).map(({ path, label, unit, value }) => [path, label, unit, value])).toEqual([
    ['condition.value', '风速 ≥', 'm/s', 12],
    ['forSeconds', '持续', '', 10],
    ['clearValue', '解除值', 'm/s', 10.8],
    ['clearForSeconds', '解除保持', '', undefined],
  ])
  const nested: DraftLevel = { level: 1, condition: { type: 'and', of: [level.condition, { type: 'noData', seconds: 60 }] } }
  expect(knobsOf(nested, family).map((knob) => knob.path)).toEqual([
    'condition.of.0.value',
    'condition.of.1.seconds',
    'forSeconds',
    'clearForSeconds',
  ])
})

test('one number changes and nothing else', () => {
  const nested: DraftLevel = { level: 1, condition: { type: 'and', of: [level.condition, { type: 'noData', seconds: 60 }] } }
  expect(withKnob(nested, 'condition.of.1.seconds', 30).condition.of).toEqual([level.condition, { type: 'noData', seconds: 30 }])
  expect(nested.condition.of?.[1]).toEqual({ type: 'noData', seconds: 60 })
  expect(withKnob(level, 'forSeconds', undefined)).not.toHaveProperty('forSeconds')
})

test('a limit that moves takes its clearing along, wherever that stands', () => {
  expect(movedKnob(level, 'condition.value', 10)).toMatchObject({ condition: { value: 10 }, clearValue: 8.8 })
  const delivered: DraftLevel = { level: 2, condition: { ...level.condition, clearValue: 10.8 } }
  expect(movedKnob(delivered, 'condition.value', 9.5).condition).toMatchObject({ value: 9.5, clearValue: 8.3 })
  expect(knobsOf(delivered, family).map((knob) => knob.path)).toContain('condition.clearValue')
  expect(movedKnob(delivered, 'condition.clearValue', 11).condition).toMatchObject({ value: 12, clearValue: 11 })
  const nested: DraftLevel = { level: 2, condition: { type: 'or', of: [delivered.condition, level.condition] } }
  expect(movedKnob(nested, 'condition.of.0.value', 13).condition.of).toEqual([
    { ...delivered.condition, value: 13, clearValue: 11.8 },
    level.condition,
  ])
})
