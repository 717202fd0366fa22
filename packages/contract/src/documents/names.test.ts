import { expect, test } from 'vitest'
import { documentName, freeName, longestName, markedName } from './names.ts'

test.each(['a/b', '..', '.', 'x:y', 'a|b', '图\u0000纸', ' ', 'con.', `${'长'.repeat(longestName)}x`])('%j is no name', (name) =>
  expect(documentName.safeParse(name).success).toBe(false),
)
test.each(['总平面图.dwg', '第1版（定稿）', '.config 说明', 'a b.pdf'])('%s is one', (name) => expect(documentName.parse(name)).toBe(name))

test('names are stored in one spelling', () => expect(documentName.parse('e\u0301.pdf')).toBe('\u00e9.pdf'))

test('the second of a name is numbered before its extension', () => {
  const taken = new Set(['图.dwg', '图（2）.dwg'])
  expect(freeName('图.dwg', (name) => taken.has(name))).toBe('图（3）.dwg')
  expect(freeName('别的.dwg', (name) => taken.has(name))).toBe('别的.dwg')
  expect(markedName(`${'长'.repeat(longestName - 4)}.pdf`, '（恢复）')).toHaveLength(longestName)
})
