import { dropQuestion, dropReason } from '#kit/ask.ts'

/** Sent on each guarded navigation: whatever hangs over the page it came from is taken back. */
export const revocation = new EventTarget()

export function revoke(): void {
  revocation.dispatchEvent(new Event('revocation'))
  window.dispatchEvent(new Event('revocation'))
  dropQuestion()
  dropReason()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  // Open selects and menus close on a press outside; a key or the browser's back button is none.
  document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
}
