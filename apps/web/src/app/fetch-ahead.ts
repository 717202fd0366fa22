import { findPage, hostOf } from './routes.ts'

export const loadShell = () => import('./shell.tsx')
export const loadQueries = () => import('./queries.tsx')

/** Asks for what a page will be made of while its account is still being read; whoever shows it asks again, and is told of a failure. */
export function fetchAhead(pathname: string): void {
  const entry = findPage(pathname)?.entry
  const framed = (entry?.auth ?? 'shell') === 'shell'
  const loads = [
    ...(framed ? [loadShell, loadQueries] : []),
    ...(entry && !entry.redirect ? [...new Set([entry, hostOf(entry)])].map((one) => one.load) : []),
  ]
  for (const load of loads) load().catch(() => undefined)
}
