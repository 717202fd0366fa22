import * as gates from '@zhugong/contract/equipment/gate-endpoints'
import { registerWorker, updateWorker, workerDetailInfo } from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { takeOffWhoMayNot } from '../../src/domains/equipment/gate-jobs.ts'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { newcomer, type Site, siteOf, storedFile } from '../givens.ts'
import type { Caller, World } from '../world.ts'

/** Face data: none without a consent of its own, none on a gate after the consent is withdrawn or the person has left. */
let world: World
let settled: CityWorld
let site: Site
let clerk: Caller
let manager: Caller
let gate: string
let signature: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
  clerk = await settled.as('hospital-labour')
  manager = await settled.as('hospital-pm')
  signature = await storedFile(world, site.groupId)
  gate = (await manager.call(gates.listGates, { query: {} })).list[0]?.id ?? ''
})
afterAll(() => world.close())

const face = (state: '同意' | '不同意') => ({
  kind: 'face' as const,
  state,
  version: '1.0',
  way: '手写签名',
  file: state === '同意' ? signature : null,
})
async function enter(consents: unknown[]): Promise<string> {
  const { workerId } = await clerk.call(registerWorker, { body: newcomer(site, { consents } as never) })
  await world.database.pool.query(`update project_worker set stationed = '1', attend_enabled = true where worker_id = $1`, [workerId])
  return workerId
}
const sync = () => manager.call(gates.syncGate, { body: { deviceId: gate } })
const stateOf = async (workerId: string) =>
  (
    await world.database.pool.query<{ state: string }>('select state from gate_face where device_id = $1 and worker_id = $2', [
      gate,
      workerId,
    ])
  ).rows[0]?.state
async function takeBack(workerId: string): Promise<void> {
  const { version } = await clerk.call(workerDetailInfo, { params: { id: workerId }, query: {} })
  await clerk.call(updateWorker, { params: { id: workerId }, body: { consents: [face('不同意')], version } as never })
}

test('a face goes to a gate with its owner’s own consent only; the consent to a file is none', async () => {
  const willing = await enter([face('同意')])
  const silent = await enter([{ ...face('同意'), kind: 'personal' }])
  const unwilling = await enter([face('不同意')])
  await sync()
  expect([await stateOf(willing), await stateOf(silent), await stateOf(unwilling)]).toEqual(['0', undefined, undefined])
})

test('who takes his consent back is taken off at the next comparison, whoever asks for it', async () => {
  const person = await enter([face('同意')])
  await sync()
  await takeBack(person)
  expect((await sync()).removed).toBe(1)
  expect(await stateOf(person)).toBe('3')
})

test('who has left or taken his consent back is taken off though nobody asks for it', async () => {
  const [leaves, declines, stays] = [await enter([face('同意')]), await enter([face('同意')]), await enter([face('同意')])]
  await sync()
  await takeBack(declines)
  await world.database.pool.query(`update project_worker set exit_time = now(), stationed = '2' where worker_id = $1`, [leaves])
  const deps = { pool: world.database.pool, now: () => Date.now() }
  expect(await takeOffWhoMayNot(deps)).toBeGreaterThanOrEqual(2)
  expect([await stateOf(leaves), await stateOf(declines), await stateOf(stays)]).toEqual(['3', '3', '0'])
  expect(await takeOffWhoMayNot(deps)).toBe(0)
})

test('a way without a face is offered: whoever has none still enters by card', async () => {
  const { skipped } = await sync()
  expect(skipped).toBeGreaterThan(0)
})

test('no template of a face is kept: no column is made for one', async () => {
  const { rows } = await world.database.pool.query<{ at: string }>(
    `select table_name || '.' || column_name as at from information_schema.columns
     where table_schema = 'public' and column_name ~ 'template|embedding|feature|descriptor' and table_name ~ 'worker|face|person'`,
  )
  expect(rows).toEqual([])
})
