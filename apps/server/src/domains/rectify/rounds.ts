import type { RectifyRound } from '@zhugong/contract/rectify/calls'
import type { ReplyState } from '@zhugong/contract/rectify/reply-model'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import type { Notice } from './notice.ts'

/** What the authority adds when it writes down a reply from paper. */
interface FromPaper {
  reason: string
  scans: readonly string[]
  /** The sheet that 监理 signed; empty when it has not. */
  reviewSheet: readonly string[]
}
/** 监理 on the paper: its name stands on the scan. */
const onPaper = '纸质签认'

/** Stores that the open problems were answered in the round that begins with the notice's returns. */
export async function openRound(
  ctx: Context,
  row: Notice,
  { lines, opinion, to, paper }: { lines: number; opinion: string; to: '4' | '5'; paper?: FromPaper },
): Promise<void> {
  const at = new Date(ctx.clock.now())
  const scans = paper ? await keptFiles(ctx, fileIdsOf(paper.scans), [], 'scans') : []
  const reviewSheet = paper ? await keptFiles(ctx, fileIdsOf(paper.reviewSheet), [], 'reviewSheet') : []
  const isSigned = reviewSheet.length > 0
  await ctx.db
    .insertInto('rectifyReply')
    .values({
      rectifyId: row.id,
      round: row.returns + 1,
      ...pick(row, 'projectCode', 'corpCode', 'groups', 'origin'),
      shownAt: at,
      lines,
      at,
      byId: ctx.user.id,
      byName: ctx.user.name,
      groupName: ctx.group.name,
      opinion: opinion || null,
      onBehalf: paper !== undefined,
      reason: paper?.reason ?? null,
      scans,
      reviewSheet,
      state: to === '4' ? 'review' : 'recheck',
      since: at,
      ...(isSigned ? { reviewPassed: true, reviewBy: onPaper, reviewAt: at } : {}),
    })
    .execute()
}

/** Writes a verdict into the newest round; `row` is the notice before its returns are counted. */
async function decide(ctx: Context, row: Notice, state: ReplyState, values: Partial<Row<'rectifyReply'>>): Promise<void> {
  await ctx.db
    .updateTable('rectifyReply')
    .set({ ...values, state, since: new Date(ctx.clock.now()) })
    .where('rectifyId', '=', row.id)
    .where('round', '=', row.returns + 1)
    .execute()
}

/** The verdict of 监理 on the newest round. */
export const reviewRound = (ctx: Context, row: Notice, passed: boolean): Promise<void> =>
  decide(ctx, row, passed ? 'recheck' : 'returned', {
    reviewPassed: passed,
    reviewBy: ctx.user.name,
    reviewAt: new Date(ctx.clock.now()),
  })

/** The issuer's verdict on the newest round. */
export const recheckRound = (
  ctx: Context,
  row: Notice,
  { passed, second, onSite }: { passed: boolean; second: string | null; onSite: boolean | null },
): Promise<void> =>
  decide(ctx, row, passed ? 'passed' : 'returned', {
    recheckPassed: passed,
    recheckBy: ctx.user.name,
    recheckGroup: ctx.group.id,
    recheckAt: new Date(ctx.clock.now()),
    second,
    onSite,
  })

/** The rounds of a notice, the oldest first. */
export async function roundsOf(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, id: string): Promise<RectifyRound[]> {
  const { rows } = await sql<Row<'rectifyReply'>>`select * from rectify_reply where rectify_id = ${id} order by round`.execute(ctx.db)
  return rows.map((r) => ({
    ...pick(
      r,
      'round',
      'byName',
      'groupName',
      'opinion',
      'onBehalf',
      'reason',
      'reviewPassed',
      'reviewBy',
      'recheckPassed',
      'recheckBy',
      'second',
      'onSite',
    ),
    at: formatInstant(r.at),
    scans: linksOf(ctx, r.scans),
    reviewSheet: linksOf(ctx, r.reviewSheet),
    reviewAt: r.reviewAt && formatInstant(r.reviewAt),
    recheckAt: r.recheckAt && formatInstant(r.recheckAt),
  }))
}

/** Who sent the newest round. */
export async function lastReplier(ctx: Pick<Context, 'db'>, id: string): Promise<string | undefined> {
  const { rows } = await sql<{
    byName: string
  }>`select by_name from rectify_reply where rectify_id = ${id} order by round desc limit 1`.execute(ctx.db)
  return rows[0]?.byName
}

/** How often the issuer rechecked in vain. */
export async function failuresOf(ctx: Pick<Context, 'db'>, id: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from rectify_reply where rectify_id = ${id} and not recheck_passed`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
