import type { MenuNode } from '@zhugong/contract/access/menu'
import { findMenu, firstPath } from './menu.ts'
import { readPref } from './prefs.ts'

/** Kept by user and group: another identity has another menu. */
export const startPageKey = (groupId: string | null | undefined) => `start-page:${groupId ?? ''}`

/** Where a bare address leads: what somebody chose while his menu still offers it, else the first page. Pure. */
export function startOf(menu: readonly MenuNode[], chosen: string | undefined): string | undefined {
  return chosen && findMenu(menu, chosen)?.exact ? chosen : firstPath(menu)
}

export const readStartPage = (groupId: string | null | undefined): Promise<string | undefined> => readPref<string>(startPageKey(groupId))
