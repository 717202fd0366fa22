import { AppError } from '@zhugong/contract/kit/errors'
import { openingStates } from '@zhugong/contract/onboarding/openings'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import { type Context, requireCode } from '#kit/context'
import { type Database, inScope, isConnectionLoss, type Row, type Tx, widenScope } from '#kit/db'
import { newId } from '#kit/ids'
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
 * Opens what a confirmed workbook asks for, row by row, each in a transaction of its own that holds the row: whoever is killed, or runs
 * beside another, opens nothing twice and leaves nothing half-written. Throws only when the database is away: then it is asked again.
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
      const isTold = error instanceof AppError
      if (!isTold) deps.log.error({ err: error, openingId: id, rowNo }, 'a row was not opened')
      const message = isTold ? error.message : '这一行没有开通成功，请重试'
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
  // One row of anybody's at a time: codes are counted up, and a site leans on the groups above it.
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
  // What it leans on of other rows is there by now, or it is not: looked through anew with the world as it is.
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

/** In one transaction with the rights whoever confirmed the file has now. */
async function inRights<T>(deps: OpeningDependencies, one: One, work: (ctx: Context) => Promise<T>): Promise<T> {
  const principal = await principalLater(deps, { userId: one.createBy, groupId: one.groupId, projectCode: '*' }, ['adminGrant.edit'])
  requireCode(principal, 'adminGrant.edit')
  const { database, clock, secrets, log } = deps
  const { scope } = principal
  return inScope(database.kysely, scope, async (tx: Tx) => {
    const ctx: Context = {
      db: tx,
      principal,
      user: principal.user,
      group: principal.group,
      scope,
      codes: principal.codes,
      projectCode: '*',
      scopeChecks: true,
      clock,
      secrets,
      log,
      system: database.kysely,
      newId: () => newId(clock.now()),
      ip: '',
      afterCommit: () => undefined,
      widenTo: (projectCode) => widenScope(tx, [...scope.projects, projectCode]),
      note: () => undefined,
      later: () => Promise.reject(new Error('an opening is one transaction')),
      gone: new AbortController().signal,
      upload: () => Promise.reject(new Error('an opening has its file')),
    }
    requireOpener(ctx, one)
    return work(ctx)
  })
}

/** What was not finished when a process ended, to be begun again. */
export async function openOpenings({ database }: Pick<OpeningDependencies, 'database'>): Promise<string[]> {
  const rows = await database.kysely.selectFrom('opening').select('id').where('state', '=', openingStates.running).execute()
  return rows.map((row) => row.id)
}
