import type { PatrolRow } from '@zhugong/contract/checks/patrol'
import { dayMs } from '@zhugong/contract/kit/time'
import type * as contract from '@zhugong/contract/quality/inspection'
import { type QualityRow, qualityDays } from '@zhugong/contract/quality/inspection'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { allOf, anyOf, between, type Condition, condition, filtersOf } from '#kit/list'
import { countPatrols, type PatrolReader, patrolConditions, readChecks, someProblem } from '../checks/public.ts'
import { itemName } from './items.ts'
import { qualityPatrol } from './patrol.ts'

type Query = Partial<NonNullable<(typeof contract.listQualityChecks)['types']>['parsed']['query']>

/** 结论 of a submitted check (dictionary checkResult): nothing found, all mended at once, or to be mended. */
const conclusion = sql`case when c.state = '0' then null when c.problem_count = 0 then '1'
  when not exists (select from site_check_problem p where p.check_id = c.id and p.mended is null) then '2' else '3' end`

/** Conditions of the list and of its export. */
export function conditions(
  ctx: PatrolReader,
  { items, qualityProblem, conclusion: ended, problemCount, page, size, sort, ...base }: Query,
): Condition {
  return allOf(
    patrolConditions(ctx, qualityPatrol.kind, base),
    filtersOf(
      { items, qualityProblem, conclusion: ended, problemCount },
      {
        items: (codes) =>
          condition(sql`exists (select from quality_check_item q where q.check_id = c.id
            and exists (select from unnest(${[...codes]}::text[]) as w (code) where q.item_code like w.code || '%'))`),
        qualityProblem: (codes) => someProblem(allOf(...anyOf('p.qualityProblem', codes))),
        conclusion: (codes) => condition(sql`${conclusion} = any (${[...codes]})`),
        problemCount: [between, 'c.problemCount'],
      },
    ),
  )
}

interface More {
  id: string
  items: string[]
  qualityProblems: string[]
  conclusion: string | null
}

/** What quality checks say beside the rows of all patrols. */
export async function withQuality(ctx: PatrolReader, rows: readonly PatrolRow[]): Promise<QualityRow[]> {
  const found = await sql<More>`select c.id, ${conclusion} as conclusion,
      array(select q.item_code from quality_check_item q where q.check_id = c.id order by q.seq) as items,
      array(select distinct p.quality_problem from site_check_problem p where p.check_id = c.id and p.quality_problem is not null order by 1) as quality_problems
    from site_check c where c.id = any (${rows.map((one) => one.id)})`.execute(ctx.db)
  const byId = new Map(found.rows.map((one) => [one.id, one]))
  return rows.map((row) => {
    const { items = [], qualityProblems = [], conclusion: ended = null } = byId.get(row.id) ?? {}
    return {
      ...row,
      itemNames: items.map(itemName),
      qualityProblems,
      qualityProblemNames: qualityProblems.map((one) => dictName('qualityProblem', one) ?? one),
      conclusion: ended,
      conclusionName: dictName('checkResult', ended),
    }
  })
}

export const readQuality = async (ctx: PatrolReader, where: Condition, slice: Parameters<typeof readChecks>[2]): Promise<QualityRow[]> =>
  withQuality(ctx, await readChecks(ctx, where, slice))

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: PatrolReader, { projectCode }: Pick<Query, 'projectCode'>) {
  const from = formatDay(ctx.clock.now() - qualityDays * dayMs)
  const where = allOf(conditions(ctx, { projectCode }), condition(sql`c.state <> '0' and c.check_time >= ${new Date(startOfDay(from))}`))
  const judged = await sql<{ right: number; all: number }>`
    select count(*) filter (where q.result = '1')::int as right, count(*)::int as all
    from quality_check_item q join site_check c on c.id = q.check_id where q.result in ('1', '2') and ${where}`.execute(ctx.db)
  const top = await sql<{ code: string; count: number; checks: number }>`
    select p.quality_problem as code, count(*)::int as count, count(distinct c.id)::int as checks
    from site_check_problem p join site_check c on c.id = p.check_id where p.quality_problem is not null and ${where}
    group by 1 order by 2 desc, 1 limit 1`.execute(ctx.db)
  const { right = 0, all = 0 } = judged.rows[0] ?? {}
  const most = top.rows[0]
  return {
    ...(await countPatrols(ctx, qualityPatrol.kind, { projectCode })),
    rightRate: all === 0 ? null : Math.round((right / all) * 1000) / 10,
    topProblem: most ? { ...most, name: dictName('qualityProblem', most.code) ?? most.code, from } : null,
  }
}
