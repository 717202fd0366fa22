import { expect, test } from 'vitest'
import { batchRefusal, bringsNews, tabIn } from './tabs.ts'

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
