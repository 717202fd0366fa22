import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { writeXlsx, writeXlsxStream } from './sheet-write.ts'

const texts = ['_x0041_', 'a_x000D_b', '_x005F_x0041_', '__x4E00__', '_x00_', '戴\u{20BB7}', '=1+1', 'snake_x1234_case']

test('every text of a cell comes back as it was written, at once and as a stream', async () => {
  const rows = texts.map((text) => [text, 1])
  const whole = await readXlsx(await writeXlsx({ sheets: [{ name: '表', rows }] }))
  expect(whole.sheets[0]?.rows).toEqual(rows)
  const stream = writeXlsxStream(rows, { name: '表', columns: [{ header: '文字' }, { header: '数' }] } as never)
  const streamed = await readXlsx(new Uint8Array(await buffer(stream as never)))
  expect(streamed.sheets[0]?.rows.slice(1)).toEqual(rows)
})

test('nothing of the product writes a workbook past it', () => {
  const root = join(import.meta.dirname, '..')
  const past = globSync('**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts') && path !== join('kit', 'sheet-write.ts'))
    .filter((path) => /import \{[^}]*\bwriteXlsx\w*[^}]*\} from 'hucre/.test(readFileSync(join(root, path), 'utf8')))
  expect(past).toEqual([])
})
