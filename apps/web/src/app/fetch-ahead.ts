import { comeAhead } from './lazy.tsx'
import { findPage, hostOf } from './routes.ts'

/** Chunks that every page needs. The parentheses keep the names distinct from page names. */
export const shell = { name: '(shell)', load: () => import('./shell.tsx') }
export const queries = { name: '(queries)', load: () => import('./queries.tsx') }

/** How long the splash screen waits for a page's chunks. */
const firstPartsMs = 3_000

/**
 * Preloads the chunks of a page. Resolves when they have arrived, or after `patienceMs`. Rendering requests missing chunks again and shows
 * errors.
 */
export async function fetchAhead(pathname: string, patienceMs = firstPartsMs): Promise<void> {
  const entry = findPage(pathname)?.entry
  const framed = (entry?.auth ?? 'shell') === 'shell'
  const requested = [
    ...(framed ? [comeAhead(shell), comeAhead(queries)] : []),
    ...(entry && !entry.redirect ? [...new Set([entry, hostOf(entry)])].map((one) => comeAhead(one)) : []),
  ]
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([Promise.allSettled(requested), late])
  clearTimeout(timer)
}
