import { readPref } from './prefs.ts'

/** Look of live pages: dark as in a control room, or light. Walls are always dark. */
export type PanelLook = 'night' | 'day'

export const panelsKey = 'panels'

export function choosePanels(look: PanelLook): void {
  document.documentElement.dataset['panels'] = look
}

/** Applies the user's preference, once the account is known. */
export async function showPanels(): Promise<void> {
  choosePanels((await readPref<PanelLook>(panelsKey)) ?? 'night')
}
