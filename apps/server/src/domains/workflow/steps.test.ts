import { listApprovals, listTodos } from '@zhugong/contract/home/endpoints'
import { weekends } from '@zhugong/contract/kit/rest-days'
import * as calls from '@zhugong/contract/workflow/endpoints'
import type { FlowNodeInput } from '@zhugong/contract/workflow/flow'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatInstant } from '#kit/clock'
import { type Database, openDatabase } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, type Somebody, somebody } from '../../../test/members.ts'
import type { Caller, World } from '../../../test/world.ts'
import { inTheNameOf } from './context-for-test.ts'
import { registerKind } from './kinds.ts'
import type { NamedPerson, WorkKind } from './model.ts'
import { startFlow } from './start.ts'

/** Who decides a step: limits of a role to projects, people named by the record, the responsible company; and when its time is over. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
const clock = { now: () => now }
let world: World
let settled: CityWorld
let databases: { requests: Database; system: Database }
/** Two sites under one authority. */
let [here, elsewhere] = ['', '']
let authority = ''
/** An officer of the authority whose only role covers `here`, and one whose role covers everything. */
let officer: Somebody
let colleague: Somebody
/** An administrator of the authority. */
let head: Somebody
let sectionRole = ''
let named: readonly NamedPerson[] = []
const applicant = { userId: '', groupId: '' }

const officerCodes = ['approval.view', 'approval.audit', 'approval.transfer', 'project.view', 'project.state', 'home.view']
const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> => (await world.database.pool.query(text, values)).rows as T[]

function kindOf(kind: string, flow: FlowNodeInput[], more: Partial<WorkKind> = {}) {
  registerKind({
    kind,
    name: kind,
    prefix: kind.toUpperCase(),
    facts: {},
    flow,
    reads: ['project.view'],
    link: () => '/main',
    document: async (_, id) => ({ fields: [{ label: '内容', value: id }] }),
    decided: async () => undefined,
    ...more,
  })
}

let made = 0
async function begin(kind: string, projectCode: string, by = applicant, corpCode: string | null = null): Promise<string> {
  const objectId = `thing-${++made}`
  const groupId = by.groupId
  const { itemId } = await inTheNameOf(databases, clock, by, (ctx) =>
    startFlow(ctx, { kind, groupId, projectCode, objectId, title: `${kind} ${objectId}`, corpCode }),
  )
  return itemId
}
const whoIs = async (account: string) =>
  (
    await query<{ userId: string; groupId: string }>(
      `select u.id as "userId", m.group_id as "groupId" from app_user u join member m on m.user_id = u.id where u.account = $1 order by m.is_default desc`,
      [account],
    )
  )[0]!
const decide = (caller: Caller, id: string, body: object = {}) =>
  caller.ask(calls.actOnApproval, { params: { id }, body: { result: 'pass', version: 0, ...body } as never })
const detailFor = (caller: Caller, id: string) => caller.ask(calls.getApproval, { params: { id } })
const stepOf = async (id: string) =>
  (
    await query<{ note: string | null; deadline: Date | null; users: string[]; groups: string[] }>(
      `select s.note, s.deadline, array(select a.user_id from work_approver a where a.step_id = s.id and a.user_id is not null) as users,
         array(select a.group_id from work_approver a where a.step_id = s.id) as groups from work_step s where s.item_id = $1`,
      [id],
    )
  )[0]!
const toldOf = async (id: string, userId: string) =>
  (
    await query<{ n: number }>('select count(*)::int as n from message where link = $1 and user_id = $2', [
      `/workbench/approvalDetail?id=${id}`,
      userId,
    ])
  )[0]!.n

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  databases = { requests: openDatabase(world.config.databaseUrl ?? ''), system: openDatabase(world.config.databaseUrl ?? '') }
  const site = settled.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  const { superviseOrg } = settled.city.projects.find((p) => p.projectCode === site)!
  here = site
  elsewhere = settled.city.projects.find((p) => p.projectCode !== site && p.superviseOrg === superviseOrg)!.projectCode
  authority = await groupNamed(world, 1, superviseOrg)
  sectionRole = await roleOf(world, authority, officerCodes, [here])
  officer = await somebody(world, authority, [sectionRole])
  colleague = await somebody(world, authority, [await roleOf(world, authority, officerCodes)])
  const [administrator] = await query<{ id: string }>('select id from role where administrator and groups_type = 1 and group_id is null')
  head = await somebody(world, authority, [administrator!.id])
  Object.assign(applicant, await whoIs('admin'))
  const atAuthority = { key: 'a', name: '监督', places: ['authority' as const] }
  kindOf('byCode', [{ ...atAuthority, by: { kind: 'code', code: 'project.state' }, hours: 24 }])
  kindOf('byRole', [{ ...atAuthority, by: { kind: 'role', roleId: sectionRole } }])
  kindOf('byUser', [{ ...atAuthority, by: { kind: 'users', userIds: [officer.userId] } }])
  const naming = { named: async () => named, namedAs: '监护人' }
  kindOf('byNamed', [{ key: 'n', name: '监护', places: ['named'], by: { kind: 'admin' } }], naming)
  kindOf('byNamedOrCode', [{ ...atAuthority, places: ['named', 'authority'], by: { kind: 'code', code: 'project.state' } }], naming)
  kindOf('byCorp', [{ key: 'c', name: '责任单位', places: ['corp'], by: { kind: 'code', code: 'personnel.view' } }], { corp: true })
})
afterAll(async () => {
  await databases.requests.close()
  await databases.system.close()
  await world.close()
})

describe('an officer whose role is limited to some projects', () => {
  const listed = async (id: string) => {
    const box = await officer.caller.call(listApprovals, { query: { box: 'todo', size: 100 } })
    const todos = await officer.caller.call(listTodos, { query: { kind: 'approval', size: 100 } })
    expect(box.counts.todo).toBe(box.total)
    return [box.list.some((one) => one.id === id), todos.list.some((one) => one.id === `approval:${id}`)]
  }

  test.each(['byCode', 'byRole', 'byUser'])('%s: is asked, shown and heard for an item of his projects', async (kind) => {
    const id = await begin(kind, here)
    expect((await stepOf(id)).note).toBeNull()
    expect(await toldOf(id, officer.userId)).toBe(1)
    expect(await listed(id)).toEqual([true, true])
    expect(await detailFor(officer.caller, id)).toMatchObject({ status: 0, data: { actions: ['pass', 'reject', 'transfer', 'addSign'] } })
    expect(await decide(officer.caller, id)).toMatchObject({ status: 0, data: { state: '2' } })
  })

  test.each(['byCode', 'byRole', 'byUser'])('%s: is not asked, shown or heard for an item of another project', async (kind) => {
    const id = await begin(kind, elsewhere)
    expect(await toldOf(id, officer.userId)).toBe(0)
    expect((await stepOf(id)).users).not.toContain(officer.userId)
    expect(await listed(id)).toEqual([false, false])
    expect(await detailFor(officer.caller, id)).toMatchObject({ status: 2, message: '审批事项不存在或已删除' })
    expect((await decide(officer.caller, id)).status).not.toBe(0)
    expect((await query<{ state: string }>('select state from work_item where id = $1', [id]))[0]!.state).toBe('1')
  })

  test.each(['byRole', 'byUser'])('%s: a step that only he could decide is without a decider elsewhere', async (kind) => {
    const { note, users } = await stepOf(await begin(kind, elsewhere))
    expect(note).toBe('未找到审批人，已转管理员')
    expect(users).toEqual([head.userId])
  })

  test('cannot be handed an item of another project', async () => {
    const id = await begin('byCode', elsewhere)
    const detail = await detailFor(colleague.caller, id)
    expect(detail.data.colleagues.map((one) => one.id)).not.toContain(officer.userId)
    for (const body of [
      { result: 'transfer', transferTo: officer.userId },
      { result: 'addSign', addSign: [officer.userId] },
    ])
      expect(await decide(colleague.caller, id, body)).toMatchObject({ status: 2, message: '某人不负责此项目' })
    const own = await begin('byCode', here)
    expect((await detailFor(colleague.caller, own)).data.colleagues.map((one) => one.id)).toContain(officer.userId)
    expect(await decide(colleague.caller, own, { result: 'transfer', transferTo: officer.userId })).toMatchObject({ status: 0 })
  })

  test('with a second role limited to the other project he decides there as well', async () => {
    const second = await somebody(world, authority, [sectionRole, await roleOf(world, authority, officerCodes, [elsewhere])])
    const id = await begin('byCode', elsewhere)
    expect(await toldOf(id, second.userId)).toBe(1)
    // The role that the step asks for covers only the first project.
    const byRole = await begin('byRole', elsewhere)
    expect((await decide(second.caller, byRole)).status).not.toBe(0)
    expect(await decide(second.caller, id)).toMatchObject({ status: 0 })
  })
})

describe('people named by the record', () => {
  test('decide it, each from a seat of their own, and nobody else', async () => {
    named = [{ userId: officer.userId, groupId: authority }]
    const id = await begin('byNamed', here)
    expect(await stepOf(id)).toMatchObject({ note: null, users: [officer.userId] })
    expect(await toldOf(id, officer.userId)).toBe(1)
    expect((await decide(colleague.caller, id)).message).toBe('此事项等待监护审批')
    expect(await decide(officer.caller, id)).toMatchObject({ status: 0, data: { state: '2' } })
  })

  test('stand beside the holders of a code', async () => {
    const { userId, groupId } = await whoIs('hospital-pm')
    named = [{ userId, groupId }]
    const id = await begin('byNamedOrCode', here)
    const { users, groups } = await stepOf(id)
    expect(users).toEqual([userId])
    expect(groups.sort()).toEqual([authority, groupId].sort())
    expect((await detailFor(colleague.caller, id)).data.actions).toContain('pass')
    expect(await decide(await settled.as('hospital-pm'), id)).toMatchObject({ status: 0, data: { state: '2' } })
  })

  test.each([
    ['nobody', async () => [], '事项未指定审批人，已转管理员'],
    ['somebody who has left the group', async () => [{ userId: 'gone', groupId: authority }], '未找到审批人，已转管理员'],
    ['somebody of other projects', async () => [{ userId: officer.userId, groupId: authority }], '未找到审批人，已转管理员'],
  ])('%s: the item says so and goes to the administrators of the applicant’s group', async (_, who, note) => {
    named = await who()
    const labour = await whoIs('hospital-labour')
    const site = named.some((one) => one.userId === officer.userId) ? elsewhere : here
    const by = site === here ? labour : applicant
    const step = await stepOf(await begin('byNamed', site, by))
    expect(step.note).toBe(note)
    if (site === here) expect(new Set(step.groups)).toEqual(new Set([labour.groupId]))
  })
})

test('the responsible company of an item decides it, a subcontractor too, and no other company', async () => {
  const corpCode = settled.city.personas.find((p) => p.account === 'dingli-cheng')!.corpCode!
  const group = await groupNamed(world, 2, corpCode)
  const foreman = await somebody(world, group, [await roleOf(world, group, ['approval.view', 'approval.audit', 'personnel.view'])])
  const id = await begin('byCorp', here, applicant, corpCode)
  expect((await stepOf(id)).groups).toEqual([group])
  expect((await decide(await settled.as('yunze-lu'), id)).status).not.toBe(0)
  expect(await foreman.caller.ask(calls.changeApproval, { params: { id }, body: { action: 'comment', text: '已通知班组' } })).toMatchObject(
    {
      status: 0,
    },
  )
  expect(await decide(foreman.caller, id)).toMatchObject({ status: 0, data: { state: '2' } })
  // Without a responsible company the step is empty.
  expect((await stepOf(await begin('byCorp', here))).note).toBe('未找到审批人，已转管理员')
})

test('a flow is saved only with places that its items have, and the settings name them', async () => {
  const admin = await settled.as('admin')
  const save = (bizType: string, place: string) =>
    admin.ask(calls.saveFlowSetting, {
      body: { bizType, mode: 'own', version: 0, nodes: [{ key: 'a', name: '一', places: [place], by: { kind: 'admin' } }] } as never,
    })
  expect(await save('byCode', 'named')).toMatchObject({ status: 2, message: '一：此业务没有事项指定的人' })
  expect(await save('byCode', 'corp')).toMatchObject({ status: 2, message: '一：此业务没有责任单位' })
  expect(await save('byNamed', 'corp')).toMatchObject({ status: 2, message: '一：此业务没有责任单位' })
  expect(await save('byNamed', 'named')).toMatchObject({ status: 0 })
  const placesOf = async (bizType: string) =>
    (await admin.call(calls.getFlowSettings, { query: { bizType } })).setting!.places.filter((one) => ['named', 'corp'].includes(one.key))
  expect(await placesOf('byCode')).toEqual([])
  expect(await placesOf('byNamed')).toEqual([{ key: 'named', name: '监护人' }])
  expect(await placesOf('byCorp')).toEqual([{ key: 'corp', name: '责任单位' }])
  // A step that depends on the item is not reported as empty.
  const { setting } = await admin.call(calls.getFlowSettings, { query: { bizType: 'byNamed' } })
  expect(setting!.resolved).toMatchObject([{ empty: false, people: [] }])
  expect(() => kindOf('unsound', [{ key: 'n', name: '一', places: ['named'], by: { kind: 'admin' } }])).toThrow('has the place named')
})

test('the hours of a step count on working days of the common calendar', async () => {
  const deadlineOf = async () => formatInstant((await stepOf(await begin('byCode', here))).deadline!).slice(0, 16)
  // Friday; the weekend does not count.
  expect(await deadlineOf()).toBe('2026-11-23 10:00')
  const calendar = { ...weekends, restDates: ['2026-11-23', '2026-11-24'] }
  await query(`update tenant set settings = jsonb_set(settings, '{info}', coalesce(settings -> 'info', '{}') || $1) where type = 0`, [
    JSON.stringify({ calendar }),
  ])
  expect(await deadlineOf()).toBe('2026-11-25 10:00')
})
