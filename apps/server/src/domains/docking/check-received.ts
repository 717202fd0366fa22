import { notThere, operation } from '@zhugong/contract/docking/codes'
import { type ObjectType, objectByUpper, objectOf } from '@zhugong/contract/docking/standard'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { z } from 'zod'
import { codeAbove } from './convert.ts'

/** What is handed up: by this product, and to it by platforms below. */
export const handedUp = z.object({
  /** The standard's name of the object. */
  object: z.string().min(1).max(60),
  op: z.enum(['1', '2', '3']),
  /** The same key twice is the same data. */
  key: z.string().min(1).max(80),
  /** Theirs of the row. */
  businessId: z.string().min(1).max(120),
  data: z.record(z.string().max(60), z.union([z.string().max(4_000), z.number(), z.boolean()])),
})
export type HandedUp = z.infer<typeof handedUp>

export interface Refusal {
  code: string
  field?: string
  message: string
}

/** Why it is not taken; undefined when it is. Codes are those a platform above has. */
export function refusalFor({ object, op, data }: HandedUp): Refusal | undefined {
  const type = objectByUpper.get(object)
  if (!type) return { code: 'E1004', message: `没有启用对象 ${object}` }
  if (op === operation.remove) return undefined
  return wrongField(type, data)
}

export const nothingToRemove: Refusal = { code: notThere, message: '没有要删除的数据' }

function wrongField(type: ObjectType, data: HandedUp['data']): Refusal | undefined {
  for (const { upper, label, required, dict } of objectOf(type).fields) {
    const value = data[upper]
    if (value === undefined || value === '') {
      if (required) return { code: 'E1001', field: upper, message: `${label}不能为空` }
    } else if (dict && !codesAbove(dict).has(String(value)))
      return { code: 'E1002', field: upper, message: `${label}的码值 ${value} 不在字典中` }
  }
  return undefined
}

const known = new Map<string, ReadonlySet<string>>()
/** All that our codes of a dictionary become above. */
function codesAbove(dictionary: string): ReadonlySet<string> {
  const held = known.get(dictionary)
  if (held) return held
  const made = new Set((dictionaryOf(dictionary)?.items ?? []).flatMap((item) => codeAbove(dictionary, item.code) ?? []))
  known.set(dictionary, made)
  return made
}
