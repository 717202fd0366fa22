import { initMenus } from '@zhugong/contract/access/endpoints'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { menuTabs } from '@zhugong/contract/access/menus'
import * as contract from '@zhugong/contract/apps/menu-endpoints'
import { noConditions } from '@zhugong/contract/apps/menu-endpoints'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { deliverApps, menuIdOf } from './delivery.ts'

let world: World
let people: CityWorld
let admin: Caller

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  people = await settleCity(world)
  admin = await people.as('admin')
})
afterAll(() => world.close())

const flat = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])
const pathsOf = (nodes: readonly MenuNode[]) => flat(nodes).flatMap((node) => node.path ?? [])
const find = async (key: string) => (await admin.call(contract.listMenus, { query: {} })).list.find((menu) => menu.id === menuIdOf(key))

test.each([
  'admin',
  'city-fang',
  'bj-zhao',
  'yunze-lu',
  'dingli-cheng',
  'hospital-jl',
  'hospital-pm',
  'hospital-safety',
  'hospital-labour',
])('%s sees every page whose code is held, in the delivered order and places, and no other', async (account) => {
  const who = await people.as(account)
  const { operator, groupsType } = await who.call(getMyInfo)
  const existing = new Set(operator)
  const expected = menuTabs.flatMap((tab) =>
    tab.entries.flatMap((entry) =>
      ('pages' in entry ? entry.pages : [entry])
        .filter((page) => existing.has(page.code) && (!page.types || page.types.includes(groupsType ?? -1)))
        .map((page) => `${tab.title} / ${page.title} ${page.path}`),
    ),
  )
  const tree = await who.call(initMenus)
  const shown = tree.flatMap((tab) =>
    flat(tab.children).flatMap((node) => (node.path ? [`${tab.title} / ${node.title} ${node.path}`] : [])),
  )
  expect(shown).toEqual(expected)
  expect(shown.length).toBeGreaterThan(8)
})

test('menus are moved, renamed and switched off; three deep and no deeper, never below themselves', async () => {
  const record = await find('/alarm/record')
  const put = async (key: string, body: object) => {
    const menu = await find(key)
    return admin.ask(contract.updateMenu, { params: { id: menu?.id ?? '' }, body: { version: menu?.version ?? 0, ...body } })
  }
  expect((await put('/alarm/record', { title: '告警台账', position: 3 })).status).toBe(0)
  const pm = await people.as('hospital-pm')
  expect(flat(await pm.call(initMenus)).find((node) => node.path === '/alarm/record')?.title).toBe('告警台账')
  expect((await put('alarm', { parentId: menuIdOf('attendance/体温与防疫') })).message).toContain('最多 3 层')
  expect((await put('attendance', { parentId: menuIdOf('attendance/体温与防疫') })).message).toContain('自己下面')
  expect((await put('/alarm/record', { parentId: menuIdOf('/main') })).message).toContain('页面下面')
  expect((await put('/alarm/record', { parentId: null })).message).toContain('模块')
  expect((await put('/alarm/record', { enable: '0' })).status).toBe(0)
  expect(pathsOf(await pm.call(initMenus))).not.toContain('/alarm/record')
  expect((await admin.ask(contract.updateMenu, { params: { id: record?.id ?? '' }, body: { enable: '1', version: 0 } })).message).toContain(
    '请刷新后再改',
  )
  // The delivery at the next start keeps manual changes, and `fresh` restores the delivered menu.
  await deliverApps(world.database.kysely)
  expect((await find('/alarm/record'))?.enable).toBe('0')
  const changed = await find('/alarm/record')
  await admin.call(contract.freshMenu, { params: { id: changed?.id ?? '' }, body: { version: changed?.version ?? 0 } })
  expect(await find('/alarm/record')).toMatchObject({ title: '告警记录', enable: '1' })
})

test('the database holds the depth as well', async () => {
  await expect(
    world.database.pool.query(`update menu set parent_id = $1 where id = $2`, [menuIdOf('attendance/体温与防疫'), menuIdOf('alarm')]),
  ).rejects.toThrow('three deep')
})

test('a page is chosen from those there are, stands in one place, and comes back when it was taken out', async () => {
  const body = { title: '告警记录', name: 'alarm-record', menuType: 'MENU' as const, parentId: menuIdOf('alarm') }
  expect((await admin.ask(contract.createMenu, { body: { ...body, route: '/no/page' } })).message).toContain('从平台的页面中选择')
  expect((await admin.ask(contract.createMenu, { body: { ...body, route: 'https://example.com' } })).http).toBe(400)
  expect((await admin.ask(contract.createMenu, { body: { ...body, route: '/alarm/record' } })).message).toContain('已在菜单里')
  const menu = await find('/alarm/record')
  await admin.call(contract.removeMenu, { params: { id: menu?.id ?? '' } })
  await deliverApps(world.database.kysely)
  const without = await admin.call(contract.listMenus, { query: {} })
  expect(without.unattached.map((page) => page.path)).toContain('/alarm/record')
  await admin.call(contract.createMenu, { body: { ...body, route: '/alarm/record' } })
  expect((await admin.call(contract.listMenus, { query: {} })).unattached).toEqual([])
  const directory = await find('attendance/体温与防疫')
  expect((await admin.ask(contract.removeMenu, { params: { id: directory?.id ?? '' } })).message).toContain('还有菜单')
})

test('another app for a menu tells who would lose it, and whoever has no grant of it does', async () => {
  const menu = await find('/checkRecord')
  const group = await world.database.kysely
    .selectFrom('tenant')
    .select(['id', 'name'])
    .where('type', '=', 3)
    .where('code', '=', people.city.projects[0]?.projectCode ?? '')
    .executeTakeFirstOrThrow()
  await world.database.kysely.deleteFrom('appGrant').where('groupId', '=', group.id).where('appId', '=', 'app-weighbridge').execute()
  const ask = (dryRun: boolean) =>
    admin.call(contract.changeMenuApp, {
      params: { id: menu?.id ?? '' },
      body: { appId: 'app-weighbridge', dryRun, version: menu?.version ?? 0 },
    })
  expect(await ask(true)).toEqual({ lost: [group.name], menus: 1 })
  const pm = await people.as('hospital-pm')
  expect(pathsOf(await pm.call(initMenus))).toContain('/checkRecord')
  await ask(false)
  expect(pathsOf(await pm.call(initMenus))).not.toContain('/checkRecord')
})

// ---- schemes

const scheme = async (name: string) => (await admin.call(contract.createScheme, { body: { name } })).id
const arrange = async (id: string, items: contract.Arrangement) => {
  const { version } = await admin.call(contract.getArrangement, { params: { id } })
  await admin.call(contract.saveArrangement, { params: { id }, body: { items, version } })
}
const publish = async (id: string, action: 'publish' | 'rollback' = 'publish', dryRun = false) => {
  const { version } = await admin.call(contract.getArrangement, { params: { id } })
  return admin.ask(contract.publishScheme, { body: { id, action, dryRun, version } })
}

test('a scheme hides, renames and orders; it is in force when published, tells the difference, and goes back', async () => {
  const id = await scheme('项目部')
  const site = await admin.call(contract.createRule, { body: { name: '项目', conditions: { ...noConditions, groupTypes: [3] } } })
  const rules = await admin.call(contract.listRules, { query: {} })
  const version = rules.list.find((rule) => rule.id === site.id)?.version ?? 0
  const tie = await admin.ask(contract.updateRule, { params: { id: site.id }, body: { uiGroupId: id, version } })
  expect(tie.message).toContain('还没有发布')
  await arrange(id, { [menuIdOf('/teamSystem')]: { hidden: true }, [menuIdOf('attendance')]: { title: '出勤', sort: 0 } })
  const tried = await publish(id, 'publish', true)
  expect(tried.data.differences.map((one) => [one.title, one.before, one.after])).toEqual([
    ['考勤', '原样', '改名“出勤”，次序 0'],
    ['班组管理', '原样', '隐藏'],
  ])
  await publish(id)
  await admin.call(contract.updateRule, { params: { id: site.id }, body: { uiGroupId: id, homePath: '/main/v1', version } })
  const labour = await people.as('hospital-labour')
  const tree = await labour.call(initMenus)
  expect(pathsOf(tree)).not.toContain('/teamSystem')
  expect(
    tree
      .map((tab) => tab.title)
      .slice(0, 2)
      .sort(),
  ).toEqual(['出勤', '首页'].sort())
  expect(flat(tree).find((node) => node.id === '/main')?.path).toBe('/main/v1')
  // A scheme hides but never grants: a page without its code is not shown whatever the scheme says, and a hidden page can still be opened.
  expect((await labour.call(getMyInfo)).operator).toContain('labour.team')
  await arrange(id, { [menuIdOf('/organizationList')]: { title: '机构', hidden: false, sort: 1 } })
  await publish(id)
  expect(pathsOf(await labour.call(initMenus))).not.toContain('/organizationList')
  expect(pathsOf(await labour.call(initMenus))).toContain('/teamSystem')
  expect((await publish(id)).message).toContain('没有可发布的修改')
  const back = await publish(id, 'rollback')
  expect(back.data.groups).toBe(people.city.projects.length)
  expect(pathsOf(await labour.call(initMenus))).not.toContain('/teamSystem')
  // Only the group types of the rule see the page.
  expect(pathsOf(await (await people.as('yunze-lu')).call(initMenus))).toContain('/teamSystem')
  expect((await admin.ask(contract.removeScheme, { params: { id } })).message).toContain('正在使用')
})

test('a draft is nobody’s menu, and is given up', async () => {
  const id = await scheme('草稿')
  await arrange(id, { [menuIdOf('alarm')]: { hidden: true } })
  expect((await admin.call(contract.listSchemes, { query: {} })).list.find((one) => one.id === id)?.dirty).toBe(true)
  await admin.call(contract.dropDraft, { params: { id } })
  expect((await admin.call(contract.getArrangement, { params: { id } })).draft).toEqual({})
  const strange = await admin.ask(contract.saveArrangement, { params: { id }, body: { items: { nothing: { hidden: true } }, version: 2 } })
  expect(strange.message).toContain('不存在的菜单')
})

test('the first rule that fits decides; groups that none fits are listed; the default one stays last and is not deleted', async () => {
  const narrow = await admin.call(contract.createRule, {
    body: { name: '一个区的机构', conditions: { ...noConditions, groupTypes: [1], areaCodes: ['420202'] } },
  })
  const wide = await admin.call(contract.createRule, { body: { name: '所有机构', conditions: { ...noConditions, groupTypes: [1] } } })
  const rules = await admin.call(contract.listRules, { query: {} })
  const at = (id: string) => rules.list.find((rule) => rule.id === id)
  expect(at(narrow.id)?.groups).toBeGreaterThan(0)
  expect(at(wide.id)?.alsoFits).toBe(at(narrow.id)?.groups)
  expect(rules.unmatched).toEqual([])
  const standard = rules.list.find((rule) => rule.isDefault)
  expect(rules.list.at(-1)?.id).toBe(standard?.id)
  expect((await admin.ask(contract.removeRule, { params: { id: standard?.id ?? '' } })).message).toContain('不能删除')
  await admin.call(contract.updateRule, { params: { id: standard?.id ?? '' }, body: { enable: '0', version: standard?.version ?? 0 } })
  const without = await admin.call(contract.listRules, { query: {} })
  expect(without.unmatched.some((group) => group.type === 2)).toBe(true)
  expect(without.unmatched.some((group) => group.type === 1)).toBe(false)
  // The wider rule in front matches first.
  await admin.call(contract.updateRule, { params: { id: wide.id }, body: { position: 0, version: at(wide.id)?.version ?? 0 } })
  expect((await admin.call(contract.listRules, { query: {} })).list.find((rule) => rule.id === narrow.id)?.groups).toBe(0)
})

test('tried on a group, the rules say which one hits and what is seen', async () => {
  const { groups } = await admin.call(contract.tryRules, { body: { conditions: { ...noConditions, groupTypes: [2] } } })
  expect(groups).toBe(people.city.corporations.length)
  const group = await world.database.kysely.selectFrom('tenant').select('id').where('type', '=', 3).limit(1).executeTakeFirstOrThrow()
  const tried = await admin.call(contract.tryRules, { body: { groupId: group.id } })
  expect(tried.rule?.name).toBe('项目')
  expect(tried.menus.length).toBeGreaterThan(10)
})

test('the platform sees the menus as an account sees them, in each of its groups and with its rights alone', async () => {
  const who = await people.as('yunze-lu')
  const { groupId } = await who.call(getMyInfo)
  const shown = await admin.call(contract.previewMenus, { query: { account: 'Yunze-Lu', groupId: groupId ?? '' } })
  expect(shown.menus.flatMap((menu) => menu.path ?? [])).toEqual(pathsOf(await who.call(initMenus)))
  expect(shown.groups.map((one) => one.id)).toContain(groupId)
  const first = await admin.call(contract.previewMenus, { query: { account: 'hospital-labour' } })
  expect(first.groupId).toBe(first.groups[0]?.id)
  // Refused: a group that the account does not belong to, and an account that does not exist.
  const foreign = await (await people.as('city-fang')).call(getMyInfo)
  expect(await admin.ask(contract.previewMenus, { query: { account: 'yunze-lu', groupId: foreign.groupId ?? '' } })).toMatchObject({
    data: { field: 'groupId' },
  })
  expect(await admin.ask(contract.previewMenus, { query: { account: 'nobody-there' } })).toMatchObject({ data: { field: 'account' } })
})

test('menus and schemes are the platform’s', async () => {
  for (const account of ['city-fang', 'yunze-lu', 'hospital-pm']) {
    const who = await people.as(account)
    expect((await who.ask(contract.listMenus, { query: {} })).http).toBe(403)
    expect((await who.ask(contract.tryRules, { body: {} })).http).toBe(403)
    expect((await who.ask(contract.previewMenus, { query: { account: 'admin' } })).http).toBe(403)
    expect((await who.ask(contract.updateMenu, { params: { id: menuIdOf('alarm') }, body: { enable: '0', version: 0 } })).http).toBe(403)
  }
})
