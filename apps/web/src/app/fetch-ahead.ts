import { comeAhead } from './lazy.tsx'
import { findPage, hostOf } from './routes.ts'

/** What every page of the frame stands in. No page is called so. */
export const shell = { name: '(shell)', load: () => import('./shell.tsx') }
export const queries = { name: '(queries)', load: () => import('./queries.tsx') }

/** How long a page's parts are waited for at first, behind the splash. */
const firstPartsMs = 3_000

/** Asks for what a page will be made of. Resolves when it has come, or when it is `patienceMs` late: whoever draws it asks again, and is told of a failure. */
export async function fetchAhead(pathname: string, patienceMs = firstPartsMs): Promise<void> {
  const entry = findPage(pathname)?.entry
  const framed = (entry?.auth ?? 'shell') === 'shell'
  const asked = [
    ...(framed ? [comeAhead(shell), comeAhead(queries)] : []),
    ...(entry && !entry.redirect ? [...new Set([entry, hostOf(entry)])].map((one) => comeAhead(one)) : []),
  ]
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([Promise.allSettled(asked), late])
  clearTimeout(timer)
}
