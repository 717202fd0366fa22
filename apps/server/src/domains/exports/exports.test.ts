import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportStatus, listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { login, logout } from '@zhugong/contract/identity/endpoints'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { runExport } from './run-export.ts'

const start = Date.parse('2026-11-20T10:00:00+08:00')
const minute = 60_000
let now = start
const clock = { now: () => now }

let world: World
let city: CityWorld
let site: string
let folder: string
let pm: Caller
let taskId: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  city = await settleCity(world)
  site = await world.api.app.listen({ port: 0, host: '127.0.0.1' })
  folder = mkdtempSync(join(tmpdir(), 'zg-export-'))
  pm = await logIn('hospital-pm')
  const { id } = await pm.call(submitExport, { body: { feature: 'team' } })
  taskId = id
  expect(await taskOf(pm)).toMatchObject({ exportStatus: exportStatus.running, exportUrl: null })
  const { database, config } = world
  await runExport({ database, clock, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder }, id)
})
beforeEach(() => {
  now = start
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

/** Opens a new session each time, so that one can end without the others. */
async function logIn(account: string): Promise<Caller> {
  const password = city.accounts.find((one) => one.account === account)?.password ?? ''
  return world.caller((await world.anonymous.call(login, { body: { account, password } })).token)
}
const taskOf = async (who: Caller) => (await who.call(listExports, { query: {} })).list.find((task) => task.id === taskId)
const addressFor = async (who: Caller) => (await taskOf(who))?.exportUrl ?? ''
/** Like a browser: only the address, without a session. */
const open = (address: string, headers: Record<string, string> = {}) => fetch(site + address, { headers })
async function expectRefused(address: string, headers?: Record<string, string>) {
  const answer = await open(address, headers)
  expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ status: 403, data: null })])
}

test('[excel-export-dialog] the address of a finished export opens a real workbook, without a header', async () => {
  const answer = await open(await addressFor(pm))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ])
  expect(decodeURIComponent(answer.headers.get('content-disposition') ?? '')).toMatch(/attachment.*班组.*\.xlsx/)
  const book = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  const rows = book.sheets[0]?.rows ?? []
  expect(rows.length).toBeGreaterThan(1)
  expect(JSON.stringify(rows[0])).toContain('所属企业')
})

test('a text that begins like a formula is written as it was entered', async () => {
  const names = ['-2层集水井', '=1+1', '+86班', '@钢筋', "'引号"]
  const { pool } = world.database
  await pool.query(
    `update team t set team_name = n.name from (select name, row_number() over () as i from unnest($1::text[]) name) n,
       (select id, row_number() over (order by id) as i from team where project_code = $2) own where own.i = n.i and t.id = own.id`,
    [names, city.city.personas.find((one) => one.account === 'hospital-pm')?.projectCode],
  )
  const { id } = await pm.call(submitExport, { body: { feature: 'team' } })
  const { database, config } = world
  await runExport({ database, clock, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder }, id)
  const { sheets } = await readXlsx(readFileSync(join(folder, `${id}.xlsx`)))
  const cells = (sheets[0]?.rows ?? []).flat().map(String)
  expect(cells).toEqual(expect.arrayContaining(names))
})

test('[export-transitions] a task is none, then running, then done or failed', async () => {
  const who = await logIn('hospital-pm')
  const status = async () => (await who.call(listExports, { query: { feature: 'projectCorp' } })).exportStatus
  expect(await status()).toBe(-1)
  const { id, exportStatus: submitted } = await who.call(submitExport, { body: { feature: 'projectCorp' } })
  expect([submitted, await status()]).toEqual([2, 2])
  const deps = { database: world.database, clock, secrets: createSecrets(world.config.secretKey), log: createLog('test', 'silent'), folder }
  await runExport(deps, id)
  expect(await status()).toBe(1)
  now += minute
  const again = await who.call(submitExport, { body: { feature: 'projectCorp' } })
  expect(await status()).toBe(2)
  // A user who has left the group can no longer download.
  const { pool } = world.database
  const places = 'member where user_id = (select user_id from export_task where id = $1) and enable = $2'
  const { rows } = await pool.query<{ id: string }>(`select id from ${places}`, [again.id, '1'])
  const turn = (enable: string) => pool.query('update member set enable = $2 where id = any ($1)', [rows.map((row) => row.id), enable])
  await turn('0')
  await runExport(deps, again.id)
  await turn('1')
  expect(await status()).toBe(0)
})

test('an address holds five minutes', async () => {
  const address = await addressFor(pm)
  now = start + 5 * minute - 1
  expect((await open(address)).status).toBe(200)
  now = start + 5 * minute
  await expectRefused(address)
})

test('an altered address opens nothing', async () => {
  const address = await addressFor(pm)
  const other = await pm.call(submitExport, { body: { feature: 'project' } })
  for (const altered of [
    address.replace(taskId, other.id),
    address.replace(taskId, 'nothing'),
    address.replace(/expires=(\d+)/, (_, at: string) => `expires=${Number(at) + minute}`),
    address.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    address.replace(/expires=\d+/, 'expires=Infinity'),
  ])
    await expectRefused(altered)
  expect((await open(address.split('?')[0] ?? '')).status).toBe(400)
})

test('an address is its owner’s: another account is not shown it, and cannot open it with its own session', async () => {
  const colleague = await logIn('hospital-labour')
  expect(await taskOf(colleague)).toBeUndefined()
  const address = await addressFor(pm)
  await expectRefused(address, { token: colleague.token })
  expect((await open(address, { token: pm.token })).status).toBe(200)
})

test('an address ends with the session it was given to', async () => {
  const session = await logIn('hospital-pm')
  const address = await addressFor(session)
  expect((await open(address)).status).toBe(200)
  await session.call(logout)
  await expectRefused(address)
  expect((await open(await addressFor(pm))).status).toBe(200)
})

test('a list comes as a document too, with its rows as text', async () => {
  const response = await pm.call(submitExport, { body: { feature: 'team', exportType: 'pdf' } })
  const { database, config } = world
  await runExport({ database, clock, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder }, response.id)
  const task = (await pm.call(listExports, { query: {} })).list.find((one) => one.id === response.id)
  expect(task).toMatchObject({ exportStatus: exportStatus.done, fileName: expect.stringMatching(/\.pdf$/) })
  expect(task?.rows).toBeGreaterThan(3)
  const answer = await open(task?.exportUrl ?? '')
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  // Only the used part of the font is embedded: a few characters need far less than the ten megabytes of the whole font.
  expect(bytes.includes('/FontFile2')).toBe(true)
  expect(bytes.length).toBeLessThan(1_000_000)
})

test('a document of a feature that is a list of nobody’s is refused', async () => {
  await expect(pm.call(submitExport, { body: { feature: 'nothing', exportType: 'pdf' } })).rejects.toThrow('没有这个导出')
})

test('whoever left the group opens nothing of it any more', async () => {
  const address = await addressFor(pm)
  const { pool } = world.database
  const places = `member where user_id = (select user_id from export_task where id = $1)`
  const { rows } = await pool.query<{ id: string }>(`select id from ${places}`, [taskId])
  const ids = rows.map((row) => row.id)
  await pool.query(`update member set enable = '0' where id = any ($1)`, [ids])
  await expectRefused(address)
  await pool.query(`update member set enable = '1' where id = any ($1)`, [ids])
  expect((await open(address)).status).toBe(200)
})

test('whoever has lost the right to the list opens a file of it no more, and again when he has it', async () => {
  const address = await addressFor(pm)
  const { pool } = world.database
  const { rows } = await pool.query<{ roleId: string; memberId: string }>(
    `select mr.role_id as "roleId", mr.member_id as "memberId" from member_role mr join member m on m.id = mr.member_id
     where m.user_id = (select user_id from export_task where id = $1)`,
    [taskId],
  )
  const turn = (enable: string) =>
    pool.query('update member_role set enable = $1 where member_id = any ($2)', [enable, rows.map((row) => row.memberId)])
  await turn('0')
  await expectRefused(address)
  await turn('1')
  expect((await open(address)).status).toBe(200)
})
