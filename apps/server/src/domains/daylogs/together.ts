import { logWriter, submittedLog } from '@zhugong/contract/daylogs/moves'
import type { handleSafetyLogs } from '@zhugong/contract/daylogs/safety-log'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import { condition } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import { tellKeepers } from '../notify/public.ts'
import { offersFor, take } from '../process/public.ts'
import { readLog, safetyLogKind } from './kind.ts'
import { marksOf } from './marks.ts'
import { daysOf } from './matrix.ts'

type Body = ParsedFor<typeof handleSafetyLogs>['body']

/** 催报: tells the sites that owe a log of this day; each is told once a day by a group. */
export async function remind(ctx: Context, { projects, day }: Extract<Body, { action: 'remind' }>) {
  const today = formatDay(ctx.clock.now())
  if (day > today) throw new AppError('invalidInput', '日期不能晚于今天', { field: 'day' })
  const codes = [...new Set(projects)]
  for (const code of codes) await seesProject(ctx, code)
  const { rows } = await sql<{ projectCode: string; mark: string }>`select t.project_code, t.mark
    from (${marksOf(condition(sql`p.project_code = any (${codes})`), day, day, today)}) t`.execute(ctx.db)
  let done = 0
  for (const { projectCode, mark } of rows) {
    if (mark !== 'm' && mark !== 't') continue
    const at = new Date(ctx.clock.now())
    const made = await sql`insert into day_log_urge (id, project_code, day, group_id, group_name, by_name, at)
      values (${ctx.newId()}, ${projectCode}, ${day}::date, ${ctx.group.id}, ${ctx.group.name}, ${ctx.user.name}, ${at})
      on conflict (project_code, day, group_id) do update set by_name = excluded.by_name, at = excluded.at
        where (day_log_urge.at at time zone 'Asia/Shanghai')::date < ${today}::date returning id`.execute(ctx.db)
    if (made.rows.length === 0) continue
    done++
    await tellKeepers(ctx, {
      projectCode,
      corpCode: null,
      code: logWriter,
      title: '催报安全日志',
      text: `${ctx.group.name}催报 ${day} 的安全日志`,
      link: `/safetyP/log/create?day=${day}`,
      kind: 'safetyPLog',
    })
  }
  ctx.note(`催报安全日志 ${day}`, codes)
  return { done, skipped: codes.length - done }
}

/** 归档 of every submitted log of a month; those with an unanswered comment stay open. */
export async function archiveMonth(ctx: Context, requested: string, month: string) {
  const projectCode = oneProject(ctx, requested)
  await seesProject(ctx, projectCode)
  const [first, last] = daysOf(month)
  const { rows } = await sql<{ id: string; version: number }>`select id, version from day_log
    where kind = 'safetyPLog' and project_code = ${projectCode} and state = ${submittedLog} and day between ${first}::date and ${last}::date order by day`.execute(
    ctx.db,
  )
  let done = 0
  for (const { id, version } of rows) {
    if (!offersFor(ctx, safetyLogKind, await readLog(ctx, 'safetyPLog', id)).some((one) => one.action === 'archive')) continue
    await take(ctx, safetyLogKind, { id, action: 'archive', version }, async () => ({}))
    done++
  }
  if (done === 0) throw new AppError('refused', rows.length === 0 ? '本月没有待归档的日志' : '本月的日志有未回复的批阅，或您无权归档')
  return { done, skipped: rows.length - done }
}
