import { notThere, operation } from '@zhugong/contract/docking/codes'
import { type ObjectType, objectByUpper, objectOf } from '@zhugong/contract/docking/standard'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { z } from 'zod'
import { codeAbove } from './convert.ts'

/** A record for an upper platform: sent by this product, or received from a platform below. */
export const handedUp = z.object({
  /** Name of the object type in the standard. */
  object: z.string().min(1).max(60),
  op: z.enum(['1', '2', '3']),
  /** Idempotency key. */
  key: z.string().min(1).max(80),
  /** The sender's id of the row. */
  businessId: z.string().min(1).max(120),
  data: z.record(z.string().max(60), z.union([z.string().max(4_000), z.number(), z.boolean()])),
})
export type HandedUp = z.infer<typeof handedUp>

export interface Refusal {
  code: string
  field?: string
  message: string
}

/** The reason for refusing a record; undefined if it is accepted. Codes are those of an upper platform. */
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
/** All upper platform codes that the codes of a dictionary are mapped to. */
function codesAbove(dictionary: string): ReadonlySet<string> {
  const existing = known.get(dictionary)
  if (existing) return existing
  const made = new Set((dictionaryOf(dictionary)?.items ?? []).flatMap((item) => codeAbove(dictionary, item.code) ?? []))
  known.set(dictionary, made)
  return made
}
