import { families } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { sourceInWords } from './sources.ts'

test.each([
  ['GB 50497-2019 table 8.0.4 (grade 1, bored pile or diaphragm wall)', 'GB 50497-2019 表 8.0.4'],
  ['JGJ 332-2014 3.2 (control signals at 80/90/100 % of rated moment); GB/T 5031', 'JGJ 332-2014 3.2；GB/T 5031'],
  ['GB 3095-2012 class 2 24 h limit used as default', 'GB 3095-2012 2 类'],
  ['common project value (40 mm, 3 mm/d; warning at 70 %), within GB 50497-2019', 'GB 50497-2019；工程常用值'],
  ['DB13/2934-2019 (Hebei)', 'DB13/2934-2019'],
  ['six 100 % rule: closed transport', '扬尘治理六个百分之百'],
  ['design', ''],
])('%s', (source, words) => expect(sourceInWords(source)).toBe(words))

test('every source of the catalogue is said, and in Chinese', () => {
  for (const { key, alarms } of families) {
    for (const alarm of alarms) {
      const words = sourceInWords(alarm.source)
      expect(words === '', `${key}.${alarm.key}: ${alarm.source}`).toBe(alarm.source === 'design')
      expect(words).not.toMatch(/[a-z]/)
    }
  }
})
