import type * as contract from '@zhugong/contract/docking/endpoints'
import { type ObjectType, objectOf } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { HandlerOf } from '#kit/serve'
import { codeAbove, convertField, maskText, unmappedOf } from './convert.ts'
import { wordsFor } from './error-words.ts'
import { fieldsFor, requireSound } from './mappings.ts'
import { getKept, getSeen, keepsPlatform } from './platforms.ts'
import { findSources, openValues } from './sources.ts'

const sourcesOf = (type: ObjectType) => [...new Map(objectOf(type).fields.map(({ source, label }) => [source, { source, label }])).values()]

export const getMapping: HandlerOf<typeof contract.getMapping> = async ({ params: { objectType }, query }, ctx) => {
  const platform = await getSeen(ctx.db, query.platformId)
  const { fields, version } = await fieldsFor(ctx.db, platform.id, objectType)
  const made = await ctx.db
    .selectFrom('dockingMapping')
    .select(['createTime', 'createBy'])
    .where('platformId', '=', platform.id)
    .where('objectType', '=', objectType)
    .where('version', '=', version)
    .executeTakeFirst()
  return {
    version,
    updateTime: made ? formatInstant(made.createTime) : null,
    updateBy: made?.createBy ?? null,
    editable: keepsPlatform(ctx, platform) && ctx.codes.has('docking.edit'),
    fields: fields.map((field) => ({
      ...field,
      translation: (dictionaryOf(field.dict)?.items ?? [])
        .filter((item) => item.hidden !== true)
        .map(({ code, name }) => ({ code, name, upper: codeAbove(field.dict, code, field.codes) ?? null })),
    })),
    sources: sourcesOf(objectType),
    unmapped: fields.flatMap((field) => unmappedOf(field).map((one) => ({ field: field.label, ...one }))),
  }
}

export const changeMapping: HandlerOf<typeof contract.changeMapping> = async ({ params: { objectType }, body }, ctx) => {
  const platform = await getKept(ctx, body.platformId)
  requireSound(body.fields, new Set(sourcesOf(objectType).map((one) => one.source)))
  const { version } = await fieldsFor(ctx.db, platform.id, objectType)
  if (version !== body.version) throw new AppError('refused', '映射已被他人修改，请刷新后再改')
  await ctx.db
    .insertInto('dockingMapping')
    .values({
      platformId: platform.id,
      objectType,
      version: version + 1,
      fields: JSON.stringify(body.fields),
      createTime: new Date(ctx.clock.now()),
      createBy: ctx.user.name,
    })
    .execute()
  ctx.note(`修改 ${platform.name} 的 ${objectOf(objectType).name} 字段映射，版本 ${version + 1}`, platform.id)
  return { version: version + 1 }
}

/** The row of the object that went last, or any that is about to go. */
export const tryMapping: HandlerOf<typeof contract.tryMapping> = async ({ params: { objectType }, body }, ctx) => {
  const platform = await getKept(ctx, body.platformId)
  requireSound(body.fields, new Set(sourcesOf(objectType).map((one) => one.source)))
  const { rows: known } = await sql<{ sourceId: string }>`
    select source_id from docking_record where platform_id = ${platform.id} and object_type = ${objectType} order by seq desc limit 20`.execute(
    ctx.db,
  )
  const sources = await findSources(
    ctx.db,
    objectType,
    known.map((row) => row.sourceId),
  )
  const source = known.flatMap((row) => sources.get(row.sourceId) ?? [])[0]
  if (!source) return { bizName: null, rows: [] }
  const values = openValues(source.values, ctx.secrets)
  const shown = (value: unknown, personal: boolean) =>
    value === null || value === undefined || value === '' ? '' : personal ? maskText(String(value)) : String(value)
  return {
    bizName: source.bizName,
    rows: body.fields.map((field) => {
      const { value, problem } = convertField(field, values)
      return {
        upper: field.upper,
        label: field.label,
        ours: field.fixed ? `固定值 ${field.fixed}` : shown(values[field.source], field.personal || isPersonal(objectType, field.source)),
        theirs: shown(value, field.personal || isPersonal(objectType, field.source)),
        problem: problem ? wordsFor(objectType, problem).text : null,
      }
    }),
  }
}

/** What holds a person's own data stays masked, whatever a mapping says. */
const isPersonal = (type: ObjectType, source: string) => objectOf(type).fields.some((field) => field.source === source && field.personal)
