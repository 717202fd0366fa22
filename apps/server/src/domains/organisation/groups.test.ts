import { answerJoin } from '@zhugong/contract/access/joins'
import { getMyInfo, publicSettings } from '@zhugong/contract/identity/endpoints'
import { getMyAccount } from '@zhugong/contract/identity/my-account'
import * as brand from '@zhugong/contract/organisation/brand'
import { switchGovernment } from '@zhugong/contract/organisation/governments'
import * as contract from '@zhugong/contract/organisation/groups'
import * as org from '@zhugong/contract/organisation/org'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let [admin, bureau, company]: Caller[] = []
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  admin = await city.as('admin')
  bureau = await city.as('city-fang')
  company = await city.as('yunze-lu')
})
afterAll(() => world.close())

const as = (caller: Caller | undefined) => caller as Caller
const list = (caller: Caller | undefined, query: object = {}) => as(caller).call(contract.listGroups, { query: { size: 100, ...query } })

describe('the bodies and companies that are let in', () => {
  test('the platform sees all, a bureau itself and those below, with who works in them; a company none', async () => {
    const all = await list(admin)
    expect(all.total).toBe(city.city.governments.length)
    const fang = city.city.personas.find((p) => p.account === 'city-fang')?.govCode
    const own = (await list(bureau)).list
    expect(own.map((g) => g.code)).toContain(fang)
    expect(own.every((g) => g.code === fang || g.parentGovCode !== null)).toBe(true)
    expect(own.find((g) => g.code === fang)).toMatchObject({ userCount: expect.any(Number), adminName: expect.any(String) })
    const officer = await city.as('bj-zhao')
    const district = await officer.ask(contract.listGroups, { query: {} })
    if (district.status === 0) expect(district.data?.list.map((g) => g.code)).not.toContain(fang)
    for (const type of ['1', '2']) expect((await list(company, { type })).total).toBe(0)
    const companies = await list(admin, { type: '2' })
    expect(companies.list.every((g) => g.type === 2 && g.kindName.length > 0)).toBe(true)
  })
  test('each figure of the strip is the list it opens', async () => {
    for (const type of ['1', '2'] as const) {
      const figures = await as(admin).call(contract.groupFigures, { query: { type } })
      expect((await list(admin, { type, enable: '1' })).total).toBe(figures.enabled)
      expect((await list(admin, { type, enable: '0' })).total).toBe(figures.disabled)
      expect((await list(admin, { type, adminName: '-9999' })).total).toBe(figures.withoutAdmin)
      expect(figures.byArea.reduce((sum, one) => sum + one.groups, 0)).toBeGreaterThan(0)
    }
  })
  test('a company of the library is let in once, with an administrator who exists', async () => {
    const { rows } = await world.database.pool.query<{ corp_code: string }>(
      `select t.code as corp_code from tenant t where t.type = 2 and not exists (select 1 from member m where m.group_id = t.id) order by 1 limit 1`,
    )
    const corpCode = rows[0]?.corp_code ?? ''
    await world.database.pool.query(`delete from tenant where type = 2 and code = $1`, [corpCode])
    expect(await as(bureau).ask(contract.openCompany, { body: { corpCode } })).toMatchObject({ http: 403 })
    expect(await as(admin).ask(contract.openCompany, { body: { corpCode, account: 'nobody.here' } })).toMatchObject({
      data: { field: 'account' },
    })
    const { id } = await as(admin).call(contract.openCompany, { body: { corpCode } })
    expect((await list(admin, { type: '2', code: corpCode })).list).toMatchObject([{ id, userCount: 0, adminName: null }])
    expect(await as(admin).ask(contract.openCompany, { body: { corpCode } })).toMatchObject({ status: 4 })
    expect(await as(admin).call(contract.appointAdministrator, { body: { id, account: 'yunze-lu' } })).toMatchObject({
      name: expect.any(String),
      pending: true,
    })
    const { joins } = await as(company).call(getMyAccount, {})
    await as(company).call(answerJoin, { params: { id: joins[0]?.id ?? '' }, body: { accept: true } })
    expect(await as(admin).ask(contract.appointAdministrator, { body: { id, account: 'yunze-lu' } })).toMatchObject({
      data: { field: 'account' },
    })
    expect((await list(admin, { type: '2', code: corpCode })).list).toMatchObject([{ userCount: 1, adminName: expect.any(String) }])
  })
  test('switched off it is told apart; its people are out', async () => {
    const govCode = (await list(admin)).list.find((g) => g.userCount > 0 && g.parentGovCode)?.code ?? ''
    await as(admin).call(switchGovernment, { body: { govCode, status: '0' } })
    expect((await list(admin, { enable: '0' })).list.map((g) => g.code)).toContain(govCode)
    await as(admin).call(switchGovernment, { body: { govCode, status: '1' } })
  })
  test('trees: bodies one below the other, companies with the projects they lead', async () => {
    const { tree } = await as(admin).call(contract.groupTree, { query: {} })
    expect(tree[0]?.children.length).toBeGreaterThan(0)
    const led = (await as(company).call(contract.groupTree, { query: { kind: 'corporation' } })).tree
    expect(led.flatMap((c) => c.children).every((p) => p.type === 3)).toBe(true)
    expect(led.length).toBeGreaterThan(0)
  })
})

describe('how a group appears', () => {
  const given = async (caller: Caller | undefined) => as(caller).call(brand.getBrand)
  const save = async (caller: Caller | undefined, change: object) => {
    const { sysName, screen, lng, lat, primaryColor, logo, version } = await given(caller)
    return as(caller).ask(brand.saveBrand, { body: { sysName, screen, lng, lat, primaryColor, logo, version, ...change } })
  }
  test('name and colour show in the header and on the login page of the group', async () => {
    expect(await save(company, { sysName: '云泽建设智慧工地', primaryColor: '#0B6E4F' })).toMatchObject({ status: 0 })
    expect((await as(company).call(getMyInfo)).profile).toMatchObject({ sysName: '云泽建设智慧工地', primaryColor: '#0B6E4F' })
    const code = city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
    expect(await world.anonymous.call(publicSettings, { query: { org: code } })).toMatchObject({
      mainHead: '云泽建设智慧工地',
      primaryColor: '#0B6E4F',
    })
    expect((await world.anonymous.call(publicSettings, { query: {} })).primaryColor).toBeNull()
    expect((await given(company)).updateBy).toBeTruthy()
  })
  test('a colour nobody can read, a place at sea and a second editor are refused', async () => {
    expect(await save(company, { primaryColor: '#FFD21F' })).toMatchObject({ http: 400, data: { field: 'primaryColor' } })
    expect(await save(company, { screen: 'http://x' })).toMatchObject({ http: 400, data: { field: 'screen' } })
    expect(await save(company, { lng: 12 })).toMatchObject({ http: 400, data: { field: 'lng' } })
    expect(await save(company, { version: 99 })).toMatchObject({ message: expect.stringContaining('请刷新后再改') })
  })
  test('a logo is a picture of one’s own, small and no drawing; the login page has it by a signed link', async () => {
    const { rows } = await world.database.pool.query<{ id: string; code: string }>(
      `select id, code from tenant where type = 2 and code = $1`,
      [city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode],
    )
    const [group] = rows
    const file = (id: string, mime: string, bytes: number, groupId = group?.id) =>
      world.database.pool.query(
        `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by) values ($1, $2, 'logo', $3, $4, $1, 'test')`,
        [id, groupId, mime, bytes],
      )
    await file('logo-good', 'image/png', 2000)
    await file('logo-svg', 'image/svg+xml', 2000)
    await file('logo-large', 'image/png', 3 * 1024 * 1024)
    const { rows: others } = await world.database.pool.query<{ id: string }>('select id from tenant where type = 1 limit 1')
    await file('logo-foreign', 'image/png', 2000, others[0]?.id)
    for (const logo of ['logo-svg', 'logo-large', 'logo-foreign', 'https://elsewhere.example/x.png'])
      expect([logo, await save(company, { logo })]).toMatchObject([logo, { http: 400, data: { field: 'logo' } }])
    expect(await save(company, { logo: 'logo-good' })).toMatchObject({ status: 0 })
    const shown = await given(company)
    expect(shown.logo).toMatch(/id=logo-good&/)
    // Saving the displayed link again keeps the logo.
    expect(await save(company, { sysName: '云泽' })).toMatchObject({ status: 0 })
    expect((await world.anonymous.call(publicSettings, { query: { org: group?.code ?? '' } })).logoImage).toMatch(/id=logo-good&/)
  })
  test('nobody changes another group by its id; the platform does', async () => {
    const { id } = await given(bureau)
    const { version } = await as(admin).call(contract.getGroup, { params: { id } })
    expect(await as(company).ask(contract.updateGroup, { params: { id }, body: { sysName: '别人的', version } })).toMatchObject({
      message: '机构不存在或已删除',
    })
    expect(await as(company).ask(contract.getGroup, { params: { id } })).toMatchObject({ message: '机构不存在或已删除' })
    expect(await as(admin).ask(contract.updateGroup, { params: { id }, body: { sysName: '市局监管', version } })).toMatchObject({
      status: 0,
    })
    expect((await given(bureau)).sysName).toBe('市局监管')
  })
})

describe('what a group follows', () => {
  test('a template makes the departments that lack, a post brings its role', async () => {
    const { id, version } = await as(company).call(brand.getOrgRules)
    const { rows } = await world.database.pool.query<{ id: string }>(
      `select id from role where groups_type = 2 and group_id is null and name <> '企业管理员' limit 1`,
    )
    const roleId = rows[0]?.id ?? ''
    const rules = { departments: ['应急救援部', '法务部'], posts: [{ post: '法务专员', roleId, isKey: true }] }
    expect(await as(company).ask(contract.updateGroup, { params: { id }, body: { settings: { org: rules }, version } })).toMatchObject({
      status: 0,
    })
    const read = await as(company).call(brand.getOrgRules)
    expect(read).toMatchObject({ missingDepartments: ['应急救援部', '法务部'], posts: [{ post: '法务专员', holders: [], without: 0 }] })
    expect(await as(company).call(brand.applyOrgTemplate)).toEqual({ made: ['应急救援部', '法务部'] })
    expect(await as(company).call(brand.applyOrgTemplate)).toEqual({ made: [] })
    const orgs = await as(company).call(org.listOrgs, { query: { name: '法务部' } })
    const orgId = orgs.list[0]?.id ?? ''
    expect(await as(company).ask(org.addOrgUser, { body: { orgId, account: 'city-fang', post: '别的' } })).toMatchObject({
      data: { field: 'roleIds' },
    })
    const place = { orgId, account: 'city-fang', post: '法务专员' }
    const answer = await as(company).call(org.addOrgUser, { body: place })
    await as(bureau).call(answerJoin, { params: { id: answer.id }, body: { accept: true } })
    await as(company).call(org.addOrgUser, { body: place })
    const after = await as(company).call(brand.getOrgRules)
    expect(after.posts).toMatchObject([{ holders: [expect.any(String)], without: 0 }])
    const foreign = await world.database.pool.query<{ id: string }>(`select id from role where groups_type = 1 limit 1`)
    const wrong = { ...rules, posts: [{ post: '法务专员', roleId: foreign.rows[0]?.id ?? '', isKey: false }] }
    expect(
      await as(company).ask(contract.updateGroup, { params: { id }, body: { settings: { org: wrong }, version: after.version } }),
    ).toMatchObject({ message: '所选角色不存在' })
  })
})
