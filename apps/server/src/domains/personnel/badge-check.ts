import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { badgeSigned, checkBadge, readBadge } from '@zhugong/contract/personnel/badges'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { sql } from 'kysely'
import { requireOwnPassword, requireSecondFactor } from '#kit/admit'
import { formatDay } from '#kit/clock'
import type { Shared } from '#kit/context'
import { inScope, type Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { within } from '#kit/reach'
import type { PublicHandler, Serve } from '#kit/serve'
import type { ServeDependencies } from '#kit/serve-dependencies'
import { linkOf } from '../files/public.ts'
import { type BadgeStay, badgeColumns, badgeTables } from './badge-rows.ts'
import { workName } from './cert-dues.ts'

type Authenticate = ServeDependencies['authenticate']
type Check = typeof checkBadge extends { types?: { parsed: infer P; out: infer O } } ? PublicHandler<P, O> : never
type CheckContext = Parameters<Check>[1]

/** The public page behind a badge's QR code: whether its holder may work there now. */
export function badgeCheckRoutes(serve: Serve, authenticate: Authenticate): void {
  serve.open(checkBadge, check(authenticate))
}

interface StayRow extends BadgeStay {
  formalStatus: string
  entryTime: Date
  exitTime: Date | null
  /** End of the contract in force; null if it has none. */
  until: string | null
}

const check =
  (authenticate: Authenticate): Check =>
  async ({ body }, ctx) => {
    const code = readBadge(body.code)
    const stay = code && (await findStay(ctx, code.stayId))
    const isOurs = stay && ctx.secrets.sign('badge', badgeSigned(stay.projectCode, stay.id)).startsWith(code.signature)
    if (!isOurs) return { valid: false, reason: '不是本平台签发的胸牌码', person: null }
    const reason = whyNot(stay)
    return {
      valid: reason === null,
      reason,
      person: {
        name: maskName(stay.workerName),
        ...pick(stay, 'projectName', 'corpName', 'teamName', 'isTeamLeader'),
        workTypeName: workName(stay),
        entryDate: formatDay(stay.entryTime),
        untilDate: stay.exitTime ? null : stay.until,
        exitDate: stay.exitTime ? formatDay(stay.exitTime) : null,
        photo: stay.exitTime ? null : await photoFor(authenticate, ctx, stay.id),
      },
    }
  }

function whyNot({ exitTime, formalStatus }: StayRow): string | null {
  if (exitTime) return `${formatDay(exitTime)} 已退场，胸牌失效`
  if (formalStatus === formalStates.paused) return '已暂停作业'
  return formalStatus === formalStates.formal ? null : '尚未转正式，不能上岗'
}

async function findStay(ctx: Pick<Shared, 'system' | 'clock'>, id: string): Promise<StayRow | undefined> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<StayRow>`
    select ${badgeColumns}, w.formal_status, w.entry_time, w.exit_time,
      (select k.end_date from worker_contract k where k.worker_id = w.worker_id and k.project_code = w.project_code and k.corp_code = w.corp_code
        and k.start_date <= ${today}::date and (k.end_date is null or k.end_date >= ${today}::date)
        and (k.terminate_date is null or k.terminate_date > ${today}::date) order by k.end_date desc nulls first limit 1) as until
    from ${badgeTables} where w.id = ${id}`.execute(ctx.system)
  return rows[0]
}

/** The photo is included only for a session that may list the person. */
async function photoFor(authenticate: Authenticate, ctx: CheckContext, stayId: string): Promise<string | null> {
  const { token } = ctx.headers
  if (typeof token !== 'string' || !token) return null
  try {
    // The whole scope, independent of the project chosen in the session.
    const principal = await authenticate(token, '*', ctx.ip)
    requireOwnPassword(principal)
    requireSecondFactor(principal)
    if (!principal.group || !principal.codes.has('personnel.view')) return null
    const { scope } = within(principal, ['personnel.view'])
    return linkOf(ctx, await inScope(ctx.system, scope, (tx) => seenPhoto(tx, stayId)))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function seenPhoto(db: Tx, stayId: string): Promise<string | null> {
  const { rows } = await sql<{ image: string | null }>`
    select coalesce(p.head_image, p.face_photo) as image from project_worker w join worker p on p.id = w.worker_id
    where w.id = ${stayId} and w.confirmed_at is not null`.execute(db)
  return rows[0]?.image ?? null
}
