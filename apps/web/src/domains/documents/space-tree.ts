import { type Space, spaces, type TreeFolder } from '@zhugong/contract/documents/calls'
import type { SideNode } from '#kit/side-node.ts'

interface Folders {
  folders: readonly TreeFolder[]
  projects: readonly { projectCode: string; name: string }[]
}

/** Keys of the tree: a space, `project:code`, or `space/folder`. */
export const selectedKey = (space: Space, parentId: string | null, project: string | null): string =>
  parentId ? `${space}/${parentId}` : project ? `project:${project}` : space

export function placeOfKey(key: string): { space: Space; parentId?: string; project?: string } {
  if (key.startsWith('project:')) return { space: 'project', project: key.slice('project:'.length) }
  const [space = 'own', parentId] = key.split('/')
  return { space: space as Space, parentId }
}

function below(space: Space, folders: readonly TreeFolder[], id: string | null): SideNode[] {
  return folders
    .filter((one) => one.parentId === id)
    .map((one) => ({ key: `${space}/${one.id}`, title: one.name, children: below(space, folders, one.id) }))
}

/** Folders whose own folder the caller does not see stand at the root. */
const rooted = (folders: readonly TreeFolder[]): TreeFolder[] => {
  const known = new Set(folders.map((one) => one.id))
  return folders.map((one) => (one.parentId !== null && !known.has(one.parentId) ? { ...one, parentId: null } : one))
}

/** The tree of all spaces. `chosen`: the project whose folders are in `ofProjects`, when the caller sees several. */
export function nodesOf(
  own: Folders | undefined,
  ofProjects: Folders | undefined,
  all: Folders | undefined,
  chosen: string | null,
): SideNode[] {
  const folders = below('project', rooted(ofProjects?.folders ?? []), null)
  const projects = (all?.projects ?? []).map((one) => ({
    key: `project:${one.projectCode}`,
    title: one.name,
    children: one.projectCode === chosen ? folders : [],
  }))
  return [
    { key: 'own', title: spaces.own, children: below('own', rooted(own?.folders ?? []), null) },
    { key: 'project', title: spaces.project, children: all ? projects : folders },
    { key: 'shared', title: spaces.shared },
    { key: 'recent', title: spaces.recent },
    { key: 'starred', title: spaces.starred },
  ]
}
