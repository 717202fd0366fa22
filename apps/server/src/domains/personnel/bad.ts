import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { addYears } from '@zhugong/contract/kit/years'
import type { BadRow } from '@zhugong/contract/personnel/bad-record-model'
import * as contract from '@zhugong/contract/personnel/bad-records'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { badRecordScore, badRecordYears } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { declared } from '#kit/declared-keys'
import { allOf, anyOf, type Condition, daysBetween, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles, linksOf } from '../files/public.ts'
import { getSeenWorker, getWorker } from './store.ts'

/** What was done on site may come to light after somebody has gone, often sent away for it; later than this it is no longer the former site's to record. */
const recordedWithinDays = 30

/** What somebody did wrong, who confirmed it, and until when it counts. */
export function badRoutes(serve: Serve) {
  const listed = async (query: BadQuery, ctx: Context) => {
    const where = conditions(query, projectsFor(ctx, query.projectCode))
    const { limit, offset } = pageSlice(query)
    const { rows } =
      await sql<RawBad>`${select} where ${where} order by b.occurrence_date desc, b.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
    const total = await sql<{ n: number }>`select count(*)::int as n from worker_bad b where ${where}`.execute(ctx.db)
    return { list: rows.map((b) => toBad(ctx, b)), total: total.rows[0]?.n ?? 0 }
  }
  serve(contract.listBadRecords, ({ query }, ctx) => listed(query, ctx))
  serve(contract.pickBadRecords, async ({ query }, ctx) => declared(contract.pickBadRecords, await listed(query, ctx)))
  serve(contract.workerBadRecords, async ({ params }, ctx) => {
    await getSeenWorker(ctx, params.id)
    return listed({ page: 1, size: 500, workerId: params.id }, ctx)
  })
  serve(contract.getBadRecord, async ({ params }, ctx) => toBad(ctx, await getBad(ctx, params.id)))
  serve(contract.createBadRecord, createBadRecord)
  serve(contract.updateBadRecord, updateBadRecord)
  serve(contract.removeBadRecord, removeBadRecord)
  serve(contract.auditBadRecord, auditBadRecord)
}

/** All that stands against a person in sight, newest first. */
export async function badOf(ctx: Pick<Context, 'db' | 'clock' | 'secrets' | 'user'>, workerId: string): Promise<BadRow[]> {
  const { rows } =
    await sql<RawBad>`${select} where b.worker_id = ${workerId} order by b.occurrence_date desc, b.id desc limit 500`.execute(ctx.db)
  return rows.map((b) => toBad(ctx, b))
}

const createBadRecord: HandlerOf<typeof contract.createBadRecord> = async ({ body }, ctx) => {
  const worker = await getWorker(ctx, body.workerId)
  const stay = await stayOn(ctx, body)
  const id = ctx.newId()
  await ctx.db
    .insertInto('workerBad')
    .values({
      ...body,
      id,
      type: '1',
      corpCode: stay.corpCode,
      teamId: stay.teamId,
      score: body.score ?? badRecordScore[body.badRecordLevel] ?? null,
      files: JSON.stringify(await keptFiles(ctx, body.files)),
      createBy: ctx.user.id,
    })
    .execute()
  ctx.note(`登记不良记录：${maskName(worker.name)}`, id)
  return { id }
}

const updateBadRecord: HandlerOf<typeof contract.updateBadRecord> = async ({ params, body }, ctx) => {
  const before = await getBad(ctx, params.id)
  requireOpen(before)
  const stay = await stayOn(ctx, body)
  const { version, ...fields } = body
  const done = await ctx.db
    .updateTable('workerBad')
    .set({
      ...fields,
      corpCode: stay.corpCode,
      teamId: stay.teamId,
      score: body.score ?? badRecordScore[body.badRecordLevel] ?? null,
      files: JSON.stringify(await keptFiles(ctx, body.files, before.files)),
      auditStatus: '0',
      version: version + 1,
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
    })
    .where('id', '=', before.id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '不良记录已被他人修改，请刷新后重试')
  ctx.note('修改不良记录', before.id)
  return undefined
}

const removeBadRecord: HandlerOf<typeof contract.removeBadRecord> = async ({ params }, ctx) => {
  const before = await getBad(ctx, params.id)
  requireOpen(before)
  await ctx.db.deleteFrom('workerBad').where('id', '=', before.id).execute()
  ctx.note('删除不良记录', before.id)
  return undefined
}

const auditBadRecord: HandlerOf<typeof contract.auditBadRecord> = async ({ body }, ctx) => {
  const before = await getBad(ctx, body.id)
  if (before.auditStatus !== auditStates.waiting) throw new AppError('refused', '当前状态不允许该操作')
  if ((before.updateBy ?? before.createBy) === ctx.user.id) throw new AppError('refused', '登记人不能审核自己登记的记录')
  if (body.result === auditStates.passed && !before.processResult)
    throw new AppError('refused', '审核通过前请填写处理结果', { field: 'processResult' })
  const today = formatDay(ctx.clock.now())
  const years = badRecordYears[before.badRecordLevel] ?? 1
  await ctx.db
    .updateTable('workerBad')
    .set({
      auditStatus: body.result,
      validUntil: body.result === auditStates.passed ? addYears(today, years) : null,
      auditedBy: ctx.user.id,
      auditedName: ctx.group.name,
      version: before.version + 1,
    })
    .where('id', '=', before.id)
    .execute()
  ctx.note(`${body.result === auditStates.passed ? '认定' : '驳回'}不良记录${body.opinion ? `（${body.opinion}）` : ''}`, before.id)
  return undefined
}

/**
 * An objection was found right: what was confirmed is taken back and counts no longer than yesterday.
 */
export async function revokeBad(ctx: Pick<Context, 'db' | 'clock'>, id: string): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db
    .updateTable('workerBad')
    .set((eb) => ({
      validUntil: addDays(formatDay(now), -1),
      revokedAt: new Date(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

type BadQuery = NonNullable<(typeof contract.listBadRecords)['types']>['parsed']['query']
type RawBad = Row<'workerBad'> & { workerName: string | null; projectName: string | null; corpName: string | null }

const select = sql`
  select b.*, p.name as worker_name, pr.name as project_name, c.corp_name from worker_bad b
    left join worker p on p.id = b.worker_id left join project pr using (project_code) left join corporation c on c.corp_code = b.corp_code`

const conditions = (query: BadQuery, projects: readonly string[] | undefined): Condition =>
  allOf(
    ...inProjects('b.projectCode', projects),
    ...equals('b.workerId', query.workerId),
    ...anyOf('b.badRecordType', query.badRecordType),
    ...anyOf('b.badRecordLevel', query.badRecordLevel),
    ...anyOf('b.auditStatus', query.auditStatus),
    ...daysBetween('b.occurrenceDate', query.occurrenceDate),
  )

async function getBad(ctx: Context, id: string): Promise<RawBad> {
  const { rows } = await sql<RawBad>`${select} where b.id = ${id} and ${allOf(...inProjects('b.projectCode', projectsFor(ctx)))}`.execute(
    ctx.db,
  )
  return found(rows[0], '不良记录')
}

function requireOpen(b: RawBad): void {
  if (b.auditStatus === auditStates.passed) throw new AppError('refused', '已认定的记录不能修改或删除')
}

/** It happened while the person was at that project. */
async function stayOn(ctx: Context, body: { workerId: string; projectCode: string; occurrenceDate: string }) {
  const projectCode = oneProject(ctx, body.projectCode)
  const start = new Date(startOfDay(body.occurrenceDate))
  const end = new Date(startOfDay(addDays(body.occurrenceDate, 1)))
  const stay = await ctx.db
    .selectFrom('projectWorker')
    .select(['corpCode', 'teamId', 'exitTime'])
    .where('workerId', '=', body.workerId)
    .where('projectCode', '=', projectCode)
    .where('entryTime', '<', end)
    .where((eb) => eb.or([eb('exitTime', 'is', null), eb('exitTime', '>=', start)]))
    .executeTakeFirst()
  if (!stay) throw new AppError('refused', '发生日期不在该人员于本项目的在场期内', { field: 'occurrenceDate' })
  if (stay.exitTime && formatDay(stay.exitTime) < addDays(formatDay(ctx.clock.now()), -recordedWithinDays))
    throw new AppError('refused', `该人员退场已超过 ${recordedWithinDays} 天，不能再登记或修改不良记录`, { field: 'workerId' })
  return stay
}

function toBad(ctx: Pick<Context, 'clock' | 'secrets' | 'user'>, b: RawBad): BadRow {
  const today = formatDay(ctx.clock.now())
  return {
    id: b.id,
    workerId: b.workerId,
    workerName: b.workerName,
    projectCode: b.projectCode,
    projectName: b.projectName,
    corpName: b.corpName,
    badRecordType: b.badRecordType,
    badRecordTypeName: dictName('badActionType', b.badRecordType),
    badRecordLevel: b.badRecordLevel,
    badRecordLevelName: dictName('actionLevel', b.badRecordLevel),
    actionDegree: b.actionDegree,
    actionDegreeName: dictName('actionDegree', b.actionDegree),
    occurrenceDate: b.occurrenceDate,
    reason: b.reason,
    processResult: b.processResult,
    score: b.score,
    files: linksOf(ctx, b.files),
    auditStatus: b.auditStatus,
    auditStatusName: dictName('auditStatus', b.auditStatus),
    validUntil: b.validUntil,
    auditedName: b.auditedName,
    revokedDay: b.revokedAt && formatDay(b.revokedAt),
    counts: b.auditStatus === auditStates.passed && b.validUntil !== null && b.validUntil >= today,
    own: (b.updateBy ?? b.createBy) === ctx.user.id,
    createTime: formatInstant(b.createTime),
    version: b.version,
  }
}
