import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, condition, contains, equals, inProjects, orderBy } from '#kit/list'
import { type RecordRow, toRecord } from '../shared/device-records.ts'
import type { Period } from '../shared/period.ts'
import { fieldAnyOf, numericField, type Range, within } from '../shared/record-fields.ts'

export interface SprayFilter {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  deviceName?: string | undefined
  trigger?: readonly string[] | undefined
  durationSeconds?: Range | undefined
  waterVolume?: Range | undefined
  effect?: Range | undefined
}
type SpraySort = 'time' | 'startTime' | 'durationSeconds' | 'waterVolume'

/**
 * A run started by the platform is also reported by the spray line at nearly the same time. Both are one run; only the platform's record has the
 * reason.
 */
const byLinkage = (alias: string) => sql`starts_with(${sql.ref(`${alias}.id`)}, 'linkage:')`
const together = (a: string, b: string) =>
  sql`${sql.ref(`${b}.deviceId`)} = ${sql.ref(`${a}.deviceId`)} and ${sql.ref(`${b}.record`)} = 'sprayRecord'
    and ${sql.ref(`${b}.ts`)} between ${sql.ref(`${a}.ts`)} - interval '90 seconds' and ${sql.ref(`${a}.ts`)} + interval '90 seconds'`
export const runTables = sql`device_record r left join lateral (select t.data from device_record t where ${byLinkage('r')} and ${together('r', 't')} and not ${byLinkage('t')}
    order by abs(extract(epoch from t.ts - r.ts)) limit 1) told on true`
const tables = sql`${runTables} join device d on d.id = r.device_id join project p on p.project_code = r.project_code`
/** SQL: whether a record counts as a run: the platform's record, or the line's if there is no platform record. */
export const isRun = sql<boolean>`(r.record = 'sprayRecord' and (${byLinkage('r')} or not exists (select 1 from device_record k where ${together('r', 'k')} and ${byLinkage('k')})))`
/** The platform's record with the line's measurements added. */
export const runData = sql`coalesce(told.data, '{}'::jsonb) || r.data`
const seconds = numericField('durationSeconds')
const water = sql<number>`coalesce(${numericField('waterVolume')}, case when jsonb_typeof(told.data -> 'waterVolume') = 'number' then (told.data ->> 'waterVolume')::float8 end)`
const effect = sql<number>`(${numericField('pm10Before')} - ${numericField('pm10After')}) / nullif(${numericField('pm10Before')}, 0) * 100`

/** Condition shared by list, sums and export. */
const runWhere = (f: SprayFilter) =>
  allOf(
    condition(isRun),
    ...equals('r.device_id', f.deviceId),
    ...inProjects('r.project_code', f.projects),
    condition(sql`r.ts >= ${new Date(f.period.from)} and r.ts < ${new Date(f.period.to)}`),
    ...contains('d.name', f.deviceName),
    ...fieldAnyOf('trigger', f.trigger),
    ...within(seconds, f.durationSeconds),
    ...within(water, f.waterVolume),
    ...within(effect, f.effect),
  )

export async function findSprayRuns(
  db: Tx,
  filter: SprayFilter,
  slice: { limit: number; offset: number },
  sort: SpraySort | `-${SpraySort}` | undefined,
) {
  const where = runWhere(filter)
  const order = orderBy(
    sort,
    { time: 'r.ts!', startTime: 'r.ts!', durationSeconds: seconds, waterVolume: water },
    '-startTime',
    'r.deviceId',
  )
  const { rows } = await sql<RecordRow>`
    select r.id, r.device_id, d.name as device_name, r.project_code, p.name as project_name, r.record, r.ts, r.received_at, ${runData} as data
    from ${tables} where ${where} order by ${order}, r.id limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const { rows: counts } = await sql<{ runs: number; seconds: number | null; water: number | null; effect: number | null }>`
    select count(*)::int as runs, sum(${seconds}) as seconds, sum(${water}) as water, avg(${effect}) as effect from ${tables} where ${where}`.execute(
    db,
  )
  const sums = counts[0] ?? { runs: 0, seconds: 0, water: 0, effect: null }
  return {
    list: rows.map(toRecord),
    total: sums.runs,
    sums: {
      runs: sums.runs,
      seconds: Math.round(sums.seconds ?? 0),
      water: Math.round((sums.water ?? 0) * 100) / 100,
      effect: sums.effect === null ? null : Math.round(sums.effect * 10) / 10,
    },
  }
}
