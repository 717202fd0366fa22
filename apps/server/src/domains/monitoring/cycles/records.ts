import { type RawBuilder, sql } from 'kysely'
import { anywhere, type Condition, condition } from '#kit/list'
import { unknownDriver } from '../../readings/public.ts'
import { field, fieldTrue, numericField } from '../shared/record-fields.ts'

/**
 * SQL of working cycles: records `workingCycle` of cranes and lifts, aliased `r`, with their device `d`. A crane's cycle is one lift of a
 * load, a lift's cycle one run of a cage.
 */
export const seconds = numericField('durationSeconds')
/** No driver was recognised in the cycle. */
export const unrecognised = sql`coalesce(${field('driverName')}, ${field('driverId')}, '') = ''`
/** End of the cycle as a timestamp in Asia/Shanghai. */
export const local = sql`r.ts at time zone 'Asia/Shanghai'`

interface CycleFilter {
  driverName?: string | undefined
  /** SQL of the driver's name as this user sees it; by default the name in the record. */
  driverSeen?: RawBuilder<string> | undefined
  illegal?: string | undefined
}

/** Conditions that the cycles of all families share. */
export const cycleConditions = (f: CycleFilter): Condition[] => [
  ...(f.driverName ? [condition(sql`${f.driverSeen ?? field('driverName')} ilike ${anywhere(f.driverName)}`)] : []),
  ...fieldTrue('illegal', f.illegal),
]

/** What cycles are grouped by: the key of a group, and its name on the page. */
export interface Grouping {
  key: RawBuilder<unknown>
  name: RawBuilder<unknown>
}

const driver = sql`coalesce(nullif(${field('driverId')}, ''), ${field('driverName')}, '')`
const driverName = sql`coalesce(max(nullif(${field('driverName')}, '')), ${unknownDriver})`
export const hour = sql`to_char(${local}, 'HH24')`
const day = sql`to_char(${local}, 'YYYY-MM-DD')`

/** Groupings that all families offer. Cycles without a recognised driver form a group of their own. */
export const commonGroupings = {
  driver: { key: driver, name: driverName },
  device: { key: sql`r.device_id`, name: sql`max(d.name)` },
  hour: { key: hour, name: sql`max(${hour} || ' 时')` },
  day: { key: day, name: sql`max(${day})` },
  'day,device,driver': { key: sql`${day} || '/' || d.name || '/' || ${driver}`, name: driverName },
} satisfies Record<string, Grouping>

/** Groups of ten percent of the rated value: 0, 10, 20 ... */
export function tenths(percent: RawBuilder<unknown>): Grouping {
  const tenth = sql`(floor(coalesce(${percent}, 0) / 10) * 10)::int`
  return { key: sql`lpad(${tenth}::text, 3, '0')`, name: sql`max(${tenth}) || ' %'` }
}

/** Figures of a group that all families have. */
export interface CycleGroup {
  key: string
  name: string
  deviceNames: string[]
  /** Null if the group spans several projects. */
  projectCode: string | null
  days: number
  count: number
  seconds: number
  unrecognised: number
  illegal: number
}

/** More groups than this are not listed. */
const mostGroups = 2_000

/** Select list and order of a query that groups cycles; the family adds its own figures. */
export const groupColumns = ({ key, name }: Grouping, illegal: RawBuilder<unknown>) => sql`
  ${key} as key, ${name} as name, array_agg(distinct d.name) as device_names,
  case when count(distinct r.project_code) = 1 then max(r.project_code) end as project_code, count(distinct (${local})::date)::int as days,
  count(*)::int as count, coalesce(sum(${seconds}), 0) as seconds, count(*) filter (where ${unrecognised})::int as unrecognised,
  count(*) filter (where ${illegal})::int as illegal`
export const groupTail = sql`group by 1 order by 1 limit ${mostGroups}`

/** Drivers and machines in order of their violation rate, everything else by key. */
export const inGroupOrder = <Group extends { key: string; illegalPercent: number }>(
  groups: Group[],
  by: string,
  countOf: (group: Group) => number,
): Group[] =>
  by === 'driver' || by === 'device'
    ? groups.sort((a, b) => b.illegalPercent - a.illegalPercent || countOf(b) - countOf(a) || (a.key < b.key ? -1 : 1))
    : groups
