import type * as contract from '@zhugong/contract/access/group-roles'
import { type DelegationRules, delegationNames, delegationRules } from '@zhugong/contract/access/group-roles'
import { longestTemporaryDays } from '@zhugong/contract/access/role-work'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { conflictOf } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { requireGivable } from './members.ts'

/** The rules that apply where nothing is configured. */
const delivered: DelegationRules = {
  defaultRoleId: null,
  makers: 'holder',
  temporary: true,
  temporaryDays: longestTemporaryDays,
  defaultDays: null,
  secondFactor: false,
}

interface DelegationState {
  own: DelegationRules
  above: DelegationRules | null
  locked: string[]
  inForce: DelegationRules
  row: Row<'delegationRule'> | undefined
}

/** A group's own rules, the platform's, and the resulting ones: the stricter of both, and the platform's where it has locked a rule. */
async function rights(ctx: Pick<Context, 'system' | 'group'>): Promise<DelegationState> {
  const rows = await ctx.system
    .selectFrom('delegationRule as d')
    .innerJoin('tenant as t', 't.id', 'd.groupId')
    .selectAll('d')
    .select('t.type')
    .where((eb) => eb.or([eb('d.groupId', '=', ctx.group.id), eb('t.type', '=', groupTypes.platform)]))
    .execute()
  const read = (row: { rules: unknown } | undefined) => (row ? delegationRules.parse(row.rules) : delivered)
  const row = rows.find((one) => one.groupId === ctx.group.id)
  const own = read(row)
  if (ctx.group.type === groupTypes.platform) return { own, above: null, locked: [], inForce: own, row }
  const top = rows.find((one) => one.type === groupTypes.platform)
  const above = read(top)
  const locked = top?.locked ?? []
  return { own, above, locked, inForce: strictest(own, above, new Set(locked)), row }
}

/** Combines rules: a group can be stricter than the platform, never looser. The default role is each group's own. */
export function strictest(own: DelegationRules, above: DelegationRules, locked: ReadonlySet<string>): DelegationRules {
  const days = [own.defaultDays, above.defaultDays].filter((one) => one !== null)
  const strict: DelegationRules = {
    defaultRoleId: own.defaultRoleId,
    makers: own.makers === 'administrator' || above.makers === 'administrator' ? 'administrator' : 'holder',
    temporary: own.temporary && above.temporary,
    temporaryDays: Math.min(own.temporaryDays, above.temporaryDays),
    defaultDays: days.length ? Math.min(...days) : null,
    secondFactor: own.secondFactor,
  }
  const fixed = Object.fromEntries(
    delegationNames.filter((name) => name !== 'defaultRoleId' && locked.has(name)).map((name) => [name, above[name]]),
  )
  return { ...strict, ...fixed, secondFactor: own.secondFactor || (locked.has('secondFactor') && above.secondFactor) }
}

export const rulesInForce = async (ctx: Pick<Context, 'system' | 'group'>): Promise<DelegationRules> => (await rights(ctx)).inForce

/** Whether accounts of a group must have a second factor, by the group's own rule or by the platform's locked rule. */
export async function asksForSecondFactor(db: Db, groupId: string): Promise<boolean> {
  const { rows } = await sql<{ asks: boolean | null }>`
    select bool_or((d.rules ->> 'secondFactor')::boolean and (d.group_id = ${groupId} or (t.type = 0 and 'secondFactor' = any (d.locked)))) as asks
    from delegation_rule d join tenant t on t.id = d.group_id where d.group_id = ${groupId} or t.type = 0`.execute(db)
  return rows[0]?.asks === true
}

/** The end date of a role; the default length applies if none is given. */
export async function usualEnd(ctx: Pick<Context, 'system' | 'group' | 'clock'>, given: string | null): Promise<string | null> {
  if (given !== null) {
    if (given < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '有效期不能早于今天', { field: 'expireDate' })
    return given
  }
  const { defaultDays } = await rulesInForce(ctx)
  return defaultDays === null ? null : addDays(formatDay(ctx.clock.now()), defaultDays)
}

/** Throws if the group's rules reserve the editing of roles for administrators and the caller is not one. */
export async function requireMaker(ctx: Context): Promise<void> {
  if ((await rulesInForce(ctx)).makers === 'holder' || (await isAdministrator(ctx))) return
  throw new AppError('forbidden', '本组的授权规则只允许管理员维护角色')
}

async function isAdministrator(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select 1 from member m join member_role mr on mr.member_id = m.id and mr.enable = '1' join role r on r.id = mr.role_id and r.administrator
    where m.user_id = ${ctx.user.id} and m.group_id = ${ctx.group.id}
      and (mr.deadline is null or mr.deadline >= ${formatDay(ctx.clock.now())}::date)`.execute(ctx.system)
  return rows.length > 0
}

export const getDelegation: HandlerOf<typeof contract.getDelegation> = async (_, ctx) => {
  const { own, above, locked, inForce, row } = await rights(ctx)
  const { rows: administrators } = await sql<{ memberId: string; name: string; deadline: string | null; lastLogin: Date | null }>`
    select m.id as member_id, u.name, mr.deadline::text as deadline, u.last_login_at as last_login
    from member m join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and mr.enable = '1' and (mr.deadline is null or mr.deadline >= ${formatDay(ctx.clock.now())}::date)
      join role r on r.id = mr.role_id and r.administrator
    where m.group_id = ${ctx.group.id} and m.enable = '1' order by u.name`.execute(ctx.db)
  const roles = await ctx.db
    .selectFrom('role')
    .select(['id', 'name'])
    .where('groupsType', '=', ctx.group.type)
    .where((eb) => eb.or([eb('groupId', 'is', null), eb('groupId', '=', ctx.group.id)]))
    .where('administrator', '=', false)
    .orderBy('name')
    .execute()
  return {
    own,
    inForce,
    locked,
    above,
    mayLock: ctx.group.type === groupTypes.platform,
    administrators: administrators.map((one) => ({ ...one, lastLogin: one.lastLogin && formatInstant(one.lastLogin) })),
    violations: await violations(ctx, inForce),
    roles,
    updateBy: row?.updateBy ?? null,
    updateTime: row ? formatInstant(row.updateTime) : null,
    version: row?.version ?? 0,
  }
}

/** Existing grants that the current rules would not allow. */
async function violations(ctx: Context, rules: DelegationRules): Promise<{ what: string; detail: string }[]> {
  const now = new Date(ctx.clock.now())
  const running = await ctx.db.selectFrom('tempRole').selectAll().where('groupId', '=', ctx.group.id).where('endTime', '>', now).execute()
  const most = rules.temporary ? rules.temporaryDays : 0
  return running
    .filter((one) => one.endTime.getTime() - one.startTime.getTime() > most * dayMs)
    .map((one) => ({
      what: rules.temporary ? `临时角色“${one.name}”超过 ${most} 天` : `规则不允许临时角色，“${one.name}”仍在生效`,
      detail: `${formatDay(one.startTime)} 至 ${formatDay(one.endTime.getTime() - dayMs)}，由 ${one.grantBy} 授予`,
    }))
}

/**
 * A user who requires a second factor of others must have one that works. Otherwise the rule would lock out the user who could correct
 * it.
 */
async function requireOwnFactor(ctx: Pick<Context, 'system' | 'user'>): Promise<void> {
  const { otpSecret } = await ctx.system.selectFrom('appUser').select('otpSecret').where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
  if (!otpSecret) throw new AppError('refused', '请先为自己启用动态口令，再要求本组账号启用', { field: 'secondFactor' })
}

export const setDelegation: HandlerOf<typeof contract.setDelegation> = async ({ body }, ctx) => {
  const { locked, version, ...rules } = body
  const { above, locked: fixed, own } = await rights(ctx)
  if (locked.length && ctx.group.type !== groupTypes.platform) throw new AppError('forbidden', '只有平台可以锁定规则', { field: 'locked' })
  for (const name of delegationNames)
    if (fixed.includes(name) && rules[name] !== own[name]) throw new AppError('refused', '这条规则已由平台锁定', { field: name })
  if (above && rules.temporaryDays > above.temporaryDays)
    throw new AppError('invalidInput', `平台规定最长 ${above.temporaryDays} 天，只能更严`, { field: 'temporaryDays' })
  if (rules.secondFactor && !own.secondFactor) await requireOwnFactor(ctx)
  // Every new member receives the default role, so the caller must be allowed to grant it.
  if (rules.defaultRoleId) await requireGivable(ctx, [rules.defaultRoleId], null)
  const changed = await sql`
    insert into delegation_rule (group_id, rules, locked, update_by, update_time, version)
    values (${ctx.group.id}, ${JSON.stringify(rules)}, ${locked}, ${ctx.user.name}, ${new Date(ctx.clock.now())}, ${version + 1})
    on conflict (group_id) do update set rules = excluded.rules, locked = excluded.locked, update_by = excluded.update_by,
      update_time = excluded.update_time, version = excluded.version
    where delegation_rule.version = ${version}`.execute(ctx.db)
  if (changed.numAffectedRows === 0n) throw await conflictOf(ctx, 'delegationRule', { groupId: ctx.group.id }, '授权设置')
  ctx.note('修改授权设置', ctx.group.id)
  return undefined
}
