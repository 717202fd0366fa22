import { expect, test, vi } from 'vitest'
import {
  clearStorage,
  currentSession,
  groupHeader,
  isLoggedIn,
  localKeys,
  lossTarget,
  ownPath,
  type SessionState,
  sessionKeys,
  storeProject,
  storeSession,
  takeStoredProject,
} from './session.ts'

const state = (more: Partial<SessionState> = {}): SessionState => ({
  token: 't',
  sessionToken: 't',
  keepLive: { live: false, timeStamp: 1000, duration: 500 },
  ...more,
})

test.each<[string, SessionState, number, boolean]>([
  ['inside', state(), 1499, true],
  ['at the very end', state(), 1500, false],
  ['no token', state({ token: null }), 1200, false],
  ['browser closed in between', state({ sessionToken: null }), 1200, false],
  [
    'kept alive without a session token',
    state({ sessionToken: null, keepLive: { live: true, timeStamp: 1000, duration: 500 } }),
    1200,
    true,
  ],
  ['kept alive but over', state({ keepLive: { live: true, timeStamp: 1000, duration: 500 } }), 1500, false],
  ['no record', state({ keepLive: undefined }), 1200, false],
])('[session-live-rule] [session-boundary] session %s', (_, given, now, expected) => expect(isLoggedIn(given, now)).toBe(expected))

test.each([
  ['0', '/login/v1', '/admin'],
  ['1', '/login/v1', '/login/v1'],
  ['3', null, '/login'],
  [null, null, '/login'],
])('[session-loss-targets] [session-loss-group-type] lost by type %s with %s leads to %s', (type, path, target) =>
  expect(lossTarget(type, path)).toBe(target),
)

test.each([
  ['/main?a=1', '/main?a=1'],
  ['//evil.example', undefined],
  ['/\\evil', undefined],
  ['https://evil', undefined],
  ['/login?x=https://a', undefined],
  [null, undefined],
])('way back %s', (given, expected) => expect(ownPath(given)).toBe(expected))

/** Storage shared by the tabs of one browser. */
function storage(): Storage {
  const existing = new Map<string, string>()
  return {
    get length() {
      return existing.size
    },
    key: (at) => [...existing.keys()][at] ?? null,
    getItem: (key) => existing.get(key) ?? null,
    setItem: (key, value) => void existing.set(key, value),
    removeItem: (key) => void existing.delete(key),
    clear: () => existing.clear(),
  }
}

test('what a tab sends goes to the project in its own header, whatever another tab has chosen since', () => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  storeProject({ projectCode: 'P1', name: '一号' })
  expect(groupHeader()).toBe('P1')
  localStorage.setItem('activeGroup', JSON.stringify({ projectCode: 'P2', name: '二号' }))
  expect(groupHeader()).toBe('P1')
  expect(takeStoredProject()).toEqual({ projectCode: 'P2', name: '二号' })
  expect(groupHeader(), 'a reload shows, and sends to, the last choice').toBe('P2')
  clearStorage()
  expect(groupHeader()).toBe('*')
  vi.unstubAllGlobals()
})

test('[public-route-clears-storage] what is emptied keeps the stored group type, whichever it is', () => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  for (const kept of ['0', '2', null]) {
    localStorage.setItem('userInfo', '{}')
    sessionStorage.setItem('operator', '[]')
    if (kept === null) localStorage.removeItem('groupsType')
    else localStorage.setItem('groupsType', kept)
    clearStorage()
    expect([localStorage.getItem('groupsType'), localStorage.getItem('userInfo'), sessionStorage.getItem('operator')]).toEqual([
      kept,
      null,
      null,
    ])
  }
  vi.unstubAllGlobals()
})

test('[storage-local-keys] [storage-session-keys] what a browser keeps of a session, by name', () => {
  expect(Object.values(localKeys)).toEqual([
    'token',
    'keepLive',
    'menu',
    'category',
    'activeAppIndex',
    'activeMenu',
    'activeSubMenu',
    'activeGroup',
    'relevance',
    'groupsType',
    'userInfo',
    'groups',
    'loginPath',
  ])
  expect(Object.values(sessionKeys)).toEqual(['token', 'operator'])
})

test('[storage-keeplive-fields] a session is stored with its token in both places, whether it lives on, its beginning and its length', () => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  vi.useFakeTimers({ now: 1_700_000_000_000 })
  storeSession('t1', true, 43_200_000)
  expect(JSON.parse(localStorage.getItem('keepLive') ?? '')).toEqual({ live: true, timeStamp: 1_700_000_000_000, duration: 43_200_000 })
  expect([localStorage.getItem('token'), sessionStorage.getItem('token')]).toEqual(['t1', 't1'])
  expect(isLoggedIn(currentSession(), Date.now() + 43_199_999)).toBe(true)
  expect(isLoggedIn(currentSession(), Date.now() + 43_200_000)).toBe(false)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
