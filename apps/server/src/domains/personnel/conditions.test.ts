import { expect, test } from 'vitest'
import { contractWords } from './conditions.ts'

const piece = { startDate: '2026-11-01', endDate: null, terminateDate: null, contractPeriodType: '1' }

test.each([
  ['none', undefined, '未签合同'],
  ['signed and not yet in force', { ...piece, startDate: '2026-12-01' }, '已签，2026-12-01 起生效'],
  ['for a piece of work', piece, '至工作完成'],
  ['without a term', { ...piece, contractPeriodType: '2' }, '无固定期限'],
  ['with a last day', { ...piece, contractPeriodType: '0', endDate: '2027-11-01' }, '至 2027-11-01'],
  ['run out', { ...piece, endDate: '2026-11-10' }, '已于 2026-11-10 到期'],
  ['brought to its end', { ...piece, terminateDate: '2026-11-12' }, '已于 2026-11-12 终止'],
])('a contract: %s', (_name, signed, words) => expect(contractWords(signed, '2026-11-20')).toBe(words))
