import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '#kit/log'
import { openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import { referencesOf, sampleInput } from '../sample-input.ts'
import { maySee, ownedRows, viewers } from '../tenants.ts'
import { inParallel, type Random, randomFrom, sizeOf } from './size.ts'

/** Filters and sorts of every list with SQL injections: none reaches the database as SQL. `FILTER_REQUESTS=100000` for the full size. */
const requests = sizeOf('FILTER_REQUESTS', 2_500)
const seed = sizeOf('FILTER_SEED', 20261122)

const hostile = [
  "'",
  '"',
  "' or '1'='1",
  "x'; drop table worker; --",
  "' union select password_hash from app_user --",
  '1; select pg_sleep(9)',
  "'||(select secret from gateway limit 1)||'",
  '\\',
  "\\'",
  '%',
  '%_%\\%',
  '$' + '{1}',
  '$1',
  '$$x$$',
  '/*',
  '--',
  '(((((',
  ')',
  '{}',
  '{"a":',
  '[1,2',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '9'.repeat(40),
  '\u0001',
  '\ud83d\ude00',
  '０１２',
  "E'\\x00'",
  "'::regclass",
  'constructor',
  '__proto__',
  'name,',
  ',',
  ',,',
  'x'.repeat(300),
]
const sorts = [
  "name' desc",
  'name; drop table x',
  '(select 1)',
  'password_hash',
  '-passwordHash',
  'u.password_hash',
  '1',
  '-',
  '--name',
  'id,(select 1)',
]

interface List {
  endpoint: Endpoint
  input: { params?: Record<string, string>; query?: Record<string, unknown> }
  fields: [string, unknown[]][]
}

test(`${requests} fuzzed filters and sorts: no error of SQL`, async () => {
  const lines: string[] = []
  const log = createLog('filters', 'warn', { write: (line) => void lines.push(line) })
  const world = await openCity(inject('postgresUrl'), { log }, { keepsChanges: false })
  const settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
  const rows = await ownedRows(world.database.pool)
  const callers = await Promise.all(['admin', 'hospital-pm'].map((account) => settled.as(account)))
  const viewer = viewers(settled.city).find((one) => one.account === 'hospital-pm')
  const lists: List[] = world.api.serve.endpoints
    .filter((e) => e.method === 'GET' && e.schemas.query && e.needs !== 'public')
    .map((endpoint) => {
      const given = referencesOf(endpoint).flatMap((reference) => {
        const hit = rows.find((row) => row.subject === reference.subject && viewer && maySee(viewer, row))
        return hit ? [{ reference, value: hit.id }] : []
      })
      const described = z.toJSONSchema(endpoint.schemas.query as z.ZodType, { io: 'input', unrepresentable: 'any' }) as {
        properties?: Record<string, { enum?: unknown[] }>
      }
      const fields = Object.entries(described.properties ?? {}).map(([key, one]): [string, unknown[]] => [key, one.enum ?? []])
      return { endpoint, input: sampleInput(endpoint, given) as List['input'], fields }
    })
    .filter((list) => list.fields.length > 0)
  const random = randomFrom(seed)
  const statuses = new Map<number, number>()
  const failed: string[] = []
  await inParallel(requests, 8, async () => {
    const list = random.pick(lists)
    const query = spoilt(random, list)
    const answer = await random.pick(callers).ask(list.endpoint, { ...list.input, query } as never)
    statuses.set(answer.http, (statuses.get(answer.http) ?? 0) + 1)
    if (answer.http >= 500) failed.push(`${answer.http} ${list.endpoint.path} ${JSON.stringify(query)}`)
  })
  console.log(`${requests} requests to ${lists.length} calls: ${JSON.stringify([...statuses])}, ${lines.length} lines in the log`)
  await world.close()
  expect(failed.slice(0, 10)).toEqual([])
  // Database errors are logged, even if the caller is told of invalid input.
  expect(lines.slice(0, 5)).toEqual([])
  expect(statuses.get(200) ?? 0).toBeGreaterThan(requests / 10)
}, 0)

function spoilt(random: Random, list: List): Record<string, unknown> {
  const query: Record<string, unknown> = { ...list.input.query }
  for (let n = random.below(3); n >= 0; n--) {
    const [key, choices] = random.pick(list.fields)
    const usual = query[key] ?? (choices.length ? random.pick(choices) : 'x')
    const bad = key === 'sort' ? random.pick([...sorts, ...hostile]) : random.pick(hostile)
    query[key] = random.pick([bad, `${usual}${bad}`, `${bad}${usual}`, `${usual},${bad}`])
  }
  return query
}
