import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import type { RecordRow } from './records.ts'

/** A corrected field: previous and new value. */
export interface Change {
  field: string
  from: unknown
  to: unknown
}
type Words = Readonly<Record<string, { label: string; word?: (value: unknown) => string }>>

const said = (words: Words, field: string, value: unknown): string =>
  value === null || value === undefined || value === '' ? '--' : (words[field]?.word?.(value) ?? String(value))

/**
 * Corrects fields of a record. The new values apply from now on, the data sent by the device stays, and the step is logged.
 * @throws AppError when another user changed the record meanwhile (version conflict).
 */
export async function fixRecord(
  ctx: Context,
  row: Pick<RecordRow, 'id' | 'deviceId' | 'ts' | 'projectCode' | 'data' | 'fixVersion'>,
  version: number,
  fields: Readonly<Record<string, unknown>>,
  logged: readonly string[],
  reason: string,
): Promise<void> {
  const late = changedMeanwhile('这条记录', { version: row.fixVersion })
  if (version !== row.fixVersion) throw late
  const given = JSON.stringify(fields)
  if (row.fixVersion === 0) {
    const { numAffectedRows } = await sql`insert into record_fix (device_id, ts, record_id, project_code, fields)
      values (${row.deviceId}, ${row.ts}, ${row.id}, ${row.projectCode}, ${given}::jsonb) on conflict do nothing`.execute(ctx.db)
    if (!numAffectedRows) throw late
  } else
    await changeRow(ctx, 'recordFix', {
      key: { deviceId: row.deviceId, ts: row.ts, recordId: row.id },
      version,
      noun: '这条记录',
      values: { fields: sql`fields || ${given}::jsonb` },
    })
  await logStep(
    ctx,
    row,
    logged.map((field) => ({ field, from: row.data[field] ?? null, to: fields[field] ?? null })),
    reason,
  )
}

/** Adds a step to a record's correction log. */
export async function logStep(
  ctx: Context,
  row: Pick<RecordRow, 'id' | 'deviceId' | 'ts' | 'projectCode'>,
  changes: readonly Change[],
  reason: string,
): Promise<void> {
  await sql`insert into record_fix_log (id, project_code, device_id, ts, record_id, at, changes, reason, by_name)
    values (${ctx.newId()}, ${row.projectCode}, ${row.deviceId}, ${row.ts}, ${row.id}, ${new Date(ctx.clock.now())}, ${JSON.stringify(changes)}::jsonb,
      ${reason}, ${ctx.user.name})`.execute(ctx.db)
}

/** Maximum number of steps returned. */
const mostSteps = 200

/** The corrections of a record, newest first. */
export async function fixLogOf(ctx: Pick<Context, 'db'>, row: Pick<RecordRow, 'id' | 'deviceId' | 'ts'>, words: Words) {
  const { rows } = await sql<{ id: string; at: Date; changes: Change[]; reason: string; byName: string }>`
    select id, at, changes, reason, by_name from record_fix_log
    where device_id = ${row.deviceId} and ts = ${row.ts} and record_id = ${row.id} order by at desc, id limit ${mostSteps}`.execute(ctx.db)
  return rows.map((step) => ({
    ...pick(step, 'id', 'byName', 'reason'),
    time: step.at.getTime(),
    changes: step.changes.map(({ field, from, to }) => ({
      field,
      label: words[field]?.label ?? field,
      from: said(words, field, from),
      to: said(words, field, to),
    })),
  }))
}
