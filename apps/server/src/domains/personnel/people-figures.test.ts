import { listTodos } from '@zhugong/contract/home/endpoints'
import { saveContract } from '@zhugong/contract/personnel/papers'
import { listStays, stayFigures } from '@zhugong/contract/personnel/people'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { siteOf, storedFile } from '../../../test/givens.ts'
import type { World } from '../../../test/world.ts'
import { turnContractFlags } from '../labour/public.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let hospital: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  hospital = settled.city.personas.find((p) => p.account === 'hospital-labour')?.projectCode ?? ''
  // Some of each state: expired, expiring soon, missing.
  const { pool } = world.database
  const licensed = `select w.worker_id from project_worker w join worker_cert c on c.worker_id = w.worker_id
    where w.project_code = $1 and w.exit_time is null and w.work_type is not null and c.cert_type <> '' and c.audit_status = '1' group by 1 order by 1`
  const { rows } = await pool.query<{ worker_id: string }>(licensed, [hospital])
  const ids = rows.map((r) => r.worker_id)
  await pool.query("update worker_cert set valid_end = '2026-11-01' where worker_id = any ($1)", [ids.slice(0, 3)])
  await pool.query("update worker_cert set valid_end = '2026-11-30' where worker_id = any ($1)", [ids.slice(3, 5)])
  // Managers without a contract count like workers.
  await pool.query(
    `update project_worker set has_contract = false where id in (
       (select id from project_worker where project_code = $1 and exit_time is null and work_role = '10' limit 1)
       union all (select id from project_worker where project_code = $1 and exit_time is null and work_role = '20' limit 2))`,
    [hospital],
  )
  await pool.query('update project_worker set has_contract = false where project_code = $1 and exit_time is not null', [hospital])
})
afterAll(() => world.close())

test('each figure of people is the total of the list its link opens, for each kind of account', async () => {
  for (const account of ['hospital-labour', 'hospital-pm', 'yunze-lu', 'bj-zhao', 'city-fang', 'admin']) {
    const who = await settled.as(account)
    const f = await who.call(stayFigures, { query: { projectCode: '*' } })
    const total = async (query: object) => (await who.call(listStays, { query: { projectCode: '*', stationed: '1', ...query } })).total
    const behind = {
      onSite: await total({}),
      came: await total({ firstIn: 'in' }),
      certEnding: await total({ certState: 'expiring' }),
      certEnded: await total({ certState: 'expired' }),
      certMissing: await total({ certState: 'missing' }),
      noContract: await total({ hasContract: '0' }),
      notFormal: await total({ formalStatus: '0' }),
    }
    const { onSite, came, certEnding, certEnded, certMissing, noContract, notFormal } = f
    expect([account, { onSite, came, certEnding, certEnded, certMissing, noContract, notFormal }]).toEqual([account, behind])
  }
})

test('the to-do of missing contracts says what its list shows, and only licences that a trade asks for are due', async () => {
  const labour = await settled.as('hospital-labour')
  const { list } = await labour.call(listTodos, { query: { size: 100 } })
  const contract = list.find((t) => t.kind === 'contract')
  const query = Object.fromEntries(new URLSearchParams(contract?.link.split('?')[1]))
  const { total } = await labour.call(listStays, { query })
  expect(contract?.title).toBe(`${total} 人进场未签合同`)
  expect(total).toBeGreaterThanOrEqual(3)
  const due = list.filter((t) => t.kind === 'certificate')
  const behind = await labour.call(listStays, { query: { stationed: '1', certState: 'expiring,expired', size: 100 } })
  expect(due.length).toBeGreaterThan(0)
  expect(due.map((t) => t.title.split(' ')[0]).sort()).toEqual(behind.list.map((r) => r.name).sort())
})

test('a contract that is still to come is none yet, and counts from its first day by itself', async () => {
  const labour = await settled.as('hospital-labour')
  const [stay] = (await labour.call(listStays, { query: { stationed: '1', hasContract: '0', workRole: '20' } })).list
  if (!stay) throw new Error('everybody has a contract')
  const files = [await storedFile(world, (await siteOf(world, hospital)).groupId)]
  await labour.call(saveContract, {
    body: {
      workerId: stay.workerId,
      projectCode: stay.projectCode,
      corpCode: stay.corpCode,
      contractCode: 'HT-2026-1',
      contractKind: '1',
      contractPeriodType: '1',
      startDate: '2026-12-01',
      paymentType: '1',
      salary: 600_000,
      payDay: 15,
      signDate: '2026-11-20',
      signMode: '1',
      files,
    },
  })
  const has = async () =>
    (await labour.call(listStays, { query: { stationed: '1', name: stay.name } })).list.find((r) => r.id === stay.id)?.hasContract
  expect(await has()).toBe(false)
  const db = world.database.kysely
  await turnContractFlags(db, Date.parse('2026-11-30T10:00:00+08:00'))
  expect(await has()).toBe(false)
  expect(await turnContractFlags(db, Date.parse('2026-12-01T00:30:00+08:00'))).toBeGreaterThan(0)
  expect(await has()).toBe(true)
})
