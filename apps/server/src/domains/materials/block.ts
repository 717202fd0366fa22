import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { replaceTodos, writeLog } from '../process/public.ts'
import { addEvent } from './events.ts'
import { type Batch, materialKind, readBatch } from './kind.ts'

interface Verdict {
  /** The record that found it, for example a spot check. */
  by: string
  /** Shown to everybody who wants to use the batch. */
  reason: string
  reportNo: string | null
}

/** Forbids the use of a batch because another record found it bad; the right to do so is the right to that record. */
export async function blockBatch(ctx: Context, id: string, { by, reason, reportNo }: Verdict): Promise<void> {
  const row = await readBatch(ctx, id, true)
  await set(ctx, row, 'block', by, reason, reportNo)
}

/** Allows the use again when the record that forbade it says so; nothing when another one forbids it. */
export async function releaseBatch(ctx: Context, id: string, { by, reason, reportNo }: Verdict): Promise<void> {
  const row = await readBatch(ctx, id, true)
  if (row.blockedBy !== by) return
  await set(ctx, row, 'release', by, reason, reportNo)
}

async function set(
  ctx: Context,
  row: Batch,
  action: 'block' | 'release',
  by: string,
  reason: string,
  reportNo: string | null,
): Promise<void> {
  const blocks = action === 'block'
  const values = { blockedBy: blocks ? by : null, blockedReason: blocks ? reason : null }
  await changeRow(ctx, 'materialBatch', { key: { id: row.id }, version: null, noun: materialKind.noun, by: ctx.user.id, values })
  await addEvent(ctx, row, { action, reportNo, result: blocks ? '不合格' : '合格', note: reason })
  const after = await readBatch(ctx, row.id)
  await writeLog(ctx, materialKind.kind, after, { action, from: row.state, to: row.state, opinion: reason })
  await replaceTodos(ctx, materialKind, after)
}

/** The site and the receiving company of a batch, and what it is. @throws AppError `invalidInput` at `batchId` */
export async function batchOf(ctx: Pick<Context, 'db'>, projectCode: string, id: string) {
  const { rows } = await sql<Pick<Batch, 'id' | 'corpCode' | 'name' | 'spec' | 'batchNo' | 'supplier'>>`
    select id, corp_code, name, spec, batch_no, supplier from material_batch where id = ${id} and project_code = ${projectCode}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw new AppError('invalidInput', '材料批次不存在或不属于该项目', { field: 'batchId' })
  return rows[0]
}
