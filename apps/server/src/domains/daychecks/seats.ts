import { submittedDayStates } from '@zhugong/contract/daychecks/moves'
import { dayCheckSeatRights as rights } from '@zhugong/contract/daychecks/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { checkContent } from '../checks/public.ts'
import type { Seat } from '../process/public.ts'
import type { DayCheck } from './day-check.ts'

/** What officers and parties sign, and what the printed record says: the check as submitted. */
export async function dayCheckContent(ctx: Pick<Context, 'db'>, row: DayCheck) {
  type Frozen = Pick<Row<'checkScore'>, 'score' | 'grade' | 'reason'>
  const { rows: scores } = await sql<Frozen>`select score, grade, reason from check_score where check_id = ${row.id}`.execute(ctx.db)
  const { rows: checks } = await sql<Row<'siteCheck'>>`select * from site_check where id = ${row.id}`.execute(ctx.db)
  const [check] = checks
  const { code, discipline, conclusion } = row
  return { ...(check ? await checkContent(ctx, check) : {}), code, discipline, conclusion, ...scores[0] }
}

/** The seats of a daily check: its officers by name, 项目负责人, and 总监理工程师 where the site has one. */
export async function dayCheckSeats(ctx: Pick<Context, 'db'>, row: DayCheck): Promise<readonly Seat[]> {
  const content = await dayCheckContent(ctx, row)
  const party = { tablet: rights.checker, refuses: rights.checker, from: submittedDayStates, content }
  return [
    ...row.checkers.map((name, i) => ({
      seat: `checker${i + 1}`,
      role: '监督人员',
      own: rights.checker,
      tablet: rights.checker,
      from: submittedDayStates,
      expects: name,
      content,
    })),
    { ...party, seat: 'site', role: '项目负责人', own: rights.site },
    ...(row.supervised ? [{ ...party, seat: 'supervisor', role: '总监理工程师', own: rights.supervisor }] : []),
  ]
}
