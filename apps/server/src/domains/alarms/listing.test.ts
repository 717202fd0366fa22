import { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { alarmList, findAlarms, findSiteAlarms, siteAlarmList } from '@zhugong/contract/alarms/lists'
import { exportKeys, type List } from '@zhugong/contract/kit/list'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, settleCity } from '../../../test/city.ts'
import { type Caller, openWorld, type World } from '../../../test/world.ts'
import { listContextOf } from '../../../test/list-context.ts'
import { registerExports } from '../../export-list.ts'
import { exportNamed } from '../exports/registry.ts'

let world: World
let settled: CityWorld
let officer: Caller
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
  settled = await settleCity(world)
  officer = await settled.as('bj-zhao')
  registerExports()
})
afterAll(() => world.close())
