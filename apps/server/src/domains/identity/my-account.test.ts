import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resetFactor } from '@zhugong/contract/access/users'
import {
  changeMyContact,
  captcha as drawCaptcha,
  getMyInfo,
  listMySessions,
  login,
  publicSettings,
  sendContactCode,
} from '@zhugong/contract/identity/endpoints'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endOtherSessions,
  forgotPassword,
  getMyAccount,
  muteMyNotices,
  removeSecondFactor,
  renewRecoveryCodes,
  resetPassword,
} from '@zhugong/contract/identity/my-account'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Clock } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { somebody } from '../../../test/members.ts'
import type { Caller, World } from '../../../test/world.ts'
import { deviceWords } from './device-words.ts'
import { base32 } from './second-factor.ts'
import { totpAt } from './totp.ts'

let world: World
let city: CityWorld
let gateway: Server
const sent: { phone: string; text: string }[] = []
let offset = 0
const clock: Clock = { now: () => Date.now() + offset }

beforeAll(async () => {
  gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += String(part)
    })
    request.on('end', () => {
      sent.push(JSON.parse(body))
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const { port } = gateway.address() as AddressInfo
  world = await openCity(
    inject('postgresUrl'),
    { clock },
    { environment: { SMS_URL: `http://127.0.0.1:${port}/sms`, OUTGOING_INSIDE: '127.0.0.0/8' } },
  )
  city = await settleCity(world)
})
afterAll(async () => {
  await world.close()
  gateway.close()
})

const passwordOf = (account: string) => city.accounts.find((one) => one.account === account)?.password ?? ''
const logIn = (account: string, password: string, more: object = {}) => world.anonymous.ask(login, { body: { account, password, ...more } })

async function solved(): Promise<{ captchaKey: string; captcha: string }> {
  const { captchaKey } = await world.anonymous.call(drawCaptcha)
  const answerHash = createHash('sha256').update(`${captchaKey}:abcd`).digest('hex')
  await world.database.kysely.updateTable('captcha').set({ answerHash }).where('key', '=', captchaKey).execute()
  return { captchaKey, captcha: 'ABCD' }
}

/** Decodes base32 (RFC 4648), as an authenticator does. */
function bytesOf(text: string): Buffer {
  const bits = [...text].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

test('base32 is what RFC 4648 gives', () => {
  // Test vectors of section 10, without padding.
  const given = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((word) => base32(Buffer.from(word)))
  expect(given).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome 141，Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0', 'Edge 141，Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile/15E148 Safari/604.1', 'Safari 19，iOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140，Linux'],
  ['curl/8.5', '其他程序'],
  ['', '未知设备'],
])('%s is read as %s', (agent, words) => expect(deviceWords(agent)).toBe(words))

describe('a second factor of one’s own', () => {
  test('is enrolled with the password and a code, asked for at the door, and removed with both', async () => {
    const account = 'hospital-safety'
    const password = passwordOf(account)
    const me = await city.as(account)
    expect(await me.ask(beginSecondFactor, { body: { password: 'Wrong#Pass123' } })).toMatchObject({ data: { field: 'password' } })
    const begun = await me.call(beginSecondFactor, { body: { password } })
    expect(begun.uri).toContain(`secret=${begun.secret}`)
    const secret = bytesOf(begun.secret)
    // A secret that was shown but not confirmed has no effect, so the login still works without a code.
    expect((await logIn(account, password)).status).toBe(0)
    expect(await me.ask(confirmSecondFactor, { body: { code: '000000' } })).toMatchObject({ data: { field: 'code' } })
    const { recoveryCodes } = await me.call(confirmSecondFactor, { body: { code: totpAt(secret, clock.now()) } })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await me.call(getMyAccount)).secondFactor).toEqual({ on: true, recoveryLeft: 10 })

    expect((await logIn(account, password)).data).toMatchObject({ otpRequired: true })
    offset += 60_000
    expect((await logIn(account, password, { otp: totpAt(secret, clock.now()) })).status).toBe(0)
    // With the phone lost, each recovery code works once.
    const [first = '', second = ''] = recoveryCodes
    expect((await logIn(account, password, { otp: first.toLowerCase().replace('-', '') })).status).toBe(0)
    expect((await logIn(account, password, { otp: first })).message).toBe('动态口令不正确')
    expect((await me.call(getMyAccount)).secondFactor.recoveryLeft).toBe(9)

    offset += 60_000
    const renewed = await me.call(renewRecoveryCodes, { body: { password, code: totpAt(secret, clock.now()) } })
    expect((await logIn(account, password, { otp: second })).status, 'older codes are void').not.toBe(0)
    expect(await me.ask(removeSecondFactor, { body: { password, code: '000000' } })).toMatchObject({ data: { field: 'code' } })
    await me.call(removeSecondFactor, { body: { password, code: renewed.recoveryCodes[0] ?? '' } })
    // After three wrong codes, wherever they were entered, the login requires a captcha.
    expect((await logIn(account, password)).status).toBe(203)
    expect((await logIn(account, password, await solved())).status).toBe(0)
  })

  test('wrong codes count for the account wherever they are tried, and each leaves a row', async () => {
    const account = 'hospital-labour'
    const password = passwordOf(account)
    const me = await city.as(account)
    const rows = async () =>
      (
        await world.database.pool.query<{ summary: string; result: string }>(
          `select summary, result from audit_log where account = $1 and action = 'login' order by at desc, id desc`,
          [account],
        )
      ).rows
    const secret = bytesOf((await me.call(beginSecondFactor, { body: { password } })).secret)
    await me.call(confirmSecondFactor, { body: { code: totpAt(secret, clock.now()) } })
    await logIn(account, password)
    expect((await rows())[0]).toEqual({ summary: '登录未完成：密码正确，未输入动态口令', result: 'refused' })
    const wrong = () => me.ask(removeSecondFactor, { body: { password, code: '000000' } })
    expect(await wrong()).toMatchObject({ data: { field: 'code' } })
    expect(await me.ask(renewRecoveryCodes, { body: { password, code: '000000' } })).toMatchObject({ data: { field: 'code' } })
    expect((await rows()).filter((row) => row.summary === '管理动态口令：口令不正确' && row.result === 'refused')).toHaveLength(2)
    const answers = []
    for (let i = 0; i < 4; i++) answers.push((await wrong()).message)
    expect(answers.at(-1)).toContain('锁定')
    expect((await logIn(account, password)).message).toContain('锁定')
  })

  test('a lost one is taken away by whoever decides over the account, for a reason its owner is told', async () => {
    const account = 'hospital-gate'
    const { rows: own } = await world.database.pool.query<{ groupId: string; userId: string }>(
      `select m.group_id as "groupId", m.user_id as "userId" from member m join app_user u on u.id = m.user_id where u.account = 'hospital-pm'`,
    )
    const groupId = own[0]?.groupId ?? ''
    const one = await somebody(world, groupId, [])
    const { pool } = world.database
    await pool.query('update app_user set account = $2, otp_secret = $3, phone = null where id = $1', [
      one.userId,
      account,
      Buffer.from('lost'),
    ])
    const boss = await city.as('hospital-pm')
    const reset = (caller: Caller, reason = '手机丢失，已当面核实') => caller.ask(resetFactor, { body: { id: one.userId, reason } })
    expect(await reset(boss, '')).toMatchObject({ http: 400, data: { field: 'reason' } })
    expect((await reset(await city.as('zhigu-pm'))).status).not.toBe(0)
    // Refused for a group that the user joined later.
    await pool.query(`update app_user set home_group_id = 'another' where id = $1`, [one.userId])
    expect((await reset(boss)).message).toContain('由平台重置')
    await pool.query('update app_user set home_group_id = $2 where id = $1', [one.userId, groupId])
    expect(await reset(boss)).toMatchObject({ status: 0 })
    const { rows } = await pool.query<{ lost: boolean; text: string; sessions: number }>(
      `select u.otp_secret is null as lost, (select text from message where user_id = u.id) as text,
         (select count(*)::int from session where user_id = u.id) as sessions from app_user u where u.id = $1`,
      [one.userId],
    )
    expect(rows).toMatchObject([{ lost: true, sessions: 0, text: expect.stringContaining('手机丢失，已当面核实') }])
    expect((await reset(boss)).message).toContain('没有启用')
  })

  test('what is kept of the codes opens nothing', async () => {
    const { rows } = await world.database.pool.query<{ text: string }>(
      `select coalesce(array_to_string(recovery_codes, ','), '') || coalesce(encode(otp_secret, 'hex'), '') as text from app_user`,
    )
    expect(rows.map((row) => row.text).join('')).not.toMatch(/[A-Z2-9]{5}-[A-Z2-9]{5}/)
  })
})

const codeIn = (text = '') => /验证码 (\d+)/.exec(text)?.[1] ?? ''
async function changePhone(me: Caller, account: string, phone: string): Promise<void> {
  const password = passwordOf(account)
  await me.call(sendContactCode, { body: { phone, password } })
  await me.call(changeMyContact, { body: { phone, password, code: codeIn(sent.at(-1)?.text) } })
  await expect.poll(() => sent.at(-1)?.text).toMatch(/已绑定账号/)
}

test('a new number counts once its code has come back, and both numbers are told', async () => {
  const account = 'city-fang'
  const me = await city.as(account)
  const password = passwordOf(account)
  await changePhone(me, account, '13900002001')
  offset += 61_000
  sent.length = 0
  const change = (phone: string, code?: string) => me.ask(changeMyContact, { body: { phone, password, code } })
  expect(await change('13900002002')).toMatchObject({ data: { field: 'code' } })
  expect(await me.ask(sendContactCode, { body: { phone: '13900002002', password: 'Wrong#Pass123' } })).toMatchObject({
    data: { field: 'password' },
  })
  await me.call(sendContactCode, { body: { phone: '13900002002', password } })
  expect((await me.ask(sendContactCode, { body: { phone: '13900002003', password } })).message).toMatch(/1 分钟后/)
  expect(sent.map((one) => one.phone)).toEqual(['13900002002'])
  const code = codeIn(sent[0]?.text)
  // The code is valid for the number it was sent to, for the user who requested it, and once.
  expect(await change('13900002003', code)).toMatchObject({ data: { field: 'code' } })
  const other = await city.as('yd-wang')
  expect(await other.ask(changeMyContact, { body: { phone: '13900002002', password: passwordOf('yd-wang'), code } })).toMatchObject({
    data: { field: 'code' },
  })
  expect((await change('13900002002', code)).status).toBe(0)
  await expect.poll(() => sent.map((one) => one.phone)).toEqual(['13900002002', '13900002001', '13900002002'])
  expect(sent[1]?.text).toMatch(/139\*+2002/)
  expect(await change('13900002004', code)).toMatchObject({ data: { field: 'code' } })
})

test('whoever forgot his password replaces it by a code that only his telephone gets', async () => {
  const account = 'yd-wang'
  const me = await city.as(account)
  expect(await me.ask(changeMyContact, { body: { phone: '13900001234', password: 'Wrong#Pass123' } })).toMatchObject({
    data: { field: 'password' },
  })
  await changePhone(me, account, '13900001234')
  sent.length = 0
  expect((await world.anonymous.call(publicSettings)).forgotAllowed).toBe(true)

  expect((await world.anonymous.ask(forgotPassword, { body: { account, captcha: 'x', captchaKey: 'y' } })).status).toBe(203)
  const known = await world.anonymous.ask(forgotPassword, { body: { account, ...(await solved()) } })
  const unknown = await world.anonymous.ask(forgotPassword, { body: { account: 'nobody.here', ...(await solved()) } })
  expect([unknown.http, unknown.status, unknown.data]).toEqual([known.http, known.status, known.data])
  await expect.poll(() => sent.length).toBe(1)
  const [message] = sent
  expect(message?.phone).toBe('13900001234')
  const code = /验证码 (\d{8})/.exec(message?.text ?? '')?.[1] ?? ''
  const wrong = code === '00000000' ? '11111111' : '00000000'
  const reset = (given: string, newPassword = 'Brand#New2027') =>
    world.anonymous.ask(resetPassword, { body: { account, code: given, newPassword } })

  expect(await reset(wrong)).toMatchObject({ data: { field: 'code' } })
  expect(await reset(code, passwordOf(account)), 'none of the last five').toMatchObject({ data: { field: 'newPassword' } })
  expect((await reset(code)).status).toBe(0)
  expect((await me.ask(getMyInfo)).status, 'sessions of the old password are over').toBe(105)
  expect((await logIn(account, 'Brand#New2027')).status).toBe(0)
  expect((await reset(code, 'Brand#New2028')).message, 'a code is good for one change').toMatch(/验证码不正确或已失效/)

  // Repeated requests send no second message within a minute.
  await world.anonymous.call(forgotPassword, { body: { account, ...(await solved()) } })
  await expect.poll(() => sent.length).toBe(2)
  await world.anonymous.call(forgotPassword, { body: { account, ...(await solved()) } })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(sent.length).toBe(2)
  offset += 61_000
  sent.length = 1

  // A code is used up after five wrong attempts, and it expires.
  await world.anonymous.call(forgotPassword, { body: { account, ...(await solved()) } })
  await expect.poll(() => sent.length).toBe(2)
  const next = /验证码 (\d{8})/.exec(sent[1]?.text ?? '')?.[1] ?? ''
  for (let i = 0; i < 5; i++) await reset(next === '00000000' ? '11111111' : '00000000')
  expect((await reset(next, 'Brand#New2029')).status).not.toBe(0)
})

test('all other log-ins end at once, and each says on which device it is', async () => {
  const account = 'hospital-pm'
  const here = await city.as(account)
  const answer = await world.api.app.inject({
    method: 'POST',
    url: login.path,
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36' },
    payload: { account, password: passwordOf(account) },
  })
  const there = world.caller(answer.json().data.token)
  const { list } = await here.call(listMySessions)
  expect(list.find((one) => !one.isCurrent)?.device).toBe('Chrome 141，Windows')
  expect(await here.call(endOtherSessions)).toEqual({ ended: list.length - 1 })
  expect((await there.ask(getMyInfo)).status).toBe(105)
  expect((await here.ask(getMyInfo)).status).toBe(0)
})

test('an account tells of its groups with their roles, and what does not reach it', async () => {
  const me = await city.as('hospital-pm')
  const before = await me.call(getMyAccount)
  expect(before.groups.filter((group) => group.current)).toHaveLength(1)
  expect(before.groups.flatMap((group) => group.roles).map((role) => role.name)).toContain('项目管理员')
  await me.call(muteMyNotices, { body: { muted: { due: ['2'] } } })
  expect((await me.call(getMyAccount)).muted).toEqual({ due: ['2'] })
})
