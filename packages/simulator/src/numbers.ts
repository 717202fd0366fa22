import type { Random } from './random.ts'

/** Invented ID numbers with correct check digits, so that they pass the platform's validation. */

const idWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** The 18th character of a resident identity number (GB 11643). */
export function idCardCheck(first17: string): string {
  const sum = idWeights.reduce((total, weight, i) => total + weight * Number(first17[i]), 0)
  return '10X98765432'[sum % 11]!
}

export function idCardNumber(areaCode: string, birthday: string, sequence: number): string {
  const first17 = `${areaCode}${birthday.replaceAll('-', '')}${String(sequence).padStart(3, '0')}`
  return first17 + idCardCheck(first17)
}

export function isIdCardNumber(value: string): boolean {
  if (!/^\d{17}[\dX]$/.test(value)) return false
  const birthday = `${value.slice(6, 10)}-${value.slice(10, 12)}-${value.slice(12, 14)}`
  const date = new Date(`${birthday}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === birthday && idCardCheck(value) === value[17]
}

const creditCharacters = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const creditWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** The 18th character of a unified social credit code (GB 32100). */
export function creditCodeCheck(first17: string): string {
  const sum = creditWeights.reduce((total, weight, i) => total + weight * creditCharacters.indexOf(first17[i]!), 0)
  return creditCharacters[(31 - (sum % 31)) % 31]!
}

/** The 9th character of an organisation code (GB 11714), positions 9 to 17 of the credit code. */
export function organisationCheck(first8: string): string {
  const sum = [3, 7, 9, 10, 5, 8, 4, 2].reduce((total, weight, i) => total + weight * Number.parseInt(first8[i]!, 36), 0)
  const check = 11 - (sum % 11)
  return check === 10 ? 'X' : check === 11 ? '0' : String(check)
}

export function creditCode(random: Random, kind: '91' | '11' | '12', areaCode: string): string {
  const subject = `MA${random.pick(['4', '5'])}${Array.from({ length: 5 }, () => random.pick([...creditCharacters])).join('')}`
  const first17 = `${kind}${areaCode}${subject}${organisationCheck(subject)}`
  return first17 + creditCodeCheck(first17)
}

export function isCreditCode(value: string): boolean {
  return (
    value.length === 18 &&
    [...value].every((character) => creditCharacters.includes(character)) &&
    organisationCheck(value.slice(8, 16)) === value[16] &&
    creditCodeCheck(value) === value[17]
  )
}

export function luhnCheck(withoutLast: string): string {
  const sum = [...withoutLast].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

export function bankCardNumber(random: Random, prefix: string): string {
  const body = prefix + Array.from({ length: 18 - prefix.length }, () => random.int(0, 9)).join('')
  return body + luhnCheck(body)
}

export function mobile(random: Random): string {
  return `1${random.pick(['38', '39', '35', '50', '52', '58', '71', '77', '86', '87', '89', '99'])}${String(random.int(0, 99_999_999)).padStart(8, '0')}`
}
