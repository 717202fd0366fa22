import { permissionName } from '@zhugong/contract/access/codes'
import type * as work from '@zhugong/contract/access/role-work'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { requireBelow } from './groups-below.ts'
import { readableRole } from './role-calls.ts'

interface RawUse {
  groupId: string
  groupName: string
  userCount: number
  taken: string[] | null
  reason: string | null
  updateBy: string | null
  updateTime: Date | null
  version: number | null
}

export const roleGroups: HandlerOf<typeof work.roleGroups> = async ({ query }, ctx) => {
  const role = await readableRole(ctx, query.roleId)
  const { rows } = await sql<RawUse>`
    select t.id as group_id, t.name as group_name, coalesce(c.n, 0) as user_count, n.codes as taken, n.reason, n.update_by, n.update_time, n.version
    from tenant t
      left join (select m.group_id, count(*)::int as n from member_role mr join member m on m.id = mr.member_id
        where mr.role_id = ${role.id} group by m.group_id) c on c.group_id = t.id
      left join role_narrowing n on n.group_id = t.id and n.role_id = ${role.id}
    where t.type = ${role.groupsType} and (c.n is not null or n.codes is not null) order by cardinality(coalesce(n.codes, '{}')) desc, t.name`.execute(
    ctx.db,
  )
  return {
    roleId: role.id,
    codes: role.codes,
    groups: rows.map((row) => ({
      ...pick(row, 'groupId', 'groupName', 'userCount', 'updateBy'),
      taken: row.taken ?? [],
      reason: row.reason ?? '',
      updateTime: row.updateTime && formatInstant(row.updateTime),
      version: row.version ?? 0,
    })),
  }
}

/**
 * Removes codes from a role in one group, or restores them; never more than the role has. Only groups above may do this. Codes removed
 * by another group can be restored by that group or by the platform.
 */
export const narrowRole: HandlerOf<typeof work.narrowRole> = async ({ body }, ctx) => {
  const db = await requireBelow(ctx, body.groupId)
  const role = found(await ctx.system.selectFrom('role').selectAll().where('id', '=', body.roleId).executeTakeFirst(), '角色')
  const group = await ctx.system.selectFrom('tenant').select(['name', 'type']).where('id', '=', body.groupId).executeTakeFirst()
  if (role.groupsType !== group?.type || (role.groupId !== null && role.groupId !== body.groupId))
    throw new AppError('invalidInput', '该组用不到这个角色', { field: 'roleId' })
  const foreign = body.codes.find((code) => !role.codes.includes(code))
  if (foreign) throw new AppError('invalidInput', `角色没有此权限，不能收窄：${foreign}`, { field: 'codes' })
  const parts = await partsAfter(ctx, db, body)
  const changed = await sql`
    insert into role_narrowing (role_id, group_id, codes, parts, reason, update_by, update_time, version)
    values (${role.id}, ${body.groupId}, ${body.codes}, ${JSON.stringify(parts)}, ${body.reason}, ${ctx.user.name}, ${new Date(ctx.clock.now())}, ${body.version + 1})
    on conflict (role_id, group_id) do update set codes = excluded.codes, parts = excluded.parts, reason = excluded.reason, update_by = excluded.update_by,
      update_time = excluded.update_time, version = excluded.version
    where role_narrowing.version = ${body.version}`.execute(db)
  if (changed.numAffectedRows === 0n) throw await conflictOf(ctx, 'roleNarrowing', { roleId: role.id, groupId: body.groupId }, '收窄')
  ctx.note(`收窄 ${group.name} 的角色 ${role.name}（${body.codes.length} 项）：${body.reason}`, role.id)
  return undefined
}

/** Removed codes by the group that removed them. The empty key is for removals before this was recorded. */
type Parts = Record<string, readonly string[]>

async function partsAfter(
  ctx: Pick<Context, 'group'>,
  db: Db | Tx,
  { roleId, groupId, codes }: { roleId: string; groupId: string; codes: readonly string[] },
): Promise<Parts> {
  const { rows } = await sql<{ codes: string[]; parts: Parts }>`
    select codes, parts from role_narrowing where role_id = ${roleId} and group_id = ${groupId} for update`.execute(db)
  const [row] = rows
  const own = ctx.group.id
  if (ctx.group.type === groupTypes.platform) {
    const kept = Object.entries(row?.parts ?? {}).map(([by, part]) => [by, part.filter((code) => codes.includes(code))] as const)
    const others = new Set(kept.flatMap(([by, part]) => (by === own ? [] : part)))
    return { ...Object.fromEntries(kept), [own]: codes.filter((code) => !others.has(code)) }
  }
  const mine = new Set(row?.parts[own] ?? [])
  const others = new Set(Object.entries(row?.parts ?? {}).flatMap(([by, part]) => (by === own ? [] : part)))
  const taken = (row?.codes ?? []).filter((code) => others.has(code) || !mine.has(code))
  const missing = taken.find((code) => !codes.includes(code))
  if (missing)
    throw new AppError('refused', `“${permissionName(missing)}”由其他上级收窄，只能由其或平台恢复`, { field: 'codes', code: missing })
  return { ...row?.parts, [own]: codes.filter((code) => !taken.includes(code)) }
}
