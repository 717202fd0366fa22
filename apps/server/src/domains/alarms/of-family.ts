import { emptyOption } from '@zhugong/contract/kit/fields'
import type { CauseSource } from '@zhugong/contract/monitoring/exceed-causes'
import { findingKinds } from '@zhugong/contract/monitoring/finding-kinds'
import { type RawBuilder, sql } from 'kysely'
import { anywhere, type Condition, condition } from '#kit/list'

/** Columns of an alarm `a` that exist only for its family, each read from the family's table. */
export interface OfFamily {
  crane: {
    driverName: string | null
    cycleNo: string | null
    otherCrane: string | null
    clearance: number | null
    zoneName: string | null
  } | null
  cause: { source: CauseSource; text: string; byName: string; at: number } | null
  finding: { code: string; text: string; byName: string; at: number } | null
  permitNo: string | null
  loss: { tonnes: number; price: number | null; amount: number | null; checked: boolean } | null
}

const used = (key: string): RawBuilder<string> => sql<string>`(a.values_used ->> ${sql.lit(key)})`
const numberUsed = (key: string): RawBuilder<number> =>
  sql<number>`(case when jsonb_typeof(a.values_used -> ${sql.lit(key)}) = 'number' then (a.values_used ->> ${sql.lit(key)})::float8 end)`

/**
 * Upper limit of a lift's duration. Lifts are stored when they end: the query takes the first that ended after the alarm began, if it
 * started before.
 */
const longestLift = '6 hours'
const liftField = (field: 'cycleNo' | 'driverName') => sql<string>`(select case when l.ts - make_interval(secs =>
      case when jsonb_typeof(l.data -> 'durationSeconds') = 'number' then least((l.data ->> 'durationSeconds')::float8, 86400) else 0 end) <= a.start_time
    then l.data ->> ${sql.lit(field)} end
  from device_record l where l.device_id = a.device_id and l.record = 'workingCycle' and l.ts >= a.start_time
    and l.ts < a.start_time + ${sql.lit(longestLift)}::interval order by l.ts limit 1)`

/** The driver reported by the crane at that time, otherwise the one in the lift's record. */
const driver = sql<string>`coalesce(nullif(${used('driverName')}, ''), ${liftField('driverName')}, '')`
const cycleNo = liftField('cycleNo')

const newestCause = (column: RawBuilder<unknown>) =>
  sql`(select ${column} from exceed_cause x where x.alarm_id = a.id order by x.at desc, x.id desc limit 1)`
const found = Object.keys(findingKinds)
const newestFinding = (column: RawBuilder<unknown>) =>
  sql`(select ${column} from alarm_finding y where y.alarm_id = a.id order by y.at desc, y.id desc limit 1)`
const permit = sql<string>`(select n.permit_no from night_permit n where n.project_code = a.project_code and n.void_at is null
  and n.from_time <= a.start_time and n.until_time > a.start_time order by n.from_time desc limit 1)`

/** The result of checking the weigh ticket; without one, the shortage at the last known price of the material. */
const loss = sql`(select jsonb_build_object('tonnes', round(t.tonnes::numeric, 3)::float8, 'price', t.price, 'amount', round((t.tonnes * t.price)::numeric, 2)::float8,
    'checked', t.checked)
  from (select coalesce(c.short_weight, ${numberUsed('plannedWeight')} - ${numberUsed('netWeight')}) as tonnes, c.short_weight is not null as checked,
      coalesce(c.unit_price, (select p.unit_price from weigh_check p join device_record pr on pr.device_id = p.device_id and pr.ts = p.ts and pr.id = p.record_id
        where p.project_code = a.project_code and p.unit_price is not null and pr.data ->> 'goodsName' = ${used('goodsName')}
        order by p.create_time desc, p.id desc limit 1))::float8 as price
    from (select 1) one left join lateral (select k.short_weight, k.unit_price from device_record r join weigh_check k on k.device_id = r.device_id and k.ts = r.ts and k.record_id = r.id
      where r.device_id = a.device_id and r.record = 'weighRecord' and r.ts >= a.start_time - interval '1 hour' and r.ts <= a.fire_time + interval '1 hour'
        and r.data ->> 'recordNo' = ${used('recordNo')} order by k.create_time desc, k.id desc limit 1) c on true) t where t.tonnes > 0)`

export const familyColumns = sql`case when a.family = 'towerCrane' then jsonb_build_object('driverName', nullif(${driver}, ''), 'cycleNo', ${cycleNo},
    'otherCrane', ${used('otherCrane')}, 'clearance', ${numberUsed('clearance')}, 'zoneName', ${used('zoneName')}) end as crane,
  case when a.family = 'environment' then ${newestCause(sql`jsonb_build_object('source', x.source, 'text', x.text, 'byName', x.by_name,
    'at', (extract(epoch from x.at) * 1000)::bigint)`)} end as cause,
  case when a.family = any (${found}) then ${newestFinding(sql`jsonb_build_object('code', y.code, 'text', y.text, 'byName', y.by_name,
    'at', (extract(epoch from y.at) * 1000)::bigint)`)} end as finding,
  case when a.alarm_key = 'noiseNight' then ${permit} end as permit_no,
  case when a.alarm_key = 'shortWeight' then ${loss} end as loss`

export interface FamilyFilter {
  driverName?: string | undefined
  cycleNo?: string | undefined
  otherCrane?: string | undefined
  zoneName?: string | undefined
  clearance?: { low?: number | undefined; high?: number | undefined } | undefined
  cause?: string[] | undefined
  finding?: string[] | undefined
  permitted?: '0' | '1' | undefined
}

const has = (value: RawBuilder<string>, part: string | undefined): Condition[] =>
  part ? [condition(sql`${value} ilike ${anywhere(part)}`)] : []

/** `seen` masks a driver's name as the caller sees it, so that filters match only what is shown. */
export function familyWhere(f: FamilyFilter, seen: (name: RawBuilder<string>) => RawBuilder<string>): Condition[] {
  return [
    ...(f.driverName ? [condition(sql`a.family = 'towerCrane'`), ...has(seen(driver), f.driverName)] : []),
    ...(f.cycleNo ? [condition(sql`a.family = 'towerCrane'`), ...has(cycleNo, f.cycleNo)] : []),
    ...has(used('otherCrane'), f.otherCrane),
    ...has(used('zoneName'), f.zoneName),
    ...(f.clearance?.low === undefined ? [] : [condition(sql`${numberUsed('clearance')} >= ${f.clearance.low}::numeric`)]),
    ...(f.clearance?.high === undefined ? [] : [condition(sql`${numberUsed('clearance')} <= ${f.clearance.high}::numeric`)]),
    ...causeWhere(f.cause),
    ...findingWhere(f.finding),
    ...(f.permitted === undefined
      ? []
      : [condition(sql`a.alarm_key = 'noiseNight'`), condition(sql`(${permit} is not null) = ${f.permitted === '1'}`)]),
  ]
}

/** The empty option matches alarms without a stated cause. */
function causeWhere(sources: string[] | undefined): Condition[] {
  if (!sources?.length) return []
  const said = newestCause(sql`x.source`)
  return [
    condition(sql`a.family = 'environment'`),
    condition(sources.includes(emptyOption) ? sql`${said} is null` : sql`${said} = any (${sources})`),
  ]
}

/** The empty option matches alarms without a finding. */
function findingWhere(codes: string[] | undefined): Condition[] {
  if (!codes?.length) return []
  const said = newestFinding(sql`y.code`)
  return [
    condition(sql`a.family = any (${found})`),
    condition(codes.includes(emptyOption) ? sql`${said} is null` : sql`${said} = any (${codes})`),
  ]
}
