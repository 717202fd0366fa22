import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { acceptLink, changeLink, createLink, listLinks, openLink } from '@zhugong/contract/onboarding/links'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { mobile } from '../../../test/givens.ts'
import { groupNamed, roleOf, somebody } from '../../../test/members.ts'
import type { World } from '../../../test/world.ts'

let now = Date.now()
let world: World
let settled: CityWorld
let site: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  site = await groupNamed(world, 3, settled.city.personas.find((one) => one.account === 'hospital-pm')?.projectCode ?? '')
})
afterAll(() => world.close())

let made = 0
const person = () => ({ mode: 'new' as const, account: `newcomer-${++made}`, name: '新管理员', phone: mobile(), password: 'Onboard#2026' })
const invite = async (account: string, groupId: string, days = 7) =>
  (await settled.as(account)).call(createLink, { body: { groupId, name: '新管理员', phone: null, days } })
const nobody = () => world.anonymous
const gone = /可能已使用、已过期或已撤销/

test('a link makes its reader administrator of its group, logged in, under a password of his own, once', async () => {
  const { id, token } = await invite('admin', site)
  const shown = await nobody().call(openLink, { body: { token } })
  expect(shown.name).toBe('新管理员')
  expect(shown.groupsType).toBe(3)
  const weak = await nobody().ask(acceptLink, { body: { ...person(), token, password: 'weak' } })
  expect([weak.status, weak.message]).toEqual([2, '密码长度应为 10-32 位'])
  const hasName = await nobody().ask(acceptLink, { body: { ...person(), account: 'Zhanggong', token, password: 'Zhanggong#2026' } })
  expect(hasName.message).toBe('密码不能包含账号')
  const one = person()
  const { token: session, groupsType, mustChangePassword } = await nobody().call(acceptLink, { body: { ...one, token } })
  expect([groupsType, mustChangePassword]).toEqual([3, false])
  const info = await world.caller(session).call(getMyInfo)
  expect(info.account).toBe(one.account)
  expect(info.groupId).toBe(site)
  // Twice: nothing more.
  expect((await nobody().ask(openLink, { body: { token } })).message).toMatch(gone)
  expect((await nobody().ask(acceptLink, { body: { ...person(), token } })).message).toMatch(gone)
  const { rows } = await world.database.pool.query<{ n: number; hash: string }>(
    `select (select count(*)::int from member_role mr join role r on r.id = mr.role_id and r.administrator join member m on m.id = mr.member_id
       join app_user u on u.id = m.user_id where u.account = $1) as n, token_hash as hash from admin_link where id = $2`,
    [one.account, id],
  )
  expect(rows[0]?.n).toBe(1)
  expect(rows[0]?.hash).not.toContain(token)
  const { list } = await (await settled.as('admin')).call(listLinks, { query: { state: 'used' } })
  expect(list.find((link) => link.id === id)).toMatchObject({ state: 'used', usedBy: '新管理员' })
})

test('of two who come at the same moment one gets in', async () => {
  const { token } = await invite('admin', site)
  const answers = await Promise.all([person(), person(), person()].map((one) => nobody().ask(acceptLink, { body: { ...one, token } })))
  expect(answers.filter(({ status }) => status === 0)).toHaveLength(1)
  expect(answers.filter(({ message }) => gone.test(message))).toHaveLength(2)
})

test('one that is over, taken back or replaced opens nothing; a wrong one neither', async () => {
  const admin = await settled.as('admin')
  const short = await invite('admin', site, 1)
  const kept = now
  now += 86_400_000
  expect((await nobody().ask(acceptLink, { body: { ...person(), token: short.token } })).message).toMatch(gone)
  now = kept
  await nobody().call(openLink, { body: { token: short.token } })
  await admin.call(changeLink, { params: { id: short.id }, body: { action: 'revoke', version: 0 } })
  expect((await nobody().ask(acceptLink, { body: { ...person(), token: short.token } })).message).toMatch(gone)
  const again = await admin.call(changeLink, { params: { id: short.id }, body: { action: 'renew', version: 1 } })
  expect((await nobody().ask(openLink, { body: { token: short.token } })).message).toMatch(gone)
  await nobody().call(acceptLink, { body: { ...person(), token: again.token ?? '' } })
  const late = await admin.ask(changeLink, { params: { id: short.id }, body: { action: 'renew', version: 3 } })
  expect(late.message).toContain('已使用')
  for (const token of ['', 'x'.repeat(64), short.id]) expect((await nobody().ask(openLink, { body: { token } })).message).toMatch(gone)
})

test('a link ends with the work of whoever gave it, and opens again when a colleague renews it', async () => {
  const { id, token } = await invite('admin', site)
  const { pool } = world.database
  const works = (enable: string) =>
    pool.query(`update member m set enable = $1 from app_user u where u.id = m.user_id and u.account = 'admin'`, [enable])
  await works('0')
  expect((await nobody().ask(openLink, { body: { token } })).message).toMatch(gone)
  expect((await nobody().ask(acceptLink, { body: { ...person(), token } })).message).toMatch(gone)
  await works('1')
  await nobody().call(openLink, { body: { token } })
  await pool.query(`update admin_link set giver_id = null where id = $1`, [id])
  expect((await nobody().ask(openLink, { body: { token } })).message).toMatch(gone)
  const again = await (await settled.as('admin')).call(changeLink, { params: { id }, body: { action: 'renew', version: 0 } })
  await nobody().call(acceptLink, { body: { ...person(), token: again.token ?? '' } })
})

test('a link is worth nothing once its giver may not name administrators any more, though he still works there', async () => {
  const top = await groupNamed(world, 0, 'platform')
  const role = await roleOf(world, top, ['adminGrant.edit', 'adminGrant.view', 'home.view'])
  const giver = await somebody(world, top, [role])
  const { token } = await giver.caller.call(createLink, { body: { groupId: site, name: '新管理员', phone: null, days: 7 } })
  await nobody().call(openLink, { body: { token } })
  await world.database.pool.query('update role set codes = $2 where id = $1', [role, ['adminGrant.view', 'home.view']])
  expect((await nobody().ask(openLink, { body: { token } })).message).toMatch(gone)
  expect((await nobody().ask(acceptLink, { body: { ...person(), token } })).message).toMatch(gone)
  await world.database.pool.query('update role set codes = $2 where id = $1', [role, ['adminGrant.edit']])
  expect((await nobody().ask(acceptLink, { body: { ...person(), token } })).status).toBe(0)
})

test('who has an account shows that it is his, and works for the new group from then on; a second account for one telephone is refused', async () => {
  const first = await invite('admin', site)
  const one = person()
  await nobody().call(acceptLink, { body: { ...one, token: first.token } })
  const next = await groupNamed(world, 3, settled.city.personas.find((p) => p.account === 'zhigu-pm')?.projectCode ?? '')
  const { token } = await invite('admin', next)
  const twin = await nobody().ask(acceptLink, { body: { ...person(), phone: one.phone, token } })
  expect(twin.message).toContain('已有账号')
  const { account, password } = one
  const wrong = await nobody().ask(acceptLink, { body: { mode: 'existing', account, password: 'Wrong#20261', token } })
  expect(wrong.message).toBe('用户名或密码错误！')
  const { token: session, groups } = await nobody().call(acceptLink, { body: { mode: 'existing', account, password, token } })
  expect(groups).toHaveLength(2)
  expect((await world.caller(session).call(getMyInfo)).groupId).toBe(next)
})

test('a link is given by who may name the administrator: below oneself only, and never more doors than five', async () => {
  const district = settled.city.governments.find((one) => one.areaCode === '420203')
  const yd = await groupNamed(world, 1, district?.govCode ?? '')
  const city = await settled.as('city-fang')
  const body = (groupId: string) => ({ body: { groupId, name: '新管理员', phone: null } })
  expect((await city.ask(createLink, body(yd))).status).toBe(0)
  const refusals = await Promise.all(
    (
      [
        ['bj-zhao', yd],
        ['yunze-lu', yd],
        ['bj-zhao', await groupNamed(world, 0, 'platform')],
        ['dingli-cheng', site],
        ['hospital-pm', site],
      ] as const
    ).map(async ([account, groupId]) => (await (await settled.as(account)).ask(createLink, body(groupId))).status),
  )
  expect(refusals.filter((status) => status === 0)).toEqual([])
  // Links are visible to the issuing group only.
  expect((await (await settled.as('yunze-lu')).call(listLinks, { query: {} })).total).toBe(0)
  expect((await city.call(listLinks, { query: {} })).total).toBe(1)
  const [link] = (await city.call(listLinks, { query: {} })).list
  const foreign = await (await settled.as('yunze-lu')).ask(changeLink, {
    params: { id: link?.id ?? '' },
    body: { action: 'renew', version: 0 },
  })
  expect(foreign.status).not.toBe(0)
  const admin = await settled.as('admin')
  const many = await Promise.all(Array.from({ length: 5 }, () => admin.ask(createLink, body(yd))))
  // One link of the city and four of these.
  expect(many.filter(({ message }) => message.includes('已有 5 个'))).toHaveLength(1)
})
