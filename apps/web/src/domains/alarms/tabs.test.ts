import { expect, test } from 'vitest'
import { batchRefusal, bringsNews, openOf, tabIn } from './tabs.ts'

const row = (level: number, alarmKey = 'windWarning') => ({ maxLevel: level, alarmKey, state: 'open' })

test.each([
  ['nothing chosen', [], '请先选择告警'],
  ['level 1 alone', [row(1)], '一级和二级告警须逐条处理'],
  ['level 2 among others', [row(3), row(2)], '一级和二级告警须逐条处理'],
  ['two kinds', [row(3), row(4, 'innerLimit')], '一次只能批量处理同一种告警'],
  ['one kind of levels 3 and 4', [row(3), row(4)], undefined],
])('%s', (_, rows, why) => expect(batchRefusal(rows)).toBe(why))

test('an unknown tab is the first', () => expect([null, 'x', 'all'].map(tabIn)).toEqual(['todo', 'todo', 'all']))

test.each([
  ['open', 2, true],
  ['open', 1, false],
  ['clear', 1, false],
  ['clear', 3, false],
  ['upgrade', 2, false],
  ['handled', 2, false],
])('%s at level %i waits behind the bar: %s', (event, level, waits) => expect(bringsNews({ event, level })).toBe(waits))

test('taking up a happening takes up what of it nobody has taken up yet', () => {
  const beside = { id: 'b', deviceName: '1# 塔机', alarmLabel: '力矩预警', level: 3, state: 'acknowledged', active: true, version: 2 }
  const lead = {
    id: 'a',
    projectCode: 'P1',
    state: 'open',
    version: 1,
    beside: [beside, { ...beside, id: 'c', state: 'open', version: 4 }],
  }
  expect(openOf(lead, 'ack')).toEqual([
    { id: 'a', version: 1, projectCode: 'P1' },
    { id: 'c', version: 4, projectCode: 'P1' },
  ])
  expect(openOf({ ...lead, beside: undefined }, 'ack').map((one) => one.id)).toEqual(['a'])
})
