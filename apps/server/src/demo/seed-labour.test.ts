import * as black from '@zhugong/contract/labour/black'
import * as blackListsCalls from '@zhugong/contract/labour/black-lists'
import { listEnterprises, listOperators } from '@zhugong/contract/labour/register'
import { listTeamStays } from '@zhugong/contract/labour/teams'
import { getUnitInfo } from '@zhugong/contract/labour/unit-info'
import { listUnits } from '@zhugong/contract/labour/units'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { settleCity } from '../../test/city.ts'
import { openWorld, type World } from '../../test/world.ts'
import { seedLabour } from './seed-labour.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
})
afterAll(() => world.close())

test('the lists stand in every state, the register tells another story of three companies, finance has done its part', async () => {
  const settled = await settleCity(world)
  await seedLabour(world.database.kysely, settled.city, createSecrets(world.config.secretKey), Date.now())
  const clerk = await settled.as('hospital-labour')
  const projectCode = settled.city.personas.find((p) => p.account === 'hospital-labour')?.projectCode ?? ''
  const { list } = await clerk.call(blackListsCalls.listLaborBlack, { query: { projectCode, size: 100 } })
  expect(new Set(list.map((e) => e.status))).toEqual(new Set(['0', '1', '2', '3', '4', '5', '6', '7']))
  const figures = await clerk.call(blackListsCalls.laborBlackFigures, { query: { projectCode } })
  expect(figures.effective).toBeGreaterThanOrEqual(7)
  expect(figures.inPlace).toBeGreaterThan(0)
  for (const e of list) await clerk.call(black.getLaborBlack, { params: { id: e.id }, query: { projectCode: '*' } })
  const companies = await clerk.call(blackListsCalls.listCompanyBlack, { query: { projectCode: '*', view: 'effective' } })
  expect(companies.total).toBe(3)
  const register = await (await settled.as('admin')).call(listEnterprises, { query: { size: 20 } })
  expect(register.figures.differs).toBeGreaterThanOrEqual(3)
  expect((await clerk.call(listOperators, { query: {} })).total).toBeGreaterThan(300)
  const units = await clerk.call(listUnits, { query: { projectCode, size: 100 } })
  const infos = await Promise.all(units.list.map((u) => clerk.call(getUnitInfo, { query: { id: u.id } })))
  expect(infos.filter((u) => u.accountChange)).toHaveLength(1)
  expect((await clerk.call(listTeamStays, { query: { projectCode } })).total).toBeGreaterThan(0)
})
