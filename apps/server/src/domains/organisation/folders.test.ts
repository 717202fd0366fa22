import * as contract from '@zhugong/contract/organisation/project-groups'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let company: Caller
let bureau: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  company = await city.as('yunze-lu')
  bureau = await city.as('city-fang')
  await world.database.pool.query('delete from project_group_item')
  await world.database.pool.query('delete from project_group where parent_id is not null')
  await world.database.pool.query('delete from project_group')
})
afterAll(() => world.close())

const module = 'labor_real_name'
const add = async (caller: Caller, name: string, parentId: string | null = null) =>
  (await caller.call(contract.createFolder, { body: { name, parentId } })).id
const tree = (caller: Caller) => caller.call(contract.folderTree, { query: {} })
const projects = (caller: Caller, query: object = {}) => caller.call(contract.listFolderProjects, { query: { size: 100, ...query } })
const codesOf = async (caller: Caller, query: object = {}) => (await projects(caller, query)).list.map((p) => p.projectCode)
const change = async (caller: Caller, id: string, body: object) => {
  const { version } = await caller.call(contract.getFolder, { params: { id } })
  return caller.ask(contract.updateFolder, { params: { id }, body: { ...body, version } })
}

describe('folders of projects', () => {
  test('[entity-project-group-tree] [module-value] projects stand in one folder of a module; the tree counts with all below, the strip as the list it opens', async () => {
    const top = await add(company, '施工板块')
    const below = await add(company, '东区分公司', top)
    const codes = await codesOf(company)
    expect(codes.length).toBeGreaterThan(1)
    const [one = '', two = ''] = codes
    expect(await company.call(contract.changeFolder, { body: { projectCodes: [one, two, one], groupId: below } })).toEqual({ moved: 2 })
    expect(await company.call(contract.changeFolder, { body: { projectCodes: [one], groupId: below } })).toEqual({ moved: 0 })
    const seen = await tree(company)
    expect(seen.tree).toMatchObject([{ name: '施工板块', own: 0, projects: 2, children: [{ name: '东区分公司', own: 2, projects: 2 }] }])
    expect(seen.figures).toMatchObject({ total: codes.length, ungrouped: codes.length - 2 })
    expect((await projects(company, { view: 'ungrouped' })).total).toBe(seen.figures.ungrouped)
    expect((await projects(company, { view: 'finished' })).total).toBe(seen.figures.finished)
    expect((await codesOf(company, { groupId: top })).sort()).toEqual([one, two].sort())
    expect(await codesOf(company, { groupId: top, below: '0' })).toEqual([])
    // Adding to another folder removes it from the first.
    expect(await company.call(contract.addToFolder, { body: { projectCodes: [one], groupId: top } })).toEqual({ moved: 1 })
    expect((await projects(company, { groupId: below })).list.map((p) => [p.projectCode, p.groupPath])).toEqual([
      [two, '施工板块/东区分公司'],
    ])
    expect(await company.call(contract.removeFromFolder, { body: { projectCodes: [one, two] } })).toEqual({ moved: 2 })
    const { rows } = await world.database.pool.query('select 1 from project_group_item')
    expect(rows).toEqual([])
  })
  test('the children compare their branches by state', async () => {
    const [a, b] = [await add(company, '对比甲'), await add(company, '对比乙')]
    const list = (await projects(company)).list
    await company.call(contract.changeFolder, { body: { projectCodes: list.map((p) => p.projectCode), groupId: a } })
    const { list: children } = await company.call(contract.folderChildren, { query: {} })
    const one = children.find((c) => c.id === a)
    expect(Object.values(one?.byState ?? {}).reduce((sum, n) => sum + n, 0)).toBe(list.length)
    expect(one?.onSite).toBe(list.reduce((sum, p) => sum + p.onSite, 0))
    expect(children.find((c) => c.id === b)).toMatchObject({ byState: {}, onSite: 0, projects: 0 })
    await company.call(contract.removeFromFolder, { body: { projectCodes: list.map((p) => p.projectCode) } })
  })
  test('a folder is never below itself, whoever writes and however many at once', async () => {
    const [a, b] = [await add(company, '环甲'), await add(company, '环乙')]
    expect(await change(company, a, { parentId: a })).toMatchObject({ http: 400, data: { field: 'parentId' } })
    const both = await Promise.all([change(company, a, { parentId: b }), change(company, b, { parentId: a })])
    expect(both.filter((answer) => answer.status === 0)).toHaveLength(1)
    const { rows } = await world.database.pool.query<{ id: string; parent_id: string | null }>(
      'select id, parent_id from project_group where id = any ($1)',
      [[a, b]],
    )
    const upper = rows.find((row) => row.parent_id === null)
    const lower = rows.find((row) => row.parent_id !== null)
    expect(lower?.parent_id).toBe(upper?.id)
    await expect(
      world.database.pool.query('update project_group set parent_id = $2 where id = $1', [upper?.id, lower?.id]),
    ).rejects.toThrow('below itself')
  })
  test('moved among its sisters, named once, closed, merged; deleted only when empty', async () => {
    const top = await add(company, '次序')
    const [a, b, c] = [await add(company, '甲', top), await add(company, '乙', top), await add(company, '丙', top)]
    expect(await company.ask(contract.createFolder, { body: { name: '甲', parentId: top } })).toMatchObject({
      message: '同一上级下已有同名项目组',
    })
    expect(await change(company, c, { position: 0 })).toMatchObject({ status: 0 })
    const names = async () => (await company.call(contract.folderChildren, { query: { id: top } })).list.map((n) => n.name)
    expect(await names()).toEqual(['丙', '甲', '乙'])
    const [code = ''] = await codesOf(company)
    await change(company, b, { enable: '0' })
    expect(await company.ask(contract.addToFolder, { body: { projectCodes: [code], groupId: b } })).toMatchObject({
      message: '项目组“乙”已停用，不能加入项目',
    })
    await company.call(contract.addToFolder, { body: { projectCodes: [code], groupId: a } })
    expect(await company.ask(contract.removeFolder, { params: { id: a }, query: {} })).toMatchObject({
      message: '“甲”下还有1 个项目，请先移走，或选择并入的项目组',
    })
    expect(await company.ask(contract.removeFolder, { params: { id: top }, query: { moveTo: a } })).toMatchObject({
      http: 400,
      data: { field: 'moveTo' },
    })
    expect(await company.ask(contract.removeFolder, { params: { id: a }, query: { moveTo: c } })).toMatchObject({ status: 0 })
    expect(await codesOf(company, { groupId: c })).toEqual([code])
    expect(await company.ask(contract.removeFolder, { params: { id: b }, query: {} })).toMatchObject({ status: 0 })
    expect(await names()).toEqual(['丙'])
  })
  test('a stale version, a head from outside and a project out of sight are refused', async () => {
    const id = await add(company, '负责')
    expect(await company.ask(contract.updateFolder, { params: { id }, body: { name: '负责人', version: 7 } })).toMatchObject({
      message: expect.stringContaining('请刷新后再改'),
    })
    const { rows } = await world.database.pool.query<{ id: string }>(
      `select m.id from member m join app_user u on u.id = m.user_id where u.account = any ($1) order by u.account = 'yunze-lu'`,
      [['city-fang', 'yunze-lu']],
    )
    expect(await change(company, id, { headId: rows[0]?.id })).toMatchObject({ data: { field: 'headId' } })
    const { rows: foreign } = await world.database.pool.query<{ project_code: string }>(
      'select project_code from project where project_code <> all ($1) limit 1',
      [await codesOf(company)],
    )
    expect(
      await company.ask(contract.changeFolder, { body: { projectCodes: [foreign[0]?.project_code ?? ''], groupId: id } }),
    ).toMatchObject({
      message: '项目不存在或不在您的管辖范围内',
    })
  })
  test('nobody sees or fills the folders of another group, the platform neither', async () => {
    const id = await add(bureau, '城区片区')
    for (const caller of [company, await city.as('admin')]) {
      expect((await tree(caller)).tree.map((n) => n.id)).not.toContain(id)
      expect(await caller.ask(contract.getFolder, { params: { id } })).toMatchObject({ message: '项目组不存在或已删除' })
      const [code = ''] = await codesOf(caller)
      expect((await caller.ask(contract.addToFolder, { body: { projectCodes: [code], groupId: id } })).status).not.toBe(0)
      expect((await caller.ask(contract.createFolder, { body: { name: '挂靠', parentId: id } })).status).not.toBe(0)
      expect((await caller.ask(contract.removeFolder, { params: { id }, query: {} })).status).not.toBe(0)
    }
  })
  test('[entity-project-group-tree] a tree is copied to a module that has none, with its projects', async () => {
    const id = await add(bureau, '老城')
    const [code = ''] = await codesOf(bureau)
    await bureau.call(contract.changeFolder, { body: { projectCodes: [code], groupId: id } })
    const copy = { body: { from: module, to: 'device' } as const }
    expect((await bureau.call(contract.copyFolders, copy)).folders).toBe(2)
    expect(await codesOf(bureau, { module: 'device', view: 'ungrouped' })).not.toContain(code)
    expect(await bureau.ask(contract.copyFolders, copy)).toMatchObject({ message: '设备物联已有项目组，不能再复制' })
  })
})
