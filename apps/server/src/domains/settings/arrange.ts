import type { ArrangedEntry } from '@zhugong/contract/settings/own-dictionaries'
import type { OwnDictionary } from './tables.ts'

/** The changes one group makes to a dictionary. */
export interface Layer extends OwnDictionary {
  groupId: string
  groupName: string
}
interface Delivered {
  code: string
  name: string
  parent?: string | undefined
  hidden?: boolean | undefined
}

/**
 * A dictionary as a group's users see it: the default entries and those added by each group from the root down. Entries disabled by any of
 * them are marked and kept, because old records refer to them. The order is that of the nearest group that defines one.
 */
export function arrange(delivered: readonly Delivered[], layers: readonly Layer[], ownGroupId: string): ArrangedEntry[] {
  const entries: ArrangedEntry[] = [
    ...delivered.map(({ code, name, parent, hidden }) => ({
      code,
      name,
      parent: parent ?? null,
      fromName: null,
      own: false,
      off: hidden === true,
      offBy: hidden ? '产品' : null,
    })),
    ...layers.flatMap(({ groupId, groupName, own }) =>
      own.map(({ code, name, parent, off }) => {
        const mine = groupId === ownGroupId
        return { code, name, parent, fromName: groupName, own: mine, off, offBy: off && !mine ? groupName : null }
      }),
    ),
  ]
  const arranged = entries.map((entry) => {
    const by = layers.filter(({ off }) => off.includes(entry.code))
    const above = by.find(({ groupId }) => groupId !== ownGroupId)
    return by.length ? { ...entry, off: true, offBy: entry.offBy ?? above?.groupName ?? null } : entry
  })
  const order = layers.findLast((layer) => layer.order.length > 0)?.order
  if (!order) return arranged
  const places = new Map(order.map((code, i) => [code, i]))
  const placeOf = ({ code }: ArrangedEntry) => places.get(code) ?? order.length
  return arranged.toSorted((a, b) => placeOf(a) - placeOf(b))
}
