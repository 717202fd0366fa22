import type { TreeOption } from '#kit/list-state.ts'

/** A department or a folder of projects. */
export interface Nested<T> {
  id: string
  name: string
  parentId: string | null
  children: readonly T[]
}

/** All nodes of a tree, parents before children. */
export const flat = <T extends Nested<T>>(tree: readonly T[]): T[] => tree.flatMap((node) => [node, ...flat(node.children)])

/** Target of a move: the new parent, and the index among its children, without the moved node. */
export interface Landing {
  parentId: string | null
  position: number
}

/** Target of a drop into, before or after the node `over`. Undefined if the node would become its own descendant. */
export function landing<T extends Nested<T>>(
  tree: readonly T[],
  dragged: string,
  over: string,
  where: 'in' | 'before' | 'after',
): Landing | undefined {
  const all = flat(tree)
  const moving = all.find((node) => node.id === dragged)
  const target = all.find((node) => node.id === over)
  if (!moving || !target || flat([moving]).some((node) => node.id === over)) return undefined
  if (where === 'in') return { parentId: over, position: target.children.filter((node) => node.id !== dragged).length }
  const sisters = target.parentId ? (all.find((node) => node.id === target.parentId)?.children ?? []) : tree
  const at = sisters.filter((node) => node.id !== dragged).findIndex((node) => node.id === over)
  return { parentId: target.parentId, position: where === 'before' ? at : at + 1 }
}

/** Tree options without one branch, because a node cannot move below itself. */
export const optionsOf = <T extends Nested<T>>(tree: readonly T[], without?: string): TreeOption[] =>
  tree.flatMap((node) => (node.id === without ? [] : [{ value: node.id, label: node.name, children: optionsOf(node.children, without) }]))
