import { changeMachine, findMachine, getMachine } from '@zhugong/contract/machines/calls'
import { changeRectify, getRectify } from '@zhugong/contract/rectify/calls'
import {
  createMachineCheck,
  getMachineCheck,
  listMachineChecks,
  machineBoard,
  signMachineCheck,
} from '@zhugong/contract/upkeep/inspections'
import { itemsOf } from '@zhugong/contract/upkeep/items'
import { createMaintenance, getMaintenance, listMaintenance } from '@zhugong/contract/upkeep/maintenance'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { watchSuspended } from './public.ts'

let world: World
let projectCode = ''
let contractor = ''
let subcontractor = ''
let crane = ''
const cast = {
  site: 'hospital-pm',
  officer: 'hospital-officer',
  supervisor: 'hospital-jl',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  authority: 'bj-zhao',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const db = () => world.database.kysely
let machine = ''
let driver = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  const persona = (account: string) => settled.city.personas.find((one) => one.account === account)
  projectCode = persona('hospital-pm')?.projectCode ?? ''
  contractor = persona('yunze-lu')?.corpCode ?? ''
  subcontractor = persona('dingli-cheng')?.corpCode ?? ''
  crane = settled.city.devices.find((one) => one.projectCode === projectCode && one.family === 'towerCrane')?.id ?? ''
  await sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id
    and u.account in ('hospital-pm', 'hospital-officer', 'zhigu-pm'), role r where r.groups_type = 3 and r.name = '机械员' and r.group_id is null on conflict do nothing`.execute(
    db(),
  )
  const { rows: people } = await sql<{
    id: string
  }>`select worker_id as id from project_worker where project_code = ${projectCode} and exit_time is null
    order by worker_id limit 1`.execute(db())
  driver = people[0]?.id ?? ''
  await sql`insert into worker_cert (id, worker_id, cert_type, special_type, name, cert_no, issue_date, valid_end, grant_org, status, audit_status)
    values (${newId()}, ${driver}, '2', '0401', '样例证书', ${newId()}, '2020-01-01', '2099-01-01', '样例', '1', '1')`.execute(db())
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} and m.is_default`.execute(db())
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
})
afterAll(() => world.close())
beforeEach(async () => {
  machine = await addMachine(contractor)
})

/** A tower crane in use, watched by the crane of the site when `watched`. */
async function addMachine(corpCode: string, watched = false): Promise<string> {
  const id = newId()
  await sql`insert into special_machine (id, record_no, device_type, name, model, manufacture_no, manufacturer, manufacture_date, owner_corp, create_group, create_by, create_time)
    values (${id}, ${`鄂B-${id}`}, '1', '1#塔吊', 'QTZ80', ${id}, '厂', '2022-01-01', '租赁公司', 'x', 'x', now())`.execute(db())
  if (watched) await sql`update machine_stay set device_id = null where device_id = ${crane}`.execute(db())
  await sql`insert into machine_stay (id, machine_id, project_code, corp_code, shown_at, groups, position, maintain_corp, state, use_reg_date, next_inspect_date,
      device_id, create_by, create_time)
    values (${id}, ${id}, ${projectCode}, ${corpCode}, now(), '{}', '主楼东侧', '维保公司', '6', current_date - 60, current_date + 200, ${watched ? crane : null}, 'x', now())`.execute(
    db(),
  )
  // A valid operator is part of what lets a machine resume.
  await sql`insert into machine_person (id, stay_id, project_code, corp_code, shown_at, groups, kind, seq, worker_id)
    values (${newId()}, ${id}, ${projectCode}, ${corpCode}, now(), '{}', 'operator', 1, ${driver})`.execute(db())
  return id
}

const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const rope = 'rope01'
const items = (type: string, failing: readonly string[] = []) =>
  itemsOf('1', type).map(({ code }) => ({ code, result: failing.includes(code) ? '2' : '1' }))
const problem = (who: Who, more: object = {}) => ({
  description: '起升钢丝绳断丝超过报废标准',
  part: '起升机构',
  itemCode: rope,
  dangerLevel: '1',
  requirement: '更换钢丝绳并附合格证',
  corpCode: contractor,
  person: '周大勇',
  deadline: day(3),
  photos: [files[who]],
  ...more,
})
const body = (who: Who, more: object = {}) => ({
  id: newId(),
  machineId: machine,
  type: '4',
  items: items('4'),
  result: '1',
  problems: [] as object[],
  photos: [files[who]],
  ...more,
})
const ask = (who: Who, more: object = {}) => as[who].ask(createMachineCheck, { query: { projectCode }, body: body(who, more) } as never)
const check = (who: Who, more: object = {}) => as[who].call(createMachineCheck, { query: { projectCode }, body: body(who, more) } as never)
const failed = (who: Who, result: string, more: object = {}) =>
  check(who, { items: items('4', [rope]), result, problems: [problem(who)], ...more })
const read = (who: Who, id: string) => as[who].call(getMachineCheck, { params: { id }, query: { projectCode: '*' } })
const state = async () => (await sql<{ state: string }>`select state from machine_stay where id = ${machine}`.execute(db())).rows[0]?.state
const noticeOf = async (id: string) => (await read('site', id)).notices[0]?.id ?? ''

async function act(who: Who, noticeId: string, action: string, more: object = {}) {
  const { version } = await as.site.call(getRectify, { params: { id: noticeId } })
  return as[who].ask(changeRectify, { body: { id: noticeId, version, action, ...more } } as never)
}
async function answers(who: Who, noticeId: string, repair: object | null) {
  const { lines } = await as.site.call(getRectify, { params: { id: noticeId } })
  return { opinion: '已更换', lines: lines.map((one) => ({ id: one.id, measure: '更换起升钢丝绳并试运转', photos: [files[who]], repair })) }
}
const rigger = { name: '许师傅', certNo: 'T-0088', certEnd: day(300) }
const newRope = { name: '起升钢丝绳', model: '18×7-16', number: 'GS-20260718', count: 1 }
const job = (who: Who, more: object = {}) => ({
  id: newId(),
  machineId: machine,
  type: '2',
  maintainDate: day(0),
  maintainCorp: '维保公司',
  maintainers: [rigger],
  content: '例行保养，紧固螺栓',
  result: '1',
  photos: [files[who]],
  acceptor: '周大勇',
  signature: strokes(),
  ...more,
})
const maintain = (who: Who, more: object = {}) => as[who].ask(createMaintenance, { query: { projectCode }, body: job(who, more) } as never)

describe('a machine failed, suspended, repaired, resumed', () => {
  test('the check suspends it, the repair is a maintenance record, and the passing recheck lets it run again', async () => {
    const done = await failed('supervisor', '3')
    expect(done).toMatchObject({ suspended: true, state: '1' })
    expect(await state()).toBe('7')
    const notice = await noticeOf(done.id)
    const file = await as.site.call(getRectify, { params: { id: notice } })
    expect([file.category, file.source?.handling]).toEqual(['04', `/deviceRect/details?id=${notice}`])
    await act('site', notice, 'sign')
    const replied = await act('site', notice, 'reply', await answers('site', notice, { parts: [newRope], maintainers: [rigger] }))
    expect(replied.message).toBe('ok')
    const { repairs } = await read('site', done.id)
    expect(repairs).toHaveLength(1)
    expect(repairs[0]).toMatchObject({ type: '5', noticeId: notice, parts: [newRope], maintainers: [{ name: '许师傅', verified: null }] })
    // Neither the repair nor the review lets it run: the recheck does.
    expect(await state()).toBe('7')
    await act('supervisor', notice, 'jlPass', { opinion: '' })
    expect(await state()).toBe('7')
    const passed = await act('supervisor', notice, 'recheckPass', { opinion: '' })
    expect(passed.message).toBe('ok')
    expect(await state()).toBe('6')
    const after = await read('site', done.id)
    expect([after.state, after.stopped, after.releasedAt !== null, after.stoppedDays]).toEqual(['7', false, true, 0])
    const { timeline } = await as.site.call(getMachine, { params: { id: machine }, query: { projectCode } })
    expect(timeline.map((one) => one.action)).toEqual(expect.arrayContaining(['autoSuspend', 'autoResume']))
  })

  test('a returned repair keeps it standing, and the next round writes its own record', async () => {
    const { id } = await failed('supervisor', '3')
    const notice = await noticeOf(id)
    await act('site', notice, 'sign')
    const given = await answers('site', notice, { parts: [newRope], maintainers: [rigger] })
    await act('site', notice, 'reply', given)
    await act('supervisor', notice, 'jlReturn', { lines: given.lines.map((one) => ({ id: one.id, opinion: '绳头固定不符合要求' })) })
    expect(await state()).toBe('7')
    await act('site', notice, 'reply', await answers('site', notice, { parts: [], maintainers: [rigger] }))
    expect((await read('site', id)).repairs.map((one) => one.type).sort()).toEqual(['4', '5'])
  })

  test('two stopping checks hold it until both are settled', async () => {
    const first = await failed('supervisor', '3')
    const second = await failed('site', '3')
    const settle = async (who: Who, id: string) => {
      const notice = await noticeOf(id)
      return act(who, notice, 'revoke', { reason: '下发有误，予以撤销' })
    }
    expect((await settle('supervisor', first.id)).message).toBe('ok')
    expect(await state()).toBe('7')
    expect((await settle('site', second.id)).message).toBe('ok')
    expect(await state()).toBe('6')
  })

  test('one that an officer suspended by hand stays suspended when the check is settled', async () => {
    await sql`update machine_stay set state = '7', suspend_kind = 'hand', suspend_reason = '责令停用' where id = ${machine}`.execute(db())
    const { id } = await failed('supervisor', '3')
    await act('supervisor', await noticeOf(id), 'revoke', { reason: '下发有误，予以撤销' })
    expect(await state()).toBe('7')
  })

  test('报废 suspends for good: it is neither resumed nor brought to another site', async () => {
    const { suspended } = await failed('supervisor', '4')
    expect([suspended, await state()]).toEqual([true, '7'])
    const { version } = await as.site.call(getMachine, { params: { id: machine }, query: { projectCode } })
    const resumed = await as.authority.ask(changeMachine, {
      params: { id: machine },
      query: { projectCode },
      body: { action: 'resume', version, date: day(0), opinion: '已检查合格，同意恢复', files: [files.authority] },
    })
    expect(resumed.message).toMatch(/报废|权限/)
    await sql`update machine_stay set state = '9' where id = ${machine}`.execute(db())
    expect(await as.site.call(findMachine, { query: { projectCode, recordNo: `鄂B-${machine}` } })).toMatchObject({ busy: false })
    expect((await ask('site')).message).toContain('已拆除')
  })

  test('a repair of a safety device needs somebody with a valid certificate', async () => {
    const { id } = await failed('supervisor', '2', {
      items: items('4', ['moment01']),
      problems: [problem('supervisor', { itemCode: 'moment01', description: '力矩限制器被短接失效' })],
    })
    const notice = await noticeOf(id)
    await act('site', notice, 'sign')
    const reply = async (repair: object | null) => (await act('site', notice, 'reply', await answers('site', notice, repair))).message
    expect(await reply(null)).toContain('请填写维修人员')
    expect(await reply({ maintainers: [{ name: '许师傅' }] })).toContain('持有效证书')
    expect(await reply({ maintainers: [{ ...rigger, certEnd: day(-1) }] })).toContain('持有效证书')
    expect(await reply({ maintainers: [rigger] })).toBe('ok')
  })
})

describe('what a check has to say', () => {
  test.each([
    ['an item is missing', { items: items('4').slice(1) }, '还有 1 项未填写'],
    ['an item of another list', { items: [...items('4'), { code: 'fall01', result: '1' }] }, '不在本类设备的检查表中'],
    ['fit with a failed item', { items: items('4', [rope]) }, '结论不能为合格'],
    ['repair with nothing failed', { result: '2' }, '没有不合格项'],
    ['a failed item without a problem', { items: items('4', [rope]), result: '2' }, '请写明问题'],
    ['a test without its report', { type: '7', items: items('7') }, '须上传报告'],
    ['a check of tomorrow', { checkDate: `${day(1)} 12:00:00` }, '不能晚于现在'],
    ['no photograph', { photos: [] }, '请附检查照片'],
  ])('%s is refused', async (_what, more, message) => {
    expect((await ask('supervisor', more)).message).toContain(message)
  })

  test('the check before the shift is short, and one signature is enough', async () => {
    expect(itemsOf('1', '1').length).toBeLessThan(itemsOf('1', '4').length)
    const name = (await sql<{ name: string }>`select name from app_user where account = ${cast.site}`.execute(db())).rows[0]?.name
    const { id, state: after } = await check('site', { type: '1', items: items('1'), signature: strokes() })
    expect(after).toBe('7')
    const { signatures, nextDate } = await read('site', id)
    expect(signatures.find((one) => one.seat === 'checker1')).toMatchObject({ state: 'signed', name })
    expect(nextDate).toBe(day(1))
  })

  test('a passed test gives the machine its next day', async () => {
    await check('supervisor', { type: '7', items: items('7'), checkOrg: '检测中心', reports: [files.supervisor] })
    const { rows } = await sql<{
      org: string
      next: string
    }>`select inspect_org as org, next_inspect_date as next from machine_stay where id = ${machine}`.execute(db())
    expect(rows[0]?.org).toBe('检测中心')
    expect(Number(rows[0]?.next.slice(0, 4))).toBe(Number(day(0).slice(0, 4)) + 1)
  })

  test('the next check of the same kind is compared item by item', async () => {
    await failed('supervisor', '2')
    const { id } = await check('supervisor')
    const file = await read('site', id)
    expect(file.items.find((one) => one.code === rope)).toMatchObject({ result: '1', before: '2' })
    expect(file.previous?.resultName).toBe('限期整改')
  })

  test('the device names the id: the same request again creates nothing more, and nobody else takes it', async () => {
    const one = body('supervisor')
    const send = (who: Who) => as[who].ask(createMachineCheck, { query: { projectCode }, body: { ...one, photos: [files[who]] } } as never)
    const first = await send('supervisor')
    expect(await send('supervisor')).toEqual(first)
    expect((await send('site')).message).toContain('已被使用')
  })
})

describe('rights', () => {
  test('who may register a check', async () => {
    const may = new Set<Who>()
    for (const who of everybody) if ((await ask(who)).status === 0) may.add(who)
    expect([...may].sort()).toEqual(['authority', 'contractor', 'officer', 'site', 'supervisor'])
  })

  test('strangers and subcontractors see neither the check nor the job; a subcontractor sees those of his own machine', async () => {
    const { id } = await check('supervisor')
    const { data } = (await maintain('site')) as { data: { id: string } }
    machine = await addMachine(subcontractor)
    const own = await check('supervisor')
    const sees = async (who: Who, one: string) =>
      (await as[who].ask(getMachineCheck, { params: { id: one }, query: { projectCode: '*' } })).status === 0
    for (const who of everybody) expect([who, await sees(who, id)]).toEqual([who, who !== 'stranger' && who !== 'subcontractor'])
    expect(await sees('subcontractor', own.id)).toBe(true)
    const job = await as.subcontractor.ask(getMaintenance, { params: { id: data.id }, query: { projectCode: '*' } })
    expect(job.status).not.toBe(0)
    const rows = await as.stranger.call(listMachineChecks, { query: { projectCode: '*', size: 1000 } })
    expect(rows.list.map((one) => one.id)).not.toContain(id)
  })

  test('a checker signs his own name, the user of the machine his', async () => {
    const { id } = await check('supervisor')
    const sign = (who: Who, seat: string) =>
      as[who].ask(signMachineCheck, {
        params: { id },
        query: { projectCode },
        body: { action: 'sign', id: newId(), seat, image: strokes() },
      } as never)
    expect((await sign('site', 'checker1')).status).not.toBe(0)
    expect((await sign('supervisor', 'checker1')).status).toBe(0)
    expect((await sign('site', 'user')).status).toBe(0)
    expect((await read('site', id)).signatures.map((one) => one.state)).toEqual(['signed', 'signed'])
  })
})

describe('maintenance', () => {
  const list = async (more: object = {}) =>
    (await as.site.call(listMaintenance, { query: { projectCode, machineId: machine, ...more } })).list

  test('is registered with a signature, due a month later, and corrected by a further entry', async () => {
    const { data } = (await maintain('site')) as { data: { id: string; code: string } }
    expect(data.code).toMatch(/-WB-\d{4}-\d{3}$/)
    const file = await as.site.call(getMaintenance, { params: { id: data.id }, query: { projectCode } })
    expect([file.nextDate, file.signatures[0]?.state, file.mayCorrect]).toEqual([day(30), 'signed', true])
    expect((await maintain('site', { corrects: data.id, content: '更正：保养内容含润滑' })).status).toBe(0)
    expect((await maintain('site', { corrects: data.id })).message).toContain('已有更正')
    expect((await list()).find((one) => one.id === data.id)?.correctedBy).not.toBeNull()
  })

  test.each([
    ['a day to come', { maintainDate: day(1) }, '不能晚于今天'],
    ['an end before the start', { startTime: '10:00', endTime: '09:00' }, '须晚于开始时刻'],
    ['an end without a start', { endTime: '09:00' }, '请填写开始时刻'],
    ['nobody', { maintainers: [] }, '请填写维保人员'],
    ['a person who is not on the site', { maintainers: [{ ...rigger, workerId: 'nobody' }] }, '不在本项目'],
  ])('%s is refused', async (_what, more, message) => {
    expect((await maintain('site', more)).message).toContain(message)
  })

  test('work on a crane that was turning is marked, and so is a photograph that was used before', async () => {
    machine = await addMachine(contractor, true)
    const at = new Date(`${day(-1)}T10:30:00+08:00`)
    await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
      values (${crane}, ${projectCode}, ${at}, ${newId()}, 'workingCycle', '{"durationSeconds": 120}', now())`.execute(db())
    const during = { maintainDate: day(-1), startTime: '10:00', endTime: '11:00' }
    await maintain('site', { ...during, content: '塔身螺栓紧固一' })
    await maintain('site', { ...during, startTime: '14:00', endTime: '15:00', content: '塔身螺栓紧固二' })
    const doubts = Object.fromEntries((await list()).map((one) => [one.content, one.doubts]))
    expect(doubts['塔身螺栓紧固一']).toContain('维保时段设备有作业循环')
    expect(doubts['塔身螺栓紧固二']).not.toContain('维保时段设备有作业循环')
    expect(doubts['塔身螺栓紧固二']).toContain('照片曾在其他记录使用')
    expect((await list({ doubtful: true })).length).toBe((await list()).filter((one) => one.doubts.length > 0).length)
  })
})

describe('the board', () => {
  const rowOf = async (who: Who = 'site') =>
    (await as[who].call(machineBoard, { query: { projectCode, size: 1000 } })).list.find((one) => one.id === machine)
  const cell = async (type: string) => (await rowOf())?.cells.find((one) => one.type === type)

  test('a check is late when its day has passed, counted from the registration where there was none', async () => {
    expect(await cell('4')).toMatchObject({ last: null, due: day(-30), late: true })
    await check('supervisor')
    expect(await cell('4')).toMatchObject({ last: day(0), due: day(30), late: false })
    expect(await cell('3')).toMatchObject({ due: day(-53), late: true })
    expect(await cell('5')).toMatchObject({ due: null, late: false })
    expect(await cell('7')).toMatchObject({ due: day(200), late: false })
  })

  test('the check before the shift is late once the machine has worked today without it', async () => {
    machine = await addMachine(contractor, true)
    await sql`delete from device_record where device_id = ${crane} and record = 'workingCycle'`.execute(db())
    expect(await cell('1')).toMatchObject({ late: false })
    await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
      values (${crane}, ${projectCode}, now(), ${newId()}, 'workingCycle', '{"durationSeconds": 120}', now())`.execute(db())
    expect(await cell('1')).toMatchObject({ late: true })
    await check('site', { type: '1', items: items('1') })
    expect(await cell('1')).toMatchObject({ last: day(0), late: false })
  })

  test('a suspended machine is late with nothing; work meanwhile is told by its check', async () => {
    machine = await addMachine(contractor, true)
    const { id } = await failed('supervisor', '3')
    expect((await rowOf())?.late).toBe(false)
    await sql`delete from device_record where device_id = ${crane} and record = 'workingCycle'`.execute(db())
    await sql`update device_inspect set suspended_at = now() - interval '2 hours' where check_id = ${id}`.execute(db())
    await sql`update site_check set check_time = now() - interval '2 hours' where id = ${id}`.execute(db())
    await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
      values (${crane}, ${projectCode}, now() - interval '1 hour', ${newId()}, 'workingCycle', '{"durationSeconds": 120, "maxLoad": 3.2}', now())`.execute(
      db(),
    )
    expect((await read('site', id)).telemetry).toMatchObject({ whileStopped: 1, maxLoad: 3.2 })
  })

  test('work of a suspended machine raises an alarm, which ends when it rests or is released', async () => {
    const now = Date.now()
    const alarms = async () =>
      (
        await sql<{ active: boolean; level: number; label: string }>`select active, level, label from alarm
        where device_id = ${crane} and alarm_key = 'workWhileSuspended' order by start_time`.execute(db())
      ).rows
    const works = (at: number) =>
      sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
        values (${crane}, ${projectCode}, ${new Date(at)}, ${newId()}, 'workingCycle', '{"durationSeconds": 120}', now())`.execute(db())
    const open = { active: true, level: 2, label: '停用设备作业' }
    // The cycle of an hour ago is over: nothing is raised afterwards.
    await watchSuspended(world.database, now)
    expect(await alarms()).toEqual([])
    await works(now - 300_000)
    await watchSuspended(world.database, now)
    await watchSuspended(world.database, now)
    expect(await alarms()).toEqual([open])
    await watchSuspended(world.database, now + 3_600_000)
    expect(await alarms()).toEqual([{ ...open, active: false }])
    await works(now + 3_600_000)
    await watchSuspended(world.database, now + 3_700_000)
    expect(await alarms()).toEqual([{ ...open, active: false }, open])
    // Machines of the tests before stand with the same sensor.
    await sql`update device_inspect set released_at = now() where suspended_at is not null and released_at is null`.execute(db())
    await watchSuspended(world.database, now + 3_700_000)
    expect((await alarms()).map((one) => one.active)).toEqual([false, false])
    // A cycle before the suspension is no offence.
    await sql`update device_inspect set released_at = null, suspended_at = ${new Date(now + 3_650_000)} where stay_id = ${machine}
      and suspended_at is not null`.execute(db())
    await watchSuspended(world.database, now + 3_700_000)
    expect((await alarms()).map((one) => one.active)).toEqual([false, false])
  })
})
