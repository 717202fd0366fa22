import { AppError } from '@zhugong/contract/kit/errors'
import { isUniqueViolation } from '#kit/db'

/** Departments and folders: a tree of named nodes, read completely, parents before children. */
interface Placed {
  id: string
  parentId: string | null
  name: string
  /** Depth of a node; 1 for a root. */
  depth: number
}
/** Display name and maximum depth of a kind of tree. */
export interface TreeKind {
  thing: string
  maxDepth: number
}

export function nodeOf<T extends Placed>(all: readonly T[], id: string, { thing }: TreeKind, field = 'id'): T {
  const node = all.find((n) => n.id === id)
  if (!node) throw new AppError('notFound', `${thing}不存在或已删除`, { field })
  return node
}

/** A node and all its descendants. */
export function branch(all: readonly Placed[], id: string): Set<string> {
  const inside = new Set([id])
  // Works in one pass, because parents come before children.
  for (const n of all) if (n.parentId && inside.has(n.parentId)) inside.add(n.id)
  return inside
}

/** The ancestors of a node, from the root down. */
export function ancestorsOf<T extends Placed>(all: readonly T[], id: string, kind: TreeKind): T[] {
  const { parentId } = nodeOf(all, id, kind)
  return parentId ? [...ancestorsOf(all, parentId, kind), nodeOf(all, parentId, kind)] : []
}

/** Refuses a parent inside the node's own branch, and one where the branch would be too deep. */
export function requirePlace(all: readonly Placed[], node: Placed, parentId: string | null, kind: TreeKind): void {
  const inside = branch(all, node.id)
  if (parentId && inside.has(parentId))
    throw new AppError('invalidInput', `不能移到自己或自己的下级${kind.thing}之下`, { field: 'parentId' })
  const depths = all.filter((n) => inside.has(n.id)).map((n) => n.depth)
  requireRoom(all, parentId, Math.max(...depths) - node.depth + 1, kind)
}

/** Refuses `levels` more levels below a parent if they exceed the maximum depth. */
export function requireRoom(all: readonly Placed[], parentId: string | null, levels: number, kind: TreeKind): void {
  const above = parentId ? nodeOf(all, parentId, kind, 'parentId').depth : 0
  if (above + levels > kind.maxDepth) throw new AppError('refused', `${kind.thing}最多 ${kind.maxDepth} 层`, { field: 'parentId' })
}

export interface Merge<T> {
  target: T
  /** The children to move below the target, and the resulting order of its children. */
  children: readonly T[]
  order: readonly string[]
}

/** Merges a node's children into another node. Throws if two children have the same name. */
export function mergeOf<T extends Placed>(all: readonly T[], node: T, moveTo: string, kind: TreeKind): Merge<T> {
  const target = nodeOf(all, moveTo, kind, 'moveTo')
  if (branch(all, node.id).has(target.id)) throw new AppError('invalidInput', `不能并入自己或自己的下级${kind.thing}`, { field: 'moveTo' })
  const there = all.filter((n) => n.parentId === target.id && n.id !== node.id)
  const children = all.filter((n) => n.parentId === node.id)
  const same = children.find((child) => there.some((n) => n.name === child.name))
  if (same) throw new AppError('refused', `“${target.name}”下已有“${same.name}”，请先改名或合并它们`, { field: 'moveTo' })
  for (const child of children) requirePlace(all, child, target.id, kind)
  return { target, children, order: [...there, ...children].map((n) => n.id) }
}

/** The order of the siblings after a node was inserted; undefined if it does not change. */
export function orderAfter(
  all: readonly Placed[],
  node: Placed,
  to: { parentId: string | null; position: number | undefined },
): readonly string[] | undefined {
  const sisters = all.filter((n) => n.parentId === to.parentId && n.id !== node.id).map((n) => n.id)
  if (to.position !== undefined) return sisters.toSpliced(to.position, 0, node.id)
  return to.parentId === node.parentId ? undefined : [...sisters, node.id]
}

/** Runs a write and turns a duplicate name below one parent into an AppError. */
export async function named(write: () => Promise<unknown>, { thing }: TreeKind): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('refused', `同一上级下已有同名${thing}`, { field: 'name' }) : error
  }
}

export function toTree<T extends Placed, N extends { children: N[] }>(
  all: readonly T[],
  toNode: (row: T) => Omit<N, 'children'>,
  top: string | null = null,
): N[] {
  const byId = new Map<string, N>()
  const roots: N[] = []
  for (const row of all) {
    const node = { ...toNode(row), children: [] as N[] } as N
    byId.set(row.id, node)
    const siblings = row.parentId === top ? roots : byId.get(row.parentId ?? '')?.children
    siblings?.push(node)
  }
  return roots
}
