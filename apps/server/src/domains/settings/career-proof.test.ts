import * as calls from '@zhugong/contract/settings/career-proof'
import { addMyRecord } from '@zhugong/contract/settings/my-person'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let me: Caller
let other: Caller
let worker: { id: string; name: string; mask: string }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  const projectCode = city.accounts.find((one) => one.account === 'hospital-pm')?.projectCode
  const { rows } = await world.database.pool.query<{ id: string; name: string; mask: string }>(
    `select w.id, w.name, w.id_card_mask as mask from worker w join project_worker s on s.worker_id = w.id where s.project_code = $1 order by w.id limit 2`,
    [projectCode],
  )
  worker = rows[0] ?? { id: '', name: '', mask: '' }
  await world.database.pool.query(`update app_user set worker_id = $1 where account = 'hospital-pm'`, [rows[0]?.id])
  await world.database.pool.query(`update app_user set worker_id = $1 where account = 'hospital-safety'`, [rows[1]?.id])
  me = await city.as('hospital-pm')
  other = await city.as('hospital-safety')
})
afterAll(() => world.close())

const file = (caller: Caller, number: string) =>
  world.api.app.inject({ url: `/api/v1/sys/my/proof/${number}/file`, headers: { token: caller.token } })

test('a proof holds what the platform recorded, opens to its owner alone, and is checked by its number without his name', async () => {
  await me.call(addMyRecord, {
    body: { projectName: '自填的老城改造', corpName: '某公司', workType: '020', entryTime: '2019-03-01', exitTime: '2019-12-01' },
  })
  const { number } = await me.call(calls.issueCareerProof)
  expect((await me.call(calls.listCareerProofs)).list.map((one) => one.number)).toEqual([number])
  expect((await other.call(calls.listCareerProofs)).list).toEqual([])

  const mine = await file(me, number)
  expect(mine.headers['content-type']).toMatch(/pdf/)
  expect(mine.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await file(other, number)).headers['content-type']).toMatch(/json/)

  const shown = await world.anonymous.call(calls.checkCareerProof, { query: { number: number.toLowerCase() } })
  expect(shown.stays.length).toBeGreaterThan(0)
  const text = JSON.stringify(shown)
  for (const secret of [worker.name, worker.id, worker.mask, '自填的老城改造']) expect(text).not.toContain(secret)

  const guess = `${number.slice(0, -1)}${number.endsWith('A') ? 'B' : 'A'}`
  expect((await world.anonymous.ask(calls.checkCareerProof, { query: { number: guess } })).message).toMatch(/不存在/)
  expect((await world.anonymous.ask(calls.checkCareerProof, { query: { number: 'x' } })).message).toMatch(/证明编号形如/)
})

test('what was issued stays what it was', async () => {
  const { list } = await me.call(calls.listCareerProofs)
  const number = list[0]?.number ?? ''
  const before = await world.anonymous.call(calls.checkCareerProof, { query: { number } })
  await world.database.pool.query('delete from attendance_day where worker_id = $1', [worker.id])
  expect(await world.anonymous.call(calls.checkCareerProof, { query: { number } })).toEqual(before)
})
