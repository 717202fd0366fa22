import { deliveredPlaces, type PlaceRule, placeCondition } from '@zhugong/contract/fire/place-rules'
import type { changeFirePlace, FirePlaceRow, listFirePlaces } from '@zhugong/contract/fire/settings'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { delivered, settingGroups } from './catalogue.ts'

type Reader = Pick<Context, 'db'>

/** The kinds of place in force for a group: its own settings, those above it, then the delivered ones. */
async function heldPlaces(ctx: Reader, groupId: string): Promise<Map<string, Row<'firePlace'>>> {
  const groups = await settingGroups(ctx, groupId)
  const { rows } = await sql<Row<'firePlace'>>`select distinct on (code) * from fire_place where group_id = any (${groups})
    order by code, array_position(${groups}::text[], group_id)`.execute(ctx.db)
  return new Map(rows.map((one) => [one.code, one]))
}
const ruleOf = ({ code, name, uses, areaOver, heightOver, within, special, projects, enable }: Row<'firePlace'>): PlaceRule => ({
  code,
  name,
  uses,
  areaOver,
  heightOver,
  within,
  special,
  projects,
  enable,
})
const merged = (held: ReadonlyMap<string, Row<'firePlace'>>): PlaceRule[] => {
  const own = [...held.values()].map(ruleOf)
  const rest = deliveredPlaces.filter((one) => !held.has(one.code))
  return [...own, ...rest].sort((a, b) => (a.code < b.code ? -1 : 1))
}
export const placesFor = async (ctx: Reader, groupId: string): Promise<PlaceRule[]> => merged(await heldPlaces(ctx, groupId))

export async function readPlaces(ctx: Reader & Pick<Context, 'group'>, { name }: { name?: string | undefined }): Promise<FirePlaceRow[]> {
  const ownPlaces = await heldPlaces(ctx, ctx.group.id)
  const { rows } = await sql<{ code: string; n: number }>`select x.code, count(*)::int as n from fire_case c
    cross join lateral unnest(c.fire_places) as x (code) where c.state <> '0' group by 1`.execute(ctx.db)
  const cases = new Map(rows.map((one) => [one.code, one.n]))
  return merged(ownPlaces)
    .filter((one) => !name || one.name.includes(name))
    .map((one) => {
      const own = ownPlaces.get(one.code)
      return {
        ...one,
        condition: placeCondition(one),
        cases: cases.get(one.code) ?? 0,
        local: !deliveredPlaces.some(({ code }) => code === one.code),
        changed: own !== undefined,
        version: own?.groupId === ctx.group.id ? own.version : 0,
      }
    })
}

export const listPlaces: HandlerOf<typeof listFirePlaces> = async ({ query }, ctx) => {
  const rows = await readPlaces(ctx, query)
  const from = (query.page - 1) * query.size
  const projectNames = delivered.filter((one) => one.code.length === 2).map(({ code, name }) => ({ code, name }))
  return { list: rows.slice(from, from + query.size), total: rows.length, projectNames }
}

export const changePlace: HandlerOf<typeof changeFirePlace> = async ({ body }, ctx) => {
  const { code, version, ...fields } = body
  const known = delivered.filter((one) => one.code.length === 2).map((one) => one.code)
  if (fields.projects.some((one) => !known.includes(one))) throw new AppError('invalidInput', '项目不在目录中', { field: 'projects' })
  const all = await placesFor(ctx, ctx.group.id)
  const before = all.find((one) => one.code === code)
  if (fields.within.some((one) => one === code || !all.some((place) => place.code === one)))
    throw new AppError('invalidInput', '所含场所不存在', { field: 'within' })
  if (version < 0 && before) throw new AppError('invalidInput', '该编码已有场所', { field: 'code' })
  if (version >= 0 && !before) throw new AppError('notFound', '场所不存在', { field: 'code' })
  const { rows } = await sql`select from fire_place where group_id = ${ctx.group.id} and code = ${code}`.execute(ctx.db)
  const values = { ...fields, projects: [...new Set(fields.projects)].sort() }
  if (rows.length > 0) {
    const next = await changeRow(ctx, 'firePlace', {
      key: { groupId: ctx.group.id, code },
      version,
      noun: '场所',
      by: ctx.user.name,
      values,
    })
    return { version: next }
  }
  await ctx.db
    .insertInto('firePlace')
    .values({ groupId: ctx.group.id, code, ...values, version: 1, updateBy: ctx.user.name })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('conflict', '场所刚刚被修改，请刷新') : error
    })
  ctx.note('修改消防验收场所', code)
  return { version: 1 }
}
