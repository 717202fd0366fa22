import { changeRectify, createRectify, getRectify, listRectify } from '@zhugong/contract/rectify/calls'
import * as rules from '@zhugong/contract/rules/endpoints'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Site, siteOf, storedFile } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { type AlarmOp, forgetHappenings, writeAlarmOps } from '../alarms/public.ts'
import { takeAlarmEvents } from './take.ts'

let world: World
let settled: CityWorld
let site: Site
let crane = ''
let ruleId = ''
let execId = ''
const as = {} as Record<'pm' | 'contractor' | 'supervisor' | 'officer', Caller>

const query = <T extends object>(text: string, values: unknown[] = []) =>
  world.database.pool.query<T & Record<string, unknown>>(text, values).then((r) => r.rows as T[])
const take = () =>
  takeAlarmEvents({
    db: world.database.kysely,
    clock: { now: () => Date.now() },
    secrets: createSecrets(testSecretKey),
    log: createLog('test', 'silent'),
  })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  const projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await siteOf(world, projectCode)
  as.pm = await settled.as('hospital-pm')
  as.contractor = await settled.as('yunze-lu')
  as.supervisor = await settled.as('hospital-jl')
  as.officer = await settled.as('bj-zhao')
  crane = newId()
  await query(
    `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, params, interval_seconds)
     values ($1, $2, '1# 塔机', $1, 'towerCrane', '{}', 'mqtt', $1, '{}', 60)`,
    [crane, projectCode],
  )
  const admin = await settled.as('admin')
  const made = await admin.call(rules.createExec, {
    body: {
      name: '力矩告警整改',
      kind: 'rectify',
      projectCode,
      rectify: { category: '04', requirement: '停机检查力矩限制器并校准', days: 3, fromLevel: 2 },
    },
  })
  execId = made.id
  const rule = await admin.call(rules.createTrigger, {
    body: {
      name: '力矩超限',
      family: 'towerCrane',
      alarmKey: 'momentAlarm',
      projectCode,
      execIds: [execId],
      levels: [{ level: 2, condition: { type: 'threshold', metric: 'momentPercent', op: '>=', value: 100 } }] as never,
    },
  })
  ruleId = rule.id
})
afterAll(() => world.close())
beforeEach(async () => {
  await query(`delete from rectify where source_kind = 'alarm'`)
  await query(`update alarm set active = false where device_id = $1`, [crane])
  await query('update alarm_outbox set rectified = true where not rectified')
})

async function write(op: AlarmOp): Promise<void> {
  const client = await world.database.pool.connect()
  try {
    await writeAlarmOps(client, [op])
  } finally {
    client.release()
  }
}
async function alarm(level: 1 | 2 | 3 = 2, more: object = {}): Promise<string> {
  const id = newId()
  const at = Date.now()
  await write({
    op: 'open',
    id,
    projectCode: site.projectCode,
    deviceId: crane,
    deviceName: '1# 塔机',
    point: '',
    family: 'towerCrane',
    alarmKey: 'momentAlarm',
    label: '力矩报警',
    level,
    startTime: at,
    fireTime: at,
    metric: 'momentPercent',
    value: 106,
    thresholdText: '力矩百分比 ≥ 100 %',
    ruleId,
    ruleVersion: 1,
    source: 'platform',
    values: {},
    ...more,
  })
  return id
}
const groupOf = async (account: string): Promise<string> => {
  const [row] = await query<{ id: string }>(
    'select m.group_id as id from member m join app_user u on u.id = m.user_id where u.account = $1 limit 1',
    [account],
  )
  return row?.id ?? ''
}
const clear = (id: string) => write({ op: 'clear', id, time: Date.now(), reason: 'recovered' })
const noticesOf = async (alarmId: string) =>
  (await as.pm.call(listRectify, { query: { projectCode: site.projectCode, sourceKind: 'alarm', sourceId: alarmId, size: 10 } })).list

test('an alarm of the level orders rectification in the name of the site; the alarm tells of it', async () => {
  const id = await alarm()
  await take()
  const [notice] = await noticesOf(id)
  expect(notice).toMatchObject({ origin: 'site', state: '1', category: '04', sourceTypeName: '监测告警', problemCount: 1 })
  expect(notice?.code).toBeTruthy()
  const one = await as.pm.call(getRectify, { params: { id: notice?.id ?? '' } })
  expect(one.source).toEqual({ title: '监测告警', page: `/alarm/record?alarmId=${id}`, handling: null })
  expect(one.lines[0]).toMatchObject({ description: '1# 塔机力矩报警（力矩百分比 ≥ 100 %）', requirement: '停机检查力矩限制器并校准' })
  const logged = await query<{ text: string }>(`select text from alarm_log where alarm_id = $1 and event = 'rectify'`, [id])
  expect(logged[0]?.text).toContain(notice?.code)
})

test('a milder alarm, a drill and an action switched off order nothing', async () => {
  const mild = await alarm(3)
  await take()
  await query('update alarm set active = false where id = $1', [mild])
  await query('update rule_exec set enabled = false where id = $1', [execId])
  const off = await alarm()
  await take()
  await query('update rule_exec set enabled = true where id = $1', [execId])
  await query('update alarm set active = false where id = $1', [off])
  const drill = await alarm(2, { simulated: true })
  await query('update alarm set simulated = true where id = $1', [drill])
  await take()
  for (const id of [mild, off, drill]) expect(await noticesOf(id)).toEqual([])
})

test('while a notice runs, the same alarm of the machine is noted there and makes no second one', async () => {
  const first = await alarm()
  await take()
  await clear(first)
  const second = await alarm()
  await take()
  expect(await noticesOf(second)).toEqual([])
  const [notice] = await noticesOf(first)
  const { timeline } = await as.pm.call(getRectify, { params: { id: notice?.id ?? '' } })
  expect(timeline.map((one) => one.label)).toEqual(['下发', '再次告警', '读数已恢复'])
})

test('two workers at once make one notice', async () => {
  const id = await alarm()
  await Promise.all([take(), take(), take()])
  expect(await noticesOf(id)).toHaveLength(1)
})

test('it closes only when the reading agrees', async () => {
  const id = await alarm()
  await take()
  const noticeId = (await noticesOf(id))[0]?.id ?? ''
  const version = async () => (await as.pm.call(getRectify, { params: { id: noticeId } })).version
  const { lines } = await as.pm.call(getRectify, { params: { id: noticeId } })
  const act = async (who: Caller, body: object) =>
    who.call(changeRectify, { body: { id: noticeId, version: await version(), ...body } as never })
  const photo = await storedFile(world, await groupOf('yunze-lu'))
  await act(as.pm, { action: 'sign' })
  const answers = lines.map((line) => ({ id: line.id, measure: '已校准力矩限制器', photos: [photo] }))
  await act(as.contractor, { action: 'reply', opinion: '', lines: answers })
  await act(as.supervisor, { action: 'jlPass', opinion: '属实' })
  await expect(act(as.pm, { action: 'recheckPass', opinion: '' })).rejects.toThrow('尚未解除，读数恢复后才能闭合')
  await clear(id)
  await act(as.pm, { action: 'recheckPass', opinion: '' })
  expect((await noticesOf(id))[0]).toMatchObject({ state: '7' })
})

test('the action of an authority drafts a notice that the site does not see', async () => {
  await query('update rule_exec set project_code = null, group_id = $2 where id = $1', [execId, await groupOf('bj-zhao')])
  const id = await alarm()
  await take()
  await query('update rule_exec set project_code = $2, group_id = null where id = $1', [execId, site.projectCode])
  expect(await noticesOf(id)).toEqual([])
  const { list } = await as.officer.call(listRectify, { query: { projectCode: '*', sourceKind: 'alarm', sourceId: id, size: 10 } })
  expect(list).toMatchObject([{ origin: 'gov', state: '0', code: null }])
})

test('a notice names an alarm of its own project only', async () => {
  const id = await alarm()
  const stranger = await settled.as('zhigu-pm')
  const other = settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? ''
  const elsewhere = await siteOf(world, other)
  await expect(
    stranger.call(createRectify, {
      body: {
        projectCode: other,
        action: 'save',
        sourceKind: 'alarm',
        sourceId: id,
        corpCode: elsewhere.corpCode,
        sourceType: '14',
        noticeType: '2',
        category: '04',
        level: '1',
        checkDate: new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10),
        deadline: '2030-01-01',
        responsiblePerson: '周大勇',
        lines: [{ description: '力矩限制器失效', part: '1# 塔机', requirement: '校准', photos: [] }],
      } as never,
    }),
  ).rejects.toThrow('来源记录不存在或不属于该项目')
})

test('events are kept until all three workers have read them', async () => {
  await alarm()
  await query('update alarm_outbox set noticed = true, linked = true')
  await forgetHappenings(world.database.pool, new Date(Date.now() + 60_000))
  expect(await query('select 1 from alarm_outbox where not rectified')).toHaveLength(1)
  await take()
  await forgetHappenings(world.database.pool, new Date(Date.now() + 60_000))
  expect(await query('select 1 from alarm_outbox')).toEqual([])
})
