import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { importState } from '@zhugong/contract/personnel/import'
import type { Registration } from '@zhugong/contract/personnel/registration-model'
import { sql } from 'kysely'
import { actingScope } from '#kit/acts'
import type { AuditEntry } from '#kit/audit-entry'
import { withRightsOf } from '#kit/background'
import { type Clock, formatDay } from '#kit/clock'
import { type Context, requireCode } from '#kit/context'
import { type Database, isConnectionLoss } from '#kit/db'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import { auditRecorder, principalLater } from '../../access/public.ts'
import { askUnlisted, entrySources } from '../../labour/public.ts'
import { joinPerson, registerPerson } from '../register.ts'
import { checkRows, type Import, markTwins, openCells, type StoredRow } from './check.ts'
import { type Place, placeOf } from './facts.ts'
import { importFieldOf, readRow } from './reading.ts'
import { countRows } from './state.ts'

export const importQueue = 'people-import'
/** Rows checked in one transaction: about a second of one core. */
const checkedAtOnce = 500
/**
 * People registered in one transaction. Common data is read once per transaction, and one commit serves all. Other writers in the same
 * group wait for the audit rows, at most a tenth of a second.
 */
const registeredAtOnce = 25
/** Concurrent transactions: while one waits for the database, the other prepares its rows. */
const registeredBeside = 2
/** The progress is written after this many people. */
const reportedEvery = 100
/** Cells are kept this long after the import, for corrections and questions about the file. */
const keptMs = 30 * 86_400_000

export interface ImportDependencies {
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
}

/**
 * Runs one import to the next state that needs a user: checks its rows, or registers them. A person and the row's result are written in
 * one transaction. So a killed or concurrent run loses nobody and registers nobody twice. Throws only when the database is unavailable;
 * the job is then retried.
 */
export async function runImport(deps: ImportDependencies, importId: string): Promise<void> {
  const db = deps.database.kysely
  const one = await db.selectFrom('workerImport').selectAll().where('id', '=', importId).executeTakeFirst()
  if (!one) return
  try {
    if (one.state === importState.waiting || one.state === importState.checking) await checkAll(deps, one)
    else if (one.state === importState.running) await registerAll(deps, one)
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    const isReported = error instanceof AppError
    if (!isReported) deps.log.error({ err: error, importId }, 'import of people failed')
    const message = isReported ? error.message : '导入没有完成，请点“继续导入”；若仍失败请联系管理员'
    await db.updateTable('workerImport').set({ state: importState.failed, message }).where('id', '=', importId).execute()
  }
}

/** Runs work in one transaction with the rights of the user who uploaded the file. */
type InScope = <T>(work: (ctx: Context) => Promise<T>) => Promise<T>
async function scoped(deps: ImportDependencies, one: Import): Promise<InScope> {
  const needs = ['personnel.import', ...(one.projectCode ? ['labour.entry'] : [])]
  const whose = { userId: one.createBy, groupId: one.groupId, projectCode: one.projectCode ?? '*' }
  const principal = await principalLater(deps, whose, needs)
  for (const code of needs) requireCode(principal, code)
  const scope = actingScope(principal.scope, 'own')
  const background = { ...deps, db: deps.database.kysely }
  return (work) => withRightsOf(background, principal, work, scope)
}

async function checkAll(deps: ImportDependencies, one: Import): Promise<void> {
  const inOne = await scoped(deps, one)
  const db = deps.database.kysely
  await db.updateTable('workerImport').set({ state: importState.checking }).where('id', '=', one.id).execute()
  let after = 0
  for (;;) {
    const last = await inOne(async (ctx) => {
      const { rows } = await sql<StoredRow>`
        select * from worker_import_row where import_id = ${one.id} and row_no > ${after} and state <> 'done'
        order by row_no limit ${checkedAtOnce}`.execute(ctx.db)
      await checkRows(ctx, one, rows)
      return rows.at(-1)?.rowNo
    })
    if (last === undefined) break
    after = last
  }
  await inOne(async (ctx) => {
    await markTwins(ctx, one.id)
    const { error, duplicate } = await countRows(ctx.db, one.id)
    await ctx.db
      .updateTable('workerImport')
      .set({ state: error + duplicate > 0 ? importState.faulty : importState.ready, updateTime: new Date(ctx.clock.now()) })
      .where('id', '=', one.id)
      .where('state', '=', importState.checking)
      .execute()
  })
}

async function registerAll(deps: ImportDependencies, one: Import): Promise<void> {
  const inOne = await scoped(deps, one)
  const { rows } = await sql<{ rowNo: number }>`
    select row_no from worker_import_row where import_id = ${one.id} and state in ('ok', 'warning') order by row_no`.execute(
    deps.database.kysely,
  )
  // Names are read once; the registration itself checks for each person that company and team still exist.
  const place = one.projectCode ? await inOne((ctx) => placeOf(ctx, one.projectCode ?? '')) : undefined
  let at = 0
  const work = async () => {
    while (at < rows.length) {
      const from = at
      at += registeredAtOnce
      const some = rows.slice(from, at).map(({ rowNo }) => rowNo)
      await registerSome(deps, inOne, one, place, some)
      if (from % reportedEvery === 0) await tell(deps, one.id)
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: registeredBeside }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  // A concurrent run holds the rows still open and ends the import itself. The last one counts again, since earlier counts may be out of
  // date.
  await sql`
    update worker_import i set success = c.done, fail = c.others, state = case when c.others = 0 then '5' else '6' end,
      update_time = ${new Date(deps.clock.now())}
    from (select count(*) filter (where state = 'done')::int as done, count(*) filter (where state <> 'done')::int as others,
        count(*) filter (where state in ('ok', 'warning'))::int as open
      from worker_import_row where import_id = ${one.id}) c
    where i.id = ${one.id} and i.state = '4' and c.open = 0`.execute(deps.database.kysely)
}

/** Registers several people in one transaction; if one is refused, each in its own transaction. */
async function registerSome(deps: ImportDependencies, inOne: InScope, one: Import, place: Place | undefined, rowNos: readonly number[]) {
  try {
    await inOne(async (ctx) => {
      const { rows } = await sql<StoredRow>`
        select * from worker_import_row where import_id = ${one.id} and row_no = any (${[...rowNos]}) and state in ('ok', 'warning')
        order by row_no for update skip locked`.execute(ctx.db)
      if (rows.length > 0) await registerRows({ ...ctx, asked: new Map() }, one, place, rows)
    })
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    if (rowNos.length > 1) for (const rowNo of rowNos) await registerSome(deps, inOne, one, place, [rowNo])
    else await setFailed(deps, one, rowNos[0] ?? 0, error)
  }
}

async function setFailed(deps: ImportDependencies, one: Import, rowNo: number, error: unknown): Promise<void> {
  const isReported = error instanceof AppError
  if (!isReported) deps.log.error({ err: error, importId: one.id, rowNo }, 'row of an import failed')
  const message = isReported ? error.message : '这一行没有导入成功，请重试'
  const field = isReported && typeof error.detail?.field === 'string' ? importFieldOf(error.detail.field) : 'name'
  const issue = JSON.stringify([{ field, kind: 'other', level: 'error', text: message }])
  await sql`
    update worker_import_row set state = 'failed', message = ${message}, issues = ${issue}::jsonb
    where import_id = ${one.id} and row_no = ${rowNo} and state in ('ok', 'warning')`.execute(deps.database.kysely)
}

const oneByOne = new AppError('refused', '逐行导入')

/** Registers people with the functions of the form, and stores the results in their rows. */
async function registerRows(ctx: Context, one: Import, place: Place | undefined, rows: readonly StoredRow[]): Promise<void> {
  const done: { row_no: number; result: string; worker_id: string; stay_id: string | null }[] = []
  const audits: AuditEntry[] = []
  const read = rows.map((row) => ({ row, ...readRow(openCells(ctx, row), place, formatDay(ctx.clock.now())) }))
  for (const [corpCode, some] of Map.groupBy(read, (r) => r.registration?.stay?.corpCode ?? ''))
    if (place && corpCode) {
      const hashes = some.map((r) => ctx.secrets.blindIndex('id-card', r.idCardNumber))
      // A blacklist refusal must be recorded once: by the person's own transaction, since this one would be rolled back.
      if ((await askUnlisted(ctx, hashes, { projectCode: place.projectCode, corpCode })) && rows.length > 1) throw oneByOne
    }
  for (const { row, registration, issues } of read) {
    if (!registration) throw new AppError('refused', issues.list.find((i) => i.level === 'error')?.text ?? '内容有误')
    const { workerId, projectWorkerId } = await (row.joins ? joinPerson : registerPerson)(ctx, registration, entrySources.sheet)
    done.push({ row_no: row.rowNo, result: row.joins ? 'joined' : 'created', worker_id: workerId, stay_id: projectWorkerId })
    audits.push({
      principal: ctx.principal,
      action: 'POST /api/v1/oa/workerImport',
      summary: `导入人员 ${maskName(registration.name)}${leadsWords(place, registration)}`,
      objectId: workerId,
      projectCode: one.projectCode,
      ip: '',
    })
  }
  await sql`
    update worker_import_row r set state = 'done', result = n.result, worker_id = n.worker_id, project_worker_id = n.stay_id, message = '',
      version = r.version + 1
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as n (row_no int, result text, worker_id text, stay_id text)
    where r.import_id = ${one.id} and r.row_no = n.row_no`.execute(ctx.db)
  // Written last: it locks the group's audit chain until the commit.
  await auditRecorder(ctx.clock)(ctx.db, ...audits)
}

/** Names the team leader who is replaced: the change concerns that person too. */
function leadsWords(place: Place | undefined, { stay }: Registration): string {
  if (!stay?.isTeamLeader) return ''
  const team = [...(place?.teams.values() ?? [])].flat().find((t) => t.id === stay.teamId)
  return `，${team?.leader ? `接替${maskName(team.leader)}` : ''}任${team?.teamName ?? ''}班组长`
}

async function tell({ database }: ImportDependencies, importId: string): Promise<void> {
  const { done, failed, skipped } = await countRows(database.kysely, importId)
  await database.kysely
    .updateTable('workerImport')
    .set({ success: done, fail: failed + skipped })
    .where('id', '=', importId)
    // An import that has ended keeps its final count.
    .where('state', '=', importState.running)
    .execute()
}

/** Imports that were unfinished when a process ended, to be started again. */
export async function openImports({ database }: Pick<ImportDependencies, 'database'>): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom('workerImport')
    .select('id')
    .where('state', 'in', [importState.waiting, importState.checking, importState.running])
    .execute()
  return rows.map((row) => row.id)
}

/** Deletes cells after the retention time; the import's record stays. */
export async function dropOldCells({ database, clock }: Pick<ImportDependencies, 'database' | 'clock'>): Promise<void> {
  await sql`
    delete from worker_import_row r using worker_import i
    where i.id = r.import_id and i.update_time < ${new Date(clock.now() - keptMs)} and i.state <> '4'`.execute(database.kysely)
}
