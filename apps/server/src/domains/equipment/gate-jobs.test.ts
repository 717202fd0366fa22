import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as gates from '@zhugong/contract/equipment/gate-endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { writeTurn } from './gate-jobs.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
})
afterAll(() => world.close())

test('waiting people are written to a gate, refusals are kept, a silent gate is left alone', async () => {
  const pm = await city.as('hospital-pm')
  const gate = (await pm.call(gates.listGates, { query: {} })).list[0]?.id ?? ''
  const { added } = await pm.call(gates.syncGate, { body: { deviceId: gate } })
  expect(added).toBeGreaterThan(3)
  const folder = mkdtempSync(join(tmpdir(), 'zg-gate-'))
  const ingestSocket = join(folder, 's')
  let result = 0
  const requested: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      requested.push((JSON.parse(Buffer.concat(parts).toString()) as { cmd: string }).cmd)
      response.end(JSON.stringify({ result: requested.length === 2 ? 7 : result, message: requested.length === 2 ? '照片不合格' : '' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(ingestSocket, resolve))
  const deps = { pool: world.database.pool, log: createLog('test', 'error'), ingestSocket, now: () => Date.now() }
  const states = async () =>
    (
      await world.database.pool.query<{ state: string; n: number }>(
        'select state, count(*)::int as n from gate_face where device_id = $1 group by 1 order by 1',
        [gate],
      )
    ).rows
  expect(await writeTurn(deps, gate)).toBe(true)
  const first = Math.min(20, added)
  expect(await states()).toEqual(
    expect.arrayContaining([
      { state: '1', n: first - 1 },
      { state: '2', n: 1 },
    ]),
  )
  await pm.call(gates.clearGateFaces, { query: { deviceId: gate } })
  result = -2
  expect(await writeTurn(deps, gate)).toBe(false)
  result = 0
  expect(await writeTurn(deps, gate)).toBe(true)
  expect(requested.at(-1)).toBe('gate.personRemove')
  expect((await states()).find((s) => s.state === '3')?.n ?? 0).toBe(added - first)
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})
