import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { switchUser } from '@zhugong/contract/access/endpoints'
import { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { login } from '@zhugong/contract/identity/endpoints'
import { updateDuty } from '@zhugong/contract/notify/endpoints'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { call, stallTimer, uploadStallMs } from './http.ts'
import { storeProject, storeSession } from './session.ts'

/** A server that records its requests; relative addresses are resolved against the page's origin. */
interface ReceivedRequest {
  method: string | undefined
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: unknown
}
const requested: ReceivedRequest[] = []
const addresses: string[] = []
const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://here')
  const text = (await request.toArray()).join('')
  requested.push({
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: text ? JSON.parse(text) : undefined,
  })
  response.setHeader('content-type', 'application/json').end('{"status":0,"message":"","data":{}}')
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    addresses.push(address)
    return real(origin + address, init)
  })
  const current = () => {
    const entries = new Map<string, string>()
    return { getItem: (key: string) => entries.get(key) ?? null, setItem: (key: string, value: string) => void entries.set(key, value) }
  }
  vi.stubGlobal('localStorage', current())
  vi.stubGlobal('sessionStorage', current())
})
beforeEach(() => {
  requested.length = 0
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})

test('[http-parameters] [http-base-host] parameters of GET travel in the query, of POST and PUT in the body, all to where the page came from', async () => {
  await call(listAlarms, { query: { projectCode: 'P1', level: ['1', '2'], page: 3 } })
  await call(login, { body: { account: 'a', password: 'b' } })
  await call(updateDuty, {
    params: { id: 'd/1' },
    query: { projectCode: 'P1' },
    body: { userId: 'u', fromTime: '2026-01-01', untilTime: '2026-01-02' },
  })
  expect(requested.map(({ method, path, query, body }) => ({ method, path, query, body }))).toEqual([
    { method: 'GET', path: listAlarms.path, query: { projectCode: 'P1', level: '1,2', page: '3' }, body: undefined },
    { method: 'POST', path: login.path, query: {}, body: { account: 'a', password: 'b' } },
    {
      method: 'PUT',
      path: '/api/v1/oa/process/duty/d%2F1',
      query: { projectCode: 'P1' },
      body: { userId: 'u', fromTime: '2026-01-01', untilTime: '2026-01-02' },
    },
  ])
  expect(addresses.filter((address) => !/^\/api\//.test(address))).toEqual([])
})

test('[request-auth-header] [request-group-header] every call carries the token and the group: the chosen project, or all', async () => {
  await call(listAlarms, { query: {} })
  storeSession('t-1', false, 1000)
  await call(listAlarms, { query: {} })
  storeProject({ projectCode: 'P7', name: '七号' })
  await call(switchUser, { body: { id: 'u', status: '1' } })
  await call(listAlarms, { query: {} }, { group: '*' })
  expect(requested.map(({ headers }) => [headers.token, headers.group])).toEqual([
    [undefined, '*'],
    ['t-1', '*'],
    ['t-1', 'P7'],
    ['t-1', '*'],
  ])
})

test('[http-shared-client] an upload may last, but ends a minute after it last moved', () => {
  vi.useFakeTimers()
  let ended = 0
  const timer = stallTimer(() => ended++)
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(uploadStallMs - 1)
    expect(ended).toBe(0)
    timer.moved()
  }
  vi.advanceTimersByTime(uploadStallMs)
  expect([uploadStallMs, ended]).toEqual([60_000, 1])
  timer.stop()
  const other = stallTimer(() => ended++)
  other.stop()
  vi.advanceTimersByTime(uploadStallMs * 2)
  expect(ended).toBe(1)
  vi.useRealTimers()
})
