import { compoundSurnames, maskName } from '@zhugong/contract/kit/checks'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import type { Serve } from '#kit/serve'
import type { Handler } from '#kit/serve-dependencies'

/**
 * Personal data of a device. A helmet reports the location and health of its wearer. A regulator sees counts and alarms but no persons; a
 * subcontractor sees only its own people; other users see what their permissions allow.
 * REST, live push, exports, alarms and the frame log all use these functions.
 */
interface Personal {
  place: readonly string[]
  health: readonly string[]
  person: readonly string[]
}
const personalOf: Readonly<Record<string, Personal>> = {
  smartHelmet: {
    place: ['longitude', 'latitude', 'altitude', 'speed', 'direction', 'accuracy'],
    health: ['heartRate', 'bodyTemperature'],
    person: ['workerId'],
  },
  baseStationHelmet: {
    place: ['stationId', 'distance', 'x', 'y'],
    health: [],
    person: ['workerId', 'tagId'],
  },
}
/** Fields with the name of a machine's driver. A regulator sees them masked, like all names. */
const driverFields: Readonly<Record<string, readonly string[]>> = { towerCrane: ['driverName'], lifter: ['driverName'] }
const driverNames: ReadonlySet<string> = new Set(Object.values(driverFields).flat())
/** Machines used by everybody on a site; their data concerns people of all companies. */
const crowded: ReadonlySet<string> = new Set(['faceGate'])

const codeOfPlace = { now: 'helmet.location', past: 'helmet.track' } as const
const codeOfHealth = 'helmet.health'
/** Whether a location is the current one or part of the history. */
type Moment = keyof typeof codeOfPlace

export const isPersonal = (family: string): boolean => family in personalOf
/** Whether the visible data of a family depends on the user. */
export const isVeiled = (family: string): boolean => isPersonal(family) || family in driverFields

/** Personal metrics and fields of a family, which must not be exported. */
export function personalKeys(family: string): readonly string[] {
  const own = personalOf[family]
  return own ? [...own.place, ...own.health, ...own.person] : []
}

/** Metrics that contain a location. */
export const placeKeys = (family: string): readonly string[] => personalOf[family]?.place ?? []

/** The permissions of the user who views data. */
export interface Onlooker {
  isRegulator: boolean
  codes: ReadonlySet<string>
  /** Projects in which only the people of the companies in `corps` are visible. */
  limited: ReadonlySet<string>
  corps: ReadonlySet<string>
}

export const onlookerOf = (ctx: Pick<Context, 'group' | 'codes' | 'scope'>): Onlooker => ({
  isRegulator: ctx.group.type === groupTypes.government,
  codes: ctx.codes,
  limited: new Set(ctx.scope.limited),
  corps: new Set(ctx.scope.corps),
})

export interface Worn {
  id: string
  family: string
  projectCode: string
}

/** Whether the viewer must not know the wearer. `corp` is the wearer's company; an unknown company counts as another one. */
export function isStranger(who: Onlooker, worn: Worn, corp: string | undefined): boolean {
  if (!isPersonal(worn.family)) return false
  return who.isRegulator || (who.limited.has(worn.projectCode) && !(corp !== undefined && who.corps.has(corp)))
}

/** Keys that are hidden from the viewer, or masked if they name a driver; empty if everything is visible. */
export function hiddenKeys(who: Onlooker, worn: Worn, corp: string | undefined, moment: Moment): readonly string[] {
  const own = personalOf[worn.family]
  if (!own) return (who.isRegulator && driverFields[worn.family]) || []
  if (isStranger(who, worn, corp)) return personalKeys(worn.family)
  return [...(who.codes.has(codeOfPlace[moment]) ? [] : own.place), ...(who.codes.has(codeOfHealth) ? [] : own.health)]
}

/** Whether an alarm is about health, so that its value is health data. */
export function tellsHealth(family: string, alarmKey: string): boolean {
  const condition = JSON.stringify(familyOf(family)?.alarms.find((a) => a.key === alarmKey)?.condition ?? null)
  return personalOf[family]?.health.some((metric) => condition.includes(`"${metric}"`)) ?? false
}

export const isHealth = (family: string, metric: string | null): boolean =>
  metric !== null && (personalOf[family]?.health.includes(metric) ?? false)

/**
 * Values without hidden keys; driver names are masked instead. If other keys are hidden, unknown keys are removed too, because a device may
 * send a location under any key.
 */
export function withoutKeys<T extends Record<string, unknown>>(family: string, values: T, hidden: readonly string[]): T {
  if (hidden.length === 0) return values
  if (hidden.every((key) => driverNames.has(key))) return withoutDrivers(values)
  const known = familyOf(family)
  return Object.fromEntries(Object.entries(values).filter(([key]) => !hidden.includes(key) && known?.metric(key))) as T
}

const maskDriver = (name: unknown) => (typeof name === 'string' ? maskName(name) : name)

/** A response with all driver names masked, at any depth. */
export function withoutDrivers<T>(answer: T): T {
  if (Array.isArray(answer)) return answer.map(withoutDrivers) as T
  if (typeof answer !== 'object' || answer === null || Object.getPrototypeOf(answer) !== Object.prototype) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, driverNames.has(key) ? maskDriver(value) : withoutDrivers(value)]),
  ) as T
}

type Looker = Pick<Context, 'group'>
const readsMasked = (ctx: Looker): boolean => ctx.group.type === groupTypes.government

/** The response for this user: driver names are masked for a regulator. */
export const drivenFor = <T>(ctx: Looker, answer: T): T => (readsMasked(ctx) ? withoutDrivers(answer) : answer)

/** Registers a route whose whole response passes through `drivenFor`. */
export function servedDriven(serve: Serve) {
  return <In, P, O>(endpoint: Endpoint<In, P, O>, handler: Handler<P, O>): void =>
    serve(endpoint, async (input, ctx) => drivenFor(ctx, await handler(input, ctx)))
}

/** Name of the row for unrecognised drivers. */
export const unknownDriver = '未识别'

/**
 * Groups by driver. For a regulator names are masked; the key is replaced too, because it may be the name. The row of unrecognised drivers
 * stays.
 */
export const driverGroupsFor = <G extends { key: string; name: string }>(ctx: Looker, groups: readonly G[]): G[] =>
  groups.map((one, n) => (readsMasked(ctx) && one.name !== unknownDriver ? { ...one, key: `driver-${n}`, name: maskName(one.name) } : one))

/** SQL for a driver's name as this user sees it, so that filters match the displayed text. */
export function driverSeen(ctx: Looker, name: RawBuilder<string>): RawBuilder<string> {
  if (!readsMasked(ctx)) return name
  const kept = sql`case when length(${name}) > 2 and left(${name}, 2) = any (${[...compoundSurnames]}) then 2 else 1 end`
  return sql<string>`left(${name}, ${kept}) || repeat('*', length(${name}) - ${kept})`
}

/** Companies of the people who currently wear devices, by device. People who left the site are excluded. */
export async function findWearers(db: Db | Tx, ids?: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; corp: string }>`
    select d.id, pw.corp_code as corp from device d
      join project_worker pw on pw.project_code = d.project_code and pw.worker_id = d.params ->> 'workerId' and pw.exit_time is null
    where d.family = any (${Object.keys(personalOf)}) ${ids ? sql`and d.id = any (${[...ids]})` : sql``} and pw.corp_code is not null`.execute(
    db,
  )
  return new Map(rows.map((r) => [r.id, r.corp]))
}

/** The same as an SQL condition on records `r`: excludes records of people the user must not know. */
export function recordsOfSeen(ctx: Pick<Context, 'group' | 'codes' | 'scope'>): RawBuilder<SqlBool> {
  const who = onlookerOf(ctx)
  const families = Object.keys(personalOf)
  if (who.isRegulator) return sql`(select x.family from device x where x.id = r.device_id) <> all (${families})`
  if (who.limited.size === 0) return sql`true`
  return sql`(r.project_code <> all (${[...who.limited]}) or exists (
    select 1 from device x left join project_worker pw on pw.project_code = x.project_code and pw.worker_id = x.params ->> 'workerId' and pw.exit_time is null
    where x.id = r.device_id and (x.family <> all (${families}) or pw.corp_code = any (${[...who.corps]}))))`
}

/** What a user may see of some devices. */
export interface Veil {
  seesPerson(worn: Worn): boolean
  values<T extends Record<string, unknown>>(worn: Worn, values: T, moment: Moment): T
  seesMetric(worn: Worn, metric: string | null, moment: Moment): boolean
  params(worn: Worn, params: Record<string, unknown>): Record<string, unknown>
  /** A record's visible data: nothing about unknown people; about others without hidden locations and health data. */
  record(worn: Worn, data: Record<string, unknown>): Record<string, unknown>
  /** Raw frames cannot be shown in part. */
  seesFrames(worn: Worn): boolean
}

export async function veilFor(ctx: Pick<Context, 'db' | 'group' | 'codes' | 'scope'>, devices: readonly Worn[]): Promise<Veil> {
  const who = onlookerOf(ctx)
  const narrowed = devices.filter((d) => isPersonal(d.family) && who.limited.has(d.projectCode))
  const corps = narrowed.length
    ? await findWearers(
        ctx.db,
        narrowed.map((d) => d.id),
      )
    : new Map<string, string>()
  const hidden = (worn: Worn, moment: Moment) => hiddenKeys(who, worn, corps.get(worn.id), moment)
  return {
    seesPerson: (worn) => !isStranger(who, worn, corps.get(worn.id)),
    values: (worn, values, moment) => withoutKeys(worn.family, values, hidden(worn, moment)),
    seesMetric: (worn, metric, moment) => metric === null || !hidden(worn, moment).includes(metric),
    params: (worn, params) => (isStranger(who, worn, corps.get(worn.id)) ? without(params, personalKeys(worn.family)) : params),
    record: (worn, data) =>
      isStranger(who, worn, corps.get(worn.id))
        ? {}
        : worn.family in driverFields
          ? withoutKeys(worn.family, data, hidden(worn, 'past'))
          : without(data, hidden(worn, 'past')),
    seesFrames: (worn) => hidden(worn, 'past').length === 0 && !(crowded.has(worn.family) && who.limited.has(worn.projectCode)),
  }
}

const without = <T extends Record<string, unknown>>(values: T, keys: readonly string[]): Record<string, unknown> =>
  keys.length ? Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key))) : values
