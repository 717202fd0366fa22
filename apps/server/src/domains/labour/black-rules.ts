import { AppError } from '@zhugong/contract/kit/errors'
import { appealDays, type BlackMove, blackMoves, repairMonths } from '@zhugong/contract/labour/black-codes'
import { addDays, formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { commonCalendar } from '../access/public.ts'
import { answerUntil, monthsAfter } from './black-days.ts'
import type { RawBlack } from './black-rows.ts'

/**
 * Whether the caller has the role for a step: the proposer submits and withdraws, the group above decides, the project or company
 * concerned appeals.
 */
export function isInHand(ctx: Pick<Context, 'group'>, entry: RawBlack, move: BlackMove): boolean {
  if (move === 'submit' || move === 'withdraw') return entry.groupId === ctx.group.id
  if (move === 'appeal') return entry.isFull && (ctx.group.type === groupTypes.corporation || ctx.group.type === groupTypes.project)
  return entry.mayDecide
}

export function requireHand(ctx: Pick<Context, 'group'>, entry: RawBlack, move: BlackMove): void {
  if (isInHand(ctx, entry, move)) return
  const who =
    move === 'submit' || move === 'withdraw'
      ? `只有提出单位（${entry.groupName}）可以${blackMoves[move].name}`
      : move === 'appeal'
        ? '只有当事人所在的单位或项目可以申诉'
        : entry.scope === '3'
          ? '地区级由该地区的监管机构认定'
          : '由本企业或项目所在地的监管机构认定'
  throw new AppError('forbidden', who)
}

/** Why a step is not possible yet although state and role allow it; undefined if it is. */
export async function hindrance(
  ctx: Pick<Context, 'db' | 'user' | 'clock'>,
  entry: RawBlack,
  move: BlackMove,
): Promise<string | undefined> {
  const today = formatDay(ctx.clock.now())
  if ((move === 'decide' || move === 'reject') && entry.submitBy === ctx.user.id) return '提出人不能认定自己提出的记录'
  if (move === 'decide') {
    const until = entry.notifiedTime ? answerUntil(entry.notifiedTime, await commonCalendar(ctx.db)) : null
    if (until && today <= until) return `告知当事人后须给予 5 个工作日申辩，${until} 之后才能认定`
    if (entry.endDate < today) return `移出日期 ${entry.endDate} 已过，请驳回后修改`
  }
  const decided = entry.decidedTime ? formatDay(entry.decidedTime) : today
  if (move === 'appeal' && today > addDays(decided, appealDays))
    return `申诉应在认定后 ${appealDays} 日内提出，已于 ${addDays(decided, appealDays)} 截止`
  if (move === 'repair' && today < monthsAfter(decided, repairMonths))
    return `列入满 ${repairMonths} 个月（${monthsAfter(decided, repairMonths)}）后才能信用修复`
  if (move === 'uphold' || move === 'cancel') {
    const last = await ctx.db
      .selectFrom('blackLog')
      .select('byUser')
      .where('entryId', '=', entry.id)
      .where('action', '=', 'appeal')
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (last?.byUser === ctx.user.id) return '申诉人不能裁决自己的申诉'
  }
  return undefined
}
