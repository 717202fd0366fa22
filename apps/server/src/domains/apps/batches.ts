import { dayAfter, isBeyond, monthsAfter, mostCells, undoHours } from '@zhugong/contract/apps/codes'
import type * as contract from '@zhugong/contract/apps/grant-endpoints'
import { cell as cellSchema } from '@zhugong/contract/apps/grant-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { getAvailable } from './apps.ts'
import { getPackage } from './defaults.ts'
import { mayChange } from './grant-rows.ts'
import { getTargets, give, livingGrants, originOf, requireGiver, spanFault, type Target } from './grants.ts'

type Cell = contract.BatchCell
type Grant = Row<'appGrant'>

/** Sets the ends of many grants, each limited by the end of its giver's own grant. Without `exact`, a grant is never shortened. */
export const batchDeadline: HandlerOf<typeof contract.batchDeadline> = async ({ body }, ctx) => {
  const { rows } = await sql<Grant & { groupName: string; appName: string; limit: string | null }>`
    select g.*, b.name as group_name, a.name as app_name, p.deadline as limit from app_grant g join zg_branch() b on b.id = g.group_id
      join app a on a.id = g.app_id left join app_grant p on p.id = g.parent_id
    where g.id = any (${body.ids}) and g.revoked_at is null order by b.name, a.sort`.execute(ctx.db)
  if (rows.length !== new Set(body.ids).size) throw new AppError('notFound', '授权不存在或不在您的管辖范围内', { field: 'ids' })
  const today = formatDay(ctx.clock.now())
  const cells: Cell[] = []
  for (const grant of rows) {
    const after =
      body.months === undefined ? (body.deadline ?? null) : grant.deadline && monthsAfter(laterDay(grant.deadline, today), body.months)
    const why = whyNot(ctx, grant, after, today)
    const later = isBeyond(after, grant.deadline)
    const result = why ? 'not' : later ? 'extend' : body.exact && isBeyond(grant.deadline, after) ? 'shorten' : 'same'
    const changes = result === 'extend' || result === 'shorten'
    cells.push(
      rowOf(cellSchema, grant, {
        result,
        before: grant.deadline,
        after: changes ? after : grant.deadline,
        why: why ?? (result === 'same' ? (body.exact ? '已在该日到期' : '不会缩短') : ''),
      }),
    )
    if (!body.dryRun && changes) await setEnd(ctx, grant, after)
  }
  const moved = rows.filter((_grant, i) => cells[i]?.result === 'extend' || cells[i]?.result === 'shorten').map((grant) => grant.id)
  if (!body.dryRun)
    ctx.note(`批量设置授权期限：延期 ${countOf(cells, 'extend')}，缩短 ${countOf(cells, 'shorten')}`, moved.length ? moved : undefined)
  return { cells, batchId: null }
}

const laterDay = (a: string, b: string): string => (a > b ? a : b)

function whyNot(ctx: Context, grant: Grant & { limit: string | null }, after: string | null, today: string): string | undefined {
  if (!mayChange(ctx, grant.byGroup)) return '由其他机构授权'
  const fault = spanFault({ start: grant.startDay, deadline: after }, today)
  if (fault) return fault
  return grant.parentId && isBeyond(after, grant.limit) ? `上级授权到 ${grant.limit} 为止` : undefined
}

async function setEnd(ctx: Context, grant: Pick<Grant, 'id' | 'version'>, deadline: string | null): Promise<void> {
  await changeRow(ctx, 'appGrant', { key: { id: grant.id }, version: grant.version, noun: '授权', by: ctx.user.name, values: { deadline } })
}

/** Grants apps to many groups in one transaction, so that other readers see all changes or none. */
export const batchApps: HandlerOf<typeof contract.batchApps> = async ({ body }, ctx) => {
  if (body.mode === 'undo') return undo(ctx, body.batchId, body.dryRun)
  const targets = await getTargets(ctx, body.ids ?? [])
  const pack = body.packageId ? await getPackage(ctx, body.packageId) : undefined
  const appIds = pack?.appIds ?? body.apps ?? []
  if (targets.size === 0) throw new AppError('invalidInput', '请选择授权对象', { field: 'ids' })
  if (appIds.length === 0) throw new AppError('invalidInput', '请选择应用', { field: 'apps' })
  if (targets.size * appIds.length > mostCells)
    throw new AppError('invalidInput', `一次最多 ${mostCells} 格（对象 × 应用），请分批`, { field: 'ids' })
  return body.mode === 'remove' ? removeFrom(ctx, targets, appIds, body) : addTo(ctx, targets, appIds, { ...body, pack })
}

interface Wished {
  deadline: string | null
  reason: string
  dryRun: boolean
  pack?: Row<'appPackage'> | undefined
}

async function addTo(ctx: Context, targets: ReadonlyMap<string, Target>, appIds: readonly string[], wished: Wished) {
  requireGiver(ctx)
  const today = formatDay(ctx.clock.now())
  const { pack } = wished
  if (pack && ctx.group.type !== groupTypes.platform) throw new AppError('forbidden', '方案由平台套用')
  const apps = await getAvailable(ctx, appIds)
  const deadline = pack ? (pack.days === null ? null : dayAfter(today, pack.days - 1)) : wished.deadline
  const fault = spanFault({ start: today, deadline }, today)
  if (fault) throw new AppError('invalidInput', fault, { field: 'deadline' })
  const existing = Map.groupBy(await livingGrants(ctx, [...targets.keys()], appIds), (grant) => `${grant.groupId} ${grant.appId}`)
  const batchId = wished.dryRun ? null : ctx.newId()
  const cells: Cell[] = []
  for (const appId of appIds) {
    const app = found(apps.get(appId), '应用')
    const origin = await originOf(ctx, appId)
    for (const target of targets.values()) {
      const there = existing.get(`${target.id} ${appId}`) ?? []
      const same = 'why' in origin ? undefined : there.find((grant) => grant.parentId === origin.parentId)
      const cell = { groupId: target.id, groupName: target.name, appId, appName: app.name, before: same?.deadline ?? null }
      const wrongKind = app.groupTypes.includes(target.type) && (!pack || pack.groupType === target.type) ? undefined : '不提供给此类机构'
      const why = 'why' in origin ? origin.why : isBeyond(deadline, origin.deadline) ? `本组到 ${origin.deadline} 为止` : wrongKind
      if (why || 'why' in origin) cells.push({ ...cell, result: 'not', after: cell.before, why: why ?? '' })
      else if (same && !isBeyond(deadline, same.deadline))
        cells.push({ ...cell, result: 'same', after: same.deadline, why: '已有，且不早于所选到期日' })
      else {
        cells.push({ ...cell, result: same ? 'extend' : 'add', after: deadline, why: '' })
        if (batchId)
          await give(ctx, {
            target,
            appId,
            appName: app.name,
            origin,
            start: origin.start !== null && origin.start > today ? origin.start : today,
            deadline,
            source: pack ? 'scheme' : 'single',
            reason: wished.reason,
            batchId,
            sort: app.sort,
          })
      }
    }
  }
  if (batchId && pack)
    await notePackage(
      ctx,
      pack.id,
      [...targets.values()].filter((one) => one.type === pack.groupType),
    )
  if (batchId) ctx.note(`批量授权：新增 ${countOf(cells, 'add')}，延期 ${countOf(cells, 'extend')}，不可 ${countOf(cells, 'not')}`, batchId)
  return { cells, batchId }
}

/** Grants the apps of a package to a new group, instead of the default package of its type. Required apps are kept. */
export async function applyPackage(ctx: Context, packageId: string, groupId: string): Promise<void> {
  const pack = await getPackage(ctx, packageId)
  await ctx.db.deleteFrom('appGrant').where('groupId', '=', groupId).where('source', '=', 'default').where('required', '=', false).execute()
  await addTo(ctx, await getTargets(ctx, [groupId]), pack.appIds, { deadline: null, reason: '开通时套用方案', dryRun: false, pack })
}

const countOf = (cells: readonly Cell[], result: Cell['result']): number => cells.filter((cell) => cell.result === result).length

async function notePackage(ctx: Context, packageId: string, targets: readonly Target[]): Promise<void> {
  for (const target of targets)
    await ctx.db
      .insertInto('appPackageUse')
      .values({ packageId, groupId: target.id, appliedBy: ctx.user.name })
      .onConflict((conflict) =>
        conflict.columns(['packageId', 'groupId']).doUpdateSet({ appliedAt: new Date(ctx.clock.now()), appliedBy: ctx.user.name }),
      )
      .execute()
}

async function removeFrom(ctx: Context, targets: ReadonlyMap<string, Target>, appIds: readonly string[], { reason, dryRun }: Wished) {
  if (!dryRun && !reason) throw new AppError('invalidInput', '请填写撤销的原因', { field: 'reason' })
  const apps = await ctx.db
    .selectFrom('app')
    .select(['id', 'name'])
    .where('id', 'in', [...appIds])
    .execute()
  const names = new Map(apps.map((app) => [app.id, app.name]))
  const grants = await ctx.db
    .selectFrom('appGrant')
    .selectAll()
    .where('groupId', 'in', [...targets.keys()])
    .where('appId', 'in', [...appIds])
    .where('revokedAt', 'is', null)
    .execute()
  const cells = grants.map((grant): Cell => {
    const may = ctx.group.type === groupTypes.platform ? ctx.codes.has('grant.revoke') : grant.byGroup === ctx.group.id
    return {
      groupId: grant.groupId,
      groupName: targets.get(grant.groupId)?.name ?? '',
      appId: grant.appId,
      appName: names.get(grant.appId) ?? '',
      result: may ? 'remove' : 'not',
      before: grant.deadline,
      after: null,
      why: may ? '' : '由其他机构授权',
    }
  })
  if (dryRun) return { cells, batchId: null }
  const mine = grants.filter((_grant, i) => cells[i]?.result === 'remove').map((grant) => grant.id)
  await takeBack(ctx, mine, reason)
  ctx.note(`批量撤销授权 ${mine.length} 条：${reason}`, mine.length ? mine : undefined)
  return { cells, batchId: null }
}

const takeBack = (ctx: Context, ids: readonly string[], reason: string) =>
  sql`update app_grant set revoked_at = ${new Date(ctx.clock.now())}, revoke_reason = ${reason}, update_by = ${ctx.user.name}, version = version + 1
    where id = any (${[...ids]}) and revoked_at is null`.execute(ctx.db)

/** Revokes the grants that a batch added; grants that it extended keep their new end. */
async function undo(ctx: Context, batchId: string | undefined, dryRun: boolean) {
  if (!batchId) throw new AppError('invalidInput', '请指明要撤回的批次', { field: 'batchId' })
  const { rows } = await sql<Grant & { groupName: string; appName: string; mine: boolean; fresh: boolean }>`
    select g.*, b.name as group_name, a.name as app_name, g.by_group = ${ctx.group.id} as mine,
      g.create_time > ${new Date(ctx.clock.now() - undoHours * 3_600_000)} as fresh
    from app_grant g join zg_branch() b on b.id = g.group_id join app a on a.id = g.app_id
    where g.batch_id = ${batchId} and g.revoked_at is null order by b.name, a.sort`.execute(ctx.db)
  const own = rows.filter((row) => row.mine)
  if (own.length === 0) throw new AppError('notFound', '批次不存在或已撤回', { field: 'batchId' })
  if (own.some((row) => !row.fresh)) throw new AppError('refused', `批次只在 ${undoHours} 小时内可以撤回`)
  if (!dryRun)
    await takeBack(
      ctx,
      own.map((row) => row.id),
      '撤回批量授权',
    )
  if (!dryRun) ctx.note(`撤回批量授权 ${own.length} 条`, batchId)
  const cells = own.map(
    (row): Cell =>
      rowOf(cellSchema, row, {
        result: 'remove',
        before: row.deadline,
        after: null,
        why: '',
      }),
  )
  return { cells, batchId }
}
