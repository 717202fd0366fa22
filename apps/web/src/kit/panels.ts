import { readPref } from './prefs.ts'

/** How live pages look: dark as in a control room, or by day. Walls are dark always. */
export type PanelLook = 'night' | 'day'

export const panelsKey = 'panels'

export function choosePanels(look: PanelLook): void {
  document.documentElement.dataset['panels'] = look
}

/** As this account wants them, once it is known who it is. */
export async function showPanels(): Promise<void> {
  choosePanels((await readPref<PanelLook>(panelsKey)) ?? 'night')
}
