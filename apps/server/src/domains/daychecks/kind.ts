import { type DayCheckAction, dayCheckMoves, dayCheckStates, remarkDays, submittedDayStates } from '@zhugong/contract/daychecks/moves'
import { dayMs } from '@zhugong/contract/kit/time'
import { partTypes } from '@zhugong/contract/labour/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Kind, Todo } from '../process/public.ts'
import type { DayCheck } from './day-check.ts'
import { dayCheckSeats } from './seats.ts'

/** Process type; also the kind of its row of `site_check` and of its notices' source. */
export const dayCheckType = 'daycheck'

const signedBy = (seat: string) => sql`exists (select from process_signature g where g.kind = ${dayCheckType} and g.object_id = d.id
  and g.seat = ${seat} and g.void_at is null)`

/** Daily checks as `d`, with their row of `site_check` as `c`. */
export const selectDayCheck = sql`select d.*, c.checkers, c.inspect_type, c.check_time,
    (select count(*)::int from day_check_unit u where u.check_id = d.id and u.done_at is null) as undone,
    (select count(*)::int from day_check_unit u where u.check_id = d.id) as units,
    ${signedBy('site')} as signed_site, ${signedBy('supervisor')} as signed_supervisor,
    exists (select from project_corp u where u.project_code = d.project_code and u.corp_type = ${partTypes.supervisor} and u.exit_time is null)
      as supervised,
    array(select x from unnest(d.discipline) as x where d.campaign_id is not null
      and not exists (select from day_check_discipline s where s.check_id = d.id and s.discipline = x)) as open_disciplines
  from day_check d join site_check c on c.id = d.id`

export async function readDayCheck(ctx: Pick<Context, 'db'>, id: string): Promise<DayCheck> {
  const { rows } = await sql<DayCheck>`${selectDayCheck} where d.id = ${id}`.execute(ctx.db)
  return found(rows[0], '检查')
}

const isInstitution = (ctx: Context, row: DayCheck) => ctx.group.type === groupTypes.government && ctx.group.id === row.checkerGroup
/** One of the named officers; where none of them has an account, whoever of the institution may check. */
export const isChecker = (ctx: Pick<Context, 'user' | 'group'>, row: Pick<DayCheck, 'checkerIds' | 'checkerGroup'>): boolean =>
  row.checkerIds.length > 0 ? row.checkerIds.includes(ctx.user.id) : ctx.group.id === row.checkerGroup

/** 日常检查: planned and hidden, held on the site by named officers, known to the site from submission on. */
export const dayCheckKind: Kind<DayCheck, typeof dayCheckMoves> & { seats: typeof dayCheckSeats } = {
  kind: dayCheckType,
  noun: '检查',
  table: 'dayCheck',
  moves: dayCheckMoves,
  stateName: (state) => stateName(state),
  lock: async (ctx, id) => {
    const { rows } = await sql<DayCheck>`${selectDayCheck} where d.id = ${id} for update of d`.execute(ctx.db)
    return found(rows[0], '检查')
  },
  turns: {
    institution: isInstitution,
    checker: (ctx, row) => ctx.group.type === groupTypes.government && isChecker(ctx, row),
    site: (ctx, row) =>
      ctx.group.type === groupTypes.project
        ? ctx.group.code === row.projectCode
        : ctx.group.type === groupTypes.corporation && !ctx.principal.scope.supervised.includes(row.projectCode),
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
  },
  hinder: (ctx, row, action) => hindrances[action]?.(ctx, row),
  seats: dayCheckSeats,
  todos: (row) => todosOf(row),
}

export const stateName = (state: string): string => dictName('dayCheckState', state) ?? state

const hindrances: Partial<Record<DayCheckAction, (ctx: Context, row: DayCheck) => string | undefined>> = {
  submit: (_ctx, row) =>
    row.undone > 0
      ? `还有 ${row.undone} 个单体没有完成检查`
      : row.openDisciplines.length > 0
        ? `${row.openDisciplines.map((one) => dictName('checkDiscipline', one) ?? one).join('、')}专业还没有提交`
        : undefined,
  submitDiscipline: (_ctx, row) => (row.campaignId === null ? '只有督查分专业提交' : undefined),
  remark: (ctx, row) =>
    row.remarkAt !== null
      ? '说明只能提交一次'
      : row.submitAt !== null && ctx.clock.now() - row.submitAt.getTime() > remarkDays * dayMs
        ? `提交说明的期限为检查提交后 ${remarkDays} 天，已过期`
        : undefined,
}

export const typeName = (inspectType: string): string => dictName('inspectType', inspectType) ?? inspectType

function todosOf(row: DayCheck): Todo[] {
  const codes = [...dayCheckMoves.checkIn.needs]
  const own = { turn: 'checker', forGroup: row.checkerGroup, codes, due: row.plannedDate }
  const names = row.checkers.join('、')
  if (row.state === dayCheckStates.planned)
    return [{ ...own, title: `${typeName(row.inspectType)}任务（${names}）`, link: editPage(row.id) }]
  if (row.state === dayCheckStates.running)
    return [{ ...own, title: `完成${typeName(row.inspectType)}（${names}）`, link: editPage(row.id) }]
  if (!(submittedDayStates as readonly string[]).includes(row.state)) return []
  const needs = [dayCheckMoves.remark.needs]
  const title = `签字确认监督检查 ${row.code ?? ''}`
  const link = resultPage(row.id)
  return [
    ...(row.signedSite ? [] : [{ turn: 'responsible', codes: needs, title, link, due: null }]),
    ...(row.signedSupervisor || !row.supervised ? [] : [{ turn: 'supervisor', codes: needs, title, link, due: null }]),
  ]
}

export const editPage = (id: string): string => `/jgt/daycheck/edit?id=${id}`
export const detailPage = (id: string): string => `/jgt/daycheck/details?id=${id}`
export const resultPage = (id: string): string => `/jgt/daycheck/checkResult?id=${id}`

/** Names of the steps in the history of a check. */
export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(dayCheckMoves).map(([action, { label }]) => [action, label])),
  create: '安排检查',
}
