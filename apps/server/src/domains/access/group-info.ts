import { type RestDays, weekends } from '@zhugong/contract/kit/rest-days'
import { type GroupInfo, groupInfo, inheritedInfo, type ShownInfo } from '@zhugong/contract/organisation/group-info'
import { type MapType, mapTypes } from '@zhugong/contract/organisation/map-type'
import { sql } from 'kysely'
import type { Db, Row, Tx } from '#kit/db'
import { brandsAbove } from './brand-chain.ts'

type Tenant = Pick<Row<'tenant'>, 'name' | 'settings'>

/** What a group has said of itself, as stored; what an older form of it lacks is empty. */
export const infoOf = (tenant: Pick<Tenant, 'settings'>): GroupInfo => groupInfo.parse(tenant.settings.info ?? {})

/** For each part that is taken from above where it is empty: the nearest that has it. */
export function infoAbove(above: readonly Tenant[]) {
  return Object.fromEntries(
    inheritedInfo.map((part) => {
      const from = above.find((one) => infoOf(one)[part])
      return [part, from ? { value: infoOf(from)[part] ?? '', fromName: from.name } : null]
    }),
  ) as Record<(typeof inheritedInfo)[number], { value: string; fromName: string } | null>
}

/** What the group's people are told. `today`: yyyy-MM-dd. */
export function shownInfoOf(tenant: Tenant, above: readonly Tenant[], today: string): ShownInfo {
  const own = infoOf(tenant)
  const upper = infoAbove(above)
  const parts = Object.fromEntries(inheritedInfo.map((part) => [part, own[part] ?? upper[part]?.value ?? null])) as Omit<
    ShownInfo,
    'notice'
  >
  return { ...parts, notice: own.notice && own.noticeUntil && own.noticeUntil >= today ? own.notice : null }
}

/** What the nearest of some groups has chosen; `fromName` null where none has. */
function chosenAbove<T>(above: readonly Tenant[], of: (info: GroupInfo) => T | null, usual: T): { value: T; fromName: string | null } {
  for (const one of above) {
    const value = of(infoOf(one))
    if (value !== null) return { value, fromName: one.name }
  }
  return { value: usual, fromName: null }
}
export const mapTypeAbove = (above: readonly Tenant[]) => chosenAbove<MapType>(above, (info) => info.mapType, mapTypes.module)
export const calendarAbove = (above: readonly Tenant[]) => chosenAbove<RestDays>(above, (info) => info.calendar, weekends)

/** The ground a group's maps are drawn on: its own choice, else the nearest above. */
export const shownMapType = (tenant: Tenant, above: readonly Tenant[]): MapType => mapTypeAbove([tenant, ...above]).value

/** The days of rest a group keeps: its own working calendar, else the nearest above, else the weekends; and whose it is. */
export async function calendarFor(db: Db | Tx, groupId: string): Promise<{ value: RestDays; fromName: string | null }> {
  const tenant = await db.selectFrom('tenant').selectAll().where('id', '=', groupId).executeTakeFirst()
  return calendarAbove(tenant ? [tenant, ...(await brandsAbove(db, tenant))] : [])
}
export const calendarOf = async (db: Db | Tx, groupId: string): Promise<RestDays> => (await calendarFor(db, groupId)).value
/** The deployment's own: what terms in working days of the law are counted by. */
export async function commonCalendar(db: Db | Tx): Promise<RestDays> {
  const { rows } = await sql<{ calendar: RestDays | null }>`select zg_common_calendar() as calendar`.execute(db)
  return rows[0]?.calendar ?? weekends
}
