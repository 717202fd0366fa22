import type { PatrolAction } from '@zhugong/contract/checks/patrol-moves'
import type { changeSecurityCheck } from '@zhugong/contract/checks/security-check'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { minuteMs } from '@zhugong/contract/kit/time'
import { majorLevel, rectifyMoves } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { placeColumns } from '../places/public.ts'
import type { Outcome } from '../process/public.ts'
import { siteNumber } from './number.ts'
import type { Check, Patrol } from './patrol-kind.ts'
import { addProblems, type GivenProblem, issueProblems, showProblems, writeProblems } from './problems.ts'

type Body = Extract<ParsedFor<typeof changeSecurityCheck>['body'], { action: PatrolAction }>
/** What the checker writes of any patrol. */
export type PatrolFields = Omit<Body, 'action' | 'version' | 'problems'> & { problems: readonly GivenProblem[] }

/** A device's clock may be this much ahead. */
const clockToleranceMs = 5 * minuteMs

/** 企业自查, 项目自查, 监理检查 in dictionary inspectType: whoever holds the check. */
const byPart = { company: '11', site: '12', supervisor: '13' } as const
export const inspectTypeOf = (ctx: Context, projectCode: string): string =>
  ctx.principal.scope.supervised.includes(projectCode)
    ? byPart.supervisor
    : ctx.group.type === groupTypes.corporation
      ? byPart.company
      : byPart.site

/** The columns that a draft fills. */
export async function patrolColumns(ctx: Context, projectCode: string, fields: PatrolFields, known: readonly string[]) {
  const now = ctx.clock.now()
  const at = fields.checkTime === null ? now : (parseInstant(fields.checkTime) ?? now)
  if (at > now + clockToleranceMs) throw new AppError('invalidInput', '检查时间不能晚于现在', { field: 'checkTime' })
  const [place] = await placeColumns(ctx, projectCode, [{ placeId: fields.placeId }], (_at, name) => name)
  return {
    checkTime: new Date(at),
    checkers: fields.checkers.length ? fields.checkers : [ctx.user.name],
    part: fields.part,
    placeId: place?.placeId ?? null,
    remark: fields.remark,
    photos: await keptFiles(ctx, fileIdsOf(fields.photos), known, 'photos'),
    dangerLevel: gravest(fields.problems),
    problemCount: fields.problems.length,
  }
}

const gravest = (problems: PatrolFields['problems']): string | null =>
  problems.reduce<string | null>((worst, { dangerLevel }) => (worst === null || dangerLevel > worst ? dangerLevel : worst), null)

/** Stores what the checker wrote; when it is submitted, the check becomes known and its problems become notices. */
export async function writePatrol(
  ctx: Context,
  patrol: Patrol,
  row: Check,
  action: PatrolAction,
  fields: PatrolFields,
): Promise<Outcome<Check>> {
  const values = await patrolColumns(ctx, row.projectCode, fields, row.photos)
  await writeProblems(ctx, { ...row, ...values }, fields.problems)
  return action === 'save' ? { values } : submit(ctx, patrol, { ...row, ...values }, values)
}

/** 限期整改通知书 in dictionary rectifyNoticeType. */
const noticeType = '2'
const issuedState = '1'

/** Adds problems to a check that is submitted; they become notices at once, and a closed check is open again. */
export async function addToPatrol(ctx: Context, patrol: Patrol, row: Check, problems: readonly GivenProblem[]): Promise<Outcome<Check>> {
  await addProblems(ctx, row, problems)
  await issueProblems(ctx, row, { category: patrol.category, noticeType })
  const worst = gravest(problems)
  const dangerLevel = row.dangerLevel !== null && (worst === null || row.dangerLevel > worst) ? row.dangerLevel : worst
  if (worst === majorLevel) await tellOfMajor(ctx, patrol, { ...row, dangerLevel: worst })
  const isRunning = problems.some((one) => !one.mended)
  const values = { problemCount: row.problemCount + problems.length, dangerLevel }
  return { to: isRunning ? issuedState : row.state, values, opinion: `补充 ${problems.length} 个问题` }
}

async function submit(ctx: Context, patrol: Patrol, row: Check, values: Partial<Check>): Promise<Outcome<Check>> {
  const shownAt = new Date(ctx.clock.now())
  await showProblems(ctx, row, shownAt)
  await issueProblems(ctx, row, { category: patrol.category, noticeType })
  const running = await sql`select from rectify where source_kind = ${row.kind} and source_id = ${row.id} and state <> '7' limit 1`.execute(
    ctx.db,
  )
  const code = await siteNumber(ctx, row.projectCode, patrol.series)
  await tellOfMajor(ctx, patrol, { ...row, code })
  const result = row.problemCount === 0 ? '未发现问题' : `发现 ${row.problemCount} 个问题`
  return { to: running.rows.length ? '1' : '7', values: { ...values, shownAt, code }, opinion: result }
}

/** Held by an authority's officers alone. */
const ofAuthority = 'supervision.rectifyIssue'

/** A major hazard is told at once to the site, the general contractor, 监理 and the authority, beside its notice. */
async function tellOfMajor(ctx: Context, patrol: Patrol, row: Check): Promise<void> {
  if (row.dangerLevel !== majorLevel) return
  const { rows } = await sql<{ contractor: string | null; supervisor: string | null; authority: string | null }>`
    select p.contractor_corp_code as contractor,
      (select min(u.corp_code) from project_corp u where u.project_code = p.project_code and u.corp_type = '007' and u.exit_time is null) as supervisor,
      (select t.id from tenant t where t.type = 1 and t.code = p.supervise_org) as authority
    from project p where p.project_code = ${row.projectCode}`.execute(ctx.system)
  const { contractor = null, supervisor = null, authority = null } = rows[0] ?? {}
  const notification = {
    projectCode: row.projectCode,
    title: '发现重大事故隐患',
    text: `${row.code ?? ''}，${row.part}，${row.checkerGroupName}检查发现，请立即处置`,
    link: patrol.page(row.id),
    kind: 'rectify',
  }
  await tellKeepers(ctx, { ...notification, corpCode: contractor, code: rectifyMoves.sign.needs })
  if (supervisor) await tellKeepers(ctx, { ...notification, corpCode: supervisor, code: rectifyMoves.jlPass.needs, exceptSite: true })
  if (authority) await tellKeepers(ctx, { ...notification, corpCode: null, groupId: authority, code: ofAuthority, exceptSite: true })
}
