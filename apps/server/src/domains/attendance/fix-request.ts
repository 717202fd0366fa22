import { type Correction, type CorrectionKind, correctionKinds, directions, keyPosts } from '@zhugong/contract/attendance/facts'
import { type createFix, fixRoles, fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import type { SettingVersion } from '@zhugong/contract/attendance/setting-model'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import { pick } from '#kit/pick'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { startFlow } from '../workflow/public.ts'
import { incomplete, supplementWindow } from './engine/corrections.ts'
import { dateOf } from './engine/time.ts'
import { calendarOf, versionOn } from './engine/work-day.ts'
import { findStays, findVersions } from './facts-store.ts'
import { flowStart } from './fix-flow.ts'
import { isAboutRecord } from './fix-rows.ts'
import type { CorrectionValue } from './tables.ts'

type FixInput = ParsedFor<typeof createFix>

type Wanted = FixInput['body']

interface FixRequest {
  workerId: string | null
  corpCode: string | null
  workDay: string
  value: CorrectionValue
  post: string | null
}

const emptyValue: CorrectionValue = {
  target: null,
  time: null,
  direction: null,
  fromDay: null,
  toDay: null,
  gate: null,
  fromTime: null,
  toTime: null,
  shiftMs: null,
}

export async function askFix(ctx: Context, { query, body }: FixInput) {
  const projectCode = oneProject(ctx, query.projectCode)
  const time = body.time === undefined ? null : (parseInstant(body.time) ?? null)
  const now = ctx.clock.now()
  if (time !== null && time > now) throw new AppError('invalidInput', '补卡时间不能晚于现在', { field: 'time' })
  const value: CorrectionValue = {
    ...emptyValue,
    target: body.target ?? null,
    time,
    direction: body.direction ?? null,
    fromDay: body.fromDay ?? null,
    toDay: body.toDay ?? body.fromDay ?? null,
  }
  const wrong = incomplete({ ...blank, ...value, kind: body.kind })
  if (wrong) throw new AppError('invalidInput', wrong, { field: fieldOf(body.kind) })
  const left = leftTimeOf(body, time, now)
  const versions = await findVersions(ctx.db, projectCode)
  const first = await concerning(ctx, projectCode, body, value, versions)
  const requested =
    left === undefined ? first : first.flatMap((one) => [one, { ...one, value: { ...one.value, time: left, direction: directions.out } }])
  await requireNew(ctx, projectCode, body.kind, requested)
  const files = await keptFiles(ctx, fileIdsOf(body.files))
  const { supplementDays } = versionOn(versions, dateOf(now)).setting
  const needed = new Set<string>()
  // Shares the cache, because setting and approvers are the same for everyone with the same cause.
  const request: Context = { ...ctx, asked: ctx.asked ?? new Map() }
  const groupId = await siteGroup(ctx, projectCode)
  const remarks = new Set<string>()
  const ids: string[] = []
  for (const one of requested) {
    const window = supplementWindow(body.kind, one.workDay, now, supplementDays)
    if (!window.within) remarks.add(window.until ? `已过补录期限（可申请至 ${window.until}），须经企业同意` : '本项目的更正均须经企业同意')
    const keyPost = one.post !== null && Object.hasOwn(keyPosts, one.post)
    if (keyPost) remarks.add('关键岗位的更正须经监理或建设单位同意')
    const id = ctx.newId()
    ids.push(id)
    await ctx.db
      .insertInto('attendanceCorrection')
      .values({
        id,
        projectCode,
        ...pick(one, 'workerId', 'corpCode', 'workDay'),
        kind: body.kind,
        state: fixStates.waiting,
        value: JSON.stringify(one.value),
        requestedBy: ctx.user.id,
        requestedName: ctx.user.name,
        requestedAt: new Date(now),
        approvedBy: null,
        approvedName: null,
        approvedAt: null,
        reason: body.reason,
        files: JSON.stringify(files),
        needs: [],
        approvals: JSON.stringify([]),
        salt: null,
        seq: null,
        createTime: new Date(now),
      })
      .execute()
    const row = { ...one, id, kind: body.kind, projectCode, requestedAt: new Date(now) }
    const { steps } = await startFlow(request, await flowStart(ctx.db, row, { late: !window.within, keyPost }, groupId))
    const needs = steps.map((s) => s.key)
    await ctx.db.updateTable('attendanceCorrection').set({ needs }).where('id', '=', id).execute()
    for (const role of needs) needed.add(role)
  }
  ctx.note(`申请${correctionKinds[body.kind]} ${ids.length} 条`, ids[0])
  return { ids, needs: [...needed], remark: [...remarks].join('；') || `等待${fixRoles.site}审批` }
}

/** The exit time, if one request covers a whole day. Throws if entry and exit do not form a valid day. */
function leftTimeOf(body: Wanted, time: number | null, now: number): number | undefined {
  if (body.leftTime === undefined) return undefined
  const left = parseInstant(body.leftTime) ?? 0
  if (body.kind !== 'add' || body.direction !== directions.in || time === null)
    throw new AppError('invalidInput', '出场时间只与补入场一起填写', { field: 'leftTime' })
  if (left <= time) throw new AppError('invalidInput', '出场时间须晚于入场时间', { field: 'leftTime' })
  if (left - time >= dayMs) throw new AppError('invalidInput', '入场与出场须在 24 小时以内', { field: 'leftTime' })
  if (left > now) throw new AppError('invalidInput', '补卡时间不能晚于现在', { field: 'leftTime' })
  return left
}

const minute = (column: string) => sql`floor((${sql.ref(column)} ->> 'time')::bigint / 60000)`
/** Throws if a pending or approved correction is a duplicate: same minute and direction, same record, or overlapping period. */
async function requireNew(ctx: Context, projectCode: string, kind: CorrectionKind, request: readonly FixRequest[]): Promise<void> {
  // Serialises requests of the project, so that two cannot both pass the duplicate check.
  await sql`select pg_advisory_xact_lock(${fixLock}, hashtext(${projectCode}))`.execute(ctx.db)
  const wanted = JSON.stringify(request.map(({ workerId, value }) => ({ workerId, value })))
  const { rows } = await sql<{ name: string | null; state: string; requestedName: string | null; requestedAt: Date }>`
    select coalesce((select w.worker_name from project_worker w where w.project_code = x.project_code and w.worker_id = x.worker_id limit 1), '全项目') as name,
      x.state, x.requested_name, x.requested_at
    from jsonb_to_recordset(${wanted}::jsonb) as n("workerId" text, value jsonb)
    join attendance_correction x on x.project_code = ${projectCode} and x.kind = ${kind} and x.state in (${fixStates.waiting}, ${fixStates.passed})
      and x.worker_id is not distinct from n."workerId" and x.value ->> 'target' is not distinct from n.value ->> 'target'
      and x.value ->> 'direction' is not distinct from n.value ->> 'direction' and ${minute('x.value')} is not distinct from ${minute('n.value')}
      and (x.value ->> 'fromDay' is null or (x.value ->> 'fromDay' <= n.value ->> 'toDay' and x.value ->> 'toDay' >= n.value ->> 'fromDay'))
    where not exists (select 1 from attendance_correction r where r.project_code = x.project_code and r.kind = 'revoke'
      and r.state = ${fixStates.passed} and r.value ->> 'target' = x.id)
    order by x.requested_at limit 1`.execute(ctx.db)
  const same = rows[0]
  if (!same) return
  const since = `${same.requestedName ? `${same.requestedName} ` : ''}${formatInstant(same.requestedAt).slice(0, 16)} 已申请`
  throw new AppError(
    'refused',
    `${same.name}有相同的${correctionKinds[kind]}：${since}，${same.state === fixStates.waiting ? '正在审批' : '已生效'}`,
    {
      field: fieldOf(kind),
    },
  )
}
/** Class of the advisory lock; the project's hash is its second key. */
const fixLock = 4_803

async function siteGroup(ctx: Context, projectCode: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(ctx.system)
  return rows[0]?.id ?? ctx.group.id
}

const blank: Correction = {
  id: '',
  kind: 'add',
  state: fixStates.waiting,
  requestedBy: null,
  requestedAt: 0,
  approvedBy: null,
  approvedAt: null,
  byCompany: false,
  workerId: null,
  ...emptyValue,
}

const fieldOf = (kind: CorrectionKind) => (kind === 'leave' || kind === 'stopDay' ? 'fromDay' : kind === 'add' ? 'time' : 'target')

/** The person and work day concerned; throws if nobody could approve the correction. */
async function concerning(
  ctx: Context,
  projectCode: string,
  body: Wanted,
  value: CorrectionValue,
  versions: readonly SettingVersion[],
): Promise<FixRequest[]> {
  const { kind } = body
  if (kind === 'stopDay') return [{ workerId: null, corpCode: null, workDay: value.fromDay!, value, post: null }]
  if (kind === 'revoke') return [await ofRevoked(ctx, projectCode, value)]
  if (isAboutRecord(kind)) return [await ofRecord(ctx, projectCode, body, value)]
  if (body.workerIds.length === 0) throw new AppError('invalidInput', '请选择人员', { field: 'workerIds' })
  const stays = await findStays(ctx.db, projectCode, body.workerIds)
  return body.workerIds.map((workerId) => {
    const rows = stays.get(workerId)
    const calendar = rows && calendarOf(versions, rows)
    const workDay = value.fromDay ?? (calendar ? calendar.workDayOf(value.time!) : '')
    const stay = calendar?.stayOn(workDay)?.rows.at(-1)
    if (!rows || !stay) throw new AppError('refused', '所选人员当日不在场', { field: 'workerIds' })
    const row = rows.findLast((r) => r.entryTime === stay.entryTime) ?? rows.at(-1)!
    return { workerId, corpCode: row.corpCode, workDay, value, post: row.post }
  })
}

async function ofRecord(ctx: Context, projectCode: string, body: Wanted, value: CorrectionValue): Promise<FixRequest> {
  const event = await ctx.db
    .selectFrom('attendanceEvent')
    .select(['workerId', 'corpCode', 'workDay', 'quarantine', 'time'])
    .where('projectCode', '=', projectCode)
    .where('id', '=', body.target ?? '')
    .executeTakeFirst()
  const seen = found(event, '通行记录')
  if (body.kind === 'assign') {
    if (seen.workerId !== null) throw new AppError('refused', '只有陌生人记录可以认领', { field: 'target' })
    if (body.workerIds.length !== 1) throw new AppError('invalidInput', '请选择认领为谁', { field: 'workerIds' })
  } else if (seen.workerId === null) throw new AppError('refused', '陌生人的记录须先认领', { field: 'target' })
  if (body.kind === 'release' && seen.quarantine === null) throw new AppError('refused', '此记录没有被搁置', { field: 'target' })
  const workerId = body.kind === 'assign' ? body.workerIds[0]! : seen.workerId!
  const stays = await findStays(ctx.db, projectCode, [workerId])
  const row = stays.get(workerId)?.at(-1)
  if (!row) throw new AppError('refused', '人员不在本项目', { field: 'workerIds' })
  return { workerId, corpCode: row.corpCode, workDay: seen.workDay ?? dateOf(seen.time.getTime()), value, post: row.post }
}

async function ofRevoked(ctx: Context, projectCode: string, value: CorrectionValue): Promise<FixRequest> {
  const row = await ctx.db
    .selectFrom('attendanceCorrection')
    .selectAll()
    .where('projectCode', '=', projectCode)
    .where('id', '=', value.target ?? '')
    .executeTakeFirst()
  const target = found(row, '考勤更正')
  if (target.state !== fixStates.passed) throw new AppError('refused', '只有已通过的更正可以撤销', { field: 'target' })
  const { rows } = await sql<{ post: string | null }>`
    select post from project_worker where project_code = ${projectCode} and worker_id = ${target.workerId} order by entry_time desc limit 1`.execute(
    ctx.db,
  )
  return { workerId: target.workerId, corpCode: target.corpCode, workDay: target.workDay ?? '', value, post: rows[0]?.post ?? null }
}
