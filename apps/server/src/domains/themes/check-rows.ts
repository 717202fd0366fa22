import type { PatrolRow } from '@zhugong/contract/checks/patrol'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type * as contract from '@zhugong/contract/themes/calls'
import type { ThemeDetail, ThemeRow } from '@zhugong/contract/themes/calls'
import { registerName, type ThemeCode, themeName } from '@zhugong/contract/themes/catalogue'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, filtersOf } from '#kit/list'
import { pick } from '#kit/pick'
import { type PatrolReader, patrolConditions, readChecks, readPatrol } from '../checks/public.ts'
import { linksOf } from '../files/public.ts'
import { sheetsOf } from '../scoring/public.ts'
import { themeKind, themePatrol } from './kind.ts'

type Query = Partial<NonNullable<(typeof contract.listThemeChecks)['types']>['parsed']['query']>

const draft = '0'
/** Dictionary checkResult. */
const result = sql`case when c.state = ${draft} then null when c.problem_count = 0 then '1'
  when not exists (select from site_check_problem p where p.check_id = c.id and p.mended is null) then '2' else '3' end`
const ofCampaign = (matches: Condition) =>
  condition(sql`exists (select from theme_check k join theme_campaign t on t.id = k.campaign_id where k.check_id = c.id and ${matches})`)

/** Conditions of the list and of its export. */
export function themeConditions(ctx: PatrolReader, { page, size, sort, ...query }: Query): Condition {
  const { campaign, title, theme, checkers, result: ended, ...base } = query
  return allOf(
    patrolConditions(ctx, themePatrol.kind, base),
    filtersOf(
      { campaign, title, theme, checkers, result: ended },
      {
        campaign: (id) => ofCampaign(allOf(...equals('t.id', id))),
        title: (words) => ofCampaign(allOf(...contains('t.title', words))),
        theme: (codes) => ofCampaign(allOf(...anyOf('t.theme', codes))),
        checkers: (value) => condition(sql`exists (select from unnest(c.checkers) as who where ${allOf(...contains('who', value))})`),
        result: (codes) => condition(sql`${result} = any (${[...codes]})`),
      },
    ),
  )
}

interface Slice {
  sort?: Query['sort']
  limit?: number
  offset?: number
}
export const readThemes = async (ctx: PatrolReader, where: Condition, slice: Slice): Promise<ThemeRow[]> =>
  withThemes(ctx, await readChecks(ctx, where, slice))

interface More {
  checkId: string
  campaignId: string
  title: string
  theme: ThemeCode
  objectCount: number
  result: string | null
}

/** What checks of campaigns say beside the rows of all patrols. */
export async function withThemes(ctx: PatrolReader, rows: readonly PatrolRow[]): Promise<ThemeRow[]> {
  const { rows: all } = await sql<More>`select k.check_id, k.campaign_id, t.title, t.theme, ${result} as result,
      (select count(*)::int from theme_sheet s where s.check_id = k.check_id) as object_count
    from theme_check k join theme_campaign t on t.id = k.campaign_id join site_check c on c.id = k.check_id
    where k.check_id = any (${rows.map((one) => one.id)})`.execute(ctx.db)
  const byId = new Map(all.map((one) => [one.checkId, one]))
  return rows.flatMap((row) => {
    const more = byId.get(row.id)
    if (!more) return []
    const { checkId: _id, ...own } = more
    return [
      {
        ...row,
        ...own,
        themeName: themeName(own.theme),
        resultName: dictName('checkResult', own.result),
        openCount: row.state === draft ? 0 : row.problemCount - row.passedCount,
      },
    ]
  })
}

/** One check with what was found at each object. @throws AppError `notFound` */
export async function readThemeCheck(ctx: Context, id: string): Promise<ThemeDetail> {
  const patrol = await readPatrol(ctx, themePatrol, themeKind, id)
  const [row] = await withThemes(ctx, [patrol])
  return { ...patrol, ...found(row, themePatrol.noun), objects: await checkedObjects(ctx, id) }
}

export async function checkedObjects(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, id: string): Promise<ThemeDetail['objects']> {
  type Raw = { sheetId: string; objectId: string; name: string; register: string }
  const { rows } =
    await sql<Raw>`select s.sheet_id, s.object_id, o.name, o.register from theme_sheet s join theme_object o on o.id = s.object_id
    where s.check_id = ${id}`.execute(ctx.db)
  const bySheet = new Map(rows.map((one) => [one.sheetId, one]))
  return (await sheetsOf(ctx, id)).flatMap(({ sheet, results }) => {
    const object = bySheet.get(sheet.id)
    if (!object) return []
    return [
      {
        key: object.objectId,
        name: object.name,
        registerName: registerName(object.register),
        notApplicable: sheet.notApplicable,
        items: results.map((one) => ({
          ...pick(one, 'itemCode', 'name', 'result', 'note', 'reason'),
          requirement: one.rule,
          resultName: dictName('itemResult', one.result) ?? one.result,
          photos: linksOf(ctx, one.photos),
        })),
      },
    ]
  })
}
