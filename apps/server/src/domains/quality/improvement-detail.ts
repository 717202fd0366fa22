import { dayMs } from '@zhugong/contract/kit/time'
import type { getImprovement, ImprovementDetail, improvementFindings, improvementMatrix } from '@zhugong/contract/quality/improvement'
import { qualityDays } from '@zhugong/contract/quality/inspection'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, condition, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { problemsSince } from '../checks/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { type Improvement, improvementKind, improvementType, stepLabels } from './improvement-kind.ts'
import { improvementFor, isAgain, type Viewer } from './improvement-rows.ts'
import { shownFinding, sourceKinds, sourceNamed } from './sources.ts'

/** Days before an improvement is issued from which its findings are counted. */
const daysBefore = 56
const mostAgain = 20

type Reader = Viewer & Pick<Context, 'db' | 'secrets'>

export const readImprovement: HandlerOf<typeof getImprovement> = async ({ params: { id } }, ctx) => {
  const { improvement, ...file } = await fileOf(ctx, id)
  return {
    ...file,
    timeline: await historyOf(ctx, improvementType, id, stepLabels),
    actions: offersFor(ctx, improvementKind, improvement),
  }
}

/** All of an improvement but what depends on the reader; page and print read the same. */
export async function fileOf(ctx: Reader, id: string) {
  const row = found(await improvementFor(ctx, id), '质量改进单')
  const { rows } = await sql<Improvement>`select * from quality_improvement where id = ${id}`.execute(ctx.db)
  const i = found(rows[0], '质量改进单')
  const startDate = formatDay(i.shownAt ?? ctx.clock.now())
  const same = condition(sql`p.project_code = ${i.projectCode} and p.quality_problem = ${i.qualityProblem} and p.corp_code = ${i.corpCode}`)
  const { weeks } = await problemsSince(ctx, same, addDays(startDate, -daysBefore))
  const today = formatDay(ctx.clock.now())
  return {
    ...row,
    improvement: i,
    findings: await findingsOf(ctx, id),
    causeTexts: i.causes.map((group, at) => ({ group, text: i.causeTexts[at] ?? '' })),
    ...pick(i, 'whys', 'prevention', 'targetRate', 'verdictOpinion', 'verdictBy'),
    lines: i.lineWords.map((text, at) => ({ part: i.lineParts[at] ?? '', text, person: i.linePersons[at] || null })),
    noticeId: i.rectifyId,
    closeTime: i.closeTime && formatInstant(i.closeTime),
    verdictAt: i.verdictAt && formatInstant(i.verdictAt),
    verifyInDays: i.state === '7' && i.verdict === null ? Math.round((Date.parse(i.recheckAfter) - Date.parse(today)) / dayMs) : null,
    ...(await neighboursOf(ctx, i)),
    weeks,
    startDate,
    recurrences: await recurrencesOf(ctx, id),
  }
}

async function findingsOf(ctx: Reader, id: string): Promise<ImprovementDetail['findings']> {
  const { rows } = await sql<Row<'qualityFinding'>>`select * from quality_finding where improvement_id = ${id} order by seq`.execute(ctx.db)
  return rows.map(({ sourceKind, sourceId, foundAt, ...one }) => shownFinding(ctx, sourceKind, { ...one, id: sourceId, at: foundAt }))
}

async function neighboursOf(ctx: Pick<Context, 'db'>, i: Improvement) {
  const { rows } = await sql<{ id: string; code: string | null }>`select id, code from quality_improvement
    where id = ${i.follows} or follows = ${i.id} order by create_time`.execute(ctx.db)
  return { follows: rows.find((one) => one.id === i.follows) ?? null, followedBy: rows.find((one) => one.id !== i.follows) ?? null }
}

async function recurrencesOf(ctx: Pick<Context, 'db'>, id: string): Promise<ImprovementDetail['recurrences']> {
  type Raw = { id: string; checkId: string; checkCode: string | null; checkTime: Date; part: string; description: string }
  const { rows } = await sql<Raw>`select p.id, c.id as check_id, c.code as check_code, c.check_time, p.part, p.description
    from quality_improvement i, site_check_problem p join site_check c on c.id = p.check_id
    where i.id = ${id} and ${isAgain} order by c.check_time desc, p.id limit ${mostAgain}`.execute(ctx.db)
  return rows.map((one) => ({ ...one, checkTime: formatInstant(one.checkTime) }))
}

export const readMatrix: HandlerOf<typeof improvementMatrix> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  const since = new Date(ctx.clock.now() - qualityDays * dayMs)
  type Cell = { projectCode: string; projectName: string; problem: string; found: number; running: number }
  const { rows } =
    await sql<Cell>`select s.project_code, j.name as project_name, s.problem, sum(s.found)::int as found, sum(s.running)::int as running
    from (
      select p.project_code, p.quality_problem as problem, count(*) as found, 0 as running
      from site_check_problem p join site_check c on c.id = p.check_id
      where p.quality_problem is not null and c.state <> '0' and c.check_time >= ${since} and ${allOf(...inProjects('p.projectCode', projects))} group by 1, 2
      union all
      select i.project_code, i.quality_problem, 0, count(*) from quality_improvement i
      where i.state = any (${[...runningStates]}) and ${allOf(...inProjects('i.projectCode', projects))} group by 1, 2
    ) s join project j using (project_code) group by 1, 2, 3 order by 2, 1, 3`.execute(ctx.db)
  const total = new Map<string, number>()
  for (const { problem, found: n } of rows) total.set(problem, (total.get(problem) ?? 0) + n)
  return {
    problems: [...total]
      .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
      .map(([code]) => ({ code, name: dictName('qualityProblem', code) ?? code })),
    sites: [...Map.groupBy(rows, (one) => one.projectCode).values()].map((cells) => ({
      projectCode: cells[0]?.projectCode ?? '',
      projectName: cells[0]?.projectName ?? '',
      cells: cells.map(({ problem, found: n, running }) => ({ problem, found: n, running })),
    })),
  }
}

export const readFindings: HandlerOf<typeof improvementFindings> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const since = new Date(ctx.clock.now() - qualityDays * dayMs)
  const all = []
  for (const kind of sourceKinds())
    for (const one of (await sourceNamed(kind)?.findings(ctx, { projectCode, since })) ?? [])
      if (one.qualityProblem) all.push({ kind, one })
  const corps = await sql<{ corpCode: string; corpName: string }>`select corp_code, corp_name from corporation
    where corp_code = any (${[...new Set(all.map(({ one }) => one.corpCode))]})`.execute(ctx.db)
  const nameOf = new Map(corps.rows.map((one) => [one.corpCode, one.corpName]))
  const series = [...Map.groupBy(all, ({ one }) => `${one.qualityProblem} ${one.corpCode}`).values()].flatMap((ones) => {
    const first = ones[0]?.one
    if (!first?.qualityProblem) return []
    return [
      {
        qualityProblem: first.qualityProblem,
        qualityProblemName: dictName('qualityProblem', first.qualityProblem) ?? first.qualityProblem,
        corpCode: first.corpCode,
        corpName: nameOf.get(first.corpCode) ?? first.corpCode,
        findings: ones.map(({ kind, one }) => shownFinding(ctx, kind, one)),
      },
    ]
  })
  return { series: series.sort((a, b) => b.findings.length - a.findings.length || a.qualityProblem.localeCompare(b.qualityProblem)) }
}
