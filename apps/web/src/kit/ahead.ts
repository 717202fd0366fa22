import { currentSession, groupHeader, isLoggedIn, keyMark, localKeys, readJson } from './session.ts'

/**
 * A request of the first page load, sent while the application code is still being downloaded and run. Opening a page then takes the longer
 * of the two times, not their sum. This module imports nothing but the session, so that it loads fast.
 */

interface Prefetched {
  headers: Record<string, string>
  response: Promise<Response>
}
const wanted = new Map<string, Prefetched>()
const keyOf = (method: string, address: string) => `${method} ${address}`

/** The calls of `me.ts` as plain method and path: importing their contracts would import the schemas too. */
export const accountCalls = [
  { method: 'GET', path: '/api/v1/sys/my/info' },
  { method: 'GET', path: '/api/v1/sys/user/own/groups' },
  { method: 'POST', path: '/api/v1/sys/ui/tree/init' },
] as const

/** Paths that need no session, or that end it. */
export const doors = [
  '/login',
  '/login/v1',
  '/hqwladmin',
  '/admin',
  '/invite',
  '/proof',
  '/verify',
  '/badge',
  '/join',
  '/mine',
  '/expert/apply',
  '/policy',
] as const

/** Timeout of a prefetched request. */
const patienceMs = 60_000

/** A user without stored info may first have to set a password, and until then the server refuses every other call. */
const isKnown = (): boolean => {
  const before = readJson<{ mustChangePassword?: boolean; mustSetSecondFactor?: boolean }>(localStorage, localKeys.userInfo)
  return before !== undefined && !before.mustChangePassword && !before.mustSetSecondFactor
}

export function askAhead({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>, now = Date.now()): void {
  const session = currentSession()
  const door = (doors as readonly string[]).includes(pathname)
  if (door || hash.startsWith(keyMark) || !session.token || !isLoggedIn(session, now) || !isKnown()) return
  const headers = { token: session.token, group: groupHeader() }
  for (const { method, path } of accountCalls) {
    const response = fetch(path, { method, headers, signal: AbortSignal.timeout(patienceMs) })
    // Prevents an unhandled rejection; the consumer of the response still gets the error.
    response.catch(() => undefined)
    wanted.set(keyOf(method, path), { headers, response })
  }
}

/** Takes the prefetched response for exactly this request. Works once: a second request must get fresh data. */
export function takeAhead(method: string, address: string, headers: Record<string, string>): Promise<Response> | undefined {
  const key = keyOf(method, address)
  const ahead = wanted.get(key)
  wanted.delete(key)
  return ahead && ahead.headers['token'] === headers['token'] && ahead.headers['group'] === headers['group'] ? ahead.response : undefined
}
