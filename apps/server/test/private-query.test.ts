import { privateHeader, privateKeys } from '@zhugong/contract/kit/private-query'
import { listWorkers } from '@zhugong/contract/personnel/people'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type CityWorld, openCity, settleCity } from './city.ts'
import type { World } from './world.ts'

let world: World
let settled: CityWorld
let token = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  token = (await settled.as('hospital-pm')).token
})
afterAll(() => world.close())

const find = async (query: string, hidden?: unknown) => {
  const header = typeof hidden === 'string' ? hidden : encodeURIComponent(JSON.stringify(hidden))
  const answer = await world.api.app.inject({
    url: `${listWorkers.path}?${query}`,
    headers: { token, group: '*', ...(hidden === undefined ? {} : { [privateHeader]: header }) },
  })
  return answer.json() as { status: number; message: string; data: { total: number; field?: string } }
}

test('people are found by their numbers from the header, and by no number in an address', async () => {
  const project = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode
  const stay = settled.city.projectWorkers.find((s) => s.projectCode === project && !s.exitTime)
  const worker = settled.city.workers.find((w) => w.workerId === stay?.workerId)
  if (!worker) throw new Error('the city changed')
  for (const [view, key, value] of [
    ['project', 'idCardNumber', worker.idCardNumber],
    ['project', 'cellPhone', worker.cellPhone],
    ['file', 'idCardNumber', worker.idCardNumber],
    ['file', 'q', worker.cellPhone],
    ['roster', 'q', worker.idCardNumber],
  ] as const) {
    expect((await find(`view=${view}`, { [key]: value })).data.total, `${view} ${key}`).toBe(1)
    expect(await find(`view=${view}&${key}=${value}`), `${view} ${key}`).toMatchObject({ status: 2, data: { field: key } })
  }
  // A name is not an identity number and stays in the URL.
  expect((await find(`name=${encodeURIComponent(worker.name)}`)).data.total).toBeGreaterThan(0)
})

test('the header holds nothing but what is marked, and is refused when it cannot be read', async () => {
  const { data } = await find('view=project&size=20', { size: 1, projectCode: 'nowhere' })
  expect(data.total).toBe((await find('view=project&size=20')).data.total)
  for (const bad of ['%', 'nonsense', '[]', 'null', encodeURIComponent('{"idCardNumber":{}}')]) expect((await find('', bad)).status).toBe(2)
})

test('no query takes a number of a person without being marked', () => {
  const suspicious = /idcard|idnumber|cellphone|mobile|phone|bankcard|cardnumber/i
  const open = world.api.serve.endpoints.flatMap((e) => {
    if (e.method !== 'GET' || !(e.schemas.query instanceof z.ZodObject)) return []
    return Object.keys(e.schemas.query.shape).flatMap((key) =>
      suspicious.test(key) && privateKeys(e.schemas.query, { [key]: '13800138000' }).length === 0 ? [`${e.path} ${key}`] : [],
    )
  })
  expect(open).toEqual([])
})
