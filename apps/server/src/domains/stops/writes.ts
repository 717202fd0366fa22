import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { dictName, isDictCode } from '@zhugong/contract/settings/dictionaries'
import type { changeStop, createStop } from '@zhugong/contract/stops/calls'
import {
  resumeItemName,
  resumeItems,
  runningStops,
  type StopType,
  shortestReason,
  stopTypes,
  typeFrom,
} from '@zhugong/contract/stops/moves'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { pick } from '#kit/pick'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { holdProject, writeState } from '../organisation/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import { hasSupervisor } from '../rectify/public.ts'
import { campaignPage, unpassedResumeChecks } from '../themes/public.ts'
import { requireFile } from './file-check.ts'
import { type Application, shortName } from './kind.ts'
import { beginStop, dropComing, endStops, holdingStops, nameOf, noteFor } from './project-stop.ts'
import { noticePage, openThings } from './site-facts.ts'

export type Body = ParsedFor<typeof changeStop>['body']
export type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>
export type Fields = Omit<ParsedFor<typeof createStop>['body'], 'id' | 'action'>

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** 建设单位 in dictionary projectCorpType. */
const ownerPart = '008'

/** Why the caller cannot apply for this project; undefined when he can. Only its owner (建设单位) applies. */
export async function notOwner(ctx: Pick<Context, 'db' | 'group'>, projectCode: string): Promise<string | undefined> {
  const refusal = '停工、复工和终止监督由建设单位申请'
  if (ctx.group.type !== groupTypes.corporation) return refusal
  const { rows } = await sql<{ is: boolean }>`select p.build_corp_code = ${ctx.group.code} or exists (select from project_corp c
      where c.project_code = p.project_code and c.corp_code = ${ctx.group.code} and c.corp_type = ${ownerPart} and c.exit_time is null) as is
    from project p where p.project_code = ${projectCode}`.execute(ctx.db)
  return rows[0]?.is ? undefined : refusal
}

/** What only a stop has; another kind drops what was typed before the kind was changed. */
const unused = { reasonType: null, stopDate: null, planResumeDate: null, ongoingParts: null, guardPersons: null, affectAttendance: true }

/** The columns a draft fills. Files must exist; those of the draft before are kept. */
export async function draftValues(ctx: Context, given: Fields, before?: Pick<Application, 'attachments' | 'completeCert'>) {
  const { checks: _checks, attachments, completeCert, type, reason, ...ofStop } = given
  const certs = type === stopTypes.end ? completeCert : []
  return {
    type,
    reason,
    ...(type === stopTypes.stop ? ofStop : unused),
    attachments: await keptFiles(ctx, fileIdsOf(attachments), before?.attachments, 'attachments'),
    completeCert: await keptFiles(ctx, fileIdsOf(certs), before?.completeCert, 'completeCert'),
  }
}

/** Replaces the resumption table of a draft. */
export async function writeChecks(
  ctx: Context,
  row: Pick<Application, 'id' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>,
  given: Fields,
): Promise<void> {
  const before = await sql<{ photos: string[] }>`delete from stopapply_check where apply_id = ${row.id} returning photos`.execute(ctx.db)
  const known = before.rows.flatMap((one) => one.photos)
  if (given.type !== stopTypes.resume) return
  const { id: applyId, projectCode, corpCode, shownAt, groups } = row
  for (const [at, { photos, ...one }] of given.checks.entries()) {
    const kept = await keptFiles(ctx, fileIdsOf(photos), known, `checks.${at}.photos`)
    await ctx.db
      .insertInto('stopapplyCheck')
      .values({ applyId, projectCode, corpCode, shownAt, groups, ...one, photos: kept, sitePassed: null, siteNote: null })
      .execute()
  }
}

/** Why the project's state does not allow an application of this kind; undefined when it does. */
export function wrongState(type: StopType, prjStatus: string): string | undefined {
  if (typeFrom[type].includes(prjStatus)) return undefined
  const now = dictName('projectState', prjStatus) ?? prjStatus
  return type === stopTypes.resume ? `项目现为${now}，没有在停的停工可以恢复` : `项目现为${now}，不能申请${shortName(type)}`
}

/** @throws AppError at the field that the kind of application requires and the draft lacks */
async function requireComplete(ctx: Context, projectCode: string, given: Fields): Promise<void> {
  const { rows } = await sql<{ prjStatus: string }>`select prj_status from project where project_code = ${projectCode}`.execute(ctx.db)
  const state = wrongState(given.type, rows[0]?.prjStatus ?? '')
  if (state) throw new AppError('refused', state, { field: 'type' })
  if (given.reason.length < shortestReason) throw wrong('reason', `详细原因至少 ${shortestReason} 个字`)
  if (given.type === stopTypes.stop) requireStop(given, formatDay(ctx.clock.now()))
  if (given.type === stopTypes.resume) await requireResume(ctx, projectCode, given)
  if (given.type === stopTypes.end) await requireEnd(ctx, projectCode, given)
  if (given.attachments.length === 0) throw wrong('attachments', '请上传建设、施工、监理三方盖章的申请表')
}

function requireStop(given: Fields, today: string): void {
  if (!given.reasonType || !isDictCode('stopReason', given.reasonType)) throw wrong('reasonType', '请选择停工原因')
  if (!given.stopDate) throw wrong('stopDate', '请选择停工日期')
  if (!given.planResumeDate) throw wrong('planResumeDate', '请选择计划复工日期')
  if (given.planResumeDate <= given.stopDate) throw wrong('planResumeDate', '计划复工日期须晚于停工日期')
  if (given.planResumeDate <= today) throw wrong('planResumeDate', '计划复工日期须晚于今天')
  if (!given.ongoingParts) throw wrong('ongoingParts', '请填写在施部位及安全保障措施')
  if (!given.guardPersons) throw wrong('guardPersons', '请填写停工期间值守人员')
}

async function requireResume(ctx: Context, projectCode: string, given: Fields): Promise<void> {
  await requireNoOrder(ctx, projectCode)
  if ((await holdingStops(ctx, projectCode)).length === 0)
    throw new AppError('refused', '本项目没有在停的停工，不必申请复工', { field: 'type' })
  for (const { item, name } of resumeItems) {
    const at = given.checks.findIndex((one) => one.item === item)
    const one = given.checks[at]
    if (!one || one.passed === null) throw wrong(`checks.${Math.max(0, at)}.passed`, `复工核查表“${name}”未填写`)
    if (!one.passed) throw wrong(`checks.${at}.passed`, `“${name}”不合格，整改合格后才能申请复工`)
    if (one.photos.length === 0) throw wrong(`checks.${at}.photos`, `“${name}”须附现场照片`)
  }
}

/** @throws AppError `refused` with the notice, while a stop-work notice holds, or with a check before resuming that is not passed */
export async function requireNoOrder(ctx: Context, projectCode: string): Promise<void> {
  const order = (await holdingStops(ctx, projectCode)).find((one) => one.source === 'rectify')
  if (order)
    throw new AppError('refused', `全面停工整改通知 ${nameOf(order)} 未复查合格，不能复工`, {
      field: 'type',
      noticeId: order.sourceId,
      link: noticePage(ctx, order.sourceId),
    })
  const [check] = await unpassedResumeChecks(ctx, projectCode)
  if (check)
    throw new AppError('refused', `节后复工检查“${check.title}”尚未全部合格，不能复工`, { field: 'type', link: campaignPage(check.id) })
}

async function requireEnd(ctx: Context, projectCode: string, given: Fields): Promise<void> {
  await requireSettled(ctx, projectCode)
  if (given.completeCert.length === 0) throw wrong('completeCert', '请上传竣工验收证明')
}

/** @throws AppError `refused` naming everything that is still open */
async function requireSettled(ctx: Context, projectCode: string): Promise<void> {
  const open = await openThings(ctx, projectCode)
  if (open.length === 0) return
  throw new AppError('refused', `还不能终止监督：${open.map((one) => one.value).join('，')}`, { field: 'type', open })
}

/** What submitting sets: from now on the site, 监理 and the authority know of the application, by its number. */
export async function submitValues(ctx: Context, row: Application, given: Fields): Promise<Outcome<Application>> {
  const { projectCode, id } = row
  await requireComplete(ctx, projectCode, given)
  const running = await sql<{ code: string }>`select code from stopapply where project_code = ${projectCode} and type = ${given.type}
    and state = any (${[...runningStops]}) and id <> ${id}`.execute(ctx.db)
  if (running.rows[0])
    throw new AppError('refused', `本项目已有在办的${shortName(given.type)}申请 ${running.rows[0].code}`, { field: 'type' })
  const now = new Date(ctx.clock.now())
  await sql`update stopapply_check set shown_at = ${now} where apply_id = ${id}`.execute(ctx.db)
  const { rows } = await sql<{ name: string; authority: string | null }>`select coalesce(p.short_name, p.name) as name,
      (select t.id from tenant t where t.type = ${groupTypes.government} and t.code = p.supervise_org) as authority
    from project p where p.project_code = ${projectCode}`.execute(ctx.system)
  const to = (await hasSupervisor(ctx, projectCode)) ? '1' : '2'
  const { year, no } = await drawNumber(ctx, projectCode, applicationSeries)
  return {
    to,
    values: {
      shownAt: now,
      submitTime: now,
      waitSince: now,
      authorityGroup: rows[0]?.authority ?? null,
      code: `${rows[0]?.name ?? projectCode}-TFG-${year}-${String(no).padStart(3, '0')}`,
    },
  }
}
const applicationSeries = 'TFG'

/** The paper that a decision issues, by the kind of application. */
export const papers: Readonly<Record<string, { docType: string; word: string; title: string }>> = {
  1: { docType: '301', word: '中止', title: '中止施工安全监督告知书' },
  2: { docType: '302', word: '恢复', title: '恢复施工安全监督告知书' },
  3: { docType: '303', word: '终止', title: '终止施工安全监督告知书' },
}

/** 监理 decides: agreed to the authority, or rejected. */
export const audited = (ctx: Context, passed: boolean, opinion: string): Outcome<Application> => {
  const now = new Date(ctx.clock.now())
  return {
    values: {
      auditName: ctx.user.name,
      auditGroup: ctx.group.name,
      auditTime: now,
      auditPassed: passed,
      auditOpinion: opinion || null,
      waitSince: passed ? now : null,
    },
    opinion,
  }
}

const decided = (ctx: Context, passed: boolean, opinion: string) => ({
  decideName: ctx.user.name,
  decideGroup: ctx.group.name,
  decideTime: new Date(ctx.clock.now()),
  decidePassed: passed,
  decideOpinion: opinion || null,
  waitSince: null,
})
export const refused = (ctx: Context, opinion: string): Outcome<Application> => ({ values: decided(ctx, false, opinion), opinion })

/** The authority agrees: what the application asks for happens in this transaction. */
export async function grant(ctx: Context, row: Application, opinion: string): Promise<Outcome<Application>> {
  const said = await carryOut(ctx, row)
  const paper = papers[row.type]
  const { year, no } = await drawNumber(ctx, ctx.group.id, paper?.docType ?? '')
  const docCode = `${ctx.group.name}${paper?.word ?? ''}〔${year}〕第${String(no).padStart(4, '0')}号`
  return { values: { ...decided(ctx, true, opinion), docCode }, opinion: [opinion, said, `出具${docCode}`].filter(Boolean).join('，') }
}

async function carryOut(ctx: Context, row: Application): Promise<string> {
  const { projectCode, id, code } = row
  const project = await holdProject(ctx, projectCode)
  const reason = `${shortName(row.type)}申请 ${code ?? ''}`
  if (row.type === stopTypes.stop) {
    // The project may have been stopped by a notice meanwhile: then both hold.
    if (project.prjStatus !== projectStates.stopped) requireState(row, project.prjStatus)
    const today = formatDay(ctx.clock.now())
    const fromDay = row.stopDate && row.stopDate > today ? row.stopDate : today
    await beginStop(ctx, {
      projectCode,
      source: 'stopapply',
      sourceId: id,
      code,
      orderedBy: ctx.group.name,
      ...pick(row, 'reason', 'affectAttendance', 'planResumeDate'),
      fromDay,
    })
    return fromDay > today ? `自 ${fromDay} 起停工` : '项目停工'
  }
  requireState(row, project.prjStatus)
  if (row.type === stopTypes.resume) {
    await requireNoOrder(ctx, projectCode)
    const holding = await holdingStops(ctx, projectCode)
    const said = await endStops(ctx, projectCode, holding, reason)
    for (const stop of holding) if (stop.source === 'stopapply') await noteFor(ctx, stop.sourceId, 'end', `${reason} 核查通过`)
    return said
  }
  await requireSettled(ctx, projectCode)
  await requireFile(ctx, projectCode)
  await dropComing(ctx, projectCode)
  await writeState(ctx, project, { to: projectStates.closed, reason })
  return '监督终止，项目资料只读'
}

function requireState(row: Application, prjStatus: string): void {
  const state = wrongState(row.type as StopType, prjStatus)
  if (state) throw new AppError('refused', state)
}

/** Stores what the officers found, group by group. */
export async function writeFindings(ctx: Context, row: Application, given: BodyOf<'saveCheck'>['findings']): Promise<void> {
  for (const { item, passed, note } of given)
    await sql`update stopapply_check set site_passed = ${passed}, site_note = ${note} where apply_id = ${row.id} and item = ${item}`.execute(
      ctx.db,
    )
}

/** @throws AppError when the findings do not carry the verdict */
export async function requireVerdict(ctx: Context, row: Application, passed: boolean): Promise<void> {
  const { rows } = await sql<{ item: string; sitePassed: boolean | null }>`select item, site_passed from stopapply_check
    where apply_id = ${row.id} order by item`.execute(ctx.db)
  const failed = rows.filter((one) => one.sitePassed === false)
  if (!passed && failed.length === 0) throw wrong('findings', '请先记下不合格的核查项')
  if (!passed) return
  const open = rows.filter((one) => one.sitePassed !== true)
  if (open.length > 0) throw wrong('findings', `${open.map((one) => resumeItemName(one.item)).join('、')}未核查合格，不能通过`)
}

/** @throws AppError when the site check cannot be held so */
export function requireOfficers(ctx: Context, { checkDate, officer, second }: BodyOf<'arrange'>): void {
  if (checkDate < formatDay(ctx.clock.now())) throw wrong('checkDate', '核查日期不能早于今天')
  if (officer === second) throw wrong('second', '现场核查须有两名监督员，请填写另一名')
}
