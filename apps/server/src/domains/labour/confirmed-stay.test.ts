import { randomUUID } from 'node:crypto'
import { enterWorker, exitWorkers } from '@zhugong/contract/labour/stays'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { agreeToMyStay } from '@zhugong/contract/settings/my-person'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let pm: Caller
let home: string
let site: string
let place: { corpCode: string; teamId: string }
let person: { id: string; name: string; number: string; phone: string; address: string; contact: string }
let stay: string
const secrets = createSecrets(testSecretKey)
const query = async <T extends object>(text: string, values: unknown[] = []) => (await world.database.pool.query<T>(text, values)).rows

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  pm = await city.as('zhigu-pm')
  const projectOf = (account: string) => city.city.personas.find((one) => one.account === account)?.projectCode ?? ''
  home = projectOf('hospital-pm')
  site = projectOf('zhigu-pm')
  const [team] = await query<{ corpCode: string; teamId: string }>(
    `select t.corp_code as "corpCode", t.id as "teamId" from team t join project_corp c on c.corp_code = t.corp_code and c.project_code = t.project_code
     where t.project_code = $1 and t.exit_time is null and c.exit_time is null limit 1`,
    [site],
  )
  place = team ?? { corpCode: '', teamId: '' }
})
afterAll(() => world.close())

let taken = 0
beforeEach(async () => {
  const [w] = await query<{ id: string; name: string; number: Buffer; phone: Buffer }>(
    `select w.id, w.name, w.id_card_number as number, w.cell_phone as phone from worker w join project_worker s on s.worker_id = w.id
     where s.project_code = $1 and s.exit_time is null and w.cell_phone is not null and not exists (select 1 from project_worker o where o.worker_id = w.id and o.project_code <> $1)
     order by w.id offset $2 limit 1`,
    [home, taken++],
  )
  person = {
    id: w?.id ?? '',
    name: w?.name ?? '',
    number: secrets.open(w?.number ?? null) ?? '',
    phone: secrets.open(w?.phone ?? null) ?? '',
    address: '湖北省云东市某某里弄 88 号',
    contact: '王紧急',
  }
  await query(
    `update worker set address = $2, urgent_link_man = $3, urgent_link_man_phone = $4, urgent_link_man_phone_mask = '139****7001',
       head_image = md5(id || 'head'), face_photo = md5(id || 'face'), expiry_date = '2046-01-01' where id = $1`,
    [person.id, secrets.seal(person.address), person.contact, secrets.seal('13900007001')],
  )
  const entered = await pm.call(enterWorker, {
    body: {
      idCardType: '01',
      idCardNumber: person.number,
      name: person.name,
      projectCode: site,
      ...place,
      workRole: '20',
      workType: '020',
      entryTime: new Date(Date.now() - 60_000).toISOString(),
    },
  })
  stay = entered.id
})

const reads = async () => {
  const detail = await pm.ask(workersCalls.workerDetailInfo, { params: { id: person.id }, query: { projectWorkerId: stay } })
  const answers = [
    detail,
    await pm.ask(workersCalls.workerBaseInfo, { params: { id: person.id } }),
    await pm.ask(workersCalls.fillWorker, { params: { id: person.id } }),
    await pm.ask(peopleCalls.listStays, { query: { projectCode: site, name: person.name } }),
    await pm.ask(peopleCalls.listFiles, { query: { view: 'file', idCardNumber: person.number } }),
    await pm.ask(peopleCalls.listRoster, { query: { view: 'roster', projectCode: site, q: person.name } }),
  ]
  return { detail, text: JSON.stringify(answers) }
}
const openedBy = (text: string) =>
  [person.phone.slice(-4), '湖北省云东市', person.contact, '139****7001'].filter((one) => text.includes(one))
const unmask = () =>
  pm.ask(workersCalls.workerDetailInfo, {
    params: { id: person.id },
    query: { projectWorkerId: stay, plain: 'cellPhone,address', reason: '核对' },
  })
const gate = (source: string, flags: string[] = []) =>
  query(
    `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, source, seq, flags)
     values ($1, $2, $2, $3, now(), now(), '1', 'G1', $4, 1, $5)`,
    [site, randomUUID(), person.id, source, flags],
  )

test('entered by number and name, nothing of the file is shown, sought, unmasked or written until he has come', async () => {
  const before = await reads()
  expect(before.detail).toMatchObject({
    status: 0,
    data: { hold: 'unconfirmed', name: person.name, headImage: null, facePhoto: null, cellPhone: null },
  })
  expect(openedBy(before.text)).toEqual([])
  expect(await unmask()).toMatchObject({ http: 403 })
  expect((await pm.ask(peopleCalls.listStays, { query: { projectCode: site, cellPhone: person.phone } })).data).toMatchObject({ total: 0 })
  // Neither a record made by hand nor a refused passage counts as confirmation.
  await gate('4')
  await gate('1', ['refused'])
  expect(openedBy((await reads()).text)).toEqual([])
  await gate('1')
  const after = await reads()
  expect(after.detail).toMatchObject({ data: { hold: 'present' } })
  expect(openedBy(after.text)).toContain(person.phone.slice(-4))
  expect(await unmask()).toMatchObject({ status: 0, data: { plain: { cellPhone: person.phone } } })
})

test('who has him and he himself are told, and he opens his file from his own account', async () => {
  const titles = () =>
    query<{ title: string; account: string }>(
      `select m.title, u.account from message m join app_user u on u.id = m.user_id where m.kind = 'labour'`,
    )
  await vi.waitUntil(async () => (await titles()).some((one) => one.account === 'hospital-labour'))
  await query(`update app_user set worker_id = $1 where account = 'yd-wang'`, [person.id])
  const own = await city.as('yd-wang')
  const password = city.accounts.find((one) => one.account === 'yd-wang')?.password ?? ''
  expect((await own.ask(agreeToMyStay, { params: { id: stay }, body: { password: 'Wrong#Pass123' } })).status).not.toBe(0)
  const [other] = await query<{ id: string }>('select id from project_worker where worker_id <> $1 limit 1', [person.id])
  expect((await own.ask(agreeToMyStay, { params: { id: other?.id ?? '' }, body: { password } })).status).not.toBe(0)
  await own.call(agreeToMyStay, { params: { id: stay }, body: { password } })
  expect((await reads()).detail).toMatchObject({ data: { hold: 'present' } })
  await query(`update app_user set worker_id = null where account = 'yd-wang'`)
})

test('let go without having come, nothing opens and his other stays are as they were', async () => {
  const others = () =>
    query('select id, exit_time, version, cell_phone_mask from project_worker where worker_id = $1 and project_code <> $2', [
      person.id,
      site,
    ])
  const before = await others()
  await pm.call(exitWorkers, { body: { ids: [stay], exitTime: new Date().toISOString(), exitReason: '1' } })
  expect(await others()).toEqual(before)
  const { detail, text } = await reads()
  expect(detail).toMatchObject({ data: { hold: 'unconfirmed' } })
  expect(openedBy(text)).toEqual([])
  expect(await unmask()).toMatchObject({ http: 403 })
  const [file] = await query<{ held: boolean }>(
    'select count(*) = 0 as held from project_worker where worker_id = $1 and project_code = $2 and exit_time is not null',
    [person.id, home],
  )
  expect(file?.held).toBe(true)
})

test('a site that had him before enters him again and sees no more than its own earlier stay', async () => {
  await gate('1')
  await pm.call(exitWorkers, { body: { ids: [stay], exitTime: new Date().toISOString(), exitReason: '1' } })
  await query(`update worker set cell_phone = $2, cell_phone_mask = '138****9999', cell_phone_hash = 'x' where id = $1`, [
    person.id,
    secrets.seal('13800009999'),
  ])
  const again = await pm.call(enterWorker, {
    body: {
      idCardType: '01',
      idCardNumber: person.number,
      name: person.name,
      projectCode: site,
      ...place,
      workRole: '20',
      workType: '020',
      entryTime: new Date().toISOString(),
    },
  })
  stay = again.id
  const { detail, text } = await reads()
  expect(detail).toMatchObject({ data: { hold: 'unconfirmed', cellPhone: null } })
  expect(text).not.toContain('9999')
  // Only the masked number from the site's own earlier stay is visible.
  expect(openedBy(text).filter((one) => one !== person.phone.slice(-4))).toEqual([])
  expect(await unmask()).toMatchObject({ http: 403 })
})
