import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { screenCalls } from '@zhugong/contract/screens/calls'
import { batchLoadTemplates, checkScreen, renewScreenToken } from '@zhugong/contract/screens/endpoints'
import { sql } from 'kysely'
import { type Clock, formatDay } from '#kit/clock'
import type { Display, Group, GroupType, Principal } from '#kit/context'
import type { Db } from '#kit/db'
import { restrict } from '#kit/reach'
import { hashToken } from '#kit/serve'
import type { ServeDependencies } from '#kit/serve-dependencies'
import { findScope, openCodes, standAt } from '../access/public.ts'
import { displayCodes } from './in-force.ts'
import { issuerOf } from './issuer.ts'

/** Prefix of display tokens, so that they are never looked up as sessions. */
export const displayPrefix = 'wall_'
export const newDisplayKey = (): string => `${displayPrefix}${randomBytes(32).toString('base64url')}`
/** Interval at which a wall's last activity is stored. */
const seenEveryMs = 30_000

/** Endpoints a wall may call, by method and path, restricted to the fields its panels show. */
const views: Display['views'] = (() => {
  const all = new Map<string, Endpoint[]>()
  const calls: Endpoint[] = [...Object.values(screenCalls), checkScreen, batchLoadTemplates, renewScreenToken] as Endpoint[]
  for (const call of calls) {
    const key = `${call.method} ${call.path}`
    all.set(key, [...(all.get(key) ?? []), call])
  }
  return all
})()

interface TokenRow {
  id: string
  name: string
  templateId: string
  expiresAt: Date
  nextHash: string | null
  nextExpiresAt: Date | null
  lastHash: string | null
  renewedAt: Date | null
  seenAt: Date | null
  revokedAt: Date | null
  state: string
  issuerId: string | null
  issuerGroupId: string | null
  groupId: string
  type: GroupType
  code: string
  groupName: string
  areaCode: string | null
  enable: string
}

/** Time for which the old token is accepted for requests already sent. */
const underWayMs = 60_000

/** Makes the next token the current one at its first use. Only the first of concurrent requests changes the row. */
const takeOver = (db: Db, id: string, hash: string, now: Date) =>
  sql`update screen_token set last_hash = token_hash, token_hash = next_hash, expires_at = next_expires_at, next_hash = null, next_expires_at = null,
    renewed_at = ${now} where id = ${id} and next_hash = ${hash}`.execute(db)

const over = (message: string) => new AppError('sessionExpired', message)

/**
 * The principal of a display token: its group, without a user. It has only read access to panel data, limited to what the token's issuer
 * may read today.
 */
async function findDisplay(db: Db, clock: Clock, token: string): Promise<Principal> {
  const hash = hashToken(token)
  const { rows } = await sql<TokenRow>`
    select k.id, k.name, k.template_id, k.expires_at, k.next_hash, k.next_expires_at, k.last_hash, k.renewed_at, k.seen_at, k.revoked_at, s.state,
      k.issuer_id, k.issuer_group_id, t.id as group_id, t.type, t.code, t.name as group_name, t.area_code, t.enable
    from screen_token k join screen_template s on s.id = k.template_id join tenant t on t.id = k.group_id
    where ${hash} in (k.token_hash, k.next_hash, k.last_hash)`.execute(db)
  const [row] = rows
  const now = clock.now()
  if (!row) throw over('墙屏链接无效，请重新签发')
  if (row.revokedAt) throw over('墙屏链接已被吊销')
  const renewed = row.nextHash === hash
  const until = renewed ? row.nextExpiresAt : row.expiresAt
  if (!until || until.getTime() <= now) throw over('墙屏链接已到期，请重新签发')
  if (row.lastHash === hash && now - (row.renewedAt?.getTime() ?? 0) > underWayMs)
    throw over('墙屏链接已在另一块墙屏上续期，一个链接只用于一块屏，请重新签发')
  if (row.enable !== '1') throw over('机构已停用，墙屏链接失效')
  if (row.state !== '1') throw over('大屏模板已停用，墙屏链接失效')
  const issuer = await issuerOf(db, clock, row)
  if ('fault' in issuer) throw over(`${issuer.fault}，墙屏链接失效，请重新签发`)
  if (renewed) await takeOver(db, row.id, hash, new Date(now))
  if (!row.seenAt || now - row.seenAt.getTime() > seenEveryMs)
    await db
      .updateTable('screenToken')
      .set({ seenAt: new Date(now) })
      .where('id', '=', row.id)
      .execute()
  const group: Group = { id: row.groupId, type: row.type, code: row.code, name: row.groupName, areaCode: row.areaCode }
  const user = { id: `wall:${row.id}`, account: '', name: `墙屏 ${row.name}`, mustChangePassword: false }
  const [whole, open] = await Promise.all([findScope(db, group, user.id), openCodes(db, group.id, user.id, formatDay(now))])
  const { rights } = issuer
  const codes = displayCodes(group.type).filter((code) => (open === 'every' || open.has(code)) && rights.codes.has(code))
  return {
    sessionHash: `wall:${row.id}`,
    user,
    group,
    scope: rights.scope.all ? whole : restrict(whole, new Set(rights.scope.projects)),
    codes: new Set(codes),
    bounds: rights.bounds,
    projectCode: '*',
    display: { id: row.id, templateId: row.templateId, expiresAt: until.getTime(), views },
  }
}

/** Authenticates users by session and walls by display token. Files, exports and live readings accept only sessions. */
export const orDisplay =
  (db: Db, clock: Clock, people: ServeDependencies['authenticate']): ServeDependencies['authenticate'] =>
  async (token, groupHeader, ip) => {
    if (!token?.startsWith(displayPrefix) || token.length > 200) return people(token, groupHeader, ip)
    const display = await findDisplay(db, clock, token)
    if (!groupHeader || groupHeader === '*') return display
    const here = standAt(display, groupHeader)
    if (!here) throw new AppError('forbidden', '项目不存在或不在您的管辖范围内', { field: 'group' })
    return { ...here, projectCode: groupHeader }
  }
