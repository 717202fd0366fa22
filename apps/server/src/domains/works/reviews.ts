import { leastReviewers } from '@zhugong/contract/experts/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { type ReviewResult, reviewResults } from '@zhugong/contract/works/moves'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { concludedReviews, expertsAt, isSameUnit } from '../experts/public.ts'
import type { Outcome } from '../process/public.ts'
import type { Work } from './missing.ts'

/**
 * Takes over the conclusion of the experts' activity: five of them signed in, and none of a company of the site.
 * @throws AppError `invalidInput` at `activityId`
 */
export async function takeReview(ctx: Context, row: Work, activityId: string): Promise<Outcome<Work>> {
  const refuse = (message: string) => new AppError('invalidInput', message, { field: 'activityId' })
  const review = (await concludedReviews(ctx, row.projectCode)).find((one) => one.id === activityId)
  if (!review) throw refuse('该论证不存在、不属于本项目或尚无结论')
  if (!review.overScale) throw refuse('该论证不是超规模方案论证')
  const used = await sql<{ name: string }>`select name from bigproject where activity_id = ${activityId} and id <> ${row.id}`.execute(
    ctx.db,
  )
  if (used.rows[0]) throw refuse(`该论证已用于“${used.rows[0].name}”`)
  const came = (await expertsAt(ctx, activityId)).filter((one) => one.signed)
  if (came.length < leastReviewers) throw refuse(`超规模方案须有 ${leastReviewers} 名以上专家签到，该论证有 ${came.length} 名`)
  const units = await sql<{ name: string }>`select k.corp_name as name from project_corp c join corporation k using (corp_code)
    where c.project_code = ${row.projectCode}`.execute(ctx.system)
  for (const one of came) {
    const unit = units.rows.find(({ name }) => isSameUnit(name, one.workUnit))
    if (unit) throw refuse(`专家${one.name}属于参建单位${unit.name}，不能论证本项目的方案`)
  }
  const result = review.result as ReviewResult
  const today = review.date
  return {
    to: result === 'passed' ? '5' : result === 'failed' ? '4' : '3',
    values: {
      activityId,
      reviewDate: review.date,
      reviewResult: result,
      reviewReport: review.report,
      reviewConclusion: review.conclusion,
      planPassDate: result === 'passed' ? today : null,
    },
    opinion: `${review.code} ${reviewResults[result]}：${review.conclusion ?? ''}`,
  }
}
