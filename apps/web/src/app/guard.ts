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

/** The return address is passed in the query: storage is cleared on the way to the login page. */
export function loginHref(target: string, path: string, search: string): string {
  if (path === '/' || path === '/home') return target
  return `${target}?back=${encodeURIComponent(path + search)}`
}

export function decide(situation: Situation): Decision {
  const { path, search, auth, session, now } = situation
  if (auth === 'public') return { to: 'public' }
  // Without a session, an unknown path leads to the login page, so that it reveals nothing.
  if (!isLoggedIn(session, now))
    return { to: 'login', href: loginHref(lossTarget(situation.groupsType, situation.loginPath), path, search) }
  return auth === undefined ? { to: 'unknown' } : { to: 'load' }
}

interface Looking {
  signal?: AbortSignal
  /** Calls `changed` when the condition should be checked again; returns the unsubscribe function. */
  hint?: (changed: () => void) => () => void
}

/** Resolves when the condition is true. Checks it every `everyMs` milliseconds and after each hint. */
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

/** How a page was reached: by the browser's back, forward or reload, or by navigation inside the product. */
export const statusOf = (type: 'POP' | 'PUSH' | 'REPLACE'): 'back' | 'forward' => (type === 'POP' ? 'back' : 'forward')

export const firstLoadPollMs = 100
