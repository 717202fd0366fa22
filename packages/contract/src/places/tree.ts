import { type PlaceKind, placeKinds } from './kinds.ts'
import type { SitePlace } from './places.ts'

/** What a place may stand in; null: it stands alone. */
const parents: Readonly<Record<PlaceKind, readonly (PlaceKind | null)[]>> = {
  building: [null],
  unit: ['building'],
  floor: ['building', 'unit'],
  room: ['floor', 'area'],
  area: [null, 'area'],
}
export const maySitIn = (kind: PlaceKind, parent: PlaceKind | null): boolean => parents[kind].includes(parent)
export const kindsIn = (parent: PlaceKind | null): PlaceKind[] => placeKinds.filter((kind) => maySitIn(kind, parent))

/** Between the names of a place, from the building down. */
export const nameJoint = ' / '

export type PlaceNode = SitePlace & { children: PlaceNode[] }

/** The tree of a flat list that is in its order; places whose parent is missing are left out. */
export function treeOf(list: readonly SitePlace[]): PlaceNode[] {
  const nodes = new Map(list.map((one) => [one.id, { ...one, children: [] as PlaceNode[] }]))
  const roots: PlaceNode[] = []
  for (const node of nodes.values()) {
    if (node.parentId === null) roots.push(node)
    else nodes.get(node.parentId)?.children.push(node)
  }
  return roots
}

/** The number in the name of a floor: 5 of 5 层, -1 of 地下 1 层 and B1; undefined of 屋面. */
export function floorNumber(name: string): number | undefined {
  const digits = /\d+/.exec(name)?.[0]
  if (digits === undefined) return undefined
  return /地下|负|^B|^-/.test(name.trim()) ? -Number(digits) : Number(digits)
}

/** The name of a room on another floor: 501 of floor 5 is 601 on floor 6, 强电井 keeps its name. */
export function roomOnFloor(room: string, from: number | undefined, to: number | undefined): string {
  if (from === undefined || to === undefined) return room
  const shown = (floor: number) => (floor < 0 ? `B${-floor}` : String(floor))
  const front = shown(from)
  return room.startsWith(front) && /^\d{2,}/.test(room.slice(front.length)) ? shown(to) + room.slice(front.length) : room
}
