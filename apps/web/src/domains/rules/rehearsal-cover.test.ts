import { expect, test } from 'vitest'
import { coverWords } from './rehearsal-cover.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)
const week = { from: at('2026-11-13T10:00:00'), to: at('2026-11-20T10:00:00') }
const on = (...days: string[]) => [{ series: days.map((one) => [at(`2026-11-${one}T12:00:00`), 1, 2] as const) }]

test.each([
  ['every day', on('13', '14', '15', '16', '17', '18', '19'), ''],
  ['a hole', on('13', '14', '18', '19'), '；其中 3 天没有数据'],
  ['another machine in the hole', [...on('13', '14', '18', '19'), ...on('15', '16', '17')], ''],
  ['begun late', on('16', '17', '18', '19'), '；读数从 2026-11-16 12:00 起，此前没有数据，不能说明问题'],
  ['begun late, with a hole', on('16', '19'), '；读数从 2026-11-16 12:00 起，此前没有数据，不能说明问题；之后 2 天没有数据'],
  ['nothing at all', [{ series: [] }], ''],
])('%s', (_name, devices, words) => expect(coverWords(week, devices)).toBe(words))
