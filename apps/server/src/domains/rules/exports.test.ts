import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { listExecLog } from '@zhugong/contract/notify/endpoints'
import { createExec, createTrigger, findTriggers, listExecs, ruleBase } from '@zhugong/contract/rules/endpoints'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { deliverDefaultRules } from '#domains/rules/public'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'

let world: World
let city: CityWorld
let manager: Caller
let folder: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await deliverDefaultRules(world.database.kysely)
  manager = await city.as('hospital-pm')
  folder = mkdtempSync(join(tmpdir(), 'zg-export-'))
  const { id } = await manager.call(createExec, {
    body: { name: '告知安全员', kind: 'notify', notify: { roles: ['安全员'], channels: ['1'] } },
  })
  await manager.call(createTrigger, {
    body: {
      name: '本工地大风',
      family: 'towerCrane',
      alarmKey: 'windAlarm',
      levels: [{ level: 2, condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value: 11 }, forSeconds: 10 }],
      scope: { kind: 'global' },
      execIds: [id],
    },
  })
  const projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode
  await world.database.pool.query(
    `insert into exec_log (id, project_code, exec_id, kind, step, level, channel, receiver_name, title, text, state, result, due_at, create_time)
     values ('told', $1, $2, 'notify', 'open', 2, '1', '王安', '大风告警', '塔机大风', 'sent', '', now(), now())`,
    [projectCode, id],
  )
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

/** The exported workbook of a list: headings and rows. */
async function bookOf(who: Caller, feature: string) {
  const { id } = await who.call(submitExport, { body: { feature, query: { projectCode: '*' } } })
  const { database, config } = world
  const clock = { now: () => Date.now() }
  await runExport({ database, clock, secrets: createSecrets(config.secretKey), log: createLog('test', 'silent'), folder }, id)
  const { exportUrl } = (await who.call(listExports, { query: {} })).list.find((task) => task.id === id) ?? {}
  const { rawPayload } = await world.api.app.inject({ url: exportUrl ?? '' })
  const rows = (await readXlsx(new Uint8Array(rawPayload))).sheets[0]?.rows ?? []
  const head = rows.findIndex((row) => row.filter(Boolean).length > 3)
  return { head: (rows[head] ?? []).map(String), rows: rows.slice(head + 1).filter((row) => row.some(Boolean)) }
}

test.each([
  ['ruleBase', ruleBase, ['告警', '默认阈值', '依据', '锁定']],
  ['ruleTrigger', findTriggers, ['规则', '条件与动作', '范围', '覆盖设备']],
  ['ruleExec', listExecs, ['动作', '类型', '引用', '启用']],
  ['execLog', listExecLog, ['时间', '告警', '接收', '结果']],
])('what a site takes along of %s is its list', async (feature, list, columns) => {
  const { total } = await manager.call(list, { query: { projectCode: '*' } })
  const book = await bookOf(manager, feature)
  expect(book.head).toEqual(expect.arrayContaining(columns))
  expect(total).toBeGreaterThan(0)
  expect(book.rows).toHaveLength(total)
})

test('a rule is written down as its list tells it', async () => {
  const { head, rows } = await bookOf(manager, 'ruleTrigger')
  const own = rows.find((row) => row.includes('本工地大风')) ?? []
  expect(own[head.indexOf('告警')]).toBe('风速报警')
  expect(String(own[head.indexOf('条件与动作')])).toContain('风速 ≥ 11 m/s')
  expect(String(own[head.indexOf('等级')])).toBe('2')
})
