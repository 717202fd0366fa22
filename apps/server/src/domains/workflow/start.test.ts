import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { inTheNameOf } from './context-for-test.ts'
import { registerKind } from './kinds.ts'
import type { Decision } from './model.ts'
import { startFlow } from './start.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
const clock = { now: () => now }
let world: World
let settled: CityWorld
let databases: { requests: Database; system: Database }
const heard: Decision[] = []

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  databases = { requests: openDatabase(world.config.databaseUrl ?? ''), system: openDatabase(world.config.databaseUrl ?? '') }
  registerKind({
    kind: 'forTest',
    name: '试验事项',
    prefix: 'SY',
    facts: { days: { label: '天数', type: 'number' } },
    flow: [
      { key: 'site', name: '项目', places: ['site'], by: { kind: 'code', code: 'attendance.approve' } },
      {
        key: 'company',
        name: '企业',
        places: ['leader'],
        by: { kind: 'code', code: 'attendance.approve' },
        when: [{ fact: 'days', op: '>', value: 3 }],
      },
    ],
    reads: [],
    link: () => '/main',
    document: async (_, objectId) => ({ fields: [{ label: '事项', value: objectId }] }),
    decided: async (_, __, decision) => void heard.push(decision),
  })
})
afterAll(async () => {
  await databases.requests.close()
  await databases.system.close()
  await world.close()
})

async function whoIs(account: string) {
  const { rows } = await world.database.pool.query<{ userId: string; groupId: string }>(
    `select u.id as "userId", m.group_id as "groupId" from app_user u join member m on m.user_id = u.id where u.account = $1`,
    [account],
  )
  return rows[0]!
}

test('a flow begins with the steps its facts ask for, numbered without gaps, once at a time for a thing', async () => {
  const labour = await whoIs('hospital-labour')
  const projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  const begin = (objectId: string, days: number) =>
    inTheNameOf(databases, clock, labour, (ctx) =>
      startFlow(ctx, { kind: 'forTest', groupId: labour.groupId, projectCode, objectId, title: `事项 ${objectId}`, facts: { days } }),
    )
  const first = await begin('a', 2)
  expect(first).toMatchObject({ code: 'SY-2026-000001', state: '1' })
  await expect(begin('a', 2)).rejects.toThrow('正在审批')
  // A failed start uses no number.
  expect(await begin('b', 5)).toMatchObject({ code: 'SY-2026-000002' })
  const { rows } = await world.database.pool.query(
    `select i.object_id as o, s.key, s.state from work_item i join work_step s on s.item_id = i.id order by 1, s.place`,
  )
  expect(rows).toEqual([
    { o: 'a', key: 'site', state: '1' },
    { o: 'b', key: 'site', state: '1' },
    { o: 'b', key: 'company', state: '0' },
  ])
  await expect(begin('c', 'many' as unknown as number)).rejects.toThrow('is a number')
})
