/** What the browser keeps of a session. Local entries are shared by the tabs, session entries belong to one tab. */

export interface KeepLive {
  /** 保持登录: the session survives closing the browser. */
  live: boolean
  timeStamp: number
  duration: number
}

export const localKeys = {
  token: 'token',
  keepLive: 'keepLive',
  menu: 'menu',
  category: 'category',
  activeAppIndex: 'activeAppIndex',
  activeMenu: 'activeMenu',
  activeSubMenu: 'activeSubMenu',
  activeGroup: 'activeGroup',
  relevance: 'relevance',
  groupsType: 'groupsType',
  userInfo: 'userInfo',
  groups: 'groups',
  loginPath: 'loginPath',
} as const

/** Of a wall, beside what a session keeps. */
const wallKept = 'wall'

export const sessionKeys = { token: 'token', operator: 'operator' } as const

export interface SessionState {
  token: string | null
  sessionToken: string | null
  keepLive: KeepLive | undefined
}

/** Strictly before the end: at timeStamp + duration the session is over. */
export function isLoggedIn(state: SessionState, now: number): boolean {
  const { token, sessionToken, keepLive } = state
  if (!token || !keepLive) return false
  return (keepLive.live || Boolean(sessionToken)) && now < keepLive.timeStamp + keepLive.duration
}

/** Where a lost session leads: platform administrators have a door of their own. */
export function lossTarget(groupsType: string | null, loginPath: string | null): string {
  return groupsType === '0' ? '/admin' : loginPath || '/login'
}

/** `back` may only be a path of ours: no scheme, no host, no way to `//evil`. */
export function ownPath(back: string | null | undefined): string | undefined {
  if (!back?.startsWith('/') || /^\/[/\\]/.test(back) || /[\\\s]/.test(back) || back.includes('://')) return undefined
  return back
}

export function readJson<T>(store: Storage, key: string): T | undefined {
  try {
    const text = store.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

export function writeJson(store: Storage, key: string, value: unknown): void {
  store.setItem(key, JSON.stringify(value))
}

export function currentSession(): SessionState {
  return {
    token: localStorage.getItem(localKeys.token),
    sessionToken: sessionStorage.getItem(sessionKeys.token),
    keepLive: readJson<KeepLive>(localStorage, localKeys.keepLive),
  }
}

/** @public */
export const hasLiveSession = (now = Date.now()): boolean => isLoggedIn(currentSession(), now)

/** The stamp is the browser's own clock, so that a wrong clock neither ends nor lengthens a session. */
export function storeSession(token: string, live: boolean, durationMs: number): void {
  localStorage.setItem(localKeys.token, token)
  sessionStorage.setItem(sessionKeys.token, token)
  holdLock()
  writeJson(localStorage, localKeys.keepLive, { live, timeStamp: Date.now(), duration: durationMs } satisfies KeepLive)
}

/** Public routes and logout: everything goes but the group type, which decides the door of the next login. */
export function clearStorage(): void {
  const groupsType = localStorage.getItem(localKeys.groupsType)
  // A wall is nobody's session: what leads from its link to its token of today stays.
  const wall = localStorage.getItem(wallKept)
  localStorage.clear()
  if (wall !== null) localStorage.setItem(wallKept, wall)
  sessionStorage.clear()
  shown = undefined
  if (groupsType !== null) localStorage.setItem(localKeys.groupsType, groupsType)
}

/** The chosen project, none = all projects of the active group (`*`). */
export interface ActiveGroup {
  projectCode: string
  name: string
}

const activeProjectStored = (): ActiveGroup | undefined => readJson<ActiveGroup | null>(localStorage, localKeys.activeGroup) ?? undefined

/**
 * The project this tab shows. Storage is shared by the tabs and holds the last choice of any of them: what is sent from here must
 * go to the project that stands in this tab's header, not to one chosen next door.
 */
let shown: { project: ActiveGroup | undefined } | undefined
export const activeProject = (): ActiveGroup | undefined => (shown ? shown.project : activeProjectStored())
export const groupHeader = (): string => activeProject()?.projectCode ?? '*'
export function storeProject(project: ActiveGroup | undefined): void {
  shown = { project }
  writeJson(localStorage, localKeys.activeGroup, project ?? null)
}
export function takeStoredProject(): ActiveGroup | undefined {
  shown = { project: activeProjectStored() }
  return shown.project
}

const scopeListeners = new Set<() => void>()
/** Another group or project, or nobody: whoever keeps data of the old one drops it. */
export function onScopeChange(listener: () => void): () => void {
  scopeListeners.add(listener)
  return () => scopeListeners.delete(listener)
}
export function scopeChanged(): void {
  for (const listener of scopeListeners) listener()
}

export const keyMark = '#key='
let display: string | undefined
/** The key of the link this wall was opened with, and what it has been followed by: the link in a wall's bookmark never changes. */
interface WallKeys {
  link: string
  now: string
  /** Good until `now` has been seen. */
  before: string | null
}
let wall: WallKeys | undefined
const keepWall = (keys: WallKeys) => {
  wall = keys
  display = keys.now
  try {
    writeJson(localStorage, wallKept, keys)
  } catch {
    // A browser that keeps nothing goes on until it is started anew.
  }
}

/** What a wall's address carries after the #: held by this page alone, and sent in place of a session. */
export function takeDisplayKey(hash: string): boolean {
  const link = hash.startsWith(keyMark) ? hash.slice(keyMark.length) : undefined
  if (link && wall?.link !== link) {
    const kept = readJson<WallKeys>(localStorage, wallKept)
    wall = kept?.link === link ? kept : { link, now: link, before: null }
    display = wall.now
  }
  return display !== undefined
}
export const displayKey = (): string | undefined => display

/** From now on the wall is another one; the one before stays at hand until this one has been answered. */
export function followDisplayKey(next: string): void {
  if (wall) keepWall({ ...wall, now: next, before: wall.now })
}
/** The key was answered: there is no way back. */
export function displayKeyAnswered(): void {
  if (wall?.before) keepWall({ ...wall, before: null })
}
/** The key was refused: back to the one before, if that may still hold. */
export function displayKeyRefused(): boolean {
  if (!wall?.before) return false
  keepWall({ ...wall, now: wall.before, before: null })
  return true
}

type Listener = (reason: 'expired' | 'logout') => void
const listeners = new Set<Listener>()

export function onSessionLost(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Ends the session here. Many calls may fail with 105 at once: only the first finds a token to drop. */
export function loseSession(reason: 'expired' | 'logout'): void {
  // A wall whose key is over is nobody's session.
  if (display !== undefined || !localStorage.getItem(localKeys.token)) return
  const loginPath = localStorage.getItem(localKeys.loginPath)
  clearStorage()
  if (loginPath) localStorage.setItem(localKeys.loginPath, loginPath)
  for (const listener of listeners) listener(reason)
}

/**
 * Without 保持登录 a session lives as long as the browser is open. Session storage belongs to one tab, so a second tab finds out whether
 * a sibling is in: nobody is, where the browser had been closed in between. A sibling that is in holds a lock, which the browser knows of
 * even while that tab is busy or asleep; without locks (no HTTPS) it is asked, and has time to answer.
 */
type Word = 'anyone?' | 'here'
const lockName = 'session'
const siblingWaitMs = 3_000

let held = false
/** From now on other tabs of this browser know that somebody is in here; until the tab is gone. */
function holdLock(): void {
  if (held || typeof navigator === 'undefined' || !navigator.locks) return
  held = true
  void navigator.locks.request(lockName, { mode: 'shared' }, () => new Promise<void>(() => undefined))
}

export function shareSession(): void {
  if (sessionStorage.getItem(sessionKeys.token)) holdLock()
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel('session')
  channel.onmessage = (event: MessageEvent<Word>) => {
    if (event.data === 'anyone?' && sessionStorage.getItem(sessionKeys.token)) channel.postMessage('here' satisfies Word)
  }
}

export async function askSiblings(waitMs = siblingWaitMs): Promise<void> {
  const { token, sessionToken, keepLive } = currentSession()
  if (!token || sessionToken || keepLive?.live) return
  if (!(await isSiblingIn(waitMs))) return
  sessionStorage.setItem(sessionKeys.token, token)
  holdLock()
}

async function isSiblingIn(waitMs: number): Promise<boolean> {
  if (navigator.locks) return ((await navigator.locks.query()).held ?? []).some((lock) => lock.name === lockName)
  if (typeof BroadcastChannel === 'undefined') return false
  const channel = new BroadcastChannel('session')
  const isIn = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), waitMs)
    channel.onmessage = (event: MessageEvent<Word>) => {
      if (event.data !== 'here') return
      clearTimeout(timer)
      resolve(true)
    }
    channel.postMessage('anyone?' satisfies Word)
  })
  channel.close()
  return isIn
}
