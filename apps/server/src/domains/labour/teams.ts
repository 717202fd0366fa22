import { ageOn, maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { teamDetail } from '@zhugong/contract/labour/model'
import * as contract from '@zhugong/contract/labour/teams'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, contains, equals, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { requireCompanyUnlisted } from './black-hold.ts'
import { markLeader } from './leaders.ts'
import { joinLicence, type LicenceColumns, licenceColumns, licenceState } from './licences.ts'
import {
  conditions,
  count,
  getRaw,
  measures,
  order,
  type RawStay,
  type RawTeam,
  sameName,
  select,
  staySelect,
  toStay,
  toTeam,
} from './team-rows.ts'
import { addTeamStay, listTeamStays, setTeamTime } from './team-stays.ts'
import { requirePresentUnit } from './unit-checks.ts'

/** Teams, and their stays on projects. */
export function teamRoutes(serve: Serve) {
  serve(contract.listTeams, listTeams)
  serve(contract.teamFigures, teamFigures)
  serve(contract.pickTeams, pickTeams)
  serve(contract.getTeam, getTeam)
  serve(contract.teamForm, teamForm)
  serve(contract.createTeam, createTeam)
  serve(contract.updateTeam, updateTeam)
  serve(contract.removeTeam, removeTeam)
  serve(contract.listTeamStays, listTeamStays)
  serve(contract.addTeamStay, addTeamStay)
  serve(contract.setTeamTime, setTeamTime)
}

const listTeams: HandlerOf<typeof contract.listTeams> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<RawTeam>`select t.*, ${measures(ctx)} from (select * from (${select(ctx)}) t where ${where} order by ${order(query.sort)} limit ${limit} offset ${offset}) t order by ${order(query.sort)}`.execute(
      ctx.db,
    )
  return { list: rows.map(toTeam), total: await count(ctx, where) }
}

const teamFigures: HandlerOf<typeof contract.teamFigures> = async ({ query }, ctx) => {
  const within = allOf(...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)))
  const { rows } = await sql<{ total: number; present: number; idle: number; care: number }>`
      select count(*)::int as total, count(*) filter (where t.exit_time is null and headcount > 0)::int as present,
        count(*) filter (where headcount = 0)::int as idle, count(*) filter (where bad_count > 0)::int as care
      from (${select(ctx)}) t where ${within}`.execute(ctx.db)
  return rows[0] ?? { total: 0, present: 0, idle: 0, care: 0 }
}

const pickTeams: HandlerOf<typeof contract.pickTeams> = async ({ query }, ctx) => {
  const where = allOf(
    ...inProjects('projectCode', projectsFor(ctx, query.projectCode)),
    ...equals('corpCode', query.corpCode),
    ...contains('teamName', query.name),
  )
  const { limit, offset } = pageSlice(query)
  const list = await ctx.db
    .selectFrom('team')
    .select(['id', 'teamSysNo', 'teamName', 'corpCode', 'workType', 'projectCode'])
    .where('exitTime', 'is', null)
    .where(where)
    .orderBy('teamName')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = await ctx.db
    .selectFrom('team')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('exitTime', 'is', null)
    .where(where)
    .executeTakeFirstOrThrow()
  return { list, total: total.n }
}

const getTeam: HandlerOf<typeof contract.getTeam> = async ({ params }, ctx) => {
  const t = await getRaw(ctx, params.id)
  const today = formatDay(ctx.clock.now())
  const stays = await sql<RawStay>`${staySelect} where pt.team_id = ${t.id} order by pt.entry_time desc, pt.id`.execute(ctx.db)
  const people = await sql<Row<'projectWorker'> & LicenceColumns>`
      select w.*, ${licenceColumns} from project_worker w ${joinLicence('w')}
      where w.team_id = ${t.id} and w.exit_time is null order by w.is_team_leader desc, w.entry_time, w.id limit 500`.execute(ctx.db)
  const months = await sql<{ month: string; count: number }>`
      select to_char(m, 'YYYY-MM') as month, (select count(*)::int from project_worker w where w.team_id = ${t.id}
        and w.entry_time < m + interval '1 month' and (w.exit_time is null or w.exit_time >= m + interval '1 month')) as count
      from generate_series(date_trunc('month', ${today}::date) - interval '11 months', date_trunc('month', ${today}::date), interval '1 month') m
      order by m`.execute(ctx.db)
  return rowOf(teamDetail, t, {
    ...toTeam(t),
    responsiblePersonPhone: t.responsiblePersonPhoneMask,
    responsiblePersonIdNumber: t.responsiblePersonIdMask,
    stays: stays.rows.map(toStay),
    people: people.rows.map((w) => ({
      projectWorkerId: w.id,
      ...pick(w, 'workerId', 'isTeamLeader', 'formalStatus'),
      name: w.workerName,
      workTypeName: dictName('workerType', w.workType),
      age: ageOn(w.birthday, today),
      entryTime: formatInstant(w.entryTime),
      certState: licenceState(w.workType, w, today).certState,
    })),
    months: months.rows,
  })
}

const teamForm: HandlerOf<typeof contract.teamForm> = async ({ query }, ctx) => {
  const projects = await ctx.db
    .selectFrom('project')
    .select(['projectCode as code', 'name'])
    .where('enable', '=', '1')
    .where(allOf(...inProjects('projectCode', projectsFor(ctx))))
    .orderBy('name')
    .limit(500)
    .execute()
  const requested =
    query.projectCode && query.projectCode !== '*' ? query.projectCode : ctx.projectCode !== '*' ? ctx.projectCode : undefined
  const projectCode = requested ?? (projects.length === 1 ? projects[0]?.code : undefined)
  if (!projectCode) return { projectCode: null, projects, corps: [], people: [] }
  const within = oneProject(ctx, projectCode)
  const corps = await sql<{ code: string; name: string; entryTime: string }>`
      select u.corp_code as code, c.corp_name as name, min(u.entry_time) as entry_time from project_corp u join corporation c using (corp_code)
      where u.project_code = ${within} and u.exit_time is null group by 1, 2 order by 2`.execute(ctx.db)
  const people = await ctx.db
    .selectFrom('projectWorker')
    .select(['workerId', 'workerName as name', 'teamId'])
    .where('projectCode', '=', within)
    .where('exitTime', 'is', null)
    .where('teamId', 'is not', null)
    .orderBy('workerName')
    .limit(2000)
    .execute()
  return { projectCode: within, projects, corps: corps.rows, people }
}

const createTeam: HandlerOf<typeof contract.createTeam> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const unit = await requirePresentUnit(ctx, projectCode, body.corpCode)
  await requireCompanyUnlisted(ctx, { projectCode, corpCode: body.corpCode }, 'team')
  if (body.entryTime < unit.entryTime)
    throw new AppError('refused', `班组进场不能早于所在单位进场（${unit.entryTime}）`, { field: 'entryTime' })
  if (body.entryTime > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '进场日期不能晚于今天', { field: 'entryTime' })
  const { responsiblePersonPhone, responsiblePersonIdNumber, teamLeaderId: _later, ...rest } = body
  const id = ctx.newId()
  try {
    const { teamSysNo } = await ctx.db
      .insertInto('team')
      .values({
        ...rest,
        id,
        projectCode,
        ...sealedPerson(ctx, responsiblePersonPhone, responsiblePersonIdNumber),
        createBy: ctx.user.id,
      })
      .returning('teamSysNo')
      .executeTakeFirstOrThrow()
    await ctx.db
      .insertInto('projectTeam')
      .values({ id: ctx.newId(), projectCode, teamId: id, corpCode: body.corpCode, entryTime: body.entryTime })
      .execute()
    ctx.note(`新增班组 ${body.teamName}`, id)
    return { id, teamSysNo }
  } catch (error) {
    throw sameName(error)
  }
}

const updateTeam: HandlerOf<typeof contract.updateTeam> = async ({ params, body }, ctx) => {
  const before = await getRaw(ctx, params.id)
  const { version, responsiblePersonPhone, responsiblePersonIdNumber, teamLeaderId, ...rest } = body
  const leader = teamLeaderId ? await leaderOf(ctx, before.id, teamLeaderId) : null
  try {
    await changeRow(ctx, 'team', {
      key: { id: params.id },
      version,
      noun: '班组',
      by: ctx.user.id,
      values: {
        ...rest,
        teamLeaderId: leader?.workerId ?? null,
        teamLeaderName: leader?.workerName ?? null,
        ...sealedPerson(ctx, responsiblePersonPhone, responsiblePersonIdNumber),
      },
    })
  } catch (error) {
    throw sameName(error)
  }
  await markLeader(ctx, before.id, leader?.id)
  ctx.note(`修改班组 ${before.teamName}`, params.id)
  return undefined
}

const removeTeam: HandlerOf<typeof contract.removeTeam> = async ({ params }, ctx) => {
  const t = await getRaw(ctx, params.id)
  const used = await ctx.db.selectFrom('projectWorker').select('id').where('teamId', '=', t.id).executeTakeFirst()
  if (used) throw new AppError('refused', `班组“${t.teamName}”已有人员记录，只能退场，不能删除`)
  await ctx.db.deleteFrom('team').where('id', '=', t.id).execute()
  ctx.note(`删除班组 ${t.teamName}`, t.id)
  return undefined
}

async function leaderOf(ctx: Context, teamId: string, workerId: string) {
  const leader = await ctx.db
    .selectFrom('projectWorker')
    .select(['id', 'workerId', 'workerName'])
    .where('teamId', '=', teamId)
    .where('workerId', '=', workerId)
    .where('exitTime', 'is', null)
    .executeTakeFirst()
  if (!leader) throw new AppError('refused', '班组长须是本班组的在场人员', { field: 'teamLeaderId' })
  return leader
}

function sealedPerson(ctx: Pick<Context, 'secrets'>, phone: unknown, number: unknown) {
  return {
    ...(typeof phone === 'string' && phone
      ? { responsiblePersonPhone: ctx.secrets.seal(phone), responsiblePersonPhoneMask: maskPhone(phone) }
      : {}),
    ...(typeof number === 'string' && number
      ? { responsiblePersonIdNumber: ctx.secrets.seal(number), responsiblePersonIdMask: maskIdCard(number) }
      : {}),
  }
}
