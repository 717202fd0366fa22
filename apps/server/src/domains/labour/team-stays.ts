import { AppError } from '@zhugong/contract/kit/errors'
import { stations } from '@zhugong/contract/labour/codes'
import type * as contract from '@zhugong/contract/labour/teams'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import { allOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { requireCompanyUnlisted } from './black-hold.ts'
import { getRaw, type RawStay, sameName, staySelect, toStay } from './team-rows.ts'
import { listed, requirePresentUnit } from './unit-checks.ts'

export const listTeamStays: HandlerOf<typeof contract.listTeamStays> = async ({ query }, ctx) => {
  const where = allOf(
    ...inProjects('pt.projectCode', projectsFor(ctx, query.projectCode)),
    ...equals('pt.teamId', query.teamId),
    ...(query.stationed === stations.present ? [condition(sql`pt.exit_time is null`)] : []),
    ...(query.stationed === stations.left ? [condition(sql`pt.exit_time is not null`)] : []),
  )
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<RawStay>`${staySelect} where ${where} order by pt.entry_time desc, pt.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from project_team pt where ${where}`.execute(ctx.db)
  return { list: rows.map(toStay), total: total.rows[0]?.n ?? 0 }
}

export const addTeamStay: HandlerOf<typeof contract.addTeamStay> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const t = await getRaw(ctx, body.teamId)
  if (t.exitTime === null) throw new AppError('refused', `班组“${t.teamName}”还在“${t.projectName ?? t.projectCode}”在场，请先办理退场`)
  const unit = await requirePresentUnit(ctx, projectCode, t.corpCode)
  await requireCompanyUnlisted(ctx, { projectCode, corpCode: t.corpCode }, 'team')
  if (body.entryTime < unit.entryTime)
    throw new AppError('refused', `班组进场不能早于所在单位进场（${unit.entryTime}）`, { field: 'entryTime' })
  if (t.exitTime > body.entryTime) throw new AppError('refused', `班组上一次退场在 ${t.exitTime}，进场不能早于它`, { field: 'entryTime' })
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('projectTeam')
      .values({ id, projectCode, teamId: t.id, corpCode: t.corpCode, entryTime: body.entryTime })
      .execute()
    await changeRow(ctx, 'team', {
      key: { id: t.id },
      version: t.version,
      by: ctx.user.id,
      noun: '班组',
      values: { projectCode, entryTime: body.entryTime, exitTime: null, stationed: '1' },
    })
  } catch (error) {
    throw sameName(error)
  }
  ctx.note(`班组进场 ${t.teamName}`, id)
  return { id }
}

export const setTeamTime: HandlerOf<typeof contract.setTeamTime> = async ({ body }, ctx) => {
  const within = allOf(...inProjects('pt.projectCode', projectsFor(ctx)))
  const { rows } = await sql<RawStay>`${staySelect} where pt.id = ${body.id} and ${within}`.execute(ctx.db)
  const stay = found(rows[0], '班组进退场')
  const entryTime = body.entryTime ?? stay.entryTime
  if (body.exitTime) {
    requireCode(ctx, 'labour.teamExit')
    if (body.exitTime < entryTime) throw new AppError('invalidInput', '退场时间不能早于进场时间', { field: 'exitTime' })
    if (body.exitTime > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '退场时间不能晚于今天', { field: 'exitTime' })
    await requireEmptyTeam(ctx, stay)
  } else {
    requireCode(ctx, 'labour.team')
    const unit = await requirePresentUnit(ctx, stay.projectCode, stay.corpCode)
    if (entryTime < unit.entryTime)
      throw new AppError('refused', `班组进场不能早于所在单位进场（${unit.entryTime}）`, { field: 'entryTime' })
  }
  await ctx.db.updateTable('projectTeam').set({ entryTime, exitTime: body.exitTime }).where('id', '=', stay.id).execute()
  try {
    await ctx.db
      .updateTable('team')
      .set({ entryTime, exitTime: body.exitTime, stationed: body.exitTime ? '2' : '1' })
      .where('id', '=', stay.teamId)
      .where('projectCode', '=', stay.projectCode)
      .execute()
  } catch (error) {
    throw sameName(error)
  }
  ctx.note(`${body.exitTime ? '班组退场' : '设置班组进场时间'}：${stay.teamName}`, stay.id)
  return undefined
}

/** Throws with the names if the team still has people present. */
async function requireEmptyTeam(ctx: Context, stay: RawStay): Promise<void> {
  const people = await ctx.db
    .selectFrom('projectWorker')
    .select(['id', 'workerId', 'workerName as name'])
    .where('projectCode', '=', stay.projectCode)
    .where('teamId', '=', stay.teamId)
    .where('exitTime', 'is', null)
    .orderBy('workerName')
    .execute()
  if (people.length)
    throw new AppError('refused', `班组“${stay.teamName}”还有 ${people.length} 人在场，请先办理人员退场：${listed(people)}`, { people })
}
