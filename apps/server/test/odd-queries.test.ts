import { listAudit, listRoles, listUsers } from '@zhugong/contract/access/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type CityWorld, openCity, settleCity } from './city.ts'
import { sampleInput } from './sample-input.ts'
import type { World } from './world.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

interface Property {
  type?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
}
const withQuery = () => world.api.serve.endpoints.filter((e) => e.method === 'GET' && e.schemas.query && !e.path.includes('/open/'))
const propertiesOf = (e: Endpoint): Record<string, Property> =>
  (z.toJSONSchema(e.schemas.query as z.ZodType, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, Property> })
    .properties ?? {}

/** Adds one parameter to the endpoint's minimum; refusals and missing records are valid answers. */
async function ask(e: Endpoint, key: string, value: string, more: object = {}) {
  const input = sampleInput(e, []) as { params?: Record<string, string>; query?: Record<string, unknown> }
  const caller = await settled.as('admin')
  return caller.ask(e, { ...input, query: { ...input.query, ...more, [key]: value } } as never)
}

/** Sorts by a name; a call with several views or kinds takes it in one of them. */
async function sorted(e: Endpoint, sort: string) {
  const answer = await ask(e, 'sort', sort)
  if (!/不能按/.test(answer.message)) return answer
  const properties = propertiesOf(e)
  for (const name of ['view', 'kind']) {
    const of = properties[name]
    for (const one of of?.enum ?? (of?.const === undefined ? [] : [of.const])) {
      const other = await ask(e, 'sort', sort, { [name]: one })
      if (!/不能按/.test(other.message)) return other
    }
  }
  return answer
}

test('no list takes a name for a column that every object has', async () => {
  const lists = withQuery().filter((e) => 'sort' in propertiesOf(e))
  expect(lists.length).toBeGreaterThan(30)
  for (const e of lists) {
    for (const sort of ['constructor', '-constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__', '-__proto__']) {
      const answer = await ask(e, 'sort', sort)
      expect([e.path, sort, answer.http < 500, answer.message]).toEqual([e.path, sort, true, expect.not.stringMatching(/服务器链接失败/)])
    }
  }
})

test('a list sorts by every name its contract has, and by no other', async () => {
  const lists = withQuery().flatMap((e) => {
    const names = propertiesOf(e).sort?.enum
    return names ? [{ e, names: names as string[] }] : []
  })
  expect(lists.length).toBeGreaterThan(30)
  let tried = 0
  for (const { e, names } of lists) {
    for (const sort of names) {
      const answer = await sorted(e, sort)
      expect([e.path, sort, answer.http < 500, answer.message]).toEqual([
        e.path,
        sort,
        true,
        expect.not.stringMatching(/服务器链接失败|不能按/),
      ])
    }
    const other = await ask(e, 'sort', 'password')
    // A few lists require a site: refused before anything is read.
    if (other.http === 403) continue
    tried++
    expect([e.path, other.http, other.message]).toEqual([e.path, 400, expect.stringContaining('不能按“password”排序')])
  }
  expect(tried).toBeGreaterThan(25)
})

test('accounts, roles and the log are searched for a sign of patterns as for any other', async () => {
  const admin = await settled.as('admin')
  for (const sign of ['%', '_']) {
    expect([
      sign,
      (await admin.call(listUsers, { query: { account: sign } })).total,
      (await admin.call(listRoles, { query: { name: sign } })).total,
    ]).toEqual([sign, 0, 0])
    expect([sign, (await admin.call(listAudit, { query: { account: sign } })).total]).toEqual([sign, 0])
  }
})

/** Invalid as day, instant, month or range of days. */
const impossible = [
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '99999-01-01',
  '2026-02-30 10:00:00',
  '2026-02-30T10:00:00Z',
  '2026-13',
  '0000-05',
]
/** Unusual formats that may be accepted or refused, but must not cause a server error. */
const odd = [
  '2026-01-01T10:00Z',
  '2026-01-01T10:00:00.123+05:30',
  '2026-01-01 24:00',
  '99999999999999',
  '4102444800000',
  '9'.repeat(30),
  '1e308',
  '-1',
]

test('an impossible date is refused by every query that takes dates, and an odd one breaks nothing', async () => {
  let dates = 0
  let requests = 0
  const faults: string[] = []
  for (const e of withQuery()) {
    for (const [key, property] of Object.entries(propertiesOf(e))) {
      if (property.enum || ['page', 'size', 'sort'].includes(key)) continue
      const field = (e.schemas.query as z.ZodObject).shape?.[key] as z.ZodType | undefined
      if (!field) continue
      const takes = (value: string) => field.safeParse(value).success
      // The parameter accepts a day or month, but not arbitrary text.
      const isDate = (takes('2026-11-02') || takes('2026-11') || takes('2026-11-02,')) && !takes('zzz')
      if (isDate) {
        dates++
        for (const value of impossible)
          for (const form of [value, `${value},`, `,${value}`, `2026-01-01,${value}`])
            if (takes(form)) faults.push(`${e.path} ${key} takes ${form}`)
      }
      const isNumber = takes('1') && !takes('zzz')
      if (!isDate && !isNumber) continue
      for (const value of odd)
        for (const form of [value, `${value},`]) {
          if (!takes(form)) continue
          requests++
          const answer = await ask(e, key, form)
          if (answer.http >= 500) faults.push(`${e.path} ${key}=${form}: ${answer.http}`)
        }
    }
  }
  expect([dates > 60, requests > 100]).toEqual([true, true])
  expect(faults).toEqual([])
})

test('nor does a filter of several words', async () => {
  const requested = [
    ['/api/v1/oa/worker', 'certState'],
    ['/api/v1/oa/worker', 'missing'],
    ['/api/v1/iot/truckScale', 'deviationState'],
  ] as const
  for (const [path, key] of requested) {
    const lists = withQuery().filter((e) => e.path.startsWith(path) && key in propertiesOf(e))
    expect(lists.length, key).toBeGreaterThan(0)
    for (const e of lists)
      for (const word of ['constructor', 'toString', 'x,constructor', '__proto__', 'hasOwnProperty,valueOf']) {
        const answer = await ask(e, key, word)
        expect([e.path, key, word, answer.http]).toEqual([e.path, key, word, 200])
      }
  }
})
