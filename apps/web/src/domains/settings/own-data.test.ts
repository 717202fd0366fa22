import { expect, test } from 'vitest'
import { ownDataText } from './own-data.ts'

const person: Parameters<typeof ownDataText>[0] = {
  name: '周立新',
  genderName: '男',
  age: 41,
  nationName: '汉族',
  idCardTypeName: '居民身份证',
  idCardMask: '4202**********1234',
  startDate: '2015-01-01',
  expiryDate: null,
  grantOrg: null,
  cellPhoneMask: '138****0000',
  hasAddress: false,
  urgentLinkMan: null,
  urgentLinkManPhoneMask: null,
  photo: null,
  hasFacePhoto: false,
  realNameState: '1',
  workTypeName: '电工',
  consents: [],
  stays: [],
  looks: [{ id: '1', at: '2026-11-20 08:00:00', viewer: '劳务员', groupName: '滨江医院', summary: '查看明文：手机号码' }],
  counts: { certificates: 0, ending: 0, records: 1, bad: 0, contracts: 0, requests: 0 },
}

test('what is held of somebody stands in clear in his own copy, and who looked', () => {
  const opened = { idCardNumber: '420202198501011234', cellPhone: '13800000000', address: null, urgentLinkManPhone: null }
  const text = ownDataText(person, opened, { list: [], attendDays: 0 }, '2026-11-24 08:00:00')
  for (const part of ['居民身份证：420202198501011234', '手机：13800000000', '有效期：2015-01-01 至 长期', '查看明文：手机号码'])
    expect(text).toContain(part)
  expect(text).not.toContain('****')
  expect(text).not.toContain('住址')
})
