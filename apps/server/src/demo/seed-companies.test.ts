import { join } from 'node:path'
import { listAppApplies } from '@zhugong/contract/apps/apply-endpoints'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { listAptitudes } from '@zhugong/contract/organisation/aptitudes'
import { companyHistory } from '@zhugong/contract/organisation/company-history'
import { listPapers } from '@zhugong/contract/settings/company-papers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedCompanies, seedWishes } from './seed-companies.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await seedCompanies(world.database.kysely, city.city, Date.now(), join(world.config.dataDir, 'files'))
  await seedWishes(world.database.kysely, city.city, Date.now())
})
afterAll(() => world.close())

test('the contractor has papers, qualifications and a history that say something', async () => {
  const company = await city.as('yunze-lu')
  const corpCode = city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  const papers = await company.call(listPapers, { query: { projectCode: '*' } })
  expect(papers.list).toHaveLength(9)
  expect(papers.list.filter((one) => one.due === 'ending').map((one) => one.name)).toEqual(['工伤保险参保证明'])
  expect(papers.list.find((one) => one.name === '工伤保险参保证明')?.uses.length).toBeGreaterThan(0)
  const current = await company.call(listAptitudes, { params: { corpCode } })
  expect(current.figures).toEqual({ valid: 4, ending: 1, ended: 1 })
  const { total, scores, counts } = await company.call(companyHistory, { params: { corpCode }, query: {} })
  expect(total).toBeGreaterThan(12)
  expect(counts).toMatchObject({ change: 5, aptitude: 3, score: 2 })
  expect(scores.map((one) => one.score)).toEqual([100, 91, 96, 96])
})

test('apps are applied for, and a company says whom to call', async () => {
  const waiting = await (await city.as('admin')).call(listAppApplies, { query: { projectCode: '*' } })
  expect(waiting.waiting).toBeGreaterThan(0)
  expect((await (await city.as('yunze-lu')).call(getMyInfo)).help).toMatchObject({
    contact: '陆远',
    notice: expect.stringContaining('周日'),
  })
})
