import { describe, expect, test } from 'vitest'
import * as f from './format.ts'
import { dashed, uid } from './uid.ts'

const noon = Date.parse('2026-11-20T14:32:08+08:00')

describe('[date-formats] [time-of-day-format] dates', () => {
  test.each([
    [f.time(noon), '2026-11-20 14:32:08'],
    [f.day(noon), '2026-11-20'],
    [f.month(noon), '2026-11'],
    [f.year(noon), '2026'],
    [f.shortTime(noon, Date.parse('2026-11-20T23:59:00+08:00')), '14:32:08'],
    [f.shortTime(noon, Date.parse('2026-11-21T00:01:00+08:00')), '11-20 14:32'],
    [f.shortTime(noon, Date.parse('2027-01-01T00:01:00+08:00')), '2026-11-20 14:32'],
    [f.shortTime(null), '--'],
    [f.timeOfDay(noon), '14:32:08'],
    [f.time('2026-11-20 14:32:08'), '2026-11-20 14:32:08'],
    // A Saturday in Shanghai, whatever the browser's time zone.
    [f.weekday('2026-11-21 00:10:00'), '六'],
    [f.weekday(''), '--'],
    [f.time('2026-11-19T16:00:00Z'), '2026-11-20 00:00:00'],
    [f.day('2026-11-20'), '2026-11-20'],
    [f.time(null), '--'],
    [f.time('not a time'), '--'],
    [f.age(noon - 5 * 60_000, noon), '5 分钟前'],
    [f.age(noon, noon), '刚刚'],
    [f.daysLeft('2026-12-02', noon), '剩 12 天'],
    [f.daysLeft('2026-11-20', noon), '今天到期'],
    [f.daysLeft('2026-11-17', noon), '已过期 3 天'],
  ])('%s', (shown, expected) => expect(shown).toBe(expected))
})

describe('[format-phone] [format-amount] [format-thousands] [format-ratio] [format-empty-default] [helper-count-cap] [helper-count-zero] numbers', () => {
  test.each([
    [f.phone('13812345678'), '138 1234 5678'],
    [f.phone('138****4471'), '138 **** 4471'],
    [f.phone('6217000012340933'), '6217 0000 1234 0933'],
    [f.phone(''), '--'],
    [f.yuan(1234560), '12345.60'],
    [f.yuan(100.1), '1.01'],
    [f.yuan(0.1 + 0.2 - 0.3), '0.00'],
    [f.yuan(29), '0.29'],
    [f.yuan(undefined), '0.00'],
    [f.amount(1234560), '12,345.60'],
    [f.amount(null), '0.00'],
    [f.amount(-1234560), '-12,345.60'],
    [f.thousands(1283914), '1,283,914'],
    [f.thousands(999), '999'],
    [f.thousands(1234.5678, 2), '1,234.57'],
    [f.thousands(-0.002, 2), '0.00'],
    [f.thousands(undefined), '--'],
    [f.dueWords({ expected: 385, arrived: 346 }), '实到 346 / 385（89.87%）'],
    [f.dueWords({ expected: 0, arrived: 0 }), '无应到人员'],
    [f.ratio(0.9093), '90.93%'],
    [f.ratio(1), '100.00%'],
    [f.ratio(undefined), '--'],
    [f.ratioOf(0, 0), '--'],
    [f.countCap(100, 100), '99+'],
    [f.countCap(12, 10), '9+'],
    [f.countCap(99, 100), '99'],
    [f.countCap(0), '0'],
    [f.countCap(undefined), '0'],
    [f.fileSize(1_887_437), '1.8 MB'],
  ])('%s', (shown, expected) => expect(shown).toBe(expected))
})

test.each([
  [0, true],
  [1, true],
  ['a', true],
  ['', false],
  [null, false],
  [false, false],
  [[], false],
  [[0], true],
])('[helper-non-empty] [helper-empty-array] non-empty %j is %s', (value, expected) => expect(f.nonEmpty(value)).toBe(expected))

test.each([
  ['abc', 3],
  ['中文', 4],
  ['\u0000', 1],
  ['ÿ', 1],
  ['Ā', 2],
  ['a中', 3],
])('[helper-char-width] width of %s is %i', (text, width) => expect(f.charWidth(text)).toBe(width))

test('[helper-mask] masking replaces a range, with stars unless told otherwise', () => {
  expect(f.mask('420602198001011235', 6, 14)).toBe('420602********1235')
  expect(f.mask('张三丰', 1, 2, '×')).toBe('张×丰')
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'MacOS'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
  ['Mozilla/5.0 (X11; FreeBSD amd64)', 'Unix'],
  ['curl/8', 'other'],
])('[os-detection] system of %s', (agent, system) => expect(f.systemOf(agent)).toBe(system))

test('[video-viewer-file-name] a file is named after the last segment of its path', () => {
  expect(f.fileNameFrom('/a/b/site.mp4')).toBe('site.mp4')
  expect(f.fileNameFrom('https://x/a/%E5%A1%94%E6%9C%BA.mp4?sign=1')).toBe('塔机.mp4')
})

describe('uid', () => {
  test('[uid-length] [uid-parts] 32 hexadecimal characters: 9 random, the time, random', () => {
    const id = uid(noon, () => 0)
    expect(id).toBe(`000000000${noon.toString(16)}`.padEnd(32, '0'))
    expect(uid()).toMatch(/^[0-9a-f]{32}$/)
  })
  test('[uid-format] dashed form', () => expect(dashed('0123456789abcdef0123456789abcdef')).toBe('01234567-89ab-cdef-0123-456789abcdef'))
  test('no two alike', () => expect(new Set(Array.from({ length: 5000 }, () => uid(noon))).size).toBe(5000))
})

test('[designer-url] the designer stands below the server’s address, with or without a stroke at its end', () => {
  expect(f.designerAddress('https://site.example:8443')).toBe('https://site.example:8443/designer')
  expect(f.designerAddress('https://site.example/')).toBe('https://site.example/designer')
})

test('[constant-risk-levels] [risk-level-names] four levels, each with a name and a colour of its own', () => {
  expect(Object.keys(f.riskLevels)).toEqual(['1', '2', '3', '4'])
  expect(Object.values(f.riskLevels).map((level) => level.name)).toEqual(['重大', '较大', '一般', '低'])
  expect(new Set(Object.values(f.riskLevels).map((level) => level.ground)).size).toBe(4)
  expect([0, 1, '2', 3, '4', 5, null].map(f.isRiskLevel)).toEqual([false, true, true, true, true, false, false])
})

test('[constant-count-cap] the cap is one below the limit, with a plus sign', () =>
  expect([f.countCap(100, 100), f.countCap(1000, 1000), f.countCap(999, 1000)]).toEqual(['99+', '999+', '999']))
