import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/personnel/import'
import { sql } from 'kysely'
import { plainText } from '#kit/cell-text'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { type Context, requireCode } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { checkRows, type Import, markTwins, openCells, type StoredRow, sealCells, withTwins } from './check.ts'
import { findImport, toRow } from './rows.ts'
import { countRows } from './state.ts'

type Body = NonNullable<(typeof contract.changeImport)['types']>['parsed']['body']
type Again = (id: string) => Promise<void>

const { faulty, ready, running, partly, failed } = contract.importState
/** States in which a user may edit or confirm the import, or edit it after failures. */
const mendable: readonly string[] = [faulty, ready, partly, failed]
/** Rows checked within the request; larger numbers are checked in the background. */
const mostAtOnce = 500

export const changeImport =
  (again: Again): HandlerOf<typeof contract.changeImport> =>
  async ({ params, body }, ctx) => {
    const one = await findImport(ctx, params.id, true)
    if (one.cancelled) throw new AppError('refused', '这次导入已作废')
    const rows = await acts[body.action](ctx, one, body, again)
    const { state } = await findImport(ctx, one.id)
    return { state, rows: rows.map((row) => toRow(ctx, row, one.createBy === ctx.user.id)) }
  }

const acts: Record<Body['action'], (ctx: Context, one: Import, body: Body, again: Again) => Promise<StoredRow[]>> = {
  cells: changeCells,
  replace: replaceCells,
  confirm,
  cancel,
  resume,
}

const setState = (ctx: Context, id: string, change: Partial<Pick<Import, 'state' | 'message' | 'cancelled' | 'confirmed'>>) =>
  ctx.db
    .updateTable('workerImport')
    .set({ ...change, updateTime: new Date(ctx.clock.now()) })
    .where('id', '=', id)
    .execute()

function requireMendable(one: Import): void {
  if (!mendable.includes(one.state)) throw new AppError('refused', `${contract.importStates[one.state]}，现在不能修改`)
}

async function changeCells(ctx: Context, one: Import, body: Body, again: Again): Promise<StoredRow[]> {
  requireMendable(one)
  const wanted = [...new Set(body.cells.map((c) => c.row))]
  const rows = await rowsOf(ctx, one.id, wanted)
  const byRow = new Map(rows.map((row) => [row.rowNo, row]))
  for (const { row, version } of body.cells) {
    const stored = byRow.get(row)
    if (!stored) throw new AppError('notFound', `没有第 ${row} 行`)
    if (stored.state === 'done') throw new AppError('refused', `第 ${row} 行已导入，请到人员档案中修改`)
    if (stored.version !== version) throw changedMeanwhile(`第 ${row} 行`)
  }
  const changed = rows.map((row) => {
    const changes = body.cells.filter((c) => c.row === row.rowNo).map((c) => [c.field, plainText(c.value)])
    return { row, cells: { ...openCells(ctx, row), ...Object.fromEntries(changes) } }
  })
  ctx.note(`修改导入内容 ${body.cells.length} 处`, one.id)
  return writeCells(ctx, one, changed, again)
}

async function replaceCells(ctx: Context, one: Import, { replace }: Body, again: Again): Promise<StoredRow[]> {
  requireMendable(one)
  if (!replace) return []
  const { field, from, to } = replace
  const { rows } = await sql<StoredRow>`
    select * from worker_import_row where import_id = ${one.id} and state <> 'done'
      and issues @> ${JSON.stringify([{ field, value: from }])}::jsonb order by row_no for update`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('refused', '没有需要替换的单元格，可能已被他人修改，请刷新')
  ctx.note(`替换导入内容 ${contract.importTitle(field)} ${rows.length} 行`, one.id)
  return writeCells(
    ctx,
    one,
    rows.map((row) => ({ row, cells: { ...openCells(ctx, row), [field]: plainText(to) } })),
    again,
  )
}

async function writeCells(
  ctx: Context,
  one: Import,
  changed: readonly { row: StoredRow; cells: contract.ImportCells }[],
  again: Again,
): Promise<StoredRow[]> {
  const before = changed.map(({ row }) => row)
  for (const { row, cells } of changed)
    await changeRow(ctx, 'workerImportRow', {
      key: { importId: one.id, rowNo: row.rowNo },
      version: row.version,
      noun: '导入行',
      values: { cells: sealCells(ctx, cells), state: 'new', hidden: false },
    })
  if (changed.length > mostAtOnce) {
    await setState(ctx, one.id, { state: contract.importState.waiting, message: '', confirmed: false })
    ctx.afterCommit(() => again(one.id))
    return []
  }
  // Former and new duplicates of the changed rows: both are checked again, the new ones once the new number is stored.
  const former = await withTwins(ctx, one.id, before)
  await checkRows(ctx, one, former)
  const now = await rowsOf(
    ctx,
    one.id,
    before.map((r) => r.rowNo),
  )
  const touched = await withTwins(ctx, one.id, now)
  await checkRows(ctx, one, touched)
  await markTwins(ctx, one.id)
  const { error, duplicate } = await countRows(ctx.db, one.id)
  await setState(ctx, one.id, { state: error + duplicate > 0 ? faulty : ready, message: '', confirmed: false })
  return rowsOf(ctx, one.id, [...new Set([...former, ...touched].map((r) => r.rowNo))])
}

async function confirm(ctx: Context, one: Import, { skipErrors }: Body, again: Again): Promise<StoredRow[]> {
  requireCode(ctx, 'personnel.create')
  if (one.projectCode) requireCode(ctx, 'labour.entry')
  if (one.state !== faulty && one.state !== ready) throw new AppError('refused', `${contract.importStates[one.state]}，现在不能确认`)
  if (one.createBy !== ctx.user.id) throw new AppError('refused', `这是${one.createName}上传的文件，由本人确认导入`)
  const counts = await countRows(ctx.db, one.id)
  const wrong = counts.error + counts.duplicate
  if (wrong > 0 && !skipErrors) throw new AppError('refused', `还有 ${wrong} 行有错误，请改正或选择“跳过错误行”`)
  if (counts.importable === 0) throw new AppError('refused', '没有可以导入的行')
  await sql`update worker_import_row set state = 'skipped' where import_id = ${one.id} and state in ('error', 'duplicate')`.execute(ctx.db)
  await setState(ctx, one.id, { state: running, message: '', confirmed: true })
  ctx.note(`确认导入人员 ${counts.importable} 人`, one.id)
  ctx.afterCommit(() => again(one.id))
  return []
}

/** Cancels an import before any person is registered; its personal data is deleted at once. */
async function cancel(ctx: Context, one: Import): Promise<StoredRow[]> {
  const { done } = await countRows(ctx.db, one.id)
  if (!contract.isBeforeRun(one.state) || done > 0) throw new AppError('refused', '已经开始导入，不能作废')
  await ctx.db.deleteFrom('workerImportRow').where('importId', '=', one.id).execute()
  await setState(ctx, one.id, { state: failed, message: '已作废', cancelled: true })
  ctx.note('作废人员导入', one.id)
  return []
}

/** Resumes an import; registered people stay registered. Rows that failed because of their own errors are checked again first. */
async function resume(ctx: Context, one: Import, _body: Body, again: Again): Promise<StoredRow[]> {
  if (one.state !== failed && one.state !== partly) throw new AppError('refused', `${contract.importStates[one.state]}，不需要继续`)
  const { all, importable } = await countRows(ctx.db, one.id)
  if (all === 0) throw new AppError('refused', '导入的内容已清除，请重新上传文件')
  const goesOn = one.confirmed && importable > 0
  await setState(ctx, one.id, { state: goesOn ? running : contract.importState.waiting, message: '', confirmed: goesOn })
  ctx.note('继续人员导入', one.id)
  ctx.afterCommit(() => again(one.id))
  return []
}

async function rowsOf(ctx: Context, importId: string, rows: readonly number[]): Promise<StoredRow[]> {
  const found = await sql<StoredRow>`
    select * from worker_import_row where import_id = ${importId} and row_no = any (${[...rows]}) order by row_no for update`.execute(
    ctx.db,
  )
  return found.rows
}
