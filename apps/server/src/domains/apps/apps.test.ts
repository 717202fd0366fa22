import { grantedApps } from '@zhugong/contract/access/endpoints'
import * as contract from '@zhugong/contract/apps/app-endpoints'
import { isReading } from '@zhugong/contract/apps/codes'
import * as defaults from '@zhugong/contract/apps/default-endpoints'
import * as grants from '@zhugong/contract/apps/grant-endpoints'
import { everybody } from '@zhugong/contract/apps/grant-endpoints'
import { rangePeople } from '@zhugong/contract/apps/range-endpoints'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { deliverApps } from './delivery.ts'

let world: World
let people: CityWorld
let admin: Caller
let now = systemClock.now()

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  people = await settleCity(world)
  admin = await people.as('admin')
})
afterAll(() => world.close())

const external = (entry: string) => ({
  name: '外部系统',
  code: 'outside',
  categoryId: 'cat-99',
  appType: '2' as const,
  entry,
  groupTypes: [3],
})

test.each([
  'javascript:alert(1)',
  'http://example.com/',
  'https:example.com',
  'https://user:口令@example.com/',
  'https://exa mple.com/',
  'data:text/html,x',
  '//example.com',
  'https://example.com;script-src *',
  '',
])('an external app cannot lead to %s', async (entry) => {
  const answer = await admin.ask(contract.createApp, { body: external(entry) })
  expect(answer.http).toBe(400)
  expect(JSON.stringify(answer.data)).toContain('entry')
})

test('an external app leads to an https address, by every way it can be written', async () => {
  const { id } = await admin.call(contract.createAppBefore, { body: external('https://outside.example.com/start?from=site') })
  for (const entry of ['http://example.com/', 'javascript:1'])
    expect((await admin.ask(contract.updateApp, { params: { id }, body: { appType: '2', entry, version: 0 } })).http).toBe(400)
  // A change without `appType` is checked as well: a database constraint refuses it.
  expect((await admin.ask(contract.updateApp, { params: { id }, body: { entry: 'http://example.com/', version: 0 } })).http).toBe(400)
  expect((await admin.call(contract.getApp, { params: { id } })).host).toBe('outside.example.com')
  const page = await world.api.app.inject({ method: 'GET', url: '/healthz' })
  expect(page.headers['content-security-policy']).toContain('frame-src blob: https://outside.example.com;')
  const other = await admin.ask(contract.createApp, { body: external('https://outside.example.com/') })
  expect(other.message).toContain('已存在')
})

test('the older calls answer as the newer ones', async () => {
  const [a, b] = [
    await admin.call(contract.listApps, { query: { size: 100 } }),
    await admin.call(contract.listAppsBefore, { query: { size: 100 } }),
  ]
  expect(a).toEqual(b)
  const first = a.list[0]?.id ?? ''
  expect(await admin.call(contract.getApp, { params: { id: first } })).toEqual(
    await admin.call(contract.getAppBefore, { params: { id: first } }),
  )
})

test('every filter and order of the catalogue answers', async () => {
  for (const sort of ['sort', 'name', 'code', 'grantCount', '-grantCount'] as const)
    await admin.call(contract.listApps, {
      query: { sort, name: '机', code: 'e', category: 'cat-6', groupTypes: '1,3', grantCount: '1,', enable: '1', appType: '1' },
    })
})

test('a delivered app follows the product, is not deleted and its codes are not edited; a base one is not put away', async () => {
  const find = async (code: string) => (await admin.call(contract.listApps, { query: { code, size: 1 } })).list[0]
  const crane = await find('tower-crane')
  const home = await find('home')
  const put = (id: string, body: object) => admin.ask(contract.updateApp, { params: { id }, body: { version: 0, ...body } })
  expect((await put(crane?.id ?? '', { codes: [] })).message).toContain('随产品更新')
  expect((await put(home?.id ?? '', { enable: '0' })).message).toContain('不能下架')
  expect((await admin.ask(contract.removeApp, { params: { id: crane?.id ?? '' } })).message).toContain('不能删除')
  expect((await put(crane?.id ?? '', { prerequisites: ['app-tower-crane'] })).message).toContain('互为前置')
  const device = await find('device')
  expect((await put(device?.id ?? '', { prerequisites: ['app-tower-crane'] })).message).toContain('互为前置')
  expect((await put(crane?.id ?? '', { summary: '塔机' })).status).toBe(0)
  expect((await put(crane?.id ?? '', { summary: '塔机二' })).message).toContain('请刷新后再改')
})

test('a new bundle takes nothing from those who do not hold it, and names only what apps carry', async () => {
  const pm = await people.as('hospital-pm')
  const before = (await pm.call(getMyInfo)).operator
  const body = {
    name: '塔机加环境',
    code: 'crane-air',
    categoryId: 'cat-6',
    appType: '1' as const,
    groupTypes: [3],
    codes: ['tower-crane.view', 'environment.view'],
  }
  const { id } = await admin.call(contract.createApp, { body })
  now += 1000
  expect((await pm.call(getMyInfo)).operator).toEqual(before)
  const base = await admin.ask(contract.createApp, { body: { ...body, code: 'all', codes: ['role.edit'] } })
  expect(base.message).toContain('不能打包')
  expect((await admin.ask(contract.createApp, { body: { ...body, code: 'page', entry: '/no/such/page' } })).message).toContain('页面')
  await admin.call(contract.removeApp, { params: { id } })
})

test('only the platform keeps the catalogue', async () => {
  for (const account of ['city-fang', 'yunze-lu', 'hospital-pm']) {
    const who = await people.as(account)
    expect((await who.ask(contract.createApp, { body: external('https://a.example.com/') })).http).toBe(403)
    expect((await who.ask(contract.updateApp, { params: { id: 'app-alarm' }, body: { enable: '0', version: 0 } })).http).toBe(403)
    expect((await who.ask(contract.sortApps, { body: { ids: ['app-alarm'] } })).http).toBe(403)
  }
})

test('apps and categories stand in the order they are put', async () => {
  const before = (await admin.call(contract.listApps, { query: { category: 'cat-6', size: 100 } })).list.map((app) => app.id)
  const turned = before.toReversed()
  await admin.call(contract.sortApps, { body: { ids: turned } })
  expect((await admin.call(contract.listApps, { query: { category: 'cat-6', size: 100 } })).list.map((app) => app.id)).toEqual(turned)
  await admin.call(contract.sortApps, { body: { ids: [turned[0] ?? ''], categoryId: 'cat-5' } })
  expect((await admin.call(contract.getApp, { params: { id: turned[0] ?? '' } })).categoryName).toBe('环境监测')
  const categories = (await admin.call(contract.listCategories, { query: { size: 100 } })).list.map((one) => one.id)
  await admin.call(contract.updateCategory, { body: { ids: categories.toReversed() } })
  expect((await admin.call(contract.listCategories, { query: { size: 100 } })).list.map((one) => one.id)).toEqual(categories.toReversed())
})

test('a category with apps goes only when they have somewhere to go', async () => {
  const { id } = await admin.call(contract.createCategory, { body: { name: '试用' } })
  expect((await admin.ask(contract.createCategory, { body: { name: '试用' } })).message).toContain('已存在')
  await admin.call(contract.sortApps, { body: { ids: ['app-video'], categoryId: id } })
  expect((await admin.ask(contract.removeCategory, { params: { id }, query: {} })).message).toContain('还有 1 个应用')
  expect((await admin.ask(contract.removeCategory, { params: { id }, query: { moveTo: id } })).http).toBe(400)
  await admin.call(contract.removeCategory, { params: { id }, query: { moveTo: 'cat-7' } })
  expect((await admin.call(contract.getApp, { params: { id: 'app-video' } })).categoryId).toBe('cat-7')
  const hide = await admin.call(contract.listCategories, { query: { size: 100 } })
  const video = hide.list.find((one) => one.id === 'cat-7')
  await admin.call(contract.updateCategory, { body: { id: 'cat-7', hiddenTypes: [3], version: video?.version ?? 0 } })
  const pm = await people.as('hospital-pm')
  expect((await pm.call(contract.listApps, { query: { size: 100 } })).list.some((app) => app.id === 'app-video')).toBe(false)
  await admin.call(contract.updateCategory, { body: { id: 'cat-7', hiddenTypes: [], version: (video?.version ?? 0) + 1 } })
})

test('what stays open in the days of grace is asked by no call that changes something', () => {
  // These calls change something, yet stay open in the days of grace: exports and previews, views of masked data and of documents, video snapshots, clips
  // and marks, and the renewal of a display token; or they also need a second code that is closed.
  const readsByPost = new Set([
    'POST /api/v1/export',
    'POST /api/v1/iot/device/video/url',
    'PUT /api/v1/oa/todo/:id',
    'PUT /api/v1/oa/todo/audit/:id',
    'POST /api/v1/docking/record/:id/look',
    'POST /api/v1/oa/process/expert/:id/unmask',
    'POST /api/v1/oa/process/document/:id/open',
    'PUT /api/v1/oa/process/document/:id/star',
    'POST /api/v1/oa/process/videoMark',
    'DELETE /api/v1/oa/process/videoMark/:id',
    'PUT /api/v1/oa/process/videoMark/:id',
    'POST /api/v1/third/clip',
    'POST /api/v1/screen/token/renew',
  ])
  const carried = new Set<string>()
  const wrong = world.api.serve.endpoints.flatMap((endpoint) => {
    if (endpoint.method === 'GET' || endpoint.unaudited) return []
    const codes = codesOf(endpoint)
    for (const code of codes) carried.add(code)
    const name = `${endpoint.method} ${endpoint.path}`
    const open = codes.filter(
      (code) => isReading(code) && !/^(home|export|project|corporation|government|org|app|grant|menu|role|user)\./.test(code),
    )
    return open.length > 0 && !readsByPost.has(name) ? [`${name} ${open.join(' ')}`] : []
  })
  expect(carried.size).toBeGreaterThan(40)
  expect(wrong).toEqual([])
})

// ---- who in a group gets an app

test('a range keeps an app to those it names; who is left out is told so, and names of another group are refused', async () => {
  const lu = await people.as('yunze-lu')
  const corp = people.city.personas.find((one) => one.account === 'yunze-lu')?.corpCode ?? ''
  const group = await world.database.kysely
    .selectFrom('tenant')
    .select('id')
    .where('type', '=', 2)
    .where('code', '=', corp)
    .executeTakeFirstOrThrow()
  const facts = await lu.call(rangePeople, { query: { groupId: group.id, appId: 'app-environment' } })
  const me = facts.people.find((one) => one.account === 'yunze-lu')
  expect(me?.holds).toBe(true)
  const grant = await world.database.kysely
    .selectFrom('appGrant')
    .selectAll()
    .where('groupId', '=', group.id)
    .where('appId', '=', 'app-environment')
    .executeTakeFirstOrThrow()
  const save = (range: Partial<typeof everybody>, rangeVersion: number | null = null) =>
    lu.ask(grants.updateGrant, {
      params: { id: grant.id },
      body: { range: { ...everybody, ...range }, rangeVersion, version: grant.version },
    })
  const stranger = await world.database.kysely
    .selectFrom('member')
    .select('userId')
    .where('groupId', '<>', group.id)
    .where(
      'userId',
      'not in',
      facts.people.map((one) => one.userId),
    )
    .limit(1)
    .executeTakeFirstOrThrow()
  expect((await save({ mode: 'some', userIds: [stranger.userId] })).message).toContain('人员不在该机构')
  expect((await save({ mode: 'some', orgIds: ['none'] })).message).toContain('部门不在该机构')
  expect((await save({ mode: 'some', units: [{ corpCode: corp, mode: 'all', posts: [], userIds: [] }] })).message).toContain(
    '单位不在该项目',
  )
  expect((await save({ exceptIds: [me?.userId ?? ''] })).status).toBe(0)
  now += 1000
  expect((await lu.call(getMyInfo)).operator).not.toContain('environment.view')
  expect((await lu.call(grantedApps)).apps.some((app) => app.code === 'environment')).toBe(false)
  expect((await save({})).message).toContain('请刷新后再改')
  expect((await save({}, 0)).status).toBe(0)
  now += 1000
  expect((await lu.call(getMyInfo)).operator).toContain('environment.view')
})

test('a project’s range goes by unit: whoever belongs to none of the named ones is out, and a unit that leaves takes it along', async () => {
  const lu = await people.as('yunze-lu')
  const corp = people.city.personas.find((one) => one.account === 'yunze-lu')?.corpCode ?? ''
  // Lu is on the staff of the first project as well as in the company.
  const code = people.city.projects[0]?.projectCode ?? ''
  const group = await world.database.kysely
    .selectFrom('tenant')
    .select('id')
    .where('type', '=', 3)
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  const unit = { corpCode: corp, mode: 'all' as const, posts: [], userIds: [] }
  await world.database.kysely
    .insertInto('appRange')
    .values({ groupId: group.id, appId: 'app-alarm', rule: JSON.stringify({ ...everybody, mode: 'some', units: [unit] }) })
    .execute()
  const { appsOf } = await import('../access/public.ts')
  const me = await lu.call(getMyInfo)
  const stateOf = async (userId: string) =>
    (await appsOf(world.database.kysely, { id: group.id, type: 3 }, userId, '2026-11-20')).find((app) => app.id === 'app-alarm')?.state
  expect(await stateOf(me.id)).toBe('valid')
  const pm = await (await people.as('hospital-pm')).call(getMyInfo)
  expect(await stateOf(pm.id)).toBe('range')
  await world.database.pool.query(`update project_corp set exit_time = now() where project_code = $1 and corp_code = $2`, [code, corp])
  expect(await stateOf(me.id)).toBe('range')
})

// ---- defaults of new groups

const newProject = async (code: string, category: string, areaCode: string) => {
  await world.database.pool.query(
    `insert into project select r.* from (select * from project limit 1) p, lateral jsonb_populate_record(null::project, to_jsonb(p)
       || jsonb_build_object('id', $1::text, 'project_code', $1::text, 'category', $2::text, 'area_code', $3::text, 'name', $1::text)) r`,
    [code, category, areaCode],
  )
  await world.database.pool.query(`insert into tenant (id, type, code, name, area_code) values ($1, 3, $1, $1, $2)`, [code, areaCode])
  const { rows } = await world.database.pool.query<{ app_id: string; required: boolean; deadline: string | null; source: string }>(
    `select app_id, required, deadline::text, source from app_grant where group_id = $1`,
    [code],
  )
  return new Map(rows.map((row) => [row.app_id, row]))
}

test('a new project begins with what its area gives its category: the nearest area decides, without one the default package', async () => {
  const cell = (category: string, appId: string, on: boolean | null, more = {}) => ({ category, appId, on, ...more })
  await admin.call(defaults.saveDefaults, {
    body: {
      areaCode: '420200',
      cells: [
        cell('02', 'app-tower-crane', false),
        cell('02', 'app-meters', false),
        cell('02', 'app-attendance', true, { required: true }),
      ],
    },
  })
  const fang = await people.as('city-fang')
  await fang.call(defaults.saveDefaults, { body: { areaCode: '420202', cells: [cell('02', 'app-meters', true, { days: 30 })] } })
  expect((await fang.ask(defaults.saveDefaults, { body: { areaCode: '420100', cells: [cell('02', 'app-meters', true)] } })).http).toBe(403)
  const road = await newProject('420202999999990001', '02', '420202')
  expect(road.has('app-tower-crane')).toBe(false)
  expect(road.get('app-meters')?.deadline).not.toBeNull()
  expect(road.get('app-attendance')?.required).toBe(true)
  const house = await newProject('420202999999990002', '01', '420202')
  expect(house.has('app-tower-crane')).toBe(true)
  expect(house.get('app-meters')?.deadline).toBeNull()
  const { list } = await fang.call(defaults.defaultCells, { query: { areaCode: '420202' } })
  const found = (category: string, appId: string) => list.find((one) => one.category === category && one.appId === appId)
  expect(found('02', 'app-meters')).toMatchObject({ on: true, days: 30, inherited: false })
  expect(found('02', 'app-tower-crane')).toMatchObject({ on: false, inherited: true })
  // Changing a default does not affect existing projects.
  await admin.call(defaults.saveDefaults, { body: { areaCode: '420200', cells: [cell('01', 'app-helmet', false)] } })
  const kept = await world.database.pool.query(`select 1 from app_grant where group_id = '420202999999990002' and app_id = 'app-helmet'`)
  expect(kept.rows).toHaveLength(1)
})

test('a package is applied without taking or shortening anything, and tells who has drifted from it', async () => {
  const { id } = await admin.call(defaults.saveDefaults, {
    body: { name: '轻量项目', groupType: 3, apps: ['app-personnel', 'app-labour', 'app-attendance'], days: 365 },
  })
  const code = people.city.projects.at(-1)?.projectCode ?? ''
  const group = await world.database.kysely
    .selectFrom('tenant')
    .select('id')
    .where('type', '=', 3)
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  await world.database.kysely.deleteFrom('appGrant').where('groupId', '=', group.id).where('appId', '=', 'app-labour').execute()
  const applied = await admin.call(grants.batchApps, { body: { ids: [group.id], packageId: id ?? '' } })
  expect(applied.cells.map((cell) => [cell.appId, cell.result])).toEqual([
    ['app-personnel', 'same'],
    ['app-labour', 'add'],
    ['app-attendance', 'same'],
  ])
  const uses = await admin.call(defaults.packageUses, { query: { schemeId: id ?? '' } })
  expect(uses.list[0]?.missing).toEqual([])
  expect(uses.list[0]?.beyond).toContain('塔机监测')
  const pack = (await admin.call(defaults.packages, { query: { groupType: '3' } })).list.find((one) => one.id === id)
  expect([pack?.groups, pack?.drifted]).toEqual([1, 1])
  const li = await people.as('chuyuan-li')
  expect((await li.ask(defaults.saveDefaults, { body: { name: '我的', groupType: 3, apps: [] } })).http).toBe(403)
})

test('delivered anew, nothing changes that somebody has decided; a new app goes to all who are there', async () => {
  const db = world.database.kysely
  await db.updateTable('app').set({ name: '塔吊', version: 5 }).where('id', '=', 'app-tower-crane').execute()
  await db.deleteFrom('appGrant').where('appId', '=', 'app-unloading').execute()
  const before = await db
    .selectFrom('appGrant')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  await deliverApps(db)
  expect(
    (
      await db
        .selectFrom('appGrant')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  ).toBe(before.n)
  expect((await db.selectFrom('app').select('name').where('id', '=', 'app-tower-crane').executeTakeFirstOrThrow()).name).toBe('塔吊')
  // The state of an installation from a version without apps.
  for (const table of ['app_range', 'app_use', 'app_default', 'app_grant', 'menu', 'app'])
    await world.database.pool.query(`delete from ${table}`)
  await deliverApps(db)
  const { rows } = await world.database.pool.query<{ n: number }>(`
    select count(*)::int as n from tenant t, app a where t.type > 0 and not a.base and not exists (
      select 1 from app_grant g where g.group_id = t.id and g.app_id = a.id and g.deadline is null)`)
  expect(rows[0]?.n).toBe(0)
})
