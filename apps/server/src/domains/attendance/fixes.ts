import { type Correction, type CorrectionKind, correctionKinds, keyPosts } from '@zhugong/contract/attendance/facts'
import {
  type actOnFix,
  type createFix,
  type FixRole,
  type FixRow,
  fixRoles,
  fixStates,
  type getFix,
  type listFixes,
  oftenPerMonth,
} from '@zhugong/contract/attendance/fix-endpoints'
import type { SettingVersion } from '@zhugong/contract/attendance/setting-model'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { partTypes } from '@zhugong/contract/labour/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import { at, resultText } from './day-list.ts'
import { markDays, markEverybody } from './dirty.ts'
import { affectedByEvent } from './engine/affected.ts'
import { incomplete, supplementWindow } from './engine/corrections.ts'
import { computeDays } from './engine/day.ts'
import { addDays, dateOf, datesFrom } from './engine/time.ts'
import { calendarOf, versionOn } from './engine/work-day.ts'
import { findFacts, findStays, findVersions } from './facts-store.ts'
import { chainFixes } from './fix-chain.ts'
import { recomputeDirty } from './recompute.ts'
import type { Approval, CorrectionValue } from './tables.ts'

type Parsed<E> = E extends { types?: { parsed: infer P } } ? NonNullable<P> : never
type ListQuery = Parsed<typeof listFixes>['query']
type Asking = Parsed<typeof createFix>
type Wanted = Asking['body']

type Raw = Row<'attendanceCorrection'> & {
  name: string | null
  corpName: string | null
  teamName: string | null
  projectName: string | null
  post: string | null
  inMonth: number
}

const isAboutRecord = (kind: CorrectionKind) => kind === 'void' || kind === 'direction' || kind === 'assign' || kind === 'release'

/** Corrections with names; `in_month` counts the same person's that wait or hold. */
const fixesWithPeople = sql`
  select x.*, w.worker_name as name, w.post, c.corp_name, t.team_name, p.name as project_name,
    (select count(*)::int from attendance_correction o where o.project_code = x.project_code and o.worker_id = x.worker_id
      and o.state in ('1', '2') and to_char(o.work_day, 'YYYY-MM') = to_char(x.work_day, 'YYYY-MM')) as in_month
  from attendance_correction x join project p on p.project_code = x.project_code
    left join lateral (select * from project_worker w where w.project_code = x.project_code and w.worker_id = x.worker_id
      order by w.exit_time is not null, w.entry_time desc limit 1) w on true
    left join corporation c on c.corp_code = x.corp_code left join team t on t.id = w.team_id`

export function fixConditions(query: Partial<ListQuery>, projects: readonly string[] | undefined): Condition {
  return allOf(
    ...inProjects('x.projectCode', projects),
    ...anyOf('x.kind', query.kind),
    ...anyOf('x.state', query.state),
    ...contains('x.name', query.name),
    ...equals('x.workerId', query.workerId),
    ...daysBetween('x.workDay', query.workDay),
    ...(query.month ? [condition(sql`to_char(x.work_day, 'YYYY-MM') = ${query.month}`)] : []),
  )
}

/** 待审: the one condition of list, strip and the closing of a month. */
export const isWaitingFix = (alias: string): Condition => condition(sql`${sql.ref(`${alias}.state`)} = ${fixStates.waiting}`)

export async function findFixes(ctx: ListContext, query: ListQuery): Promise<Raw[]> {
  const { limit, offset } = pageSlice(query)
  const by = query.sort
    ? orderBy(query.sort, { requestedAt: 'x.requestedAt!', workDay: 'x.workDay', name: 'x.name', state: 'x.state' }, '-requestedAt', 'x.id')
    : sql`(x.state = ${fixStates.waiting}) desc, x.requested_at desc, x.id`
  const { rows } = await sql<Raw>`
    select * from (${fixesWithPeople}) x where ${fixConditions(query, projectsFor(ctx, query.projectCode))}
    order by ${by} limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows
}
export async function countFixes(ctx: ListContext, query: Partial<ListQuery>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${fixesWithPeople}) x where ${fixConditions(query, projectsFor(ctx, query.projectCode))}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

export async function fixPage(ctx: Context, query: ListQuery) {
  const rows = await findFixes(ctx, query)
  const role = await rolesOf(ctx, [...new Set(rows.map((r) => r.projectCode))])
  const list = rows.map((r) => toFix(ctx, r, role.get(r.projectCode)))
  return {
    list: query.mine ? list.filter((f) => f.actions.includes('pass')) : list,
    total: await countFixes(ctx, query),
    waiting: await countFixes(ctx, { projectCode: query.projectCode, month: query.month, state: [fixStates.waiting] }),
  }
}

/** In whose name the caller speaks on a site: its own, the leading company's, or as supervisor or owner. None: he decides nothing there. */
async function rolesOf(ctx: Pick<Context, 'db' | 'group'>, projects: readonly string[]): Promise<Map<string, FixRole>> {
  if (ctx.group.type === groupTypes.project) return new Map([[ctx.group.code, 'site']])
  if (ctx.group.type !== groupTypes.corporation || projects.length === 0) return new Map()
  const { rows } = await sql<{ projectCode: string; corpType: string }>`
    select project_code, corp_type from project_corp
    where project_code = any (${[...projects]}) and corp_code = ${ctx.group.code} and exit_time is null`.execute(ctx.db)
  return new Map(
    rows.flatMap(({ projectCode, corpType }): [string, FixRole][] =>
      corpType === partTypes.leader
        ? [[projectCode, 'company']]
        : corpType === partTypes.supervisor || corpType === partTypes.owner
          ? [[projectCode, 'review']]
          : [],
    ),
  )
}

const missingOf = (r: Pick<Raw, 'needs' | 'approvals'>): string[] =>
  r.needs.filter((role) => !(r.approvals ?? []).some((a) => a.role === role && a.result === 'pass'))

export function toFix(ctx: Pick<Context, 'codes' | 'user' | 'secrets' | 'clock'>, r: Raw, role: FixRole | undefined): FixRow {
  const value = r.value as CorrectionValue
  const missing = missingOf(r)
  const waits = r.state === fixStates.waiting
  const spoke = (r.approvals ?? []).some((a) => a.by === ctx.user.id)
  const may =
    waits && role !== undefined && missing.includes(role) && ctx.codes.has('attendance.approve') && r.requestedBy !== ctx.user.id && !spoke
  return {
    id: r.id,
    projectCode: r.projectCode,
    projectName: r.projectName,
    kind: r.kind,
    kindName: correctionKinds[r.kind as CorrectionKind] ?? r.kind,
    state: r.state,
    stateName: dictName('approvalState', r.state),
    workerId: r.workerId,
    name: r.name,
    corpName: r.corpName,
    teamName: r.teamName,
    workDay: r.workDay,
    time: value.time === null || value.time === undefined ? null : formatInstant(value.time),
    direction: value.direction ?? null,
    fromDay: value.fromDay ?? null,
    toDay: value.toDay ?? null,
    target: value.target ?? null,
    reason: r.reason,
    files: linksOf(ctx, r.files),
    requestedName: r.requestedName,
    requestedAt: formatInstant(r.requestedAt),
    approvedName: r.approvedName,
    approvedAt: at(r.approvedAt),
    needs: r.needs,
    missing,
    approvals: (r.approvals ?? []).map((a) => ({
      role: a.role,
      name: a.name,
      at: formatInstant(a.at),
      opinion: a.opinion,
      result: a.result,
    })),
    inMonth: r.inMonth,
    often: r.inMonth > oftenPerMonth,
    keyPost: r.post !== null && Object.hasOwn(keyPosts, r.post),
    seq: r.seq,
    actions: [...(may ? (['pass', 'reject'] as const) : []), ...(waits && r.requestedBy === ctx.user.id ? (['withdraw'] as const) : [])],
    version: r.version,
  }
}

async function getRaw(ctx: Context, id: string, asked?: string): Promise<Raw> {
  const { rows } = await sql<Raw>`
    select * from (${fixesWithPeople}) x where x.id = ${id} and ${allOf(...inProjects('x.projectCode', projectsFor(ctx, asked)))}`.execute(
    ctx.db,
  )
  return found(rows[0], '考勤更正')
}

export async function fixDetail(ctx: Context, { params, query }: Parsed<typeof getFix>) {
  const raw = await getRaw(ctx, params.id, query.projectCode)
  const role = await rolesOf(ctx, [raw.projectCode])
  return { ...toFix(ctx, raw, role.get(raw.projectCode)), days: await beforeAndAfter(ctx, raw) }
}

/** Days a preview shows at most: of a long leave its beginning. */
const shownDays = 14

/** The days as they are and as they would be, by the very engine that will count them. */
async function beforeAndAfter(ctx: Context, raw: Raw) {
  const { workerId, workDay, projectCode } = raw
  if (!workerId || !workDay) return []
  const value = raw.value as CorrectionValue
  const from = value.fromDay ?? addDays(workDay, -1)
  const to = value.toDay ?? addDays(workDay, 1)
  const last = to > addDays(from, shownDays - 1) ? addDays(from, shownDays - 1) : to
  const now = ctx.clock.now()
  const { facts } = await findFacts(ctx.db, projectCode, { from, to: last }, now, [workerId])
  const own = facts.get(workerId)
  if (!own) return []
  const others = own.corrections.filter((c) => c.id !== raw.id)
  const this_: Correction = {
    id: raw.id,
    kind: raw.kind as CorrectionKind,
    state: fixStates.passed,
    requestedBy: raw.requestedBy,
    requestedAt: raw.requestedAt.getTime(),
    approvedBy: '-',
    approvedAt: now,
    byCompany: true,
    workerId,
    ...value,
  }
  const before = computeDays({ ...own, corrections: others }, from, last)
  const after = new Map(computeDays({ ...own, corrections: [...others, this_] }, from, last).map((d) => [d.workDay, d]))
  return before.flatMap((b) => {
    const a = after.get(b.workDay)
    return a ? [{ workDay: b.workDay, before: figuresOf(b), after: figuresOf(a) }] : []
  })
}
const figuresOf = (d: {
  firstIn: number | null
  lastOut: number | null
  workHours: number
  attendDay: number
  results: readonly number[]
}) => ({
  firstIn: d.firstIn === null ? null : formatInstant(d.firstIn),
  lastOut: d.lastOut === null ? null : formatInstant(d.lastOut),
  workHours: d.workHours,
  attendDay: d.attendDay,
  results: [...d.results],
  resultText: resultText(d.results),
})

// ---------- asking

interface Asked {
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

export async function askFix(ctx: Context, { query, body }: Asking) {
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
  const versions = await findVersions(ctx.db, projectCode)
  const asked = await concerning(ctx, projectCode, body, value, versions)
  const files = await keptFiles(ctx, fileIdsOf(body.files))
  const { supplementDays } = versionOn(versions, dateOf(now)).setting
  const needed = new Set<string>()
  const remarks = new Set<string>()
  const ids: string[] = []
  for (const one of asked) {
    const window = supplementWindow(body.kind, one.workDay, now, supplementDays)
    if (!window.within) remarks.add(window.until ? `已过补录期限（可申请至 ${window.until}），须经企业同意` : '本项目的更正均须经企业同意')
    const keyPost = one.post !== null && Object.hasOwn(keyPosts, one.post)
    if (keyPost) remarks.add('关键岗位的更正须经监理或建设单位同意')
    const needs: FixRole[] = ['site', ...(window.within ? [] : (['company'] as const)), ...(keyPost ? (['review'] as const) : [])]
    for (const role of needs) needed.add(role)
    const id = ctx.newId()
    ids.push(id)
    await ctx.db
      .insertInto('attendanceCorrection')
      .values({
        id,
        projectCode,
        workerId: one.workerId,
        corpCode: one.corpCode,
        kind: body.kind,
        state: fixStates.waiting,
        value: JSON.stringify(one.value),
        requestedBy: ctx.user.id,
        requestedName: ctx.user.name,
        requestedAt: new Date(now),
        approvedBy: null,
        approvedName: null,
        approvedAt: null,
        workDay: one.workDay,
        reason: body.reason,
        files: JSON.stringify(files),
        needs,
        approvals: JSON.stringify([]),
        salt: null,
        seq: null,
        createTime: new Date(now),
      })
      .execute()
  }
  ctx.note(`申请${correctionKinds[body.kind]} ${ids.length} 条`, ids[0])
  return { ids, needs: [...needed], remark: [...remarks].join('；') || `等待${fixRoles.site}审批` }
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

/** Whom and which work day it is about; refuses what nobody could approve. */
async function concerning(
  ctx: Context,
  projectCode: string,
  body: Wanted,
  value: CorrectionValue,
  versions: readonly SettingVersion[],
): Promise<Asked[]> {
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

async function ofRecord(ctx: Context, projectCode: string, body: Wanted, value: CorrectionValue): Promise<Asked> {
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

async function ofRevoked(ctx: Context, projectCode: string, value: CorrectionValue): Promise<Asked> {
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

// ---------- deciding

export async function decideFix(ctx: Context, { params, query, body }: Parsed<typeof actOnFix>) {
  const before = await getRaw(ctx, params.id, query.projectCode)
  const locked = await ctx.db.selectFrom('attendanceCorrection').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst()
  if (!locked || locked.version !== body.version) throw new AppError('refused', '此更正已有变化，请刷新后再办理')
  if (locked.state !== fixStates.waiting) throw new AppError('refused', '此更正已办结')
  const { projectCode } = locked
  const role = (await rolesOf(ctx, [projectCode])).get(projectCode)
  const now = new Date(ctx.clock.now())
  const kindName = correctionKinds[locked.kind as CorrectionKind]
  if (body.action === 'withdraw') {
    if (locked.requestedBy !== ctx.user.id) throw new AppError('refused', '只有申请人可以撤回')
    await set(ctx, locked, { state: fixStates.withdrawn })
    ctx.note(`撤回${kindName}`, locked.id)
    return fixAfter(ctx, params.id)
  }
  if (!ctx.codes.has('attendance.approve'))
    throw new AppError('forbidden', '您没有此项权限（attendance.approve）', { code: 'attendance.approve' })
  if (locked.requestedBy === ctx.user.id) throw new AppError('refused', '审批人不能是申请人')
  const missing = missingOf(locked)
  if (!role || !missing.includes(role))
    throw new AppError('refused', `此更正等待${missing.map((m) => fixRoles[m as FixRole]).join('、')}审批`)
  if ((locked.approvals ?? []).some((a) => a.by === ctx.user.id)) throw new AppError('refused', '同一人不能审批两次')
  if (body.action === 'reject' && (body.opinion ?? '').trim().length < 2)
    throw new AppError('invalidInput', '请填写驳回原因', { field: 'opinion' })
  const word: Approval = {
    role,
    by: ctx.user.id,
    name: ctx.user.name,
    at: now.getTime(),
    opinion: body.opinion ?? '',
    result: body.action,
  }
  const approvals = [...(locked.approvals ?? []), word]
  const left = missing.filter((m) => m !== role)
  const state = body.action === 'reject' ? fixStates.rejected : left.length === 0 ? fixStates.passed : fixStates.waiting
  await set(ctx, locked, {
    state,
    approvals: JSON.stringify(approvals),
    ...(state === fixStates.passed
      ? { approvedBy: ctx.user.id, approvedName: ctx.user.name, approvedAt: now, byCompany: approvals.some((a) => a.role === 'company') }
      : {}),
  })
  ctx.note(`${body.action === 'pass' ? '同意' : '驳回'}${kindName}`, locked.id)
  if (state === fixStates.passed) {
    await markFix(ctx, before)
    // The ledger is nobody's to write but the product's own: the entry follows at once, and the days with it.
    ctx.afterCommit(async () => {
      await chainFixes(ctx.system, ctx.clock)
      await recomputeDirty(ctx.system, ctx.clock)
    })
  }
  return fixAfter(ctx, params.id)
}

async function set(ctx: Context, row: Row<'attendanceCorrection'>, part: Partial<Record<string, unknown>>) {
  await ctx.db
    .updateTable('attendanceCorrection')
    .set({ ...part, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute()
}

async function fixAfter(ctx: Context, id: string): Promise<FixRow> {
  const raw = await getRaw(ctx, id)
  return toFix(ctx, raw, (await rolesOf(ctx, [raw.projectCode])).get(raw.projectCode))
}

/** A48: the days it may change are counted anew, in the same transaction. */
async function markFix(ctx: Context, fix: Raw): Promise<void> {
  const value = fix.value as CorrectionValue
  const first = value.fromDay ?? fix.workDay ?? dateOf(fix.requestedAt.getTime())
  const last = value.toDay ?? (value.time === null ? first : dateOf(value.time))
  const range = affectedByEvent(first, last)
  // What is taken back had a period of its own.
  const reach = fix.kind === 'revoke' ? await revokedRange(ctx, value.target ?? '', range) : range
  if (fix.workerId === null) await markEverybody(ctx.db, fix.projectCode, reach)
  else
    await markDays(
      ctx.db,
      fix.projectCode,
      [...datesFrom(reach.from, reach.to)].map((day) => [fix.workerId!, day] as const),
    )
}

async function revokedRange(ctx: Context, id: string, range: { from: string; to: string }) {
  const row = await ctx.db.selectFrom('attendanceCorrection').select(['value', 'workDay']).where('id', '=', id).executeTakeFirst()
  const value = row?.value as CorrectionValue | undefined
  return value?.fromDay && value.toDay ? affectedByEvent(value.fromDay, value.toDay) : range
}
