import { expect, test } from 'vitest'
import { missingOf } from './supervision.ts'

const of = (docType: string, count = 1, signed = count) => ({ docType, count, signed })
const basis = [of('101'), of('102'), of('103')]

test.each([
  ['nothing', [], ['缺少监督工作计划或方案', '缺少监督交底记录', '缺少监督抽查记录']],
  ['a complete file', basis, []],
  ['a plan of quality alone', [of('107'), of('102'), of('104')], []],
  ['a notice without report', [...basis, of('201')], ['缺少安全隐患整改报告 1 份']],
  ['a stop notice and one report for two', [...basis, of('201'), of('202'), of('203')], ['缺少安全隐患整改报告 1 份']],
  ['a stop that was not lifted', [...basis, of('301', 2), of('302')], ['缺少恢复施工安全监督告知书 1 份']],
  ['an unsigned record', [of('101'), of('102'), of('103', 3, 1)], ['2 份103号文书未签字或送达']],
])('%s', (_, counts, missing) => expect(missingOf(counts)).toEqual(missing))
