import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { updateDevice } from '../equipment/endpoints.ts'
import { fence } from '../organisation/fence.ts'
import {
  ageOn,
  birthdayOfIdCard,
  checkAgainstIdCard,
  checkBankAccount,
  checkBankCard,
  checkBankLinkNumber,
  checkCreditCode,
  checkEmail,
  checkIdCard,
  checkIdNumber,
  checkMobile,
  checkName,
  checkPhone,
  checkPoint,
  checkUrl,
  genderOfIdCard,
  hasControlCharacters,
  idCardCheckCharacter,
  isTurned,
  maskBankCard,
  maskIdCard,
  maskName,
  maskPhone,
  normalizeName,
} from './checks.ts'

const today = '2026-03-02'

describe('identity card', () => {
  test.each(['11010519491231002X', '42020219900101001X', '420202198506150021', ' 110105 19491231 002x '])('%s holds', (v) => {
    expect(checkIdCard(v, { today })).toBeUndefined()
  })
  test.each([
    ['420202199001010010', '校验位'],
    ['420202199002300019', '不存在'],
    ['420202900101001', '15 位'],
    ['4202021990010100', '18 位'],
    ['42020219900101OO1X', '数字'],
    ['99020219900101001X', '省级'],
    ['', '18 位'],
  ])('%s is refused: %s', (v, why) => {
    expect(checkIdCard(v, { today })).toContain(why)
  })
  const withBirthday = (date: string) => {
    const first17 = `420202${date}001`
    return first17 + idCardCheckCharacter(first17)
  }
  test('born today is old enough to exist, born tomorrow is not', () => {
    expect(checkIdCard(withBirthday('20260302'), { today })).toBeUndefined()
    expect(checkIdCard(withBirthday('20260303'), { today })).toContain('晚于今天')
  })
  test('120 years hold, 121 do not', () => {
    expect(checkIdCard(withBirthday('19050303'), { today })).toBeUndefined()
    expect(checkIdCard(withBirthday('19050302'), { today })).toContain('120')
  })
  test('29 February exists in leap years alone', () => {
    expect(checkIdCard(withBirthday('20000229'), { today })).toBeUndefined()
    expect(checkIdCard(withBirthday('20010229'), { today })).toContain('不存在')
  })
  test('the division is asked only when a register is given', () => {
    expect(checkIdCard('42020219900101001X', { today, knowsArea: () => false })).toContain('区划')
  })
  test('every single wrong digit is found', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 1, max: 9 }), (place, add) => {
        const v = '42020219850615002'
        const changed = v.slice(0, place) + ((Number(v[place]) + add) % 10) + v.slice(place + 1)
        return idCardCheckCharacter(changed) !== '1'
      }),
    )
  })
  test('birthday and gender are read from it and must agree', () => {
    expect(birthdayOfIdCard('11010519491231002X')).toBe('1949-12-31')
    expect(genderOfIdCard('11010519491231002X')).toBe('2')
    expect(genderOfIdCard('42020219900101001X')).toBe('1')
    expect(checkAgainstIdCard('42020219900101001X', { gender: '2' })).toContain('性别')
    expect(checkAgainstIdCard('42020219900101001X', { gender: '1', birthday: '1990-01-01' })).toBeUndefined()
  })
  test('age counts full years', () => {
    expect(ageOn('2008-03-02', '2026-03-01')).toBe(17)
    expect(ageOn('2008-03-02', '2026-03-02')).toBe(18)
    expect(ageOn('2008-02-29', '2026-02-28')).toBe(17)
  })
})

test.each([
  ['10', 'H12345678', true],
  ['10', 'M1234567890', true],
  ['10', 'H123456789', false],
  ['12', '12345678', true],
  ['12', '123456789', false],
  ['08', 'E1234', true],
  ['08', 'E123', false],
  ['20', 'CHN110012345678', true],
  ['20', '931840198108030034', true],
  ['20', '11010519491231002X', false],
  ['20', '110105194912310021', false],
  ['02', '军字第1234567号', true],
  ['02', '军1', false],
  ['99', 'A;DROP TABLE', false],
  ['01', '', false],
])('identity paper %s %s holds: %s', (type, v, holds) => {
  expect(checkIdNumber(type, v, { today }) === undefined).toBe(holds)
})

describe('credit code', () => {
  test.each(['91420200MA4TERT13Y', '91420200000000019X', '11420200012345671Y'])('%s holds; no other last character does', (v) => {
    expect(checkCreditCode(v)).toBeUndefined()
    for (const c of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
      if (c !== v[17]) expect(checkCreditCode(v.slice(0, 17) + c)).toBeDefined()
    }
    for (const c of 'IOSVZ') expect(checkCreditCode(c + v.slice(1))).toContain('不含')
  })
  test('historical data pass with the last character alone', () => {
    const first17 = '91420200MA4TERT14'
    const v = [...'0123456789ABCDEFGHJKLMNPQRTUWXY']
      .map((c) => first17 + c)
      .find((c) => checkCreditCode(c, { historical: true }) === undefined)
    expect(v).toBeDefined()
    expect(checkCreditCode(v!)).toContain('主体标识')
  })
})

test.each(['6222020000000000018', '6217000000000000020'])('bank card %s holds, plus one does not', (v) => {
  expect(checkBankCard(v)).toBeUndefined()
  expect(checkBankCard(v.replace(/(\d{4})/g, '$1 '))).toBeUndefined()
  expect(checkBankCard(String(BigInt(v) + 1n))).toContain('校验')
  expect(checkBankCard('12345')).toContain('16–19')
})
test('company accounts have no Luhn', () => {
  expect(checkBankAccount('4205-0160-6208-0000-0001')).toBeUndefined()
  expect(checkBankAccount('12345')).toBeDefined()
  expect(checkBankLinkNumber('105522000018')).toBeUndefined()
  expect(checkBankLinkNumber('10552200001')).toBeDefined()
})

test.each([
  ['13800138000', true],
  ['12345678901', false],
  ['1380013800', false],
  ['+852-61234567', true],
  ['+86 13800138000', false],
])('mobile %s: %s', (v, holds) => {
  expect(checkMobile(v) === undefined).toBe(holds)
})
test('telephones', () => {
  for (const v of ['0714-6351234', '02787654321', '0714-6351234-801', '4008001234', '13800138000']) expect(checkPhone(v)).toBeUndefined()
  for (const v of ['6351234', '0714-635', '300-1234567']) expect(checkPhone(v)).toBeDefined()
  expect(checkMobile('+852-61234567', { mainlandOnly: true })).toBeDefined()
})

test('names', () => {
  expect(normalizeName(' 买买提•吐尔逊 ')).toBe('买买提·吐尔逊')
  for (const v of ['王明', '买买提·吐尔逊', '𠮷田', 'John Smith', "D'Arcy J. R."]) expect(checkName(v)).toBeUndefined()
  for (const v of ['王', '王1', '·王明', '王明·', '王··明', '<b>', 'x'.repeat(51)]) expect(checkName(v)).toBeDefined()
})
test('e-mail, address, point', () => {
  expect(checkEmail('a.b@c-d.com.cn')).toBeUndefined()
  expect(checkEmail('a@b')).toBeDefined()
  expect(checkEmail(`${'a'.repeat(95)}@b.com`)).toBeDefined()
  expect(checkUrl('https://example.cn/a')).toBeUndefined()
  expect(checkUrl('javascript:alert(1)')).toBeDefined()
  expect(checkPoint(115.04, 30.2)).toBeUndefined()
  expect(checkPoint(30.2, 115.04)).toBeDefined()
  // Reported only if the swapped pair lies in the country.
  expect([isTurned(30.2, 115.04), isTurned(115.04, 30.2), isTurned(0, 0), isTurned(-73, 40.7)]).toEqual([true, false, false, false])
  expect(checkPoint(Number.NaN, 30)).toBeDefined()
})

test('control and invisible characters are found, text is not', () => {
  for (const v of [
    'a\u0000',
    '\u001b[31m',
    'a\u200b',
    '\ufeff',
    '\u202eabc',
    '\u2066',
    '李\u2060明',
    '李\u00ad明',
    '\u061c',
    '\u3164',
    '\u{e0041}',
  ])
    expect(hasControlCharacters(v)).toBe(true)
  for (const v of ['', '第一行\n第二行\t列', '塔吊⚠️ 😀 𠮷', 'é—…']) expect(hasControlCharacters(v)).toBe(false)
})

test('masks keep the ends the rule names and never a short value', () => {
  expect(maskIdCard('11010519491231002X')).toBe('110105********002X')
  expect(maskIdCard('H12345678')).toBe('*********')
  expect(maskPhone('13800138000')).toBe('138****8000')
  expect(maskBankCard('6222 0200 0000 0000 018')).toBe('6222***********0018')
  expect(maskName('王小明')).toBe('王**')
  expect(maskName('王明')).toBe('王*')
  expect(maskName('欧阳锋')).toBe('欧阳*')
  expect(maskName('欧阳')).toBe('欧*')
  expect(maskName('王')).toBe('*')
  expect(maskName('')).toBe('')
})

test('a fence or a device whose longitude and latitude were turned is told so, at whichever door', () => {
  const turned = [
    { lng: 30.2, lat: 88.6 },
    { lng: 30.21, lat: 88.61 },
    { lng: 30.22, lat: 88.6 },
  ]
  const words = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map((issue) => issue.message)
  expect(words(fence, { type: '2', points: turned })).toEqual(['经纬度可能填反'])
  expect(words(fence, { type: '2', points: turned.map(({ lng, lat }) => ({ lng: lat, lat: lng })) })).toBeUndefined()
  const { body } = updateDevice.schemas
  expect(body && words(body, { version: 0, lng: 43.8, lat: 87.6 })).toEqual(['经纬度可能填反', '经纬度可能填反'])
})
