import { AppError } from '@zhugong/contract/kit/errors'
import { openingStates } from '@zhugong/contract/onboarding/openings'
import { sql } from 'kysely'
import { withRightsOf } from '#kit/background'
import type { Clock } from '#kit/clock'
import { type Context, requireCode } from '#kit/context'
import { type Database, isConnectionLoss, type Row } from '#kit/db'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import { auditRecorder, principalLater } from '../../access/public.ts'
import { checkLines } from './check.ts'
import { knownOf } from './known.ts'
import { openRow } from './open-row.ts'
import { lineOf, openerOf, requireOpener } from './rows.ts'

export const openingQueue = 'opening'

export interface OpeningDependencies {
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
}
type One = Row<'opening'>

/**
 * Opens the rows of a confirmed workbook, each in its own transaction with a row lock. So a killed or concurrent run opens nothing twice
 * and leaves no partial rows. Throws only when the database is unavailable; the job is then retried.
 */
export async function runOpening(deps: OpeningDependencies, id: string): Promise<void> {
  const db = deps.database.kysely
  const one = await db.selectFrom('opening').selectAll().where('id', '=', id).executeTakeFirst()
  if (one?.state !== openingStates.running) return
  const rows = await db
    .selectFrom('openingRow')
    .select('rowNo')
    .where('openingId', '=', id)
    .where('state', '=', 'ready')
    .orderBy('rowNo')
    .execute()
  for (const { rowNo } of rows)
    try {
      await inRights(deps, one, (ctx) => openOne(ctx, one, rowNo))
    } catch (error) {
      if (isConnectionLoss(error)) throw error
      const isReported = error instanceof AppError
      if (!isReported) deps.log.error({ err: error, openingId: id, rowNo }, 'a row was not opened')
      const message = isReported ? error.message : '这一行没有开通成功，请重试'
      await db
        .updateTable('openingRow')
        .set({ state: 'failed', message })
        .where('openingId', '=', id)
        .where('rowNo', '=', rowNo)
        .where('state', '=', 'ready')
        .execute()
    }
  await sql`
    update opening o set state = case when c.others = 0 then ${openingStates.done} else ${openingStates.partly} end, update_time = ${new Date(deps.clock.now())},
      version = version + 1
    from (select count(*) filter (where state <> 'done')::int as others, count(*) filter (where state = 'ready')::int as open
      from opening_row where opening_id = ${id}) c
    where o.id = ${id} and o.state = ${openingStates.running} and c.open = 0`.execute(db)
}

async function openOne(ctx: Context, one: One, rowNo: number): Promise<void> {
  // Serialises all openings: codes are sequential, and a site depends on the groups above it.
  await sql`select pg_advisory_xact_lock(hashtextextended('opening', 0))`.execute(ctx.db)
  const row = await ctx.db
    .selectFrom('openingRow')
    .selectAll()
    .where('openingId', '=', one.id)
    .where('rowNo', '=', rowNo)
    .where('state', '=', 'ready')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return
  // Checks the row again: other rows it depends on may exist by now.
  const lines = [lineOf(ctx, row)]
  const checked = checkLines(lines, await knownOf(ctx, lines), openerOf(ctx, one.kind)).at(-1)
  if (!checked?.wish) throw new AppError('refused', checked?.issues.map(({ text }) => text).join('；') ?? '内容有误')
  const { code, linkId } = await openRow(ctx, checked.wish, { openingId: one.id, packages: one.packages, linkDays: one.linkDays })
  await ctx.db
    .updateTable('openingRow')
    .set({ state: 'done', message: '', code, linkId })
    .where('openingId', '=', one.id)
    .where('rowNo', '=', rowNo)
    .execute()
  await auditRecorder(ctx.clock)(ctx.db, {
    principal: ctx.principal,
    action: 'PUT /api/v1/oa/opening/:id',
    summary: `按表开通 ${row.name}`,
    objectId: code,
    projectCode: checked.wish.is === 'site' ? code : null,
    ip: '',
  })
}

/** Runs work in one transaction with the current rights of the user who confirmed the file. */
async function inRights<T>(deps: OpeningDependencies, one: One, work: (ctx: Context) => Promise<T>): Promise<T> {
  const principal = await principalLater(deps, { userId: one.createBy, groupId: one.groupId, projectCode: '*' }, ['adminGrant.edit'])
  requireCode(principal, 'adminGrant.edit')
  return withRightsOf({ ...deps, db: deps.database.kysely }, principal, async (ctx) => {
    requireOpener(ctx, one)
    return work(ctx)
  })
}

/** Openings that were unfinished when a process ended, to be started again. */
export async function openOpenings({ database }: Pick<OpeningDependencies, 'database'>): Promise<string[]> {
  const rows = await database.kysely.selectFrom('opening').select('id').where('state', '=', openingStates.running).execute()
  return rows.map((row) => row.id)
}
