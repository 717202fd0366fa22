import { switchProject } from '@zhugong/contract/identity/endpoints'
import { markProject } from '@zhugong/contract/identity/own-projects'
import { callContact, changeOnboarding, getOnboarding, listOnboarding, onboardingList } from '@zhugong/contract/onboarding/endpoints'
import { readinessOf, stepKeys } from '@zhugong/contract/onboarding/steps'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { exportNamed } from '../exports/registry.ts'
import { type Facts, judge, stuckAt } from './judge.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
const hours = (n: number) => new Date(now - n * 3_600_000)
const facts: Facts = {
  projectCode: 'P1',
  prjStatus: '003',
  created: hours(1000),
  placed: true,
  supervised: true,
  licences: 1,
  parties: ['007', '008', '009', '010', '011'].map((type) => ({ type, code: type, name: type, at: hours(900).toISOString() })),
  groupEnabled: true,
  members: 4,
  administrators: 1,
  firstMember: hours(900),
  lastLogin: hours(3),
  linkUntil: null,
  gates: 2,
  gateSince: hours(800),
  gateHeard: hours(1),
  gateClockMs: 200,
  gateQuarantine: null,
  people: 30,
  firstPassage: hours(700),
  lastPassage: hours(1),
  devices: 3,
  devicesOnline: 3,
  deviceSince: hours(600),
  deviceHeard: hours(0),
  upperCode: null,
}
const statesOf = (given: Partial<Facts>, off: string[] = []) =>
  Object.fromEntries(judge({ ...facts, ...given }, new Set(off), now).map(({ key, state }) => [key, state]))
const stepOf = (given: Partial<Facts>, key: string) => judge({ ...facts, ...given }, new Set(), now).find((step) => step.key === key)

test('a site whose data are all there is ready; one without anything has only what does not apply', () => {
  expect(statesOf({})).toEqual({
    register: 'done',
    parties: 'done',
    accounts: 'done',
    gates: 'done',
    attendance: 'done',
    devices: 'done',
    docking: 'off',
  })
  expect(stuckAt(judge(facts, new Set(), now), now)).toBeNull()
  const nothing = judge(
    {
      ...facts,
      placed: false,
      parties: [],
      members: 0,
      administrators: 0,
      firstMember: null,
      lastLogin: null,
      gates: 0,
      gateSince: null,
      gateHeard: null,
      people: 0,
      firstPassage: null,
      lastPassage: null,
      devices: 0,
      deviceSince: null,
      deviceHeard: null,
    },
    new Set(),
    now,
  )
  expect(readinessOf(nothing.map(({ state }) => state))).toBe(14)
  expect(stuckAt(nothing, now)).toEqual({ key: 'register', days: 41 })
})

test.each<[string, Partial<Facts>, string, string, RegExp]>([
  ['a gate silent for 25 h opens its step again', { gateHeard: hours(25) }, 'gates', 'broken', /静默 25 小时/],
  ['a gate never heard is open, not broken', { gateHeard: null, gateQuarantine: null }, 'gates', 'open', /没有连上/],
  ['a gate whose clock is 3 h wrong', { gateQuarantine: 'clockOffset', gateClockMs: 10_800_000 }, 'gates', 'open', /相差 3 小时/],
  ['nobody of the supervisor', { parties: facts.parties.filter(({ type }) => type !== '007') }, 'parties', 'open', /缺监理单位/],
  ['an account nobody uses', { lastLogin: null }, 'accounts', 'open', /没有人用/],
  ['a link that waits', { administrators: 0, linkUntil: new Date(now + 1) }, 'accounts', 'open', /打开链接/],
  ['four days without a passage where it is built', { lastPassage: hours(96) }, 'attendance', 'broken', /3 天没有通行/],
  ['machines silent', { deviceHeard: hours(30) }, 'devices', 'broken', /静默一天/],
  ['an upper platform asks for docking', { upperCode: null }, 'docking', 'off', /^$/],
])('%s', (_, given, key, state, why) => {
  const step = stepOf(given, key)
  expect(step?.state).toBe(state)
  expect(step?.checks.map(({ cause }) => cause).join('')).toMatch(why)
})

test('a site that stands needs no passages; only steps a site may do without are set aside', () => {
  expect(statesOf({ prjStatus: '005', lastPassage: hours(500) }).attendance).toBe('done')
  expect(statesOf({ devices: 0, deviceHeard: null }, ['devices']).devices).toBe('off')
  expect(statesOf({ parties: [] }, ['parties']).parties).toBe('open')
  expect(statesOf({ upperCode: 'A-1' }).docking).toBe('done')
})

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())
const codeOf = (account: string) => settled.city.personas.find((one) => one.account === account)?.projectCode ?? ''

test('list, strip and detail say the same, each sees his own sites, and a step that mends itself is done', async () => {
  // Logging in changes readiness, so all users log in first.
  const [admin, manager, district] = [await settled.as('admin'), await settled.as('hospital-pm'), await settled.as('bj-zhao')]
  const all = await admin.call(listOnboarding, { query: { projectCode: '*', size: 100 } })
  expect(all.total).toBe(settled.city.projects.length)
  expect(all.figures.total).toBe(all.total)
  expect(all.list.filter((row) => row.stuck === null)).toHaveLength(all.figures.ready)
  const site = codeOf('hospital-pm')
  const own = await manager.call(listOnboarding, { query: { projectCode: '*' } })
  expect(own.list.map((row) => row.projectCode)).toEqual([site])
  // All callers get the same result, although a group's accounts are visible only inside it.
  const byDistrict = await district.call(listOnboarding, { query: { projectCode: '*', size: 100 } })
  const same = (row: (typeof all.list)[number] | undefined) => [row?.readiness, row?.steps, row?.stuckDays]
  for (const row of byDistrict.list) expect(same(row)).toEqual(same(all.list.find((one) => one.projectCode === row.projectCode)))
  expect(byDistrict.total).toBeLessThan(all.total)

  const stepsNow = async () => (await admin.call(getOnboarding, { params: { id: site }, query: { projectCode: site } })).details
  const stateOf = async (key: string) => (await stepsNow()).find((step) => step.key === key)?.state
  expect((await stepsNow()).map(({ key }) => key)).toEqual(stepKeys)
  const { pool } = world.database
  await pool.query(
    `insert into device_latest (device_id, online, online_since, ts, received_at, v) select id, true, now(), now(), now(), '{}' from device
     where project_code = $1 and status = '1' on conflict (device_id) do update set received_at = now(), online = true`,
    [site],
  )
  expect(await stateOf('gates')).toBe('done')
  expect(await stateOf('devices')).toBe('done')
  await pool.query(
    `update device_latest set received_at = now() - interval '25 hours' where device_id in (select id from device where project_code = $1)`,
    [site],
  )
  expect(await stateOf('gates')).toBe('broken')
  const stuck = await admin.call(listOnboarding, {
    query: { projectCode: '*', stuck: 'gates,attendance,accounts,register,parties,devices', size: 100 },
  })
  expect(stuck.list.map((row) => row.projectCode)).toContain(site)
})

test('names are found by their pinyin initials; ranges and chips narrow; order is starred, entered, name', async () => {
  const admin = await settled.as('admin')
  const names = async (query: object) =>
    (await admin.call(listOnboarding, { query: { projectCode: '*', size: 100, ...query } })).list.map((row) => row.name)
  const all = await names({})
  const [last = ''] = all.slice(-1)
  const code = settled.city.projects.find((one) => one.name === last)?.projectCode ?? ''
  await admin.call(markProject, { params: { projectCode: code }, body: { starred: true } })
  expect((await names({}))[0]).toBe(last)
  expect(await names({ chip: 'starred' })).toEqual([last])
  await admin.call(markProject, { params: { projectCode: code }, body: { starred: false } })
  await admin.call(switchProject, { body: { projectCode: code } })
  expect((await names({}))[0]).toBe(last)
  const { initialsOf } = await import('@zhugong/contract/kit/initials')
  expect(await names({ name: initialsOf(last).slice(0, 4) })).toContain(last)
  expect(await names({ readiness: '101,' })).toEqual([])
  // Stars are per user.
  const city = await settled.as('city-fang')
  expect((await city.call(listOnboarding, { query: { projectCode: '*', chip: 'starred' } })).total).toBe(0)
})

test('a step is given to somebody with a day, set aside with a reason, by whoever may, once for each version', async () => {
  const site = codeOf('hospital-pm')
  const pm = await settled.as('hospital-pm')
  const at = { query: { projectCode: site } }
  const { people } = await pm.call(getOnboarding, { params: { id: site }, ...at })
  const me = people[0]
  expect(me).toBeDefined()
  const given = { action: 'assign' as const, assigneeId: me?.id ?? null, dueDay: '2026-12-01', note: '等电信拉线', version: 0 }
  await pm.call(changeOnboarding, { params: { id: 'gates' }, ...at, body: given })
  const late = await pm.ask(changeOnboarding, { params: { id: 'gates' }, ...at, body: given })
  expect(late.message).toContain('请刷新后再改')
  await pm.call(changeOnboarding, { params: { id: 'devices' }, ...at, body: { action: 'off', reason: '没有塔吊', version: 0 } })
  const detail = await pm.call(getOnboarding, { params: { id: site }, ...at })
  const gates = detail.details.find(({ key }) => key === 'gates')
  expect([gates?.assigneeName, gates?.dueDay, gates?.note, gates?.version]).toEqual([me?.name, '2026-12-01', '等电信拉线', 1])
  expect(detail.details.find(({ key }) => key === 'devices')).toMatchObject({ state: 'off', notNeeded: '没有塔吊' })
  const never = await pm.ask(changeOnboarding, { params: { id: 'parties' }, ...at, body: { action: 'off', reason: '不要', version: 0 } })
  expect(never.message).toContain('每个项目都需要')
  // A member of another group cannot be assigned.
  const { rows } = await world.database.pool.query<{ id: string }>(`select id from app_user where account = 'zhigu-pm'`)
  const strange = await pm.ask(changeOnboarding, {
    params: { id: 'whole' },
    ...at,
    body: { action: 'assign', assigneeId: rows[0]?.id ?? '', dueDay: null, note: '', version: 0 },
  })
  expect(strange.message).toContain('只能指派')
  const district = await settled.as('bj-zhao')
  const read = await district.ask(changeOnboarding, { params: { id: 'gates' }, ...at, body: { ...given, version: 1 } })
  expect(read.http).toBe(403)
  const foreign = await (await settled.as('zhigu-pm')).ask(changeOnboarding, {
    params: { id: 'gates' },
    ...at,
    body: { ...given, version: 1 },
  })
  expect(foreign.status).not.toBe(0)
})

test('what is missing is sent behind the bell of the site’s administrators', async () => {
  const site = codeOf('hospital-pm')
  await world.database.pool.query('update project set lng = 0 where project_code = $1', [site])
  const admin = await settled.as('admin')
  const { told } = await admin.call(changeOnboarding, { params: { id: 'whole' }, query: { projectCode: site }, body: { action: 'send' } })
  expect(told).toBeGreaterThan(0)
  const { rows } = await world.database.pool.query<{ text: string; link: string }>(
    `select text, link from message where title like '%开通清单%'`,
  )
  expect(rows).toHaveLength(told)
  expect(rows[0]?.text).toContain('建档')
  expect(rows[0]?.link).toBe(`/projectNavigationDetails?projectCode=${site}`)
})

test('the export writes the rows of the list', async () => {
  expect(exportNamed(onboardingList.feature ?? '')?.columns.map(({ title }) => title)).toEqual(Object.values(onboardingList.columns))
})

test('the number of a site’s contact is masked until somebody who sees the site whole and may asks, and every look is written down', async () => {
  const site = codeOf('hospital-pm')
  const ask = (who: Caller, id = site) => who.ask(callContact, { params: { id }, query: { projectCode: id } })
  const city = await settled.as('city-fang')
  const masked = (await city.call(listOnboarding, { query: { projectCode: site } })).list[0]?.linkPhone ?? ''
  expect(masked).toContain('*')
  const result = await ask(city)
  expect(result).toMatchObject({ status: 0, data: { phone: expect.stringMatching(/^1\d{10}$/) } })
  const looks = async () =>
    (
      await world.database.pool.query<{ account: string; summary: string }>(
        `select account, summary from audit_log where object_id = $1 and summary like '查看项目联系电话%'`,
        [site],
      )
    ).rows
  expect((await looks()).map((row) => row.account)).toEqual(['city-fang'])
  // A subcontractor of the site, and an authority of another district: refused, and not recorded in the read log.
  expect(await ask(await settled.as('dingli-cheng'))).toMatchObject({ http: 403 })
  const foreign = settled.city.projects.find((one) => !one.areaCode.startsWith('420202'))?.projectCode ?? ''
  expect(await ask(await settled.as('bj-zhao'), foreign)).toMatchObject({ http: 403 })
  // The permission applies only to the caller's own sites.
  expect(await ask(city, '420100250101010001')).toMatchObject({ http: 400 })
  expect(await looks()).toHaveLength(1)
  // A safety officer has full access to the site, but not to unmasked numbers.
  expect(await ask(await settled.as('hospital-safety'))).toMatchObject({ http: 403 })
})
