/**
 * Validators of numbers that users enter. Each returns undefined, or in Chinese why the value is refused. They are pure: today's date is an
 * option.
 */

import { hasControlCharacters } from './characters.ts'
import { normalBankCard, normalIdNumber, normalName, withoutMarks } from './normal.ts'
import { shanghaiOffsetMs } from './time.ts'

export { hasControlCharacters }

const provinceCodes = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 91'.split(' '),
)
const idWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

export interface IdCardOptions {
  /** yyyy-MM-dd in Asia/Shanghai; default: today by the system clock. */
  today?: string
  /** Whether a six-digit division code is known. Optional, because old cards contain abolished divisions. */
  knowsArea?: (code: string) => boolean
}

/** Today in Asia/Shanghai (fixed +08:00), whatever the system's time zone. */
const shanghaiToday = () => new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

export const normalizeIdCard = normalIdNumber

/** The check character for the first 17 digits. */
export function idCardCheckCharacter(first17: string): string {
  const sum = idWeights.reduce((total, weight, i) => total + weight * Number(first17[i]), 0)
  return '10X98765432'[sum % 11]!
}

export function isRealDate(v: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(v)) return false
  const at = new Date(`${v}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(v)
}

/** Full years at `on` (both yyyy-MM-dd). A person born on 29 February is a year older on 1 March of common years. */
export function ageOn(birthday: string, on: string): number {
  const years = Number(on.slice(0, 4)) - Number(birthday.slice(0, 4))
  return on.slice(5) < birthday.slice(5) ? years - 1 : years
}

export function checkIdCard(value: string, options: IdCardOptions = {}): string | undefined {
  const v = normalizeIdCard(value)
  if (/^\d{15}$/.test(v)) return '15 位旧身份证已停用，请更换 18 位身份证后登记'
  if (v.length !== 18) return '身份证号应为 18 位'
  if (!/^\d{17}[\dX]$/.test(v)) return '身份证号前 17 位应为数字，末位为数字或 X'
  if (!provinceCodes.has(v.slice(0, 2))) return '身份证号的省级代码不存在'
  if (options.knowsArea && !options.knowsArea(v.slice(0, 6))) return '身份证号的行政区划代码不存在'
  const birthday = birthdayOfIdCard(v)
  if (!birthday) return '身份证号中的出生日期不存在'
  const today = options.today ?? shanghaiToday()
  if (birthday > today) return '身份证号中的出生日期晚于今天'
  if (ageOn(birthday, today) > 120) return '身份证号中的年龄超过 120 岁'
  if (idCardCheckCharacter(v.slice(0, 17)) !== v[17]) return '身份证号校验位不正确'
  return undefined
}

/** yyyy-MM-dd, or undefined if the digits are not a date. */
export function birthdayOfIdCard(value: string): string | undefined {
  const v = normalizeIdCard(value)
  const date = `${v.slice(6, 10)}-${v.slice(10, 12)}-${v.slice(12, 14)}`
  return isRealDate(date) ? date : undefined
}

/** Code of dictionary `gender`: 1 male, 2 female. */
export function genderOfIdCard(value: string): '1' | '2' | undefined {
  const digit = normalizeIdCard(value)[16]
  return digit === undefined || !/\d/.test(digit) ? undefined : Number(digit) % 2 === 1 ? '1' : '2'
}

export const birthPlaceOfIdCard = (value: string): string => normalizeIdCard(value).slice(0, 6)

/** Checks that gender and birthday entered beside the number agree with it. */
export function checkAgainstIdCard(value: string, filled: { gender?: string | null; birthday?: string | null }): string | undefined {
  if (filled.gender && filled.gender !== genderOfIdCard(value)) return '性别与身份证号不一致'
  if (filled.birthday && filled.birthday !== birthdayOfIdCard(value)) return '出生日期与身份证号不一致'
  return undefined
}

/**
 * Permanent residence card of a foreigner, edition 2023: 9, province of issue, country, birthday, sequence and the check character of a
 * resident identity number.
 */
function checkResidencePermit(v: string, options: IdCardOptions): string | undefined {
  if (v.length !== 18) return '外国人永久居留证号应为 18 位，或旧版 15 位字母数字'
  if (!/^9\d{16}[\dX]$/.test(v)) return '外国人永久居留证号应以 9 开头，前 17 位为数字，末位为数字或 X'
  if (!provinceCodes.has(v.slice(1, 3))) return '外国人永久居留证号的签发地代码不存在'
  const birthday = birthdayOfIdCard(v)
  if (!birthday || birthday > (options.today ?? shanghaiToday())) return '外国人永久居留证号中的出生日期不正确'
  return idCardCheckCharacter(v.slice(0, 17)) === v[17] ? undefined : '外国人永久居留证号校验位不正确'
}

export function checkIdNumber(type: string, value: string, options: IdCardOptions = {}): string | undefined {
  const v = normalIdNumber(value)
  if (v === '') return '请填写证件号码'
  switch (type) {
    case '01':
      return checkIdCard(v, options)
    case '08':
      return /^[A-Z0-9]{5,17}$/.test(v) ? undefined : '护照号应为 5–17 位字母或数字'
    case '09':
    case '10':
      return /^[HM](\d{8}|\d{10})$/.test(v) ? undefined : '港澳居民来往内地通行证号应为 H 或 M 加 8 位或 10 位数字'
    case '12':
    case '23':
      return /^(\d{8}|\d{10})$/.test(v) ? undefined : '台湾居民来往大陆通行证号应为 8 位数字（旧版 10 位）'
    case '20':
      if (/^[A-Z0-9]{15}$/.test(v)) return undefined
      return checkResidencePermit(v, options)
    default:
      return /^[\p{Script=Han}A-Z0-9]{4,30}$/u.test(v) ? undefined : '证件号应为 4–30 位汉字、字母或数字'
  }
}

const creditAlphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const creditWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
const organisationWeights = [3, 7, 9, 10, 5, 8, 4, 2]

export const normalizeCreditCode = (v: string): string => v.replace(/\s/g, '').toUpperCase()

export function creditCodeCheckCharacter(first17: string): string {
  const sum = creditWeights.reduce((total, weight, i) => total + weight * creditAlphabet.indexOf(first17[i]!), 0)
  return creditAlphabet[(31 - (sum % 31)) % 31]!
}

/** GB 11714: the check character for the eight characters of an organisation code. */
export function organisationCheckCharacter(first8: string): string {
  const worth = (c: string) => (/\d/.test(c) ? Number(c) : c.charCodeAt(0) - 55)
  const rest = 11 - (organisationWeights.reduce((total, weight, i) => total + weight * worth(first8[i]!), 0) % 11)
  return rest === 10 ? 'X' : rest === 11 ? '0' : String(rest)
}

/** `historical`: for data from before the second check was enforced, only the last character is checked. */
export function checkCreditCode(value: string, options: { historical?: boolean } = {}): string | undefined {
  const v = normalizeCreditCode(value)
  if (v.length !== 18) return '统一社会信用代码应为 18 位'
  if ([...v].some((c) => !creditAlphabet.includes(c))) return '统一社会信用代码只含数字和大写字母（不含 I、O、S、V、Z）'
  if (!/^.{2}\d{6}/.test(v)) return '统一社会信用代码第 3–8 位应为 6 位数字区划'
  if (creditCodeCheckCharacter(v.slice(0, 17)) !== v[17]) return '统一社会信用代码校验位不正确'
  if (!options.historical && organisationCheckCharacter(v.slice(8, 16)) !== v[16]) return '统一社会信用代码中的主体标识校验位不正确'
  return undefined
}

export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Checks a worker's wage card. */
export function checkBankCard(value: string): string | undefined {
  const v = normalBankCard(value)
  if (!/^\d{16,19}$/.test(v)) return '银行卡号应为 16–19 位数字'
  return passesLuhn(v) ? undefined : '银行卡号校验位不正确'
}

/** Checks a company's account (wage account, deposit); such numbers have no Luhn check digit. */
export const checkBankAccount = (value: string): string | undefined =>
  /^[\d-]{6,32}$/.test(value.replace(/\s/g, '')) ? undefined : '账号应为 6–32 位数字或短横线'

export const checkBankLinkNumber = (value: string): string | undefined =>
  /^\d{12}$/.test(value.trim()) ? undefined : '联行号应为 12 位数字'

/** Mainland mobile number, or `+country-number` unless `mainlandOnly`. */
export function checkMobile(value: string, options: { mainlandOnly?: boolean } = {}): string | undefined {
  const v = value.trim()
  if (/^1[3-9]\d{9}$/.test(v)) return undefined
  if (!options.mainlandOnly && /^\+[1-9]\d{0,3}-\d{4,14}$/.test(v)) return undefined
  return options.mainlandOnly ? '手机号应为 1 开头的 11 位数字' : '手机号应为 1 开头的 11 位数字，港澳台及国际号码写作“+区号-号码”'
}

/** Any phone number: mobile, landline with area code, 400 or 800. */
export function checkPhone(value: string): string | undefined {
  const v = value.trim()
  if (checkMobile(v) === undefined || /^0\d{2,3}-?\d{7,8}(-\d{1,6})?$/.test(v) || /^[48]00-?\d{3}-?\d{4}$/.test(v)) return undefined
  return '电话号码格式不正确'
}

export const normalizeName = normalName

export function checkName(value: string): string | undefined {
  if (hasControlCharacters(withoutMarks(value))) return '姓名含有不可见的控制字符'
  const v = normalizeName(value)
  const length = [...v].length
  if (length < 2 || length > 50) return '姓名应为 2–50 个字'
  if (!/^[\p{Script=Han}\p{Script=Latin}·.'’ -]+$/u.test(v)) return '姓名只能含汉字、字母和间隔号“·”'
  if (/^[·.'’ -]|[·'’ -]$|··/u.test(v)) return '姓名的间隔号位置不正确'
  return undefined
}

export function checkEmail(value: string): string | undefined {
  const v = value.trim()
  if (v.length > 100) return '邮箱最多 100 个字符'
  return /^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}$/.test(v) ? undefined : '邮箱格式不正确'
}

export function checkUrl(value: string): string | undefined {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : undefined
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? undefined : '网址须以 http:// 或 https:// 开头'
}

/** Checks that a WGS-84 point lies within the bounds of the country. */
export function checkPoint(lng: number, lat: number): string | undefined {
  if (!(lng >= 73 && lng <= 136)) return '经度应在 73–136 之间'
  return lat >= 3 && lat <= 54 ? undefined : '纬度应在 3–54 之间'
}

/** Whether a pair of coordinates lies in the country only after swapping them. */
export const isTurned = (lng: number, lat: number): boolean => checkPoint(lng, lat) !== undefined && checkPoint(lat, lng) === undefined
export const turnedWords = '经纬度可能填反'

function maskMiddle(v: string, head: number, tail: number): string {
  // A value too short to keep both ends is masked completely.
  return v.length > head + tail ? v.slice(0, head) + '*'.repeat(v.length - head - tail) + v.slice(-tail) : '*'.repeat(v.length)
}

export const maskIdCard = (v: string): string => maskMiddle(v.trim(), 6, 4)
export const maskPhone = (v: string): string => maskMiddle(v.trim(), 3, 4)
export const maskBankCard = (v: string): string => maskMiddle(v.replace(/\s/g, ''), 4, 4)

export const compoundSurnames: ReadonlySet<string> = new Set(
  '欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 闾丘 子车 亓官 司寇 巫马 公西 颛孙 壤驷 公良 漆雕 乐正 宰父 谷梁 拓跋 夹谷 轩辕 令狐 段干 百里 呼延 东郭 南门 羊舌 微生 梁丘 左丘 东门 西门 第五'.split(
    ' ',
  ),
)

/** Keeps the surname: 王小明 -> 王**, 欧阳锋 -> 欧阳*. A name of one character is masked completely. */
export function maskName(v: string): string {
  const characters = [...v.trim()]
  if (characters.length < 2) return '*'.repeat(characters.length)
  const kept = characters.length > 2 && compoundSurnames.has(characters.slice(0, 2).join('')) ? 2 : 1
  return characters.slice(0, kept).join('') + '*'.repeat(characters.length - kept)
}
