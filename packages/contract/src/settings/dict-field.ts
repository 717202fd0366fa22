import { z } from 'zod'

/**
 * A code of a delivered dictionary. The browser checks the shape only (it does not hold the dictionaries); the server sets the lookup
 * at start and refuses unknown codes with the field's name.
 */
let lookup: ((dictionary: string, code: string) => boolean) | undefined
export function setDictionaryLookup(fn: (dictionary: string, code: string) => boolean): void {
  lookup = fn
}

export const dict = (dictionary: string, label: string) =>
  z
    .string({ error: `请选择${label}` })
    .trim()
    .min(1, `请选择${label}`)
    .max(20, `${label}编码过长`)
    .refine((code) => !lookup || lookup(dictionary, code), `${label}不在字典（${dictionary}）中`)
    .meta({ dictionary })

let areaLookup: ((code: string) => boolean) | undefined
export function setAreaLookup(fn: (code: string) => boolean): void {
  areaLookup = fn
}
export const area = (label = '地区') =>
  z
    .string({ error: `请选择${label}` })
    .regex(/^\d{6}$/, `${label}应为六位区划代码`)
    .refine((code) => !areaLookup || areaLookup(code), `${label}代码不存在`)
    .meta({ area: true })
