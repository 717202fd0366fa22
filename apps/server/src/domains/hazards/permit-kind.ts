import { type PermitAction, type PermitState, permitMoves, permitStates } from '@zhugong/contract/hazards/permit-moves'
import {
  type Approver,
  approvers,
  emberMs,
  gasFaults,
  gradeOf,
  hotWork,
  type PermitFacts,
  permitTypes,
  testsAir,
  whyNot,
} from '@zhugong/contract/hazards/permit-rules'
import { permitSeatRight as tablet } from '@zhugong/contract/hazards/permits'
import { minuteMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { codesWithin } from '#kit/reach'
import type { Kind, Seat, Todo } from '../process/public.ts'
import { isOfSite } from './hazard-kind.ts'
import { type PermitPerson, peopleOf, stopOf } from './site-facts.ts'

/** A permit with what its rules ask about people, air and site at this minute. */
export type Permit = Row<'workPermit'> & { facts: PermitFacts; people: readonly PermitPerson[] }

/** Of history, to-dos and signatures. */
export const permitType = 'workPermit'
const noun = '作业票'

/** Who may decide about a permit of the highest kind: whoever reviews for the site, which its manager does. */
const managerCode = 'safety-management.review'

/** 作业票: asked for, approved, begun and ended by the site. */
export const permitKind = {
  kind: permitType,
  noun,
  table: 'workPermit',
  moves: permitMoves,
  stateName: (state) => permitStates[state as PermitState] ?? state,
  lock: (ctx, id) => readPermitRow(ctx, id, true),
  turns: {
    author: (ctx, row) => ctx.group.id === row.authorGroup,
    // Among companies the part in the project decides: `site` in the moves. An authority only looks on.
    site: (ctx) => isOfSite(ctx.group.type),
    approver: (ctx, row) =>
      isOfSite(ctx.group.type) && (approverOf(row) !== 'manager' || codesWithin(ctx.principal, [row.projectCode]).has(managerCode)),
  },
  hinder: (ctx, row, action) => hindrances[action]?.(row, ctx),
  seats: (_ctx, row) => Promise.resolve(seatsOf(row)),
  todos: (row) => permitTodos(row),
} as const satisfies Kind<Permit, typeof permitMoves>

/** One permit with its facts; `lock`: for a change. @throws AppError `notFound` */
export async function readPermitRow(ctx: Pick<Context, 'db'> & Partial<Pick<Context, 'clock'>>, id: string, lock = false): Promise<Permit> {
  const { rows } = await sql<Row<'workPermit'>>`select w.* from work_permit w where w.id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    ctx.db,
  )
  const row = found(rows[0], noun)
  const clock = ctx.clock ?? { now: () => Date.now() }
  const people = await peopleOf({ db: ctx.db, clock }, id)
  return { ...row, people, facts: await factsOf(ctx, row, people) }
}

async function factsOf(ctx: Pick<Context, 'db'>, row: Row<'workPermit'>, people: readonly PermitPerson[]): Promise<PermitFacts> {
  const measures = await sql<{ text: string; photo: boolean; done: boolean; photos: string[] }>`
    select text, photo, done, photos from work_permit_measure where permit_id = ${row.id} order by seq`.execute(ctx.db)
  const gas = await sql<
    Row<'workPermitGas'>
  >`select * from work_permit_gas where permit_id = ${row.id} order by at desc, id desc limit 1`.execute(ctx.db)
  const newest = gas.rows[0]
  return {
    type: row.type,
    level: row.level,
    startTime: row.startTime.getTime(),
    endTime: row.endTime.getTime(),
    people: people.filter((one) => one.until === null),
    open: measures.rows.filter((one) => !one.done || (one.photo && one.photos.length === 0)).map((one) => one.text),
    hasDevice: row.deviceId !== null,
    gas: newest ? { at: newest.at.getTime(), faults: gasFaults(newest) } : null,
    stop: await stopOf(ctx, row.projectCode),
  }
}

export const approverOf = ({ type, level }: Pick<Permit, 'type' | 'level'>): Approver => gradeOf(type, level)?.approver ?? 'manager'
export const isHot = ({ type }: Pick<Permit, 'type'>): boolean => type === hotWork

const wordsOf = (at: 'approve' | 'start' | 'extend', row: Permit, now: number): string | undefined =>
  whyNot(at, row.facts, now, formatDay(now))
    .map((one) => one.text)
    .join('；') || undefined

type Viewer = Pick<Context, 'user' | 'clock'>
const ended = (row: Permit, now: number) => (row.closesBy.getTime() <= now ? '已到结束时间，请办理完工确认' : undefined)
const answersExtension = (row: Permit, { clock }: Viewer) => (row.extendTo === null ? '没有待批的延时申请' : ended(row, clock.now()))
const hindrances: Partial<Record<PermitAction, (row: Permit, ctx: Viewer) => string | undefined>> = {
  approve: (row, { user, clock }) => (row.createBy === user.id ? '不能批准自己申请的作业票' : wordsOf('approve', row, clock.now())),
  start: (row, { clock }) => wordsOf('start', row, clock.now()),
  gas: (row) => (testsAir(row.type) ? undefined : '只有有限空间和动火作业登记气体检测'),
  handover: (row, { clock }) => (row.endedAt ? '动火已结束' : ended(row, clock.now())),
  extend: (row, { clock }) =>
    ended(row, clock.now()) ?? (row.endedAt ? '动火已结束' : row.extendTo ? '延时申请待批' : wordsOf('extend', row, clock.now())),
  extendPass: (row, ctx) => answersExtension(row, ctx) ?? wordsOf('extend', row, ctx.clock.now()),
  extendRefuse: answersExtension,
  finish: (row) => (!isHot(row) || !row.startedAt ? '只有动火作业登记动火结束' : row.endedAt ? '动火已结束' : undefined),
  close: (row, { clock }) => {
    if (!isHot(row) || !row.startedAt) return undefined
    if (!row.endedAt) return '请先登记动火结束'
    const from = row.endedAt.getTime() + emberMs
    return clock.now() < from
      ? `动火结束 ${emberMs / minuteMs} 分钟后检查余火，${formatInstant(from).slice(11, 16)} 起可确认完工`
      : undefined
  },
}

/** What is signed: the work, its time and its people. */
export function permitContent(row: Permit) {
  const { code, projectCode, type, level, content, part, corpCode, startTime } = row
  const people = row.facts.people.filter((one) => one.role !== 'guardian').map(({ workerId, role }) => ({ workerId, role }))
  return { code, projectCode, type, level, content, part, corpCode, startTime, people }
}

/** Workers and guardian sign on the site's device; the guardian who took over has a place of his own. */
function seatsOf(row: Permit): Seat[] {
  const content = permitContent(row)
  return row.people
    .filter((one) => one.until === null)
    .map((one) => ({
      seat: `${one.role}${one.seq}`,
      role: roleNames[one.role],
      tablet,
      from: ['1', '2', '3'],
      expects: one.name,
      content,
    }))
}
const roleNames = { worker: '作业人员', driver: '司机', guardian: '监护人' } as const

export const permitPage = (id: string): string => `/safety/dangerous/details?permit=${id}`

export function permitTodos(
  row: Pick<Permit, 'id' | 'state' | 'type' | 'level' | 'part' | 'startTime' | 'endTime' | 'extendTo' | 'endedAt'>,
): Todo[] {
  const words = `${permitTypes[row.type]?.name ?? ''} ${row.part}`
  const link = permitPage(row.id)
  const edit = [permitMoves.start.needs]
  const decide = approverOf(row) === 'manager' ? [managerCode] : [permitMoves.approve.needs]
  const todo = (codes: string[], title: string, due: Date | null): Todo => ({
    turn: 'responsible',
    codes,
    title,
    link,
    due: due && formatDay(due),
  })
  switch (row.state) {
    case '1':
      return [todo(decide, `批准作业票：${words}（${approvers[approverOf(row)]}）`, row.startTime)]
    case '2':
      return [todo(edit, `开工确认：${words}`, row.startTime)]
    case '3':
      if (row.endedAt) return [todo(edit, `检查余火：${words}`, row.endTime)]
      return row.extendTo ? [todo(decide, `批准延时：${words}`, row.endTime)] : [todo(edit, `完工确认：${words}`, row.endTime)]
    case '6':
      return [todo(edit, `超时未关闭：${words}`, row.endTime)]
    default:
      return []
  }
}

export const permitLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(permitMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  overdue: '到时自动结束',
  goOn: '时钟校正，恢复',
}
