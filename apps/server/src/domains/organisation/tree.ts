import { AppError } from '@zhugong/contract/kit/errors'
import { isUniqueViolation } from '#kit/db'

/** Departments and folders alike: a tree of named nodes, read as a whole, those above before those below. */
interface Placed {
  id: string
  parentId: string | null
  name: string
  /** 1 at the top. */
  depth: number
}
/** How the nodes of a tree are called, and how deep it may be. */
export interface TreeKind {
  thing: string
  maxDepth: number
}

export function nodeOf<T extends Placed>(all: readonly T[], id: string, { thing }: TreeKind, field = 'id'): T {
  const node = all.find((n) => n.id === id)
  if (!node) throw new AppError('notFound', `${thing}不存在或已删除`, { field })
  return node
}

/** A node and all below it. */
export function branch(all: readonly Placed[], id: string): Set<string> {
  const inside = new Set([id])
  // From the top downwards: a node comes after the one above it.
  for (const n of all) if (n.parentId && inside.has(n.parentId)) inside.add(n.id)
  return inside
}

/** From the top down to the one above a node. */
export function ancestorsOf<T extends Placed>(all: readonly T[], id: string, kind: TreeKind): T[] {
  const { parentId } = nodeOf(all, id, kind)
  return parentId ? [...ancestorsOf(all, parentId, kind), nodeOf(all, parentId, kind)] : []
}

/** Refuses a place below itself, and one where the branch would not fit. */
export function requirePlace(all: readonly Placed[], node: Placed, parentId: string | null, kind: TreeKind): void {
  const inside = branch(all, node.id)
  if (parentId && inside.has(parentId))
    throw new AppError('invalidInput', `不能移到自己或自己的下级${kind.thing}之下`, { field: 'parentId' })
  const depths = all.filter((n) => inside.has(n.id)).map((n) => n.depth)
  requireRoom(all, parentId, Math.max(...depths) - node.depth + 1, kind)
}

/** Refuses as many levels below a node as would be too deep. */
export function requireRoom(all: readonly Placed[], parentId: string | null, levels: number, kind: TreeKind): void {
  const above = parentId ? nodeOf(all, parentId, kind, 'parentId').depth : 0
  if (above + levels > kind.maxDepth) throw new AppError('refused', `${kind.thing}最多 ${kind.maxDepth} 层`, { field: 'parentId' })
}

export interface Merge<T> {
  target: T
  /** What moves below the target, and how its children stand afterwards. */
  children: readonly T[]
  order: readonly string[]
}

/** What becomes of a node's children when it is merged into another; refused where two of one name would meet. */
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

/** How the sisters stand after a node has been put among them; undefined where nothing is to be said. */
export function orderAfter(
  all: readonly Placed[],
  node: Placed,
  to: { parentId: string | null; position: number | undefined },
): readonly string[] | undefined {
  const sisters = all.filter((n) => n.parentId === to.parentId && n.id !== node.id).map((n) => n.id)
  if (to.position !== undefined) return sisters.toSpliced(to.position, 0, node.id)
  return to.parentId === node.parentId ? undefined : [...sisters, node.id]
}

/** Writes a name that stands once below its parent. */
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
