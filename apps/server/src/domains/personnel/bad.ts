import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { addYears } from '@zhugong/contract/kit/years'
import { type BadRow, badRow } from '@zhugong/contract/personnel/bad-record-model'
import * as contract from '@zhugong/contract/personnel/bad-records'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { badRecordScore, badRecordYears } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { declared } from '#kit/declared-keys'
import { allOf, anyOf, type Condition, daysBetween, equals, filtersOf, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles, linksOf } from '../files/public.ts'
import { getSeenWorker, getWorker } from './store.ts'

/**
 * Misconduct may become known after a person has left, often dismissed for it. After this limit the former site may no longer record it.
 */
const recordedWithinDays = 30

/** Records of misconduct: what happened, who confirmed it, and until when it counts. */
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

/** The misconduct records of a person that are visible to the caller, newest first. */
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
  await changeRow(ctx, 'workerBad', {
    key: { id: before.id },
    version,
    noun: '不良记录',
    by: ctx.user.id,
    values: {
      ...fields,
      corpCode: stay.corpCode,
      teamId: stay.teamId,
      score: body.score ?? badRecordScore[body.badRecordLevel] ?? null,
      files: JSON.stringify(await keptFiles(ctx, body.files, before.files)),
      auditStatus: '0',
    },
  })
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
  await changeRow(ctx, 'workerBad', {
    key: { id: before.id },
    version: before.version,
    by: null,
    noun: '不良记录',
    values: {
      auditStatus: body.result,
      validUntil: body.result === auditStates.passed ? addYears(today, years) : null,
      auditedBy: ctx.user.id,
      auditedName: ctx.group.name,
    },
  })
  ctx.note(`${body.result === auditStates.passed ? '认定' : '驳回'}不良记录${body.opinion ? `（${body.opinion}）` : ''}`, before.id)
  return undefined
}

type Confirmed = Pick<
  Row<'workerBad'>,
  | 'workerId'
  | 'projectCode'
  | 'corpCode'
  | 'teamId'
  | 'badRecordType'
  | 'badRecordLevel'
  | 'actionDegree'
  | 'occurrenceDate'
  | 'reason'
  | 'score'
> & { misconductId: string; processResult: string; files: readonly string[]; proposedBy: string }

/**
 * Writes the confirmed record that a decided case of misconduct brings about, once for a case. It counts as long as its severity says.
 * Returns its id.
 */
export async function confirmBad(
  ctx: Pick<Context, 'db' | 'clock' | 'newId' | 'user' | 'group'>,
  { files, proposedBy, ...record }: Confirmed,
): Promise<string> {
  const id = ctx.newId()
  await ctx.db
    .insertInto('workerBad')
    .values({
      ...record,
      id,
      type: '1',
      files: JSON.stringify(files),
      auditStatus: auditStates.passed,
      validUntil: addYears(formatDay(ctx.clock.now()), badRecordYears[record.badRecordLevel] ?? 1),
      auditedBy: ctx.user.id,
      auditedName: ctx.group.name,
      createBy: proposedBy,
    })
    .execute()
  return id
}

/** A confirmed record that is over, without an objection: it no longer counts. */
export async function endBad(ctx: Pick<Context, 'db' | 'clock'>, id: string): Promise<void> {
  const yesterday = addDays(formatDay(ctx.clock.now()), -1)
  await ctx.db
    .updateTable('workerBad')
    .set((eb) => ({ validUntil: yesterday, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('validUntil', '>', yesterday)
    .execute()
}

/** Points of a person's records that count today. */
export async function badPointsOf(ctx: Pick<Context, 'db' | 'clock'>, workerId: string): Promise<number> {
  const { rows } = await sql<{ points: number }>`select coalesce(sum(score), 0)::float8 as points from worker_bad
    where worker_id = ${workerId} and audit_status = ${auditStates.passed} and valid_until >= ${formatDay(ctx.clock.now())}::date`.execute(
    ctx.db,
  )
  return rows[0]?.points ?? 0
}

/** Revokes a confirmed record after a justified objection: it expires yesterday at the latest. */
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
    filtersOf(query, {
      workerId: [equals, 'b.workerId'],
      badRecordType: [anyOf, 'b.badRecordType'],
      badRecordLevel: [anyOf, 'b.badRecordLevel'],
      auditStatus: [anyOf, 'b.auditStatus'],
      occurrenceDate: [daysBetween, 'b.occurrenceDate'],
      projectCode: 'elsewhere',
    }),
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

/** The stay that proves the person was at this project on the day of the incident. */
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
  return rowOf(badRow, b, {
    badRecordTypeName: dictName('badActionType', b.badRecordType),
    badRecordLevelName: dictName('actionLevel', b.badRecordLevel),
    actionDegreeName: dictName('actionDegree', b.actionDegree),
    files: linksOf(ctx, b.files),
    auditStatusName: dictName('auditStatus', b.auditStatus),
    revokedDay: b.revokedAt && formatDay(b.revokedAt),
    counts: b.auditStatus === auditStates.passed && b.validUntil !== null && b.validUntil >= today,
    own: (b.updateBy ?? b.createBy) === ctx.user.id,
    createTime: formatInstant(b.createTime),
  })
}
