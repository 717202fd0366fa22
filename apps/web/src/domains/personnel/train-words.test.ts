import { expect, test } from 'vitest'
import { unmarkedWords } from './train-words.ts'

test.each([
  ['company', 'covered', '以入场教育代'],
  ['entry', 'covered', '以三级教育代'],
  ['team', 'none', '缺'],
  ['special', 'none', '--'],
] as const)('%s without a record, %s: %s', (column, state, words) => expect(unmarkedWords(column, state)).toBe(words))
