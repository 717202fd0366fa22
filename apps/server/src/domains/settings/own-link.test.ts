import * as mine from '@zhugong/contract/settings/my-person'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { testSecretKey, type World } from '../../../test/world.ts'

let world: World
let city: CityWorld
const account = 'hospital-labour'

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
})
afterAll(() => world.close())

test('where no messages are sent a file is tied by a pass at a gate of the site that has the person now, after asking', async () => {
  const { pool } = world.database
  const { rows } = await pool.query<{ id: string; project_code: string; number: Buffer; phone: Buffer }>(
    `select w.id, s.project_code, w.id_card_number as number, w.cell_phone as phone from worker w join project_worker s on s.worker_id = w.id
     join tenant t on t.code = s.project_code join member m on m.group_id = t.id join app_user u on u.id = m.user_id
     where u.account = $1 and s.exit_time is null and w.cell_phone is not null order by w.id limit 1`,
    [account],
  )
  const [worker] = rows
  const secrets = createSecrets(testSecretKey)
  await pool.query('update worker set name = (select name from app_user where account = $1) where id = $2', [account, worker?.id])
  const me = await city.as(account)
  const body = {
    idCardNumber: secrets.open(worker?.number ?? null) ?? '',
    cellPhone: secrets.open(worker?.phone ?? null) ?? '',
    password: city.accounts.find((one) => one.account === account)?.password ?? '',
  }
  let passes = 0
  const pass = (project: string | undefined, source: string, time = new Date()) =>
    pool.query(
      `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, source, seq)
       values ($1, $2, $2, $3, $4, $4, '1', 'G1', $5, 1)`,
      [project, `pass${++passes}`, worker?.id, time, source],
    )
  const { rows: others } = await pool.query<{ project_code: string }>('select project_code from project where project_code <> $1 limit 1', [
    worker?.project_code,
  ])
  await pass(worker?.project_code, '1', new Date(Date.now() - 60_000))
  expect((await me.ask(mine.linkMyPerson, { body })).status).not.toBe(0)
  expect(await me.call(mine.proveMyPerson, { body })).toMatchObject({ way: 'gate' })
  // A passage before the request, a manual one, and one at a site that does not employ the person.
  await pass(worker?.project_code, '4')
  await pass(others[0]?.project_code, '1')
  expect((await me.ask(mine.linkMyPerson, { body })).message).toMatch(/闸机/)
  await pass(worker?.project_code, '1')
  expect(await me.ask(mine.linkMyPerson, { body })).toMatchObject({ status: 0 })
  expect((await me.call(mine.getMyPerson)).person).not.toBeNull()
})
