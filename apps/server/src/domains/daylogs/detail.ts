import { type FactKind, factKinds } from '@zhugong/contract/daylogs/fields'
import { countDiffers } from '@zhugong/contract/daylogs/rules'
import type { LogDetail } from '@zhugong/contract/daylogs/shapes'
import { logDetail } from '@zhugong/contract/daylogs/shapes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { noticesFrom } from '../rectify/public.ts'
import { type Children, childrenOf } from './children.ts'
import { attended, statesNow } from './day.ts'
import { logLabels, logNouns, readLog } from './kind.ts'
import { logKinds } from './kinds.ts'
import { neighboursOf } from './matrix.ts'
import { logFor } from './rows.ts'
import type { LogType } from './tables.ts'

/** 已闭合 in dictionary rectifyState. */
const closedNotice = '7'
/** Days before and after in the side list. */
const neighbourSpan = 7

export async function readDetail(ctx: Context, kind: LogType, id: string): Promise<LogDetail> {
  const row = found(await logFor(ctx, kind, id), logNouns[kind])
  const log = await readLog(ctx, kind, id)
  const children = await childrenOf(ctx, id)
  const count = log.projectCode === null ? null : await attended(ctx, log.projectCode, log.day)
  const at = (instant: Date | null) => instant && formatInstant(instant)
  return rowOf(logDetail, log, {
    ...row,
    photos: linksOf(ctx, log.photos),
    photoTimes: await takenAt(ctx, log.photos),
    problems: await problemsOf(ctx, children.problems),
    facts: await keptFacts(ctx, children.facts),
    // The gates count the whole site, a construction log the people of one unit.
    attendance: { count, differs: kind === 'safetyPLog' && countDiffers(log.workerCount, count) },
    tasks: await tasksOf(ctx, children.tasks),
    pours: children.pours.map(({ fromTime, untilTime, ...one }) => ({ ...one, from: fromTime, until: untilTime })),
    blocks: (await blocksOf(ctx, id)).map(({ id: blockId, part, gang, content, byId, byName, at: when }) => ({
      id: blockId,
      part,
      gang,
      content,
      byName,
      at: formatInstant(when),
      own: byId === ctx.user.id,
    })),
    comments: (await commentsOf(ctx, id)).map(({ id: commentId, content, byName, groupName, at: when, answer, answerBy, answerAt }) => ({
      id: commentId,
      content,
      byName,
      groupName,
      at: formatInstant(when),
      answer,
      answerBy,
      answerAt: at(answerAt),
    })),
    changes: (await changesOf(ctx, id)).map(({ id: changeId, field, before, after, reason, byName, at: when }) => ({
      id: changeId,
      field,
      before,
      after,
      reason,
      byName,
      at: formatInstant(when),
    })),
    orders: await ordersOf(ctx, kind, id),
    neighbours: kind === 'safetyPLog' && log.projectCode !== null ? await neighboursOf(ctx, log.projectCode, log.day, neighbourSpan) : [],
    timeline: await historyOf(ctx, kind, id, logLabels),
    actions: offersFor(ctx, logKinds[kind], log),
  })
}

const noticePage = (origin: string) => (origin === 'gov' ? '/safetySupervisionRectification/details' : '/safetyP/abarbeitung/details')

/** Orders that were written from the log. */
async function ordersOf(ctx: Pick<Context, 'db'>, kind: LogType, id: string): Promise<LogDetail['orders']> {
  return (await noticesFrom(ctx, kind, id)).map((one) => ({
    ...pick(one, 'id', 'code', 'deadline', 'open'),
    stateName: dictName('rectifyState', one.state) ?? one.state,
    link: `${noticePage(one.origin)}?id=${one.id}`,
  }))
}

/** When each photograph was taken, where it says so. */
async function takenAt(ctx: Pick<Context, 'db'>, photos: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{
    id: string
    at: Date | null
  }>`select id, taken_at as at from stored_file where id = any (${[...photos]})`.execute(ctx.db)
  return photos.map((id) => {
    const at = rows.find((one) => one.id === id)?.at
    return at ? formatInstant(at) : null
  })
}

async function problemsOf(ctx: Pick<Context, 'db'>, problems: Children['problems']): Promise<LogDetail['problems']> {
  const ids = problems.flatMap((one) => one.rectifyId ?? [])
  type Raw = { id: string; code: string | null; state: string; origin: string }
  const { rows } = await sql<Raw>`select id, code, state, origin from rectify where id = any (${ids})`.execute(ctx.db)
  return problems.map(({ description, rectifyId }) => {
    const one = rows.find((row) => row.id === rectifyId)
    return {
      description,
      rectify: one
        ? {
            id: one.id,
            code: one.code,
            stateName: dictName('rectifyState', one.state) ?? one.state,
            closed: one.state === closedNotice,
            link: `${noticePage(one.origin)}?id=${one.id}`,
          }
        : null,
    }
  })
}

async function keptFacts(ctx: Context, facts: Children['facts']): Promise<LogDetail['facts']> {
  const now = await statesNow(ctx, facts)
  return facts.map(({ kind, refId, siteCode, words, amount, unit, state, link }) => {
    const known = now.get(`${kind} ${refId}`)
    const later = known !== undefined && known !== state ? known : null
    return { kind, kindName: factKinds[kind as FactKind], refId, projectCode: siteCode, text: words, amount, unit, state, link, later }
  })
}

async function tasksOf(ctx: Pick<Context, 'db'>, tasks: Children['tasks']): Promise<LogDetail['tasks']> {
  const ids = tasks.map((one) => one.taskId)
  const { rows } = await sql<{ id: string; percent: number }>`select id, percent from schedule_task where id = any (${ids})`.execute(ctx.db)
  return tasks.map((one) => ({ ...one, now: rows.find((task) => task.id === one.taskId)?.percent ?? null }))
}

export async function blocksOf(ctx: Pick<Context, 'db'>, id: string): Promise<Row<'dayLogBlock'>[]> {
  const { rows } = await sql<Row<'dayLogBlock'>>`select * from day_log_block where log_id = ${id} order by seq, id`.execute(ctx.db)
  return rows
}
export async function commentsOf(ctx: Pick<Context, 'db'>, id: string): Promise<Row<'dayLogComment'>[]> {
  const { rows } = await sql<Row<'dayLogComment'>>`select * from day_log_comment where log_id = ${id} order by at, id`.execute(ctx.db)
  return rows
}
export async function changesOf(ctx: Pick<Context, 'db'>, id: string): Promise<Row<'dayLogChange'>[]> {
  const { rows } = await sql<Row<'dayLogChange'>>`select * from day_log_change where log_id = ${id} order by at, id`.execute(ctx.db)
  return rows
}
