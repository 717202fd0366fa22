import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { areaPrefix } from '../access/public.ts'
import { isSameUnit } from '../experts/public.ts'

interface Person {
  userId: string | null
  expertId: string | null
}
/** Why a person must not check a project, by project. */
export type Conflicts = ReadonlyMap<string, string>

export const keyOf = ({ userId, expertId }: Person): string => `${userId ?? ''}/${expertId ?? ''}`

/**
 * Who must not check what (回避): an officer the sites of another authority, company or project that he also belongs to; an expert the
 * projects in which his unit takes part. Reads memberships and parts without row-level security: the organiser sees neither.
 * `projects`: those in question; undefined: all of the organiser.
 */
export async function conflictsFor(
  ctx: Context,
  people: readonly Person[],
  projects: readonly string[] | undefined,
): Promise<ReadonlyMap<string, Conflicts>> {
  const byUser = await ofAccounts(
    ctx,
    people.flatMap(({ userId }) => userId ?? []),
    projects,
  )
  const byExpert = await ofExperts(
    ctx,
    people.flatMap(({ expertId }) => expertId ?? []),
    projects,
  )
  return new Map(
    people.map((one) => [keyOf(one), new Map([...(byExpert.get(one.expertId ?? '') ?? []), ...(byUser.get(one.userId ?? '') ?? [])])]),
  )
}

async function ofAccounts(ctx: Context, users: readonly string[], projects: readonly string[] | undefined) {
  const found = new Map<string, Map<string, string>>()
  if (users.length === 0) return found
  type Membership = { userId: string; type: number; code: string; name: string; areaCode: string | null }
  const { rows: memberships } = await sql<Membership>`select m.user_id, t.type, t.code, t.name, t.area_code from member m
    join tenant t on t.id = m.group_id where m.user_id = any (${[...users]}) and t.id <> ${ctx.group.id} and m.enable = '1'
      and t.type = any (${[groupTypes.government, groupTypes.corporation, groupTypes.project]})`.execute(ctx.system)
  const own = areaPrefix(ctx.group.areaCode ?? '')
  for (const { userId, type, code, name, areaCode } of memberships) {
    const front = areaPrefix(areaCode ?? '')
    // An authority above the organiser has no sites of its own among his.
    const ofArea = front.length > own.length ? sql`or p.area_code ^@ ${front}` : sql``
    const theirs =
      type === groupTypes.government
        ? sql`(p.supervise_org = ${code} ${ofArea})`
        : type === groupTypes.project
          ? sql`p.project_code = ${code}`
          : sql`exists (select from project_corp u where u.project_code = p.project_code and u.corp_code = ${code})`
    const { rows } = await sql<{ projectCode: string }>`select p.project_code from project p
      where ${theirs} and ${allOf(...inProjects('p.projectCode', projects ?? ctx.scope.projects))}`.execute(ctx.system)
    const why = found.get(userId) ?? new Map<string, string>()
    for (const { projectCode } of rows) why.set(projectCode, type === groupTypes.government ? `${name}的监督员` : `${name}的人员`)
    found.set(userId, why)
  }
  return found
}

async function ofExperts(ctx: Context, experts: readonly string[], projects: readonly string[] | undefined) {
  const found = new Map<string, Map<string, string>>()
  if (experts.length === 0) return found
  const { rows: known } = await sql<{ id: string; workUnit: string }>`select id, work_unit from expert
    where id = any (${[...experts]})`.execute(ctx.db)
  const { rows: parties } = await sql<{
    corpName: string
    projects: string[]
  }>`select c.corp_name, array_agg(distinct u.project_code) as projects
    from project_corp u join corporation c using (corp_code)
    where ${allOf(...inProjects('u.projectCode', projects ?? ctx.scope.projects))} group by 1`.execute(ctx.system)
  for (const { id, workUnit } of known) {
    const why = new Map<string, string>()
    for (const one of parties)
      if (isSameUnit(one.corpName, workUnit)) for (const code of one.projects) why.set(code, `单位与参建单位${one.corpName}有关`)
    found.set(id, why)
  }
  return found
}
