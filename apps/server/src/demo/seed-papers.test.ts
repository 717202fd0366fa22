import { certFigures, listCertDues, listCerts } from '@zhugong/contract/personnel/certificates'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { settleCity } from '../../test/city.ts'
import { openWorld, type World } from '../../test/world.ts'
import { seedPapers } from './seed-papers.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
})
afterAll(() => world.close())

test('papers of every kind lie on the desk: waiting, missing, run out, reminded of, set aside', async () => {
  const settled = await settleCity(world)
  await seedPapers(world.database.kysely, settled.city, Date.now())
  const manager = await settled.as('hospital-pm')
  const figures = await manager.call(certFigures, { query: {} })
  expect(figures.missing).toBeGreaterThanOrEqual(5)
  expect(figures.expired).toBeGreaterThan(0)
  expect(figures.within30).toBeGreaterThan(0)
  expect([figures.waiting, figures.ignored]).toEqual([18, 2])
  const { list } = await manager.call(listCertDues, { query: { view: 'certAlarm', dueState: 'reminded', size: 100 } })
  expect(new Set(list.map((d) => d.reminded.length))).toEqual(new Set([1, 2, 3]))
  const refused = await manager.call(listCerts, { query: { view: 'cert', auditStatus: '2' } })
  expect(refused.total).toBe(3)
})
