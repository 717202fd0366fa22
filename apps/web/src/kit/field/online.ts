import { useSyncExternalStore } from 'react'

const events = ['online', 'offline'] as const
function subscribe(tell: () => void): () => void {
  for (const kind of events) window.addEventListener(kind, tell)
  return () => {
    for (const kind of events) window.removeEventListener(kind, tell)
  }
}

/** False when the browser knows that there is no network; true does not promise one. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
