import type * as mappingCalls from '@zhugong/contract/docking/mapping'
import { demandedOf, objectOf, sourcesOf } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { codeAbove, convert, convertField, maskText, unmappedOf } from './convert.ts'
import { wordsFor } from './error-words.ts'
import { pushAgain } from './fan-out.ts'
import { valuesFor } from './known.ts'
import { fieldsFor, soundFields } from './mappings.ts'
import { getKept, getSeen, keepsPlatform } from './platforms.ts'
import { findSources, openValues, type Source } from './sources.ts'

export const getMapping: HandlerOf<typeof mappingCalls.getMapping> = async ({ params: { objectType }, query }, ctx) => {
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
    sources: sourcesOf(objectType).map(({ source, label, dict = '', personal = false }) => ({ source, label, dict, personal })),
    demanded: [...demandedOf(objectType)],
    unmapped: fields.flatMap((field) => unmappedOf(field).map((one) => ({ field: field.label, ...one }))),
  }
}

export const changeMapping: HandlerOf<typeof mappingCalls.changeMapping> = async ({ params: { objectType }, body }, ctx) => {
  const platform = await getKept(ctx, body.platformId)
  const fields = soundFields(objectType, body.fields)
  const { version } = await fieldsFor(ctx.db, platform.id, objectType)
  if (version !== body.version) throw new AppError('refused', '映射已被他人修改，请刷新后再改')
  await ctx.db
    .insertInto('dockingMapping')
    .values({
      platformId: platform.id,
      objectType,
      version: version + 1,
      fields: JSON.stringify(fields),
      createTime: new Date(ctx.clock.now()),
      createBy: ctx.user.name,
    })
    .execute()
  const { rows: found } = await sql<{ id: string }>`
    select id from docking_record where platform_id = ${platform.id} and object_type = ${objectType} and ${keptByMapping}`.execute(ctx.db)
  const again = await pushAgain(
    ctx.db,
    found.map((row) => row.id),
    ctx.clock.now(),
  )
  ctx.note(`修改 ${platform.name} 的 ${objectOf(objectType).name} 字段映射，版本 ${version + 1}`, platform.id)
  return { version: version + 1, again }
}

type Open = Pick<Row<'dockingRecord'>, 'sourceId' | 'objectType' | 'projectCode' | 'known'>
/** The values of the records that may be sent. */
const sendable = (rows: readonly Open[], sources: ReadonlyMap<string, Source>) =>
  rows.flatMap((row) => {
    const source = sources.get(row.sourceId)
    const values = source && valuesFor(row, source)
    return values ? [{ bizName: source.bizName, values }] : []
  })

/** Records that failed locally before sending, because of the mapping. */
const keptByMapping = sql`upload_status = '-1' and error_code in ('L001', 'L002')`
/** Open records converted to evaluate a mapping. */
const mostWeighed = 300

/** Converts the newest open records with the current mapping and the proposed one. */
export const weighMapping: HandlerOf<typeof mappingCalls.weighMapping> = async ({ params: { objectType }, body }, ctx) => {
  const platform = await getKept(ctx, body.platformId)
  const wanted = soundFields(objectType, body.fields)
  const { fields } = await fieldsFor(ctx.db, platform.id, objectType)
  const open = sql`platform_id = ${platform.id} and object_type = ${objectType} and upload_status not in ('1', '3')`
  const { rows: counts } = await sql<{ waiting: number; failed: number; packed: number; again: number }>`
    select count(*) filter (where upload_status = '0' and payload is null)::int as waiting, count(*) filter (where failed)::int as failed,
      count(*) filter (where payload is not null)::int as packed, count(*) filter (where ${keptByMapping})::int as again
    from docking_record where ${open}`.execute(ctx.db)
  const { rows: newest } = await sql<Open>`
    select source_id, object_type, project_code, known from docking_record where ${open} and payload is null and op <> '3' order by seq desc limit ${mostWeighed}`.execute(
    ctx.db,
  )
  const sources = await findSources(
    ctx.db,
    objectType,
    newest.map((row) => row.sourceId),
  )
  const stopped = new Map<string, number>()
  let freed = 0
  const known = sendable(newest, sources)
  for (const { values } of known) {
    const clear = openValues(values, ctx.secrets)
    const [before, after] = [convert(fields, clear).problem, convert(wanted, clear).problem]
    if (before && !after) freed++
    if (before || !after) continue
    const { text } = wordsFor(objectType, after)
    stopped.set(text, (stopped.get(text) ?? 0) + 1)
  }
  return {
    ...(counts[0] ?? { waiting: 0, failed: 0, packed: 0, again: 0 }),
    checked: known.length,
    stopped: [...stopped].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count),
    freed,
  }
}

/** Converts the last sent record of the object, or one about to be sent. */
export const tryMapping: HandlerOf<typeof mappingCalls.tryMapping> = async ({ params: { objectType }, body }, ctx) => {
  const platform = await getKept(ctx, body.platformId)
  const fields = soundFields(objectType, body.fields)
  const { rows: known } = await sql<Open>`
    select source_id, object_type, project_code, known from docking_record where platform_id = ${platform.id} and object_type = ${objectType} order by seq desc limit 20`.execute(
    ctx.db,
  )
  const sources = await findSources(
    ctx.db,
    objectType,
    known.map((row) => row.sourceId),
  )
  const [one] = sendable(known, sources)
  if (!one) return { bizName: null, rows: [] }
  const values = openValues(one.values, ctx.secrets)
  const shown = (value: unknown, personal: boolean) =>
    value === null || value === undefined || value === '' ? '' : personal ? maskText(String(value)) : String(value)
  return {
    bizName: one.bizName,
    rows: fields.map((field) => {
      const { value, problem } = convertField(field, values)
      return {
        upper: field.upper,
        label: field.label,
        ours: field.fixed ? `固定值 ${field.fixed}` : shown(values[field.source], field.personal),
        theirs: shown(value, field.personal),
        problem: problem ? wordsFor(objectType, problem).text : null,
      }
    }),
  }
}
