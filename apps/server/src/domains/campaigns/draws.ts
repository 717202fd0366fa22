import type { verifyCampaignDraw } from '@zhugong/contract/campaigns/calls'
import type { DrawFile } from '@zhugong/contract/draw/file'
import type { DrawnQuota } from '@zhugong/contract/draw/lots'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { drawRun, fileOf, freezeList } from '../draw/public.ts'
import type { Outcome } from '../process/public.ts'
import { type Campaign, campaignKind } from './kind.ts'
import { readOwn } from './own.ts'
import { fits, poolFor, quotaLabel, quotasOf } from './pool.ts'
import { dropTasks, insertTasks } from './tasks.ts'

const shortestReason = 5

export const runsOf = async (ctx: Pick<Context, 'db'>, campaignId: string): Promise<Row<'campaignRun'>[]> => {
  const { rows } = await sql<Row<'campaignRun'>>`select * from campaign_run where campaign_id = ${campaignId} order by run`.execute(ctx.db)
  return rows
}

/** Name of a quota's class in the frozen list: its number makes it unique. */
const className = (seq: number, label: string): string => `${seq + 1} ${label}`

/**
 * Freezes what can be drawn now; only then the seed is made. A further run needs a reason and another list than the run before: with the
 * same list it could only be for the result.
 * @throws AppError `refused`
 */
export async function freezePool(ctx: Context, row: Campaign, reason: string | null): Promise<Outcome<Campaign>> {
  const before = (await runsOf(ctx, row.id)).at(-1)
  if (before && before.drawnAt === null) throw new AppError('refused', `第 ${before.run} 次名单已冻结，请先抽取`)
  if (before && (!reason || reason.length < shortestReason))
    throw new AppError('invalidInput', `请写明重抽原因，至少 ${shortestReason} 个字`, { field: 'reason' })
  const { quotas } = await quotasOf(ctx, row.id)
  const { lots, leftOut } = await poolFor(ctx, row.id)
  const classes = quotas.map((one) => ({ name: className(one.seq, quotaLabel(one)), seats: one.seats, quota: one }))
  for (const { name, seats, quota } of classes) {
    const n = lots.filter((lot) => fits(quota, lot)).length
    if (n < seats) throw new AppError('refused', `名额“${name}”要 ${seats} 个，候选只有 ${n} 个`)
  }
  const id = ctx.newId()
  const { listHash, commitment } = await freezeList(ctx, {
    kind: campaignKind.kind,
    objectId: id,
    audience: [ctx.group.id],
    list: {
      lots: lots.map((lot) => ({
        key: lot.projectCode,
        classes: classes.filter(({ quota }) => fits(quota, lot)).map(({ name }) => name),
        unit: '',
      })),
      quotas: classes.map(({ name, seats }) => ({ name, seats })),
      perUnit: null,
    },
  })
  if (before?.listHash === listHash)
    throw new AppError('refused', `候选名单和名额与第 ${before.run} 次相同，不能重抽：抽取结果以第 ${before.run} 次为准`)
  const run = (before?.run ?? 0) + 1
  await ctx.db
    .insertInto('campaignRun')
    .values({
      id,
      campaignId: row.id,
      run,
      organiserGroup: ctx.group.id,
      reason: before ? reason : null,
      candidates: lots.length,
      listHash,
      commitment,
      frozenAt: new Date(ctx.clock.now()),
      frozenName: ctx.user.name,
      drawnAt: null,
    })
    .execute()
  if (leftOut.length > 0)
    await ctx.db
      .insertInto('campaignLeftOut')
      .values(leftOut.map((one) => ({ runId: id, ...one })))
      .execute()
  const opinion = `第 ${run} 次，候选 ${lots.length} 个，未入池 ${leftOut.length} 个，名单 ${listHash}，承诺 ${commitment}`
  return { opinion: before ? `${opinion}；重抽原因：${reason}` : opinion }
}

interface Witness {
  name: string
  digits: string
}

/** Draws from the frozen list; what an earlier run drew leaves the campaign, and stays in its records. */
export async function drawProjects(ctx: Context, row: Campaign, witnesses: readonly Witness[]): Promise<Outcome<Campaign>> {
  const run = (await runsOf(ctx, row.id)).at(-1)
  if (!run) throw new AppError('refused', '请先冻结候选名单')
  if (run.drawnAt) throw new AppError('refused', `第 ${run.run} 次已经抽取，不能再次抽取`)
  const drawn = await drawRun(ctx, {
    kind: campaignKind.kind,
    objectId: run.id,
    groups: [ctx.group.id],
    shownAt: null,
    witnesses,
  })
  await dropTasks(ctx, row.id, sql`source <> 'named'`, `第 ${run.run} 次抽取取代`)
  await insertTasks(
    ctx,
    row,
    drawn.flatMap(({ seats }, quotaSeq) =>
      seats.map((projectCode, at) => ({ projectCode, source: 'drawn' as const, runId: run.id, quotaSeq, rank: at + 1, reason: null })),
    ),
  )
  await sql`update campaign_run set drawn_at = ${new Date(ctx.clock.now())}, witnesses = ${witnesses.map((one) => one.name)}
    where id = ${run.id}`.execute(ctx.db)
  return { opinion: `第 ${run.run} 次；${witnesses.map((one) => `${one.name} ${one.digits}`).join('，')}` }
}

/** The drawn order of a run's quota: seats, then the reserve. */
export async function orderOf(ctx: Pick<Context, 'db'>, runId: string, quotaSeq: number): Promise<{ seats: number; order: string[] }> {
  const { file } = await fileOf(ctx, campaignKind.kind, runId)
  const drawn = found(file.result?.[quotaSeq], '抽取结果')
  return { seats: drawn.seats.length, order: [...drawn.seats, ...drawn.reserve] }
}

export const verify: HandlerOf<typeof verifyCampaignDraw> = async ({ params: { id }, query }, ctx) => {
  const row = await readOwn(ctx, id)
  const run = found(
    (await runsOf(ctx, row.id)).find((one) => one.run === query.run),
    '抽取',
  )
  const { file, agrees, chain } = await fileOf(ctx, campaignKind.kind, run.id)
  return { file, agrees: agrees && (await standsAsDrawn(ctx, run, file)), chain }
}

/** The lines of the campaign are those of the run: its seats, and replacements in the order of the reserve. */
async function standsAsDrawn(ctx: Pick<Context, 'db'>, run: Row<'campaignRun'>, file: DrawFile): Promise<boolean> {
  type Line = Pick<Row<'campaignProject'>, 'projectCode' | 'quotaSeq' | 'rank' | 'source'>
  const { rows } = await sql<Line>`select project_code, quota_seq, rank, source from campaign_project where run_id = ${run.id}`.execute(
    ctx.db,
  )
  if (run.listHash !== file.listHash || run.commitment !== file.commitment) return false
  if (!file.result) return rows.length === 0
  return file.result.every((drawn: DrawnQuota, quotaSeq) => {
    const order = [...drawn.seats, ...drawn.reserve]
    const lines = rows.filter((one) => one.quotaSeq === quotaSeq).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    return (
      lines.length >= drawn.seats.length &&
      lines.every((one, at) => one.rank === at + 1 && order[at] === one.projectCode && (one.source === 'drawn') === at < drawn.seats.length)
    )
  })
}
