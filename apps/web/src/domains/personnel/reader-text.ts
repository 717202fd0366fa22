import { checkIdCard, checkMobile, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { normalPhone } from '@zhugong/contract/kit/normal'

/** Facts recognised in the output of a card reader, a row of a table or a chat message. */
export interface ReadPerson {
  name?: string
  idCardNumber?: string
  /** As in the source: a name or a code. */
  nation?: string
  address?: string
  grantOrg?: string
  /** yyyy-MM-dd; 长期 becomes 2099-12-31. */
  startDate?: string
  expiryDate?: string
  cellPhone?: string
}

/** Field names used by various card readers; compared in lower case without punctuation. */
const keys: Readonly<Record<keyof ReadPerson, readonly string[]>> = {
  name: ['name', 'partyname', 'username', 'xm', '姓名', '名字'],
  idCardNumber: [
    'idcardnumber',
    'idcard',
    'idnumber',
    'certnumber',
    'cardno',
    'idno',
    'idnum',
    'number',
    'sfzh',
    '身份证号',
    '身份证号码',
    '公民身份号码',
    '证件号码',
    '身份证',
  ],
  nation: ['nation', 'nationality', 'ethnic', 'folk', 'mz', '民族'],
  address: ['address', 'certaddress', 'addr', 'zz', '住址', '地址'],
  grantOrg: ['grantorg', 'certorg', 'issueorg', 'authority', 'department', 'issued', 'qfjg', '签发机关', '发证机关'],
  startDate: ['startdate', 'effdate', 'validstart', 'begindate', 'usefullifebegin', '有效期起', '有效期开始'],
  expiryDate: ['expirydate', 'expdate', 'validend', 'enddate', 'usefullifeend', '有效期止', '有效期至'],
  cellPhone: ['cellphone', 'mobile', 'phone', 'tel', 'telephone', 'sj', '手机', '手机号', '电话', '联系电话'],
}
const fieldOf = new Map(Object.entries(keys).flatMap(([field, names]) => names.map((name) => [name, field as keyof ReadPerson] as const)))
const plain = (key: string) => key.toLowerCase().replace(/[\s_\-:：.]/g, '')
/** Converts full-width letters, digits and punctuation, as typed by Chinese input methods. */
const narrow = (text: string) => text.replace(/[！-～]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)).replaceAll('\u3000', ' ')

function dayOf(text: string): string | undefined {
  if (/长期|永久/.test(text)) return '2099-12-31'
  const [, y, m, d] = /^(\d{4})\D?(\d{1,2})\D?(\d{1,2})\D?$/.exec(text.trim()) ?? []
  return y && m && d ? `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}` : undefined
}

const fit: Readonly<Record<keyof ReadPerson, (text: string) => string | undefined>> = {
  name: (t) => (/^[\p{Script=Han}·•.a-zA-Z ]{2,50}$/u.test(t) ? t : undefined),
  idCardNumber: (t) => (checkIdCard(normalizeIdCard(t)) === undefined ? normalizeIdCard(t) : undefined),
  nation: (t) => t.replace(/族$/, '').slice(0, 20) || undefined,
  address: (t) => t.slice(0, 200) || undefined,
  grantOrg: (t) => t.slice(0, 50) || undefined,
  startDate: dayOf,
  expiryDate: dayOf,
  cellPhone: (t) => (checkMobile(normalPhone(t)) === undefined ? normalPhone(t) : undefined),
}

function take(person: ReadPerson, field: keyof ReadPerson, value: unknown): void {
  if (person[field] !== undefined || (typeof value !== 'string' && typeof value !== 'number')) return
  const fitted = fit[field](narrow(String(value)).trim())
  if (fitted) person[field] = fitted
}

/** Collects the values of nested JSON. */
function fromJson(value: unknown, person: ReadPerson, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 4) return
  for (const [key, inner] of Object.entries(value)) {
    const field = fieldOf.get(plain(key))
    if (field) take(person, field, inner)
    if (typeof inner === 'object') fromJson(inner, person, depth + 1)
  }
}

/** Values after a label first, then values recognised by their format. */
function fromText(text: string, person: ReadPerson): void {
  for (const part of text.split(/[\n\t,，;；|]+/)) {
    const [, label = '', rest = ''] = /^\s*([^\s:：]{1,10})\s*[:：]\s*(.+)$/.exec(part) ?? []
    const field = fieldOf.get(plain(label))
    if (field) take(person, field, rest)
  }
  const loose = text.replace(/[^\s:：,，;；|\t\n]{1,10}[:：]/g, ' ')
  take(person, 'idCardNumber', /(?<![\dXx])\d{17}[\dXx](?![\dXx])/.exec(loose)?.[0])
  take(person, 'cellPhone', /(?<!\d)1\d{10}(?!\d)/.exec(loose)?.[0])
  for (const word of loose.split(/[\s,，;；|]+/))
    if (/^[\p{Script=Han}]{2,4}(·[\p{Script=Han}]{1,20})?$/u.test(word)) take(person, 'name', word)
}

/** Parses pasted or scanned text: JSON, a row of a table, a message. */
export function readPerson(pasted: string): ReadPerson {
  const person: ReadPerson = {}
  const text = narrow(pasted).slice(0, 20_000)
  try {
    fromJson(JSON.parse(text), person)
  } catch {
    fromText(text, person)
  }
  return person
}

export const readWords: Readonly<Record<keyof ReadPerson, string>> = {
  name: '姓名',
  idCardNumber: '证件号码',
  nation: '民族',
  address: '住址',
  grantOrg: '发证机关',
  startDate: '有效期起',
  expiryDate: '有效期止',
  cellPhone: '手机',
}
