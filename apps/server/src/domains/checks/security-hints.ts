import type { frequentProblems, securityHints } from '@zhugong/contract/checks/security-check'
import { frequentDays } from '@zhugong/contract/checks/security-check'
import { dayMs } from '@zhugong/contract/kit/time'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { isSafety, keyOfSeries, type SeriesKind } from './series.ts'

/** How many suggestions of each kind fit on a phone. */
const mostPhrases = 24
const mostParts = 24
const mostOpen = 200

export const readHints: HandlerOf<typeof securityHints> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const since = new Date(ctx.clock.now() - frequentDays * dayMs)
  const recent = sql`from site_check_problem p join site_check c on c.id = p.check_id
    where p.project_code = ${projectCode} and ${isSafety} and c.check_time >= ${since}`
  const phrases = await sql<{ description: string; requirement: string; itemCode: string | null }>`
    select p.description, (array_agg(p.requirement order by c.check_time desc))[1] as requirement,
      (array_agg(p.item_code order by c.check_time desc))[1] as item_code ${recent}
    group by p.description order by count(*) desc, max(c.check_time) desc, p.description limit ${mostPhrases}`.execute(ctx.db)
  const parts = await sql<{ part: string }>`
    select p.part ${recent} group by p.part order by max(c.check_time) desc, p.part limit ${mostParts}`.execute(ctx.db)
  const open = await sql<OpenProblem>`
    select r.id as notice_id, r.code as notice_code, p.part, p.place_id, p.description, p.item_code, r.state, r.deadline
    from site_check_problem p join rectify r on r.id = p.rectify_id join rectify_line l on l.id = p.line_id
    where p.project_code = ${projectCode} and p.quality_problem is null and l.state <> 'passed' and r.state = any (${[...runningStates]})
    order by r.deadline, p.id limit ${mostOpen}`.execute(ctx.db)
  return {
    phrases: phrases.rows,
    parts: parts.rows.map((one) => one.part),
    open: open.rows.map(({ state, ...one }) => ({ ...one, stateName: dictName('rectifyState', state) ?? state })),
  }
}
interface OpenProblem {
  noticeId: string
  noticeCode: string | null
  part: string
  placeId: string | null
  description: string
  itemCode: string | null
  state: string
  deadline: string
}

/** A series begins with the second problem. */
const leastRepeats = 2
const mostSeries = 30
const partsShown = 3

export const readFrequent: HandlerOf<typeof frequentProblems> = async ({ query }, ctx) => {
  const list = await seriesOf(ctx, oneProject(ctx, query.projectCode), query.group)
  return { list, total: list.length }
}

async function seriesOf(ctx: Context, projectCode: string, group: SeriesKind) {
  const since = new Date(ctx.clock.now() - frequentDays * dayMs)
  type Raw = {
    key: string
    itemCode: string | null
    count: number
    checkCount: number
    openCount: number
    description: string
    parts: string[]
    graveCount: number
  }
  const { rows } = await sql<Raw>`
    select ${keyOfSeries(group)} as key, (array_agg(p.item_code order by c.check_time desc) filter (where p.item_code is not null))[1] as item_code,
      count(*)::int as count, count(distinct p.check_id)::int as check_count,
      count(*) filter (where l.state <> 'passed')::int as open_count,
      (array_agg(p.description order by c.check_time desc, p.seq))[1] as description,
      (array_agg(distinct p.part))[1:${sql.lit(partsShown)}] as parts, count(*) filter (where p.danger_level = '2')::int as grave_count
    from site_check_problem p join site_check c on c.id = p.check_id left join rectify_line l on l.id = p.line_id
    where p.project_code = ${projectCode} and ${isSafety} and c.state <> '0' and c.check_time >= ${since}
    group by 1 having count(*) >= ${leastRepeats} order by count desc, max(c.check_time) desc, 1 limit ${mostSeries}`.execute(ctx.db)
  return rows.map(({ itemCode, graveCount, ...one }) => ({
    ...one,
    name: nameOfSeries(group, one.key),
    hazardSource: hazardOf(itemCode),
    riskLevel: graveCount > 0 ? '2' : '3',
  }))
}

/** 施工安全检查项目 by its first two digits, to the kind of accident it prevents (dictionary hazardSource). */
const hazards: Readonly<Record<string, string>> = {
  '03': '01',
  '04': '03',
  '05': '03',
  '06': '01',
  '07': '06',
  '08': '04',
  '09': '04',
  '10': '05',
}
/** 其他伤害. */
const otherHazard = '99'
/** 现场防火, within 文明施工. */
const fireItem = '020006'
const fireHazard = '07'
const hazardOf = (itemCode: string | null): string =>
  itemCode === fireItem ? fireHazard : (hazards[itemCode?.slice(0, 2) ?? ''] ?? otherHazard)

/** How a series is called: the item's name, or its words. */
export const nameOfSeries = (group: SeriesKind, key: string): string => (group === 'item' ? (dictName('safetyCheckItem', key) ?? key) : key)
