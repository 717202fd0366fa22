import type { getInspection, InspectionDetail } from '@zhugong/contract/scoring/inspections'
import { scoringState } from '@zhugong/contract/scoring/moves'
import { gradeNames } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { problemsOf } from '../checks/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { type Inspection, inspectionKind, inspectionType, readInspection, stepLabels } from './kind.ts'
import { rowFor, type Viewer } from './rows.ts'
import { scoreOf, sheetsOf, toSheet } from './sheets.ts'

type PageContext = Viewer & Pick<Context, 'group' | 'secrets'>

export const readDetail: HandlerOf<typeof getInspection> = async ({ params: { id } }, ctx) => {
  const { check, ...file } = await fileOf(ctx, id)
  const problems = await problemsOf(ctx, id)
  const timeline = await historyOf(ctx, inspectionType, id, stepLabels)
  return {
    ...file,
    problems,
    timeline,
    signatures: await signaturesOf(ctx, inspectionKind, check),
    actions: offersFor(ctx, inspectionKind, check),
  }
}

/** All of an inspection but what depends on the reader; page and print read the same. */
export async function fileOf(ctx: PageContext, id: string) {
  const row = found(await rowFor(ctx, id), '安全巡检')
  const check = await readInspection(ctx, id)
  const stored = await sheetsOf(ctx, id)
  const now = scoreOf(stored)
  const isScoring = check.state === scoringState
  const frozen = await frozenOf(ctx, id)
  const previous = await previousOf(ctx, check, [...new Set(stored.map(({ sheet }) => sheet.category))])
  const phrases = isScoring ? await phrasesFor(ctx) : new Map<string, string[]>()
  return {
    ...row,
    check,
    part: check.part,
    remark: check.remark,
    reason: frozen.reason ?? now.reason,
    // As it stands while it is being scored; as it was frozen afterwards.
    score: isScoring ? now.score : row.score,
    grade: isScoring ? now.grade : row.grade,
    gradeName: isScoring ? now.grade && gradeNames[now.grade] : row.gradeName,
    categories: now.categories.map(({ code, name, weight, score, points }) => {
      const kept = frozen.categories.get(code)
      return {
        code,
        name,
        weight,
        score: isScoring ? score : (kept?.score ?? null),
        points: isScoring ? points : (kept?.points ?? null),
        previous: previous?.categories.get(code) ?? null,
      }
    }),
    sheets: stored.map((one) => toSheet(ctx, one, phrases)),
    signs: await signsOf(ctx, id),
    previous: previous && {
      ...pick(previous, 'id', 'checkTime', 'score', 'gradeName', 'sameSheets'),
    },
  }
}

async function frozenOf(ctx: Pick<Context, 'db'>, id: string) {
  const score = await sql<{ reason: string | null }>`select reason from check_score where check_id = ${id}`.execute(ctx.db)
  const { rows } = await sql<Row<'checkCategory'>>`select * from check_category where check_id = ${id}`.execute(ctx.db)
  return { reason: score.rows[0]?.reason ?? null, categories: new Map(rows.map((one) => [one.category, one])) }
}

/** The last submitted inspection of the site before this one. */
async function previousOf(ctx: Pick<Context, 'db'>, check: Inspection, categories: readonly string[]) {
  type Raw = { id: string; checkTime: Date; score: number; grade: keyof typeof gradeNames }
  const { rows } = await sql<Raw>`select c.id, c.check_time, s.score, s.grade from site_check c join check_score s on s.check_id = c.id
    where c.kind = ${inspectionType} and c.project_code = ${check.projectCode} and s.score is not null and c.id <> ${check.id}
      and c.check_time < ${check.checkTime} order by c.check_time desc, c.id desc limit 1`.execute(ctx.db)
  const last = rows[0]
  if (!last) return null
  const { categories: kept } = await frozenOf(ctx, last.id)
  return {
    id: last.id,
    checkTime: formatInstant(last.checkTime),
    score: last.score,
    gradeName: gradeNames[last.grade],
    categories: new Map([...kept].map(([code, one]) => [code, one.score])),
    sameSheets: kept.size === categories.length && categories.every((one) => kept.has(one)),
  }
}

/** Usual findings of the caller's group by item code. */
export async function phrasesFor(ctx: Pick<Context, 'db' | 'group'>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ itemCode: string; phrases: string[] }>`select item_code, array_agg(phrase order by seq) as phrases
    from check_phrase where group_id = ${ctx.group.id} and library = 'safety' group by 1`.execute(ctx.db)
  return new Map(rows.map((one) => [one.itemCode, one.phrases]))
}

async function signsOf(ctx: Pick<Context, 'db'>, id: string): Promise<InspectionDetail['signs']> {
  const { rows } = await sql<Row<'checkSign'>>`select * from check_sign where check_id = ${id} order by at`.execute(ctx.db)
  return rows.map(({ side, name, groupName, opinion, at }) => ({ side, name, groupName, opinion, at: formatInstant(at) }))
}
