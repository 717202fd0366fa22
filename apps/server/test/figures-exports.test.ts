import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportStatus, submitExport } from '@zhugong/contract/exports/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { List } from '@zhugong/contract/kit/list'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { seedAttendance } from '../src/demo/seed-attendance.ts'
import { runExport } from '../src/domains/exports/run-export.ts'
import { type CityWorld, settleCity } from './city.ts'
import { raiseAlarms } from './raised-alarms.ts'
import { openWorld, type World } from './world.ts'

/** For every list with an export: the exported file has as many rows as the list has in total. */

const contract = join(import.meta.dirname, '../../../packages/contract/src')
const isList = (value: unknown): value is List & { feature: string } =>
  typeof value === 'object' && value !== null && 'call' in value && 'columns' in value && typeof (value as List).feature === 'string'
const modules = await Promise.all(
  globSync('**/*.ts', { cwd: contract, exclude: ['**/*.test.ts'] }).map((path) => import(join(contract, path)) as Promise<object>),
)
const lists = [...new Map(modules.flatMap((one) => Object.values(one).filter(isList)).map((list) => [list.feature, list])).values()]

/** Lists that are not compared, each with its reason. */
const apart: Record<string, string> = {
  'readings.towerCrane': 'of one machine over a span of time',
  'readings.lifter': 'of one machine over a span of time',
  'readings.highFormwork': 'of one machine over a span of time',
  'readings.unloadingPlatform': 'of one machine over a span of time',
  companyProject: 'of one company',
  grantHolder: 'the screen has a row for each holder, the file one for each holder and application',
  meterIntensity: 'of one quantity over a span of time',
  attendancePerson: 'of one person',
  provincesCheck: 'of one campaign',
  noticeReceipt: 'of one notice',
}
const today = '2026-11-20'
/** Query parameters of a list beyond its required ones. */
const request: Record<string, object> = {
  approval: { box: 'mine' },
  attendanceRecord: { date: `${today},${today}` },
  signIn: { date: `${today},${today}` },
}
/** Values for required enumerations such as a view or a grouping: the first one. */
function fixedOf(call: Endpoint): object {
  const parsed = call.schemas.query?.safeParse({})
  const fixed = (parsed?.error?.issues ?? []).flatMap((issue) =>
    issue.code === 'invalid_value' && issue.path.length === 1 ? [[issue.path[0], issue.values[0]] as const] : [],
  )
  return Object.fromEntries(fixed)
}

/** Files of more rows take minutes to write. */
const largest = 2_000

const now = Date.parse('2026-11-20T10:30:00+08:00')
const folder = mkdtempSync(join(tmpdir(), 'zg-lists-'))
let world: World
let settled: CityWorld
const compared = new Set<string>()
const unasked = new Map<string, string>()
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world, '2026-11-20')
  await seedAttendance(world.database, settled.city, now)
  for (const { projectCode } of settled.city.projects) await raiseAlarms(world, projectCode, now)
}, 300_000)
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

test.each(['hospital-pm', 'admin', 'city-fang'])(
  '%s: a file has as many rows as its list',
  async (account) => {
    const who = await settled.as(account)
    const projectCode = settled.city.personas.find((one) => one.account === account)?.projectCode
    const log = createLog('test', 'warn')
    const deps = { database: world.database, clock: { now: () => now }, secrets: createSecrets(world.config.secretKey), log, folder }
    const wrong: string[] = []
    for (const { feature, call } of lists) {
      if (feature in apart || compared.has(feature)) continue
      const query: Record<string, unknown> = { ...fixedOf(call as Endpoint), ...request[feature] }
      const read = () => who.ask(call as Endpoint, { query: { ...query, page: 1, size: 1 } })
      if ((await read()).message.startsWith('请指明项目')) query.projectCode = projectCode ?? '*'
      const before = await read()
      if (before.status !== 0 || (before.data as { total: number }).total > largest) {
        unasked.set(feature, before.message || `more than ${largest} rows`)
        continue
      }
      const submitted = await who.ask(submitExport, { body: { feature, query } })
      if (submitted.status !== 0) {
        unasked.set(feature, `export: ${submitted.message}`)
        continue
      }
      const { id } = submitted.data as { id: string }
      await runExport(deps, id)
      const { rows } = await world.database.pool.query<{ status: number; rowsDone: number; message: string }>(
        'select status, rows_done as "rowsDone", message from export_task where id = $1',
        [id],
      )
      const [file] = rows
      // Query again: what happened in between is in the execution log.
      const { total } = (await read()).data as { total: number }
      compared.add(feature)
      if (file?.status !== exportStatus.done || file.rowsDone !== total)
        wrong.push(`${feature}: list ${total}, file ${file?.rowsDone} ${file?.message}`)
    }
    expect(wrong).toEqual([])
  },
  150_000,
)

test('every list that can be taken along was compared, or says why not', () => {
  const missing = lists.filter(({ feature }) => !compared.has(feature) && !(feature in apart))
  expect(
    missing.map(({ feature }) => `${feature}: ${unasked.get(feature)}`),
    'a new list: name its codes in contract/exports/codes.ts and register its `exportOf` in src/export-list.ts',
  ).toEqual([])
})
