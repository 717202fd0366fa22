import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import type { GeneratedPlan, generatePlans } from '@zhugong/contract/plans/calls'
import { contentTemplates } from '@zhugong/contract/plans/moves'
import { explainRisk, leastVisits, proposedFrequency, type RiskFacts } from '@zhugong/contract/plans/risk'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { insertPlan } from './insert.ts'
import { riskFacts } from './risk-store.ts'

/** Projects proposed at a time; the rest follow when these have their drafts. */
const atOnce = 100

/** Drafts by risk level for the projects under construction that have no plan of the year and discipline. */
export const generate: HandlerOf<typeof generatePlans> = async ({ query, body }, ctx) => {
  const { year, discipline } = body
  const { list, total } = await unplanned(ctx, query.projectCode, year, discipline)
  const facts = await riskFacts(
    ctx,
    list.map((one) => one.projectCode),
  )
  const period = periodOf(ctx, year)
  const rows = list.map(({ projectCode, name }) => proposalOf(projectCode, name, facts.get(projectCode), period))
  if (body.dryRun) return { rows, created: 0, more: total - list.length }
  for (const [at, { projectCode, times }] of body.rows.entries()) {
    const known = list.find((one) => one.projectCode === projectCode)
    if (!known) throw new AppError('invalidInput', '项目不在辖区内，或已有该年度计划，请重新预览', { field: `rows.${at}.projectCode` })
    const own = facts.get(projectCode)
    const { level } = own ? explainRisk(own) : { level: 4 as const }
    const least = leastVisits(level, period.from, period.to)
    const template = contentTemplates[discipline] ?? contentTemplates[1]
    await insertPlan(ctx, {
      projectCode,
      discipline,
      year,
      title: `${known.name}${year} 年${dictName('checkDiscipline', discipline) ?? ''}监督计划`.slice(-100),
      supervisors: body.supervisors,
      startDate: period.from,
      endDate: period.to,
      frequency: scaled(proposedFrequency(level, own?.phase ?? null, period.from, period.to), times, period),
      frequencyReason: times < least ? '批量生成时调整' : null,
      mainContent: template?.content ?? '',
      measures: template?.measures ?? null,
      focus: [],
      disclosureDate: null,
      files: [],
    })
  }
  ctx.note(`按风险等级生成监督计划 ${body.rows.length} 份`)
  return { rows: [], created: body.rows.length, more: total - body.rows.length }
}

type Period = { from: string; to: string }
/** From today, or from the beginning of a later year. */
function periodOf(ctx: Pick<Context, 'clock'>, year: number): Period {
  const today = formatDay(ctx.clock.now())
  const to = `${year}-12-31`
  if (to < today) throw new AppError('invalidInput', '不能为过去的年度生成计划', { field: 'year' })
  const first = `${year}-01-01`
  return { from: first > today ? first : today, to }
}

/** The proposed rows with another number of visits: the last row takes the difference, as long as it keeps one. */
function scaled(rows: ReturnType<typeof proposedFrequency>, times: number, { from, to }: Period) {
  const total = rows.reduce((sum, one) => sum + one.times, 0)
  const [first] = rows
  if (times === total || !first) return rows
  if (rows.length === 1 || times < rows.length) return [{ ...first, times, from, to }]
  return rows.map((one, i) => (i === 0 ? { ...one, times: Math.max(1, one.times + times - total) } : one))
}

function proposalOf(projectCode: string, projectName: string, facts: RiskFacts | undefined, { from, to }: Period): GeneratedPlan {
  const { level, reason } = facts ? explainRisk(facts) : { level: 4 as const, reason: '' }
  const least = leastVisits(level, from, to)
  return { projectCode, projectName, riskLevel: level, reason, phaseName: dictName('projectPhase', facts?.phase), least, times: least }
}

async function unplanned(ctx: Context, projectCode: string, year: number, discipline: string) {
  const where = allOf(...inProjects('j.projectCode', projectsFor(ctx, projectCode)))
  const from = sql`from project j where ${where} and j.prj_status = ${projectStates.building} and not exists (select from check_plan p
    where p.project_code = j.project_code and p.year = ${year} and p.discipline = ${discipline} and p.state <> '6')`
  const { rows } = await sql<{ projectCode: string; name: string }>`select j.project_code, j.name ${from} order by j.name, j.project_code
    limit ${atOnce}`.execute(ctx.db)
  const count = await sql<{ n: number }>`select count(*)::int as n ${from}`.execute(ctx.db)
  return { list: rows, total: count.rows[0]?.n ?? 0 }
}
