import { currentSession, groupHeader, isLoggedIn, keyMark, localKeys, readJson } from './session.ts'

/**
 * What every page asks of its account is on its way while the product itself is still being read and run: a page that is opened anew
 * waits for the longer of the two, not for both. It brings nothing along but the session.
 */

interface Asked {
  headers: Record<string, string>
  response: Promise<Response>
}
const asked = new Map<string, Asked>()
const keyOf = (method: string, address: string) => `${method} ${address}`

/** The calls of `me.ts`, by name: their contracts bring their schemas along. */
export const accountCalls = [
  { method: 'GET', path: '/api/v1/sys/my/info' },
  { method: 'GET', path: '/api/v1/sys/user/own/groups' },
  { method: 'POST', path: '/api/v1/sys/ui/tree/init' },
] as const

/** Paths that need no session or end it. */
export const doors = ['/login', '/login/v1', '/hqwladmin', '/admin', '/invite', '/proof', '/badge', '/join', '/mine'] as const

/** How long an answer that was asked for ahead may take. */
const patienceMs = 60_000

/** Of whom nothing is known yet may have to give himself a password before anything else answers. */
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
    // Whoever takes it is told.
    response.catch(() => undefined)
    asked.set(keyOf(method, path), { headers, response })
  }
}

/** The answer that is on its way to exactly this question, once: whoever asks again wants to know what is true by then. */
export function takeAhead(method: string, address: string, headers: Record<string, string>): Promise<Response> | undefined {
  const key = keyOf(method, address)
  const ahead = asked.get(key)
  asked.delete(key)
  return ahead && ahead.headers['token'] === headers['token'] && ahead.headers['group'] === headers['group'] ? ahead.response : undefined
}
