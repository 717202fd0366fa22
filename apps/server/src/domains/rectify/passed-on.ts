import type { RectifyDetail, RectifyLine } from '@zhugong/contract/rectify/calls'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, condition, equals, inProjects } from '#kit/list'
import { linksOf } from '../files/public.ts'
import { readRows } from './rows.ts'
import { registerNoticeSource } from './sources.ts'

/** Source of the notices by which a site passes problems of a notice on to its subcontractors. */
const passedOnFrom = 'rectify'

/**
 * A problem is passed on by an order of the site to a subcontractor that comes from the notice: it has its own deadline, answers and
 * verdicts, and the subcontractor sees nothing of the notice above it. What it answers can be taken over into the answer above.
 */
export function registerPassedOn(): void {
  registerNoticeSource(passedOnFrom, {
    title: '上级整改',
    page: (id) => `/safetySupervisionRectification/details?id=${id}`,
    projectOf: async (ctx, id) => {
      const where = allOf(
        ...equals('r.id', id),
        condition(sql`r.state = any (${[...runningStates]}::text[])`),
        ...inProjects('r.projectCode', projectsFor(ctx)),
      )
      const { rows } = await sql<{ projectCode: string }>`select r.project_code from rectify r where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
    // A notice that is late already can still be passed on: for today.
    latest: async (ctx, id) => {
      const { rows } = await sql<{ latest: string }>`select greatest(r.deadline, ${formatDay(ctx.clock.now())}::date) as latest
        from rectify r where r.id = ${id}`.execute(ctx.db)
      return rows[0]?.latest
    },
    photosOf: async (ctx, id) => {
      const { rows } = await sql<{
        photos: string[]
      }>`select photos || voices as photos from rectify_line where rectify_id = ${id}`.execute(ctx.db)
      return rows.flatMap((one) => one.photos)
    },
  })
}

/** The notices by which problems of this one were passed on. */
export const passedOnOf = async (ctx: Context, id: string): Promise<RectifyDetail['passedOn']> => {
  const rows = await readRows(ctx, allOf(condition(sql`r.source_kind = ${passedOnFrom} and r.source_id = ${id} and r.state <> '0'`)), {})
  return rows.map(({ id: own, code, corpName, state, stateName, deadline, overdueDays }) => ({
    ...{ id: own, code, corpName, state, stateName, deadline, overdueDays },
  }))
}

interface Below {
  description: string
  part: string
  measure: string
  photos: string[]
  byName: string
  corpName: string
}
/** What the companies below have answered, the newest last; a problem is known again by its words and part. */
async function answersBelow(ctx: Pick<Context, 'db'>, id: string): Promise<Below[]> {
  const { rows } = await sql<Below>`select l.description, l.part, a.measure, a.photos, a.by_name, c.corp_name from rectify r
    join rectify_line l on l.rectify_id = r.id join rectify_answer a on a.line_id = l.id and not a.draft
    join corporation c on c.corp_code = r.corp_code
    where r.source_kind = ${passedOnFrom} and r.source_id = ${id} order by a.at`.execute(ctx.db)
  return rows
}

/** Of each problem, what the company below has answered last. */
export async function fromBelowOf(
  ctx: Context,
  id: string,
): Promise<(line: Pick<RectifyLine, 'description' | 'part'>) => RectifyLine['fromBelow']> {
  const answers = await answersBelow(ctx, id)
  return (line) => {
    const found = answers.findLast((one) => one.description === line.description && one.part === line.part)
    return found ? { measure: found.measure, photos: linksOf(ctx, found.photos), byName: found.byName, corpName: found.corpName } : null
  }
}

/** Photographs of the companies below, which the answer above may take over. */
export const photosBelow = async (ctx: Context, id: string): Promise<string[]> => (await answersBelow(ctx, id)).flatMap((one) => one.photos)
