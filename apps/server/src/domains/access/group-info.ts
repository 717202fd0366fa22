import { type GroupInfo, groupInfo, inheritedInfo, type ShownInfo } from '@zhugong/contract/organisation/group-info'
import type { Row } from '#kit/db'

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
