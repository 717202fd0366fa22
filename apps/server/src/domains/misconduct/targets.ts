import { AppError } from '@zhugong/contract/kit/errors'
import type { badTargetChoices } from '@zhugong/contract/misconduct/calls'
import { type BadTarget, badTargets, companyDegrees, typeDictionary } from '@zhugong/contract/misconduct/codes'
import { isDictCode } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, groupTypes, oneProject } from '#kit/context'
import { anywhere } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { ownExpert } from '../experts/public.ts'

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

export interface Target {
  workerId: string | null
  teamId: string | null
  expertId: string | null
  corpCode: string | null
  targetName: string
  partyGroup: string | null
  siteGroup: string | null
}

interface Stay {
  id: string
  name: string
  corpCode: string
  note: string
  /** yyyy-MM-dd; null: present. */
  entryDay: string
  exitDay: string | null
}

/** Who has been on a project, by kind of target, with the time on it: people, teams or companies. */
const stays = (targetType: BadTarget, projectCode: string) =>
  ({
    [badTargets.worker]: sql`select w.id, w.name, s.corp_code, coalesce(c.corp_name, '') as note,
        (s.entry_time at time zone 'Asia/Shanghai')::date as entry_day, (s.exit_time at time zone 'Asia/Shanghai')::date as exit_day
      from project_worker s join worker w on w.id = s.worker_id left join corporation c on c.corp_code = s.corp_code
      where s.project_code = ${projectCode}`,
    [badTargets.team]: sql`select t.id, t.team_name as name, s.corp_code, coalesce(c.corp_name, '') as note, s.entry_time::date as entry_day, s.exit_time::date as exit_day
      from project_team s join team t on t.id = s.team_id left join corporation c on c.corp_code = s.corp_code where s.project_code = ${projectCode}`,
    [badTargets.company]: sql`select c.corp_code as id, c.corp_name as name, c.corp_code, s.corp_type as note, s.entry_time::date as entry_day, s.exit_time::date as exit_day
      from project_corp s join corporation c using (corp_code) where s.project_code = ${projectCode}`,
    [badTargets.expert]: sql`select id, name, '' as corp_code, work_unit as note, current_date as entry_day, null::date as exit_day from expert where false`,
  })[targetType]

const mostOffered = 50

export const targetChoices: HandlerOf<typeof badTargetChoices> = async ({ query }, ctx) => {
  const name = query.name ? anywhere(query.name) : null
  const chosen = query.target ?? null
  const matches = sql`(${name}::text is null or x.name like ${name} or x.id = ${chosen})`
  const of =
    query.targetType === badTargets.expert
      ? sql`select id, name, work_unit as note from expert where library_group = ${ctx.group.id} and state in ('2', '4')`
      : stays(query.targetType, oneProject(ctx, query.projectCode))
  const { rows } = await sql<{ id: string; name: string; note: string }>`select x.id, max(x.name) as name, max(x.note) as note
    from (${of}) x where ${matches} group by x.id order by x.id = ${chosen} desc nulls last, max(x.name), x.id limit ${mostOffered}`.execute(
    ctx.db,
  )
  const list = rows.map(({ id, ...one }) => ({ target: id, name: one.name, note: query.targetType === badTargets.company ? '' : one.note }))
  return { list, total: list.length }
}

/**
 * Who a record is about, and which groups answer for it.
 * @throws AppError `invalidInput` when the target has nothing to do with the project; with `occurrenceDate` also when it was not there on that day
 */
export async function findTarget(
  ctx: Context,
  given: { targetType: BadTarget; target: string; projectCode: string | null; occurrenceDate: string | null },
): Promise<Target> {
  const { targetType, target, projectCode, occurrenceDate } = given
  if (targetType === badTargets.expert) {
    const expert = await ownExpert(ctx, target)
    if (!expert) throw wrong('target', '专家不在本机构的专家库，请重新选择')
    return { workerId: null, teamId: null, expertId: expert.id, corpCode: null, targetName: expert.name, partyGroup: null, siteGroup: null }
  }
  if (projectCode === null) throw wrong('projectCode', '请选择项目')
  const { rows } = await sql<Stay>`select x.id, x.name, x.corp_code, x.note, x.entry_day::text as entry_day, x.exit_day::text as exit_day
    from (${stays(targetType, projectCode)}) x where x.id = ${target} order by x.entry_day desc`.execute(ctx.db)
  if (!rows[0]) throw wrong('target', '该对象不在本项目，请重新选择')
  const there =
    occurrenceDate === null
      ? rows[0]
      : rows.find((one) => one.entryDay <= occurrenceDate && (one.exitDay === null || one.exitDay >= occurrenceDate))
  if (!there) throw wrong('occurrenceDate', '发生日期不在该对象于本项目的在场期内')
  // Whom the record will be told to: not always visible to who proposes it.
  const groups = await sql<{ party: string | null; site: string | null }>`select
      (select id from tenant where type = ${groupTypes.corporation} and code = ${there.corpCode}) as party,
      (select id from tenant where type = ${groupTypes.project} and code = ${projectCode}) as site`.execute(ctx.system)
  return {
    workerId: targetType === badTargets.worker ? there.id : null,
    teamId: targetType === badTargets.team ? there.id : null,
    expertId: null,
    corpCode: there.corpCode,
    targetName: there.name,
    partyGroup: groups.rows[0]?.party ?? null,
    siteGroup: groups.rows[0]?.site ?? null,
  }
}

/** @throws AppError `invalidInput` when the dictionary of the target has no such type */
export function requireType(targetType: BadTarget, type: string): void {
  if (!isDictCode(typeDictionary(targetType), type)) throw wrong('type', '请选择行为类别')
}

/**
 * Who decides: an authority on its own proposals, otherwise the one that supervises the project; on people and teams of a subcontractor the
 * general contractor, where the record is to be of its level. Never the target's own company.
 * @throws AppError `invalidInput` or `refused` where nobody can
 */
export async function findDecider(
  ctx: Context,
  {
    targetType,
    degree,
    projectCode,
    corpCode,
  }: { targetType: BadTarget; degree: string; projectCode: string | null; corpCode: string | null },
): Promise<{ id: string; name: string }> {
  const byCompany = companyDegrees.includes(degree)
  if (targetType === badTargets.expert || ctx.group.type === groupTypes.government) {
    if (byCompany) throw wrong('degree', '监管机构认定的级别应为区县级及以上')
    return ctx.group
  }
  if (byCompany && targetType === badTargets.company) throw wrong('degree', '企业的不良行为由监管机构认定，请选择区县级及以上')
  const { rows } = await sql<{
    id: string | null
    name: string | null
    leader: string | null
  }>`select t.id, t.name, p.contractor_corp_code as leader
    from project p left join tenant t on case when ${byCompany}::boolean then t.type = ${groupTypes.corporation} and t.code = p.contractor_corp_code
      else t.type = ${groupTypes.government} and t.code = p.supervise_org end
    where p.project_code = ${projectCode}`.execute(ctx.system)
  const found = rows[0]
  if (byCompany && found?.leader === corpCode) throw wrong('degree', '总包单位自己的人员和班组由监管机构认定，请选择区县级及以上')
  if (!found?.id || !found.name)
    throw new AppError('refused', byCompany ? '项目没有总包单位的账号，不能提交' : '项目没有监管机构，不能提交')
  return { id: found.id, name: found.name }
}
