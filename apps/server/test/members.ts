import { randomBytes } from 'node:crypto'
import { hashToken } from '#kit/serve'
import { freshId } from './parts/clone-row.ts'
import type { Caller, World } from './world.ts'

export interface Somebody {
  userId: string
  memberId: string
  account: string
  caller: Caller
}

/** Creates a user in a group with existing roles: account, membership and session. */
export async function somebody(
  world: World,
  groupId: string,
  roles: readonly (string | { id: string; until: string })[],
): Promise<Somebody> {
  const { pool } = world.database
  const [id, token] = [freshId(), randomBytes(32).toString('base64url')]
  await pool.query(`insert into app_user (id, account, name, password_hash) values ($1, $1, '某人', 'none')`, [id])
  await pool.query('insert into member (id, user_id, group_id) values ($1, $1, $2)', [id, groupId])
  for (const role of roles) {
    const [roleId, until] = typeof role === 'string' ? [role, null] : [role.id, role.until]
    await pool.query('insert into member_role (member_id, role_id, deadline) values ($1, $2, $3)', [id, roleId, until])
  }
  await pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, expires_at, hard_expires_at)
     values ($1, $2, $3, false, 'default', '127.0.0.1', now() + interval '3 hours', now() + interval '4 hours')`,
    [hashToken(token), id, groupId],
  )
  return { userId: id, memberId: id, account: id, caller: world.caller(token) }
}

/** Inserts a role of a group and returns its id. */
export async function roleOf(world: World, groupId: string, codes: readonly string[], projects?: readonly string[]): Promise<string> {
  const id = freshId()
  await world.database.pool.query(
    `insert into role (id, group_id, groups_type, name, codes, role_scope, data_scope, projects)
     select $1, id, type, $1, $3, '5', case when $4::text[] is null then '2' else '4' end, coalesce($4, '{}') from tenant where id = $2`,
    [id, groupId, codes, projects ?? null],
  )
  return id
}

export async function groupNamed(world: World, type: number, code: string): Promise<string> {
  const { rows } = await world.database.pool.query<{ id: string }>('select id from tenant where type = $1 and code = $2', [type, code])
  const id = rows[0]?.id
  if (!id) throw new Error(`there is no group ${code}`)
  return id
}
