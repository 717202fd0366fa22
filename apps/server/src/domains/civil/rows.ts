import type { PatrolRow } from '@zhugong/contract/checks/patrol'
import type * as contract from '@zhugong/contract/civil/inspection'
import type { CivilRow } from '@zhugong/contract/civil/inspection'
import { areaName, awardFrom, awardTimes, civilAreas, passedInARow } from '@zhugong/contract/civil/score'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, type Condition, condition, filtersOf, inProjects, orderBy } from '#kit/list'
import { countPatrols, type PatrolQuery, type PatrolReader, patrolConditions, readChecks } from '../checks/public.ts'
import { linksOf } from '../files/public.ts'
import { civilPatrol } from './patrol.ts'

type Query = Partial<NonNullable<(typeof contract.listCivilChecks)['types']>['parsed']['query']>

const conclusion = sql`case when c.state = '0' then null when c.problem_count = 0 then '1'
  when not exists (select from site_check_problem p where p.check_id = c.id and p.mended is null) then '2' else '3' end`
const score = sql`(select k.score from check_score k where k.check_id = c.id)`
const someFailed = (matches: Condition) =>
  condition(sql`exists (select from check_result r where r.check_id = c.id and r.result = '2' and ${matches})`)

/** Conditions of the list and of its export. */
export function conditions(
  ctx: PatrolReader,
  { area, failItems, score: range, conclusion: ended, page, size, sort, ...base }: Query,
): Condition {
  return allOf(
    patrolConditions(ctx, civilPatrol.kind, base),
    filtersOf(
      { area, failItems, score: range, conclusion: ended },
      {
        area: (codes) => {
          const parts = civilAreas.filter((one) => codes.includes(one.code)).flatMap((one) => [...one.items])
          return someFailed(condition(sql`substr(r.item_code, 2, 2) = any (${parts}::text[])`))
        },
        failItems: (codes) =>
          someFailed(
            condition(sql`exists (select from unnest(${[...codes]}::text[]) as w (code) where r.item_code like 'C' || w.code || '%')`),
          ),
        score: ({ low, high }) => condition(sql`${score} between ${low ?? 0}::numeric and ${high ?? 100}::numeric`),
        conclusion: (codes) => condition(sql`${conclusion} = any (${[...codes]})`),
      },
    ),
  )
}

interface Slice {
  sort?: Query['sort']
  limit?: number
  offset?: number
}

/** By score the ids are ordered here; every other order is that of all patrols. */
export async function readCivil(ctx: PatrolReader, where: Condition, { sort, ...slice }: Slice): Promise<CivilRow[]> {
  if (sort !== 'score' && sort !== '-score')
    return withCivil(ctx, await readChecks(ctx, where, { sort: sort as PatrolQuery['sort'], ...slice }))
  const page = slice.limit === undefined ? sql`` : sql`limit ${slice.limit} offset ${slice.offset ?? 0}`
  const { rows } = await sql<{
    id: string
  }>`select c.id from site_check c where ${where} order by ${orderBy(sort, { score }, '-score', 'c.id')} ${page}`.execute(ctx.db)
  const ids = rows.map((one) => one.id)
  const found = await readChecks(ctx, condition(sql`c.id = any (${ids})`), {})
  const all = await withCivil(ctx, found)
  return ids.flatMap((id) => all.find((one) => one.id === id) ?? [])
}

interface More {
  id: string
  score: number | null
  failed: { code: string; name: string }[]
  pointCount: number
  pictures: string[]
  conclusion: string | null
  scores: number[]
  siteOpen: boolean
}
const mostPictures = 5

/** What walks say beside the rows of all patrols. */
export async function withCivil(ctx: PatrolReader, rows: readonly PatrolRow[]): Promise<CivilRow[]> {
  const found = await sql<More>`select c.id, ${score} as score, ${conclusion} as conclusion,
      coalesce((select jsonb_agg(distinct jsonb_build_object('code', r.item_code, 'name', r.name)) from check_result r where r.check_id = c.id and r.result = '2'), '[]') as failed,
      (select count(*)::int from civil_shot s where s.check_id = c.id) as point_count,
      array(select s.photos[1] from civil_shot s join check_sheet t on t.id = s.sheet_id where s.check_id = c.id and s.photos <> '{}'
        order by exists (select from check_result r where r.sheet_id = t.id and r.result = '2') desc, t.seq limit ${mostPictures}) as pictures,
      array(select k.score::float8 from site_check d join check_score k on k.check_id = d.id where d.project_code = c.project_code
        and d.kind = c.kind and d.state <> '0' and d.check_time <= c.check_time order by d.check_time desc limit ${awardTimes}) as scores,
      exists (select from site_check d where d.project_code = c.project_code and d.kind = c.kind and d.state = any (${[...runningStates]})) as site_open
    from site_check c where c.id = any (${rows.map((one) => one.id)})`.execute(ctx.db)
  const byId = new Map(found.rows.map((one) => [one.id, one]))
  return rows.map((row) => {
    const more = byId.get(row.id)
    const failed = more?.failed ?? []
    const areas = civilAreas.filter((one) => failed.some(({ code }) => (one.items as readonly string[]).includes(code.slice(1, 3))))
    return {
      ...row,
      score: more?.score ?? null,
      areaNames: areas.map((one) => areaName(one.code)),
      failItems: failed.map((one) => one.name),
      pointCount: more?.pointCount ?? 0,
      pictures: linksOf(ctx, more?.pictures ?? []),
      conclusion: more?.conclusion ?? null,
      conclusionName: dictName('checkResult', more?.conclusion),
      candidate: row.state !== '0' && !more?.siteOpen && passedInARow(more?.scores ?? [], awardFrom) >= awardTimes,
    }
  })
}

/** Figures of the strip: the last score and the row of passed walks of one site. */
export async function countsOf(ctx: PatrolReader, { projectCode }: Pick<Query, 'projectCode'>) {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{ score: number }>`select k.score::float8 as score from site_check c join check_score k on k.check_id = c.id
    where c.kind = ${civilPatrol.kind} and c.state <> '0' and k.score is not null and ${allOf(...inProjects('c.projectCode', projects))}
    order by c.check_time desc, c.id desc limit 100`.execute(ctx.db)
  return {
    ...(await countPatrols(ctx, civilPatrol.kind, { projectCode })),
    lastScore: rows[0]?.score ?? null,
    inARow: projects?.length === 1 ? passedInARow(rows.map((one) => one.score)) : null,
  }
}
