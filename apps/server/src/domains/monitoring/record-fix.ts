import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { RecordRow } from './records.ts'

/** A value by the device's own name: what it was before, what holds from now on. */
export interface Change {
  field: string
  from: unknown
  to: unknown
}
type Words = Readonly<Record<string, { label: string; word?: (value: unknown) => string }>>

const said = (words: Words, field: string, value: unknown): string =>
  value === null || value === undefined || value === '' ? '--' : (words[field]?.word?.(value) ?? String(value))

/**
 * Lays values over a record: they hold from now on, what was sent stays, and the step is written down. A record that somebody else put
 * right meanwhile is refused by its version.
 */
export async function fixRecord(
  ctx: Context,
  row: Pick<RecordRow, 'id' | 'deviceId' | 'ts' | 'projectCode' | 'data' | 'fixVersion'>,
  version: number,
  fields: Readonly<Record<string, unknown>>,
  logged: readonly string[],
  reason: string,
): Promise<void> {
  const late = new AppError('conflict', '这条记录刚被其他人修改，请刷新后再试', { version: row.fixVersion })
  if (version !== row.fixVersion) throw late
  const given = JSON.stringify(fields)
  const done =
    row.fixVersion === 0
      ? await sql`insert into record_fix (device_id, ts, record_id, project_code, fields)
          values (${row.deviceId}, ${row.ts}, ${row.id}, ${row.projectCode}, ${given}::jsonb) on conflict do nothing`.execute(ctx.db)
      : await sql`update record_fix set fields = fields || ${given}::jsonb, version = version + 1
          where device_id = ${row.deviceId} and ts = ${row.ts} and record_id = ${row.id} and version = ${version}`.execute(ctx.db)
  if (done.numAffectedRows !== 1n) throw late
  await logStep(
    ctx,
    row,
    logged.map((field) => ({ field, from: row.data[field] ?? null, to: fields[field] ?? null })),
    reason,
  )
}

/** One step in a record's history: who, what, why. */
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

/** More steps than anybody takes with one record. */
const mostSteps = 200

/** The steps in which a record was put right, the newest first. */
export async function fixLogOf(ctx: Pick<Context, 'db'>, row: Pick<RecordRow, 'id' | 'deviceId' | 'ts'>, words: Words) {
  const { rows } = await sql<{ id: string; at: Date; changes: Change[]; reason: string; byName: string }>`
    select id, at, changes, reason, by_name from record_fix_log
    where device_id = ${row.deviceId} and ts = ${row.ts} and record_id = ${row.id} order by at desc, id limit ${mostSteps}`.execute(ctx.db)
  return rows.map((step) => ({
    id: step.id,
    time: step.at.getTime(),
    byName: step.byName,
    reason: step.reason,
    changes: step.changes.map(({ field, from, to }) => ({
      field,
      label: words[field]?.label ?? field,
      from: said(words, field, from),
      to: said(words, field, to),
    })),
  }))
}
