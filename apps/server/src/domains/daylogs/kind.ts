import { constructionMoves, type LogState, logStates, logWriter, ownMoves, returnedLog, safetyMoves } from '@zhugong/contract/daylogs/moves'
import { isLate } from '@zhugong/contract/daylogs/rules'
import type { Move } from '@zhugong/contract/kit/process'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import type { LogType } from './tables.ts'

export type Log = Row<'dayLog'> & { openComments: number }
type LogMoves = Readonly<Record<string, Move<LogState>>>

export const logNouns: Readonly<Record<LogType, string>> = { safetyPLog: '安全日志', construction: '施工日志', log: '安全日志' }
const pages: Readonly<Record<LogType, string>> = {
  safetyPLog: '/safetyP/log/details',
  construction: '/safetyP/construction/details',
  log: '/safety/log/details',
}
export const pageOf = ({ kind, id }: Pick<Log, 'kind' | 'id'>): string => `${pages[kind]}?id=${id}`

/** One log; `lock`: for a change. @throws AppError `notFound` */
export async function readLog(ctx: Pick<Context, 'db'>, kind: LogType, id: string, lock = false): Promise<Log> {
  const { rows } =
    await sql<Log>`select x.*, (select count(*)::int from day_log_comment c where c.log_id = x.id and c.answer is null) as open_comments
    from day_log x where x.id = ${id} and x.kind = ${kind} ${lock ? sql`for update of x` : sql``}`.execute(ctx.db)
  return found(rows[0], logNouns[kind])
}

const isSite = (ctx: Pick<Context, 'group'>) => ctx.group.type === groupTypes.project
const isAuthors = (ctx: Pick<Context, 'group'>, row: Log) => ctx.group.id === row.authorGroup
const isAuthor = (ctx: Context, row: Log) => isAuthors(ctx, row) && ctx.user.id === row.createBy

const turns: Readonly<Record<string, (ctx: Context, row: Log) => boolean>> = {
  // The part in the project decides which company: `site` in the moves.
  site: (ctx) => isSite(ctx) || ctx.group.type === groupTypes.corporation,
  reader: (ctx, row) => !isSite(ctx) && !isAuthors(ctx, row),
  everybody: () => true,
  author: isAuthor,
  colleague: (ctx, row) => isAuthors(ctx, row) && !isAuthor(ctx, row),
  group: isAuthors,
}

/** A safety log is changed on its day, other logs within 48 hours; afterwards only what was returned. */
const editable: Readonly<Record<LogType, (row: Log, now: number) => string | undefined>> = {
  safetyPLog: (row, now) => (row.day === formatDay(now) ? undefined : '安全日志当日可以修改，之后须由监管方退回'),
  construction: (row, now) => (isLate(row.day, now) ? '施工日志 48 小时内可以修改，之后须由监管方退回' : undefined),
  log: (row, now) => (isLate(row.day, now) ? '日志 48 小时内可以修改' : undefined),
}

function hinder(ctx: Context, row: Log, action: string): string | undefined {
  if (action === 'edit') return editable[row.kind](row, ctx.clock.now())
  if (action === 'archive' && row.openComments > 0) return `有 ${row.openComments} 条批阅未回复，不能归档`
  if (action === 'answer' && row.openComments === 0) return '没有未回复的批阅'
  return undefined
}

const todoCodes = [logWriter]
export function todosOf(row: Pick<Log, 'id' | 'kind' | 'state' | 'day' | 'authorGroup' | 'openComments'>): Todo[] {
  const of = (verb: string): Todo => ({
    turn: 'author',
    forGroup: row.authorGroup,
    codes: todoCodes,
    title: `${verb} ${row.day} ${logNouns[row.kind]}`,
    link: pageOf(row),
    due: null,
  })
  if (row.state === returnedLog) return [of('修改被退回的')]
  return row.openComments > 0 ? [of('回复批阅')] : []
}

const kindOf = <const M extends LogMoves>(kind: LogType, moves: M) =>
  ({
    kind,
    noun: logNouns[kind],
    table: 'dayLog',
    moves,
    stateName: (state) => logStates[state as LogState] ?? state,
    lock: (ctx, id) => readLog(ctx, kind, id, true),
    turns,
    hinder,
    todos: todosOf,
  }) as const satisfies Kind<Log, M>

export const safetyLogKind = kindOf('safetyPLog', safetyMoves)
export const constructionKind = kindOf('construction', constructionMoves)
export const ownLogKind = kindOf('log', ownMoves)

export const logLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(constructionMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
}
