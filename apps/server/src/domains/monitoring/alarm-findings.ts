import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/alarm-findings'
import { findingKinds, noFinding } from '@zhugong/contract/monitoring/finding-kinds'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'

/** Findings and decisions about alarms; they do not change the alarm. */
export function alarmFindingRoutes(serve: Serve): void {
  serve(calls.listFindings, listFindings)
  serve(calls.stateFinding, stateFinding)
}

interface Row extends Omit<calls.AlarmFinding, 'at'> {
  at: Date
}

const listFindings: HandlerOf<typeof calls.listFindings> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select f.id, f.project_code, f.alarm_id, f.code, f.text, f.person, f.every_hours, f.files, f.by_name, f.by_group, f.at, count(*) over ()::int as total
    from alarm_finding f
    where ${allOf(...inProjects('f.project_code', projectsFor(ctx, query.projectCode)), ...equals('f.alarm_id', query.alarmId))}
    order by f.at desc, f.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({ ...row, at: row.at.getTime(), files: linksOf(ctx, row.files) })),
    total: rows[0]?.total ?? 0,
  }
}

const stateFinding: HandlerOf<typeof calls.stateFinding> = async ({ query, body }, ctx) => {
  const { rows } = await sql<{ projectCode: string; deviceName: string; label: string; family: string; alarmKey: string; said: number }>`
    select a.project_code, a.device_name, a.label, a.family, a.alarm_key, (select count(*)::int from alarm_finding f where f.alarm_id = a.id) as said
    from alarm a where ${allOf(...equals('a.id', body.alarmId), ...inProjects('a.project_code', projectsFor(ctx, query.projectCode)))}`.execute(
    ctx.db,
  )
  const [alarm] = rows
  if (!alarm) throw new AppError('invalidInput', '告警不属于所选项目', { field: 'alarmId' })
  const kind = findingKinds[alarm.family]
  if (!kind || noFinding.includes(alarm.alarmKey)) throw new AppError('refused', '这类告警不登记原因或决定', { field: 'alarmId' })
  const name = Object.hasOwn(kind.codes, body.code) ? kind.codes[body.code] : undefined
  if (name === undefined) throw new AppError('invalidInput', `类别应为${Object.values(kind.codes).join('、')}之一`, { field: 'code' })
  if (kind.decides && body.person === null) throw new AppError('invalidInput', '请填写责任人', { field: 'person' })
  if (body.code === 'denser' && body.everyHours === null) throw new AppError('invalidInput', '加密监测应填写间隔', { field: 'everyHours' })
  if (alarm.said >= calls.mostFindings) throw new AppError('refused', `一条告警最多登记 ${calls.mostFindings} 次`)
  const id = ctx.newId()
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  const [person, everyHours] = kind.decides ? [body.person, body.everyHours] : [null, null]
  await sql`insert into alarm_finding (id, project_code, alarm_id, code, text, person, every_hours, files, by_name, by_group, at)
    values (${id}, ${alarm.projectCode}, ${body.alarmId}, ${body.code}, ${body.text}, ${person}, ${everyHours}, ${files}::text[], ${ctx.user.name},
      ${ctx.group.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db)
  ctx.note(`${kind.verb} ${alarm.deviceName} ${alarm.label}：${name}，${body.text}`, id)
  return { id }
}
