import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/formwork/pour-advice'
import { sql } from 'kysely'
import { oneProject, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { findDeviceRows } from '../shared/devices.ts'
import { bayOf } from './formwork.ts'

export function pourAdviceRoutes(serve: Serve): void {
  serve(calls.listPourAdvice, listPourAdvice)
  serve(calls.advisePour, advisePour)
}

const listPourAdvice: HandlerOf<typeof calls.listPourAdvice> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Omit<calls.PourAdvice, 'at'> & { at: Date; total: number }>`
    select a.id, a.project_code, a.bay_name, a.text, a.by_name, a.at, count(*) over ()::int as total,
      not exists (select 1 from pour_step s where s.project_code = a.project_code and s.bay_name = a.bay_name and s.kind = 'start' and s.at > a.at) as is_open
    from pour_advice a where ${allOf(...inProjects('a.project_code', projectsFor(ctx, query.projectCode)), ...equals('a.bay_name', query.bayName))}
    order by a.at desc, a.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => ({ ...row, at: row.at.getTime() })), total: rows[0]?.total ?? 0 }
}

const advisePour: HandlerOf<typeof calls.advisePour> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await findDeviceRows(ctx.db, 'highFormwork', [projectCode])
  if (!rows.some((row) => bayOf(row) === body.bayName)) throw new AppError('invalidInput', '没有这个浇筑部位', { field: 'bayName' })
  const id = ctx.newId()
  await sql`insert into pour_advice (id, project_code, bay_name, text, by_name, at)
    values (${id}, ${projectCode}, ${body.bayName}, ${body.text}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db)
  ctx.note(`${body.bayName} 浇筑建议：${body.text}`, id)
  return { id }
}
