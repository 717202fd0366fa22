import { grantedApps, initMenus } from '@zhugong/contract/access/endpoints'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { whyClosed } from '@zhugong/contract/access/users'
import { actOnAlarm, listSuppressions } from '@zhugong/contract/alarms/endpoints'
import { useApp } from '@zhugong/contract/apps/app-endpoints'
import { dayAfter } from '@zhugong/contract/apps/codes'
import * as contract from '@zhugong/contract/apps/grant-endpoints'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { formatDay, startOfDay, systemClock } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let people: CityWorld
let now = systemClock.now()
const today = () => formatDay(now)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  people = await settleCity(world)
})
afterAll(() => world.close())

/** Starts a new session each time, because rights are cached for up to a second. */
const groupOf = async (type: number, code: string): Promise<string> => {
  const row = await world.database.kysely
    .selectFrom('tenant')
    .select('id')
    .where('type', '=', type)
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  return row.id
}
const site = () => people.city.projects[0]?.projectCode ?? ''
const grantOf = async (groupId: string, app: string) =>
  world.database.kysely
    .selectFrom('appGrant')
    .selectAll()
    .where('groupId', '=', groupId)
    .where('appId', '=', `app-${app}`)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
const settleEnd = async (groupId: string, app: string, deadline: string | null) =>
  world.database.kysely
    .updateTable('appGrant')
    .set({ deadline, startDay: '2026-01-01' })
    .where('groupId', '=', groupId)
    .where('appId', '=', `app-${app}`)
    .execute()
const stayLoggedIn = () =>
  world.database.pool.query(
    `update session set expires_at = now() + interval '9 days', hard_expires_at = now() + interval '9 days', live = true`,
  )
const later = (ms = 1000) => {
  now += ms
}
const pathsOf = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap((node) => [...(node.path ? [node.path] : []), ...pathsOf(node.children)])
const codesOf = async (who: Caller) => {
  later()
  return (await who.call(getMyInfo)).operator
}

test('every group begins with every app of its kind, without an end', async () => {
  const { rows } = await world.database.pool.query<{ n: number }>(`
    select count(*)::int as n from tenant t, app a where t.type > 0 and not a.base and t.type = any (a.group_types)
      and not exists (select 1 from app_grant g where g.group_id = t.id and g.app_id = a.id and g.deadline is null and g.source = 'default')`)
  expect(rows[0]?.n).toBe(0)
})

test.each([
  [-1, true, true, true],
  [0, true, true, true],
  [1, false, true, true],
  [15, false, true, true],
  [16, false, false, false],
] as const)('%i days after the last day: changing %s, reading %s, in the menus %s', async (days, changes, reads, shown) => {
  const safety = await people.as('hospital-safety')
  const group = await groupOf(3, site())
  await settleEnd(group, 'alarm', dayAfter(today(), -days))
  const codes = await codesOf(safety)
  expect(codes.includes('alarm.handle')).toBe(changes)
  expect(codes.includes('alarm.view')).toBe(reads)
  expect(pathsOf(await safety.call(initMenus)).includes('/alarm/record')).toBe(shown)
  const seen = await safety.ask(listSuppressions as Endpoint, { query: {} })
  expect(seen.http === 403).toBe(!reads)
  if (!reads) expect(seen.message).toBe('“告警中心”的授权已到期，数据和设备不受影响，续期后恢复')
  await settleEnd(group, 'alarm', null)
  later()
})

test('the day turns at midnight in Shanghai, wherever the machine stands', async () => {
  const safety = await people.as('hospital-safety')
  const group = await groupOf(3, site())
  const last = today()
  await settleEnd(group, 'alarm', last)
  // Far before the end of the session: one second before and after midnight.
  const midnight = startOfDay(dayAfter(last, 1))
  await stayLoggedIn()
  now = midnight - 1000
  expect((await safety.call(getMyInfo)).operator).toContain('alarm.handle')
  now = midnight + 1000
  expect((await safety.call(getMyInfo)).operator).not.toContain('alarm.handle')
  await settleEnd(group, 'alarm', null)
  later()
})

test('in the days of grace a change is refused in words that say until when and what to do', async () => {
  const safety = await people.as('hospital-safety')
  const group = await groupOf(3, site())
  const last = dayAfter(today(), -3)
  await settleEnd(group, 'alarm', last)
  later()
  const refused = await safety.ask(actOnAlarm as Endpoint, { params: { id: 'any' }, body: {} })
  expect([refused.http, refused.message]).toEqual([403, `“告警中心”已于 ${last} 到期，15 天宽限期内只能查看；“接单”请在续期后办理`])
  await settleEnd(group, 'alarm', null)
  later()
})

test('an end of apps deletes nothing and stops no device, gate or ledger', async () => {
  const group = await groupOf(3, site())
  const count = async () =>
    (
      await world.database.pool.query(
        `select (select count(*) from device where project_code = $1) as devices,
    (select count(*) from attendance_event where project_code = $1) as events, (select count(*) from project_worker where project_code = $1) as people`,
        [site()],
      )
    ).rows[0]
  const before = await count()
  await world.database.kysely
    .updateTable('appGrant')
    .set({ startDay: '2025-01-01', deadline: '2025-06-01' })
    .where('groupId', '=', group)
    .execute()
  expect(await count()).toEqual(before)
  const safety = await people.as('hospital-safety')
  later()
  const apps = (await safety.call(grantedApps)).apps.map((app) => app.code)
  // The home page, projects and administration cannot be revoked.
  expect(apps.every((app) => ['home', 'project', 'system'].includes(app))).toBe(true)
  expect(apps).toContain('home')
  await world.database.kysely.updateTable('appGrant').set({ startDay: '2026-01-01', deadline: null }).where('groupId', '=', group).execute()
  later()
})

test('a grant that has not begun opens nothing', async () => {
  const safety = await people.as('hospital-safety')
  const group = await groupOf(3, site())
  await world.database.kysely
    .updateTable('appGrant')
    .set({ startDay: dayAfter(today(), 1) })
    .where('groupId', '=', group)
    .where('appId', '=', 'app-alarm')
    .execute()
  expect(await codesOf(safety)).not.toContain('alarm.view')
  await settleEnd(group, 'alarm', null)
  later()
})

// ---- passing on grants

const company = () => people.as('yunze-lu')
const companyCode = () => people.city.personas.find((one) => one.account === 'yunze-lu')?.corpCode ?? ''
/** A project that the company runs, and one that it does not take part in. */
const ownProject = () =>
  people.city.projectCorps.find((one) => one.corpCode === companyCode() && (one.corpType === '009' || one.corpType === '008'))
    ?.projectCode ?? ''
const strangeProject = () =>
  people.city.projects.find(
    (p) => !people.city.projectCorps.some((one) => one.corpCode === companyCode() && one.projectCode === p.projectCode),
  )?.projectCode ?? ''
/** Deletes the grants, as if the project had never had the app. */
const takeAway = async (groupId: string, app: string) =>
  world.database.kysely.deleteFrom('appGrant').where('groupId', '=', groupId).where('appId', '=', `app-${app}`).execute()

test('a company hands on what it holds, as long as it holds it; what it needs comes along', async () => {
  const lu = await company()
  const [own, target] = [await groupOf(2, companyCode()), await groupOf(3, ownProject())]
  await settleEnd(own, 'tower-crane', dayAfter(today(), 100))
  for (const app of ['tower-crane', 'device']) await takeAway(target, app)
  const tooLong = await lu.ask(contract.createGrant, {
    body: { groupId: target, apps: ['app-tower-crane'], deadline: dayAfter(today(), 101) },
  })
  expect(tooLong.message).toContain('下发的期限不能更长')
  const forever = await lu.ask(contract.createGrant, { body: { groupId: target, apps: ['app-tower-crane'], deadline: null } })
  expect(forever.message).toContain('下发的期限不能更长')
  const made = await lu.call(contract.createGrant, {
    body: { groupId: target, apps: ['app-tower-crane'], deadline: dayAfter(today(), 100) },
  })
  expect(made.added).toEqual(['设备台账'])
  const passed = await grantOf(target, 'tower-crane')
  expect([passed.source, passed.byGroup, passed.parentId]).toEqual(['passed', own, (await grantOf(own, 'tower-crane')).id])
})

test('shortening what was given shortens what was handed on, and says how many; revoking takes it along', async () => {
  const admin = await people.as('admin')
  const [own, target] = [await groupOf(2, companyCode()), await groupOf(3, ownProject())]
  const parent = await grantOf(own, 'tower-crane')
  const shorter = dayAfter(today(), 20)
  const { shortened } = await admin.call(contract.updateGrant, {
    params: { id: parent.id },
    body: { deadline: shorter, version: parent.version },
  })
  expect(shortened).toBe(1)
  expect((await grantOf(target, 'tower-crane')).deadline).toBe(shorter)
  // A longer grant above does not change the grants passed on from it.
  const again = await grantOf(own, 'tower-crane')
  await admin.call(contract.updateGrant, { params: { id: parent.id }, body: { deadline: null, version: again.version } })
  expect((await grantOf(target, 'tower-crane')).deadline).toBe(shorter)
  const { revoked } = await admin.call(contract.revokeGrant, { params: { id: parent.id }, query: { reason: '合同终止' } })
  expect(revoked).toBe(2)
  await expect(grantOf(target, 'tower-crane')).rejects.toThrow()
  const kept = await world.database.kysely
    .selectFrom('appGrant')
    .select('revokeReason')
    .where('id', '=', parent.id)
    .executeTakeFirstOrThrow()
  expect(kept.revokeReason).toBe('合同终止')
  // The audit log names group and app; the closed page says that the app is missing instead of naming roles.
  const { rows } = await world.database.pool.query<{ summary: string }>('select summary from audit_log where object_id = $1', [parent.id])
  expect(rows.map((row) => row.summary)).toContainEqual(expect.stringMatching(/^撤销 .+ 的应用授权 塔机监测：合同终止$/))
  const lu = await company()
  expect((await lu.call(whyClosed, { query: { codes: ['tower-crane.view'] } })).reason).toBe('本组未开通“塔机监测”，可在应用中心申请')
  expect((await lu.call(whyClosed, { query: { codes: ['app.edit'] } })).reason).toBeNull()
})

test('what it does not hold, or holds in its days of grace, a group cannot hand on', async () => {
  const lu = await company()
  const [own, target] = [await groupOf(2, companyCode()), await groupOf(3, ownProject())]
  const none = await lu.ask(contract.createGrant, { body: { groupId: target, apps: ['app-tower-crane'], deadline: dayAfter(today(), 5) } })
  expect(none.message).toContain('本组没有开通')
  await settleEnd(own, 'video', dayAfter(today(), -2))
  await takeAway(target, 'video')
  const grace = await lu.ask(contract.createGrant, { body: { groupId: target, apps: ['app-video'], deadline: dayAfter(today(), 5) } })
  expect(grace.message).toContain('不在有效期内')
  await settleEnd(own, 'video', null)
})

test('a group gives nothing to a group outside its branch, nor to itself, and finds out nothing about it', async () => {
  const lu = await company()
  for (const [type, code] of [
    [3, strangeProject()],
    [2, companyCode()],
    [1, people.city.governments[0]?.govCode ?? ''],
  ] as const) {
    const answer = await lu.ask(contract.createGrant, {
      body: { groupId: await groupOf(type, code), apps: ['app-helmet'], deadline: dayAfter(today(), 5) },
    })
    expect([answer.http, answer.message]).toEqual([400, '授权对象不存在或不在您的管辖范围内'])
  }
  const foreign = await grantOf(await groupOf(3, strangeProject()), 'helmet')
  for (const answer of [
    await lu.ask(contract.getGrant, { params: { id: foreign.id } }),
    await lu.ask(contract.updateGrant, { params: { id: foreign.id }, body: { deadline: null, version: foreign.version } }),
    await lu.ask(contract.revokeGrant, { params: { id: foreign.id }, query: { reason: '试' } }),
  ])
    expect([answer.http, answer.message]).toEqual([400, '授权不存在或已删除'])
})

test('a grant of somebody else, or of another app, is no origin', async () => {
  const lu = await company()
  const target = await groupOf(3, ownProject())
  await takeAway(target, 'meters')
  const foreign = await grantOf(await groupOf(3, strangeProject()), 'meters')
  const otherApp = await grantOf(await groupOf(2, companyCode()), 'helmet')
  for (const parentGrantId of [foreign.id, otherApp.id, 'nothing']) {
    const answer = await lu.ask(contract.createGrant, {
      body: { groupId: target, apps: ['app-meters'], deadline: dayAfter(today(), 5), parentGrantId },
    })
    expect(answer.message).toContain('本组没有开通')
  }
})

test('the platform’s own grant stays untouched by who is below: neither its end nor its taking back is theirs', async () => {
  const lu = await company()
  const direct = await grantOf(await groupOf(3, ownProject()), 'environment')
  const longer = await lu.ask(contract.updateGrant, {
    params: { id: direct.id },
    body: { deadline: dayAfter(today(), 900), version: direct.version },
  })
  expect(longer.message).toContain('由给出它的机构修改')
  expect((await lu.ask(contract.revokeGrant, { params: { id: direct.id }, query: { reason: '试' } })).message).toContain(
    '由给出它的机构撤销',
  )
  const pm = await people.as('hospital-pm')
  const own = await grantOf(await groupOf(3, site()), 'environment')
  expect((await pm.ask(contract.updateGrant, { params: { id: own.id }, body: { required: true, version: own.version } })).http).toBe(403)
  // The site itself decides the position in its menus.
  await pm.call(contract.updateGrant, { params: { id: own.id }, body: { visible: false, version: own.version } })
  later()
  const hidden = await pm.call(initMenus)
  expect(pathsOf(hidden)).not.toContain('/environmental')
  expect(await codesOf(pm)).toContain('environment.view')
  await pm.call(contract.updateGrant, { params: { id: own.id }, body: { visible: true, version: own.version + 1 } })
  const stale = await pm.ask(contract.updateGrant, { params: { id: own.id }, body: { visible: false, version: own.version } })
  expect(stale.message).toContain('请刷新后再改')
})

test('what a rule demands is not hidden', async () => {
  const pm = await people.as('hospital-pm')
  const own = await grantOf(await groupOf(3, site()), 'attendance')
  await world.database.kysely.updateTable('appGrant').set({ required: true }).where('id', '=', own.id).execute()
  const answer = await pm.ask(contract.updateGrant, { params: { id: own.id }, body: { visible: false, version: own.version } })
  expect(answer.message).toContain('必须应用')
})

test('the database itself refuses a longer child, a strange origin and a holder who decides', async () => {
  const own = await groupOf(2, companyCode())
  const target = await groupOf(3, ownProject())
  const parent = await grantOf(own, 'lifter')
  await settleEnd(own, 'lifter', dayAfter(today(), 10))
  await takeAway(target, 'lifter')
  const insert = (deadline: string, by: string, app = 'app-lifter') =>
    world.database.pool.query(
      `insert into app_grant (id, group_id, app_id, start_day, deadline, source, by_group, parent_id) values ('x', $1, $2, $3, $4, 'passed', $5, $6)`,
      [target, app, today(), deadline, by, parent.id],
    )
  await expect(insert(dayAfter(today(), 11), own)).rejects.toThrow('inside the one it comes from')
  await expect(insert(dayAfter(today(), 10), target)).rejects.toThrow('inside the one it comes from')
  await expect(insert(dayAfter(today(), 10), own, 'app-video')).rejects.toThrow('inside the one it comes from')
})

// ---- batches

test('a batch is tried first, never shortens, lists what cannot be, and can be taken back within a day', async () => {
  const lu = await company()
  const own = await groupOf(2, companyCode())
  const target = await groupOf(3, ownProject())
  for (const app of ['helmet', 'vehicle']) await takeAway(target, app)
  await settleEnd(own, 'vehicle', dayAfter(today(), 30))
  const body = { ids: [target], apps: ['app-helmet', 'app-vehicle', 'app-environment'], deadline: dayAfter(today(), 60) }
  const tried = await lu.call(contract.batchApps, { body: { ...body, dryRun: true } })
  expect(tried.cells.map((cell) => [cell.appId, cell.result])).toEqual([
    ['app-helmet', 'add'],
    ['app-vehicle', 'not'],
    ['app-environment', 'add'],
  ])
  expect(tried.batchId).toBeNull()
  await expect(grantOf(target, 'helmet')).rejects.toThrow()
  const done = await lu.call(contract.batchApps, { body })
  expect((await grantOf(target, 'helmet')).deadline).toBe(body.deadline)
  const shorter = await lu.call(contract.batchApps, { body: { ...body, apps: ['app-helmet'], deadline: dayAfter(today(), 3) } })
  expect(shorter.cells.map((cell) => cell.result)).toEqual(['same'])
  expect((await grantOf(target, 'helmet')).deadline).toBe(body.deadline)
  const other = await people.as('chuyuan-li')
  expect((await other.ask(contract.batchApps, { body: { mode: 'undo', batchId: done.batchId ?? '' } })).http).toBe(400)
  const undone = await lu.call(contract.batchApps, { body: { mode: 'undo', batchId: done.batchId ?? '' } })
  expect(undone.cells).toHaveLength(2)
  await expect(grantOf(target, 'helmet')).rejects.toThrow()
  expect((await lu.ask(contract.batchApps, { body: { mode: 'undo', batchId: done.batchId ?? '' } })).http).toBe(400)
  const again = await lu.call(contract.batchApps, { body })
  await stayLoggedIn()
  now += 25 * 3_600_000
  expect((await lu.ask(contract.batchApps, { body: { mode: 'undo', batchId: again.batchId ?? '' } })).message).toContain('24 小时')
})

test('ends are moved together by months, each by its own calendar and inside what it came from', async () => {
  const admin = await people.as('admin')
  const group = await groupOf(3, strangeProject())
  await settleEnd(group, 'helmet', '2099-01-31')
  await settleEnd(group, 'meters', null)
  const ids = [(await grantOf(group, 'helmet')).id, (await grantOf(group, 'meters')).id]
  const tried = await admin.call(contract.batchDeadline, { body: { ids, months: 1, dryRun: true } })
  const byApp = Object.fromEntries(tried.cells.map((cell) => [cell.appId, [cell.result, cell.after]]))
  expect(byApp['app-meters']).toEqual(['same', null])
  expect(byApp['app-helmet']?.[0]).toBe('not')
  await settleEnd(group, 'helmet', dayAfter(today(), 5))
  await admin.call(contract.batchDeadline, { body: { ids, deadline: dayAfter(today(), 50) } })
  expect((await grantOf(group, 'helmet')).deadline).toBe(dayAfter(today(), 50))
  expect((await grantOf(group, 'meters')).deadline).toBeNull()
  expect((await admin.ask(contract.batchDeadline, { body: { ids } })).http).toBe(400)
})

test('a contract’s end is set for all that a group holds at once, also for what has no end or a later one', async () => {
  const admin = await people.as('admin')
  const group = await groupOf(3, strangeProject())
  await settleEnd(group, 'helmet', dayAfter(today(), 5))
  await settleEnd(group, 'meters', null)
  const ids = [(await grantOf(group, 'helmet')).id, (await grantOf(group, 'meters')).id]
  const deadline = dayAfter(today(), 90)
  const tried = await admin.call(contract.batchDeadline, { body: { ids, deadline, exact: true, dryRun: true } })
  const byApp = Object.fromEntries(tried.cells.map((cell) => [cell.appId, [cell.result, cell.after]]))
  expect(byApp).toEqual({ 'app-helmet': ['extend', deadline], 'app-meters': ['shorten', deadline] })
  await admin.call(contract.batchDeadline, { body: { ids, deadline, exact: true } })
  expect((await grantOf(group, 'helmet')).deadline).toBe(deadline)
  expect((await grantOf(group, 'meters')).deadline).toBe(deadline)
  expect((await admin.ask(contract.batchDeadline, { body: { ids, months: 3, exact: true } })).http).toBe(400)
})

// ---- usage

test('who opens an app is counted once a day for it, in every list that tells of use, and an app nobody opened says so', async () => {
  const group = await groupOf(3, site())
  await world.database.pool.query('delete from app_use where group_id = $1', [group])
  const pm = await people.as('hospital-pm')
  const admin = await people.as('admin')
  const use = async () => {
    const { list } = await admin.call(contract.grantsOf, { query: { groupId: group, size: 200 } })
    const other = list.find((grant) => grant.appId !== 'app-alarm')
    return [list.find((grant) => grant.appId === 'app-alarm'), other].map((grant) => [grant?.users, grant?.everUsed])
  }
  expect(await use()).toEqual([
    [0, false],
    [0, false],
  ])
  // A page reports its permission code, or its app.
  await pm.call(useApp, { body: { code: 'alarm.view' } })
  await pm.call(useApp, { body: { code: 'alarm' } })
  await (await people.as('hospital-safety')).call(useApp, { body: { code: 'alarm.view' } })
  expect(await use()).toEqual([
    [2, true],
    [0, false],
  ])
  // After seven days the number of recent users is 0, and the last use is kept.
  await world.database.pool.query('update app_use set day = day - 8 where group_id = $1', [group])
  expect(await use()).toEqual([
    [0, true],
    [0, false],
  ])
})

// ---- reads

test('the ledger counts what its list shows, state by state, and each sees its own branch', async () => {
  const admin = await people.as('admin')
  const figures = await admin.call(contract.grantFigures)
  for (const state of ['valid', 'ending', 'grace', 'ended', 'pending'] as const) {
    const { total } = await admin.call(contract.grantGroups, { query: { state, size: 1 } })
    expect([state, total]).toEqual([state, figures[state]])
  }
  // A grant that ends in twelve days is valid and is counted.
  const holding = async () => (await admin.call(contract.grantGroups, { query: { state: 'valid,ending', size: 1 } })).total
  const group = await groupOf(3, site())
  await settleEnd(group, 'tower-crane', null)
  const before = await holding()
  await settleEnd(group, 'tower-crane', dayAfter(today(), 12))
  const after = await admin.call(contract.grantFigures)
  expect([await holding(), after.valid + after.ending]).toEqual([before, before])
  await settleEnd(group, 'tower-crane', null)
  const all = await admin.call(contract.grantGroups, { query: { size: 1000 } })
  expect(all.total).toBe(people.city.projects.length + people.city.corporations.length + people.city.governments.length)
  const lu = await company()
  const seen = await lu.call(contract.grantGroups, { query: { size: 1000 } })
  const runs = people.city.projectCorps.filter((one) => one.corpCode === companyCode() && ['008', '009'].includes(one.corpType))
  const names = people.city.projects.filter((p) => runs.some((one) => one.projectCode === p.projectCode)).map((p) => p.name)
  expect(names.length).toBeGreaterThan(0)
  expect(
    seen.list
      .filter((one) => one.groupType === 3)
      .map((one) => one.groupName)
      .sort(),
  ).toEqual(names.sort())
  expect(seen.list.every((one) => one.groupType === 3 || one.groupType === 2)).toBe(true)
  const fang = await people.as('city-fang')
  const city = await fang.call(contract.grantGroups, { query: { size: 1000 } })
  expect(city.list.every((one) => one.areaCode?.startsWith('4202'))).toBe(true)
})

test('every filter and order of the two lists answers', async () => {
  const admin = await people.as('admin')
  for (const sort of ['groupName', 'appCount', 'nearestDeadline', 'leftTime', 'updateTime', '-leftTime'] as const)
    await admin.call(contract.grantGroups, {
      query: {
        sort,
        groupName: '项目',
        groupType: '3',
        areaCode: '420200',
        appCount: '1,',
        nearestDeadline: '2026-01-01,',
        leftTime: ',400',
        source: 'default',
      },
    })
  for (const sort of ['groupName', 'deadline', 'appName', 'users'] as const)
    await admin.call(contract.grantsOf, { query: { sort, appId: 'app-helmet', state: 'valid', unused: 'true', deadline: ',2100-01-01' } })
  expect((await admin.ask(contract.grantGroups, { query: { sort: 'nothing' as never } })).http).toBe(400)
})

test('the ledger in SQL and the rule of the contract say the same of every day around the borders', async () => {
  const { grantState } = await import('@zhugong/contract/apps/codes')
  const { stateSql } = await import('./grant-rows.ts')
  const { sql } = await import('kysely')
  const span = { start: '2026-03-01', deadline: '2026-04-30' }
  for (let day = '2026-02-27'; day < '2026-05-20'; day = dayAfter(day, 1)) {
    const { rows } = await sql<{ state: string; open: string }>`
      select ${stateSql(sql`date '2026-03-01'`, sql`date '2026-04-30'`, day)} as state, ${stateSql(sql`date '2026-03-01'`, sql`null::date`, day)} as open`.execute(
      world.database.kysely,
    )
    expect([day, rows[0]?.state, rows[0]?.open]).toEqual([day, grantState(span, day), grantState({ ...span, deadline: null }, day)])
  }
})

test('whose apps end is told to his administrators once a day, by whoever gave them and nobody else', async () => {
  await stayLoggedIn()
  later()
  const group = await groupOf(3, site())
  await settleEnd(group, 'alarm', dayAfter(today(), 5))
  const admin = await people.as('admin')
  const messages = async () =>
    (
      await world.database.pool.query<{ n: number; text: string }>(
        `select count(*)::int as n, max(text) as text from message where link = '/applyCentre'`,
      )
    ).rows[0]
  const before = (await messages())?.n ?? 0
  // Not allowed: a company of the site that did not give the grant, another tenant that does not see the group, and the site itself.
  const company = await people.as('yunze-lu')
  expect(await company.ask(contract.remindGrants, { body: { groupIds: [group] } })).toMatchObject({
    status: 4,
    message: expect.stringContaining('没有由您授权的'),
  })
  const stranger = await people.as('chuyuan-li')
  expect((await stranger.ask(contract.remindGrants, { body: { groupIds: [group] } })).status).not.toBe(0)
  expect((await messages())?.n).toBe(before)

  const { told, left } = await admin.call(contract.remindGrants, { body: { groupIds: [group] } })
  expect(told).toBeGreaterThan(0)
  expect(left).toEqual([])
  const told_ = await messages()
  expect(told_?.n).toBe(before + told)
  expect(told_?.text).toContain(dayAfter(today(), 5))
  expect(await admin.ask(contract.remindGrants, { body: { groupIds: [group] } })).toMatchObject({
    status: 4,
    message: expect.stringContaining('已提醒过'),
  })
  // Groups without an ending app are named in the response, and the others are still notified.
  const body = await groupOf(3, people.city.projects[1]?.projectCode ?? '')
  await world.database.kysely.updateTable('appGrant').set({ deadline: null }).where('groupId', '=', body).execute()
  later(contract.remindEveryHours * 3_600_000 + 1000)
  await settleEnd(group, 'alarm', dayAfter(today(), 4))
  await stayLoggedIn()
  const again = await admin.call(contract.remindGrants, { body: { groupIds: [group, body] } })
  expect(again.left.map((one) => one.why)).toEqual(['没有由您授权的将到期或已到期的应用'])
  expect((await admin.ask(contract.remindGrants, { body: { groupIds: [] } })).http).toBe(400)
})
