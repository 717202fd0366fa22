import type { MenuNode } from '@zhugong/contract/access/menu'
import { useApp } from '@zhugong/contract/apps/app-endpoints'
import { call } from './call.ts'
import { findMenu } from './menu.ts'
import { readPref, writePref } from './prefs.ts'

/** Pages of the menu that somebody opened last, newest first; kept by user and group, since groups have different menus. */
const kept = 8

export const usedPagesKey = (groupId: string | null | undefined) => `used-pages:${groupId ?? ''}`

/** Those that somebody keeps in front of them by hand, oldest first. */
export const pinnedPagesKey = (groupId: string | null | undefined) => `pinned-pages:${groupId ?? ''}`

/** What is pinned first and whole, then what was opened last. Pure. */
export const withPinned = (pinned: readonly string[], used: readonly string[]): string[] => [
  ...pinned,
  ...used.filter((path) => !pinned.includes(path)).slice(0, Math.max(0, kept - pinned.length)),
]

/** The path comes to the front; what was not opened for longest gives way. Pure. */
export const usedAgain = (paths: readonly string[], path: string): string[] => [path, ...paths.filter((one) => one !== path)].slice(0, kept)

export async function noteUsed(groupId: string | null | undefined, path: string): Promise<void> {
  const key = usedPagesKey(groupId)
  await writePref(key, usedAgain((await readPref<string[]>(key)) ?? [], path))
}

/** Modules reported since the page was loaded, by group: an app is counted once a day for each account, so once is enough. */
const reported = new Set<string>()

/** Tells the server that the app behind a page is in use. A failure is nobody's business: the next page of the app tries again. */
export async function reportUse(groupId: string | null | undefined, code: string): Promise<void> {
  const key = `${groupId ?? ''} ${code.slice(0, code.indexOf('.'))}`
  if (reported.has(key)) return
  reported.add(key)
  await call(useApp, { body: { code } }).catch(() => reported.delete(key))
}

/** What of them the menu still offers: a page that was taken away is not a link to a refusal. Pure. */
export function stillOffered(menu: readonly MenuNode[], paths: readonly string[]): MenuNode[] {
  return paths.flatMap((path) => {
    const hit = findMenu(menu, path)
    return hit?.exact ? [hit.node] : []
  })
}
