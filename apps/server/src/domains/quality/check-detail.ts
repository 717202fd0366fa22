import { dayMs } from '@zhugong/contract/kit/time'
import type { getQualityCheck, QualityDetail, QualityProblem, qualityHints } from '@zhugong/contract/quality/inspection'
import { qualityDays } from '@zhugong/contract/quality/inspection'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { readPatrol } from '../checks/public.ts'
import { withQuality } from './check-rows.ts'
import { itemName, itemsOf } from './items.ts'
import { qualityKind, qualityPatrol } from './patrol.ts'

export const readQualityCheck: HandlerOf<typeof getQualityCheck> = async ({ params: { id } }, ctx) => {
  const patrol = await readPatrol(ctx, qualityPatrol, qualityKind, id)
  const [row] = await withQuality(ctx, [patrol])
  return {
    ...patrol,
    ...found(row, qualityPatrol.noun),
    items: await itemsOf(ctx, id),
    problems: await withDefects(ctx, patrol.problems),
    improvements: await improvementsOf(ctx, id),
  }
}

interface Defect {
  id: string
  qualityProblem: string
  measured: string | null
  standard: string | null
  times: number
}

/** The defect of each problem, and how often it was found at its part or place until then. */
async function withDefects(
  ctx: Pick<Context, 'db'>,
  problems: Awaited<ReturnType<typeof readPatrol>>['problems'],
): Promise<QualityProblem[]> {
  const { rows } = await sql<Defect>`select p.id, p.quality_problem, p.measured, p.standard,
      (select count(distinct d.id)::int + 1 from site_check_problem q join site_check d on d.id = q.check_id
        where q.project_code = p.project_code and q.quality_problem = p.quality_problem and d.state <> '0' and d.id <> c.id
          and d.check_time < c.check_time and (q.part = p.part or q.place_id = p.place_id)) as times
    from site_check_problem p join site_check c on c.id = p.check_id where p.id = any (${problems.map((one) => one.id)})`.execute(ctx.db)
  const byId = new Map(rows.map((one) => [one.id, one]))
  return problems.map((one) => {
    const { qualityProblem = '', measured = null, standard = null, times = 1 } = byId.get(one.id) ?? {}
    const itemCode = one.itemCode ?? ''
    return {
      ...one,
      itemCode,
      itemName: itemName(itemCode),
      qualityProblem,
      qualityProblemName: dictName('qualityProblem', qualityProblem) ?? qualityProblem,
      measured,
      standard,
      times,
    }
  })
}

async function improvementsOf(ctx: Pick<Context, 'db'>, checkId: string): Promise<QualityDetail['improvements']> {
  type Raw = { id: string; code: string | null; title: string; state: string }
  const { rows } = await sql<Raw>`select distinct i.id, i.code, i.title, i.state from quality_finding f
      join site_check_problem p on p.id = f.source_id join quality_improvement i on i.id = f.improvement_id
    where f.source_kind = ${qualityPatrol.kind} and p.check_id = ${checkId} order by i.code, i.id`.execute(ctx.db)
  return rows.map(({ state, ...one }) => ({ ...one, stateName: dictName('rectifyState', state) ?? state }))
}

/** How many suggestions of each kind fit on a phone. */
const mostItems = 8
const mostPhrases = 24
const mostParts = 24
const mostOpen = 200

export const readQualityHints: HandlerOf<typeof qualityHints> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const since = new Date(ctx.clock.now() - qualityDays * dayMs)
  const items = await sql<{ code: string }>`select q.item_code as code from quality_check_item q join site_check c on c.id = q.check_id
    where q.project_code = ${projectCode} and c.check_time >= ${since}
    group by 1 order by max(c.check_time) desc, 1 limit ${mostItems}`.execute(ctx.db)
  const recent = sql`from site_check_problem p join site_check c on c.id = p.check_id
    where p.project_code = ${projectCode} and p.quality_problem is not null and c.check_time >= ${since}`
  type Phrase = { description: string; requirement: string; itemCode: string | null; qualityProblem: string | null }
  const phrases = await sql<Phrase>`select p.description, (array_agg(p.requirement order by c.check_time desc))[1] as requirement,
      (array_agg(p.item_code order by c.check_time desc))[1] as item_code,
      (array_agg(p.quality_problem order by c.check_time desc))[1] as quality_problem ${recent}
    group by p.description order by count(*) desc, max(c.check_time) desc, p.description limit ${mostPhrases}`.execute(ctx.db)
  const parts = await sql<{ part: string }>`
    select p.part ${recent} group by p.part order by max(c.check_time) desc, p.part limit ${mostParts}`.execute(ctx.db)
  type Open = {
    noticeId: string
    noticeCode: string | null
    part: string
    placeId: string | null
    description: string
    itemCode: string | null
    state: string
    deadline: string
  }
  const open =
    await sql<Open>`select r.id as notice_id, r.code as notice_code, p.part, p.place_id, p.description, p.item_code, r.state, r.deadline
    from site_check_problem p join rectify r on r.id = p.rectify_id join rectify_line l on l.id = p.line_id
    where p.project_code = ${projectCode} and p.quality_problem is not null and l.state <> 'passed' and r.state = any (${[...runningStates]})
    order by r.deadline, p.id limit ${mostOpen}`.execute(ctx.db)
  return {
    items: items.rows.map(({ code }) => ({ code, name: itemName(code) })),
    phrases: phrases.rows,
    parts: parts.rows.map((one) => one.part),
    open: open.rows.map(({ state, ...one }) => ({ ...one, stateName: dictName('rectifyState', state) ?? state })),
  }
}
