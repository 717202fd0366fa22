import { dayAfter, earlier, grantState, isBeyond, isOpenState, longestDays } from '@zhugong/contract/apps/codes'
import type * as contract from '@zhugong/contract/apps/grant-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes, requireCode } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { getAvailable } from './apps.ts'
import { mayChange } from './grant-rows.ts'
import { saveRange } from './ranges.ts'

/** A group that may receive grants. */
export interface Target {
  id: string
  type: number
  code: string
  name: string
}

/** Returns a group of the caller's branch. Groups outside it get the same error as groups that do not exist. */
export async function getTargets(ctx: Pick<Context, 'db' | 'group'>, ids: readonly string[]): Promise<Map<string, Target>> {
  const { rows } =
    await sql<Target>`select id, type, code, name from zg_branch() where id = any (${[...ids]}) and id <> ${ctx.group.id}`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) if (!byId.has(id)) throw new AppError('notFound', '授权对象不存在或不在您的管辖范围内', { field: 'groupId' })
  return byId
}

/** The source of a grant: the platform grants directly, other groups pass on a grant that they hold. */
export interface Origin {
  parentId: string | null
  byGroup: string
  /** First and last day of the grant that is passed on. */
  start: string | null
  deadline: string | null
}

/** The grant of the caller's group that can be passed on for an app, or why there is none. */
export async function originOf(ctx: Context, appId: string, wanted?: string): Promise<Origin | { why: string }> {
  if (ctx.group.type === groupTypes.platform) return { parentId: null, byGroup: ctx.group.id, start: null, deadline: null }
  const today = formatDay(ctx.clock.now())
  const rows = await ctx.db
    .selectFrom('appGrant')
    .select(['id', 'startDay', 'deadline'])
    .where('groupId', '=', ctx.group.id)
    .where('appId', '=', appId)
    .where('revokedAt', 'is', null)
    .execute()
  const own = wanted === undefined ? rows : rows.filter((row) => row.id === wanted)
  const open = own.filter((row) => isOpenState(grantState({ start: row.startDay, deadline: row.deadline }, today)))
  const longest = open.reduce<(typeof open)[number] | undefined>(
    (best, row) => (best && (best.deadline === null || (row.deadline !== null && row.deadline <= best.deadline)) ? best : row),
    undefined,
  )
  if (!longest) return { why: own.length === 0 ? '本组没有开通，不能下发' : '本组的授权不在有效期内，不能下发' }
  return { parentId: longest.id, byGroup: ctx.group.id, start: longest.startDay, deadline: longest.deadline }
}

/** Checks the right to give grants: `grant.create` for the platform, `grant.pass` for others. */
export const requireGiver = (ctx: Context): void => requireCode(ctx, ctx.group.type === groupTypes.platform ? 'grant.create' : 'grant.pass')

/** Returns why a period is invalid; undefined when it is valid. */
export function spanFault({ start, deadline }: { start: string; deadline: string | null }, today: string): string | undefined {
  if (deadline === null) return undefined
  if (deadline < start) return '到期日早于开始日'
  if (deadline < today) return '到期日已经过去'
  return deadline > dayAfter(start, longestDays) ? '期限最长十年' : undefined
}

type Living = Pick<Row<'appGrant'>, 'id' | 'groupId' | 'appId' | 'startDay' | 'deadline' | 'parentId' | 'version'>
/** The unrevoked grants of these apps that a group holds, from any giver. */
export async function livingGrants(ctx: Pick<Context, 'db'>, groupIds: readonly string[], appIds: readonly string[]): Promise<Living[]> {
  return ctx.db
    .selectFrom('appGrant')
    .select(['id', 'groupId', 'appId', 'startDay', 'deadline', 'parentId', 'version'])
    .where('groupId', 'in', [...groupIds, ''])
    .where('appId', 'in', [...appIds, ''])
    .where('revokedAt', 'is', null)
    .execute()
}

/** The requested apps and all apps they require, without those that the group holds and that are valid. */
export async function withNeeded(ctx: Context, groupId: string, appIds: readonly string[]): Promise<{ all: string[]; added: string[] }> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ id: string }>`
    with recursive needed as (
      select unnest(${[...appIds]}::text[]) as id union select unnest(a.prerequisites) from app a join needed n on n.id = a.id)
    select n.id from needed n join app a on a.id = n.id where not a.base order by a.sort`.execute(ctx.db)
  const existing = await livingGrants(
    ctx,
    [groupId],
    rows.map((row) => row.id),
  )
  const inForce = new Set(
    existing.filter((one) => isOpenState(grantState({ start: one.startDay, deadline: one.deadline }, today))).map((one) => one.appId),
  )
  const added = rows.map((row) => row.id).filter((id) => !appIds.includes(id) && !inForce.has(id))
  return { all: [...appIds, ...added], added }
}

interface Giving {
  target: Target
  appId: string
  appName: string
  origin: Origin
  start: string
  deadline: string | null
  source?: 'single' | 'scheme'
  contractNo?: string | undefined
  reason?: string
  batchId?: string
  sort: number
}

/** Creates a grant, or extends the existing grant of the same giver when it ends earlier. Returns its id. */
export async function give(ctx: Context, giving: Giving): Promise<string> {
  const { target, appId, origin, start, deadline } = giving
  const [same] = (await livingGrants(ctx, [target.id], [appId])).filter((one) => one.parentId === origin.parentId)
  if (same) {
    if (!isBeyond(deadline, same.deadline))
      throw new AppError('refused', `${target.name}已开通“${giving.appName}”${same.deadline ? `，到 ${same.deadline}` : ''}`, {
        field: 'apps',
      })
    await changeGrant(ctx, same.id, same.version, { deadline })
    return same.id
  }
  const id = ctx.newId()
  await ctx.db
    .insertInto('appGrant')
    .values({
      id,
      groupId: target.id,
      appId,
      startDay: start,
      deadline,
      source: origin.parentId ? 'passed' : (giving.source ?? 'single'),
      byGroup: origin.byGroup,
      parentId: origin.parentId,
      contractNo: giving.contractNo ?? null,
      reason: giving.reason ?? '',
      batchId: giving.batchId ?? null,
      sort: giving.sort,
      createBy: ctx.user.name,
    })
    .execute()
  return id
}

async function changeGrant(
  ctx: Context,
  id: string,
  version: number,
  change: Partial<{
    deadline: string | null
    contractNo: string | null
    required: boolean
    visible: boolean
    sort: number
    revokedAt: Date
    revokeReason: string
  }>,
): Promise<void> {
  await changeRow(ctx, 'appGrant', {
    key: { id },
    where: { revokedAt: null },
    version,
    noun: '授权',
    by: ctx.user.name,
    values: { ...change },
  })
}

export const createGrant: HandlerOf<typeof contract.createGrant> = async ({ body }, ctx) => {
  requireGiver(ctx)
  const today = formatDay(ctx.clock.now())
  const target = found((await getTargets(ctx, [body.groupId])).get(body.groupId), '授权对象')
  const { all, added } = await withNeeded(ctx, target.id, body.apps)
  const apps = await getAvailable(ctx, all)
  const ids: string[] = []
  for (const appId of all) {
    const app = found(apps.get(appId), '应用')
    if (!app.groupTypes.includes(target.type))
      throw new AppError('refused', `“${app.name}”不提供给${kindOf(target.type)}`, { field: 'apps' })
    const origin = await originOf(ctx, appId, body.apps.includes(appId) ? body.parentGrantId : undefined)
    if ('why' in origin) throw new AppError('refused', `“${app.name}”：${origin.why}`, { field: 'apps' })
    const start = laterOf(body.start ?? today, origin.start)
    const fault = spanFault({ start, deadline: body.deadline }, today)
    if (fault) throw new AppError('invalidInput', fault, { field: 'deadline' })
    const deadline = body.apps.includes(appId) ? body.deadline : earlier(body.deadline, origin.deadline)
    if (isBeyond(deadline, origin.deadline))
      throw new AppError('refused', `“${app.name}”本组到 ${origin.deadline} 为止，下发的期限不能更长`, { field: 'deadline' })
    ids.push(
      await give(ctx, {
        target,
        appId,
        appName: app.name,
        origin,
        start,
        deadline,
        contractNo: body.contractNo,
        reason: body.reason,
        sort: app.sort,
      }),
    )
  }
  const names = all.map((id) => apps.get(id)?.name ?? '')
  ctx.note(
    `${ctx.group.type === groupTypes.platform ? '授权' : '下发'} ${target.name}：${names.join('、')}，至 ${body.deadline ?? '长期'}`,
    ids[0],
  )
  return { ids, added: added.map((id) => apps.get(id)?.name ?? '') }
}

const laterOf = (a: string, b: string | null): string => (b !== null && b > a ? b : a)
const kindOf = (type: number): string => (type === groupTypes.government ? '监管机构' : type === groupTypes.corporation ? '企业' : '项目')

/** Returns a visible, unrevoked grant for a change. */
export async function getLiving(ctx: Context, id: string) {
  const grant = await ctx.db.selectFrom('appGrant').selectAll().where('id', '=', id).where('revokedAt', 'is', null).executeTakeFirst()
  return found(grant, '授权')
}

export const updateGrant: HandlerOf<typeof contract.updateGrant> = async ({ params, body }, ctx) => {
  const grant = await getLiving(ctx, params.id)
  const { deadline, contractNo, required, visible, sort, range, rangeVersion, reason, version } = body
  const decides = deadline !== undefined || contractNo !== undefined || required !== undefined
  if (decides && !mayChange(ctx, grant.byGroup))
    throw new AppError('forbidden', '授权由给出它的机构修改，您不能改动期限', { field: 'deadline' })
  const arranges = visible !== undefined || sort !== undefined
  if (arranges && (grant.groupId !== ctx.group.id || !ctx.codes.has('app.order')))
    throw new AppError('forbidden', '应用的排列由使用它的项目自己决定')
  if (visible === false && grant.required) throw new AppError('refused', '这是监管要求的必须应用，不能隐藏', { field: 'visible' })
  const shortened = deadline === undefined ? 0 : await requireInside(ctx, grant, deadline)
  if (range) await saveRange(ctx, grant, range, rangeVersion ?? null)
  if (decides || arranges) await changeGrant(ctx, grant.id, version, { deadline, contractNo, required, visible, sort })
  const words = [
    ...(deadline === undefined ? [] : [`期限 ${grant.deadline ?? '长期'} → ${deadline ?? '长期'}`]),
    ...(required === undefined ? [] : [required ? '设为必须' : '取消必须']),
    ...(visible === undefined ? [] : [visible ? '显示' : '隐藏']),
    ...(range ? ['授权范围'] : []),
    ...(reason ? [reason] : []),
  ]
  ctx.note(`修改 ${await namesOf(ctx, grant.id)}：${words.join('，')}`, grant.id)
  return { shortened }
}

/**
 * Checks that a new end is valid and not later than that of the grant it was passed on from. Returns how many grants passed on from this
 * one are shortened with it.
 */
async function requireInside(ctx: Context, grant: Row<'appGrant'>, deadline: string | null): Promise<number> {
  const today = formatDay(ctx.clock.now())
  const fault = spanFault({ start: grant.startDay, deadline }, today)
  if (fault) throw new AppError('invalidInput', fault, { field: 'deadline' })
  if (grant.parentId) {
    const parent = found(
      await ctx.db.selectFrom('appGrant').select(['deadline', 'revokedAt']).where('id', '=', grant.parentId).executeTakeFirst(),
      '上级授权',
    )
    if (isBeyond(deadline, parent.deadline))
      throw new AppError('refused', `上级授权到 ${parent.deadline} 为止，下发的期限不能更长`, { field: 'deadline' })
  }
  const { rows } = await sql<{ n: number }>`
    with recursive below as (
      select id, deadline from app_grant where parent_id = ${grant.id} and revoked_at is null
      union all select g.id, g.deadline from app_grant g join below b on g.parent_id = b.id where g.revoked_at is null)
    select count(*)::int as n from below where ${deadline}::date is not null and (deadline is null or deadline > ${deadline}::date)`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

/** Names of group and app for the audit log. */
async function namesOf(ctx: Pick<Context, 'system'>, id: string): Promise<string> {
  const named = await ctx.system
    .selectFrom('appGrant as g')
    .innerJoin('tenant as t', 't.id', 'g.groupId')
    .innerJoin('app as a', 'a.id', 'g.appId')
    .select(['t.name as groupName', 'a.name as appName'])
    .where('g.id', '=', id)
    .executeTakeFirst()
  return `${named?.groupName ?? ''} 的应用授权 ${named?.appName ?? ''}`
}

export const revokeGrant: HandlerOf<typeof contract.revokeGrant> = async ({ params, query }, ctx) => {
  const grant = await getLiving(ctx, params.id)
  if (!mayRevoke(ctx, grant.byGroup)) throw new AppError('forbidden', '授权由给出它的机构撤销')
  const { rows } = await sql<{ n: number }>`
    with recursive below as (
      select id from app_grant where id = ${grant.id}
      union all select g.id from app_grant g join below b on g.parent_id = b.id where g.revoked_at is null)
    select count(*)::int as n from below`.execute(ctx.db)
  await changeGrant(ctx, grant.id, grant.version, { revokedAt: new Date(ctx.clock.now()), revokeReason: query.reason })
  ctx.note(`撤销 ${await namesOf(ctx, grant.id)}：${query.reason}`, grant.id)
  return { revoked: rows[0]?.n ?? 1 }
}

export const mayRevoke = (ctx: Pick<Context, 'group' | 'codes'>, byGroup: string | null): boolean =>
  ctx.group.type === groupTypes.platform ? ctx.codes.has('grant.revoke') : byGroup === ctx.group.id && ctx.codes.has('grant.pass')
