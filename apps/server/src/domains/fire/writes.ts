import type { changeFire, createFire } from '@zhugong/contract/fire/calls'
import { dueAfter, workDays } from '@zhugong/contract/fire/deadline'
import { type BuildFields, fireKinds, fireStates } from '@zhugong/contract/fire/moves'
import { type Building, otherPlace, placesOf, projectsFor } from '@zhugong/contract/fire/place-rules'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import type { Fence } from '@zhugong/contract/organisation/fence'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import { metresOutside } from '#kit/fence'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { commonCalendar } from '../access/public.ts'
import { authoritiesOf } from '../daychecks/public.ts'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { createOnce, drawNumber, forgetRecord, type Outcome, offersFor, take, widenRecord, writeLog } from '../process/public.ts'
import { assignTeam } from './assign.ts'
import { catalogueOf } from './catalogue.ts'
import type { FireCase } from './fire-case.ts'
import { entriesOf, failedSubs, judgeRound, keepJudgement, problemsOf, roundsOf } from './judging.ts'
import { fireKind, fireType } from './kind.ts'
import { placesFor } from './places.ts'

type Body = ParsedFor<typeof changeFire>['body']
type Of<A extends Body['action']> = Extract<Body, { action: A }>
type Fields = Omit<ParsedFor<typeof createFire>['body'], 'id' | 'action'>
type Stored = Pick<FireCase, 'id' | 'version' | 'state'>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
const answerOf = ({ id, version, state }: Stored) => ({ id, version, state })
const today = (ctx: Pick<Context, 'clock'>) => formatDay(ctx.clock.now())
/** Children that are written before the case is known to the authority. */
const applied = ['fire_build', 'fire_part'] as const
/** What is the authorities' until the opinion is signed. */
const found_ = ['fire_round', 'fire_point', 'fire_sub'] as const
export const authorities = (row: Pick<FireCase, 'groups' | 'applicantGroup'>): string[] =>
  row.groups.filter((one) => one !== row.applicantGroup)
const childOf = ({ id, projectCode, corpCode }: Pick<FireCase, 'id' | 'projectCode' | 'corpCode'>, groups: string[]) => ({
  caseId: id,
  projectCode,
  corpCode,
  shownAt: null,
  groups,
})

/** The caller's company as 建设单位 of the project. @throws AppError `forbidden` */
async function requireOwner(ctx: Context, projectCode: string): Promise<{ corpCode: string; name: string }> {
  const { rows } = await sql<{ corpCode: string; name: string }>`select u.corp_code, k.corp_name as name from project_corp u
    join corporation k using (corp_code) where u.project_code = ${projectCode} and u.corp_type = ${partTypes.owner} and u.exit_time is null
    and u.corp_code = ${ctx.group.code}`.execute(ctx.db)
  if (!rows[0]) throw new AppError('forbidden', '消防验收由项目的建设单位申请')
  return rows[0]
}

const buildingOf = (one: BuildFields): Building => ({
  ...pick(one, 'use', 'height', 'floorsUp'),
  area: one.areaUp + one.areaDown,
})

/** The columns of an application; whether it is a 特殊建设工程 follows from its buildings. @throws AppError `invalidInput` at the field */
async function applyColumns(ctx: Context, projectCode: string, fields: Fields, before: readonly string[], whole: boolean) {
  const { builds, parts, materials, tel, ...given } = fields
  const names = builds.map((one) => one.name)
  const twice = names.findIndex((name, i) => names.indexOf(name) !== i)
  if (twice >= 0) throw refuse(`builds.${twice}.name`, '单体名称重复')
  const rules = await placesFor(ctx, (await authorityOf(ctx, projectCode)).id)
  const rows = builds.map((one) => {
    const found = placesOf(rules, buildingOf(one)).places
    const all = [...new Set([...found, ...one.addedPlaces])].sort()
    const places = all.length > 1 ? all.filter((code) => code !== otherPlace) : all
    return { ...one, places, ...projectsFor(rules, places) }
  })
  const special = rows.some((one) => one.special)
  const files = await keptFiles(ctx, fileIdsOf(materials), before, 'materials')
  if (whole) {
    if (special && given.kind !== fireKinds.special) throw refuse('kind', '单体属于特殊建设工程，应申请消防验收')
    if (!special && given.kind !== fireKinds.filing) throw refuse('kind', '不属于特殊建设工程，应办理消防验收备案')
    if (special && !given.designReviewNo) throw refuse('designReviewNo', '特殊建设工程须填写消防设计审查意见书文号')
    if (special && !given.designReviewDate) throw refuse('designReviewDate', '特殊建设工程须填写审查日期')
    if (files.length === 0) throw refuse('materials', '请上传申请材料')
  }
  const sealed = ctx.secrets.seal(tel)
  if (!sealed) throw refuse('tel', '请填写电话')
  const firePlaces = [...new Set(rows.flatMap((one) => one.places))].sort()
  return { columns: { ...given, tel: sealed, materials: files, firePlaces, special }, rows, parts }
}

async function writeChildren(
  ctx: Context,
  row: FireCase,
  { rows, parts }: Pick<Awaited<ReturnType<typeof applyColumns>>, 'rows' | 'parts'>,
): Promise<void> {
  for (const table of applied) await sql`delete from ${sql.table(table)} where case_id = ${row.id}`.execute(ctx.db)
  const own = childOf(row, row.groups)
  await ctx.db
    .insertInto('fireBuild')
    .values(rows.map(({ special: _special, ...one }, seq) => ({ ...own, ...one, id: ctx.newId(), seq })))
    .execute()
  if (parts.length > 0)
    await ctx.db
      .insertInto('firePart')
      .values(parts.map((one, seq) => ({ ...own, ...one, seq })))
      .execute()
}

export const createCase: HandlerOf<typeof createFire> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await createOnce(ctx, fireKind, id, {
    insert: () => insertCase(ctx, id, projectCode, fields),
    again: ({ version }) => change(ctx, id, { action, version, ...fields }),
    begin: async (draft) => {
      if (action === 'submit') return change(ctx, id, { action, version: draft.version, ...fields })
      await writeChildren(ctx, draft, await applyColumns(ctx, projectCode, fields, draft.materials, false))
      await writeLog(ctx, fireType, draft, { action: 'create', from: null, to: draft.state })
      ctx.note('起草消防验收申请', id)
      return draft
    },
  })
  return answerOf(row)
}

async function insertCase(ctx: Context, id: string, projectCode: string, fields: Fields): Promise<void> {
  const owner = await requireOwner(ctx, projectCode)
  const { columns } = await applyColumns(ctx, projectCode, fields, [], false)
  await ctx.db
    .insertInto('fireCase')
    .values({
      id,
      projectCode,
      corpCode: owner.corpCode,
      applyCorp: owner.name,
      ...columns,
      groups: [ctx.group.id],
      applicantGroup: ctx.group.id,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
}

export const changeCase: HandlerOf<typeof changeFire> = async ({ params: { id }, body }, ctx) => answerOf(await change(ctx, id, body))

const change = (ctx: Context, id: string, body: Body) =>
  take(ctx, fireKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))

async function write(ctx: Context, row: FireCase, body: Body): Promise<Outcome<FireCase>> {
  switch (body.action) {
    case 'save':
    case 'submit':
      return apply(ctx, row, body)
    case 'withdraw':
      return { values: { submitTime: null } }
    case 'accept':
      return acceptValues(ctx, row)
    case 'refuse':
      return { values: { noAcceptReason: body.noAcceptReason, noAcceptNote: body.opinion }, opinion: body.opinion }
    case 'assign':
      return assignTeam(ctx, row, body)
    case 'postpone':
      return { values: { assessDate: body.assessDate }, opinion: `改为 ${body.assessDate}：${body.opinion}` }
    case 'askPapers':
      return askPapers(ctx, row, body.opinion)
    case 'givePapers':
      return givePapers(ctx, row, body)
    case 'start':
      return begin(ctx, row, body)
    case 'conclude':
      return conclude(ctx, row)
    case 'sendBack':
      await setRound(ctx, row, sql`submitted_at = null`)
      return { opinion: body.opinion }
    case 'issue':
      return issue(ctx, row, body)
    case 'recheck':
      return askRecheck(ctx, row, body)
    case 'acceptRecheck':
      return acceptRecheck(ctx, row)
    case 'terminate':
      return { values: { finishDate: today(ctx), pausedAt: null }, opinion: body.opinion }
  }
}

const setRound = (ctx: Pick<Context, 'db'>, row: FireCase, values: ReturnType<typeof sql>) =>
  sql`update fire_round set ${values} where case_id = ${row.id} and round = ${row.round}`.execute(ctx.db)

async function apply(ctx: Context, row: FireCase, body: Of<'save' | 'submit'>): Promise<Outcome<FireCase>> {
  const { action, version: _version, ...fields } = body
  const written = await applyColumns(ctx, row.projectCode, fields, row.materials, action === 'submit')
  if (action === 'save') {
    await writeChildren(ctx, row, written)
    return { values: written.columns }
  }
  const authority = await authorityOf(ctx, row.projectCode)
  const groups = [...new Set([row.applicantGroup, ...(await authoritiesOf(ctx, row.projectCode))])]
  await writeChildren(ctx, { ...row, groups }, written)
  await widenRecord(ctx, fireType, row.id, groups)
  const values = { authorityGroup: authority.id, authorityName: authority.name, groups, submitTime: new Date(ctx.clock.now()) }
  return { values: { ...written.columns, ...values, noAcceptReason: null, noAcceptNote: null } }
}

/** Dictionary govType: 消防 if the area has one of its own; otherwise the nearest authority. */
const fireOffice = '3'
/** The authority that decides: of those in whose area the project lies the nearest, one for fire first. */
export async function authorityOf(ctx: Pick<Context, 'system'>, projectCode: string): Promise<{ id: string; name: string }> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select t.id, t.name from tenant t join project p on p.project_code = ${projectCode}
      left join government g on g.gov_code = t.code
    where t.type = 1 and t.area_code is not null and p.area_code ^@ regexp_replace(t.area_code, '(00){1,2}$', '')
    order by coalesce(g.type = ${fireOffice}, false) desc, length(regexp_replace(t.area_code, '(00){1,2}$', '')) desc, t.code limit 1`.execute(
    ctx.system,
  )
  if (!rows[0]) throw new AppError('refused', '项目所在地没有受理机构，不能提交')
  return rows[0]
}

/** The term from a day on, without what stood still before. */
async function termFrom(ctx: Context, from: string): Promise<Pick<FireCase, 'dueFrom' | 'dueDate'>> {
  return { dueFrom: from, dueDate: dueAfter(await commonCalendar(ctx.db), from, [], from) }
}

export async function acceptValues(ctx: Context, row: FireCase): Promise<Outcome<FireCase>> {
  const { year, no } = await drawNumber(ctx, ctx.group.id, fireType)
  const code = row.code ?? `消验〔${year}〕${String(no).padStart(4, '0')}号`
  // The term of a 备案 begins when it is drawn.
  const term = row.kind === fireKinds.special ? await termFrom(ctx, today(ctx)) : {}
  return { values: { code, acceptTime: new Date(ctx.clock.now()), ...term }, opinion: code }
}
export const drawnValues = async (ctx: Context): Promise<Partial<FireCase>> => ({
  kind: fireKinds.drawnFiling,
  inRandom: true,
  ...(await termFrom(ctx, today(ctx))),
})

async function askPapers(ctx: Context, row: FireCase, reason: string): Promise<Outcome<FireCase>> {
  await ctx.db
    .insertInto('firePause')
    .values({ ...childOf(row, row.groups), fromDay: today(ctx), toDay: null, reason })
    .onConflict((on) => on.columns(['caseId', 'fromDay']).doUpdateSet({ toDay: null, reason }))
    .execute()
  return { values: { pausedAt: today(ctx) }, opinion: reason }
}

async function givePapers(ctx: Context, row: FireCase, { opinion, materials }: Of<'givePapers'>): Promise<Outcome<FireCase>> {
  const files = await keptFiles(ctx, fileIdsOf(materials), row.materials, 'materials')
  await sql`update fire_pause set to_day = ${today(ctx)} where case_id = ${row.id} and to_day is null`.execute(ctx.db)
  const values = { pausedAt: null, materials: [...new Set([...row.materials, ...files])] }
  if (row.dueFrom === null) return { values, opinion }
  const { rows } = await sql<{ from: string; to: string | null }>`select from_day as from, to_day as to from fire_pause
    where case_id = ${row.id} and from_day >= ${row.dueFrom}`.execute(ctx.db)
  const dueDate = dueAfter(await commonCalendar(ctx.db), row.dueFrom, rows, today(ctx), workDays)
  return { values: { ...values, dueDate }, opinion: `${opinion}；办理时限 ${row.dueDate} → ${dueDate}` }
}

/** Farther from the fence than this the assessor says why. */
const farM = 300
async function begin(ctx: Context, row: FireCase, body: Of<'start'>): Promise<Outcome<FireCase>> {
  const position = body.lng != null && body.lat != null ? { lng: body.lng, lat: body.lat } : null
  const { rows } = await sql<{ areaRule: Fence | null }>`select area_rule from project where project_code = ${row.projectCode}`.execute(
    ctx.db,
  )
  const outsideM = position ? metresOutside(rows[0]?.areaRule, position) : null
  const abnormal = position === null || (outsideM !== null && outsideM > farM)
  if (abnormal && !body.placeReason)
    throw refuse('placeReason', position ? `距项目围栏 ${outsideM} 米，请说明原因` : '未取得定位，请说明原因')
  // The catalogue of the first round stays.
  const catalogue = row.round > 1 ? row.catalogueId : ((await catalogueOf(ctx, ctx.group.id))?.id ?? null)
  await openRound(ctx, { ...row, catalogueId: catalogue }, row.round, null, {
    startedAt: new Date(ctx.clock.now()),
    placeReason: abnormal ? body.placeReason : null,
    outsideM,
  })
  return { values: { catalogueId: catalogue, assessDate: row.assessDate ?? today(ctx) } }
}

interface Started {
  startedAt: Date | null
  placeReason: string | null
  outsideM: number | null
}
async function openRound(ctx: Context, row: FireCase, round: number, only: string[] | null, started: Started): Promise<void> {
  await ctx.db
    .insertInto('fireRound')
    .values({
      ...childOf(row, authorities(row)),
      round,
      onlySubs: only,
      verdict: 'open',
      line: 'childOpen',
      subsDone: 0,
      subsTotal: 0,
      submittedAt: null,
      opinion: null,
      remark: null,
      docNo: null,
      issuedAt: null,
      issuedBy: null,
      ...started,
    })
    .execute()
  await keepJudgement(ctx, { ...row, round })
}

async function conclude(ctx: Context, row: FireCase): Promise<Outcome<FireCase>> {
  await keepJudgement(ctx, row)
  const round = (await roundsOf(ctx, row.id)).find((one) => one.round === row.round)
  if (round?.verdict === 'open' || round === undefined) throw new AppError('refused', '评定尚未完成，不能提交')
  await setRound(ctx, row, sql`submitted_at = ${new Date(ctx.clock.now())}`)
  return {}
}

/** The verdict follows from the findings; whoever signs differs by a remark only. The applicant learns of the findings now. */
async function issue(ctx: Context, row: FireCase, { opinion, remark }: Of<'issue'>): Promise<Outcome<FireCase>> {
  await keepJudgement(ctx, row)
  const round = (await roundsOf(ctx, row.id)).find((one) => one.round === row.round)
  if (!round || round.verdict === 'open') throw new AppError('refused', '评定尚未完成，不能签发')
  const { year, no } = await drawNumber(ctx, ctx.group.id, 'fireOpinion')
  const docNo = `${ctx.group.name}消验字〔${year}〕第${String(no).padStart(4, '0')}号`
  const now = new Date(ctx.clock.now())
  await setRound(
    ctx,
    row,
    sql`opinion = ${opinion}, remark = ${remark}, doc_no = ${docNo}, issued_at = ${now}, issued_by = ${ctx.user.name}`,
  )
  for (const table of found_) await sql`update ${sql.table(table)} set groups = ${row.groups} where case_id = ${row.id}`.execute(ctx.db)
  const passed = round.verdict !== 'fail'
  return { to: passed ? fireStates.passed : fireStates.failed, values: { finishDate: today(ctx) }, opinion: docNo }
}

async function askRecheck(ctx: Context, row: FireCase, { proofs }: Of<'recheck'>): Promise<Outcome<FireCase>> {
  const round = (await roundsOf(ctx, row.id)).at(-1)
  if (!round) throw new AppError('refused', '没有可以复评的评定')
  const failed = failedSubs(await judgeRound(ctx, row, round))
  const problems = problemsOf(
    (await entriesOf(ctx, row.id)).filter((one) => one.round === round.round),
    failed,
  )
  const missing = problems.find((one) => !proofs.some(({ pointId }) => pointId === one.id))
  if (missing) throw refuse('proofs', `${missing.checkPart}的不符合项还没有整改证明，须逐条填写`)
  const at = new Date(ctx.clock.now())
  for (const [i, one] of proofs.entries()) {
    if (!problems.some(({ id }) => id === one.pointId)) throw refuse(`proofs.${i}.pointId`, '不是本次复评的要点')
    const files = await keptFiles(ctx, fileIdsOf(one.files), [], `proofs.${i}.files`)
    await ctx.db
      .insertInto('fireProof')
      .values({ ...childOf(row, row.groups), pointId: one.pointId, note: one.note, files, at })
      .onConflict((on) => on.column('pointId').doUpdateSet({ note: one.note, files, at }))
      .execute()
  }
  return { values: { applyType: '2', finishDate: null, dueFrom: null, dueDate: null }, opinion: `整改 ${problems.length} 处` }
}

/** The next round looks at the failed sub-items only. */
async function acceptRecheck(ctx: Context, row: FireCase): Promise<Outcome<FireCase>> {
  const last = (await roundsOf(ctx, row.id)).at(-1)
  if (!last) throw new AppError('refused', '没有可以复评的评定')
  const only = failedSubs(await judgeRound(ctx, row, last))
  const round = last.round + 1
  await openRound(ctx, row, round, only, { startedAt: new Date(ctx.clock.now()), placeReason: null, outsideM: null })
  return {
    values: { round, acceptTime: new Date(ctx.clock.now()), ...(await termFrom(ctx, today(ctx))) },
    opinion: `复评 ${only.length} 个子项`,
  }
}

export async function removeCase(ctx: Context, id: string): Promise<void> {
  const row = await fireKind.lock(ctx, id)
  if (row.state !== fireStates.draft || !offersFor(ctx, fireKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有申请人可以删除，且只能删除草稿')
  await forgetRecord(ctx, fireType, id)
  await sql`delete from fire_case where id = ${id}`.execute(ctx.db)
  ctx.note('删除消防验收草稿', id)
}
