import * as contract from '@zhugong/contract/organisation/aptitudes'
import { companyHistory } from '@zhugong/contract/organisation/company-history'
import { getCorporation, updateCorporation } from '@zhugong/contract/organisation/corporations'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let company: Caller
let body: Caller
let corpCode: string
let file: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  corpCode = city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  company = await city.as('yunze-lu')
  body = await city.as('city-fang')
  const { rows } = await world.database.pool.query<{ id: string }>(
    `insert into stored_file (id, name, mime, bytes, group_id, sha256, create_by)
     select md5(random()::text), '资质.pdf', 'application/pdf', 1000, t.id, repeat('0', 64), u.id from tenant t, app_user u
     where t.type = 2 and t.code = $1 and u.account = 'yunze-lu' returning id`,
    [corpCode],
  )
  file = rows[0]?.id ?? ''
  await world.database.pool.query('delete from corp_qualification where corp_code = $1', [corpCode])
})
afterAll(() => world.close())

const params = () => ({ corpCode })
const given = {
  certTypeNum: '3',
  tradeBoundNum: '71401001',
  titleLevelNum: '3-75',
  certCode: 'D342000001',
  organName: '湖北省住房和城乡建设厅',
  organDate: '2024-01-01',
  endDate: '2029-01-01',
}
const add = (change: object = {}, caller = company) =>
  caller.ask(contract.addAptitude, { params: params(), body: { ...given, files: [file], ...change } })
const list = (caller = company) => caller.call(contract.listAptitudes, { params: params() })

test('trade and level follow from the type, days are in order, a certificate is entered once', async () => {
  expect(await add({ titleLevelNum: '4-88' })).toMatchObject({ message: '资质等级与资质类型不匹配' })
  expect(await add({ certTypeNum: '1', titleLevelNum: '1-88' })).toMatchObject({ message: '专业类别与资质类型不匹配' })
  expect(await add({ endDate: '2023-01-01' })).toMatchObject({ message: '有效期至应晚于发证日期' })
  expect(await add()).toMatchObject({ status: 0 })
  expect(await add()).toMatchObject({ message: '该证书编号已登记' })
})

test('what a company builds beyond its qualifications is named, and over ones count as none', async () => {
  // Third class is limited to 80,000 square metres.
  await world.database.pool.query(
    `update project set category = '01', building_area = 90000 where project_code in (select project_code from project_corp where corp_code = $1)`,
    [corpCode],
  )
  const small = await list()
  expect(small.figures).toEqual({ valid: 1, ending: 0, ended: 0 })
  expect(small.beyond.some((one) => one.why === '建筑面积 90,000 ㎡ 超过资质等级上限 80,000 ㎡')).toBe(true)
  await add({ certCode: 'D342000002', titleLevelNum: '3-77' })
  expect((await list()).beyond.filter((one) => one.corpTypeName === '施工总承包单位')).toEqual([])
  await add({ certCode: 'D342000003', tradeBoundNum: '71402010', organDate: '2015-01-01', endDate: '2020-01-01' })
  const after = await list()
  expect(after.figures).toEqual({ valid: 2, ending: 0, ended: 1 })
  expect(after.list.find((one) => one.certCode === 'D342000003')).toMatchObject({ status: '003', statusName: '过期' })
})

test('renewed, lowered and cancelled with proof, each once, and told in the history', async () => {
  const of = async (code: string) => {
    const row = (await list()).list.find((one) => one.certCode === code)
    if (!row) throw new Error(code)
    return row
  }
  const change = async (code: string, action: 'edit' | 'cancel' | 'lower', more: object = {}) => {
    const row = await of(code)
    return company.ask(contract.changeAptitude, {
      params: { corpCode, id: row.id },
      body: {
        ...given,
        certCode: code,
        titleLevelNum: row.titleLevelNum,
        tradeBoundNum: row.tradeBoundNum,
        files: [file],
        action,
        version: row.version,
        ...more,
      },
    })
  }
  expect(await change('D342000002', 'edit', { endDate: '2031-01-01' })).toMatchObject({ status: 0 })
  expect(await change('D342000002', 'lower', { reason: '发证机关公告' })).toMatchObject({ message: '请选择降级后的等级' })
  expect(await change('D342000002', 'lower', { titleLevelNum: '3-76' })).toMatchObject({ message: '请填写原因与依据（至少 5 个字）' })
  expect(await change('D342000002', 'lower', { titleLevelNum: '3-76', reason: '发证机关公告' })).toMatchObject({ status: 0 })
  expect(await change('D342000001', 'cancel', { reason: '企业申请注销' })).toMatchObject({ status: 0 })
  expect(await change('D342000001', 'edit')).toMatchObject({ message: '资质已注销，只能查看' })
  const stale = await change('D342000002', 'edit', { version: 0 })
  expect(stale).toMatchObject({ status: 4 })
  const history = await company.call(companyHistory, { params: params(), query: { kind: 'aptitude' } })
  expect(history.list.map((one) => one.title.slice(0, 2))).toEqual(['注销', '降级', '延续', '取得', '取得', '取得'])
})

test('a body sees what a company may build and changes nothing of it; another company neither', async () => {
  expect((await list(body)).mayEdit).toBe(false)
  expect((await add({ certCode: 'X1' }, body)).status).not.toBe(0)
  expect((await add({ certCode: 'X1' }, await city.as('dingli-cheng'))).status).not.toBe(0)
  const client = await world.database.pool.connect()
  await client.query(`begin; set local role zg_all; select set_config('app.group', (select id from tenant where type = 1 limit 1), true)`)
  await expect(client.query('delete from corp_qualification where corp_code = $1', [corpCode])).rejects.toThrow('the company')
  await client.query('rollback')
  client.release()
  expect((await list()).total).toBe(3)
})

test('what was in the file and what it became is told, whoever changed it; the reminder is the company’s own', async () => {
  const c = await company.call(getCorporation, { params: params() })
  await company.call(updateCorporation, {
    params: params(),
    body: {
      ...c,
      corpType: c.corpType ?? '',
      legalMan: c.legalMan ?? '',
      registerDate: c.registerDate ?? '',
      address: '新址 18 号',
      legalManIdCardType: c.legalManIdCardType ?? '01',
      legalManIdCardNumber: undefined,
      linkPhone: undefined,
    },
  })
  const { list: changes, counts, scores } = await company.call(companyHistory, { params: params(), query: { kind: 'change' } })
  expect(changes[0]).toMatchObject({ title: '修改营业地址', changes: [{ label: '营业地址', before: c.address, after: '新址 18 号' }] })
  expect(counts.project).toBeGreaterThan(0)
  expect(scores.at(-1)?.score).toBe(c.creditScore)
  // Other groups see what changed, but not by whom.
  const seen = await body.call(companyHistory, { params: params(), query: { kind: 'change' } })
  expect(seen.list[0]).toMatchObject({ title: '修改营业地址', byName: null })
  expect(seen.counts.grant).toBeUndefined()
  await company.call(contract.setAptitudeReminder, { params: params(), body: { days: 365 } })
  expect((await list()).remindDays).toBe(365)
})
