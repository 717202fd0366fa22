import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/environment/night-permits'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../../files/public.ts'
import { oneProject } from '../meter/meter-months.ts'

/** Night permits. They suppress no alarm: noise during a permit is marked and counted separately. */
export function nightPermitRoutes(serve: Serve): void {
  serve(calls.listNightPermits, listNightPermits)
  serve(calls.addNightPermit, addNightPermit)
  serve(calls.voidNightPermit, voidNightPermit)
}

interface Row extends Omit<calls.NightPermit, 'from' | 'until' | 'createTime' | 'voidAt' | 'active'> {
  fromTime: Date
  untilTime: Date
  createTime: Date
  voidAt: Date | null
}

const listNightPermits: HandlerOf<typeof calls.listNightPermits> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const now = ctx.clock.now()
  const holds = sql`(n.void_at is null and n.from_time <= ${new Date(now)} and n.until_time > ${new Date(now)})`
  const { rows } = await sql<Row & { total: number }>`
    select n.id, n.project_code, p.name as project_name, n.permit_no, n.issuer, n.scope, n.from_time, n.until_time, n.files, n.by_name, n.create_time,
      n.void_reason, n.void_by, n.void_at, count(*) over ()::int as total,
      (select count(*)::int from alarm a where a.project_code = n.project_code and a.alarm_key = 'noiseNight' and not a.simulated
        and a.start_time >= n.from_time and a.start_time < n.until_time) as noisy
    from night_permit n join project p on p.project_code = n.project_code
    where ${allOf(
      ...inProjects('n.project_code', projectsFor(ctx, query.projectCode)),
      ...(query.active === undefined ? [] : [condition(sql`${holds} = ${query.active}`)]),
    )} order by n.from_time desc, n.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, fromTime, untilTime, createTime, voidAt, ...row }) => ({
      ...row,
      from: fromTime.getTime(),
      until: untilTime.getTime(),
      createTime: createTime.getTime(),
      voidAt: voidAt?.getTime() ?? null,
      active: voidAt === null && fromTime.getTime() <= now && now < untilTime.getTime(),
      files: linksOf(ctx, row.files),
    })),
    total: rows[0]?.total ?? 0,
  }
}

const addNightPermit: HandlerOf<typeof calls.addNightPermit> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const now = ctx.clock.now()
  const from = parseInstant(body.from) ?? now
  const until = parseInstant(body.until) ?? now
  if (until <= from) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'until' })
  if (until - from > calls.longestPermitDays * dayMs)
    throw new AppError('invalidInput', `一张许可最长 ${calls.longestPermitDays} 天`, { field: 'until' })
  if (from < now - calls.permitPastDays * dayMs)
    throw new AppError('invalidInput', `只能补登 ${calls.permitPastDays} 天内的许可`, { field: 'from' })
  // Serializes concurrent entries, so that the same permit is stored once.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`night permit ${projectCode}`}, 0))`.execute(ctx.db)
  const { rows } =
    await sql`select 1 from night_permit where project_code = ${projectCode} and permit_no = ${body.permitNo} and void_at is null`.execute(
      ctx.db,
    )
  if (rows.length > 0) throw new AppError('refused', '这个编号的许可已登记', { field: 'permitNo' })
  const id = ctx.newId()
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  await sql`insert into night_permit (id, project_code, permit_no, issuer, scope, from_time, until_time, files, by_name, create_time)
    values (${id}, ${projectCode}, ${body.permitNo}, ${body.issuer}, ${body.scope}, ${new Date(from)}, ${new Date(until)}, ${files}::text[],
      ${ctx.user.name}, ${new Date(now)})`.execute(ctx.db)
  ctx.note(`登记夜间施工许可 ${body.permitNo}（${body.issuer}，${formatInstant(from)} 至 ${formatInstant(until)}）`, id)
  return { id }
}

const voidNightPermit: HandlerOf<typeof calls.voidNightPermit> = async ({ params, query, body }, ctx) => {
  const { rows } = await sql<{ permitNo: string; voidAt: Date | null }>`select n.permit_no, n.void_at from night_permit n
    where ${allOf(...equals('n.id', params.id), ...inProjects('n.project_code', projectsFor(ctx, query.projectCode)))} for update`.execute(
    ctx.db,
  )
  const [permit] = rows
  if (!permit) throw new AppError('notFound', '许可不存在')
  if (permit.voidAt) throw new AppError('refused', '这张许可已作废')
  await sql`update night_permit set void_reason = ${body.reason}, void_by = ${ctx.user.name}, void_at = ${new Date(ctx.clock.now())}
    where id = ${params.id}`.execute(ctx.db)
  ctx.note(`作废夜间施工许可 ${permit.permitNo}（${body.reason}）`, params.id)
}
