import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { getMainPage } from '@zhugong/contract/home/endpoints'
import { changePassword, getMyInfo, login, refreshToken } from '@zhugong/contract/identity/endpoints'
import { getGroupInfo, saveGroupInfo } from '@zhugong/contract/organisation/group-info'
import * as contract from '@zhugong/contract/settings/system'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { cleanUp } from '../notify/worker.ts'

let now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let platform: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  platform = await city.as('admin')
})
afterAll(() => world.close())

const safety = async (change: object) => {
  const before = (await platform.call(contract.getSystem)).safety
  return platform.ask(contract.setSystem, { body: { part: 'safety', value: { ...before.value, ...change }, version: before.version } })
}
const passwordOf = (account: string) => city.accounts.find((one) => one.account === account)?.password ?? ''

test('limits of safety hold for whatever begins after they were saved, and are saved once', async () => {
  expect((await platform.call(contract.getSystem)).safety).toMatchObject({ value: { idleMinutes: 30, lockAfter: 5 }, version: 0 })
  expect(await safety({ idleMinutes: 3 })).toMatchObject({ message: '闲置退出至少 5 分钟' })
  expect(await safety({ idleMinutes: 10, lockAfter: 4, lockMinutes: 60 })).toMatchObject({ status: 0 })
  const stale = { part: 'safety' as const, value: contract.safety.parse({}), version: 0 }
  expect(await platform.ask(contract.setSystem, { body: stale })).toMatchObject({ status: 4 })
  const { keepLive } = await world.anonymous.call(login, { body: { account: 'hospital-pm', password: passwordOf('hospital-pm') } })
  expect(keepLive.duration).toBe(10 * 60_000)
  const labour = await city.as('hospital-labour')
  const wrong = () => labour.ask(changePassword, { body: { oldPassword: 'Wrong#Pass123', newPassword: 'Better#Pass1234' } })
  for (let i = 0; i < 3; i++) expect(await wrong()).toMatchObject({ message: '原密码不正确' })
  expect(await wrong()).toMatchObject({ message: '账号已锁定，请 60 分钟后再试' })
})

test('the platform is administered from listed addresses only, by whatever door; others come from everywhere', async () => {
  const passed = { account: 'admin', password: passwordOf('admin') }
  expect(await safety({ adminAddresses: '10.9.0.0/33' })).toMatchObject({ http: 400, message: expect.stringContaining('10.9.0.0/33') })
  // Administrators cannot lock themselves out.
  expect(await safety({ adminAddresses: '10.9.0.0/16, fd00::/8' })).toMatchObject({
    status: 4,
    data: { field: 'value.adminAddresses' },
  })
  expect(await safety({ adminAddresses: '10.9.0.0/16，127.0.0.1' })).toMatchObject({ status: 0 })
  expect((await world.anonymous.ask(login, { body: passed })).status).toBe(0)
  // The operator's network has changed since.
  await world.database.pool.query(`update setting set value = jsonb_set(value, '{adminAddresses}', '"10.9.0.0/16"') where key = 'safety'`)
  expect(await world.anonymous.ask(login, { body: passed })).toMatchObject({ http: 403, status: 103, message: '用户名或密码错误！' })
  expect(await world.anonymous.ask(login, { body: { account: 'hospital-pm', password: passwordOf('hospital-pm') } })).toMatchObject({
    status: 0,
  })
  const { rowCount } = await world.database.pool.query(
    `select id from audit_log where account = 'admin' and summary = '登录失败：平台管理员不在允许的地址' and result = 'refused'`,
  )
  expect(rowCount).toBe(1)
  // Sessions opened before, or used from elsewhere, end too.
  now += 1_000
  expect((await platform.ask(contract.getSystem)).status).toBe(105)
  await world.database.pool.query(`update setting set value = jsonb_set(value, '{adminAddresses}', '""') where key = 'safety'`)
  now += 1_000
  expect(await safety({ adminAddresses: '' })).toMatchObject({ status: 0 })
  expect((await world.anonymous.ask(login, { body: passed })).status).toBe(0)
})

test('a session that is worked in ends as late as the limit says', async () => {
  await safety({ idleMinutes: 60 })
  const site = await city.as('hospital-pm')
  expect((await site.call(refreshToken)).keepLive.duration).toBe(60 * 60_000)
  await safety({ idleMinutes: 30 })
})

test('messages go when their days are over, and logs are kept half a year at least', async () => {
  const set = async (value: { messageDays: number; logDays: number }) => {
    const { version } = (await platform.call(contract.getSystem)).retention
    return platform.ask(contract.setSystem, { body: { part: 'retention', value, version } })
  }
  expect(await set({ messageDays: 40, logDays: 30 })).toMatchObject({ message: '通知与执行日志保留至少 180 天' })
  const { rows: users } = await world.database.pool.query<{ id: string }>(`select id from app_user where account = 'admin'`)
  const put = (id: string, days: number) =>
    world.database.pool.query(
      `insert into message (id, user_id, kind, title, text, create_time) values ($1, $2, 'approval', '样例', '样例', $3)`,
      [id, users[0]?.id, new Date(now - days * 86_400_000)],
    )
  await put('of-60-days', 60)
  const left = async () => (await world.database.pool.query(`select id from message where id = 'of-60-days'`)).rowCount
  await cleanUp({ pool: world.database.pool, now: () => now })
  expect(await left()).toBe(1)
  expect(await set({ messageDays: 40, logDays: 200 })).toMatchObject({ status: 0 })
  await cleanUp({ pool: world.database.pool, now: () => now })
  expect(await left()).toBe(0)
})

test('exports under way are counted alike on the home page and in the state of the system', async () => {
  const counted = async () => [
    (await platform.call(getMainPage, { query: {} })).service?.jobsRunning,
    (await platform.call(contract.getSystem)).status.find((one) => one.label === '进行中的导出')?.value,
  ]
  const { rows } = await world.database.pool.query<{ user: string; group: string }>(
    `select m.user_id as user, m.group_id as group from member m join app_user u on u.id = m.user_id where u.account = 'admin' limit 1`,
  )
  for (const status of [exportStatus.failed, exportStatus.done, exportStatus.done, exportStatus.running])
    await world.database.pool.query(
      `insert into export_task (id, user_id, group_id, feature, title, file_name, status, request, create_time)
       values (gen_random_uuid()::text, $1, $2, 'audit', '操作日志', 'x.xlsx', $3, '{}', $4)`,
      [rows[0]?.user, rows[0]?.group, status, new Date(now)],
    )
  expect(await counted()).toEqual([1, '1 个'])
})

test('nobody but the platform sets them, and a way out that is not there says so', async () => {
  const body = await city.as('city-fang')
  expect((await body.ask(contract.getSystem)).status).toBe(403)
  expect((await body.ask(contract.tryChannel, { body: { channel: 'mail', to: 'a@example.com' } })).status).toBe(403)
  expect(await platform.ask(contract.tryChannel, { body: { channel: 'sms', to: '13800138000' } })).toMatchObject({
    message: '本平台未接入短信',
  })
})

test('whom to call: one’s own, else the one above; a notice until its day', async () => {
  const site = await city.as('hospital-pm')
  const company = await city.as('yunze-lu')
  const { own, version } = await company.call(getGroupInfo)
  const reported = { ...own, contact: '陆远', servicePhone: '0714-6225588', notice: '周日停电', noticeUntil: '2026-11-22' }
  expect(await company.ask(saveGroupInfo, { body: { ...reported, noticeUntil: null, version } })).toMatchObject({
    message: '请填写通知显示到哪一天',
  })
  await company.call(saveGroupInfo, { body: { ...reported, version } })
  expect((await company.call(getMyInfo)).help).toMatchObject({ contact: '陆远', notice: '周日停电' })
  // The site gets its contractor's contact; the contractor's notice is for its own members only.
  expect((await site.call(getMyInfo)).help).toMatchObject({ contact: '陆远', servicePhone: '0714-6225588', notice: null })
  const after = await company.call(getGroupInfo)
  await company.call(saveGroupInfo, { body: { ...after.own, noticeUntil: '2026-11-19', version: after.version } })
  expect((await company.call(getMyInfo)).help.notice).toBeNull()
})
