import { getImport, listImports } from '@zhugong/contract/personnel/import'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openImports, runImport } from '#domains/personnel/import/run'
import { systemClock } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { settleCity } from '../../test/city.ts'
import { openWorld, type World } from '../../test/world.ts'
import { seedImports } from './seed-imports.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
})
afterAll(() => world.close())

test('twelve lists at rest in their states; the long one has twelve rows to mend', async () => {
  const settled = await settleCity(world)
  const { database, config } = world
  const secrets = createSecrets(config.secretKey)
  await seedImports(database.kysely, settled.city, secrets, Date.now())
  const deps = { database, clock: systemClock, secrets, log: createLog('test-seed', 'warn') }
  for (const id of await openImports(deps)) await runImport(deps, id)
  const clerk = await settled.as('hospital-labour')
  const { list, total } = await clerk.call(listImports, { query: {} })
  expect(total).toBe(12)
  expect(new Set(list.map((one) => one.state))).toEqual(new Set(['2', '3', '5', '6', '7']))
  const long = list.find((one) => one.total === 300)
  const { counts, issues, state } = await clerk.call(getImport, { params: { id: long?.id ?? '' }, query: {} })
  expect(
    issues
      .filter((i) => i.level === 'error')
      .map((i) => `${i.field} ${i.kind} ${i.count}`)
      .sort(),
  ).toEqual([
    'bankCard card 1',
    'cellPhone format 1',
    'entryTime format 1',
    'idCardNumber age 1',
    'idCardNumber identity 2',
    'idCardNumber present 1',
    'idCardNumber twin 1',
    'team place 1',
    'workType unknown 3',
  ])
  expect([state, counts.error + counts.duplicate, counts.importable]).toEqual(['2', 12, 288])
  expect(list.find((one) => one.fileName === '木工二班名单.xlsx')?.state).toBe('3')
})
