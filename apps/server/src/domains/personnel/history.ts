import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import type { ResumeRow } from '@zhugong/contract/personnel/career-model'
import * as contract from '@zhugong/contract/personnel/careers'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { getHeldWorker, getSeenWorker, madeBy } from './store.ts'

/** Employment history: stays on the platform, and entries from the worker. */
export function historyRoutes(serve: Serve) {
  serve(contract.workerHistory, workerHistory)
  serve(contract.saveHistory, saveHistory)
  serve(contract.removeHistory, removeHistory)
}

export const workerHistory: HandlerOf<typeof contract.workerHistory> = async ({ params }, ctx) => {
  const { until } = await getSeenWorker(ctx, params.id)
  const today = formatDay(ctx.clock.now())
  const rows = withOverlaps([...(await staysOf(ctx, ctx.system, params.id, until)), ...(await ownOf(ctx, params.id, until))], today)
  return {
    list: rows,
    total: rows.length,
    projects: new Set(rows.map((r) => r.projectName)).size,
    attendDays: rows.reduce((sum, r) => sum + (r.attendDays ?? 0), 0),
    longestDays: Math.max(0, ...rows.map((r) => daysOf(r, today))),
    idleMonths: idleMonths(rows, today),
  }
}

/** The career visible to the caller, without the details of other companies' projects. */
export async function careerOf(ctx: Pick<Context, 'db' | 'clock'>, workerId: string, until: Date | null): Promise<ResumeRow[]> {
  const rows = [...(await staysOf(ctx, ctx.db, workerId, until)), ...(await ownOf(ctx, workerId, until))]
  return withOverlaps(rows, formatDay(ctx.clock.now()))
}

const saveHistory: HandlerOf<typeof contract.saveHistory> = async ({ params, body }, ctx) => {
  await getHeldWorker(ctx, body.workerId)
  const known = await ctx.db.selectFrom('workerResume').select('workerId').where('id', '=', params.id).executeTakeFirst()
  if (known && known.workerId !== body.workerId) throw new AppError('notFound', '从业经历不存在或已删除')
  if (known) await ctx.db.updateTable('workerResume').set(body).where('id', '=', params.id).execute()
  else {
    const stay = await ctx.db.selectFrom('projectWorker').select('id').where('id', '=', params.id).executeTakeFirst()
    if (stay) throw new AppError('refused', '由进退场记录生成的经历不能修改')
    await ctx.db
      .insertInto('workerResume')
      .values({ ...body, id: params.id, createBy: ctx.user.id })
      .execute()
  }
  ctx.note('保存从业经历', body.workerId)
  return undefined
}

export const removeHistory: HandlerOf<typeof contract.removeHistory> = async ({ params }, ctx) => {
  const row = await ctx.db.selectFrom('workerResume').select('workerId').where('id', '=', params.id).executeTakeFirst()
  if (!row) throw new AppError('refused', '由进退场记录生成的经历不能删除')
  await getHeldWorker(ctx, row.workerId)
  await ctx.db.deleteFrom('workerResume').where('id', '=', params.id).execute()
  ctx.note('删除从业经历', params.id)
  return undefined
}

/**
 * Stays out of scope show project, trade and time only; their terms belong to other companies. A former owner gets nothing later than
 * `until`.
 */
async function staysOf(ctx: Pick<Context, 'db'>, from: Db, workerId: string, until: Date | null): Promise<Omit<ResumeRow, 'overlaps'>[]> {
  const mine = await ctx.db.selectFrom('projectWorker').select('id').where('workerId', '=', workerId).execute()
  const seen = new Set(mine.map((r) => r.id))
  const { rows } = await sql<{
    id: string
    projectName: string
    corpName: string | null
    teamName: string | null
    workType: string | null
    post: string | null
    entryTime: Date
    exitTime: Date | null
    exitReason: string | null
    attendDays: number
  }>`
    select w.id, p.name as project_name, c.corp_name, t.team_name, w.work_type, w.post, w.entry_time, w.exit_time, w.exit_reason,
      (select count(*)::int from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id and d.attend_day > 0
        and d.work_day >= w.entry_time::date and (w.exit_time is null or d.work_day <= w.exit_time::date)) as attend_days
    from project_worker w join project p using (project_code) left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
    where w.worker_id = ${workerId} and (${until}::timestamptz is null or w.entry_time <= ${until}::timestamptz)
    order by w.entry_time desc, w.id`.execute(from)
  return rows.map((w, i) => {
    const own = seen.has(w.id)
    return {
      id: own ? w.id : `elsewhere-${i + 1}`,
      source: own ? ('platform' as const) : ('foreign' as const),
      projectName: w.projectName,
      corpName: own ? w.corpName : null,
      teamName: own ? w.teamName : null,
      workType: w.workType,
      workTypeName: w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post),
      entryTime: formatDay(w.entryTime),
      exitTime: w.exitTime && (!until || w.exitTime <= until) ? formatDay(w.exitTime) : null,
      exitReasonName: own ? dictName('exitReason', w.exitReason) : null,
      attendDays: own ? w.attendDays : null,
      evaluate: null,
    }
  })
}

async function ownOf(ctx: Pick<Context, 'db'>, workerId: string, until: Date | null): Promise<Omit<ResumeRow, 'overlaps'>[]> {
  const rows = await ctx.db.selectFrom('workerResume').selectAll().where('workerId', '=', workerId).where(madeBy(until)).execute()
  return rows.map((r) => ({
    ...pick(r, 'id', 'projectName', 'corpName', 'teamName', 'workType', 'entryTime', 'exitTime', 'evaluate'),
    source: 'own' as const,
    workTypeName: dictName('workerType', r.workType),
    exitReasonName: null,
    attendDays: null,
  }))
}

type Span = Pick<ResumeRow, 'entryTime' | 'exitTime'>
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)
const daysOf = (s: Span, today: string) => Math.round((at(s.exitTime ?? today) - at(s.entryTime)) / dayMs) + 1

function withOverlaps(rows: readonly Omit<ResumeRow, 'overlaps'>[], today: string): ResumeRow[] {
  const end = (s: Span) => s.exitTime ?? today
  return [...rows]
    .sort((a, b) => (a.entryTime < b.entryTime ? 1 : -1))
    .map((row) => ({ ...row, overlaps: rows.some((o) => o.id !== row.id && o.entryTime < end(row) && row.entryTime < end(o)) }))
}

/** Months between the first entry and today that no stay covers. */
function idleMonths(rows: readonly Span[], today: string): number {
  const first = rows.map((r) => r.entryTime).sort()[0]
  if (!first) return 0
  const index = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  const busy = new Set(
    rows.flatMap((r) => {
      const from = index(r.entryTime)
      return Array.from({ length: index(r.exitTime ?? today) - from + 1 }, (_, i) => from + i)
    }),
  )
  return index(today) - index(first) + 1 - busy.size
}
