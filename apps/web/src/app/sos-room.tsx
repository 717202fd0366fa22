const key = 'sos-open'

/** Whether somebody's call for help stood above the pages of this window when it was last asked. */
export const sosStood = (): boolean => sessionStorage.getItem(key) !== null

export function noteSos(stands: boolean): void {
  if (stands) sessionStorage.setItem(key, '1')
  else sessionStorage.removeItem(key)
}

/** Keeps the room of the bar until it is known again, so that a page that is loaded anew does not jump under whoever goes to answer. */
export const SosRoom = () => (sosStood() ? <div className="app-sos" aria-hidden /> : null)
