import { type CertState, expiringDays, licencesByTrade, licenceTypes } from '@zhugong/contract/personnel/rules'
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '#kit/clock'

/** Sorts after every date: end of a licence without expiry. */
const forEver = '9999-12-31'
const trades = Object.keys(licencesByTrade)

/**
 * Joins the licence required by a stay's trade: `lic.ends` (latest end of an approved one) and `lic.pending`. A licence reported as
 * expired by its issuer ended on its last day, or when that was recorded, whichever is earlier. Only stays with special trades read
 * certificates, so a page of others costs nothing.
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

/** Licence state of a trade on a day. */
export function licenceState(
  workType: string | null,
  lic: LicenceColumns,
  today: string,
): { certState: CertState; certEnd: string | null } {
  if (!workType || !licencesByTrade[workType]) return { certState: 'none', certEnd: null }
  if (!lic.licEnds) return { certState: lic.licPending ? 'pending' : 'missing', certEnd: null }
  const certEnd = lic.licEnds === forEver ? null : lic.licEnds
  if (!certEnd) return { certState: 'valid', certEnd }
  // With a renewal under review the state is pending instead of expired. Until approval the old licence counts.
  if (certEnd < today) return { certState: lic.licPending ? 'pending' : 'expired', certEnd }
  return { certState: certEnd <= addDays(today, expiringDays) ? 'expiring' : 'valid', certEnd }
}

/** The same as an SQL condition, for filters. */
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
  // Own properties only: every object also has `constructor`.
  return (Object.hasOwn(conditions, state) && conditions[state]) || sql`false`
}
/** Condition: the required licence is valid on the day, or none is required. */
export const licenceHolds = (stay: string, today: string): RawBuilder<unknown> =>
  sql`(${sql.ref(`${stay}.workType`)} is null or ${sql.ref(`${stay}.workType`)} not in (${sql.join(trades.map((t) => sql.lit(t)))}) or coalesce(lic.ends >= ${today}::date, false))`
