import type { TreeOption } from '#kit/list-state.ts'

/** A department or a folder of projects. */
export interface Nested<T> {
  id: string
  name: string
  parentId: string | null
  children: readonly T[]
}

/** Every node of a tree, those above before those below. */
export const flat = <T extends Nested<T>>(tree: readonly T[]): T[] => tree.flatMap((node) => [node, ...flat(node.children)])

/** Where a dragged node comes to stand: below which, and the how manieth among its sisters, itself not counted. */
export interface Landing {
  parentId: string | null
  position: number
}

/** `where`: into the department it was let go over, or right before or after it. Undefined where it would stand below itself. */
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

/** A tree to choose from, without one branch: nothing moves below itself. */
export const optionsOf = <T extends Nested<T>>(tree: readonly T[], without?: string): TreeOption[] =>
  tree.flatMap((node) => (node.id === without ? [] : [{ value: node.id, label: node.name, children: optionsOf(node.children, without) }]))
