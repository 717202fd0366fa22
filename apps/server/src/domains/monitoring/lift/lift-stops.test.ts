import { findAlarms } from '@zhugong/contract/alarms/lists'
import { liftDevice } from '@zhugong/contract/monitoring/lift/lift-live'
import { listLiftStops, resumeLift, stopLift } from '@zhugong/contract/monitoring/lift/lift-stops'
import { addLiftTest } from '@zhugong/contract/monitoring/lift/lift-tests'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** A lift taken out of use for an alarm returns to use only after an inspection and when nothing else prevents it. */
const start = Date.parse('2026-11-20T10:00:00+08:00')
let now = start
let world: World
let city: CityWorld
let site = ''
let pm: Caller
let lift = ''
let files = 0

const query = () => ({ projectCode: site })
const sqlRun = (text: string, values: unknown[] = []) => world.database.pool.query(text, values)
async function photo(account = 'hospital-pm'): Promise<string> {
  const id = `stop${++files}`
  await sqlRun(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select $1, m.group_id, '照片.jpg', 'image/jpeg', 3, $1, m.user_id from member m join app_user u on u.id = m.user_id where u.account = $2 limit 1`,
    [id, account],
  )
  return id
}
const stop = (who: Caller, given: Record<string, unknown> = {}) =>
  who.ask(stopLift, { query: query(), body: { deviceId: lift, alarmId: 'door', reason: '开门运行，停用检查', ...given } as never })
const resume = async (who: Caller, id: string, given: Record<string, unknown> = {}, account?: string) =>
  who.ask(resumeLift, {
    params: { id },
    query: query(),
    body: {
      checkedOn: '2026-11-20',
      personName: '周大勇',
      finding: '门联锁修复，试运行正常',
      files: [await photo(account)],
      ...given,
    } as never,
  })
const file = () => pm.call(liftDevice, { params: { id: lift } })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  pm = await city.as('hospital-pm')
  const device = city.city.devices.find((d) => d.projectCode === site && d.family === 'lifter' && d.behaviour === 'normal')!
  lift = device.id
  await sqlRun(`delete from alarm where device_id = $1`, [lift])
  for (const [id, key, label, deviceId] of [
    ['door', 'doorOpenRunning', '开门运行', lift],
    ['else', 'windDanger', '大风', city.city.devices.find((d) => d.projectCode === site && d.family === 'towerCrane')!.id],
  ])
    await sqlRun(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, active, state)
       values ($1, $2, $3, $4, 'lifter', $5, $6, 1, 1, $7, $7, true, 'open')`,
      [id, site, deviceId, device.name, key, label, new Date(now - 60_000)],
    )
})
afterAll(() => world.close())

test('stopped for its alarm; given back only when all that is missing is there, and the alarm says how long it took', async () => {
  expect((await file()).stop).toBeNull()
  expect((await stop(pm, { reason: ' ' })).message).toContain('停用原因')
  expect((await stop(pm, { alarmId: 'else' })).message).toContain('不属于这台升降机')
  const { data, status } = await stop(pm)
  expect(status).toBe(0)
  const { id } = data as { id: string }
  expect((await stop(pm)).message).toContain('已经停用')
  await sqlRun(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, 'run:1', 'workingCycle', '{}', $3)`,
    [lift, site, new Date(now + 60_000)],
  )
  now += 20 * 60_000
  expect((await file()).stop).toMatchObject({ id, alarmId: 'door', missing: ['开门运行尚未恢复'], runsSince: 1 })
  expect((await resume(pm, id)).message).toContain('开门运行尚未恢复')
  await sqlRun(`update alarm set active = false, clear_time = $1 where id = 'door'`, [new Date(now)])
  expect((await resume(pm, id)).message).toContain('开门运行尚未处置')
  await sqlRun(`update alarm set state = 'handled' where id = 'door'`)
  await pm.call(addLiftTest, {
    query: query(),
    body: { deviceId: lift, kind: 'drop', testedOn: '2026-11-19', result: 'fail', personName: '周大勇' } as never,
  })
  expect((await resume(pm, id)).message).toContain('防坠试验不合格')
  await pm.call(addLiftTest, {
    query: query(),
    body: { deviceId: lift, kind: 'drop', testedOn: '2026-11-20', result: 'pass', personName: '周大勇' } as never,
  })
  expect((await resume(pm, id, { checkedOn: '2026-11-19' })).message).toContain('检查应在停用之后')
  expect((await resume(pm, id, { checkedOn: '2026-11-21' })).message).toContain('不能晚于今天')
  expect((await resume(pm, id, { files: [] })).message).toContain('请上传检查照片')
  const alarm = async () => (await pm.call(findAlarms, { query: { ...query(), family: 'lifter', deviceId: lift } as never })).list[0]?.stop
  expect(await alarm()).toEqual({ from: start, to: null })
  expect((await resume(pm, id)).status).toBe(0)
  expect((await resume(pm, id)).message).toContain('恢复使用')
  expect((await file()).stop).toBeNull()
  expect(await alarm()).toEqual({ from: start, to: now })
  const { list } = await pm.call(listLiftStops, { query: { ...query(), deviceId: lift } as never })
  expect(list).toMatchObject([{ id, alarmLabel: '开门运行', personName: '周大勇', resumedAt: now, files: [expect.any(String)] }])
})

test('whoever supervises only looks, strangers see nothing and change nothing', async () => {
  const { data } = await stop(pm, { alarmId: null })
  const { id } = data as { id: string }
  const regulator = await city.as('bj-zhao')
  const stranger = await city.as('zhigu-pm')
  expect((await stop(regulator)).http).toBe(403)
  expect((await stop(stranger)).status).not.toBe(0)
  expect((await resume(stranger, id, {}, 'zhigu-pm')).status).not.toBe(0)
  expect((await stranger.call(listLiftStops, { query: { projectCode: '*' } as never })).list.every((one) => one.projectCode !== site)).toBe(
    true,
  )
  expect((await regulator.call(listLiftStops, { query: query() as never })).total).toBe(2)
})
