import { expect, test } from 'vitest'
import { guessPolicy, normalDocNo } from './model.ts'

test.each([
  ['江临建安〔2026〕12号 关于加强塔式起重机安全管理的通知.pdf', '关于加强塔式起重机安全管理的通知', '江临建安〔2026〕12号'],
  ['关于做好防汛工作的通知（江临建发[2025]3号）.pdf', '关于做好防汛工作的通知', '江临建发[2025]3号'],
  ['03、建筑施工安全检查标准 JGJ 59-2011.pdf', '建筑施工安全检查标准', 'JGJ 59-2011'],
  ['江临市建设工程质量管理办法.pdf', '江临市建设工程质量管理办法', null],
  ['.pdf', '.pdf', null],
])('%s', (name, title, docNo) => {
  expect(guessPolicy(name)).toEqual({ title: title === '.pdf' ? '' : title, docNo })
})

test('document numbers are compared without brackets, spaces and width', () => {
  expect(normalDocNo('江临建安［2026］ 12 号')).toBe(normalDocNo('江临建安〔2026〕12号'))
  expect(normalDocNo('jgj 59-2011')).toBe(normalDocNo('JGJ59-2011'))
  expect(normalDocNo('江临建安〔2026〕12号')).not.toBe(normalDocNo('江临建安〔2026〕21号'))
})
