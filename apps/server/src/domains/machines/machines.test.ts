import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { changeMachine, createMachine, findMachine, getMachine, listMachines, machineChoices } from '@zhugong/contract/machines/calls'
import { type MachineAction, machineMoves } from '@zhugong/contract/machines/moves'
import { acceptParties, signMachine } from '@zhugong/contract/machines/seats'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { asProduct } from '#kit/background'
import type { Context } from '#kit/context'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'
import { nextTest, resumeMachine, suspendMachine } from './public.ts'

let world: World
let projectCode = ''
let otherProject = ''
let contractor = ''
let otherContractor = ''
let sub = ''
let driver = ''
let erector = ''
const cast = {
  site: 'hospital-pm',
  labour: 'hospital-labour',
  supervisor: 'hospital-jl',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  owner: 'weijian-xia',
  officer: 'bj-zhao',
  head: 'bj-wu',
  otherDistrict: 'yd-wang',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const deps = () => ({
  db: world.database.kysely,
  clock: { now: () => Date.now() },
  secrets: createSecrets(testSecretKey),
  log: createLog('machines', 'silent'),
})
const query = () => ({ projectCode })
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  const persona = (account: string) => settled.city.personas.find((one) => one.account === account)
  projectCode = persona('hospital-pm')?.projectCode ?? ''
  otherProject = persona('zhigu-pm')?.projectCode ?? ''
  contractor = persona('yunze-lu')?.corpCode ?? ''
  sub = persona('dingli-cheng')?.corpCode ?? ''
  otherContractor = settled.city.projects.find((one) => one.projectCode === otherProject)?.contractorCorpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} and m.is_default`.execute(db())
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
  // The general contractor's machine clerk: the manager of the site has no machine rights, the role 机械员 has.
  await sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id
    and u.account in ('hospital-pm', 'zhigu-pm'), role r where r.groups_type = 3 and r.name = '机械员' and r.group_id is null on conflict do nothing`.execute(
    db(),
  )
  await sql`insert into corp_qualification (id, corp_code, cert_type_num, trade_bound_num, title_level_num, cert_code, organ_name, organ_date, end_date, status,
      create_time, update_time, update_by) values (${newId()}, ${contractor}, '1', '71402002', '1', '样例资质', '样例', '2020-01-01', '2099-01-01', '001', now(), now(), 'x')
    on conflict do nothing`.execute(db())
  const { rows: people } = await sql<{
    id: string
  }>`select worker_id as id from project_worker where project_code = ${projectCode} and exit_time is null
    and corp_code = ${contractor} order by worker_id limit 2`.execute(db())
  driver = people[0]?.id ?? ''
  erector = people[1]?.id ?? ''
  await certify(driver, '0401')
  await certify(erector, '0501')
})
afterAll(() => world.close())
beforeEach(async () => {
  await sql`delete from machine_stay`.execute(db())
  await sql`delete from special_machine`.execute(db())
  await sql`update worker_cert set valid_end = '2099-01-01' where worker_id in (${driver}, ${erector})`.execute(db())
})

const certify = (worker: string, special: string) =>
  sql`insert into worker_cert (id, worker_id, cert_type, special_type, name, cert_no, issue_date, valid_end, grant_org, status, audit_status)
    values (${newId()}, ${worker}, '2', ${special}, '样例证书', ${newId()}, '2020-01-01', '2099-01-01', '样例', '1', '1')`.execute(db())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const machine = (more: object = {}) => ({
  action: 'new' as const,
  deviceType: '1',
  name: '1# 塔吊',
  model: 'QTZ160',
  manufactureNo: newId(),
  manufacturer: '江城重机',
  manufactureDate: '2020-05-01',
  ownerCorp: '江城机械租赁',
  ratedMoment: 1600,
  hoistClass: null,
  appraisedUntil: null,
  useCorp: contractor,
  maintainCorp: '江城机械租赁',
  position: '主楼东侧',
  ...more,
})
const create = (who: Who, more: object = {}, project = projectCode) =>
  as[who].ask(createMachine, { query: { projectCode: project }, body: machine(more) as never })
const made = async (more: object = {}) => {
  const answer = await create('site', more)
  expect(answer).toMatchObject({ status: 0 })
  return (answer.data as { id: string }).id
}
const read = (who: Who, id: string) => as[who].call(getMachine, { params: { id }, query: { projectCode: '*' } })
async function act(who: Who, id: string, action: MachineAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from machine_stay where id = ${id}`.execute(db())
  return as[who].ask(changeMachine, {
    params: { id },
    query: { projectCode: '*' },
    body: { version: rows[0]?.version ?? 0, action, ...more } as never,
  })
}
const done = async (who: Who, id: string, action: MachineAction, more: object = {}) =>
  expect(await act(who, id, action, more), action).toMatchObject({ status: 0 })
const sign = (who: Who, id: string, seat: string, name = '') =>
  as[who].ask(signMachine, {
    params: { id },
    query: { projectCode: '*' },
    body: { action: 'sign', id: newId(), seat, name, image: strokes() } as never,
  })
const stateOf = async (id: string) =>
  (await sql<{ state: string }>`select state from machine_stay where id = ${id}`.execute(db())).rows[0]?.state

const filed = async (recordNo = newId(), more: object = {}) => {
  const id = await made(more)
  await done('site', id, 'file', { recordNo, files: [files.site] })
  await done('officer', id, 'confirm')
  return id
}
const notice = () => ({ installCorp: contractor, installDate: later(0), maxHeight: 80, installers: [erector], files: [files.site] })
const tested = async (recordNo?: string) => {
  const id = await filed(recordNo)
  await done('site', id, 'noticeInstall', notice())
  await done('officer', id, 'confirm')
  await done('site', id, 'install', { date: later(0) })
  await done('site', id, 'selfCheck', { date: later(0), files: [files.site] })
  await done('site', id, 'saveTest', { inspectOrg: '江城检测', inspectDate: later(0), inspectReport: [files.site], acceptDate: later(0) })
  for (const seat of Object.keys(acceptParties))
    expect(await sign(seat === 'supervisor' ? 'supervisor' : 'site', id, seat, seat === 'supervisor' ? '' : '签名人'), seat).toMatchObject({
      status: 0,
    })
  await done('site', id, 'testPass')
  return id
}
const used = async (recordNo?: string) => {
  const id = await tested(recordNo)
  await done('site', id, 'staff', { operators: [driver], deviceId: null, maintainCorp: '江城机械租赁' })
  await done('officer', id, 'register')
  return id
}

describe('the life of a machine', () => {
  test('from record to registration: nothing goes on that is not confirmed, licensed, certified, tested and signed', async () => {
    const id = await made()
    await done('site', id, 'file', { recordNo: newId(), files: [files.site] })
    expect((await act('site', id, 'noticeInstall', notice())).message).toContain('待监管机构确认')
    await done('officer', id, 'confirm')
    await done('site', id, 'noticeInstall', { ...notice(), installers: [] })
    expect((await act('site', id, 'install', { date: later(0) })).message).toContain('待监管机构确认')
    await done('officer', id, 'confirm')
    expect((await act('site', id, 'install', { date: later(0) })).message).toContain('未登记安装拆卸人员')
    await sql`update machine_stay set state = '1' where id = ${id}`.execute(db())
    await sql`update machine_stay set confirmed_at = now() where id = ${id}`.execute(db())
    await done('site', id, 'noticeInstall', notice())
    await done('officer', id, 'confirm')
    await sql`update worker_cert set valid_end = '2021-01-01' where worker_id = ${erector}`.execute(db())
    expect((await act('site', id, 'install', { date: later(0) })).message).toContain('证书无效')
    await sql`update worker_cert set valid_end = '2099-01-01' where worker_id = ${erector}`.execute(db())
    await done('site', id, 'install', { date: later(0) })
    await done('site', id, 'selfCheck', { date: later(0), files: [files.site] })
    expect((await act('site', id, 'testPass')).message).toContain('检测报告未登记')
    await done('site', id, 'saveTest', { inspectOrg: '江城检测', inspectDate: later(0), inspectReport: [files.site], acceptDate: later(0) })
    expect((await act('site', id, 'testPass')).message).toContain('监理单位未签字')
    expect((await sign('site', id, 'supervisor', '代签')).status, 'nobody signs for 监理').not.toBe(0)
    for (const seat of Object.keys(acceptParties))
      await sign(seat === 'supervisor' ? 'supervisor' : 'site', id, seat, seat === 'supervisor' ? '' : '签名人')
    await done('site', id, 'testPass')
    expect((await act('officer', id, 'register')).message).toContain('未登记司机')
    await done('site', id, 'staff', { operators: [driver], deviceId: null, maintainCorp: '江城机械租赁' })
    expect((await act('site', id, 'register')).status, 'the site does not register').not.toBe(0)
    await done('officer', id, 'register')
    const file = await read('site', id)
    expect(file).toMatchObject({ state: '6', usable: true, reasons: [], nextInspectDate: nextTest(later(0)) })
    expect(file.useRegNo).toMatch(/第\d{4}号$/)
    expect(file.stages.map((one) => one.title)).toContain('使用登记')
  })

  test('an installer without licence does not install', async () => {
    const id = await filed()
    await done('site', id, 'noticeInstall', { ...notice(), installCorp: sub })
    await done('officer', id, 'confirm')
    expect((await act('site', id, 'install', { date: later(0) })).message).toContain('资质')
  })

  test('a returned notice goes back, a confirmed one does not', async () => {
    const id = await filed()
    expect((await act('officer', id, 'sendBack', { opinion: '备案证明看不清' })).message).toContain('已经确认')
    await done('site', id, 'noticeInstall', notice())
    await done('officer', id, 'sendBack', { opinion: '方案缺附着计算' })
    expect(await stateOf(id)).toBe('1')
    await done('site', id, 'noticeInstall', notice())
  })

  test('after dismantling the machine goes to another site with its history; before, it does not', async () => {
    const recordNo = newId()
    const id = await used(recordNo)
    const move = (who: Who) =>
      as[who].ask(createMachine, {
        query: { projectCode: otherProject },
        body: { action: 'move', recordNo, useCorp: otherContractor, maintainCorp: '样例', position: '2# 楼' } as never,
      })
    const found = await as.stranger.call(findMachine, { query: { projectCode: otherProject, recordNo } })
    expect(found).toMatchObject({ busy: true, machine: { name: '1# 塔吊' } })
    expect(JSON.stringify(found)).not.toContain('滨江')
    expect((await move('stranger')).data).toMatchObject({ field: 'recordNo' })
    await done('site', id, 'noticeDismantle', { dismantleCorp: contractor, date: later(0), files: [files.site] })
    expect((await act('site', id, 'dismantle', { date: later(0), files: [files.site] })).message).toContain('待监管机构确认')
    await done('officer', id, 'confirm')
    await done('site', id, 'dismantle', { date: later(0), files: [files.site] })
    const moved = await move('stranger')
    expect(moved).toMatchObject({ status: 0 })
    const stay = (moved.data as { id: string }).id
    expect(await read('stranger', stay)).toMatchObject({ state: '1', recordNo, useRegNo: null, former: [] })
    expect((await read('site', id)).former, 'the former site does not learn where it went').toEqual([])
    expect((await as.stranger.ask(getMachine, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
    expect((await create('site', { action: 'new', manufactureNo: 'x' })).status).toBe(0)
  })

  test('two machines do not share a record number', async () => {
    const recordNo = newId()
    await filed(recordNo)
    const id = await made()
    expect((await act('site', id, 'file', { recordNo, files: [files.site] })).data).toMatchObject({ field: 'recordNo' })
  })
})

describe('the verdict', () => {
  test('an old machine is not filed without an appraisal', async () => {
    const id = await made({ ratedMoment: 600, manufactureDate: '2010-01-01' })
    expect(await read('site', id)).toMatchObject({ ageLimit: 10, retireDate: '2020-01-01', usable: false })
    expect((await act('site', id, 'file', { recordNo: newId(), files: [files.site] })).message).toContain('使用年限')
    const appraised = await made({
      ratedMoment: 600,
      manufactureDate: '2010-01-01',
      appraisedUntil: later(100),
      appraisalFiles: [files.site],
    })
    await done('site', appraised, 'file', { recordNo: newId(), files: [files.site] })
  })

  test('it follows the days: test, certificate, registration, and is never typed', async () => {
    const id = await used()
    const why = async () => (await read('officer', id)).reasons.join()
    await sql`update machine_stay set next_inspect_date = current_date - 1 where id = ${id}`.execute(db())
    expect(await why()).toContain('检测已过期')
    await sql`update machine_stay set next_inspect_date = current_date + 100 where id = ${id}`.execute(db())
    await sql`update worker_cert set valid_end = '2021-01-01' where worker_id = ${driver}`.execute(db())
    expect(await why()).toContain('1 名司机证书无效')
    await sql`update worker_cert set valid_end = '2099-01-01', special_type = '0402' where worker_id = ${driver} and special_type = '0401'`.execute(
      db(),
    )
    expect(await why(), 'the certificate of a hoist does not fit a crane').toContain('证书无效')
    await sql`update worker_cert set special_type = '0401' where worker_id = ${driver} and special_type = '0402'`.execute(db())
    expect(await why()).toBe('')
    const waiting = await tested()
    await sql`update machine_stay set accept_date = current_date - 31 where id = ${waiting}`.execute(db())
    expect((await read('officer', waiting)).reasons.join()).toContain('30 日未登记')
    const { list, counts } = await as.officer.call(listMachines, { query: query() } as never)
    expect([counts.unregistered, counts.used]).toEqual([1, 1])
    expect(list[0]?.id, 'what is illegal stands first').toBe(waiting)
  })

  test('suspended and resumed by an officer or by its cause, and shown when it works meanwhile', async () => {
    const id = await used()
    const { rows } = await sql<{
      id: string
    }>`select id from device where project_code = ${projectCode} and family = 'towerCrane' order by id limit 1`.execute(db())
    const deviceId = rows[0]?.id ?? ''
    await done('site', id, 'staff', { operators: [driver], deviceId, maintainCorp: '江城机械租赁' })
    const second = await tested()
    expect((await act('site', second, 'staff', { operators: [], deviceId, maintainCorp: 'x' })).data).toMatchObject({ field: 'deviceId' })
    await done('officer', id, 'suspend', { opinion: '力矩限制器失效' })
    await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
      values (${deviceId}, ${projectCode}, now(), ${newId()}, 'workingCycle', '{}', now())`.execute(db())
    expect((await read('officer', id)).reasons).toContain('停用期间仍在作业')
    const alone = <T>(work: (ctx: Context) => Promise<T>) => asProduct(deps(), { userId: '', name: '系统', groupId: '' }, work)
    expect(await alone((ctx) => resumeMachine(ctx, { deviceId }, { by: 'alarm', reason: '读数恢复' })), 'the officer suspended it').toBe(
      false,
    )
    await done('officer', id, 'resume', { date: later(0), opinion: '限制器已更换并检查合格', files: [files.officer] })
    expect(await alone((ctx) => suspendMachine(ctx, { deviceId }, { by: 'check', reason: '检查要求停用整改' }))).toBe(true)
    expect(await stateOf(id)).toBe('7')
    expect(await alone((ctx) => resumeMachine(ctx, { deviceId }, { by: 'alarm', reason: '读数恢复' })), 'an alarm did not suspend it').toBe(
      false,
    )
    expect(await alone((ctx) => resumeMachine(ctx, { stayId: id }, { by: 'check', reason: '复查合格' }))).toBe(true)
    expect((await read('site', id)).timeline.map((one) => one.label)).toContain('自动停用')
  })
})

describe('who may', () => {
  test('every action is refused to all who have no part in it', async () => {
    const tries: [MachineAction, string, object, readonly Who[]][] = [
      ['confirm', '1', { opinion: '' }, ['officer', 'head']],
      ['suspend', '6', { opinion: '力矩限制器失效' }, ['officer', 'head']],
      ['install', '2', { date: later(0) }, ['site', 'contractor']],
    ]
    for (const [action, state, body, may] of tries)
      for (const who of everybody) {
        const id = await filed()
        if (action === 'install') await done('site', id, 'noticeInstall', notice())
        await sql`update machine_stay set state = ${state}, confirmed_at = ${action === 'confirm' ? null : new Date()}::timestamptz where id = ${id}`.execute(
          db(),
        )
        const { status } = await act(who, id, action, body)
        expect(status === 0, `${action} by ${who}`).toBe(may.includes(who))
      }
  })

  test('foreign ids, files, people and versions are refused', async () => {
    const id = await made()
    expect((await as.stranger.ask(getMachine, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
    expect((await as.otherDistrict.ask(getMachine, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
    expect((await as.stranger.ask(machineChoices, { query: query() })).status).not.toBe(0)
    expect((await act('site', id, 'file', { recordNo: newId(), files: [files.stranger] })).status).not.toBe(0)
    expect((await create('officer')).status).not.toBe(0)
    const old = await as.site.ask(changeMachine, {
      params: { id },
      query: query(),
      body: { version: 5, action: 'file', recordNo: 'x', files: [files.site] } as never,
    })
    expect(old.message).toContain('刷新')
    const other = await sql<{
      id: string
    }>`select worker_id as id from project_worker where project_code = ${otherProject} and worker_id not in
      (select worker_id from project_worker where project_code = ${projectCode}) limit 1`.execute(db())
    const ready = await tested()
    const crew = await act('site', ready, 'staff', { operators: [other.rows[0]?.id], deviceId: null, maintainCorp: 'x' })
    expect(crew.data).toMatchObject({ field: 'operators' })
    for (const action of Object.keys(machineMoves) as MachineAction[])
      if (!(machineMoves[action].from as readonly string[]).includes('0'))
        expect((await act('site', id, action)).status, action).not.toBe(0)
  })

  test('papers: the registration only when there is one, the receipt only when confirmed, nothing for a stranger', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zg-machines-'))
    const paper = async (who: Who, id: string, which: 'register' | 'receipt' | 'plate') => {
      const query = { id, paper: which }
      const { id: task } = await as[who].call(submitExport, { body: { feature: 'spdevicePaper', exportType: 'pdf' as const, query } })
      await runExport({ ...deps(), database: world.database, folder }, task)
      const { rows } = await sql<{
        message: string
        path: string | null
      }>`select message, path from export_task where id = ${task}`.execute(db())
      return { message: rows[0]?.message ?? '', bytes: rows[0]?.path ? statSync(rows[0].path).size : 0 }
    }
    const id = await tested()
    expect((await paper('site', id, 'register')).message).toContain('尚未办理使用登记')
    expect((await paper('site', id, 'receipt')).bytes).toBeGreaterThan(5000)
    await done('site', id, 'staff', { operators: [driver], deviceId: null, maintainCorp: '江城机械租赁' })
    await done('officer', id, 'register')
    expect((await paper('officer', id, 'register')).bytes).toBeGreaterThan(5000)
    expect((await paper('site', id, 'plate')).bytes).toBeGreaterThan(5000)
    expect((await paper('stranger', id, 'plate')).message).toContain('不存在')
    rmSync(folder, { recursive: true })
  })
})
