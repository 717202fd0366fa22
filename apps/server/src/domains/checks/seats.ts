import { checkSeatRights as rights } from '@zhugong/contract/checks/seats'
import type { SeatRight } from '@zhugong/contract/kit/signatures'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { Seat } from '../process/public.ts'

type Check = Row<'siteCheck'>

const submitted = ['1', '2', '3', '4', '5', '6', '7']

/** What a check found, as it was submitted. */
export async function checkContent(ctx: Pick<Context, 'db'>, row: Check) {
  type Problem = Pick<Row<'siteCheckProblem'>, 'seq' | 'part' | 'description' | 'requirement' | 'corpCode' | 'deadline' | 'dangerLevel'>
  const { rows } = await sql<Problem>`select seq, part, description, requirement, corp_code, deadline, danger_level
    from site_check_problem where check_id = ${row.id} order by seq`.execute(ctx.db)
  const { code, projectCode, inspectType, checkTime, checkers, part, remark } = row
  return { code, projectCode, inspectType, checkTime, checkers, part, remark, problems: rows }
}

/** Seats of whoever checked, by name, on their own accounts or one after another on one device. */
export const checkerSeats = (row: Check, content: unknown, right: SeatRight = rights.checker): Seat[] =>
  row.checkers.map((name, i) => ({
    seat: `checker${i + 1}`,
    role: '检查人',
    own: right,
    tablet: right,
    from: submitted,
    expects: name,
    known: { name, at: row.checkTime },
    content,
  }))

/** The seat of the checked side; it may refuse, which the checkers record with a witness. */
export const siteSeat = (role: string, content: unknown): Seat => ({
  seat: 'site',
  role,
  own: rights.site,
  tablet: rights.checker,
  refuses: rights.checker,
  from: submitted,
  content,
})

/** The seats of a patrol: its checkers, and who of the site went with them. */
export async function patrolSeats(ctx: Pick<Context, 'db'>, row: Check): Promise<readonly Seat[]> {
  const content = await checkContent(ctx, row)
  return [...checkerSeats(row, content), siteSeat('陪同人', content)]
}
