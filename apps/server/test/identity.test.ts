import {
  createRole,
  createUser,
  getRole,
  listAudit,
  listRoles,
  listUsers,
  permissionTree,
  removeRole,
  switchUser,
  updateRole,
} from '@zhugong/contract/access/endpoints'
import {
  changePassword,
  captcha as drawCaptcha,
  endMySession,
  getMyInfo,
  listMySessions,
  listMySignIns,
  login,
  logout,
  ownGroups,
  refreshToken,
  switchProject,
} from '@zhugong/contract/identity/endpoints'
import { switchProjectStatus } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { totpAt } from '#domains/identity/totp'
import type { Clock } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from './city.ts'
import { sampleInput } from './sample-input.ts'
import type { World } from './world.ts'

let world: World
let settled: CityWorld
let offset = 0
/** A clock that tests move; sessions and locks follow it. */
const clock: Clock = { now: () => Date.now() + offset }
const minute = 60_000

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
})
afterAll(() => world.close())

const passwordOf = (account: string) => settled.accounts.find((a) => a.account === account)?.password ?? ''
const logIn = (account: string, password: string, more: object = {}) => world.anonymous.ask(login, { body: { account, password, ...more } })

/** A captcha with known answer: the test replaces the stored hash. */
async function solvedCaptcha(): Promise<{ captchaKey: string; captcha: string }> {
  const { captchaKey } = await world.anonymous.call(drawCaptcha)
  const { createHash } = await import('node:crypto')
  const answerHash = createHash('sha256').update(`${captchaKey}:abcd`).digest('hex')
  await world.database.kysely.updateTable('captcha').set({ answerHash }).where('key', '=', captchaKey).execute()
  return { captchaKey, captcha: 'ABCD' }
}

describe('logging in', () => {
  test('an unknown account and a wrong password answer alike', async () => {
    const unknown = await logIn('nobody.here', 'Wrong#Pass123')
    const wrong = await logIn('yd-wang', 'Wrong#Pass123')
    expect([unknown.http, unknown.status, unknown.message]).toEqual([403, 103, '用户名或密码错误！'])
    expect([wrong.http, wrong.status, wrong.message, wrong.data]).toEqual([unknown.http, unknown.status, unknown.message, unknown.data])
  })

  test('a captcha is asked for after three failures, an account locks after five, for fifteen minutes', async () => {
    const account = 'zhigu-labour'
    for (let i = 0; i < 2; i++) expect((await logIn(account, 'Wrong#Pass123')).data).toMatchObject({ captchaRequired: false })
    expect((await logIn(account, 'Wrong#Pass123')).data).toMatchObject({ captchaRequired: true })
    const without = await logIn(account, passwordOf(account))
    expect([without.http, without.status, without.message]).toEqual([403, 203, '验证码无效！'])
    const used = await solvedCaptcha()
    expect((await logIn(account, 'Wrong#Pass123', used)).status).toBe(103)
    expect((await logIn(account, passwordOf(account), used)).status, 'a captcha is used up by one try').toBe(203)
    const fifth = await logIn(account, 'Wrong#Pass123', await solvedCaptcha())
    expect(fifth.message).toBe('账号已锁定，请 15 分钟后再试')
    expect((await logIn(account, passwordOf(account), await solvedCaptcha())).message).toMatch(/账号已锁定/)
    offset += 15 * minute + 1_000
    expect((await logIn(account, passwordOf(account))).status).toBe(0)
  })

  test('tries sent at the same moment are worth no more than tries sent one after another', async () => {
    const account = 'tunnel-jl'
    const burst = await Promise.all(Array.from({ length: 24 }, (_, i) => logIn(account, `Wrong#Pass${i}00`)))
    const judged = burst.filter((answer) => answer.status === 103).length
    expect(judged, 'passwords that were looked at').toBeLessThanOrEqual(3)
    expect((await logIn(account, passwordOf(account), await solvedCaptcha())).message, 'late ones do not take the lock back').toMatch(
      /账号已锁定，请 15 分钟后再试/,
    )
    offset += 15 * minute + 1_000
    expect((await logIn(account, passwordOf(account))).status).toBe(0)
  })

  test('every refused try leaves its audit row, with the reason', async () => {
    const account = 'jiangtan-jl'
    for (let i = 0; i < 3; i++) await logIn(account, 'Wrong#Pass123')
    await logIn(account, passwordOf(account))
    for (let i = 0; i < 2; i++) await logIn(account, 'Wrong#Pass123', await solvedCaptcha())
    await logIn(account, passwordOf(account))
    const rows = await world.database.kysely
      .selectFrom('auditLog')
      .select(['summary', 'result'])
      .where('account', '=', account)
      .orderBy('at')
      .orderBy('id')
      .execute()
    expect(rows.map((row) => `${row.result} ${row.summary}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'refused 登录失败'),
      'refused 登录失败：验证码无效',
      ...Array.from({ length: 2 }, () => 'refused 登录失败'),
      'refused 登录被拒：账号已锁定',
    ])
    offset += 15 * minute + 1_000
  })

  test('the administrators’ door asks for a captcha always and lets nobody else in', async () => {
    expect((await logIn('admin', passwordOf('admin'), { entry: 'admin' })).status).toBe(203)
    expect((await logIn('hospital-pm', passwordOf('hospital-pm'), { entry: 'admin', ...(await solvedCaptcha()) })).status).toBe(103)
    expect((await logIn('admin', passwordOf('admin'), { entry: 'admin', ...(await solvedCaptcha()) })).status).toBe(0)
  })

  test('an administrator with a second factor needs it', async () => {
    const secret = Buffer.from('12345678901234567890')
    const { createSecrets } = await import('#kit/secret')
    const otpSecret = createSecrets(world.config.secretKey).seal(secret.toString('hex'))
    await world.database.kysely.updateTable('appUser').set({ otpSecret }).where('account', '=', 'admin').execute()
    expect((await logIn('admin', passwordOf('admin'))).data).toMatchObject({ otpRequired: true })
    expect((await logIn('admin', passwordOf('admin'), { otp: '000000' })).status).not.toBe(0)
    const otp = totpAt(secret, clock.now())
    expect((await logIn('admin', passwordOf('admin'), { otp })).status).toBe(0)
    expect((await logIn('admin', passwordOf('admin'), { otp })).message, 'a code is good for one entry').toBe('动态口令不正确')
    offset += minute
    // The right password without a code does not reset the count of failures.
    for (let i = 0; i < 2; i++) {
      await logIn('admin', passwordOf('admin'), { otp: '000000' })
      await logIn('admin', passwordOf('admin'))
    }
    expect((await logIn('admin', passwordOf('admin'), { otp: totpAt(secret, clock.now()) })).status).toBe(203)
    const captcha = await solvedCaptcha()
    expect((await logIn('admin', passwordOf('admin'), { otp: totpAt(secret, clock.now()), ...captcha })).status).toBe(0)
    await world.database.kysely.updateTable('appUser').set({ otpSecret: null }).where('account', '=', 'admin').execute()
  })

  test('RFC 6238 known answers', () => {
    const secret = Buffer.from('12345678901234567890')
    expect([59, 1_111_111_109, 1_234_567_890, 20_000_000_000].map((s) => totpAt(secret, s * 1000))).toEqual([
      '287082',
      '081804',
      '005924',
      '353130',
    ])
  })

  test('[login-duration-open] 保持登录 is for companies and projects only, never on a shared computer', async () => {
    const kept = await logIn('hospital-pm', passwordOf('hospital-pm'), { keep: true })
    expect(kept.data.keepLive).toMatchObject({ live: true, duration: 12 * 60 * minute })
    expect((await logIn('bj-zhao', passwordOf('bj-zhao'), { keep: true })).data.keepLive).toMatchObject({
      live: false,
      duration: 30 * minute,
    })
    expect((await logIn('hospital-pm', passwordOf('hospital-pm'), { keep: true, entry: 'classic' })).data.keepLive.live).toBe(false)
  })
})

describe('guesses from elsewhere', () => {
  /** A login from a given address. */
  async function from(remoteAddress: string, account: string, password: string, more: object = {}) {
    const answer = await world.api.app.inject({ method: 'POST', url: login.path, remoteAddress, payload: { account, password, ...more } })
    return answer.json() as { status: number; message: string; data: unknown }
  }
  const wrong = 'Wrong#Pass123'

  test('a stranger locks himself out and not the owner', async () => {
    const account = 'dongwan-pm'
    for (let i = 0; i < 5; i++) await from('198.51.100.7', account, wrong, await solvedCaptcha())
    expect((await from('198.51.100.7', account, passwordOf(account), await solvedCaptcha())).message).toMatch(/账号已锁定/)
    // An address without history is not locked.
    expect((await from('203.0.113.9', account, passwordOf(account))).status).toBe(0)
    // An IPv6 /64 network counts as one address; an IPv4-mapped address counts as IPv4.
    expect((await from('::ffff:198.51.100.7', account, passwordOf(account), await solvedCaptcha())).message).toMatch(/账号已锁定/)
    for (let i = 0; i < 5; i++) await from(`2400:3200:1:2::${i + 1}`, account, wrong, await solvedCaptcha())
    expect((await from('2400:3200:1:2:ffff::1', account, passwordOf(account), await solvedCaptcha())).message).toMatch(/账号已锁定/)
    expect((await from('2400:3200:1:3::1', account, passwordOf(account), await solvedCaptcha())).status).toBe(0)
  })

  test('many addresses guess little more than one, and whoever came in before notices nothing', async () => {
    const account = 'admin'
    expect((await from('203.0.113.10', account, passwordOf(account))).status).toBe(0)
    const guesses = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => from(`198.51.100.${i + 1}`, account, `${wrong}${i}`, await solvedCaptcha())),
    )
    expect(guesses.filter((answer) => answer.status === 103).length, 'passwords that were looked at').toBeLessThanOrEqual(20)
    expect((await from('192.0.2.1', account, passwordOf(account))).status, 'a captcha for every stranger').toBe(203)
    expect((await from('192.0.2.1', account, passwordOf(account), await solvedCaptcha())).message).toMatch(/30 秒后再试/)
    expect((await from('203.0.113.10', account, passwordOf(account))).status, 'known here').toBe(0)
    // After half a minute one attempt is permitted.
    offset += 31_000
    expect((await from('192.0.2.2', account, wrong, await solvedCaptcha())).status).toBe(103)
    expect((await from('192.0.2.3', account, wrong, await solvedCaptcha())).message).toMatch(/30 秒后再试/)
    offset += 15 * minute + 1_000
    expect((await from('192.0.2.1', account, passwordOf(account))).status).toBe(0)
  })

  test('what is remembered of failures goes with them', async () => {
    for (let i = 0; i < 30; i++) await from('198.51.100.200', `nobody-${i}`, wrong)
    offset += 31 * minute
    await from('198.51.100.200', 'nobody', wrong)
    const { rows } = await world.database.pool.query('select count(*)::int as n from login_try')
    expect(rows[0].n).toBe(2)
  })
})

describe('sessions', () => {
  test('[login-duration-open] end after thirty idle minutes, to the millisecond, and slide with activity', async () => {
    const { token, keepLive } = (await logIn('bj-qian', passwordOf('bj-qian'))).data
    const caller = world.caller(token)
    offset += keepLive.duration - 5_000
    expect((await caller.ask(getMyInfo)).status).toBe(0)
    const { keepLive: longer } = await caller.call(refreshToken)
    offset += longer.duration
    expect((await caller.ask(getMyInfo)).status).toBe(105)
  })

  test('a shared computer’s session ends after eight hours however busy', async () => {
    const { token } = (await logIn('hospital-labour', passwordOf('hospital-labour'), { entry: 'classic' })).data
    const caller = world.caller(token)
    for (let i = 0; i < 19; i++) {
      offset += 25 * minute
      await caller.call(refreshToken)
    }
    offset += 25 * minute
    expect((await caller.ask(getMyInfo)).status).toBe(105)
  })

  test('logging out, disabling an account and switching off a group end sessions at once', async () => {
    const out = world.caller((await logIn('bj-sun', passwordOf('bj-sun'))).data.token)
    await out.call(logout)
    expect((await out.ask(getMyInfo)).status).toBe(105)
    const admin = world.caller((await logIn('admin', passwordOf('admin'))).data.token)
    const victim = world.caller((await logIn('school-officer', passwordOf('school-officer'))).data.token)
    expect((await victim.ask(getMyInfo)).data.groupId).not.toBeNull()
    await admin.call(switchProjectStatus, { body: { projectCode: settled.city.projects[4]?.projectCode ?? '', status: '0' } })
    offset += 1_000
    expect((await victim.ask(getMyInfo)).data.groupId).toBeNull()
    expect((await victim.ask(listRoles, { query: {} })).http).toBe(403)
  })

  test('a password change puts every other session out and remembers the last five', async () => {
    const account = 'tunnel-labour'
    const old = passwordOf(account)
    const here = world.caller((await logIn(account, old)).data.token)
    const elsewhere = world.caller((await logIn(account, old)).data.token)
    expect((await here.ask(changePassword, { body: { oldPassword: old, newPassword: old } })).message).toMatch(/最近 5 次/)
    expect((await here.ask(changePassword, { body: { oldPassword: 'Wrong#Pass123', newPassword: 'Fresh#Pass1234' } })).data).toMatchObject({
      field: 'oldPassword',
    })
    for (const bad of ['short1#A', 'alllowercaseletters', `${account}#A123456`]) {
      expect((await here.ask(changePassword, { body: { oldPassword: old, newPassword: bad } })).status, bad).toBe(2)
    }
    await here.call(changePassword, { body: { oldPassword: old, newPassword: 'Fresh#Pass1234' } })
    expect((await here.ask(getMyInfo)).status).toBe(0)
    expect((await elsewhere.ask(getMyInfo)).status).toBe(105)
    expect((await logIn(account, old)).status).toBe(103)
  })

  test('an old password is guessed no more often than at the door', async () => {
    const account = 'tunnel-officer'
    const here = world.caller((await logIn(account, passwordOf(account))).data.token)
    const guess = (oldPassword: string) => here.ask(changePassword, { body: { oldPassword, newPassword: 'Fresh#Pass1234' } })
    for (let i = 0; i < 4; i++) expect((await guess('Wrong#Pass123')).message).toBe('原密码不正确')
    expect((await guess('Wrong#Pass123')).message).toMatch(/账号已锁定/)
    expect((await guess(passwordOf(account))).message).toMatch(/账号已锁定/)
    offset += 15 * minute + 1_000
  })

  test('a group switches off its own part of an account, never the person’s work elsewhere', async () => {
    const manager = world.caller((await logIn('hospital-pm', passwordOf('hospital-pm'))).data.token)
    const company = world.caller((await logIn('yunze-lu', passwordOf('yunze-lu'))).data.token)
    const { id } = await company.call(getMyInfo)
    const users = async () => (await manager.call(listUsers, { query: { account: 'yunze-lu' } })).list.map((user) => user.enable)
    expect(await users()).toEqual(['1'])
    await manager.call(switchUser, { body: { id, status: '0' } })
    offset += 1_000
    expect(await users()).toEqual(['0'])
    expect((await company.ask(getMyInfo)).data.groupsType, 'the company’s session goes on').toBe(2)
    const { groups } = (await logIn('yunze-lu', passwordOf('yunze-lu'))).data
    expect(groups.map((group) => [group.groupsType, group.enabled]).sort()).toEqual([
      [2, true],
      [3, false],
    ])
    await manager.call(switchUser, { body: { id, status: '1' } })
    expect(await users()).toEqual(['1'])
  })

  test('nobody switches off, or on again, somebody who may do more', async () => {
    const owner = world.caller((await logIn('hospital-pm', passwordOf('hospital-pm'))).data.token)
    const { id: roleId } = await owner.call(createRole, { body: { name: '账号管理', codes: ['user.view', 'user.switch'], remark: '' } })
    const made = await owner.call(createUser, { body: { account: 'account.clerk', name: '账号文员', roleIds: [roleId] } })
    const clerk = world.caller((await logIn('account.clerk', made.password)).data.token)
    await clerk.call(changePassword, { body: { oldPassword: made.password, newPassword: 'Clerk#Pass99' } })
    const { id } = await owner.call(getMyInfo)
    const refused = await clerk.ask(switchUser, { body: { id, status: '0' } })
    expect([refused.http, refused.message]).toEqual([403, expect.stringContaining('您没有')])
    expect((await owner.ask(getMyInfo)).status).toBe(0)
  })

  test('[project-scope] somebody with two identities switches between them, and only between them', async () => {
    const caller = world.caller((await logIn('yunze-lu', passwordOf('yunze-lu'))).data.token)
    const { list } = await caller.call(ownGroups)
    expect(list.map((g) => g.groupsType).sort()).toEqual([2, 3])
    const project = list.find((g) => g.groupsType === 3)
    const info = await caller.call(switchProject, { body: { groupId: project?.id ?? '', projectCode: '*' } })
    expect([info.groupsType, info.projectCode]).toEqual([3, project?.code])
    const foreign = await world.database.kysely.selectFrom('tenant').select('id').where('type', '=', 0).executeTakeFirstOrThrow()
    expect((await caller.ask(switchProject, { body: { groupId: foreign.id, projectCode: '*' } })).http).toBe(403)
  })
})

test('everybody sees where his account is logged in and who tried, and puts a session out', async () => {
  const password = passwordOf('zhigu-pm')
  const [here, there] = [
    world.caller((await logIn('zhigu-pm', password)).data.token),
    world.caller((await logIn('zhigu-pm', password)).data.token),
  ]
  await logIn('zhigu-pm', 'Wrong#Pass123')
  const { list } = await here.call(listMySessions)
  const other = list.find((s) => !s.isCurrent)
  expect(list.filter((s) => s.isCurrent)).toHaveLength(1)
  const tries = await here.call(listMySignIns, { query: {} })
  expect(tries.list.slice(0, 3).map((t) => t.result)).toEqual(['refused', 'ok', 'ok'])
  const stranger = world.caller((await logIn('yd-wang', passwordOf('yd-wang'))).data.token)
  expect(await stranger.ask(endMySession, { params: { id: other?.id ?? '' } })).toMatchObject({ status: 2 })
  await here.call(endMySession, { params: { id: other?.id ?? '' } })
  expect((await there.ask(getMyInfo)).status).toBe(105)
  expect((await here.ask(getMyInfo)).status).toBe(0)
})

test('with the password one was given, only the way to another one answers', async () => {
  const owner = world.caller((await logIn('hospital-pm', passwordOf('hospital-pm'))).data.token)
  const { list } = await owner.call(listRoles, { query: { name: '项目只读' } })
  const made = await owner.call(createUser, { body: { account: 'first.day', name: '新人', roleIds: [list[0]?.id ?? ''] } })
  const token = (await logIn('first.day', made.password)).data.token
  const newcomer = world.caller(token)
  const answered: string[] = []
  for (const endpoint of world.api.serve.endpoints.filter((e) => e.needs !== 'public' && e !== logout && e !== changePassword)) {
    const answer = await newcomer.ask(endpoint, sampleInput(endpoint, []) as never)
    if (answer.message !== '请先修改密码') answered.push(`${endpoint.method} ${endpoint.path}`)
    else expect([endpoint.path, answer.http]).toEqual([endpoint.path, 403])
  }
  expect(answered.sort()).toEqual(['GET /api/v1/sys/my/info', 'POST /api/v1/sys/token/refresh'])
  const picture = await world.api.app.inject({ url: '/api/v1/tool/image?id=x', headers: { token } })
  expect([picture.statusCode, picture.json().message]).toEqual([403, '请先修改密码'])
  await newcomer.call(changePassword, { body: { oldPassword: made.password, newPassword: 'First#Day9977' } })
  expect((await newcomer.call(ownGroups)).total).toBe(1)
  expect(await newcomer.ask(logout)).toMatchObject({ status: 0 })
})

describe('roles', () => {
  test('[role-crud-tree] nobody grants what he does not hold, and a role in use stays', async () => {
    const owner = await settled
      .as('hospital-pm')
      .then(async () => world.caller((await logIn('hospital-pm', passwordOf('hospital-pm'))).data.token))
    const beyond = await owner.ask(createRole, { body: { name: '越权', codes: ['system.set'], remark: '' } })
    expect([beyond.http, beyond.message]).toEqual([403, expect.stringContaining('系统设置')])
    const { id } = await owner.call(createRole, { body: { name: '门卫', codes: ['attendance.view'], remark: '' } })
    expect((await owner.ask(createRole, { body: { name: '门卫', codes: [], remark: '' } })).data).toMatchObject({ field: 'name' })
    const user = await owner.call(createUser, { body: { account: 'gate.keeper', name: '门卫老张', roleIds: [id] } })
    expect((await owner.ask(removeRole, { params: { id } })).message).toMatch(/仍有 1 人使用/)
    expect(await owner.call(getRole, { params: { id } })).toMatchObject({ name: '门卫', codes: ['attendance.view'] })
    const tree = await owner.call(permissionTree)
    expect(tree.find(({ module }) => module === 'attendance')?.permissions.map(({ code }) => code)).toContain('attendance.view')
    const unused = await owner.call(createRole, { body: { name: '保洁', codes: [], remark: '' } })
    await owner.call(removeRole, { params: unused })
    expect((await owner.ask(getRole, { params: unused })).message).toMatch(/角色/)
    const first = await logIn('gate.keeper', user.password)
    expect(first.data.mustChangePassword).toBe(true)
    const keeper = world.caller(first.data.token)
    expect((await keeper.ask(listRoles, { query: {} })).message).toBe('请先修改密码')
    // Removing a permission code takes effect in the live session.
    await keeper.call(changePassword, { body: { oldPassword: user.password, newPassword: 'Gate#Keeper99' } })
    expect((await keeper.call(getMyInfo)).operator).toEqual(['attendance.view'])
    await owner.call(updateRole, { params: { id }, body: { name: '门卫', codes: [], remark: '', version: 0 } })
    offset += 1_000
    expect((await keeper.call(getMyInfo)).operator).toEqual([])
    await owner.call(switchUser, { body: { id: user.id, status: '0' } })
    offset += 1_000
    expect((await keeper.ask(getMyInfo)).status).toBe(105)
  })

  test('every change leaves exactly one audit row, refusals leave none', async () => {
    const owner = world.caller((await logIn('hospital-pm', passwordOf('hospital-pm'))).data.token)
    const count = async () => (await owner.call(listAudit, { query: { size: 1 } })).total
    const before = await count()
    const { id } = await owner.call(createRole, { body: { name: '审计试', codes: [], remark: '' } })
    await owner.call(updateRole, { params: { id }, body: { name: '审计试二', codes: [], remark: '', version: 0 } })
    await owner.ask(createRole, { body: { name: '审计试二', codes: [], remark: '' } })
    await owner.call(removeRole, { params: { id } })
    expect((await count()) - before).toBe(3)
    await expect(world.database.pool.query('begin; set local role zg_all; delete from audit_log; rollback')).rejects.toThrow(
      /permission denied/,
    )
    await world.database.pool.query('rollback').catch(() => undefined)
  })
})
