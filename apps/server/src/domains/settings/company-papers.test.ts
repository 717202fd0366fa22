import * as contract from '@zhugong/contract/settings/company-papers'
import * as materials from '@zhugong/contract/settings/materials'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let projectCode: string
let company: Caller
let corpCode: string
let site: Caller
const everywhere = { projectCode: '*' }
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  const pm = city.city.personas.find((p) => p.account === 'hospital-pm')
  projectCode = pm?.projectCode ?? ''
  corpCode = city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  company = await city.as('yunze-lu')
  site = await city.as('hospital-pm')
})
afterAll(() => world.close())

async function storedFile(): Promise<string> {
  const { rows } = await world.database.pool.query<{ id: string }>(
    `insert into stored_file (id, name, mime, bytes, group_id, sha256, create_by)
     select md5(random()::text), '保单.pdf', 'application/pdf', 1000, t.id, repeat('0', 64), u.id from tenant t, app_user u
     where t.type = 2 and t.code = $1 and u.account = 'yunze-lu' returning id`,
    [corpCode],
  )
  return rows[0]?.id ?? ''
}
const bring = async (name: string, more: object = {}) =>
  (
    await company.call(contract.bringPaper, {
      query: everywhere,
      body: { kind: 'insurance', name, files: [await storedFile()], number: 'BX-1', validEnd: '2027-06-30', ...more },
    })
  ).id
const own = async (id: string) => {
  const { list } = await company.call(contract.listPapers, { query: everywhere })
  const row = list.find((one) => one.id === id)
  if (!row) throw new Error('not listed')
  return row
}

test('a paper is brought once by name; a newer edition keeps the one before', async () => {
  const id = await bring('企业责任险')
  expect(
    await company.ask(contract.bringPaper, {
      query: everywhere,
      body: { kind: 'insurance', name: '企业责任险', files: [await storedFile()] },
    }),
  ).toMatchObject({ message: '已有同名资料，请上传它的新版本' })
  const before = await own(id)
  const body = { action: 'renew' as const, number: 'BX-2', files: [await storedFile()], validEnd: '2028-06-30', version: before.version }
  await company.call(contract.changePaper, { params: { id }, query: everywhere, body })
  expect(await company.ask(contract.changePaper, { params: { id }, query: everywhere, body })).toMatchObject({ status: 4 })
  expect(await own(id)).toMatchObject({ edition: 2, number: 'BX-2', earlier: [{ edition: 1, number: 'BX-1', validEnd: '2027-06-30' }] })
})

test('a paper is seen by its company, and by sites and bodies only as it says', async () => {
  const id = await bring('开户许可', { kind: 'account' })
  const body = await city.as('city-fang')
  const sees = async (caller: Caller) => {
    const query = caller === site ? { projectCode } : { projectCode: '*', corpCode }
    return (await caller.call(contract.listPapers, { query })).list.some((one) => one.id === id)
  }
  expect([await sees(site), await sees(body)]).toEqual([false, false])
  const show = async (toSites: boolean, toBodies: boolean) =>
    company.call(contract.changePaper, {
      params: { id },
      query: everywhere,
      body: { action: 'show', toSites, toBodies, version: (await own(id)).version },
    })
  await show(true, false)
  expect([await sees(site), await sees(body)]).toEqual([true, false])
  await show(false, true)
  expect([await sees(site), await sees(body)]).toEqual([false, true])
  const other = await city.as('dingli-cheng')
  expect(await other.ask(contract.listPapers, { query: { projectCode: '*', corpCode } })).toMatchObject({ status: 403 })
})

test('one upload serves the checklists of projects; what is accepted there stays, what is older is said', async () => {
  const id = await bring('工伤保险单', { toSites: true })
  const link = (item: string) =>
    company.call(contract.linkPaper, { params: { id }, query: everywhere, body: { item, projectCodes: [projectCode] } })
  expect(await link('injuryInsurance')).toEqual({ linked: 1, left: [] })
  expect(await link('injuryInsurance')).toMatchObject({ linked: 0, left: [{ why: '已是最新版本' }] })
  const item = async () => {
    const { list } = await site.call(materials.listMaterials, { query: { projectCode } })
    return list.find((one) => one.item === 'injuryInsurance')
  }
  expect(await item()).toMatchObject({ state: '0', validEnd: '2027-06-30', sourceName: '企业资料，第 1 版' })
  await company.call(contract.changePaper, {
    params: { id },
    query: everywhere,
    body: { action: 'renew', number: null, files: [await storedFile()], validEnd: '2028-01-31', version: (await own(id)).version },
  })
  expect((await own(id)).uses).toMatchObject([{ projectCode, item: 'injuryInsurance', old: true }])
  // The site links the newer edition itself.
  await site.call(materials.bringMaterial, {
    query: { projectCode },
    body: { item: 'injuryInsurance', files: [], source: id, version: (await item())?.version ?? 0 },
  })
  expect(await item()).toMatchObject({ validEnd: '2028-01-31', sourceName: '企业资料，第 2 版' })
  expect((await own(id)).uses).toMatchObject([{ old: false }])
})

test('a site takes no paper that is not shown to it, and another company links nothing into the project', async () => {
  const id = await bring('内部制度', { kind: 'rules' })
  expect(
    await site.ask(materials.bringMaterial, {
      query: { projectCode },
      body: { item: 'safetyDuty', files: [], source: id, version: 0 },
    }),
  ).toMatchObject({ message: '企业资料不存在或已删除' })
  const other = await city.as('dingli-cheng')
  expect(
    await other.ask(contract.linkPaper, { params: { id }, query: everywhere, body: { item: 'safetyDuty', projectCodes: [projectCode] } }),
  ).toMatchObject({ status: 403 })
})
