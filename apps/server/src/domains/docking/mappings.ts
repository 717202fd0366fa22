import type { MappedField } from '@zhugong/contract/docking/endpoints'
import type { ObjectType } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Db, Tx } from '#kit/db'
import { deliveredFields } from './convert.ts'

/** The fields in force, and which version they are; 0 as delivered. */
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

/** Theirs are named once each, and every field has something to say. Throws AppError at the field. */
export function requireSound(fields: readonly MappedField[], sources: ReadonlySet<string>): void {
  const seen = new Set<string>()
  for (const [i, field] of fields.entries()) {
    const at = (name: string) => ({ field: `fields.${i}.${name}` })
    if (seen.has(field.upper)) throw new AppError('invalidInput', `上级字段 ${field.upper} 重复`, at('upper'))
    seen.add(field.upper)
    if (!field.source && !field.fixed) throw new AppError('invalidInput', `${field.label}：请选择本平台字段或填写固定值`, at('source'))
    if (field.source && !sources.has(field.source)) throw new AppError('invalidInput', `没有字段 ${field.source}`, at('source'))
  }
}
