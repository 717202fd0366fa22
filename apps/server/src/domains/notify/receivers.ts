import { outsideRoles } from '@zhugong/contract/notify/codes'
import type pg from 'pg'
import { pick } from '#kit/pick'

export interface Receiver {
  id: string
  name: string
  phone: Buffer | null
  email: Buffer | null
  phoneMask: string | null
  emailMask: string | null
  /** Channels the user has muted, by kind of notice; see `mutedChannels`. */
  muted: Readonly<Record<string, readonly string[]>>
}
export interface Receivers {
  kind: 'role' | 'duty' | 'user'
  name: string
  people: Receiver[]
}

interface Row {
  id: string
  name: string
  phone: Buffer | null
  email: Buffer | null
  phone_mask: string | null
  email_mask: string | null
  muted: Record<string, string[]> | null
  type: number
  part: string | null
  roles: string[]
  on_duty: boolean
}

export interface ReceiverQuery {
  roles: readonly string[]
  userIds: readonly string[]
  onDuty: boolean
}

/** Substitute roles, used if nobody holds the role itself. */
const standIns: Readonly<Record<string, string>> = { 项目经理: '项目管理员', 企业安全员: '企业管理员' }
/** Notified if a plan reaches nobody at all. */
export const lastResort = '项目管理员'

/**
 * Everyone currently responsible for a site: its own people and those of the general contractor, supervisor, owner and authority. Ended
 * memberships, roles and accounts are excluded, and users from whom the site is hidden.
 */
async function current(client: pg.ClientBase | pg.Pool, projectCode: string, now: number): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select u.id, u.name, u.phone, u.email, u.phone_mask, u.email_mask, u.preferences -> 'muted' as muted, t.type,
       case t.type when 2 then (select min(c.corp_type) from project_corp c where c.project_code = $1 and c.corp_code = t.code and c.exit_time is null and c.corp_type in ('007', '008', '009')) end as part,
       coalesce(array_agg(r.name) filter (where r.id is not null), '{}') as roles,
       exists (select 1 from duty_shift d where d.project_code = $1 and d.user_id = u.id and d.from_time <= $2 and d.until_time > $2) as on_duty
     from tenant t
       join member m on m.group_id = t.id and m.enable = '1' and (m.deadline is null or m.deadline >= ($2::timestamptz at time zone 'Asia/Shanghai')::date)
       join app_user u on u.id = m.user_id and u.enable = '1'
       left join member_role mr on mr.member_id = m.id and (mr.deadline is null or mr.deadline >= ($2::timestamptz at time zone 'Asia/Shanghai')::date)
       left join role r on r.id = mr.role_id and r.groups_type = t.type
     where t.enable = '1' and ((t.type = 3 and t.code = $1)
       or (t.type = 2 and t.code in (select corp_code from project_corp where project_code = $1 and exit_time is null and corp_type in ('007', '008', '009')))
       or (t.type = 1 and t.code = (select supervise_org from project where project_code = $1)))
       and not exists (select 1 from sight_rule s where s.member_id = m.id and s.project_code = $1 and not s.shows
         and (s.modules is null or 'alarm' = any (s.modules))
         and (s.until is null or s.until >= ($2::timestamptz at time zone 'Asia/Shanghai')::date))
     group by u.id, t.id order by u.name, u.id`,
    [projectCode, new Date(now)],
  )
  return rows
}

function inRole(all: readonly Row[], role: string): Row[] {
  const ofProject = (name: string) => all.filter((r) => r.type === 3 && r.roles.includes(name))
  const ofCompany = (name: string) => all.filter((r) => r.type === 2 && r.part === '009' && r.roles.includes(name))
  switch (role) {
    case '公司安全部': {
      const own = ofCompany('企业安全员')
      return own.length ? own : ofCompany('企业管理员')
    }
    case '监理单位':
      return all.filter((r) => r.type === 2 && r.part === '007')
    case '建设单位':
      return all.filter((r) => r.type === 2 && r.part === '008')
    case '监督机构':
      return all.filter((r) => r.type === 1)
    default: {
      const find = role.startsWith('企业') ? ofCompany : ofProject
      const own = find(role)
      const standIn = standIns[role]
      return own.length || !standIn ? own : find(standIn)
    }
  }
}

const toReceiver = (r: Row): Receiver => ({
  ...pick(r, 'id', 'name', 'phone', 'email'),
  phoneMask: r.phone_mask,
  emailMask: r.email_mask,
  muted: r.muted ?? {},
})
const once = (rows: readonly Row[]): Receiver[] => [...new Map(rows.map((r) => [r.id, toReceiver(r)])).values()]

/** The people behind the requested roles and users, per group. Groups without people stay in the result. */
export async function findReceivers(
  client: pg.ClientBase | pg.Pool,
  projectCode: string,
  query: ReceiverQuery,
  now: number,
): Promise<Receivers[]> {
  const all = await current(client, projectCode, now)
  const groups: Receivers[] = query.roles.map((role) => ({ kind: 'role', name: role, people: once(inRole(all, role)) }))
  if (query.onDuty) groups.push({ kind: 'duty', name: '值班', people: once(all.filter((r) => r.on_duty)) })
  if (query.userIds.length) {
    const { rows: named } = await client.query<{ id: string; name: string }>('select id, name from app_user where id = any ($1)', [
      [...query.userIds],
    ])
    for (const id of query.userIds) {
      const name = named.find((n) => n.id === id)?.name ?? '已删除的账号'
      groups.push({ kind: 'user', name, people: once(all.filter((r) => r.id === id)) })
    }
  }
  return groups
}

/** Roles a plan of this project may name, and people who can be put on duty. */
export async function rolesAndPeople(client: pg.ClientBase | pg.Pool, projectCode: string, now: number) {
  const all = await current(client, projectCode, now)
  const own = new Set(all.filter((r) => r.type === 3).flatMap((r) => r.roles))
  for (const role of ['项目经理', '安全员', '机械员', '劳务员']) own.add(role)
  const people = new Map<string, { id: string; name: string; roles: string[] }>()
  for (const r of all) {
    if (r.type !== 3) continue
    people.set(r.id, { id: r.id, name: r.name, roles: [...new Set([...(people.get(r.id)?.roles ?? []), ...r.roles])] })
  }
  return { roles: [...own, ...outsideRoles], people: [...people.values()] }
}
