import { useSyncExternalStore } from 'react'

/** A phone in portrait orientation; the style sheets use the same width. */
const narrow = '(max-width: 767px)'

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(narrow)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

export const isNarrow = (): boolean => window.matchMedia(narrow).matches

/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
