import { auditList, listAudit } from '@zhugong/contract/access/endpoints'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { roleOf, somebody } from '../../../test/members.ts'
import type { World } from '../../../test/world.ts'
import { exportNamed } from '../exports/registry.ts'

let world: World
let settled: CityWorld
let groupId: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  groupId = (await (await settled.as('yunze-lu')).call(getMyInfo)).groupId ?? ''
  const other = (await (await settled.as('chuyuan-li')).call(getMyInfo)).groupId ?? ''
  const row = (id: string, group: string, at: string, result: string, ip: string) =>
    world.database.pool.query(
      `insert into audit_log (id, at, user_id, account, user_name, group_id, group_name, action, summary, object_id, project_code, result, ip)
       values ($1, $2, 'x', 'acc-' || $1, '张三', $3, '某组', 'POST /x', '改了' || $1, 'thing-1', 'P-1', $4, $5)`,
      [id, at, group, result, ip],
    )
  await row('one', groupId, '2020-01-01 01:00Z', 'ok', '10.9.1.7')
  await row('two', groupId, '2020-01-02 01:00Z', 'refused', '10.9.2.7')
  await row('foreign', other, '2020-01-01 01:00Z', 'ok', '10.9.1.7')
})
afterAll(() => world.close())

test('the log is asked by who, what, object, time, result and address, and never of another group', async () => {
  const auditor = await somebody(world, groupId, [await roleOf(world, groupId, ['audit.view'])])
  const ids = async (query: object) => (await auditor.caller.call(listAudit, { query })).list.map((one) => one.id)
  expect(await ids({ object: 'thing-1' })).toEqual(['two', 'one'])
  expect(await ids({ object: 'P-1', result: 'ok' })).toEqual(['one'])
  expect(await ids({ object: 'P-1', result: 'not' })).toEqual(['two'])
  expect(await ids({ ip: '10.9.1' })).toEqual(['one'])
  expect(await ids({ account: '张三', summary: '改了two' })).toEqual(['two'])
  expect(await ids({ account: 'acc-foreign' })).toEqual([])
  expect(await ids({ object: 'thing-1', startTime: '2020-01-02 00:00:00', endTime: '2020-01-03 00:00:00' })).toEqual(['two'])
  const wrong = await auditor.caller.ask(listAudit, { query: { startTime: '昨天' } })
  expect(wrong).toMatchObject({ http: 400, data: { field: 'startTime' } })
  const platform = await settled.as('admin')
  expect((await platform.call(listAudit, { query: { object: 'thing-1' } })).total).toBe(3)
  const one = await somebody(world, groupId, [await roleOf(world, groupId, ['project.view'])])
  expect((await one.caller.ask(listAudit, { query: {} })).http).toBe(403)
})

test('it can be taken along by whoever may read it', () => {
  expect(exportNamed(auditList.feature ?? '')?.title).toBe('审计日志')
})
