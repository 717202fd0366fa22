import { planReview } from '@zhugong/contract/experts/moves'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'

type Review = Pick<Row<'expertActivity'>, 'id' | 'code' | 'title' | 'date' | 'overScale' | 'result' | 'conclusion' | 'report'> & {
  signed: number
}

/** Reviews of plans of a project that have a conclusion, as far as the caller sees them, the newest first. */
export async function concludedReviews(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Review[]> {
  const { rows } = await sql<Review>`select a.id, a.code, a.title, a.date, a.over_scale, a.result, a.conclusion, a.report,
      (select count(*)::int from expert_activity_seat s where s.activity_id = a.id and s.sign_at is not null) as signed
    from expert_activity a where a.about_project = ${projectCode} and a.activity_type = ${planReview} and a.state in ('3', '4')
      and a.result in ('passed', 'changed', 'failed') order by a.date desc, a.id`.execute(ctx.db)
  return rows
}

/** The experts of an activity whose names the caller may know. */
export async function expertsAt(ctx: Pick<Context, 'db'>, activityId: string) {
  type Raw = { name: string; workUnit: string; role: string; signed: boolean }
  const { rows } = await sql<Raw>`select s.expert_name as name, s.work_unit, s.role, s.sign_at is not null as signed
    from expert_activity_seat s where s.activity_id = ${activityId} order by s.role <> '组长', s.expert_name, s.id`.execute(ctx.db)
  return rows
}
