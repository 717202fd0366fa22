import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/labour/unit-info'
import { stayMember, type TeamStayInfo, teamStayInfo } from '@zhugong/contract/labour/unit-info'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { hasCome, isDue, isInside, runningDay } from '../attendance/public.ts'
import { keptFiles, linkOf, linksOf } from '../files/public.ts'
import { instantOf } from './enter.ts'
import { exitProject } from './exit.ts'
import { markLeader } from './leaders.ts'
import { daysOf, dueOn } from './site-days.ts'
import { each } from './stay-store.ts'
import { type RawStay, staySelect, toStay } from './team-rows.ts'
import { requirePresentUnit } from './unit-checks.ts'

/** One team's stay on one site: current members, the month's figures, documents of entry and exit. */
type RawInfo = RawStay & {
  teamLeaderId: string | null
  leaderPhone: string | null
  responsiblePersonName: string
  responsiblePersonPhoneMask: string | null
  unitId: string | null
  unitEntryTime: string | null
}

async function getStayOfTeam(ctx: Context, id: string): Promise<RawInfo> {
  const within = allOf(...inProjects('s.projectCode', projectsFor(ctx)))
  const { rows } = await sql<RawInfo>`
    select s.*, t.team_leader_id, t.responsible_person_name, t.responsible_person_phone_mask,
      (select w.cell_phone_mask from project_worker w where w.worker_id = t.team_leader_id and w.project_code = s.project_code and w.exit_time is null) as leader_phone,
      u.id as unit_id, u.entry_time::text as unit_entry_time
    from (${staySelect}) s join team t on t.id = s.team_id
      left join lateral (select id, entry_time from project_corp u where u.project_code = s.project_code and u.corp_code = s.corp_code
        order by u.exit_time is null desc, u.entry_time limit 1) u on true
    where s.id = ${id} and ${within}`.execute(ctx.db)
  return found(rows[0], '班组进退场')
}

export const getTeamStay: HandlerOf<typeof contract.getTeamStay> = async ({ params }, ctx) => {
  const s = await getStayOfTeam(ctx, params.id)
  const today = await runningDay(ctx, s.projectCode)
  const members = await membersOf(ctx, s, today)
  const days = await daysOf(ctx, sql`d.project_code = ${s.projectCode} and d.team_id = ${s.teamId}`, today)
  return rowOf(teamStayInfo, s, {
    ...toStay(s),
    teamLeaderPhone: s.leaderPhone,
    responsiblePersonPhone: s.responsiblePersonPhoneMask,
    entryAttachments: linksOf(ctx, s.entryAttachments),
    exitAttachments: linksOf(ctx, s.exitAttachments),
    today: dueOn(days, today),
    insideNow: members.filter((m) => m.inside).length,
    members,
    days,
    moves: await movesOf(ctx, s),
  })
}

// Reads tables of attendance directly: one query over stays, days and last passages.
async function membersOf(ctx: Context, s: RawStay, today: string): Promise<TeamStayInfo['members']> {
  const now = ctx.clock.now()
  const { rows } = await sql<{
    id: string
    workerId: string
    name: string
    face: string | null
    workType: string | null
    isTeamLeader: boolean
    formalStatus: string
    hasContract: boolean
    entryTrained: boolean
    blackHit: boolean
    hasCard: boolean
    firstIn: Date | null
    came: boolean
    expected: boolean
    inside: boolean
    lastPass: Date | null
    monthDays: number
    monthHours: number
  }>`
    select w.id, w.worker_id, w.worker_name as name, case when w.confirmed_at is not null then coalesce(p.face_photo, p.head_image) end as face, w.work_type, w.is_team_leader, w.formal_status, w.has_contract,
      w.entry_trained, w.black_hit, w.pay_roll_bank_card_hash is not null as has_card, d.first_in, coalesce(${hasCome('d')}, false) as came,
      coalesce(${isDue('d')}, false) as expected,
      ${isInside('ap', 'w', now)} as inside, ap.time as last_pass, coalesce(m.days, 0)::float as month_days, coalesce(m.hours, 0)::float as month_hours
    from project_worker w left join worker p on p.id = w.worker_id
      left join attendance_day d on d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${today}::date
      left join attendance_presence ap on ap.project_code = w.project_code and ap.worker_id = w.worker_id
      left join lateral (select count(*) filter (where x.attend_day > 0) as days, sum(x.work_hours) as hours from attendance_day x
        where x.project_code = w.project_code and x.worker_id = w.worker_id and x.work_day between date_trunc('month', ${today}::date) and ${today}::date) m on true
    where w.project_code = ${s.projectCode} and w.team_id = ${s.teamId} and w.exit_time is null
    order by w.is_team_leader desc, coalesce(${hasCome('d')}, false), w.worker_name, w.id limit 500`.execute(ctx.db)
  return rows.map((w) =>
    rowOf(stayMember, w, {
      projectWorkerId: w.id,
      photo: linkOf(ctx, w.face),
      workTypeName: dictName('workerType', w.workType),
      firstIn: w.firstIn ? formatInstant(w.firstIn).slice(11, 16) : null,
      lastPass: w.lastPass ? formatInstant(w.lastPass) : null,
      gaps: [
        ...(w.blackHit ? ['黑名单'] : []),
        ...(w.formalStatus === formalStates.formal ? [] : [w.formalStatus === formalStates.paused ? '暂停作业' : '未转正式']),
        ...(w.hasContract ? [] : ['无合同']),
        ...(w.entryTrained ? [] : ['未教育']),
        ...(w.hasCard ? [] : ['无工资卡']),
      ],
    }),
  )
}

async function movesOf(ctx: Context, s: RawStay): Promise<TeamStayInfo['moves']> {
  const { rows } = await sql<{ at: Date; name: string; type: string; reason: string | null }>`
    select h.date as at, w.worker_name as name, h.type, h.reason from entry_exit_history h join project_worker w on w.id = h.project_worker_id
    where w.project_code = ${s.projectCode} and w.team_id = ${s.teamId} order by h.date desc, h.id limit 60`.execute(ctx.db)
  return rows.map((h) => ({
    date: formatInstant(h.at).slice(0, 16),
    name: h.name,
    text: h.type === '1' ? '进场' : `退场${h.reason ? `（${dictName('exitReason', h.reason)}）` : ''}`,
  }))
}

export const teamStayForm: HandlerOf<typeof contract.teamStayForm> = async ({ query }, ctx) => {
  const requested = query.projectCode && query.projectCode !== '*' ? query.projectCode : ctx.projectCode
  if (requested === '*' && ctx.group.type !== 3) return { projectCode: null, corps: [], free: [] }
  const projectCode = oneProject(ctx, requested)
  const corps = await sql<{ code: string; name: string; entryTime: string; unitId: string; teamNames: string[] }>`
    select u.corp_code as code, c.corp_name as name, min(u.entry_time)::text as entry_time, min(u.id) as unit_id,
      coalesce((select array_agg(t.team_name) from team t where t.project_code = ${projectCode} and t.corp_code = u.corp_code and t.exit_time is null), '{}') as team_names
    from project_corp u join corporation c using (corp_code) where u.project_code = ${projectCode} and u.exit_time is null
    group by u.corp_code, c.corp_name order by 2`.execute(ctx.db)
  const free = await sql<{
    id: string
    teamName: string
    corpCode: string
    teamLeaderName: string | null
    workType: string
    lastProject: string | null
    exitTime: string | null
  }>`
    select t.id, t.team_name, t.corp_code, t.team_leader_name, t.work_type, p.name as last_project, t.exit_time::text as exit_time
    from team t left join project p using (project_code)
    where t.exit_time is not null and t.corp_code = any (${corps.rows.map((c) => c.code)}) order by t.exit_time desc, t.id limit 300`.execute(
    ctx.db,
  )
  return {
    projectCode,
    corps: corps.rows,
    free: free.rows.map(({ workType, ...t }) => ({ ...t, workTypeName: dictName('workerType', workType) })),
  }
}

export const updateTeamStay: HandlerOf<typeof contract.updateTeamStay> = async ({ params, body }, ctx) => {
  const s = await getStayOfTeam(ctx, params.id)
  const unit = s.exitTime ? undefined : await requirePresentUnit(ctx, s.projectCode, s.corpCode)
  if (unit && body.entryTime < unit.entryTime)
    throw new AppError('refused', `班组进场不能早于所在单位进场（${unit.entryTime}）`, { field: 'entryTime' })
  if (body.entryTime > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '进场日期不能晚于今天', { field: 'entryTime' })
  if (s.exitTime && body.entryTime > s.exitTime) throw new AppError('invalidInput', '进场日期不能晚于退场日期', { field: 'entryTime' })
  await changeRow(ctx, 'projectTeam', {
    key: { id: s.id },
    version: body.version,
    noun: '班组',
    values: {
      entryTime: body.entryTime,
      entryAttachments: JSON.stringify(await keptFiles(ctx, body.entryAttachments, s.entryAttachments, 'entryAttachments')),
      exitAttachments: JSON.stringify(await keptFiles(ctx, body.exitAttachments, s.exitAttachments, 'exitAttachments')),
      remark: body.remark,
    },
  })
  if (!s.exitTime) {
    await ctx.db
      .updateTable('team')
      .set({ entryTime: body.entryTime })
      .where('id', '=', s.teamId)
      .where('projectCode', '=', s.projectCode)
      .execute()
    if (body.teamLeaderId !== s.teamLeaderId) await nameLeader(ctx, s, body.teamLeaderId)
  }
  ctx.note(`修改项目班组 ${s.teamName}`, s.id)
  return undefined
}

/** Sets the team's leader, who must be a present member; the audit log names the old and the new one. */
async function nameLeader(ctx: Context, s: RawInfo, workerId: string | null): Promise<void> {
  const next = workerId
    ? await ctx.db
        .selectFrom('projectWorker')
        .select(['id', 'workerName'])
        .where('projectCode', '=', s.projectCode)
        .where('teamId', '=', s.teamId)
        .where('workerId', '=', workerId)
        .where('exitTime', 'is', null)
        .executeTakeFirst()
    : undefined
  if (workerId && !next) throw new AppError('refused', '班组长须是本班组的在场人员', { field: 'teamLeaderId' })
  await markLeader(ctx, s.teamId, next?.id)
  await ctx.db
    .updateTable('team')
    .set({ teamLeaderId: workerId, teamLeaderName: next?.workerName ?? null })
    .where('id', '=', s.teamId)
    .execute()
}

export const removeTeamStay: HandlerOf<typeof contract.removeTeamStay> = async ({ params }, ctx) => {
  const s = await getStayOfTeam(ctx, params.id)
  if (s.everCount > 0) throw new AppError('refused', `“${s.teamName}”在本项目有 ${s.everCount} 人的记录，只能退场，不能删除`)
  const others = await sql<{ projectCode: string; entryTime: string; exitTime: string | null }>`
    select project_code, entry_time::text as entry_time, exit_time::text as exit_time from project_team where team_id = ${s.teamId} and id <> ${s.id}
    order by entry_time desc limit 1`.execute(ctx.db)
  const last = others.rows[0]
  if (!last) throw new AppError('refused', '这是班组唯一的一段经历，请在班组管理中删除班组')
  await ctx.db.deleteFrom('projectTeam').where('id', '=', s.id).execute()
  await ctx.db
    .updateTable('team')
    .set({ ...last, stationed: last.exitTime ? '2' : '1' })
    .where('id', '=', s.teamId)
    .execute()
  ctx.note(`删除项目班组 ${s.teamName}`, s.id)
  return undefined
}

export const leaveWithTeam: HandlerOf<typeof contract.leaveWithTeam> = async ({ body }, ctx) => {
  const s = await getStayOfTeam(ctx, body.id)
  if (s.exitTime) throw new AppError('refused', `“${s.teamName}”已于 ${s.exitTime} 退场`)
  const at = instantOf(body.exitTime, ctx.clock.now())
  const day = formatDay(at)
  if (at > ctx.clock.now()) throw new AppError('invalidInput', '退场时间不能晚于现在', { field: 'exitTime' })
  if (day < s.entryTime) throw new AppError('invalidInput', '退场时间不能早于进场时间', { field: 'exitTime' })
  const people = await ctx.db
    .selectFrom('projectWorker')
    .select(['id', 'workerName as name'])
    .where('projectCode', '=', s.projectCode)
    .where('teamId', '=', s.teamId)
    .where('exitTime', 'is', null)
    .orderBy('workerName')
    .execute()
  if (people.length && !body.withPeople)
    throw new AppError('refused', `班组“${s.teamName}”还有 ${people.length} 人在场，请先办理人员退场，或选择一并退场`, { people })
  let result: { done: number; failed: { id: string; name: string; message: string }[] } = { done: 0, failed: [] }
  if (people.length) {
    requireCode(ctx, 'labour.exit')
    const { exitReason } = body
    if (!exitReason) throw new AppError('invalidInput', '一并退场请选择退场原因', { field: 'exitReason' })
    result = await each(
      ctx,
      people.map((p) => p.id),
      (stay) => exitProject(ctx, stay, { at, reason: exitReason, attachments: [], wholeDay: body.exitTime.length === 10 }),
    )
  }
  // If a member cannot leave, the team stays; the other members have left.
  if (result.failed.length) return { ...result, left: false }
  await changeRow(ctx, 'projectTeam', {
    key: { id: s.id },
    version: s.version,
    noun: '班组',
    values: {
      exitTime: day,
      exitAttachments: JSON.stringify(await keptFiles(ctx, body.exitAttachments, s.exitAttachments, 'exitAttachments')),
      remark: body.remark || undefined,
    },
  })
  await ctx.db
    .updateTable('team')
    .set({ exitTime: day, stationed: '2' })
    .where('id', '=', s.teamId)
    .where('projectCode', '=', s.projectCode)
    .execute()
  ctx.note(`班组退场：${s.teamName}${result.done ? `，一并退场 ${result.done} 人` : ''}`, s.id)
  return { ...result, left: true }
}
