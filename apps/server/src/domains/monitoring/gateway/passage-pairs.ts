import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { directionNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import * as calls from '@zhugong/contract/monitoring/gateway/passage-pairs'
import { sql } from 'kysely'
import { changedMeanwhile } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { condition, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { textOr } from '../shared/family.ts'
import { type Change, logStep } from '../shared/record-fix.ts'
import { type RecordRow, recordColumns, recordsWhere, recordTables } from '../shared/records.ts'
import { directions } from './passage-correction.ts'
import { accessRecord } from './passage-halves.ts'
import { onePassage, type PassageRow, pairedColumns, pairTables, passageByKey, toPassage } from './passages.ts'

const longestStayMs = calls.longestStayDays * dayMs
const inward = '0'
const outward = '1'

export function passagePairRoutes(serve: Serve): void {
  serve(calls.listPairable, listPairable)
  serve(calls.joinPassages, joinPassages)
  serve(calls.partPassages, partPassages)
}

const plateOf = (row: RecordRow): string => textOr(row.data.plateNo) ?? '未识别'
/** Text about one half for the history of the other; the plate is left to that record. */
const wordsOf = (row: RecordRow): string =>
  `${formatInstant(row.ts.getTime())} ${directionNames[directions[String(row.data.direction)] ?? ''] ?? ''}（${textOr(row.params.gateName) ?? row.deviceName}）`

async function getPassageRow(ctx: Context, key: string, projectCode: string, thing = '出入记录'): Promise<PassageRow> {
  return found(await passageByKey(ctx, key, ctx.clock.now(), projectsFor(ctx, projectCode)), thing)
}

const listPairable: HandlerOf<typeof calls.listPairable> = async ({ params, query }, ctx) => {
  const now = ctx.clock.now()
  const row = await getPassageRow(ctx, params.id, query.projectCode)
  const isEntry = String(row.data.direction) === inward
  const at = row.ts.getTime()
  const where = recordsWhere({
    record: accessRecord,
    projects: [row.projectCode],
    period: isEntry ? { from: at + 1, to: at + longestStayMs } : { from: at - longestStayMs, to: at },
    where: [onePassage, condition(sql`r.data ->> 'direction' = ${isEntry ? outward : inward}`)],
  })
  const plate = textOr(row.data.plateNo) ?? ''
  const alike = sql`(select count(*) from generate_series(1, ${plate.length}::int) i
    where substr(r.data ->> 'plateNo', i, 1) = substr(${plate}::text, i, 1))`
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<PassageRow & { total: number }>`
    select ${recordColumns}, ${pairedColumns(now)}, count(*) over ()::int as total from ${recordTables} ${pairTables}
    where ${where} and not coalesce(gone.by_hand, came.by_hand, false)
    order by coalesce(gone.ts, came.ts) is not null, ${alike} desc, abs(extract(epoch from r.ts - ${row.ts}::timestamptz)), r.device_id, r.id
    limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map((one) => toPassage(ctx, one, now)), total: rows[0]?.total ?? 0 }
}

/** Logs the change in the history of both halves. */
async function tell(ctx: Context, entry: RecordRow, exit: RecordRow, joined: boolean, reason: string): Promise<void> {
  const change = (other: RecordRow): Change => ({ field: 'pair', from: joined ? null : wordsOf(other), to: joined ? wordsOf(other) : null })
  await logStep(ctx, entry, [change(exit)], reason)
  await logStep(ctx, exit, [change(entry)], reason)
}

const joinPassages: HandlerOf<typeof calls.joinPassages> = async ({ query, body }, ctx) => {
  const entry = await getPassageRow(ctx, body.entryId, query.projectCode, '进场记录')
  const exit = await getPassageRow(ctx, body.exitId, query.projectCode, '出场记录')
  const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })
  if (String(entry.data.direction) !== inward) throw wrong('entryId', '应选择一条进场记录')
  if (String(exit.data.direction) !== outward) throw wrong('exitId', '应选择一条出场记录')
  if (entry.projectCode !== exit.projectCode) throw wrong('exitId', '进场与出场不在同一项目')
  if (exit.ts <= entry.ts) throw wrong('exitId', '出场时间应晚于进场时间')
  if (exit.ts.getTime() - entry.ts.getTime() > longestStayMs) throw wrong('exitId', `进场到出场超过 ${calls.longestStayDays} 天，不能配对`)
  const now = new Date(ctx.clock.now())
  const done =
    await sql`insert into passage_pair (id, project_code, kind, in_device, in_ts, in_id, out_device, out_ts, out_id, reason, by_name, at)
    values (${ctx.newId()}, ${entry.projectCode}, 'joined', ${entry.deviceId}, ${entry.ts}, ${entry.id}, ${exit.deviceId}, ${exit.ts}, ${exit.id},
      ${body.reason}, ${ctx.user.name}, ${now}) on conflict do nothing`.execute(ctx.db)
  if (done.numAffectedRows !== 1n) throw new AppError('refused', '进场或出场已人工配对，请先解除原来的配对', { field: 'exitId' })
  await undo(ctx, 'parted', entry, exit, body.reason)
  await tell(ctx, entry, exit, true, body.reason)
  ctx.note(`人工配对 ${plateOf(entry)} 进场与 ${plateOf(exit)} 出场（${body.reason}）`, body.entryId)
  return toPassage(ctx, await getPassageRow(ctx, body.entryId, query.projectCode), ctx.clock.now())
}

const partPassages: HandlerOf<typeof calls.partPassages> = async ({ params, query }, ctx) => {
  const row = await getPassageRow(ctx, params.id, query.projectCode)
  if (row.pairKey === null) throw new AppError('refused', '这次通行没有配对')
  const other = await getPassageRow(ctx, row.pairKey, query.projectCode, '配对的通行')
  const [entry, exit] = String(row.data.direction) === inward ? [row, other] : [other, row]
  const late = changedMeanwhile('配对')
  if (row.byHand && !(await undo(ctx, 'joined', entry, exit, query.reason))) throw late
  // Halves with the same plate would be paired again automatically, so the separation is stored.
  if (!row.byHand || plateOf(entry) === plateOf(exit)) {
    const done =
      await sql`insert into passage_pair (id, project_code, kind, in_device, in_ts, in_id, out_device, out_ts, out_id, reason, by_name, at)
      values (${ctx.newId()}, ${entry.projectCode}, 'parted', ${entry.deviceId}, ${entry.ts}, ${entry.id}, ${exit.deviceId}, ${exit.ts}, ${exit.id},
        ${query.reason}, ${ctx.user.name}, ${new Date(ctx.clock.now())}) on conflict do nothing`.execute(ctx.db)
    if (done.numAffectedRows !== 1n) throw late
  }
  await tell(ctx, entry, exit, false, query.reason)
  ctx.note(`解除配对 ${plateOf(entry)} 进场与 ${plateOf(exit)} 出场（${query.reason}）`, entry.key)
  return toPassage(ctx, await getPassageRow(ctx, params.id, query.projectCode), ctx.clock.now())
}

/** Withdraws a pair or separation; the row keeps who withdrew it and why. */
async function undo(ctx: Context, kind: 'joined' | 'parted', entry: RecordRow, exit: RecordRow, reason: string): Promise<boolean> {
  const done =
    await sql`update passage_pair set undone_at = ${new Date(ctx.clock.now())}, undone_by = ${ctx.user.name}, undone_reason = ${reason}
    where kind = ${kind} and undone_at is null and in_device = ${entry.deviceId} and in_ts = ${entry.ts} and in_id = ${entry.id}
      and out_device = ${exit.deviceId} and out_ts = ${exit.ts} and out_id = ${exit.id}`.execute(ctx.db)
  return done.numAffectedRows === 1n
}
