import { type RestDays, weekends } from '@zhugong/contract/kit/rest-days'
import { type GroupInfo, groupInfo, inheritedInfo, type ShownInfo } from '@zhugong/contract/organisation/group-info'
import { type MapType, mapTypes } from '@zhugong/contract/organisation/map-type'
import { sql } from 'kysely'
import type { Db, Row, Tx } from '#kit/db'
import { brandsAbove } from './brand-chain.ts'

type Tenant = Pick<Row<'tenant'>, 'name' | 'settings'>

/** The information a group has stored about itself; missing fields are empty. */
export const infoOf = (tenant: Pick<Tenant, 'settings'>): GroupInfo => groupInfo.parse(tenant.settings.info ?? {})

/** For each part that is inherited if empty: the nearest group above that has it. */
export function infoAbove(above: readonly Tenant[]) {
  return Object.fromEntries(
    inheritedInfo.map((part) => {
      const from = above.find((one) => infoOf(one)[part])
      return [part, from ? { value: infoOf(from)[part] ?? '', fromName: from.name } : null]
    }),
  ) as Record<(typeof inheritedInfo)[number], { value: string; fromName: string } | null>
}

/** The information shown to the group's users. `today`: yyyy-MM-dd. */
export function shownInfoOf(tenant: Tenant, above: readonly Tenant[], today: string): ShownInfo {
  const own = infoOf(tenant)
  const upper = infoAbove(above)
  const parts = Object.fromEntries(inheritedInfo.map((part) => [part, own[part] ?? upper[part]?.value ?? null])) as Omit<
    ShownInfo,
    'notice'
  >
  return { ...parts, notice: own.notice && own.noticeUntil && own.noticeUntil >= today ? own.notice : null }
}

/** The value of the nearest group that has set one; `fromName` is null if none has. */
function chosenAbove<T>(above: readonly Tenant[], of: (info: GroupInfo) => T | null, usual: T): { value: T; fromName: string | null } {
  for (const one of above) {
    const value = of(infoOf(one))
    if (value !== null) return { value, fromName: one.name }
  }
  return { value: usual, fromName: null }
}
export const mapTypeAbove = (above: readonly Tenant[]) => chosenAbove<MapType>(above, (info) => info.mapType, mapTypes.module)
export const calendarAbove = (above: readonly Tenant[]) => chosenAbove<RestDays>(above, (info) => info.calendar, weekends)

/** Base map of a group: its own choice, else that of the nearest group above. */
export const shownMapType = (tenant: Tenant, above: readonly Tenant[]): MapType => mapTypeAbove([tenant, ...above]).value

/** Rest days of a group and the name of the group that set them: its own working calendar, else the nearest above, else weekends. */
export async function calendarFor(db: Db | Tx, groupId: string): Promise<{ value: RestDays; fromName: string | null }> {
  const tenant = await db.selectFrom('tenant').selectAll().where('id', '=', groupId).executeTakeFirst()
  return calendarAbove(tenant ? [tenant, ...(await brandsAbove(db, tenant))] : [])
}
export const calendarOf = async (db: Db | Tx, groupId: string): Promise<RestDays> => (await calendarFor(db, groupId)).value
/** The calendar of the deployment, used for legal terms counted in working days. */
export async function commonCalendar(db: Db | Tx): Promise<RestDays> {
  const { rows } = await sql<{ calendar: RestDays | null }>`select zg_common_calendar() as calendar`.execute(db)
  return rows[0]?.calendar ?? weekends
}
