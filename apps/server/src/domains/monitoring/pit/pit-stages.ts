import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import * as calls from '@zhugong/contract/monitoring/pit/pits'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'

interface Row extends Omit<calls.PitStage, 'at'> {
  at: Date
}
const toStage = ({ at, ...row }: Row): calls.PitStage => ({ ...row, at: at.getTime() })
const columns = sql`s.id, s.project_code, s.pit_name, s.at, round(s.depth::numeric, 2)::float8 as depth, s.note, s.create_by`

export function pitStageRoutes(serve: Serve): void {
  serve(calls.listPitStages, listPitStages)
  serve(calls.reportPitStage, reportPitStage)
}

const listPitStages: HandlerOf<typeof calls.listPitStages> = ({ query }, ctx) => pitStages(ctx, query)

/** Reported excavation stages, newest first. */
export async function pitStages(
  ctx: ListContext,
  query: { projectCode: string; pitName?: string | undefined; page: number; size: number },
): Promise<{ list: calls.PitStage[]; total: number }> {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from pit_stage s
    where ${allOf(...inProjects('s.project_code', projectsFor(ctx, query.projectCode)), ...equals('s.pit_name', query.pitName))}
    order by s.at desc, s.id limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => toStage(row)), total: rows[0]?.total ?? 0 }
}

const reportPitStage: HandlerOf<typeof calls.reportPitStage> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  const now = ctx.clock.now()
  const at = body.at === null ? now : (parseInstant(body.at) ?? now)
  if (at > now) throw new AppError('invalidInput', '工况时间不能晚于现在', { field: 'at' })
  const id = ctx.newId()
  await sql`insert into pit_stage (id, project_code, pit_name, at, depth, note, create_by)
    values (${id}, ${projectCode}, ${body.pitName}, ${new Date(at)}, ${body.depth}, ${body.note}, ${ctx.user.name})`.execute(ctx.db)
  ctx.note(`上报工况 ${body.pitName} 挖至 ${body.depth} m`, id)
  return { id, projectCode, pitName: body.pitName, at, depth: body.depth, note: body.note, createBy: ctx.user.name }
}
