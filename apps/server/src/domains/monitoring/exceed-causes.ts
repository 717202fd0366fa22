import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/exceed-causes'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'

/** Causes of exceedances as entered by the site; they do not change the alarm. */
export function exceedCauseRoutes(serve: Serve): void {
  serve(calls.listCauses, listCauses)
  serve(calls.stateCause, stateCause)
}

interface Row extends Omit<calls.ExceedCause, 'at'> {
  at: Date
}

const listCauses: HandlerOf<typeof calls.listCauses> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select c.id, c.project_code, c.alarm_id, c.source, c.text, c.files, c.by_name, c.at, count(*) over ()::int as total from exceed_cause c
    where ${allOf(...inProjects('c.project_code', projectsFor(ctx, query.projectCode)), ...equals('c.alarm_id', query.alarmId))}
    order by c.at desc, c.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({ ...row, at: row.at.getTime(), files: linksOf(ctx, row.files) })),
    total: rows[0]?.total ?? 0,
  }
}

const stateCause: HandlerOf<typeof calls.stateCause> = async ({ query, body }, ctx) => {
  const { rows } = await sql<{ projectCode: string; deviceName: string; label: string; exceeds: boolean; said: number }>`
    select a.project_code, a.device_name, a.label, a.family = 'environment' and a.alarm_key <> all (${[...calls.noExceedance]}) as exceeds,
      (select count(*)::int from exceed_cause c where c.alarm_id = a.id) as said
    from alarm a where ${allOf(...equals('a.id', body.alarmId), ...inProjects('a.project_code', projectsFor(ctx, query.projectCode)))}`.execute(
    ctx.db,
  )
  const [alarm] = rows
  if (!alarm) throw new AppError('invalidInput', '告警不属于所选项目', { field: 'alarmId' })
  if (!alarm.exceeds) throw new AppError('refused', '只有扬尘与噪声超标需要说明原因', { field: 'alarmId' })
  if (alarm.said >= calls.mostCauses) throw new AppError('refused', `一条告警最多说明 ${calls.mostCauses} 次`)
  const id = ctx.newId()
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  await sql`insert into exceed_cause (id, project_code, alarm_id, source, text, files, by_name, at)
    values (${id}, ${alarm.projectCode}, ${body.alarmId}, ${body.source}, ${body.text}, ${files}::text[], ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
    ctx.db,
  )
  ctx.note(`说明超标原因 ${alarm.deviceName} ${alarm.label}：${calls.causeSources[body.source]}，${body.text}`, id)
  return { id }
}
