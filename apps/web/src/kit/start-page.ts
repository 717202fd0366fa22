import type { MenuNode } from '@zhugong/contract/access/menu'
import { findMenu, firstPath } from './menu.ts'
import { readPref } from './prefs.ts'

/** Stored per user and group, because each group has its own menu. */
export const startPageKey = (groupId: string | null | undefined) => `start-page:${groupId ?? ''}`

/** Target of the address `/`: the page the user chose, if the menu still contains it, else the first page. Pure. */
export function startOf(menu: readonly MenuNode[], chosen: string | undefined): string | undefined {
  return chosen && findMenu(menu, chosen)?.exact ? chosen : firstPath(menu)
}

export const readStartPage = (groupId: string | null | undefined): Promise<string | undefined> => readPref<string>(startPageKey(groupId))
