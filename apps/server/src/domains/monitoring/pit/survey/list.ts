import type * as calls from '@zhugong/contract/monitoring/pit/pit-surveys'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, type Condition, contains, inProjects, instantsBetween, pageSlice } from '#kit/list'
import type { ListContext } from '../../../exports/registry.ts'

interface Row extends Omit<calls.PitSurvey, 'firstTime' | 'lastTime' | 'createTime'> {
  firstTime: Date
  lastTime: Date
  createTime: Date
}
const toSurvey = ({ firstTime, lastTime, createTime, ...row }: Row): calls.PitSurvey => ({
  ...row,
  firstTime: firstTime.getTime(),
  lastTime: lastTime.getTime(),
  createTime: createTime.getTime(),
})

type Query = NonNullable<(typeof calls.listPitSurveys)['types']>['parsed']['query']
const conditionsOf = (ctx: ListContext, query: Query): Condition =>
  allOf(
    ...inProjects('s.project_code', projectsFor(ctx, query.projectCode)),
    ...contains('s.create_by', query.createBy),
    ...instantsBetween('s.create_time', query.createTime),
  )

export async function surveyPage(ctx: ListContext, query: Query): Promise<{ list: calls.PitSurvey[]; total: number }> {
  const { limit, offset } = pageSlice(query)
  const order = query.sort === 'createTime' ? sql`s.create_time asc` : sql`s.create_time desc`
  const { rows } = await sql<Row & { total: number }>`
    select s.id, s.project_code, p.name as project_name, s.file_name, s.state, s.row_count as rows, s.readings, s.points, s.jumps, s.stored, s.doubled,
      s.first_time, s.last_time, s.message, s.create_by, s.create_time, count(*) over ()::int as total
    from pit_survey s join project p on p.project_code = s.project_code
    where ${conditionsOf(ctx, query)} order by ${order}, s.id limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => toSurvey(row)), total: rows[0]?.total ?? 0 }
}
