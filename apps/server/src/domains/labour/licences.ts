import { type CertState, expiringDays, licencesByTrade, licenceTypes } from '@zhugong/contract/personnel/rules'
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '#kit/clock'

/** Ends after every date: a licence without an end. */
const forEver = '9999-12-31'
const trades = Object.keys(licencesByTrade)

/**
 * Joins what is known of the licence a stay's trade asks for: `lic.ends` (the latest end of a passed one) and `lic.pending`. One that its
 * issuer calls expired has ended on its last day, or at the latest when that was written down.
 * Only special trades look at certificates at all, so that a page of other people costs nothing.
 */
export const joinLicence = (stay: string): RawBuilder<unknown> => {
  const trade = sql.ref(`${stay}.workType`)
  const kinds = sql.join(
    trades.map((code) => sql`when ${sql.lit(code)} then ${sql.lit(`{${licencesByTrade[code]?.join(',')}}`)}::text[]`),
    sql` `,
  )
  return sql`left join lateral (
    select max(case c.status when '1' then coalesce(c.valid_end, ${sql.lit(forEver)}::date)
        else least(c.valid_end, coalesce(c.update_time, c.create_time)::date) end) filter (where c.audit_status = '1' and c.status in ('1', '4')) as ends,
      bool_or(c.audit_status = '0') as pending
    from worker_cert c where c.worker_id = ${sql.ref(`${stay}.workerId`)} and c.cert_type in (${sql.join(licenceTypes.map((t) => sql.lit(t)))})
      and left(c.special_type, 2) = any (case ${trade} ${kinds} end)
  ) lic on ${trade} in (${sql.join(trades.map((t) => sql.lit(t)))})`
}

export interface LicenceColumns {
  licEnds: string | null
  licPending: boolean | null
}
export const licenceColumns = sql`lic.ends as lic_ends, lic.pending as lic_pending`

/** State by trade and licence on a day. */
export function licenceState(
  workType: string | null,
  lic: LicenceColumns,
  today: string,
): { certState: CertState; certEnd: string | null } {
  if (!workType || !licencesByTrade[workType]) return { certState: 'none', certEnd: null }
  if (!lic.licEnds) return { certState: lic.licPending ? 'pending' : 'missing', certEnd: null }
  const certEnd = lic.licEnds === forEver ? null : lic.licEnds
  if (!certEnd) return { certState: 'valid', certEnd }
  // A new licence in review keeps an expired one from being a mere gap; the old one still counts until the new one has passed.
  if (certEnd < today) return { certState: lic.licPending ? 'pending' : 'expired', certEnd }
  return { certState: certEnd <= addDays(today, expiringDays) ? 'expiring' : 'valid', certEnd }
}

/** The same as a condition, for filters: one per state asked for. */
export function licenceIs(stay: string, state: string, today: string): RawBuilder<unknown> {
  const special = sql`${sql.ref(`${stay}.workType`)} in (${sql.join(trades.map((t) => sql.lit(t)))})`
  const soon = addDays(today, expiringDays)
  const conditions: Record<string, RawBuilder<unknown>> = {
    none: sql`(${sql.ref(`${stay}.workType`)} is null or not ${special})`,
    valid: sql`(${special} and lic.ends > ${soon}::date)`,
    expiring: sql`(${special} and lic.ends between ${today}::date and ${soon}::date)`,
    expired: sql`(${special} and lic.ends < ${today}::date and not coalesce(lic.pending, false))`,
    pending: sql`(${special} and lic.pending and (lic.ends is null or lic.ends < ${today}::date))`,
    missing: sql`(${special} and lic.ends is null and not coalesce(lic.pending, false))`,
  }
  // Of its own: every object answers to `constructor` as well.
  return (Object.hasOwn(conditions, state) && conditions[state]) || sql`false`
}
/** Whether the licence asked for holds on a day, or none is asked for. */
export const licenceHolds = (stay: string, today: string): RawBuilder<unknown> =>
  sql`(${sql.ref(`${stay}.workType`)} is null or ${sql.ref(`${stay}.workType`)} not in (${sql.join(trades.map((t) => sql.lit(t)))}) or coalesce(lic.ends >= ${today}::date, false))`
