import { answerJoin } from '@zhugong/contract/access/joins'
import * as org from '@zhugong/contract/organisation/org'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, settleCity } from '../../../test/city.ts'
import { somebody } from '../../../test/members.ts'
import { type Caller, openWorld, type World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let company: Caller
let project: Caller
/** The project's own group. */
let groupId: string
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
  city = await settleCity(world)
  company = await city.as('yunze-lu')
  project = await city.as('hospital-pm')
  const { rows } = await world.database.pool.query<{ group_id: string }>(
    `select m.group_id from member m join app_user u on u.id = m.user_id where u.account = 'hospital-pm'`,
  )
  groupId = rows[0]?.group_id ?? ''
})
afterAll(() => world.close())

const add = async (caller: Caller, name: string, parentId: string | null = null) =>
  (await caller.call(org.createOrg, { body: { name, parentId } })).id
async function nodeOf(caller: Caller, id: string): Promise<org.OrgNode> {
  return await caller.call(org.refreshOrg, { params: { id } })
}
const change = async (
  caller: Caller,
  id: string,
  body: { name?: string; parentId?: string | null; position?: number; enable?: '0' | '1' },
) => caller.ask(org.updateOrg, { params: { id }, query: {}, body: { ...body, version: (await nodeOf(caller, id)).version } })
const remove = (caller: Caller, id: string, moveTo?: string) =>
  caller.ask(org.removeOrg, { params: { id }, query: moveTo ? { moveTo } : {} })
const everybody = async (caller: Caller, query: Record<string, string> = {}) =>
  (await caller.call(org.listOrgMembers, { query: { size: 100, ...query } })).list
const memberOf = async (caller: Caller, account: string) => {
  const found = (await everybody(caller)).find((m) => m.account === account)
  if (!found) throw new Error(`${account} is no member`)
  return found
}

describe('the tree', () => {
  test('departments are made, named once per place, moved among their sisters and below others', async () => {
    const top = await add(company, '试验中心')
    const [a, b, c] = [await add(company, '甲', top), await add(company, '乙', top), await add(company, '丙', top)]
    expect(await company.ask(org.createOrg, { body: { name: '甲', parentId: top } })).toMatchObject({
      message: '同一上级下已有同名部门',
      data: { field: 'name' },
    })
    expect(await change(company, c, { position: 0 })).toMatchObject({ status: 0 })
    expect((await nodeOf(company, top)).children.map((n) => n.name)).toEqual(['丙', '甲', '乙'])
    expect(await change(company, b, { parentId: a })).toMatchObject({ status: 0 })
    expect((await nodeOf(company, top)).children.map((n) => [n.name, n.children.map((m) => m.name)])).toEqual([
      ['丙', []],
      ['甲', ['乙']],
    ])
    const { list } = await company.call(org.orgAncestors, { query: { id: b } })
    expect(list.map((n) => n.name)).toEqual(['试验中心', '甲'])
    const all = await company.call(org.listOrgs, { query: { name: '乙' } })
    expect(all.list.map((n) => n.path)).toContain('试验中心/甲/乙')
  })

  test('a department is never below itself, whoever writes and however many at once', async () => {
    const [a, b] = [await add(company, '环甲'), await add(company, '环乙')]
    expect(await change(company, a, { parentId: a })).toMatchObject({ http: 400, data: { field: 'parentId' } })
    const [one, two] = await Promise.all([change(company, a, { parentId: b }), change(company, b, { parentId: a })])
    expect([one?.status, two?.status].filter((status) => status === 0)).toHaveLength(1)
    const { rows } = await world.database.pool.query<{ id: string; parent_id: string | null }>(
      'select id, parent_id from org_node where id = any ($1)',
      [[a, b]],
    )
    const upper = rows.find((row) => row.parent_id === null)
    const lower = rows.find((row) => row.parent_id !== null)
    expect(lower?.parent_id).toBe(upper?.id)
    await expect(world.database.pool.query('update org_node set parent_id = $2 where id = $1', [upper?.id, lower?.id])).rejects.toThrow(
      'below itself',
    )
  })

  test('no deeper than can be read', async () => {
    let at: string | null = null
    for (let level = 1; level <= org.maxDepth; level++) at = await add(company, `第${level}层`, at)
    expect(await company.ask(org.createOrg, { body: { name: '太深', parentId: at } })).toMatchObject({
      message: `部门最多 ${org.maxDepth} 层`,
      data: { field: 'parentId' },
    })
    const tall = await add(company, '上层')
    await add(company, '下层', tall)
    const first = (await company.call(org.listOrgs, { query: { name: '第7层' } })).list[0]
    expect((await change(company, tall, { parentId: first?.id ?? '' })).message).toContain('最多')
  })

  test('what somebody else changed meanwhile is not written over', async () => {
    const id = await add(company, '两人同改')
    const { version } = await nodeOf(company, id)
    const put = (name: string) => company.ask(org.updateOrg, { params: { id }, query: {}, body: { name, version } })
    expect(await put('第一人')).toMatchObject({ status: 0 })
    expect((await put('第二人')).message).toContain('请刷新后再改')
    expect((await nodeOf(company, id)).name).toBe('第一人')
  })

  test('one with people or departments in it is not deleted, but can become one with another', async () => {
    const [from, to] = [await add(company, '旧部'), await add(company, '新部')]
    const child = await add(company, '小组', from)
    const me = await memberOf(company, 'yunze-lu')
    await company.call(org.addOrgMembers, { body: { orgId: from, memberIds: [me.id], post: '部长' } })
    expect((await remove(company, from)).message).toBe('“旧部”下还有1 个下级部门、1 人，请先移走，或选择并入的部门')
    expect(await remove(company, from, child)).toMatchObject({ http: 400, data: { field: 'moveTo' } })
    const same = await add(company, '小组', to)
    expect((await remove(company, from, to)).message).toContain('“新部”下已有“小组”')
    expect(await remove(company, same)).toMatchObject({ status: 0 })
    expect(await remove(company, from, to)).toMatchObject({ status: 0 })
    const merged = await nodeOf(company, to)
    expect(merged).toMatchObject({ own: 1, people: 1, children: [{ id: child }] })
    expect((await memberOf(company, 'yunze-lu')).places).toContainEqual(expect.objectContaining({ orgId: to, post: '部长' }))
  })

  test('a group has its own tree and nobody else’s', async () => {
    const theirs = await add(company, '别人看不到')
    const { tree } = await project.call(org.orgTree)
    expect(JSON.stringify(tree)).not.toContain(theirs)
    const body = { name: '改名', version: 0 }
    expect(await project.ask(org.updateOrg, { params: { id: theirs }, query: {}, body })).toMatchObject({ message: '部门不存在或已删除' })
    expect(await remove(project, theirs)).toMatchObject({ message: '部门不存在或已删除' })
    expect((await project.ask(org.createOrg, { body: { name: '挂到别家', parentId: theirs } })).message).toBe('部门不存在或已删除')
    const stranger = await memberOf(company, 'yunze-lu')
    const mine = await add(project, '自己的部门')
    expect((await project.ask(org.addOrgMembers, { body: { orgId: mine, memberIds: [stranger.id] } })).message).toBe('人员不在本组')
    // The platform has a tree of its own and may not change another group's.
    const admin = await city.as('admin')
    expect(await remove(admin, theirs)).toMatchObject({ message: '部门不存在或已删除' })
    await expect(
      world.database.pool.query(
        `insert into org_member (group_id, org_id, member_id) select n.group_id, n.id, $2 from org_node n where n.id = $1`,
        [mine, stranger.id],
      ),
    ).rejects.toThrow('foreign key')
  })

  test('whoever does not hold the codes neither sees nor changes it', async () => {
    const { caller: guest } = await somebody(world, groupId, [])
    expect(await guest.ask(org.orgTree)).toMatchObject({ http: 403 })
    const officer = await city.as('hospital-safety')
    expect(await officer.ask(org.orgTree)).toMatchObject({ status: 0 })
    for (const caller of [guest, officer])
      expect(await caller.ask(org.createOrg, { body: { name: '安全', parentId: null } })).toMatchObject({ http: 403 })
  })
})

describe('the people', () => {
  test('somebody of another group is added by the exact account, with roles that one holds oneself', async () => {
    const orgId = await add(project, '技术部')
    const put = (account: string, roleIds: string[] = []) =>
      project.ask(org.addOrgUser, { body: { orgId, account, roleIds, post: '顾问', isHead: true } })
    expect(await put('nobody-here')).toMatchObject({ http: 400, data: { field: 'account' } })
    expect(await put('chuyuan-li')).toMatchObject({ http: 400, data: { field: 'roleIds' } })
    const roleOf = async (type: number, name: string) => {
      const { rows } = await world.database.pool.query<{ id: string }>('select id from role where groups_type = $1 and name = $2', [
        type,
        name,
      ])
      return rows[0]?.id ?? ''
    }
    expect(await put('chuyuan-li', [await roleOf(2, '企业管理员')])).toMatchObject({ http: 400, data: { field: 'roleIds' } })
    const answer = await put('chuyuan-li', [await roleOf(3, '项目只读')])
    expect(answer).toMatchObject({ status: 0, data: { pending: true } })
    expect((await everybody(project)).map((m) => m.account)).not.toContain('chuyuan-li')
    await (await city.as('chuyuan-li')).call(answerJoin, { params: { id: answer.data.id }, body: { accept: true } })
    expect(await put('chuyuan-li')).toMatchObject({ status: 0, data: { pending: false } })
    expect((await put('chuyuan-li')).message).toContain('已在“技术部”')
    const added = await memberOf(project, 'chuyuan-li')
    expect(added).toMatchObject({ roleNames: ['项目只读'], places: [{ orgName: '技术部', post: '顾问', isHead: true }] })
    expect(await nodeOf(project, orgId)).toMatchObject({ heads: [added.name], own: 1 })

    const bare = await add(project, '资料室', orgId)
    const move = { orgId, memberIds: [added.id], post: '资料员', toOrgId: bare }
    expect(await project.ask(org.changeOrgPosts, { body: move })).toMatchObject({ status: 0 })
    expect((await project.ask(org.changeOrgPosts, { body: move })).message).toContain('已不在“技术部”')
    expect((await everybody(project, { orgId })).map((m) => m.account)).toEqual([])
    expect((await everybody(project, { orgId, below: '1' })).map((m) => m.account)).toEqual(['chuyuan-li'])
    const edit = { orgId: bare, post: '组长', isHead: true, version: 0 }
    expect(await project.ask(org.updateOrgMember, { params: { id: added.id }, body: edit })).toMatchObject({ status: 0 })
    expect((await project.ask(org.updateOrgMember, { params: { id: added.id }, body: edit })).message).toContain('请刷新后再改')

    expect(await project.ask(org.removeOrgMembers, { body: { memberIds: [added.id] } })).toMatchObject({ status: 0 })
    expect((await everybody(project)).map((m) => m.account)).not.toContain('chuyuan-li')
    expect(await nodeOf(project, bare)).toMatchObject({ own: 0, heads: [] })
    const { rows } = await world.database.pool.query(`select 1 from app_user where account = 'chuyuan-li'`)
    expect(rows).toHaveLength(1)
  })

  test('nobody joins a department that is closed, or that stands below a closed one', async () => {
    const closed = await add(project, '停用部')
    const below = await add(project, '停用部小组', closed)
    await change(project, closed, { enable: '0' })
    const me = await memberOf(project, 'hospital-pm')
    for (const orgId of [closed, below])
      expect((await project.ask(org.addOrgMembers, { body: { orgId, memberIds: [me.id] } })).message).toBe(
        '部门“停用部”已停用，不能加入人员',
      )
  })

  test('each figure of the strip is the list it opens, and a person in two departments counts once above them', async () => {
    const [a, b] = [await add(project, '一部'), await add(project, '二部')]
    const me = await memberOf(project, 'hospital-pm')
    for (const orgId of [a, b]) await project.call(org.addOrgMembers, { body: { orgId, memberIds: [me.id], post: '经理' } })
    await change(project, b, { parentId: a })
    expect(await nodeOf(project, a)).toMatchObject({ own: 1, people: 1 })
    await world.database.pool.query(`update app_user set last_login_at = now() - interval '200 days' where account = 'hospital-labour'`)
    const { figures } = await project.call(org.orgTree)
    for (const type of ['unplaced', 'dormant', 'several'] as const) {
      const { list, total } = await project.call(org.listOrgMembersOf, { params: { type }, query: {} })
      expect([type, total, list.length]).toEqual([type, figures[type], figures[type]])
      expect(total).toBeGreaterThan(0)
    }
    expect(figures.people).toBe((await everybody(project)).length)
    const { tree } = await project.call(org.orgPeopleTree)
    expect(JSON.stringify(tree)).toContain(`${b}:${me.id}`)
  })

  test('the last one who keeps the people stays; whoever leaves is out at once', async () => {
    const me = await memberOf(project, 'hospital-pm')
    expect((await project.ask(org.removeOrgMembers, { body: { memberIds: [me.id] } })).message).toContain('退出本组')
    expect((await project.ask(org.leaveGroup)).message).toContain('须留有一位')
    const officer = await city.as('hospital-safety')
    const sessions = () =>
      world.database.pool.query(
        `select 1 from session s join app_user u on u.id = s.user_id where u.account = 'hospital-safety' and s.group_id = $1`,
        [groupId],
      )
    expect((await sessions()).rows).not.toEqual([])
    expect(await officer.ask(org.leaveGroup)).toMatchObject({ status: 0 })
    expect((await everybody(project)).map((m) => m.account)).not.toContain('hospital-safety')
    expect((await sessions()).rows).toEqual([])
  })

  test('where nobody keeps the people any more, whoever never did may leave all the same', async () => {
    const site = city.city.personas.filter((p) => p.groupType === 3 && p.projectCode && !p.account.startsWith('hospital'))
    const pm = site.find((p) => p.account.endsWith('-pm') && site.some((o) => o !== p && o.projectCode === p.projectCode))
    const other = site.find((p) => p !== pm && p.projectCode === pm?.projectCode)
    const keeper = await memberOf(await city.as(pm?.account ?? ''), pm?.account ?? '')
    const officer = await city.as(other?.account ?? '')
    await world.database.pool.query(`update member set enable = '0' where id = $1`, [keeper.id])
    expect(await officer.ask(org.leaveGroup)).toMatchObject({ status: 0 })
  })

  test('whoever may do more is not put out by whoever may do less', async () => {
    const { rows } = await world.database.pool.query<{ id: string }>(
      `insert into role (id, group_id, groups_type, name, codes)
         select 'hr', t.id, 3, '人事', '{home.view,org.view,org.member}' from tenant t where t.id = $1 returning id`,
      [groupId],
    )
    await world.database.pool.query(
      `update member_role set role_id = $1 from member m join app_user u on u.id = m.user_id
       where member_role.member_id = m.id and u.account = 'hospital-labour'`,
      [rows[0]?.id],
    )
    const hr = await city.as('hospital-labour')
    const boss = await memberOf(project, 'hospital-pm')
    expect(await hr.ask(org.removeOrgMembers, { body: { memberIds: [boss.id] } })).toMatchObject({ http: 403 })
    expect((await everybody(project)).map((m) => m.account)).toContain('hospital-pm')
  })
})
