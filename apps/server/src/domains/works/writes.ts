import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeWork, createWork } from '@zhugong/contract/works/calls'
import { judgeScale } from '@zhugong/contract/works/scale'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { keptFiles } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { placeColumns } from '../places/public.ts'
import { handOverRecord, type Outcome } from '../process/public.ts'
import { draftNotice, issueNotice } from '../rectify/public.ts'
import { source } from './kind.ts'
import type { Work } from './missing.ts'
import { takeReview } from './reviews.ts'

export type Body = ParsedFor<typeof changeWork>['body']
type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>
type Fields = ParsedFor<typeof createWork>['body']

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })
/** Risk level of an over-scale work at the mildest. */
const overScaleRisk = '2'

/**
 * The columns that identify a work. Category and scale follow from the sizes and only go up.
 * @throws AppError `invalidInput` at the field
 */
export async function workColumns(ctx: Context, projectCode: string, given: Fields, before?: Pick<Work, 'overScale'>) {
  const { sizes, placeId, unitId, constructionCorp, subCorp, overScale, riskLevel, ...rest } = given
  const judged = judgeScale(given.category, sizes)
  const isOver = judged.overScale || overScale || before?.overScale === true
  if (given.planEndDate < given.planStartDate) throw wrong('planEndDate', '计划结束不能早于计划开始')
  if (given.actualStartDate && given.actualStartDate > formatDay(ctx.clock.now())) throw wrong('actualStartDate', '实际开始不能晚于今天')
  if (isOver && riskLevel > overScaleRisk) throw wrong('riskLevel', '超规模的危大工程为一级或二级风险')
  await requireUnit(ctx, projectCode, constructionCorp, 'constructionCorp')
  if (subCorp) await requireUnit(ctx, projectCode, subCorp, 'subCorp')
  await requireUnitProject(ctx, projectCode, unitId)
  const [place] = await placeColumns(ctx, projectCode, [{ placeId }], (_at, name) => name)
  return {
    ...rest,
    ...sizes,
    category: judged.category,
    overScale: isOver,
    riskLevel,
    unitId,
    placeId: place?.placeId ?? null,
    constructionCorp,
    subCorp,
    corpCode: subCorp ?? constructionCorp,
  }
}

async function requireUnit(ctx: Context, projectCode: string, corpCode: string, field: string): Promise<void> {
  await requirePresentUnit(ctx, projectCode, corpCode).catch((error: unknown) => {
    throw error instanceof AppError ? wrong(field, error.message) : error
  })
}

async function requireUnitProject(ctx: Context, projectCode: string, unitId: string | null): Promise<void> {
  if (!unitId) return
  const { rows } = await sql`select from unit_project where id = ${unitId} and project_code = ${projectCode}`.execute(ctx.db)
  if (rows.length === 0) throw wrong('unitId', '单位工程不存在或不属于该项目')
}

/** What an action changes beside the state, and the notice that it made. */
type Written = Outcome<Work> & { noticeId?: string }

export async function writeWork(ctx: Context, row: Work, body: Body): Promise<Written> {
  const today = formatDay(ctx.clock.now())
  switch (body.action) {
    case 'save': {
      const { action: _action, version: _version, ...fields } = body
      const values = await workColumns(ctx, row.projectCode, fields, row)
      if (values.corpCode !== row.corpCode) await handOver(ctx, row.id, values.corpCode)
      return { values }
    }
    case 'savePlan':
      return { values: { planName: body.planName, planFiles: await keptFiles(ctx, body.planFiles, row.planFiles, 'planFiles') } }
    case 'pass':
      return row.overScale ? { to: '3', opinion: body.opinion } : { to: '5', values: { planPassDate: today }, opinion: body.opinion }
    case 'return':
      return { opinion: body.opinion }
    case 'review':
      return takeReview(ctx, row, body.activityId)
    case 'revise':
      return {
        values: {
          revisionNote: body.note,
          revisionFiles: await keptFiles(ctx, body.planFiles, [...row.planFiles, ...row.revisionFiles], 'planFiles'),
        },
        opinion: body.note,
      }
    case 'passRevised':
      return { values: { planPassDate: today }, opinion: body.opinion }
    case 'redo':
      return { values: { activityId: null, reviewResult: null, reviewDate: null, reviewReport: null, reviewConclusion: null } }
    case 'prepare':
      return prepare(ctx, row, body, today)
    case 'monitor':
      return monitor(ctx, row, body)
    case 'start':
      return start(row, body.actualStartDate, today)
    case 'finish':
      if (body.actualEndDate > today) throw wrong('actualEndDate', '实际完成不能晚于今天')
      if (row.actualStartDate && body.actualEndDate < row.actualStartDate) throw wrong('actualEndDate', '实际完成不能早于实际开始')
      return { values: { actualEndDate: body.actualEndDate } }
    case 'saveAccept':
      if (body.acceptDate > today) throw wrong('acceptDate', '验收日期不能晚于今天')
      if (row.actualEndDate && body.acceptDate < row.actualEndDate) throw wrong('acceptDate', '验收不能早于实施完成')
      return {
        values: { acceptDate: body.acceptDate, acceptPhotos: await keptFiles(ctx, body.acceptPhotos, row.acceptPhotos, 'acceptPhotos') },
      }
    case 'reject':
      return reject(ctx, row, body, today)
    case 'requireStop':
      return { noticeId: await draftStop(ctx, row, body.opinion, today) }
    case 'accept':
    case 'close':
    case 'superviseNote':
      return { opinion: body.opinion }
    case 'plan':
    case 'submit':
      return {}
  }
}

/** The company that answers for a work decides who sees its rows. */
async function handOver(ctx: Context, id: string, corpCode: string): Promise<void> {
  await sql`update bigproject_person set corp_code = ${corpCode} where work_id = ${id}`.execute(ctx.db)
  await sql`update bigproject_device set corp_code = ${corpCode} where work_id = ${id}`.execute(ctx.db)
  await handOverRecord(ctx, source, id, corpCode)
}

type Person = Pick<Row<'bigprojectPerson'>, 'kind' | 'name' | 'post'>

async function prepare(ctx: Context, row: Work, body: BodyOf<'prepare'>, today: string): Promise<Outcome<Work>> {
  const { disclosureDate, discloser, disclosureText, receivers, inspectors } = body
  if (disclosureDate && disclosureDate > today) throw wrong('disclosureDate', '交底日期不能晚于今天')
  if (disclosureDate && row.planPassDate && disclosureDate < row.planPassDate)
    throw wrong('disclosureDate', `交底不能早于方案通过（${row.planPassDate}）`)
  const names = receivers.map((one) => one.name)
  if (new Set(names).size < names.length) throw wrong('receivers', '接受交底人重复')
  if (discloser && names.includes(discloser)) throw wrong('discloser', '交底人不能同时是接受交底人')
  const warnPhotos = await keptFiles(ctx, body.warnPhotos, row.warnPhotos, 'warnPhotos')
  await sql`delete from bigproject_person where work_id = ${row.id}`.execute(ctx.db)
  const { id: workId, projectCode, corpCode, shownAt, groups } = row
  const of = (kind: Person['kind'], people: readonly Pick<Person, 'name' | 'post'>[]) =>
    people.map(({ name, post }, at) => ({ id: ctx.newId(), workId, projectCode, corpCode, shownAt, groups, kind, seq: at + 1, name, post }))
  const rows = [...of('receiver', receivers), ...of('inspector', inspectors)]
  if (rows.length > 0) await ctx.db.insertInto('bigprojectPerson').values(rows).execute()
  return { values: { disclosureDate, discloser, disclosureText, warnPhotos } }
}

async function monitor(ctx: Context, row: Work, body: BodyOf<'monitor'>): Promise<Outcome<Work>> {
  const ids = [...new Set(body.deviceIds)]
  const { rows } = await sql<{ id: string }>`select id from device where id = any (${ids}) and project_code = ${row.projectCode}`.execute(
    ctx.db,
  )
  if (rows.length < ids.length) throw wrong('deviceIds', '有设备不存在或不属于本项目')
  await sql`delete from bigproject_device where work_id = ${row.id}`.execute(ctx.db)
  const { id: workId, projectCode, corpCode, shownAt, groups } = row
  if (ids.length > 0)
    await ctx.db
      .insertInto('bigprojectDevice')
      .values(ids.map((deviceId) => ({ workId, deviceId, projectCode, corpCode, shownAt, groups })))
      .execute()
  return {
    values: { monitorOrg: body.monitorOrg, monitorFiles: await keptFiles(ctx, body.monitorFiles, row.monitorFiles, 'monitorFiles') },
  }
}

/** A start before the plan passed cannot be entered here; one that was registered with the work stays, as a finding. */
function start(row: Work, given: string, today: string): Outcome<Work> {
  if (row.actualStartDate) return { opinion: `登记时已开工（${row.actualStartDate}）` }
  if (given > today) throw wrong('actualStartDate', '实际开始不能晚于今天')
  if (row.planPassDate && given < row.planPassDate) throw wrong('actualStartDate', `不能早于方案通过（${row.planPassDate}）`)
  return { values: { actualStartDate: given } }
}

/** 安全 in dictionary inspectType and rectifyCategory, and the ordinary level of a hazard. */
const ofNotice = { category: '03', level: '2', majorClause: '危险性较大的分部分项工程（住建部令第37号）' }
const supervisorCheck = '13'
const specialCheck = '02'
const orderedStop = '3'
const limited = '2'

async function reject(ctx: Context, row: Work, body: BodyOf<'reject'>, today: string): Promise<Written> {
  const { notice } = await issueNotice(ctx, {
    projectCode: row.projectCode,
    source: { kind: source, id: row.id },
    corpCode: row.corpCode,
    sourceType: supervisorCheck,
    noticeType: limited,
    category: ofNotice.category,
    level: '1',
    majorClause: null,
    checkDate: today,
    deadline: body.deadline,
    responsiblePerson: body.responsiblePerson,
    lines: [lineOf(row, body.opinion, body.requirement, body.responsiblePerson)],
  })
  return {
    values: { acceptDate: null, acceptPhotos: [] },
    opinion: `${body.opinion}（整改通知 ${notice.code ?? ''}）`,
    noticeId: notice.id,
  }
}

const lineOf = (row: Work, description: string, requirement: string, person: string | null) => ({
  description,
  part: row.part.slice(0, 100),
  placeId: row.placeId,
  pin: null,
  clause: null,
  requirement,
  person,
  photos: [],
})

/** The officer completes the draft before he issues it. @returns its id */
async function draftStop(ctx: Context, row: Work, reason: string, today: string): Promise<string> {
  const notice = await draftNotice(ctx, {
    projectCode: row.projectCode,
    source: { kind: source, id: row.id },
    corpCode: row.corpCode,
    sourceType: specialCheck,
    noticeType: orderedStop,
    ...ofNotice,
    checkDate: today,
    deadline: today,
    responsiblePerson: '项目负责人',
    lines: [lineOf(row, reason, `立即停止“${row.name}”的实施，整改合格并经复查后方可继续`, null)],
  })
  return notice.id
}
