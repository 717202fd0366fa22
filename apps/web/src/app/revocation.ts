import { dropQuestion, dropReason } from '#kit/ask.ts'

/** Dispatched on each guarded navigation: closes overlays of the previous page. */
export const revocation = new EventTarget()

export function revoke(): void {
  revocation.dispatchEvent(new Event('revocation'))
  window.dispatchEvent(new Event('revocation'))
  dropQuestion()
  dropReason()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  // Open selects and menus close on a mouse press outside; navigation by key or by the back button is none.
  document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
}
