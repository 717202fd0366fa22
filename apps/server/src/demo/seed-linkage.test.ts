import { listLinkageRuns, trialLinkage } from '@zhugong/contract/linkage/endpoints'
import { listExecLog } from '@zhugong/contract/notify/endpoints'
import { getExec, listExecs, listTriggers } from '@zhugong/contract/rules/endpoints'
import { execBody } from '@zhugong/contract/rules/exec-model'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedLinkage } from './seed-linkage.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedLinkage(tx, city.city, Date.now()))
})
afterAll(() => world.close())

test('the demonstration has thirteen actions that its own rules use, each as the form would accept it', async () => {
  const admin = await city.as('admin')
  const { list, total, counts } = await admin.call(listExecs, { query: { size: 100 } })
  expect(total).toBe(13)
  expect(counts).toMatchObject({ enabled: 13, unused: 0 })
  for (const row of list) {
    const { name, kind, notify, linkage, rectify } = await admin.call(getExec, { params: { id: row.id } })
    expect([
      name,
      execBody.safeParse({ name, kind, notify: notify ?? undefined, linkage: linkage ?? undefined, rectify: rectify ?? undefined }).error
        ?.issues,
    ]).toEqual([name, undefined])
  }
  const rules = await admin.call(listTriggers, { query: { size: 100 } })
  expect(rules.list.filter((t) => 'execNames' in t && t.execNames.length > 0)).toHaveLength(8)
})

test('past runs, their log with one message that failed, and a trial that finds its lines', async () => {
  const pm = await city.as('hospital-pm')
  const { list, total } = await pm.call(listLinkageRuns, { query: { projectCode: '*' } })
  expect(total).toBe(7)
  expect(new Set(list.map((r) => r.resultName))).toEqual(new Set(['告警解除后停止', '设备拒绝', '启动前告警已解除', '已执行']))
  expect(list.every((r) => r.alarms.length === 1 && r.state === 'ended')).toBe(true)
  const failed = await pm.call(listExecLog, { query: { projectCode: '*', state: 'failed', kind: 'notify' } })
  expect(failed.list).toMatchObject([{ channel: '2', state: 'failed', attempts: 3 }])
  const linked = await pm.call(listExecLog, { query: { projectCode: '*', kind: 'linkage' } })
  expect(linked.list.map((r) => r.stateName)).toContain('联锁')
  const spray = (await pm.call(listExecs, { query: { name: '喷淋' } })).list[0]
  const station = city.city.devices.find((d) => d.projectCode === city.city.projects[0]?.projectCode && d.family === 'environment')
  const { targets } = await pm.call(trialLinkage, { params: { id: spray?.id ?? '' }, body: { deviceId: station?.id ?? '' } })
  expect(targets.map((t) => t.deviceName).sort()).toEqual(['东线', '北线', '雾炮 1'].sort())
})
