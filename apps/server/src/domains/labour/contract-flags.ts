import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'

/** Contracts that began or ended in this many past days are checked; covers a downtime of the jobs role. */
const lookBackDays = 31

/** Condition: a contract is in force on the day. A future contract does not count. */
const inForce = (today: string): RawBuilder<boolean> => sql`exists (
  select 1 from worker_contract c where c.worker_id = w.worker_id and c.project_code = w.project_code and c.start_date <= ${today}::date
    and (c.end_date is null or c.end_date >= ${today}::date) and (c.terminate_date is null or c.terminate_date > ${today}::date))`

/**
 * Updates `hasContract` from the person's contracts at the project. The way of payment is taken from the newest contract if the stay
 * has none.
 */
export async function refreshContractFlag(ctx: Pick<Context, 'db' | 'clock'>, workerId: string, projectCode: string): Promise<void> {
  const today = formatDay(ctx.clock.now())
  await sql`
    update project_worker w set has_contract = ${inForce(today)},
      payment_type = coalesce(w.payment_type, (
        select c.payment_type from worker_contract c
        where c.worker_id = w.worker_id and c.project_code = w.project_code and c.corp_code = w.corp_code
          and (c.end_date is null or c.end_date >= ${today}::date) and (c.terminate_date is null or c.terminate_date > ${today}::date)
        order by c.start_date desc, c.id desc limit 1))
    where w.worker_id = ${workerId} and w.project_code = ${projectCode} and w.exit_time is null`.execute(ctx.db)
}

/** Does the same for contracts that began or ended by date. Returns the number of people affected. */
export async function turnContractFlags(db: Db, now: number): Promise<number> {
  const today = formatDay(now)
  const from = addDays(today, -lookBackDays)
  const done = await sql`
    update project_worker w set has_contract = ${inForce(today)}
    where w.exit_time is null and w.has_contract <> ${inForce(today)} and exists (
      select 1 from worker_contract c where c.worker_id = w.worker_id and c.project_code = w.project_code
        and (c.start_date between ${from}::date and ${today}::date or c.end_date between ${from}::date and ${today}::date
          or c.terminate_date between ${from}::date and ${today}::date))`.execute(db)
  return Number(done.numAffectedRows ?? 0n)
}
