import { listSessions, listTrained, trainFigures } from '@zhugong/contract/personnel/training'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { settleCity } from '../../test/city.ts'
import { openWorld, type World } from '../../test/world.ts'
import { seedTrainings } from './seed-trainings.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
})
afterAll(() => world.close())

test('whoever may enter has been taught; some have the three levels, some failed, one session is still to come', async () => {
  const settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedTrainings(tx, settled.city, Date.now()))
  const manager = await settled.as('hospital-pm')
  const figures = await manager.call(trainFigures, { query: {} })
  const { list } = await manager.call(listTrained, { query: { view: 'train', entryTrained: '1', size: 1000 } })
  expect(list).toHaveLength(figures.trained)
  expect(list.filter((r) => ['none', 'failed'].includes(r.marks.entry?.state ?? 'none'))).toEqual([])
  expect(list.filter((r) => r.marks.company?.state === 'passed').length).toBeGreaterThan(40)
  const { list: sessions } = await manager.call(listSessions, { query: { projectCode: '*', state: 'planned' } })
  expect(sessions.length).toBeGreaterThan(3)
  const { list: repeats } = await manager.call(listSessions, { query: { projectCode: '*', tab: 'retest' } })
  expect(repeats.length).toBeGreaterThan(0)
  const { list: off } = await manager.call(listSessions, { query: { projectCode: '*', state: 'cancelled' } })
  expect(off).toMatchObject([{ state: 'cancelled' }])
})
