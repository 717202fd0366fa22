import { AppError } from '@zhugong/contract/kit/errors'
import type { AllowedAction, Move } from '@zhugong/contract/kit/process'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Kind, Outcome, Stated } from './kind.ts'
import { writeLog } from './log.ts'
import { refusedRight } from './rights.ts'
import { expireSignatures } from './signatures.ts'
import { replaceTodos } from './todo.ts'

type MovesOf = Readonly<Record<string, Move>>

/**
 * Why the caller may not take an action on a row now; undefined when he may. Buttons (`offersFor`) and calls (`take`) ask this one
 * function, so they cannot differ.
 */
function refusal<Row extends Stated, M extends MovesOf>(
  ctx: Context,
  kind: Kind<Row, M>,
  row: Row,
  action: keyof M & string,
): AppError | undefined {
  const move = kind.moves[action] as Move
  if (!move.from.includes(row.state))
    return new AppError('refused', `${kind.noun}${kind.stateName(row.state)}，不能${move.label}`, { state: row.state })
  const refused = refusedRight(ctx, kind, row, move, move.label)
  if (refused) return refused
  const hindered = kind.hinder(ctx, row, action)
  return hindered === undefined ? undefined : new AppError('refused', hindered)
}

/** The actions the caller may take on the row now. */
export const offersFor = <Row extends Stated, M extends MovesOf>(ctx: Context, kind: Kind<Row, M>, row: Row): AllowedAction[] =>
  Object.entries(kind.moves)
    .filter(([action]) => refusal(ctx, kind, row, action) === undefined)
    .map(([action, { label }]) => ({ action, label }))

/**
 * Takes one action in the caller's transaction: locks the row, checks version, state, code, part, turn and hindrance, lets the kind write,
 * then writes the state, the history and the to-do. The loser of a race learns who acted and when.
 * @throws AppError `conflict`, `refused` or `forbidden`
 */
export async function take<Row extends Stated, M extends MovesOf, A extends keyof M & string>(
  ctx: Context,
  kind: Kind<Row, M>,
  { id, action, version }: { id: string; action: A; version: number },
  write: (row: Row) => Promise<Outcome<Row>>,
): Promise<Row> {
  const row = await kind.lock(ctx, id)
  if (row.version !== version) throw await overtaken(ctx, kind, row)
  const refused = refusal(ctx, kind, row, action)
  if (refused) throw refused
  const move = kind.moves[action] as Move
  const outcome = await write(row)
  const to = nextState(move, row.state, outcome.to)
  const values = { ...outcome.values, state: to }
  await changeRow(ctx, kind.table, {
    key: { id },
    version,
    noun: kind.noun,
    by: ctx.user.id,
    values,
  } as unknown as Parameters<typeof changeRow>[2])
  // Read again: what the kind wrote to child rows counts for whose turn it is.
  const after = await kind.lock(ctx, id)
  await disclose(ctx, kind, row, after)
  if (!move.unlogged)
    await writeLog(ctx, kind.kind, after, { action, from: row.state, to, opinion: outcome.opinion }, kind.doer?.(ctx, row))
  await expireSignatures(ctx, kind, after)
  await replaceTodos(ctx, kind, after)
  ctx.note(`${move.label}${kind.noun}`, id)
  return after
}

/** @throws Error when the kind writes a state that its move does not declare */
function nextState({ to, label }: Move, current: string, chosen: string | undefined): string {
  const allowed = to === null ? [current] : [to].flat()
  const next = chosen ?? allowed[0] ?? current
  if (!allowed.includes(next)) throw new Error(`${label} does not lead to state ${next}`)
  return next
}

/** A record becomes known with its history and signatures; other child rows are the kind's own. */
async function disclose<Row extends Stated, M extends MovesOf>(ctx: Context, kind: Kind<Row, M>, before: Row, after: Row): Promise<void> {
  if (before.shownAt !== null || after.shownAt === null) return
  await sql`update process_log set shown_at = ${after.shownAt} where kind = ${kind.kind} and object_id = ${after.id}`.execute(ctx.db)
  if (kind.seats)
    await sql`update process_signature set shown_at = ${after.shownAt} where kind = ${kind.kind} and object_id = ${after.id}`.execute(
      ctx.db,
    )
}

/** The error for whoever came second: who acted, what he did, and when. */
async function overtaken<Row extends Stated, M extends MovesOf>(ctx: Context, kind: Kind<Row, M>, row: Row): Promise<AppError> {
  const { rows } = await sql<{ byName: string; action: string; at: Date }>`select by_name, action, at from process_log
    where kind = ${kind.kind} and object_id = ${row.id} order by at desc, id desc limit 1`.execute(ctx.db)
  const last = rows[0]
  const move = last && (kind.moves[last.action] as Move | undefined)
  if (!last || !move) return conflictOf(ctx, kind.table, { id: row.id }, kind.noun)
  const at = formatInstant(last.at).slice(5, 16)
  return new AppError('conflict', `${kind.noun}已由${last.byName}于 ${at} ${move.label}，请刷新后再办`, { version: row.version })
}
