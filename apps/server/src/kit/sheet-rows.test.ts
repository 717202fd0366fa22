import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { plainText, unreadable } from './cell-text.ts'
import { readSheets } from './sheet-rows.ts'

const window = { sheets: [0], rows: 20, lastColumn: 'Z' }
const book = async (rows: (string | number | null)[][], formats: string[] = []) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: '表', rows, columns: formats.map((numFmt) => ({ numFmt })) }] }))
const textsOf = async (file: Buffer) => (await readSheets(file, window))[0]?.rows.map((row) => row.map(plainText))

test('numbers are read as they are shown, and lost digits are marked', async () => {
  const file = await book(
    [
      ['序列号', '桩号', '长度'],
      [862021055512345700, 7, 7.5],
    ],
    ['0', '000', '0.00'],
  )
  const [, cells = []] = (await textsOf(file)) ?? []
  expect(cells.slice(1)).toEqual(['007', '7.5'])
  expect(unreadable(cells[0] ?? '')).toContain('已丢失')
  expect(unreadable('#REF!')).toContain('#REF!')
  expect(unreadable('#1 桩')).toBeUndefined()
})

test('what stands below the window is refused by its row, empty rows are not', async () => {
  const rows = (last: string) => [...Array.from({ length: 39 }, (_, i) => (i === 0 ? ['序列号'] : [])), [last]]
  await expect(readSheets(await book(rows('晚到')), window)).rejects.toThrow('第 40 行')
  expect(await textsOf(await book(rows(' ')))).toEqual([['序列号']])
})
