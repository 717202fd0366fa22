import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { furnish } from '../../../test/furnish.ts'
import { inputOf } from '../../../test/isolation/matrix.ts'
import { referencesOf, sampleInput } from '../../../test/sample-input.ts'
import { ownedRows, viewers } from '../../../test/tenants.ts'
import type { World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
})
afterAll(() => world.close())

const withoutChange = (endpoint: Endpoint) =>
  endpoint.needs !== 'public' && (endpoint.method === 'GET' || endpoint.unaudited) && !endpoint.path.includes('/open/')

test('no answer holds the masked number of an identity card and the day of birth that is hidden in it', async () => {
  const people = await sql<{ mask: string; birthday: string }>`select distinct id_card_mask as mask, birthday::text as birthday from worker
    where id_card_type = '01' and id_card_mask like '%********%'`.execute(world.database.kysely)
  const rows = await ownedRows(world.database.pool)
  const findings: unknown[] = []
  let seen = 0
  for (const viewer of viewers(settled.city).filter((one) =>
    ['admin', 'city-fang', 'yunze-lu', 'hospital-pm', 'hospital-labour'].includes(one.account),
  )) {
    const caller = await settled.as(viewer.account)
    for (const endpoint of world.api.serve.endpoints.filter(withoutChange)) {
      const answer = await caller.ask(endpoint, sampleInput(endpoint, inputOf(referencesOf(endpoint), rows, viewer)) as never)
      if (answer.status !== 0 || Buffer.isBuffer(answer.data)) continue
      for (const one of recordsIn(answer.data)) {
        const text = JSON.stringify(one)
        const person = people.rows.find(({ mask }) => text.includes(mask))
        if (!person) continue
        seen++
        if (text.includes(person.birthday)) findings.push([viewer.account, `${endpoint.method} ${endpoint.path}`, person])
      }
    }
  }
  expect(findings.slice(0, 10)).toEqual([])
  expect(seen).toBeGreaterThan(50)
}, 300_000)

/** The objects in a response that describe one record: the rows of its lists, or the whole response. */
function recordsIn(data: unknown): unknown[] {
  if (typeof data !== 'object' || data === null) return []
  if (Array.isArray(data)) return data.flatMap(recordsIn)
  const own = Object.fromEntries(Object.entries(data).filter(([, value]) => typeof value !== 'object' || value === null))
  return [own, ...Object.values(data).flatMap(recordsIn)]
}
