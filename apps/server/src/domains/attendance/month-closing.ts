import { createHash } from 'node:crypto'
import type { actOnMonth, MonthState } from '@zhugong/contract/attendance/fix-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, groupTypes, oneProject, requireCode } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { pick } from '#kit/pick'
import { runningDay } from './day-list.ts'
import { canonical } from './engine/ledger.ts'
import { datesOfMonth } from './engine/month.ts'
import { isWaitingFix } from './fix-rows.ts'
import { findSheet, type SheetContext } from './months.ts'
import type { ClosedRow } from './tables.ts'

type ActInput = NonNullable<(typeof actOnMonth)['types']>['parsed']
type Wanted = ActInput['body']
/** Number of rows read at a time. */
const slice = 1_000

/** The current sheet, in print order. */
export async function sheetOf(ctx: SheetContext, projectCode: string, month: string): Promise<ClosedRow[]> {
  const all: ClosedRow[] = []
  for (let page = 1; ; page++) {
    const { rows } = await findSheet(ctx, { projectCode, month, page, size: slice }, [projectCode])
    all.push(
      ...rows.map((r) => ({
        ...pick(r, 'workerId', 'name', 'corpCode', 'teamSysNo', 'teamName', 'attendDays', 'workHours', 'overtimeHours'),
      })),
    )
    if (rows.length < slice) return all
  }
}

/** A46: hash of a version, from days and hours by person and unit, without names; hours in tenths. */
export function sheetHash(projectCode: string, month: string, version: number, sheet: readonly ClosedRow[]): string {
  const lines = [...sheet]
    .map(
      (r) =>
        `${r.workerId}|${r.corpCode}|${r.teamSysNo ?? ''}|${r.attendDays}|${Math.round(r.workHours * 10)}|${Math.round(r.overtimeHours * 10)}`,
    )
    .sort()
  return createHash('sha256')
    .update(canonical({ lines: lines.join('\n'), month, projectCode, version }))
    .digest('hex')
}

const sum = (rows: readonly ClosedRow[], key: 'attendDays' | 'workHours') => Math.round(rows.reduce((n, r) => n + r[key], 0) * 10) / 10

export async function monthOf(ctx: Context, projectCode: string, month: string): Promise<MonthState> {
  const versions = await ctx.db
    .selectFrom('attendanceMonth')
    .selectAll()
    .where('projectCode', '=', projectCode)
    .where('month', '=', month)
    .orderBy('version', 'desc')
    .execute()
  const newest = versions[0]
  const closed = newest && newest.reopenedAt === null ? newest : undefined
  const sheet = await sheetOf(ctx, projectCode, month)
  const teams = await teamsOf(ctx, projectCode, month, sheet)
  const over = datesOfMonth(month).at(-1)! < (await runningDay(ctx, projectCode)) && !(await anyOpenDay(ctx, projectCode, month))
  const waitingFixes = await waitingIn(ctx, projectCode, month)
  const unconfirmed = teams.filter((t) => t.confirmedAt === null || t.changed).length
  return {
    projectCode,
    month,
    closed: closed !== undefined,
    mayReopen: closed !== undefined && ctx.codes.has('attendance.close') && (await speaksForCompany(ctx, projectCode)),
    version: newest?.version ?? 0,
    hash: closed?.hash ?? null,
    closedName: closed?.closedName ?? null,
    closedAt: closed ? formatInstant(closed.closedAt) : null,
    over,
    waitingFixes,
    teams,
    differences: closed ? differencesOf(closed.sheet ?? [], sheet) : [],
    versions: versions.map(toVersion),
    hindrances: closed
      ? []
      : [
          ...(over ? [] : ['本月尚未结束，或还有日子等待出场记录']),
          ...(waitingFixes ? [`还有 ${waitingFixes} 条更正待审批`] : []),
          ...(unconfirmed ? [`还有 ${unconfirmed} 个班组未确认`] : []),
          ...(sheet.length ? [] : ['本月没有考勤']),
        ],
  }
}

const toVersion = (v: Row<'attendanceMonth'>) => ({
  ...pick(v, 'version', 'hash', 'closedName', 'reopenedName', 'reopenReason'),
  closedAt: formatInstant(v.closedAt),
  reopenedAt: v.reopenedAt ? formatInstant(v.reopenedAt) : null,
  people: new Set((v.sheet ?? []).map((r) => r.workerId)).size,
  attendDays: sum(v.sheet ?? [], 'attendDays'),
  workHours: sum(v.sheet ?? [], 'workHours'),
})

async function anyOpenDay(ctx: Context, projectCode: string, month: string): Promise<boolean> {
  const dates = datesOfMonth(month)
  const { rows } = await sql<{ open: boolean }>`
    select exists (select 1 from attendance_day where project_code = ${projectCode} and not settled
      and work_day between ${dates[0]}::date and ${dates.at(-1)}::date) as open`.execute(ctx.db)
  return rows[0]?.open ?? false
}

async function waitingIn(ctx: Context, projectCode: string, month: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from attendance_correction x
    where x.project_code = ${projectCode} and ${isWaitingFix('x')} and to_char(x.work_day, 'YYYY-MM') = ${month}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function teamsOf(ctx: Context, projectCode: string, month: string, sheet: readonly ClosedRow[]): Promise<MonthState['teams']> {
  const agreed = await ctx.db
    .selectFrom('attendanceMonthTeam')
    .selectAll()
    .where('projectCode', '=', projectCode)
    .where('month', '=', month)
    .execute()
  const byTeam = new Map(agreed.map((a) => [a.teamSysNo, a]))
  const { rows: corps } = await sql<{ corpCode: string; corpName: string }>`
    select corp_code, corp_name from corporation where corp_code = any (${[...new Set(sheet.map((r) => r.corpCode))]})`.execute(ctx.db)
  const names = new Map(corps.map((c) => [c.corpCode, c.corpName]))
  const leaders = await leadersOf(ctx.db, projectCode)
  return [...Map.groupBy(sheet, (r) => r.teamSysNo)].flatMap(([teamSysNo, rows]) => {
    if (teamSysNo === null) return []
    const existing = byTeam.get(teamSysNo)
    const [attendDays, workHours] = [sum(rows, 'attendDays'), sum(rows, 'workHours')]
    return {
      teamSysNo,
      teamName: rows[0]?.teamName ?? null,
      corpName: names.get(rows[0]?.corpCode ?? '') ?? null,
      people: new Set(rows.map((r) => r.workerId)).size,
      attendDays,
      workHours,
      leaderName: leaders.get(teamSysNo) ?? null,
      confirmedName: existing?.confirmedName ?? null,
      confirmedFor: existing?.leaderName ?? null,
      confirmedAt: existing ? formatInstant(existing.confirmedAt) : null,
      changed: existing !== undefined && (existing.attendDays !== attendDays || Number(existing.workHours) !== workHours),
    }
  })
}

/** Leaders of the project's teams, by team number. */
export async function leadersOf(db: Db, projectCode: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ teamSysNo: string; name: string }>`
    select team_sys_no::text as team_sys_no, team_leader_name as name from team where project_code = ${projectCode} and team_leader_name is not null`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.teamSysNo, row.name]))
}

/** A46: people whose figures have changed since the month was closed; by person, whatever their unit. */
export function differencesOf(closed: readonly ClosedRow[], now: readonly ClosedRow[]): MonthState['differences'] {
  const before = Map.groupBy(closed, (r) => r.workerId)
  const after = Map.groupBy(now, (r) => r.workerId)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((workerId) => {
    const [b, a] = [before.get(workerId) ?? [], after.get(workerId) ?? []]
    const row = a[0] ?? b[0]
    const line = {
      workerId,
      name: row?.name ?? '',
      teamName: row?.teamName ?? null,
      closedDays: sum(b, 'attendDays'),
      closedHours: sum(b, 'workHours'),
      days: sum(a, 'attendDays'),
      hours: sum(a, 'workHours'),
    }
    return line.closedDays === line.days && line.closedHours === line.hours ? [] : [line]
  })
}

// ---------- acting

const monthLock = 47_110_824

export async function turnMonth(ctx: Context, { query, body }: ActInput): Promise<MonthState> {
  const projectCode = oneProject(ctx, query.projectCode)
  await sql`select pg_advisory_xact_lock(${monthLock}, hashtext(${`${projectCode}|${body.month}`}))`.execute(ctx.db)
  const state = await monthOf(ctx, projectCode, body.month)
  if (state.version !== body.version) throw new AppError('refused', '本月考勤已有变化，请刷新后再办理')
  if (body.action === 'confirm') await confirm(ctx, state, body)
  else if (body.action === 'close') await close(ctx, state)
  else await reopen(ctx, state, body)
  return monthOf(ctx, projectCode, body.month)
}

async function confirm(ctx: Context, state: MonthState, body: Wanted): Promise<void> {
  requireCode(ctx, 'attendance.confirm')
  if (state.closed) throw new AppError('refused', '本月已封账，不能再确认')
  if (!state.over) throw new AppError('refused', '本月尚未结束，月末结清后再确认')
  const wanted = state.teams.filter((t) => body.teamSysNos.includes(t.teamSysNo))
  if (wanted.length === 0) throw new AppError('invalidInput', '请选择班组', { field: 'teamSysNos' })
  const now = new Date(ctx.clock.now())
  for (const { teamSysNo, attendDays, workHours, leaderName } of wanted) {
    const said = {
      attendDays,
      workHours,
      confirmedBy: ctx.user.id,
      confirmedName: ctx.user.name,
      confirmedAt: now,
      leaderName: leaderName === ctx.user.name ? null : leaderName,
    }
    await ctx.db
      .insertInto('attendanceMonthTeam')
      .values({ projectCode: state.projectCode, month: state.month, teamSysNo, ...said })
      .onConflict((oc) => oc.columns(['projectCode', 'month', 'teamSysNo']).doUpdateSet(said))
      .execute()
  }
  ctx.note(`确认 ${state.month} 考勤：${wanted.length} 个班组`)
}

async function close(ctx: Context, state: MonthState): Promise<void> {
  requireCode(ctx, 'attendance.close')
  if (state.closed) throw new AppError('refused', '本月已封账')
  if (state.hindrances.length) throw new AppError('refused', `还不能封账：${state.hindrances.join('；')}`)
  const { projectCode, month } = state
  const version = state.version + 1
  const id = await writeVersion(ctx, { projectCode, month, version, by: ctx.user, at: new Date(ctx.clock.now()), id: ctx.newId() })
  ctx.note(`${month} 考勤封账，第 ${version} 版`, id)
}

/** Stores the current sheet as a version. */
export async function writeVersion(
  ctx: SheetContext,
  v: { projectCode: string; month: string; version: number; by: { id: string; name: string }; at: Date; id: string },
): Promise<string> {
  const { projectCode, month, version } = v
  const sheet = await sheetOf(ctx, projectCode, month)
  await ctx.db
    .insertInto('attendanceMonth')
    .values({
      id: v.id,
      projectCode,
      month,
      version,
      sheet: JSON.stringify(sheet),
      hash: sheetHash(projectCode, month, version, sheet),
      closedBy: v.by.id,
      closedName: v.by.name,
      closedAt: v.at,
      reopenedName: null,
      reopenedAt: null,
      reopenReason: null,
    })
    .execute()
  return v.id
}

async function reopen(ctx: Context, state: MonthState, body: Wanted): Promise<void> {
  requireCode(ctx, 'attendance.close')
  if (!state.closed) throw new AppError('refused', '本月没有封账')
  if (!(await speaksForCompany(ctx, state.projectCode)))
    throw new AppError('refused', '重开已封账的月份须由总包或建设单位中有月度封账权限的人办理')
  if ((body.reason ?? '').trim().length < 5) throw new AppError('invalidInput', '请填写重开原因（至少 5 个字）', { field: 'reason' })
  await ctx.db
    .updateTable('attendanceMonth')
    .set({ reopenedName: ctx.user.name, reopenedAt: new Date(ctx.clock.now()), reopenReason: body.reason ?? '' })
    .where('projectCode', '=', state.projectCode)
    .where('month', '=', state.month)
    .where('reopenedAt', 'is', null)
    .execute()
  ctx.note(`重开 ${state.month} 考勤：${body.reason ?? ''}`)
}

async function speaksForCompany(ctx: Context, projectCode: string): Promise<boolean> {
  if (ctx.group.type !== groupTypes.corporation) return false
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from project_corp where project_code = ${projectCode} and corp_code = ${ctx.group.code} and exit_time is null
      and corp_type in (${partTypes.leader}, ${partTypes.owner})`.execute(ctx.db)
  return (rows[0]?.n ?? 0) > 0
}

/** The basis of a month's wages: the rows of the closed version, with its number and hash. Undefined while the month is open. */
export async function closedMonth(
  db: Db,
  projectCode: string,
  month: string,
): Promise<{ version: number; hash: string; rows: readonly ClosedRow[] } | undefined> {
  const row = await db
    .selectFrom('attendanceMonth')
    .select(['version', 'hash', 'sheet'])
    .where('projectCode', '=', projectCode)
    .where('month', '=', month)
    .where('reopenedAt', 'is', null)
    .executeTakeFirst()
  return row && { version: row.version, hash: row.hash, rows: row.sheet ?? [] }
}
