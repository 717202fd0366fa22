import { randomBytes } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import { type Group, type GroupType, groupTypes, type Principal } from '#kit/context'
import { type Db, seesNothing } from '#kit/db'
import { pick } from '#kit/pick'
import { hashToken } from '#kit/serve'
import { asksForSecondFactor, findMemberRights, standAt } from '../access/public.ts'
import { classicMaxMs, sessionMaxMs } from './limits.ts'
import { isAdminAddress, limitsNow } from './safety.ts'

/** Lifetime of cached principals: a revoked role or session takes effect within it. */
const rememberMs = 800
const remembered = 5_000
/** How often the end of an active session is updated in the database. */
const touchEveryMs = 60_000
/** Browsers' user agents are half as long; longer ones are made up. */
const longestAgent = 300

export interface NewSession {
  userId: string
  groupId: string | null
  groupType: GroupType | null
  projectCode: string
  keep: boolean
  entry: 'default' | 'classic' | 'admin'
  ip: string
  /** User agent of the browser. */
  agent: string
}

/** State kept by the browser; the session is valid while `now < timeStamp + duration`. */
export interface KeepLive {
  live: boolean
  timeStamp: number
  duration: number
}

export async function openSession(db: Db, clock: Clock, s: NewSession): Promise<{ token: string; keepLive: KeepLive }> {
  const now = clock.now()
  const token = randomBytes(32).toString('base64url')
  // 保持登录 is only for companies and projects, and never on a shared computer.
  const live = s.keep && s.entry === 'default' && (s.groupType === groupTypes.corporation || s.groupType === groupTypes.project)
  const { keepMs, idleMs } = await limitsNow(db)
  const duration = live ? keepMs : idleMs
  const longest = s.entry === 'classic' ? classicMaxMs : sessionMaxMs
  await db
    .insertInto('session')
    .values({
      tokenHash: hashToken(token),
      ...pick(s, 'userId', 'groupId', 'projectCode', 'entry', 'ip'),
      live,
      agent: s.agent.slice(0, longestAgent),
      createdAt: new Date(now),
      seenAt: new Date(now),
      expiresAt: new Date(now + duration),
      hardExpiresAt: new Date(now + longest),
    })
    .execute()
  return { token, keepLive: { live, timeStamp: now, duration } }
}

/** Extends a session; the browser calls this while the user is active. */
export async function prolongSession(db: Db, clock: Clock, sessionHash: string): Promise<KeepLive> {
  const now = clock.now()
  const row = await db.selectFrom('session').select(['live', 'hardExpiresAt']).where('tokenHash', '=', sessionHash).executeTakeFirst()
  if (!row) throw new AppError('sessionExpired', '会话过期，请重新登录！')
  const { keepMs, idleMs } = await limitsNow(db)
  const until = Math.min(now + (row.live ? keepMs : idleMs), row.hardExpiresAt.getTime())
  await db
    .updateTable('session')
    .set({ seenAt: new Date(now), expiresAt: new Date(until) })
    .where('tokenHash', '=', sessionHash)
    .execute()
  return { live: row.live, timeStamp: now, duration: until - now }
}

export async function closeSession(db: Db, sessionHash: string): Promise<void> {
  await db.deleteFrom('session').where('tokenHash', '=', sessionHash).execute()
}

export interface Authenticator {
  (token: string | undefined, groupHeader: string | undefined, ip: string): Promise<Principal>
  /** Clears the cache, after a change made by this process. */
  forget(): void
  /** The principal, read from the database without the cache. */
  again(sessionHash: string): Promise<Principal>
}

const expired = () => new AppError('sessionExpired', '会话过期，请重新登录！')

export function createAuthenticator(db: Db, clock: Clock): Authenticator {
  const cache = new Map<string, { until: number; principal: Promise<Principal>; addresses: Promise<string> }>()

  async function load(tokenHash: string): Promise<Principal> {
    const now = clock.now()
    const row = await db
      .selectFrom('session as s')
      .innerJoin('appUser as u', 'u.id', 's.userId')
      .leftJoin('tenant as t', 't.id', 's.groupId')
      .leftJoin('member as m', (join) => join.onRef('m.userId', '=', 's.userId').onRef('m.groupId', '=', 's.groupId'))
      .select([
        's.live',
        's.seenAt',
        's.expiresAt',
        's.hardExpiresAt',
        'u.id',
        'u.account',
        'u.name',
        'u.mustChange',
        'u.otpSecret',
        'u.enable',
        't.id as groupId',
        't.type as groupType',
        't.code as groupCode',
        't.name as groupName',
        't.areaCode',
        't.enable as groupEnable',
        'm.id as memberId',
        'm.enable as memberEnable',
        'm.deadline',
      ])
      .where('s.tokenHash', '=', tokenHash)
      .executeTakeFirst()
    if (row?.enable !== '1' || row.expiresAt.getTime() <= now || row.hardExpiresAt.getTime() <= now) throw expired()
    if (now - row.seenAt.getTime() > touchEveryMs) await prolongSession(db, clock, tokenHash)
    const user: Principal['user'] = { id: row.id, account: row.account, name: row.name, mustChangePassword: row.mustChange }
    const none = seesNothing({ id: '', type: -1 }, row.id)
    const usable = row.groupId && row.memberId && row.groupEnable === '1' && row.memberEnable === '1' && !isPast(row.deadline, now)
    if (!usable) return { sessionHash: tokenHash, user, group: null, codes: new Set(), bounds: new Map(), scope: none, projectCode: '*' }
    // Queried only for users without a second factor; most have one.
    if (!row.otpSecret && (await asksForSecondFactor(db, row.groupId ?? ''))) user.mustSetSecondFactor = true
    const group: Group = {
      id: row.groupId ?? '',
      type: row.groupType as GroupType,
      code: row.groupCode ?? '',
      name: row.groupName ?? '',
      areaCode: row.areaCode,
    }
    const rights = await findMemberRights(db, { group, userId: row.id, memberId: row.memberId ?? '' }, now)
    return { ...rights, sessionHash: tokenHash, user, group, projectCode: '*' }
  }

  /** The addresses a principal may use; an empty list allows all. */
  const addressesFor = async ({ group }: Principal): Promise<string> =>
    group?.type === groupTypes.platform ? (await limitsNow(db)).adminAddresses : ''

  const authenticate = (async (token, groupHeader, ip) => {
    if (!token || token.length > 200) throw expired()
    const tokenHash = hashToken(token)
    const now = clock.now()
    let hit = cache.get(tokenHash)
    if (!hit || hit.until <= now) {
      if (cache.size > remembered) cache.clear()
      const principal = load(tokenHash)
      hit = { until: now + rememberMs, principal, addresses: principal.then(addressesFor) }
      hit.addresses.catch(() => undefined)
      cache.set(tokenHash, hit)
      // Failures are not cached: the next request queries the database again.
      principal.catch(() => cache.delete(tokenHash))
    }
    const principal = await hit.principal
    // The address list of platform administrators is checked on every request, because a session may be used from another place.
    if (!isAdminAddress(await hit.addresses, ip)) throw new AppError('sessionExpired', '平台管理员不在允许的地址，请重新登录')
    if (!groupHeader || groupHeader === '*') return principal
    const here = standAt(principal, groupHeader)
    // The header can only narrow the scope; other projects are refused before any read.
    if (!here || groupHeader.length > 64) throw new AppError('forbidden', '项目不存在或不在您的管辖范围内', { field: 'group' })
    if (principal.scope.all) {
      const known = await sql`select 1 from project where project_code = ${groupHeader}`.execute(db)
      if (known.rows.length === 0) throw new AppError('forbidden', '项目不存在或不在您的管辖范围内', { field: 'group' })
    }
    return { ...here, projectCode: groupHeader }
  }) as Authenticator
  authenticate.forget = () => cache.clear()
  authenticate.again = load
  return authenticate
}

const isPast = (deadline: string | null, now: number) => deadline !== null && Date.parse(`${deadline}T23:59:59+08:00`) < now
