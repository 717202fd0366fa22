import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { myProjects } from '@zhugong/contract/access/endpoints'
import { openCalls } from '@zhugong/contract/telemetry/open-endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from './city.ts'
import type { World } from './world.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

const contracts = join(fileURLToPath(import.meta.url), '../../../../packages/contract/src')

test('every call the contract describes is answered', async () => {
  const served = new Set([...world.api.serve.endpoints, ...openCalls].map((one) => `${one.method} ${one.path}`))
  const files = readdirSync(contracts, { recursive: true, encoding: 'utf8' }).filter((name) => /endpoints?\.ts$/.test(name))
  expect(files.length).toBeGreaterThan(10)
  const missing: string[] = []
  for (const file of files) {
    const text = readFileSync(join(contracts, file), 'utf8')
    for (const [, method, path] of text.matchAll(/method: '(\w+)',\s+path: '([^']+)'/g)) {
      if (!served.has(`${method} ${path}`)) missing.push(`${method} ${path}`)
    }
  }
  expect(missing).toEqual([])
})

test('[project-scope] [entity-project-tree-node] the projects one may enter, by district, as far as the group sees; or one of them', async () => {
  const codes = async (account: string) =>
    (await (await settled.as(account)).call(myProjects, { query: {} })).flatMap((area) => area.projects.map((one) => one.code)).sort()
  const all = settled.city.projects.map((one) => one.projectCode).sort()
  expect(await codes('admin')).toEqual(all)
  expect(await codes('hospital-pm')).toEqual([settled.city.projects[0]?.projectCode])
  const district = await codes('yd-wang')
  expect(district.length).toBeGreaterThan(0)
  expect(district.every((code) => code.startsWith('420203'))).toBe(true)
  const one = settled.city.projects[0]?.projectCode ?? ''
  const narrowed = await (await settled.as('admin')).at(one).call(myProjects, { query: {} })
  expect(narrowed.flatMap((area) => area.projects.map((p) => p.code))).toEqual([one])
})
