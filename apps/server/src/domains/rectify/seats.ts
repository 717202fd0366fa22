import { rectifySeatRights as rights } from '@zhugong/contract/rectify/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db as Database, Row } from '#kit/db'
import type { Seat } from '../process/public.ts'

type Db = { db: Context['db'] | Database }
type Notice = Row<'rectify'>

const issued = ['1', '2', '3', '4', '5', '6', '7'] as const
const received = issued.slice(1)
export const receiverSeat = 'receiver'

/** What a notice says, as printed. An extension moves the deadline by a decision of its own; what was received stays what it was. */
export async function noticeContent(ctx: Db, row: Notice) {
  const { rows } = await sql<Pick<Row<'rectifyLine'>, 'seq' | 'part' | 'description' | 'clause' | 'requirement' | 'person'>>`
    select seq, part, description, clause, requirement, person from rectify_line where rectify_id = ${row.id} order by seq`.execute(ctx.db)
  const { code, projectCode, corpCode, noticeType, category, level, majorClause, checkDate, responsiblePerson, issueTime } = row
  return { code, projectCode, corpCode, noticeType, category, level, majorClause, checkDate, responsiblePerson, issueTime, lines: rows }
}

/** What was answered in a round, and how it was judged. */
export async function roundContent(ctx: Db, id: string, round: number) {
  type Answer = Pick<Row<'rectifyAnswer'>, 'lineId' | 'measure' | 'photos' | 'doneDate' | 'recheckPassed' | 'recheckOpinion'>
  const { rows } = await sql<Answer>`select line_id, measure, photos, done_date, recheck_passed, recheck_opinion from rectify_answer
    where rectify_id = ${id} and round = ${round} and not draft order by line_id`.execute(ctx.db)
  return { id, round, answers: rows }
}

/** The seats of a notice: its issuer (an authority signs with two), its receiver, and the officers of every recheck. */
export async function rectifySeats(ctx: Db, row: Notice): Promise<readonly Seat[]> {
  const content = await noticeContent(ctx, row)
  const isGov = row.origin === 'gov'
  const issuer: Seat = {
    seat: 'issuer',
    role: isGov ? '监督员' : '下发人',
    own: rights.issuer,
    from: issued,
    expects: row.issuerName,
    known: row.issueTime ? { name: row.issuerName, at: row.issueTime } : undefined,
    content,
  }
  const second: Seat = {
    seat: 'issuer2',
    role: '第二名监督员',
    own: rights.issuer,
    tablet: rights.issuer,
    from: issued,
    notBy: row.issuerName,
    content,
  }
  const receiver: Seat = {
    seat: receiverSeat,
    role: '受送达人',
    own: rights.receiver,
    tablet: rights.issuer,
    // Before it is received, 签收, 当面送达 and 拒签 sign: they move the notice on.
    from: received,
    known: row.receiveTime ? { name: row.deemed ? '视同送达' : (row.receiver ?? ''), at: row.receiveTime } : undefined,
    content,
  }
  return [issuer, ...(isGov ? [second] : []), receiver, ...(await officersOf(ctx, row))]
}

async function officersOf(ctx: Db, row: Notice): Promise<Seat[]> {
  type Judged = Pick<Row<'rectifyReply'>, 'round' | 'recheckBy' | 'second' | 'recheckAt'>
  const { rows } = await sql<Judged>`select round, recheck_by, second, recheck_at from rectify_reply
    where rectify_id = ${row.id} and recheck_passed is not null and recheck_by is not null order by round`.execute(ctx.db)
  const seats: Seat[] = []
  for (const { round, recheckBy, second, recheckAt } of rows) {
    const content = await roundContent(ctx, row.id, round)
    const names = [recheckBy, ...(row.origin === 'gov' ? [second] : [])]
    for (const [i, name] of names.entries())
      if (name && recheckAt)
        seats.push({
          seat: `recheck${round}.${i + 1}`,
          role: `第 ${round} 轮复查人`,
          own: rights.officer,
          tablet: i > 0 ? rights.officer : undefined,
          from: issued,
          expects: name,
          known: { name, at: recheckAt },
          content,
        })
  }
  return seats
}
