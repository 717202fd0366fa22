import { isLoggedIn, lossTarget, type SessionState } from '#kit/session.ts'

/** What the router does with an address. Pure; the component is in router.tsx. */

export type Auth = 'shell' | 'top' | 'public'

export interface Situation {
  path: string
  search: string
  auth: Auth | undefined
  session: SessionState
  groupsType: string | null
  loginPath: string | null
  now: number
}

export type Decision = { to: 'public' } | { to: 'login'; href: string } | { to: 'load' } | { to: 'unknown' }

/** The way back travels in the address: storage is emptied on the way to the login page. */
export function loginHref(target: string, path: string, search: string): string {
  if (path === '/' || path === '/home') return target
  return `${target}?back=${encodeURIComponent(path + search)}`
}

export function decide(situation: Situation): Decision {
  const { path, search, auth, session, now } = situation
  if (auth === 'public') return { to: 'public' }
  // An unknown path tells a stranger nothing but where to log in.
  if (!isLoggedIn(session, now))
    return { to: 'login', href: loginHref(lossTarget(situation.groupsType, situation.loginPath), path, search) }
  return auth === undefined ? { to: 'unknown' } : { to: 'load' }
}

interface Looking {
  signal?: AbortSignal
  /** Tells of a change, which is looked at right then; gives back what ends it. */
  hint?: (changed: () => void) => () => void
}

/** Looks every so many milliseconds, and when it is told to, until it is true. */
export function until(condition: () => boolean, everyMs: number, { signal, hint }: Looking = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (signal?.aborted) end(() => reject(new DOMException('aborted', 'AbortError')))
      else if (condition()) end(resolve)
    }
    const timer = setInterval(look, everyMs)
    const deaf = hint?.(look)
    const end = (tell: () => void) => {
      clearInterval(timer)
      deaf?.()
      tell()
    }
    look()
  })
}

/** How a page was reached: by the browser's own back and forward (and a page loaded anew), or by a way of the product. */
export const statusOf = (type: 'POP' | 'PUSH' | 'REPLACE'): 'back' | 'forward' => (type === 'POP' ? 'back' : 'forward')

export const firstLoadPollMs = 100
