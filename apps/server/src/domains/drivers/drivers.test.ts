import {
  auditDriver,
  changeDriver,
  createDriver,
  driverDevices,
  driverSetup,
  getDriver,
  listDrivers,
  removeDriver,
  sendDriver,
} from '@zhugong/contract/drivers/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { endLicences } from './public.ts'

const now = Date.parse('2026-11-20T09:00:00+08:00')
let world: World
let settled: CityWorld
let projectCode = ''
let workerId = ''
let otherId = ''
let craneId = ''
let liftId = ''
const cast = {
  site: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const certs = { crane: newId(), lift: newId(), ended: newId() }
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) as[who] = await settled.as(account)
  const people = await sql<{ id: string }>`select pw.worker_id as id from project_worker pw where pw.project_code = ${projectCode}
    and pw.exit_time is null and not pw.black_hit and not exists (select from worker_cert c where c.worker_id = pw.worker_id) order by 1 limit 2`.execute(
    db(),
  )
  ;[workerId = '', otherId = ''] = people.rows.map((one) => one.id)
  const consents = JSON.stringify([{ kind: 'face', state: '同意' }])
  await sql`update worker set consents = ${consents}::jsonb where id = ${workerId}`.execute(db())
  const cert = (id: string, type: string, end: string, worker = workerId) =>
    sql`insert into worker_cert (id, worker_id, cert_type, special_type, name, cert_no, issue_date, valid_end, grant_org, status, audit_status)
      values (${id}, ${worker}, '7', ${type}, '操作证', ${id}, '2024-01-01', ${end}, '样例', '1', '1')`.execute(db())
  await cert(certs.crane, '0401', '2027-06-01')
  await cert(certs.lift, '0402', '2026-12-01')
  await cert(certs.ended, '0401', '2026-11-19', otherId)
  const machine = async (family: string) =>
    (
      await sql<{
        id: string
      }>`select id from device where project_code = ${projectCode} and family = ${family} and status = '1' order by id limit 1`.execute(
        db(),
      )
    ).rows[0]?.id ?? ''
  craneId = await machine('towerCrane')
  liftId = await machine('lifter')
})
afterAll(() => world.close())
beforeEach(async () => {
  await sql`delete from machine_driver where project_code = ${projectCode}`.execute(db())
  await sql`delete from gate_face where device_id = any (${[craneId, liftId]})`.execute(db())
})

const driver = (more: object = {}) => ({ projectCode, workerId, driverType: '1', certId: certs.crane, deviceIds: [craneId], ...more })
const create = async (who: Who = 'company', more: object = {}) => (await as[who].call(createDriver, { body: driver(more) as never })).id
const ask = (more: object) => as.site.ask(createDriver, { body: driver(more) as never })
const audit = (who: Who, id: string, body: object = { auditStatus: '1' }) =>
  as[who].ask(auditDriver, { params: { id }, body: body as never })
const read = (who: Who, id: string) => as[who].call(getDriver, { params: { id } })
const faces = async () =>
  (
    await sql<{ deviceId: string; state: string }>`select device_id, state from gate_face where worker_id = ${workerId}
    and device_id = any (${[craneId, liftId]})`.execute(db())
  ).rows

test('registered, passed by 监理, sent to the machine; rejected only with a reason', async () => {
  const id = await create()
  expect((await audit('company', id)).message).toBe('不能审核自己登记的司机')
  expect((await audit('supervisor', id, { auditStatus: '2' })).message).toContain('须填写审核意见')
  expect(await faces()).toEqual([])
  expect((await audit('supervisor', id)).status).toBe(0)
  expect(await faces()).toEqual([{ deviceId: craneId, state: '0' }])
  const file = await read('site', id)
  expect([file.auditStatus, file.devices.map((one) => one.send), file.idCardNumber.includes('*')]).toEqual(['1', ['waiting'], true])
  const { list, counts } = await as.site.call(listDrivers, { query: { projectCode } })
  expect([list.map((one) => one.id), counts.passed]).toEqual([[id], 1])
})

test('the same person is registered once per type, with a link to what is there', async () => {
  const id = await create()
  const again = await ask({})
  expect([again.message, JSON.stringify(again.data)]).toEqual(['该人员已按此类型登记', expect.stringContaining(id)])
  expect((await ask({ driverType: '2', certId: certs.lift, deviceIds: [liftId] })).status).toBe(0)
})

test.each<[string, () => object, string]>([
  ['a licence that fits the type', () => ({ certId: certs.lift }), 'certId'],
  ['a licence that has not ended', () => ({ workerId: otherId, certId: certs.ended }), 'certId'],
  ['a licence of the person', () => ({ workerId: otherId }), 'workerId'],
  ['a machine that fits the type', () => ({ deviceIds: [liftId] }), 'deviceIds'],
  ['a machine of the site', () => ({ deviceIds: ['nobody'] }), 'deviceIds'],
])('asks for %s, at its field', async (_what, more, field) => {
  const answer = await ask(more())
  expect(answer.status).not.toBe(0)
  expect(JSON.stringify(answer.data)).toContain(field)
})

test('a change goes back to the audit; the machine knows the old version until then', async () => {
  const id = await create()
  await audit('supervisor', id)
  const { version } = await read('site', id)
  const { projectCode: _p, ...fields } = driver()
  await as.company.call(changeDriver, { params: { id }, body: { version, ...fields } as never })
  expect((await read('site', id)).auditStatus).toBe('0')
  expect(await faces()).toEqual([{ deviceId: craneId, state: '0' }])
  expect((await audit('supervisor', id, { auditStatus: '2', auditRemark: '照片不清' })).status).toBe(0)
  expect(await faces()).toEqual([{ deviceId: craneId, state: '3' }])
})

test('a licence that has ended is withdrawn in the night after, once', async () => {
  const id = await create('company', { driverType: '2', certId: certs.lift, deviceIds: [liftId] })
  await audit('supervisor', id)
  const deps = (day: string) => ({
    db: db(),
    clock: { now: () => Date.parse(`${day}T00:15:00+08:00`) },
    secrets: createSecrets(testSecretKey),
    log: createLog('test', 'silent'),
  })
  expect(await endLicences(deps('2026-12-01'))).toBe(0)
  expect(await endLicences(deps('2026-12-02'))).toBe(1)
  expect(await endLicences(deps('2026-12-02'))).toBe(0)
  expect(await faces()).toEqual([{ deviceId: liftId, state: '3' }])
  expect((await read('site', id)).timeline.at(-1)?.action).toBe('ended')
})

test('without consent nothing is sent; deleting takes the person off the machine', async () => {
  const id = await create()
  await audit('supervisor', id)
  await as.site.call(removeDriver, { query: { id } })
  expect(await faces()).toEqual([{ deviceId: craneId, state: '3' }])
  await sql`delete from gate_face where device_id = ${craneId}`.execute(db())
  const kept = await sql<{ consents: unknown }>`select consents from worker where id = ${workerId}`.execute(db())
  await sql`update worker set consents = '[]' where id = ${workerId}`.execute(db())
  const again = await create()
  await audit('supervisor', again)
  expect(await faces()).toEqual([])
  expect((await read('site', again)).devices[0]?.sendText).toContain('未同意使用人脸')
  await sql`update worker set consents = ${JSON.stringify(kept.rows[0]?.consents)}::jsonb where id = ${workerId}`.execute(db())
})

test('a machine without a valid driver stands in the list with its gap', async () => {
  const bare = async () => (await as.site.call(driverDevices, { query: { projectCode, bare: true, size: 100 } })).list
  expect((await bare()).find((one) => one.deviceId === craneId)?.gap).toBe('没有登记司机')
  const id = await create()
  expect((await bare()).find((one) => one.deviceId === craneId)?.gap).toContain('未审核通过')
  await audit('supervisor', id)
  expect((await bare()).some((one) => one.deviceId === craneId)).toBe(false)
  const { counts } = await as.site.call(listDrivers, { query: { projectCode, size: 1 } })
  expect((await bare()).length).toBe(counts.bare)
})

test('the form offers people with a licence, and machines of the site', async () => {
  const { workers, devices } = await as.site.call(driverSetup, { query: { projectCode } })
  expect(
    workers
      .find((one) => one.workerId === workerId)
      ?.certs.map((one) => one.certType)
      .sort(),
  ).toEqual(['0401', '0402'])
  expect(devices.some((one) => one.id === craneId)).toBe(true)
})

describe('who may', () => {
  const hands: Record<'audit' | 'send' | 'remove' | 'change' | 'read', readonly Who[]> = {
    audit: ['site', 'company', 'supervisor'],
    send: ['site', 'company'],
    remove: ['site', 'company'],
    change: ['site', 'company'],
    read: ['site', 'company', 'supervisor', 'authority'],
  }
  const { projectCode: _p, ...fields } = { projectCode: '', driverType: '1' }
  const tried: Record<keyof typeof hands, (who: Who, id: string) => Promise<{ status: number; message: string }>> = {
    audit: (who, id) => audit(who, id),
    send: (who, id) => as[who].ask(sendDriver, { params: { id } }),
    remove: (who, id) => as[who].ask(removeDriver, { query: { id } }),
    change: (who, id) =>
      as[who].ask(changeDriver, { params: { id }, body: { version: 5, ...fields, workerId, certId: certs.crane, deviceIds: [craneId] } }),
    read: (who, id) => as[who].ask(getDriver, { params: { id } }),
  }
  test.each(Object.keys(hands) as (keyof typeof hands)[])('%s', async (what) => {
    for (const state of ['0', '1', '2'])
      for (const who of everybody) {
        await sql`delete from machine_driver where project_code = ${projectCode}`.execute(db())
        const id = await create('company')
        await sql`update machine_driver set state = ${state}, version = 5, create_by = 'somebody' where id = ${id}`.execute(db())
        const answer = await tried[what](who, id)
        const inState = what === 'audit' ? state === '0' : what === 'send' ? state === '1' : true
        expect([who, state, answer.status === 0], answer.message).toEqual([who, state, hands[what].includes(who) && inState])
      }
  })
})
