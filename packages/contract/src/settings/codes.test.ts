import { expect, test } from 'vitest'
import { enables } from '../kit/enable.ts'
import { families } from '../telemetry/families.ts'
import { dictionaryOf } from './dictionaries.ts'

/** Codes and names of a dictionary, in the order of the codes. */
const wordsOf = (code: string) => (dictionaryOf(code)?.items ?? []).map((item) => `${item.code} ${item.name}`).toSorted()

test.each([
  ['audit-status', 'auditStatus', ['0 待审核', '1 已通过', '2 已驳回']],
  ['enable-flag', 'enableStatus', ['0 禁用', '1 启用']],
  ['enable-flag-admin', 'adminEnableStatus', ['0 启用', '1 停用']],
  ['category-codes', 'platformCategory', ['1 平台', '2 第三方']],
  ['time-setting-codes', 'timeSetting', ['1 按日', '2 按月']],
  ['stationed-codes', 'stationed', ['1 进场', '2 退场']],
])('[audit-status] [enable-flag] [enable-flag-admin] [category-codes] [time-setting-codes] [stationed-codes] %s: %s', (_, code, words) =>
  expect(wordsOf(code)).toEqual(words),
)

test('[enable-flag] on is 1 and off is 0 wherever something is switched', () => expect(enables).toEqual({ on: '1', off: '0' }))

test('[product-device-kinds] these families of devices are known, each with what it reports and warns of', () => {
  const keys = [
    ...['towerCrane', 'lifter', 'smartHelmet', 'weighbridge', 'truckMonitor', 'waterMeter', 'electricMeter', 'unloadingPlatform'],
    ...['environment', 'foundationPit', 'highFormwork'],
  ]
  expect(keys).toHaveLength(11)
  const known = new Map(families.map((family) => [family.key, family]))
  for (const key of keys) {
    expect(known.get(key)?.name, key).toMatch(/\p{Script=Han}/u)
    expect((known.get(key)?.metrics.length ?? 0) + (known.get(key)?.records.length ?? 0), key).toBeGreaterThan(0)
    expect(known.get(key)?.alarms.length, key).toBeGreaterThan(0)
  }
})
