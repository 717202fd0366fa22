import type { LineKind } from '@zhugong/contract/announcements/model'
import type { NoticeLine } from '@zhugong/contract/announcements/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaName, isAreaCode } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'

type Sender = Pick<Context, 'system' | 'group' | 'scope'>
interface Reached {
  id: string
  name: string
  type: number
  areaCode: string | null
}

/**
 * Condition on `tenant t`: the groups a sender reaches. An authority: itself, those below it, the sites that it supervises and their companies;
 * a company: itself and the sites that it runs; a site: itself.
 */
function reaches({ group, scope }: Pick<Context, 'group' | 'scope'>): RawBuilder<unknown> {
  if (group.type === groupTypes.platform) return sql`true`
  const own = sql`t.id = ${group.id}`
  if (group.type === groupTypes.government)
    return sql`(${own} or t.type = 1 and t.code in (
        with recursive below as (select gov_code from government where gov_code = ${group.code}
          union select g.gov_code from government g join below b on g.parent_gov_code = b.gov_code)
        select gov_code from below)
      or t.type = 3 and t.code = any (${[...scope.projects]})
      or t.type = 2 and t.code in (select pc.corp_code from project_corp pc
        where pc.project_code = any (${[...scope.projects]}) and pc.exit_time is null))`
  if (group.type === groupTypes.corporation) {
    const run = scope.projects.filter((code) => !scope.limited.includes(code) && !scope.supervised.includes(code))
    return sql`(${own} or t.type = 3 and t.code = any (${run}))`
  }
  return own
}

/** Groups that the sender reaches. Their names are no secret to it, and no request role reads the groups of others. */
export async function reachOf(ctx: Sender): Promise<Reached[]> {
  const { rows } = await sql<Reached>`select t.id, t.name, t.type, coalesce(p.area_code, g.area_code, c.area_code, t.area_code) as area_code
    from tenant t left join project p on t.type = 3 and p.project_code = t.code left join government g on t.type = 1 and g.gov_code = t.code
      left join corporation c on t.type = 2 and c.corp_code = t.code
    where t.enable = '1' and ${reaches(ctx)} order by t.type, t.name`.execute(ctx.system)
  return rows
}

/** Authorities above the sender, and for a site the companies that run it: they see what it published, and its receipts. */
export async function aboveOf({ system, group }: Pick<Context, 'system' | 'group'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line as (
      select g.parent_gov_code as code from government g where ${group.type} = 1 and g.gov_code = ${group.code}
      union select p.supervise_org from project p where ${group.type} = 3 and p.project_code = ${group.code}
      union select g.parent_gov_code from government g join line l on g.gov_code = l.code)
    select t.id from tenant t where t.type = 1 and t.code in (select code from line)
    union select t.id from tenant t join project_corp pc on pc.corp_code = t.code
      where t.type = 2 and ${group.type} = 3 and pc.project_code = ${group.code} and pc.corp_type in ('008', '009') and pc.exit_time is null`.execute(
    system,
  )
  return rows.map(({ id }) => id)
}

const typeOf: Readonly<Partial<Record<LineKind, number>>> = { government: 1, corporation: 2, project: 3 }
const listOf: Readonly<Partial<Record<LineKind, 'areas' | 'groups' | 'members'>>> = {
  area: 'areas',
  government: 'groups',
  corporation: 'groups',
  project: 'groups',
  person: 'members',
}

/** Refuses what the sender does not reach; the columns that a kind does not use are emptied. @throws AppError at the line */
export async function soundLines(ctx: Sender & Pick<Context, 'db'>, given: readonly NoticeLine[]): Promise<NoticeLine[]> {
  const reach = new Map((await reachOf(ctx)).map((one) => [one.id, one]))
  const members = new Set((await ownMembers(ctx)).map(({ value }) => value))
  return given.map((line, i) => {
    const wanted = listOf[line.kind]
    const wrong = (message: string, field: string) => new AppError('invalidInput', message, { field: `lines.${i}.${field}` })
    if (wanted && line[wanted].length === 0) throw wrong('请选择接收对象', wanted)
    if (wanted === 'groups' && line.groups.some((id) => reach.get(id)?.type !== typeOf[line.kind]))
      throw wrong('所选单位不在您的管辖范围内', 'groups')
    if (wanted === 'members' && line.members.some((id) => !members.has(id))) throw wrong('只能选择本单位的人员', 'members')
    if (wanted === 'areas' && line.areas.some((code) => !isAreaCode(code))) throw wrong('区划不存在', 'areas')
    if (line.except.some((id) => !reach.has(id) && !members.has(id))) throw wrong('所选单位或人员不在您的管辖范围内', 'except')
    const only = (name: 'areas' | 'groups' | 'members') => (wanted === name ? [...new Set(line[name])] : [])
    return { ...line, areas: only('areas'), groups: only('groups'), members: only('members') }
  })
}

async function ownMembers(ctx: Pick<Context, 'db' | 'group'>): Promise<{ value: string; label: string }[]> {
  const { rows } = await sql<{ value: string; label: string }>`select m.id as value, u.name as label from member m
    join app_user u on u.id = m.user_id and u.enable = '1' where m.group_id = ${ctx.group.id} and m.enable = '1' order by u.name, m.id`.execute(
    ctx.db,
  )
  return rows
}

/** Roles of the people reached, by name. */
async function rolesIn(ctx: Sender, reach: readonly Reached[]): Promise<string[]> {
  const types = [...new Set(reach.map((one) => one.type))]
  const { rows } = await sql<{ name: string }>`select distinct r.name from role r where r.enable = '1' and r.groups_type = any (${types})
    and (r.group_id is null or r.group_id = any (${reach.map((one) => one.id)})) order by r.name`.execute(ctx.system)
  return rows.map(({ name }) => name)
}

/** What lines can name. */
export async function targetsOf(ctx: Sender & Pick<Context, 'db'>) {
  const reach = await reachOf(ctx)
  const ofType = (type: number) => reach.filter((one) => one.type === type).map(({ id, name }) => ({ value: id, label: name }))
  const fronts = new Map<string, string>()
  for (const { areaCode } of reach)
    for (const code of areaCode ? [`${areaCode.slice(0, 2)}0000`, `${areaCode.slice(0, 4)}00`, areaCode] : []) {
      const name = areaName(code)
      if (name) fronts.set(code, name)
    }
  return {
    areas: [...fronts].sort(([a], [b]) => a.localeCompare(b)).map(([value, label]) => ({ value, label })),
    governments: ofType(groupTypes.government),
    corporations: ofType(groupTypes.corporation),
    projects: ofType(groupTypes.project),
    members: await ownMembers(ctx),
    roles: await rolesIn(ctx, reach),
  }
}

/** Names of what lines point to. */
export async function namesIn(system: Context['system'], lines: readonly NoticeLine[]): Promise<Record<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select t.id, t.name from tenant t
      where t.id = any (${lines.flatMap((one) => [...one.groups, ...one.except])})
    union all select m.id, u.name from member m join app_user u on u.id = m.user_id
      where m.id = any (${lines.flatMap((one) => [...one.members, ...one.except])})`.execute(system)
  const areas = lines.flatMap((one) => one.areas).map((code) => [code, areaName(code) ?? code])
  return Object.fromEntries([...rows.map(({ id, name }) => [id, name]), ...areas])
}
