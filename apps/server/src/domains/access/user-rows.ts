import { type listUsers, type user, user as userSchema } from '@zhugong/contract/access/endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { allOf, type Condition, condition, contains, daysBetween, equals, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { dataScopeOf } from './roles.ts'

interface RawMembership {
  id: string
  groupId: string
  groupName: string
  groupsType: number
  roles: { id: string; name: string; dataScope: string | null }[] | null
  temporary: number
  deadline: string | null
  enable: string
}
export interface RawUser {
  id: string
  account: string
  name: string
  phoneMask: string | null
  groups: RawMembership[]
  ends: string | null
  secondFactor: boolean
  mustChange: boolean
  enable: string
  lastLoginAt: Date | null
  createTime: Date
}
type Looker = Pick<Context, 'db' | 'group' | 'scope' | 'clock' | 'secrets'>
type Query = Partial<ParsedFor<typeof listUsers>['query']>
/** Accounts unused for this long are listed as dormant; people may have left. */
const dormantDays = 90
/** Maximum number of locked accounts the filter can handle. */
const mostLocked = 1000

/** SQL source: accounts with the memberships visible to the caller: for the platform all, for a group its own. */
export const users = (looker: Pick<Looker, 'group' | 'scope' | 'clock'>) => {
  const now = new Date(looker.clock.now())
  const isPlatform = looker.group.type === groupTypes.platform
  const enable = isPlatform ? sql`u.enable` : sql`case when u.enable = '1' and g.on then '1' else '0' end`
  return sql`
    select u.id, u.account, u.name, u.phone_mask, u.phone_hash, u.otp_secret is not null as second_factor, u.must_change, u.last_login_at,
      u.create_time, ${enable} as enable, g.groups, g.ends
    from app_user u join lateral (
      select bool_or(m.enable = '1') as on, min(m.deadline)::text as ends,
        json_agg(json_build_object('id', m.id, 'groupId', t.id, 'groupName', t.name, 'groupsType', t.type, 'deadline', m.deadline, 'enable', m.enable,
          'temporary', (select count(*) from temp_role x where x.group_id = m.group_id and m.id = any (x.member_ids)
            and x.start_time <= ${now} and x.end_time > ${now}),
          'roles', (select json_agg(json_build_object('id', r.id, 'name', r.name, 'dataScope', r.data_scope) order by r.name)
            from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id)) order by t.type, t.name) as groups
      from member m join tenant t on t.id = m.group_id
      where m.user_id = u.id ${isPlatform && looker.scope.all ? sql`` : sql`and m.group_id = ${looker.group.id}`}) g on g.groups is not null`
}

const having = (path: string, test: ReturnType<typeof sql>) =>
  condition(sql`exists (select 1 from json_array_elements(u.groups) g where g ->> ${sql.lit(path)} ${test})`)
const havingRole = (test: ReturnType<typeof sql>) =>
  condition(sql`exists (select 1 from json_array_elements(u.groups) g, json_array_elements(case json_typeof(g -> 'roles') when 'array' then g -> 'roles'
    else '[]' end) r where ${test})`)

/** Accounts whose login is locked now, with the end of the lock. */
export async function lockedAccounts({ db, clock }: Pick<Looker, 'db' | 'clock'>): Promise<Map<string, Date>> {
  const { rows } = await sql<{ account: string; lockedUntil: Date }>`
    select account, locked_until from zg_locked_accounts(${new Date(clock.now())}) order by 2 desc limit ${mostLocked}`.execute(db)
  return new Map(rows.map((row) => [row.account, row.lockedUntil]))
}

const stateOf = (looker: Looker, locked: ReadonlyMap<string, Date>, state: NonNullable<Query['state']>): Condition => {
  switch (state) {
    case 'dormant':
      return condition(sql`coalesce(u.last_login_at, u.create_time) < ${new Date(looker.clock.now() - dormantDays * dayMs)}`)
    case 'locked':
      return condition(sql`u.account = any (${[...locked.keys()]})`)
    case 'initial':
      return condition(sql`u.must_change`)
    case 'endless':
      return condition(sql`u.ends is null`)
  }
}

export async function userConditions(looker: Looker, query: Query): Promise<Condition> {
  const locked = query.locked || query.state === 'locked' ? await lockedAccounts(looker) : new Map<string, Date>()
  const isLocked = sql`u.account = any (${[...locked.keys()]})`
  return allOf(
    ...contains('u.name', query.name),
    ...contains('u.account', query.account),
    ...(query.phone ? [condition(sql`u.phone_hash = ${looker.secrets.blindIndex('phone', query.phone)}`)] : []),
    ...(query.groupName ? [having('groupName', sql`ilike ${`%${query.groupName.replace(/[\\%_]/g, '\\$&')}%`}`)] : []),
    ...(query.groupsType?.length ? [having('groupsType', sql`= any (${query.groupsType})`)] : []),
    ...(query.roleName ? [havingRole(sql`r ->> 'name' ilike ${`%${query.roleName.replace(/[\\%_]/g, '\\$&')}%`}`)] : []),
    ...(query.dataScope ? [havingRole(sql`r ->> 'dataScope' = ${query.dataScope}`)] : []),
    ...(query.expireDate ? [condition(sql`u.ends is not null`), ...daysBetween('u.endsOn', query.expireDate)] : []),
    ...instantsBetween('u.lastLoginAt', query.lastLogin),
    ...instantsBetween('u.createTime', query.createTime),
    ...equals('u.secondFactor', query.secondFactor && query.secondFactor === '1'),
    ...(query.locked ? [condition(query.locked === '1' ? isLocked : sql`not ${isLocked}`)] : []),
    ...equals('u.enable', query.enable),
    ...(query.state ? [stateOf(looker, locked, query.state)] : []),
  )
}
export const userOrder = ({ sort }: Query) =>
  orderBy(sort, { account: 'u.account!', name: 'u.name!', lastLogin: 'u.lastLoginAt', createTime: 'u.createTime!' }, '-createTime', 'u.id')
/** Adds the first end as a date (`ends_on`) to its text form. */
export const userRows = (looker: Pick<Looker, 'group' | 'scope' | 'clock'>) =>
  sql`(select x.*, x.ends::date as ends_on from (${users(looker)}) x)`

/** Data scope codes sort from the widest to the narrowest. */
const widest = (scopes: readonly string[]): string => [...scopes].sort()[0] ?? '5'

export function toUser(row: RawUser, locked: ReadonlyMap<string, Date>): z.output<typeof user> {
  const until = locked.get(row.account)
  return rowOf(userSchema, row, {
    phone: row.phoneMask,
    groups: row.groups.map((one) => ({
      ...one,
      roles: (one.roles ?? []).map(({ id, name }) => ({ id, name })),
      dataScope: widest((one.roles ?? []).map((role) => role.dataScope ?? dataScopeOf(one.groupsType))),
    })),
    expireDate: row.ends,
    lastLogin: row.lastLoginAt && formatInstant(row.lastLoginAt),
    lockedUntil: until ? formatInstant(until) : null,
    createTime: formatInstant(row.createTime),
  })
}

export async function userFiguresOf(looker: Looker) {
  const locked = await lockedAccounts(looker)
  const { rows } = await sql<{ total: number; dormant: number; locked: number; initial: number }>`
    select count(*)::int as total, (count(*) filter (where ${stateOf(looker, locked, 'dormant')}))::int as dormant,
      (count(*) filter (where ${stateOf(looker, locked, 'locked')}))::int as locked,
      (count(*) filter (where ${stateOf(looker, locked, 'initial')}))::int as initial
    from (${users(looker)}) u`.execute(looker.db)
  return rows[0] ?? { total: 0, dormant: 0, locked: 0, initial: 0 }
}
