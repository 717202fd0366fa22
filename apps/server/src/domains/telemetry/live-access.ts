import { sql } from 'kysely'
import { type Group, type GroupType, groupTypes } from '#kit/context'
import type { Db } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { findMemberRights, standAt } from '../access/public.ts'
import type { LiveTicket, ViewerScope } from './live.ts'

export const liveTokenMs = 10 * 60_000
const purpose = 'live'
/** Prefix of client ids of live connections. Those of gateways begin with `gw:`. */
export const viewerPrefix = 'view:'

/** Signed token for a live connection: session, project, expiry and client id. It is valid for nothing else. */
export function writeTicket(secrets: Secrets, ticket: LiveTicket): string {
  const body = Buffer.from(JSON.stringify([ticket.sessionHash, ticket.projectCode, ticket.expiresAt, ticket.clientId])).toString(
    'base64url',
  )
  return `${body}.${secrets.sign(purpose, body)}`
}

export function readTicket(secrets: Secrets, password: string): LiveTicket | undefined {
  const [body = '', signature = ''] = password.split('.')
  if (!body || password.length > 1000 || !secrets.verify(purpose, body, signature)) return undefined
  const [sessionHash, projectCode, expiresAt, clientId] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [
    string,
    string,
    number,
    string | undefined,
  ]
  // A token of an older version without a client id is refused; the page then requests a new one.
  return clientId?.startsWith(viewerPrefix) ? { sessionHash, projectCode, expiresAt, clientId } : undefined
}

interface SessionRow {
  userId: string
  memberId: string
  groupId: string
  type: GroupType
  code: string
  name: string
  areaCode: string | null
}

/** The current permissions of a live connection's session; undefined if it has ended. The check does not extend the session. */
export async function findViewer(db: Db, sessionHash: string, projectCode: string, now: number): Promise<ViewerScope | undefined> {
  const at = new Date(now)
  const { rows } = await sql<SessionRow>`
    select u.id as user_id, m.id as member_id, t.id as group_id, t.type, t.code, t.name, t.area_code
    from session s
      join app_user u on u.id = s.user_id and u.enable = '1' and not u.must_change
      join tenant t on t.id = s.group_id and t.enable = '1'
      join member m on m.user_id = s.user_id and m.group_id = s.group_id and m.enable = '1'
    where s.token_hash = ${sessionHash} and s.expires_at > ${at} and s.hard_expires_at > ${at}
      and (m.deadline is null or m.deadline >= (${at}::timestamptz at time zone 'Asia/Shanghai')::date)`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  const group: Group = { id: row.groupId, type: row.type, code: row.code, name: row.name, areaCode: row.areaCode }
  const here = standAt(await findMemberRights(db, { group, userId: row.userId, memberId: row.memberId }, now), projectCode)
  if (!here) return undefined
  const { scope, codes, bounds } = here
  return {
    all: scope.all,
    projects: new Set(scope.projects),
    isRegulator: group.type === groupTypes.government,
    limited: new Set(scope.limited),
    corps: new Set(scope.corps),
    codes,
    bounds,
  }
}
