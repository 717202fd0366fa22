import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { initMenus } from '@zhugong/contract/access/endpoints'
import { getMyInfo, ownGroups } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { accountCalls, askAhead, doors, takeAhead } from '#kit/ahead.ts'
import { call } from '#kit/http.ts'
import { localKeys, storeProject, storeSession, writeJson } from '#kit/session.ts'
import { allPages } from './routes.ts'

/** Responds to each request with its number; `broken` closes the connection instead. */
const requested: string[] = []
let broken = false
const server = createServer((request, response) => {
  requested.push(`${request.method} ${request.url} ${request.headers.token} ${request.headers.group}`)
  if (broken) request.socket.destroy()
  else response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 0, message: '', data: requested.length }))
})
const current = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
    clear: () => kept.clear(),
  }
}
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => real(origin + address, init))
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})
const asks = [...accountCalls].map(({ method, path }) => `${method} ${path}`)
beforeEach(() => {
  vi.stubGlobal('localStorage', current())
  vi.stubGlobal('sessionStorage', current())
  for (const { method, path } of accountCalls) void takeAhead(method, path, {})
  storeSession('t1', true, 60_000)
  storeProject(undefined)
  writeJson(localStorage, localKeys.userInfo, { id: 'u' })
  broken = false
  requested.length = 0
})

test('what is asked ahead are the calls of the account, and the doors are the public pages', () => {
  expect(asks).toEqual([getMyInfo, ownGroups, initMenus].map(({ method, path }) => `${method} ${path}`))
  expect([...doors].sort()).toEqual(
    allPages
      .filter(({ auth }) => auth === 'public')
      .map(({ path }) => path)
      .sort(),
  )
})

test('each call of the account takes the answer that is on its way, and the next one asks anew', async () => {
  askAhead({ pathname: '/index', hash: '' })
  const first = await Promise.all([call(getMyInfo), call(ownGroups), call(initMenus)])
  expect(requested.toSorted()).toEqual(asks.map((one) => `${one} t1 *`).toSorted())
  expect([...first].sort()).toEqual([1, 2, 3])
  expect(await call(getMyInfo)).toBe(4)
})

test('an answer for another account or project is nobody’s', async () => {
  askAhead({ pathname: '/index', hash: '' })
  storeProject({ projectCode: '42', name: '甲' })
  await call(getMyInfo)
  storeSession('t2', true, 60_000)
  storeProject(undefined)
  await call(ownGroups)
  expect(requested.slice(3)).toEqual([`${asks[0]} t1 42`, `${asks[1]} t2 *`])
})

test('where the line breaks it is asked once more', async () => {
  broken = true
  askAhead({ pathname: '/index', hash: '' })
  await vi.waitUntil(() => requested.length === 3)
  broken = false
  expect(await call(getMyInfo)).toBe(4)
})

test.each([
  ['at a door', { pathname: '/login', hash: '' }, () => undefined],
  ['on a wall that has a key of its own', { pathname: '/huangshiScreen/main', hash: '#key=abc' }, () => undefined],
  ['without a session', { pathname: '/index', hash: '' }, () => localStorage.clear()],
  ['when the session is over', { pathname: '/index', hash: '' }, () => storeSession('t1', true, -1)],
  ['of somebody who was never in here', { pathname: '/index', hash: '' }, () => localStorage.removeItem(localKeys.userInfo)],
  [
    'of somebody who must change his password first',
    { pathname: '/index', hash: '' },
    () => writeJson(localStorage, localKeys.userInfo, { mustChangePassword: true }),
  ],
])('nothing is asked ahead %s', async (_, address, before) => {
  before()
  askAhead(address)
  expect(accountCalls.map(({ method, path }) => takeAhead(method, path, { token: 't1', group: '*' }))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
