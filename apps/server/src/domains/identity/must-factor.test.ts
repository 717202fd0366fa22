import { initMenus } from '@zhugong/contract/access/endpoints'
import { getDelegation, setDelegation } from '@zhugong/contract/access/group-roles'
import { getMyInfo, login, logout } from '@zhugong/contract/identity/endpoints'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '@zhugong/contract/identity/my-account'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { totpAt } from './totp.ts'

let now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
})
afterAll(() => world.close())

const passwordOf = (account: string) => city.accounts.find((one) => one.account === account)?.password ?? ''
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function bytesOf(text: string): Buffer {
  const bits = [...text].map((one) => letters.indexOf(one).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
async function enrol(caller: Caller, account: string): Promise<Buffer> {
  const { secret } = await caller.call(beginSecondFactor, { body: { password: passwordOf(account) } })
  const bytes = bytesOf(secret)
  await caller.call(confirmSecondFactor, { body: { code: totpAt(bytes, now) } })
  return bytes
}
async function demand(caller: Caller, secondFactor: boolean, locked: 'secondFactor'[] = []) {
  const { own, version } = await caller.call(getDelegation)
  return caller.ask(setDelegation, { body: { ...own, secondFactor, locked, version } })
}

test('a body asks its accounts for a second factor: they set it up, and nothing else opens before', async () => {
  const chief = await city.as('city-fang')
  expect(await demand(chief, true)).toMatchObject({ message: '请先为自己启用动态口令，再要求本组账号启用' })
  const secret = await enrol(chief, 'city-fang')
  expect(await demand(chief, true)).toMatchObject({ status: 0 })

  const { rows } = await world.database.pool.query<{ account: string }>(
    `select u.account from app_user u join member m on m.user_id = u.id join member o on o.group_id = m.group_id join app_user c on c.id = o.user_id
     where c.account = 'city-fang' and u.account <> 'city-fang' and u.enable = '1'`,
  )
  const colleague = rows.map((one) => one.account).find((one) => passwordOf(one))
  // A colleague in the same group, or the account itself after its factor was removed.
  const account = colleague ?? 'city-fang'
  if (!colleague) await world.database.pool.query(`update app_user set otp_secret = null where account = 'city-fang'`)
  now += 60_000
  const caller = await city.as(account)
  expect((await caller.call(getMyInfo)).mustSetSecondFactor).toBe(true)
  expect(await caller.ask(initMenus, {})).toMatchObject({ status: 403, message: '本单位要求动态口令，请先启用' })
  expect(await caller.ask(getDelegation)).toMatchObject({ message: '本单位要求动态口令，请先启用' })
  const own = await enrol(caller, account)
  expect((await caller.call(getMyInfo)).mustSetSecondFactor).toBe(false)
  expect(await caller.ask(initMenus, {})).toMatchObject({ status: 0 })
  now += 60_000
  expect(await caller.ask(removeSecondFactor, { body: { password: passwordOf(account), code: totpAt(own, now) } })).toMatchObject({
    status: expect.any(Number),
    message: expect.stringContaining('不能停用'),
  })
  // From now on the login requires a code.
  const again = await world.anonymous.ask(login, { body: { account, password: passwordOf(account) } })
  expect(again).toMatchObject({ data: { otpRequired: true } })
  expect(secret).not.toBe(own)
  await caller.call(logout)
})

test('other groups are asked for nothing, until the platform locks it for all', async () => {
  const company = await city.as('yunze-lu')
  expect((await company.call(getMyInfo)).mustSetSecondFactor).toBe(false)
  const platform = await city.as('admin')
  await enrol(platform, 'admin')
  expect(await demand(platform, true)).toMatchObject({ status: 0 })
  now += 5_000
  expect((await (await city.as('yunze-lu')).call(getMyInfo)).mustSetSecondFactor).toBe(false)
  expect(await demand(platform, true, ['secondFactor'])).toMatchObject({ status: 0 })
  now += 5_000
  const answer = await city.as('yunze-lu')
  expect((await answer.call(getMyInfo)).mustSetSecondFactor).toBe(true)
  expect(await answer.ask(initMenus, {})).toMatchObject({ status: 403 })
})
