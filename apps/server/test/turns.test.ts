import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { listTeams } from '@zhugong/contract/labour/teams'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { turnLimits } from '#kit/request-turns'
import { type CityWorld, openCity, settleCity } from './city.ts'
import type { World } from './world.ts'

let world: World
let city: CityWorld
/** Locks a table like a long change, so that readers wait. */
let holder: pg.Client

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { rateLimits: true })
  city = await settleCity(world)
  holder = new pg.Client({ connectionString: world.config.databaseUrl ?? '' })
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await world.close()
})

test('an account whose requests all wait takes no more than its turns: others are answered, its own too many are refused', async () => {
  const [greedy, other] = [await city.as('yunze-lu'), await city.as('bj-zhao')]
  await holder.query('begin; lock table team in access exclusive mode')
  const requested = Array.from({ length: turnLimits.perAccount + turnLimits.waitingPerAccount + 10 }, () => greedy.ask(listTeams))
  // Requests beyond the queue's limit are refused immediately.
  const first = await Promise.race(requested)
  expect(first).toMatchObject({ http: 429, status: 4, message: expect.stringContaining('同时进行的请求过多') })
  expect(await other.ask(getMyInfo)).toMatchObject({ http: 200, status: 0 })
  await holder.query('rollback')
  const answers = await Promise.all(requested)
  expect(answers.filter((a) => a.http === 429)).toHaveLength(10)
  expect(answers.filter((a) => a.status === 0)).toHaveLength(turnLimits.perAccount + turnLimits.waitingPerAccount)
})

test('a statement that takes too long is ended, and whoever asked is told what to do', async () => {
  const requester = await city.as('bj-zhao')
  await holder.query('begin; lock table team in access exclusive mode')
  expect(await requester.ask(listTeams)).toMatchObject({ http: 200, status: 4, message: expect.stringContaining('缩小时间范围') })
  await holder.query('rollback')
  expect(await requester.ask(listTeams)).toMatchObject({ status: 0 })
})

test('a body larger than a form is refused, unread where nobody is logged in; calls that take lists by the thousand say so', async () => {
  const requester = await city.as('yunze-lu')
  const post = (path: string, token: string, bytes: number) =>
    world.api.app.inject({
      method: 'POST',
      url: path,
      headers: { token, 'content-type': 'application/json' },
      payload: JSON.stringify({ teamName: 'x'.repeat(bytes) }),
    })
  expect((await post('/api/v1/oa/team', requester.token, 100_000)).statusCode).toBe(413)
  expect((await post('/api/v1/oa/team', requester.token, 1_000)).statusCode).toBe(400)
  expect((await post('/api/v1/oa/team', 'nobody', 100_000)).json()).toMatchObject({ status: 105 })
  expect((await post('/api/v1/iot/rule/trigger/rehearse', requester.token, 900_000)).statusCode).not.toBe(413)
  const many = await world.api.app.inject({
    method: 'POST',
    url: '/api/v1/oa/role/',
    headers: { token: requester.token, 'content-type': 'application/json' },
    payload: JSON.stringify({ name: '大', codes: Array.from({ length: 20_000 }, () => ({})) }),
  })
  expect(many.rawPayload.length).toBeLessThan(20_000)
})
