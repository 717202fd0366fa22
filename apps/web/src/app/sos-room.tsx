const key = 'sos-open'

/** Whether this window showed an emergency call at the last check. */
export const sosStood = (): boolean => sessionStorage.getItem(key) !== null

export function noteSos(stands: boolean): void {
  if (stands) sessionStorage.setItem(key, '1')
  else sessionStorage.removeItem(key)
}

/** Reserves the space of the bar until its data is loaded, so that the page does not jump while the user aims at a button. */
export const SosRoom = () => (sosStood() ? <div className="app-sos" aria-hidden /> : null)
