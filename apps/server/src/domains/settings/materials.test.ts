import * as contract from '@zhugong/contract/settings/materials'
import { getSettingsHead } from '@zhugong/contract/settings/parents'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { inScope } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { findScope } from '../access/public.ts'

let world: World
let city: CityWorld
let projectCode: string
let site: Caller
let body: Caller
let query: { projectCode: string }
let file: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  query = { projectCode }
  site = await city.as('hospital-pm')
  body = await city.as('city-fang')
  file = await storedFile()
})
afterAll(() => world.close())

/** A file that the site has uploaded. */
async function storedFile(): Promise<string> {
  const { rows } = await world.database.pool.query<{ id: string }>(
    `insert into stored_file (id, name, mime, bytes, group_id, project_code, sha256, create_by)
     select md5(random()::text), '许可证.pdf', 'application/pdf', 1000, t.id, t.code, repeat('0', 64), u.id from tenant t, app_user u
     where t.type = 3 and t.code = $1 and u.account = 'hospital-pm' returning id`,
    [projectCode],
  )
  return rows[0]?.id ?? ''
}
const item = async (name: string, caller = site) => {
  const { list } = await caller.call(contract.listMaterials, { query })
  const row = list.find((one) => one.item === name || one.name === name)
  if (!row) throw new Error(`no ${name}`)
  return row
}
const bring = async (name: string, change: object = {}) =>
  site.ask(contract.bringMaterial, {
    query,
    body: { item: name, files: [file], validEnd: null, notNeeded: null, version: (await item(name)).version, ...change },
  })

test('a list by stage; what is not due yet is not missing', async () => {
  const { list, stages } = await site.call(contract.listMaterials, { query })
  expect(list).toHaveLength(18)
  expect(stages.map((one) => one.total)).toEqual([13, 4, 1])
  expect((await item('licence')).state).toBe('missing')
  expect((await item('finish')).state).toBe('later')
})

test('brought, handed in, returned, brought again, accepted; each version stays', async () => {
  expect((await bring('licence', { files: [] })).message).toMatch(/请上传附件/)
  expect((await bring('wageGuarantee')).message).toMatch(/请填写有效期至/)
  expect(await bring('licence')).toMatchObject({ status: 0 })
  expect((await bring('licence', { version: 0 })).message).toMatch(/请刷新后再改/)
  expect((await site.ask(contract.submitMaterials, { query, body: { stage: '3' } })).message).toMatch(/没有待提交/)
  expect(await site.call(contract.submitMaterials, { query, body: { stage: '1' } })).toEqual({ submitted: 1 })
  const answer = await item('licence')
  expect(answer.state).toBe('1')
  expect((await body.call(getSettingsHead, { query: { kind: 'project', projectCode } })).head?.counts.material).toMatchObject({ count: 1 })
  const judge = (one: { id: string | null; version: number }, action: 'accept' | 'return', opinion = '') =>
    body.ask(contract.judgeMaterial, { params: { id: one.id ?? '' }, query, body: { action, opinion, version: one.version } })
  expect((await judge(answer, 'return')).message).toMatch(/退回请填写意见/)
  expect(await judge(answer, 'return', '扫描件不清晰')).toMatchObject({ status: 0 })
  expect(await item('licence')).toMatchObject({ state: '3', opinion: '扫描件不清晰' })
  await bring('licence')
  await site.call(contract.submitMaterials, { query, body: { stage: '1' } })
  expect(await judge(await item('licence'), 'accept')).toMatchObject({ status: 0 })
  expect(await item('licence')).toMatchObject({ state: '2', earlier: [{ state: '3', opinion: '扫描件不清晰' }] })
})

test('what does not apply says why, a stage is accepted at once, more can be asked for', async () => {
  expect((await bring('crane', { files: [], notNeeded: '无' })).message).toMatch(/至少 2 个字/)
  await bring('crane', { files: [], notNeeded: '本工程不使用起重机械' })
  await bring('emergency', { validEnd: '2026-12-01' })
  await site.call(contract.submitMaterials, { query, body: { stage: '2' } })
  expect(await body.call(contract.acceptMaterials, { query, body: { stage: '2' } })).toEqual({ accepted: 2 })
  expect((await item('crane')).notNeeded).toBe('本工程不使用起重机械')
  await body.call(contract.askMaterial, { query, body: { name: '夜间施工许可', stage: '2' } })
  expect(await item('夜间施工许可')).toMatchObject({ state: 'missing', askedBy: expect.any(String) })
  expect((await body.ask(contract.askMaterial, { query, body: { name: '夜间施工许可', stage: '2' } })).message).toMatch(/已有同名/)
})

test('the site judges nothing, not by the call and not by the database; a stranger sees nothing', async () => {
  await bring('plan')
  await site.call(contract.submitMaterials, { query, body: { stage: '1' } })
  const { id, version } = await item('plan')
  const verdict = { params: { id: id ?? '' }, query, body: { action: 'accept' as const, opinion: '', version } }
  expect((await site.ask(contract.judgeMaterial, verdict)).http).toBe(403)
  const db = world.database.kysely
  const t = await db.selectFrom('tenant').selectAll().where('type', '=', 3).where('code', '=', projectCode).executeTakeFirstOrThrow()
  const scope = await findScope(db, { id: t.id, type: 3, code: projectCode, name: t.name, areaCode: t.areaCode }, 'test')
  await expect(
    inScope(db, scope, (tx) =>
      tx
        .updateTable('projectMaterial')
        .set({ state: '2' })
        .where('id', '=', id ?? '')
        .execute(),
    ),
  ).rejects.toThrow(/above the site/)
  const other = await city.as('zhigu-pm')
  expect((await other.ask(contract.listMaterials, { query })).status).not.toBe(0)
  expect((await other.ask(contract.judgeMaterial, verdict)).status).not.toBe(0)
  expect((await other.call(contract.listMaterials, { query: { projectCode: '*' } })).list).toEqual([])
  expect((await body.call(contract.listMaterials, { query: { projectCode: '*' } })).list.map((one) => one.item)).toEqual(['plan'])
})
