import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codesFor, permissionModules } from '@zhugong/contract/access/codes'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import * as corporationsCalls from '@zhugong/contract/organisation/corporations'
import * as governmentsCalls from '@zhugong/contract/organisation/governments'
import * as projectsCalls from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inScope } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, migrationsFolder, type World } from '../../../test/world.ts'
import { findScope } from './public.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

/** The statements of the migration that change roles. */
const roleStatements = () =>
  [...readFileSync(join(migrationsFolder, '20261122-50-people.sql'), 'utf8').matchAll(/^update role [^;]+;/gm)].map(([text]) => text)
const codesOfMigration = (where: string) =>
  [...(roleStatements().find((text) => text.includes(where)) ?? '').matchAll(/'([a-z-]+\.[a-zA-Z-]+)'/g)].map(([, code = '']) => code)

const personaOf = (account: string) => settled.city.personas.find((p) => p.account === account)
/** Replaces an account's role with a delivered role of its group type. */
async function appoint(account: string, role: string): Promise<Caller> {
  await world.database.pool.query(
    `update member_role set role_id = r.id from member m join app_user u on u.id = m.user_id join tenant t on t.id = m.group_id
       join role r on r.groups_type = t.type and r.name = $2 and r.group_id is null
     where member_role.member_id = m.id and u.account = $1`,
    [account, role],
  )
  await forgotten()
  return settled.as(account)
}
/** Waits longer than a principal is cached. */
const forgotten = () => new Promise((resolve) => setTimeout(resolve, 1000))

describe('what a group type can hold', () => {
  const [platform, government, corporation, project] = [0, 1, 2, 3].map((type) => new Set(codesFor(type)))
  test('an authority registers, moves, commands and opens no machine, and follows no person', () => {
    const lost = [
      ...['create', 'edit', 'delete', 'transfer', 'import', 'gateway', 'secret', 'frame', 'command'].map((verb) => `device-admin.${verb}`),
      ...['location', 'track', 'health', 'call', 'media'].map((verb) => `helmet.${verb}`),
      ...['video.ptz', 'video.talk', 'vehicle.talk'],
    ]
    expect(lost.filter((code) => government?.has(code))).toEqual([])
    expect(lost.filter((code) => !project?.has(code))).toEqual([])
  })
  test('locks, limits and templates of the area stay with it; it switches and removes what lies there', () => {
    const kept = ['rules.lock', 'alarm.lock', 'rules.edit', 'rules.template', 'rules.apply', 'attendance.setting']
    const regulates = ['project.switch', 'project.remove', 'corporation.switch', 'corporation.remove', 'project.assign']
    for (const code of [...kept, ...regulates]) expect([code, government?.has(code)]).toEqual([code, true])
    for (const code of regulates) expect([code, corporation?.has(code), project?.has(code)]).toEqual([code, false, false])
  })
  test('companies lock for their own sites, sites draw routes, the platform sets attendance and mends files', () => {
    for (const code of ['rules.lock', 'alarm.lock']) expect(corporation?.has(code)).toBe(true)
    expect(project?.has('vehicle.fence')).toBe(true)
    for (const code of ['attendance.setting', 'personnel.edit', 'personnel.delete']) expect(platform?.has(code)).toBe(true)
  })
  test('what is always refused is not held, and what no call asks for does not exist', () => {
    expect(project?.has('corporation.edit')).toBe(false)
    expect(government?.has('corporation.edit')).toBe(false)
    expect(government?.has('government.create')).toBe(false)
    const all = permissionModules.flatMap((m) => m.permissions.map((p) => p.code))
    expect(all).not.toContain('labour.corp')
    expect(all).not.toContain('environment.linkage')
  })
})

test('the product’s new version takes from groups’ own roles what their kind may no longer hold', async () => {
  const { pool } = world.database
  const make = (id: string, type: number, codes: string[]) =>
    pool.query(
      `insert into role (id, group_id, groups_type, name, codes) select $1, id, type, $1, $3 from tenant where type = $2 limit 1`,
      [id, type, codes],
    )
  const lost = codesOfMigration('groups_type = 1')
  await make('自建监管', 1, ['device-admin.view', ...lost, 'labour.corp'])
  await make('自建项目', 3, ['device-admin.command', 'environment.linkage', 'corporation.edit'])
  for (const statement of roleStatements()) await pool.query(statement)
  const { rows } = await pool.query(`select name, codes from role where name like '自建%' order by name`)
  expect(rows).toEqual([
    { name: '自建监管', codes: ['device-admin.view'] },
    { name: '自建项目', codes: ['device-admin.command'] },
  ])
  // The statement removes exactly the codes that the type cannot hold.
  expect(lost.filter((code) => codesFor(1).includes(code))).toEqual([])
  const { rows: left } = await pool.query<{ codes: string[]; groups_type: number }>('select codes, groups_type from role')
  expect(left.flatMap((r) => r.codes.filter((code) => !codesFor(r.groups_type).includes(code)))).toEqual([])
})

test('people of the demonstration hold the roles their work asks for', async () => {
  const { rows } = await world.database.pool.query<{ account: string; role: string }>(
    `select u.account, r.name as role from app_user u join member m on m.user_id = u.id and m.is_default
       join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id where u.account like '%-jl' or u.account = 'hengsheng-shi'`,
  )
  expect(rows.length).toBeGreaterThan(3)
  for (const { account, role } of rows) expect([account, role]).toEqual([account, account.endsWith('-jl') ? '监理' : '企业设备员'])
})

describe('a list is exported with its view code and its export code', () => {
  const ask = (caller: Caller, feature: string) => caller.ask(submitExport, { body: { feature, query: { view: 'project' } } as never })
  test('the reader of a project takes nothing of people, machines or attendance along', async () => {
    const reader = await appoint('dongwan-officer', '项目只读')
    for (const feature of [
      'projectWorker',
      'workerFile',
      'workerRoster',
      'team',
      'device',
      'attendanceDaily',
      'records.weighbridge.weighRecord',
    ]) {
      const answer = await ask(reader, feature)
      expect([feature, answer.http]).toEqual([feature, 403])
      expect(answer.message).toContain('.export')
    }
    expect(await ask(reader, 'project')).toMatchObject({ status: 0 })
  })
  test('whoever holds both does', async () => {
    expect(await ask(await settled.as('hospital-labour'), 'projectWorker')).toMatchObject({ status: 0 })
  })
})

describe('an authority switches and removes projects and companies of its area', () => {
  const inArea = (front: string) => settled.city.projects.find((p) => p.areaCode.startsWith(front))?.projectCode ?? ''
  const enableOf = async (type: number, code: string) =>
    (await world.database.pool.query<{ enable: string }>('select enable from tenant where type = $1 and code = $2', [type, code])).rows[0]
      ?.enable

  test('a project with the accounts of its group, and no other authority’s', async () => {
    const officer = await appoint('yd-wang', '监管机构管理员')
    const [own, foreign] = [inArea('420203'), inArea('420202')]
    const flip = (projectCode: string, status: '0' | '1') =>
      officer.ask(projectsCalls.switchProjectStatus, { body: { projectCode, status } })
    expect(await flip(own, '0')).toMatchObject({ status: 0 })
    expect(await enableOf(3, own)).toBe('0')
    expect(await flip(own, '1')).toMatchObject({ status: 0 })
    expect(await enableOf(3, own)).toBe('1')
    expect(await flip(foreign, '0')).toMatchObject({ status: 2 })
    expect(await enableOf(3, foreign)).toBe('1')
  })
  test('a project in preparation goes with its group and out of everybody’s folders', async () => {
    const officer = await settled.as('yd-wang')
    const corp = settled.city.corporations[0]?.corpCode ?? ''
    const { projectCode } = await officer.call(projectsCalls.createProjectFast, {
      body: {
        name: '误建项目',
        category: '01',
        areaCode: '420203',
        address: '一路',
        linkMan: '王海',
        linkPhone: '13800138000',
        contractorCorpCode: corp,
        buildCorpCode: corp,
      },
    })
    const { pool } = world.database
    await pool.query(`insert into project_group (id, group_id, name) select 'folder', id, '甲' from tenant where type = 2 limit 1`)
    await pool.query('insert into project_group_item (project_group_id, project_code) values ($1, $2)', ['folder', projectCode])
    await forgotten()
    expect(await officer.ask(projectsCalls.removeProject, { params: { projectCode } })).toMatchObject({ status: 0 })
    expect((await pool.query('select 1 from project where project_code = $1', [projectCode])).rows).toEqual([])
    expect(await enableOf(3, projectCode)).toBeUndefined()
  })
  test('a company of its area that never took part; nobody else’s, and none that has', async () => {
    const officer = await settled.as('yd-wang')
    const part = settled.city.projectCorps[0]?.corpCode ?? ''
    const { pool } = world.database
    const copy = async (corpCode: string, areaCode: string) => {
      await pool.query(
        `insert into corporation select (c2).* from (select jsonb_populate_record(c, jsonb_build_object('id', md5($2::text), 'corp_code', $2::text,
           'corp_name', '副本' || $2::text, 'area_code', $3::text, 'owner_group', null)) as c2 from corporation c where corp_code = $1) x`,
        [part, corpCode, areaCode],
      )
      await pool.query(`insert into tenant (id, type, code, name) values (md5('t' || $1), 2, $1, '副本')`, [corpCode])
      return corpCode
    }
    const [mine, beside] = [await copy('91420203MA00000001', '420203'), await copy('91420202MA00000001', '420202')]
    const off = (corpCode: string) => officer.ask(corporationsCalls.switchCorporation, { body: { corpCode, status: '0' } })
    expect(await off(mine)).toMatchObject({ status: 0 })
    expect(await enableOf(2, mine)).toBe('0')
    expect((await off(beside)).status).not.toBe(0)
    expect(await enableOf(2, beside)).toBe('1')
    expect(await officer.ask(corporationsCalls.removeCorporation, { params: { corpCode: mine } })).toMatchObject({ status: 0 })
    expect(await enableOf(2, mine)).toBeUndefined()
    expect((await officer.ask(corporationsCalls.removeCorporation, { params: { corpCode: beside } })).status).not.toBe(0)
    await pool.query("update corporation set area_code = '420203' where corp_code = $1", [part])
    expect((await officer.ask(corporationsCalls.removeCorporation, { params: { corpCode: part } })).message).toContain('参与过')
  })
})

test('a company moves the state of the projects it owns and of no other', async () => {
  const company = await settled.as('yunze-lu')
  const corpCode = personaOf('yunze-lu')?.corpCode ?? ''
  const { list } = await company.call(projectsCalls.listProjects, { query: { size: 100 } })
  const led = list.find((p) => p.prjStatus === '003' && p.buildCorpCode !== corpCode)
  if (!led) throw new Error('the company leads nothing it does not own')
  expect(led.actions).toEqual([])
  const rework = { projectCode: led.projectCode, action: 'rework' as const, reason: '幕墙返工重做', version: led.version }
  await world.database.pool.query(`update project set prj_status = '006' where project_code = $1`, [led.projectCode])
  expect(await company.ask(projectsCalls.changeProjectState, { body: rework })).toMatchObject({ http: 403 })
  await world.database.pool.query('update project set build_corp_code = $1 where project_code = $2', [corpCode, led.projectCode])
  expect(await company.ask(projectsCalls.changeProjectState, { body: rework })).toMatchObject({ status: 0 })
})

describe('files of authorities and companies', () => {
  const governmentOf = async (govCode: string) => {
    const admin = await settled.as('admin')
    const { govCode: _c, linkPhone: _p, ...row } = await admin.call(governmentsCalls.getGovernment, { params: { govCode } })
    const { name, type, level, areaCode, parentGovCode, creditCode, disciplines, linkMan, address, version } = row
    return { name, type, level, areaCode, parentGovCode, creditCode, disciplines, linkMan, address, version }
  }
  const [district, beside, city] = ['420202001', '420203001', '420200001']
  const save = async (caller: Caller, govCode: string, change: object) =>
    caller.ask(governmentsCalls.updateGovernment, { params: { govCode }, body: { ...(await governmentOf(govCode)), ...change } })

  test('a district keeps its own file, not the city’s nor its neighbour’s, and not its own place', async () => {
    const officer = await appoint('bj-zhao', '监管机构管理员')
    const names = async () => (await world.database.pool.query('select gov_code, name from government order by 1')).rows
    const before = await names()
    for (const gov of [city, beside]) expect((await save(officer, gov, { name: '改名局' })).status).not.toBe(0)
    for (const change of [{ areaCode: '420200' }, { level: '1' }, { parentGovCode: null }])
      expect(await save(officer, district, change)).toMatchObject({ http: 403, data: { field: Object.keys(change)[0] } })
    expect(await names()).toEqual(before)
    expect(await save(officer, district, { address: '新办公楼' })).toMatchObject({ status: 0 })
    // The city may edit the authorities below it; the group's name follows.
    const clerk = await settled.as('city-fang')
    expect(await save(clerk, district, { name: '滨江区建设局' })).toMatchObject({ status: 0 })
    const { rows } = await world.database.pool.query('select name from tenant where type = 1 and code = $1', [district])
    expect(rows).toEqual([{ name: '滨江区建设局' }])
    expect(await save(clerk, district, { parentGovCode: null })).toMatchObject({ http: 403, data: { field: 'parentGovCode' } })
  })
  test('the database refuses the same', async () => {
    const scopeOf = async (type: 1 | 2 | 3, code: string) => {
      const t = await world.database.kysely
        .selectFrom('tenant')
        .selectAll()
        .where('type', '=', type)
        .where('code', '=', code)
        .executeTakeFirstOrThrow()
      return findScope(world.database.kysely, { id: t.id, type, code, name: t.name, areaCode: t.areaCode }, 'test')
    }
    const rename = async (scope: Awaited<ReturnType<typeof scopeOf>>, table: 'government' | 'corporation', code: string) =>
      inScope(world.database.kysely, scope, (tx) =>
        table === 'government'
          ? tx.updateTable('government').set({ name: '改名' }).where('govCode', '=', code).executeTakeFirst()
          : tx.updateTable('corporation').set({ corpName: '改名' }).where('corpCode', '=', code).executeTakeFirst(),
      ).then(
        (done) => Number(done.numUpdatedRows),
        (error: { code?: string }) => error.code,
      )
    const officer = await scopeOf(1, district)
    expect(await rename(officer, 'government', city)).toBe('42501')
    expect(await rename(officer, 'government', beside)).toBe(0)
    expect(await rename(officer, 'government', district)).toBe(1)
    const company = personaOf('yunze-lu')?.corpCode ?? ''
    const partner =
      settled.city.projectCorps.find((c) => c.projectCode === personaOf('hospital-pm')?.projectCode && c.corpCode !== company)?.corpCode ??
      ''
    const own = await scopeOf(2, company)
    expect(await rename(own, 'corporation', partner)).toBe('42501')
    expect(await rename(own, 'corporation', company)).toBe(1)
    expect(await rename(await scopeOf(3, personaOf('hospital-pm')?.projectCode ?? ''), 'corporation', company)).toBe('42501')
  })
})
