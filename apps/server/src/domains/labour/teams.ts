import { ageOn, maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { stations } from '@zhugong/contract/labour/codes'
import * as contract from '@zhugong/contract/labour/endpoints'
import type { TeamRow, TeamStay } from '@zhugong/contract/labour/model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { exportOf } from '../exports/registry.ts'
import { joinLicence, type LicenceColumns, licenceColumns, licenceState } from './licences.ts'
import { listed, requirePresentUnit } from './units.ts'

/** Standing teams, and their stays on projects. */
export function teamRoutes(serve: Serve) {
  serve(contract.listTeams, async ({ query }, ctx) => {
    const where = conditions(ctx, query)
    const { limit, offset } = pageSlice(query)
    const { rows } =
      await sql<RawTeam>`select t.*, ${measures(ctx)} from (select * from (${select(ctx)}) t where ${where} order by ${order(query.sort)} limit ${limit} offset ${offset}) t order by ${order(query.sort)}`.execute(
        ctx.db,
      )
    return { list: rows.map(toTeam), total: await count(ctx, where) }
  })
  serve(contract.teamFigures, async ({ query }, ctx) => {
    const within = allOf(...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)))
    const { rows } = await sql<{ total: number; present: number; idle: number; care: number }>`
      select count(*)::int as total, count(*) filter (where t.exit_time is null and headcount > 0)::int as present,
        count(*) filter (where headcount = 0)::int as idle, count(*) filter (where bad_count > 0)::int as care
      from (${select(ctx)}) t where ${within}`.execute(ctx.db)
    return rows[0] ?? { total: 0, present: 0, idle: 0, care: 0 }
  })
  serve(contract.pickTeams, async ({ query }, ctx) => {
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
  })
  serve(contract.getTeam, async ({ params }, ctx) => {
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
    return {
      ...toTeam(t),
      responsiblePersonName: t.responsiblePersonName,
      responsiblePersonPhone: t.responsiblePersonPhoneMask,
      responsiblePersonIdCardType: t.responsiblePersonIdCardType,
      responsiblePersonIdNumber: t.responsiblePersonIdMask,
      remark: t.remark,
      stays: stays.rows.map(toStay),
      people: people.rows.map((w) => ({
        projectWorkerId: w.id,
        workerId: w.workerId,
        name: w.workerName,
        workTypeName: dictName('workerType', w.workType),
        age: ageOn(w.birthday, today),
        isTeamLeader: w.isTeamLeader,
        entryTime: formatInstant(w.entryTime),
        formalStatus: w.formalStatus,
        certState: licenceState(w.workType, w, today).certState,
      })),
      months: months.rows,
    }
  })
  serve(contract.teamForm, async ({ query }, ctx) => {
    const projects = await ctx.db
      .selectFrom('project')
      .select(['projectCode as code', 'name'])
      .where('enable', '=', '1')
      .where(allOf(...inProjects('projectCode', projectsFor(ctx))))
      .orderBy('name')
      .limit(500)
      .execute()
    const asked = query.projectCode && query.projectCode !== '*' ? query.projectCode : ctx.projectCode !== '*' ? ctx.projectCode : undefined
    const projectCode = asked ?? (projects.length === 1 ? projects[0]?.code : undefined)
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
  })
  serve(contract.createTeam, async ({ body }, ctx) => {
    const projectCode = oneProject(ctx, body.projectCode)
    const unit = await requirePresentUnit(ctx, projectCode, body.corpCode)
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
  })
  serve(contract.updateTeam, async ({ params, body }, ctx) => {
    const before = await getRaw(ctx, params.id)
    const { version, responsiblePersonPhone, responsiblePersonIdNumber, teamLeaderId, ...rest } = body
    const leader = teamLeaderId ? await leaderOf(ctx, before.id, teamLeaderId) : null
    try {
      const done = await ctx.db
        .updateTable('team')
        .set({
          ...rest,
          teamLeaderId: leader?.workerId ?? null,
          teamLeaderName: leader?.workerName ?? null,
          ...sealedPerson(ctx, responsiblePersonPhone, responsiblePersonIdNumber),
          updateBy: ctx.user.id,
          updateTime: new Date(ctx.clock.now()),
          version: version + 1,
        })
        .where('id', '=', params.id)
        .where('version', '=', version)
        .executeTakeFirst()
      if (done.numUpdatedRows === 0n) throw new AppError('conflict', '班组已被他人修改，请刷新后重试')
    } catch (error) {
      throw sameName(error)
    }
    await markLeader(ctx, before.id, leader?.id)
    ctx.note(`修改班组 ${before.teamName}`, params.id)
    return undefined
  })
  serve(contract.removeTeam, async ({ params }, ctx) => {
    const t = await getRaw(ctx, params.id)
    const used = await ctx.db.selectFrom('projectWorker').select('id').where('teamId', '=', t.id).executeTakeFirst()
    if (used) throw new AppError('refused', `班组“${t.teamName}”已有人员记录，只能退场，不能删除`)
    await ctx.db.deleteFrom('team').where('id', '=', t.id).execute()
    ctx.note(`删除班组 ${t.teamName}`, t.id)
    return undefined
  })

  serve(contract.listTeamStays, async ({ query }, ctx) => {
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
  })
  serve(contract.addTeamStay, async ({ body }, ctx) => {
    const projectCode = oneProject(ctx, body.projectCode)
    const t = await getRaw(ctx, body.teamId)
    if (t.exitTime === null) throw new AppError('refused', `班组“${t.teamName}”还在“${t.projectName ?? t.projectCode}”在场，请先办理退场`)
    const unit = await requirePresentUnit(ctx, projectCode, t.corpCode)
    if (body.entryTime < unit.entryTime)
      throw new AppError('refused', `班组进场不能早于所在单位进场（${unit.entryTime}）`, { field: 'entryTime' })
    if (t.exitTime > body.entryTime) throw new AppError('refused', `班组上一次退场在 ${t.exitTime}，进场不能早于它`, { field: 'entryTime' })
    const id = ctx.newId()
    try {
      await ctx.db
        .insertInto('projectTeam')
        .values({ id, projectCode, teamId: t.id, corpCode: t.corpCode, entryTime: body.entryTime })
        .execute()
      await ctx.db
        .updateTable('team')
        .set({ projectCode, entryTime: body.entryTime, exitTime: null, stationed: '1', version: t.version + 1 })
        .where('id', '=', t.id)
        .execute()
    } catch (error) {
      throw sameName(error)
    }
    ctx.note(`班组进场 ${t.teamName}`, id)
    return { id }
  })
  serve(contract.setTeamTime, async ({ body }, ctx) => {
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
  })
}

type RawTeam = Row<'team'> & {
  corpName: string | null
  projectName: string | null
  headcount: number
  projectCount: number
  badCount: number
  attendRate: number | null
  steadiness: number | null
}
type RawStay = Row<'projectTeam'> & {
  teamName: string
  workType: string
  teamLeaderName: string | null
  corpName: string | null
  projectName: string | null
  headcount: number
  everCount: number
}

const select = (ctx: Pick<Context, 'clock'>) => sql`
  select t.*, c.corp_name, p.name as project_name,
    (select count(*)::int from project_worker w where w.team_id = t.id and w.exit_time is null) as headcount,
    (select count(distinct s.project_code)::int from project_team s where s.team_id = t.id) as project_count,
    (select count(*)::int from worker_bad b where b.team_id = t.id and b.audit_status = '1' and b.valid_until >= ${formatDay(ctx.clock.now())}::date) as bad_count
  from team t left join corporation c using (corp_code) left join project p using (project_code)`

/**
 * Measured for the shown teams only: both read facts of people, not of teams. Presence = worker-days with a record in the last 30 days
 * over worker-days on which the project worked at all.
 */
const measures = (ctx: Pick<Context, 'clock'>) => {
  const today = formatDay(ctx.clock.now())
  return sql`
    (select round(sum((d.attend_day > 0 or d.record_count > 0)::int)::numeric / nullif(count(*), 0), 4)
      from project_worker w join attendance_day d on d.project_code = w.project_code and d.worker_id = w.worker_id
        and d.work_day > ${today}::date - 31 and d.work_day < ${today}::date
      where w.team_id = t.id and w.exit_time is null) as attend_rate,
    (select round(avg((w.exit_time is null)::int), 4) from project_worker w
      where w.team_id = t.id and w.entry_time <= ${today}::date - 90 and (w.exit_time is null or w.exit_time > ${today}::date - 90)) as steadiness`
}

const staySelect = sql`
  select pt.*, t.team_name, t.work_type, t.team_leader_name, c.corp_name, p.name as project_name,
    (select count(*)::int from project_worker w where w.team_id = pt.team_id and w.project_code = pt.project_code and w.exit_time is null) as headcount,
    (select count(distinct w.worker_id)::int from project_worker w where w.team_id = pt.team_id and w.project_code = pt.project_code) as ever_count
  from project_team pt join team t on t.id = pt.team_id
    left join corporation c on c.corp_code = pt.corp_code left join project p on p.project_code = pt.project_code`

type Filters = Partial<NonNullable<(typeof contract.listTeams)['types']>['parsed']['query']>

function conditions(ctx: Pick<Context, 'scope' | 'scopeChecks'>, query: Filters): Condition {
  const states = {
    present: condition(sql`(t.exit_time is null and t.headcount > 0)`),
    idle: condition(sql`t.headcount = 0`),
    care: condition(sql`t.bad_count > 0`),
  }
  return allOf(
    ...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)),
    ...contains('t.teamName', query.teamName),
    ...contains('t.teamLeaderName', query.teamLeaderName),
    ...anyOf('t.workType', query.workType),
    ...equals('t.corpCode', query.corpCode),
    ...between('t.headcount', query.headcount),
    ...between('t.projectCount', query.projectCount),
    ...between('t.badCount', query.badCount),
    ...daysBetween('t.exitTime', query.exitTime),
    ...(query.state ? [states[query.state]] : []),
    ...(query.q
      ? [condition(sql`(${allOf(...contains('t.teamName', query.q))} or ${allOf(...contains('t.teamLeaderName', query.q))})`)]
      : []),
  )
}
const order = (sort: Filters['sort']) =>
  orderBy(
    sort,
    {
      headcount: 't.headcount',
      teamName: 't.teamName',
      projectCount: 't.projectCount',
      entryTime: 't.entryTime',
      exitTime: 't.exitTime',
    },
    '-headcount',
    't.id',
  )

async function count(ctx: Pick<Context, 'db' | 'clock'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select(ctx)}) t where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function getRaw(ctx: Context, id: string): Promise<RawTeam> {
  const { rows } = await sql<RawTeam>`select t.*, ${measures(ctx)} from (${select(ctx)}) t where t.id = ${id}`.execute(ctx.db)
  return found(rows[0], '班组')
}

/** People in place keep their team in place; they are named. */
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

/** At most one leader a team: the others lose the mark. */
export async function markLeader(ctx: Pick<Context, 'db'>, teamId: string, stayId: string | undefined): Promise<void> {
  await ctx.db
    .updateTable('projectWorker')
    .set({ isTeamLeader: false })
    .where('teamId', '=', teamId)
    .where('isTeamLeader', '=', true)
    .execute()
  if (stayId) await ctx.db.updateTable('projectWorker').set({ isTeamLeader: true }).where('id', '=', stayId).execute()
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

const sameName = (error: unknown): unknown =>
  isUniqueViolation(error) ? new AppError('refused', '同一单位在本项目已有同名班组', { field: 'teamName' }) : error

function toTeam(t: RawTeam): TeamRow {
  return {
    id: t.id,
    teamSysNo: t.teamSysNo,
    teamName: t.teamName,
    corpCode: t.corpCode,
    corpName: t.corpName,
    workType: t.workType,
    workTypeName: dictName('workerType', t.workType),
    projectCode: t.projectCode,
    projectName: t.projectName,
    teamLeaderId: t.teamLeaderId,
    teamLeaderName: t.teamLeaderName,
    headcount: t.headcount,
    projectCount: t.projectCount,
    badCount: t.badCount,
    steadiness: t.steadiness ?? null,
    attendRate: t.attendRate ?? null,
    entryTime: t.entryTime,
    exitTime: t.exitTime,
    stationed: t.stationed,
    createTime: formatInstant(t.createTime),
    version: t.version,
  }
}
function toStay(s: RawStay): TeamStay {
  return {
    id: s.id,
    projectCode: s.projectCode,
    projectName: s.projectName,
    teamId: s.teamId,
    teamName: s.teamName,
    corpCode: s.corpCode,
    corpName: s.corpName,
    workType: s.workType,
    workTypeName: dictName('workerType', s.workType),
    teamLeaderName: s.teamLeaderName,
    entryTime: s.entryTime,
    exitTime: s.exitTime,
    headcount: s.headcount,
    everCount: s.everCount,
  }
}

export function registerTeamExport(): void {
  exportOf(
    contract.teamList,
    {
      title: '班组',
      widths: { teamName: 24, corpCode: 30, projectName: 30 },
      async *rows(ctx, query) {
        const where = conditions(ctx, { ...query, projectCode: undefined })
        const { rows } = await sql<RawTeam>`
          select t.*, ${measures(ctx)} from (${select(ctx)}) t where ${where} order by ${order(query.sort)}`.execute(ctx.db)
        for (const row of rows) yield toTeam(row)
      },
      count: (ctx, query) => count(ctx, conditions(ctx, { ...query, projectCode: undefined })),
    },
    {
      teamName: (t) => t.teamName,
      teamLeaderName: (t) => t.teamLeaderName,
      workType: (t) => t.workTypeName,
      corpCode: (t) => t.corpName,
      projectName: (t) => t.projectName,
      headcount: (t) => t.headcount,
      attendRate: (t) => t.attendRate,
      steadiness: (t) => t.steadiness,
      projectCount: (t) => t.projectCount,
      badCount: (t) => t.badCount,
      entryTime: (t) => t.entryTime,
      exitTime: (t) => t.exitTime,
    },
  )
}
