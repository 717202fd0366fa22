import type { MappedField } from '@zhugong/contract/docking/mapping'
import { type ObjectType, objectOf, sourcesOf } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Db, Tx } from '#kit/db'
import { deliveredFields } from './convert.ts'

/** The field mapping in force and its version; 0 for the default one. */
export async function fieldsFor(db: Db | Tx, platformId: string, type: ObjectType): Promise<{ fields: MappedField[]; version: number }> {
  const row = await db
    .selectFrom('dockingMapping')
    .select(['fields', 'version'])
    .where('platformId', '=', platformId)
    .where('objectType', '=', type)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { fields: deliveredFields(type), version: 0 }
}

/**
 * Validates a mapping: upper fields are unique, every field has a source, and fields the standard requires stay required. Dictionaries and
 * personal flags come from our definitions. Throws AppError at the field.
 */
export function soundFields(type: ObjectType, fields: readonly MappedField[]): MappedField[] {
  const sources = new Map(sourcesOf(type).map((one) => [one.source, one]))
  const seen = new Set<string>()
  for (const [i, field] of fields.entries()) {
    const at = (name: string) => ({ field: `fields.${i}.${name}` })
    if (seen.has(field.upper)) throw new AppError('invalidInput', `上级字段 ${field.upper} 重复`, at('upper'))
    seen.add(field.upper)
    if (!field.source && !field.fixed) throw new AppError('invalidInput', `${field.label}：请选择本平台字段或填写固定值`, at('source'))
    if (field.source && !sources.has(field.source)) throw new AppError('invalidInput', `没有字段 ${field.source}`, at('source'))
  }
  for (const { source, label, required } of objectOf(type).fields) {
    const mine = fields.findIndex((field) => field.source === source)
    if (!required || fields.some((field) => field.source === source && field.required)) continue
    throw new AppError('invalidInput', mine < 0 ? `标准要求上报“${label}”，不能移除` : `标准要求“${label}”必填，不能改为选填`, {
      field: mine < 0 ? 'fields' : `fields.${mine}.required`,
    })
  }
  return fields.map((field) => {
    const known = sources.get(field.source)
    return known
      ? { ...field, dict: known.dict ?? '', personal: field.personal || known.personal === true }
      : { ...field, dict: '', codes: {} }
  })
}
