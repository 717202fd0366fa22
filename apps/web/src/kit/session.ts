/** What the browser stores of a session. Local storage is shared by all tabs, session storage belongs to one tab. */

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

/** Storage key of a wall's display keys, kept separate from the session. */
const wallKept = 'wall'

export const sessionKeys = { token: 'token', operator: 'operator' } as const

export interface SessionState {
  token: string | null
  sessionToken: string | null
  keepLive: KeepLive | undefined
}

/** The session is over at exactly timeStamp + duration. */
export function isLoggedIn(state: SessionState, now: number): boolean {
  const { token, sessionToken, keepLive } = state
  if (!token || !keepLive) return false
  return (keepLive.live || Boolean(sessionToken)) && now < keepLive.timeStamp + keepLive.duration
}

/** Target after a lost session: platform administrators have their own login page. */
export function lossTarget(groupsType: string | null, loginPath: string | null): string {
  return groupsType === '0' ? '/admin' : loginPath || '/login'
}

/** Accepts `back` only as a path of this site: no scheme, no host, no `//evil`. */
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

/** The time stamp is from the browser's clock, so that a wrong clock neither shortens nor extends a session. */
export function storeSession(token: string, live: boolean, durationMs: number): void {
  localStorage.setItem(localKeys.token, token)
  sessionStorage.setItem(sessionKeys.token, token)
  holdLock()
  writeJson(localStorage, localKeys.keepLive, { live, timeStamp: Date.now(), duration: durationMs } satisfies KeepLive)
}

/** For public routes and logout: clears everything except the group type, which selects the next login page. */
export function clearStorage(): void {
  const groupsType = localStorage.getItem(localKeys.groupsType)
  // Display keys of a wall belong to no session, so they are kept.
  const wall = localStorage.getItem(wallKept)
  localStorage.clear()
  if (wall !== null) localStorage.setItem(wallKept, wall)
  sessionStorage.clear()
  shown = undefined
  if (groupsType !== null) localStorage.setItem(localKeys.groupsType, groupsType)
}

/** The chosen project; undefined = all projects of the active group (`*`). */
export interface ActiveGroup {
  projectCode: string
  name: string
}

const activeProjectStored = (): ActiveGroup | undefined => readJson<ActiveGroup | null>(localStorage, localKeys.activeGroup) ?? undefined

/**
 * The project of this tab. Storage is shared by the tabs and holds the last choice of any tab. Requests of this tab must use the project in
 * its own header, not one chosen in another tab.
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
/** Notifies about a change of group or project, or a logout: listeners discard their data. */
export function onScopeChange(listener: () => void): () => void {
  scopeListeners.add(listener)
  return () => scopeListeners.delete(listener)
}
export function scopeChanged(): void {
  for (const listener of scopeListeners) listener()
}

export const keyMark = '#key='
let display: string | undefined
/** The key in the link that opened this wall, and the keys that replaced it. The link in the wall's bookmark never changes. */
interface WallKeys {
  link: string
  now: string
  /** Previous key, valid until the server has accepted `now`. */
  before: string | null
}
let wall: WallKeys | undefined
const keepWall = (keys: WallKeys) => {
  wall = keys
  display = keys.now
  try {
    writeJson(localStorage, wallKept, keys)
  } catch {
    // Without storage the new key lasts until the browser restarts.
  }
}

/** Reads the display key after the # of a wall's address. It is held by this page alone and sent instead of a session token. */
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

/** Switches to the next display key; the previous one is kept until the server has accepted the new one. */
export function followDisplayKey(next: string): void {
  if (wall) keepWall({ ...wall, now: next, before: wall.now })
}
/** The server accepted the key: the previous one is dropped. */
export function displayKeyAnswered(): void {
  if (wall?.before) keepWall({ ...wall, before: null })
}
/** The server refused the key: returns to the previous one, if there is one. */
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

/** Ends the session in this browser. Many calls may fail with 105 at once; only the first finds a token to remove. */
export function loseSession(reason: 'expired' | 'logout'): void {
  // A wall with an expired key has no session to end.
  if (display !== undefined || !localStorage.getItem(localKeys.token)) return
  const loginPath = localStorage.getItem(localKeys.loginPath)
  clearStorage()
  if (loginPath) localStorage.setItem(localKeys.loginPath, loginPath)
  for (const listener of listeners) listener(reason)
}

/**
 * Without 保持登录 a session lasts as long as the browser is open. Session storage belongs to one tab, so a second tab checks whether another
 * tab is logged in; if the browser was closed meanwhile, there is none. A logged-in tab holds a Web Lock, which is visible even while that
 * tab is busy or asleep. Without locks (no HTTPS) the tabs are asked by message, and given time to answer.
 */
type Word = 'anyone?' | 'here'
const lockName = 'session'
const siblingWaitMs = 3_000

let current = false
/** Signals to other tabs of this browser that this tab is logged in, until it closes. */
function holdLock(): void {
  if (current || typeof navigator === 'undefined' || !navigator.locks) return
  current = true
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
