import type * as contract from '@zhugong/contract/scoring/inspections'
import { submittedStates } from '@zhugong/contract/scoring/moves'
import { gradeNames } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { inspectionType } from './kind.ts'
import { conditions, daysFrom, inspections } from './rows.ts'
import { categoryName, sheetName, standardCategories, standardSheets } from './standard.ts'

/** Months of the trend. */
const trendMonths = 12

interface Scored {
  id: string
  projectCode: string
  projectName: string
  checkTime: Date
  score: number
  grade: keyof typeof gradeNames
}
const submitted = sql`s.score is not null and c.state = any (${[...submittedStates]}::text[])`

export const readTrend: HandlerOf<typeof contract.inspectionTrend> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const today = formatDay(ctx.clock.now())
  const months = monthsUntil(today.slice(0, 7), trendMonths)
  const where = conditions(ctx, { projectCode, checkTime: { from: `${months[0]}-01`, to: today } })
  const { rows } = await sql<
    Omit<Scored, 'projectCode' | 'projectName'>
  >`select c.id, c.check_time, s.score, s.grade from ${inspections} where ${where} and ${submitted}
    order by c.check_time, c.id`.execute(ctx.db)
  const checks = rows.map(({ id, checkTime, score, grade }) => ({ id, day: formatDay(checkTime), score, gradeName: gradeNames[grade] }))
  const first = checks[0]?.day.slice(0, 7)
  const gaps = months
    .filter(
      (month) => first !== undefined && month > first && month < today.slice(0, 7) && !checks.some(({ day }) => day.startsWith(month)),
    )
    .map((month) => ({ id: null, day: `${month}-15`, score: null, gradeName: null }))
  const latest = rows.at(-1)
  const latestMonth = latest && formatDay(latest.checkTime).slice(0, 7)
  const before = rows.findLast((row) => latestMonth !== undefined && formatDay(row.checkTime).slice(0, 7) < latestMonth)
  const scoresOf = async (id: string | undefined) => {
    const found = await sql<{
      category: string
      score: number
    }>`select category, score from check_category where check_id = ${id ?? ''}`.execute(ctx.db)
    return new Map(found.rows.map((row) => [row.category, row.score]))
  }
  const [now, then] = [await scoresOf(latest?.id), await scoresOf(before?.id)]
  return {
    checks: [...checks, ...gaps].sort((a, b) => a.day.localeCompare(b.day)),
    categories: standardCategories.map(({ code, name }) => ({ code, name, latest: now.get(code) ?? null, before: then.get(code) ?? null })),
    latestDay: latest ? formatDay(latest.checkTime) : null,
    beforeDay: before ? formatDay(before.checkTime) : null,
  }
}

/** yyyy-MM of the last `n` months, the oldest first. */
function monthsUntil(month: string, n: number): string[] {
  const [year = 0, of = 1] = month.split('-').map(Number)
  return Array.from({ length: n }, (_, i) => new Date(Date.UTC(year, of - n + i, 1)).toISOString().slice(0, 7))
}

export const readRanking: HandlerOf<typeof contract.inspectionRanking> = async ({ query }, ctx) => {
  const where = conditions(ctx, { projectCode: query.projectCode })
  type Raw = Scored & { openCount: number; scores: { category: string; weight: number; score: number }[] }
  const { rows } = await sql<Raw>`select l.*, p.name as project_name,
      (select count(*)::int from site_check_problem b left join rectify_line n on n.id = b.line_id
        where b.check_id = l.id and n.state is distinct from 'passed') as open_count,
      (select jsonb_agg(jsonb_build_object('category', k.category, 'weight', k.weight, 'score', k.score)) from check_category k
        where k.check_id = l.id) as scores
    from (select distinct on (c.project_code) c.id, c.project_code, c.check_time, s.score, s.grade from ${inspections}
      where ${where} and ${submitted} order by c.project_code, c.check_time desc, c.id desc) l
    join project p on p.project_code = l.project_code`.execute(ctx.db)
  const common = standardCategories.filter(({ code }) =>
    rows.every(({ scores }) => (scores ?? []).some(({ category }) => category === code)),
  )
  const today = formatDay(ctx.clock.now())
  const comparable = (scores: Raw['scores']) => {
    const own = scores.filter(({ category }) => common.some(({ code }) => code === category))
    const weight = own.reduce((total, one) => total + one.weight, 0)
    return weight === 0 ? null : Math.round((own.reduce((total, one) => total + one.score * one.weight, 0) / weight) * 100) / 100
  }
  const sites = rows.map(({ id, projectCode, projectName, checkTime, score, grade, openCount, scores }) => ({
    id,
    projectCode,
    projectName,
    checkTime: formatInstant(checkTime),
    score,
    gradeName: gradeNames[grade],
    comparable: comparable(scores ?? []),
    openCount,
    daysSince: daysFrom(formatDay(checkTime), today),
  }))
  return {
    common: common.map(({ name }) => name),
    sites: sites.sort((a, b) => (b.comparable ?? b.score) - (a.comparable ?? a.score) || a.projectCode.localeCompare(b.projectCode)),
  }
}

/** Device families that make a sheet apply; sheets that are not named always do. */
const needed: Readonly<Record<string, { family: string; words: string }>> = {
  '04': { family: 'foundationPit', words: '基坑监测点' },
  '05': { family: 'highFormwork', words: '高支模监测点' },
  '0802': { family: 'lifter', words: '施工升降机' },
  '0901': { family: 'towerCrane', words: '塔式起重机' },
}
/** Of the kinds of scaffold and hoist these are usual; the others are chosen where they stand. */
const usual: readonly string[] = ['0301', '0306']
const unusual: Readonly<Record<string, string>> = { '0801': '已少用，现场有时再选' }
/** 在用 in the states of a device. */
const inService = '1'

export const readProposal: HandlerOf<typeof contract.inspectionProposal> = ({ query }, ctx) =>
  proposalOf(ctx, oneProject(ctx, query.projectCode), inspectionType)

/** Sheets for a scored check of this kind, and the last one that the caller's group held. */
export async function proposalOf(ctx: Context, projectCode: string, kind: string) {
  const machines = await sql<{ family: string; n: number }>`select family, count(*)::int as n from device
    where project_code = ${projectCode} and status = ${inService} group by 1`.execute(ctx.db)
  const counted = new Map(machines.rows.map(({ family, n }) => [family, n]))
  const people = await sql<{ name: string }>`select distinct u.name from member m join app_user u on u.id = m.user_id
    where m.group_id = ${ctx.group.id} and m.enable = '1' order by 1 limit 100`.execute(ctx.db)
  return {
    sheets: standardSheets.map(({ code, category }) => ({
      code,
      name: sheetName(code),
      categoryName: categoryName(category),
      weight: standardCategories.find((one) => one.code === category)?.weight ?? 0,
      ...proposalFor(code, category, counted),
    })),
    last: await lastTask(ctx, projectCode, kind),
    people: people.rows.map(({ name }) => name),
  }
}

/** Whether a sheet fits a site with these machines in use (number by family), and why or why not. */
export function proposalFor(
  code: string,
  category: string,
  counted: ReadonlyMap<string, number>,
): { proposed: boolean; why: string | null } {
  const needs = needed[code]
  if (needs) {
    const n = counted.get(needs.family) ?? 0
    return n > 0
      ? { proposed: true, why: `现场有${needs.words} ${n} 台（处）` }
      : { proposed: false, why: `平台上没有在用的${needs.words}` }
  }
  if (unusual[code]) return { proposed: false, why: unusual[code] ?? null }
  if (category !== code && category === '03')
    return { proposed: usual.includes(code), why: usual.includes(code) ? null : '按现场架体类型选择' }
  return { proposed: true, why: null }
}

/** The task of the last inspection that the caller's group held on this site. */
async function lastTask(ctx: Context, projectCode: string, kind: string) {
  type Raw = { id: string; checkTime: Date; part: string; checkers: string[] }
  const { rows } = await sql<Raw>`select id, check_time, part, checkers from site_check where kind = ${kind}
    and project_code = ${projectCode} and checker_group = ${ctx.group.id} order by check_time desc, id desc limit 1`.execute(ctx.db)
  const last = rows[0]
  if (!last) return null
  const sheets = await sql<{
    sheetCode: string
    label: string
    assignee: string | null
  }>`select sheet_code, label, assignee from check_sheet
    where check_id = ${last.id} order by seq, id`.execute(ctx.db)
  return { checkTime: formatInstant(last.checkTime), part: last.part, checkers: last.checkers, sheets: sheets.rows }
}
