import type { MenuNode } from '@zhugong/contract/access/menu'
import { useApp } from '@zhugong/contract/apps/app-endpoints'
import { call } from './call.ts'
import { findMenu } from './menu.ts'
import { readPref, writePref } from './prefs.ts'

/** Recently opened menu pages, newest first; stored per user and group, since groups have different menus. */
const kept = 8

export const usedPagesKey = (groupId: string | null | undefined) => `used-pages:${groupId ?? ''}`

/** Pages that the user has pinned, oldest first. */
export const pinnedPagesKey = (groupId: string | null | undefined) => `pinned-pages:${groupId ?? ''}`

/** All pinned pages first, then the recently opened ones. Pure. */
export const withPinned = (pinned: readonly string[], used: readonly string[]): string[] => [
  ...pinned,
  ...used.filter((path) => !pinned.includes(path)).slice(0, Math.max(0, kept - pinned.length)),
]

/** Moves the path to the front; the oldest entry is dropped. Pure. */
export const usedAgain = (paths: readonly string[], path: string): string[] => [path, ...paths.filter((one) => one !== path)].slice(0, kept)

export async function noteUsed(groupId: string | null | undefined, path: string): Promise<void> {
  const key = usedPagesKey(groupId)
  await writePref(key, usedAgain((await readPref<string[]>(key)) ?? [], path))
}

/** Modules reported since the page was loaded, by group. The server counts an app once a day per account, so one report is enough. */
const reported = new Set<string>()

/** Reports to the server that the app of a page is in use. Failures are ignored: the next page of the app tries again. */
export async function reportUse(groupId: string | null | undefined, code: string): Promise<void> {
  const key = `${groupId ?? ''} ${code.slice(0, code.indexOf('.'))}`
  if (reported.has(key)) return
  reported.add(key)
  await call(useApp, { body: { code } }).catch(() => reported.delete(key))
}

/** Drops pages that the menu no longer contains, since their link would be refused. Pure. */
export function stillAvailable(menu: readonly MenuNode[], paths: readonly string[]): MenuNode[] {
  return paths.flatMap((path) => {
    const hit = findMenu(menu, path)
    return hit?.exact ? [hit.node] : []
  })
}
