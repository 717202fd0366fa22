import type { AddressInfo } from 'node:net'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { tryChannel } from '@zhugong/contract/settings/system'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sendersFor } from '#domains/notify/public'
import { inScope, seesNothing } from '#kit/db'
import { createOutgoing } from '#kit/outgoing'
import { requestMs } from '#kit/pace'
import { bodyLimits, turnLimits } from '#kit/request-turns'
import { inTransaction } from '#kit/transaction'
import { type CityWorld, openCity, settleCity } from './city.ts'
import { callSlowly, type SlowServer, startSlowServer } from './slow-server.ts'
import type { Caller, World } from './world.ts'

/** Time limit for other requests while slow ones hang: normally milliseconds, more on a loaded machine. */
const soonMs = 5_000

let world: World
let city: CityWorld
let gateway: SlowServer
let port = 0

beforeAll(async () => {
  gateway = await startSlowServer('dripping')
  const environment = { SMS_URL: `${gateway.url}/sms`, SMTP_URL: 'smtp://127.0.0.1:1', OUTGOING_INSIDE: '127.0.0.0/8' }
  world = await openCity(inject('postgresUrl'), { rateLimits: true }, { environment })
  city = await settleCity(world)
  await world.api.app.listen({ host: '127.0.0.1', port: 0 })
  port = (world.api.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await gateway.stop()
  await world.close()
})

const answeredSoon = async (who: Caller) => {
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('nobody answered'), soonMs).unref())
  expect(await Promise.race([who.ask(getMyInfo), late])).toMatchObject({ status: 0 })
}

/** Enough accounts to use all request slots, each within its own limit. */
async function crowd(): Promise<Caller[]> {
  const names = city.accounts.map(({ account }) => account).filter((name) => !['bj-zhao', 'admin'].includes(name))
  return Promise.all(names.slice(0, Math.ceil(turnLimits.inAll / bodyLimits.perAccountInCompany) + 2).map((name) => city.as(name)))
}

const boundary = 'xx'
const formStart = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`

test('forms that come a byte at a time keep nobody waiting, and are refused in words', { timeout: 60_000 }, async () => {
  const other = await city.as('bj-zhao')
  const callers = await crowd()
  const slow = await Promise.all(
    callers.flatMap((who) =>
      [1, 2].map(() =>
        callSlowly(
          port,
          [
            'POST /api/v1/tool/upload HTTP/1.1',
            `token: ${who.token}`,
            'group: *',
            `content-type: multipart/form-data; boundary=${boundary}`,
            'content-length: 100000',
          ],
          formStart,
          500,
        ),
      ),
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await answeredSoon(other)
  const [first] = await Promise.all(slow.map((one) => one.answer))
  expect(first).toContain('HTTP/1.1 408')
  expect(first).toContain('网络过慢')
})

test('JSON that comes a byte at a time keeps nobody waiting, and is refused in words', { timeout: 60_000 }, async () => {
  const other = await city.as('bj-zhao')
  const callers = await crowd()
  const slow = await Promise.all(
    callers.flatMap((who) =>
      [1, 2].map(() =>
        callSlowly(
          port,
          ['POST /api/v1/oa/team HTTP/1.1', `token: ${who.token}`, 'group: *', 'content-type: application/json', 'content-length: 1000'],
          '{"teamName":"          ',
          500,
        ),
      ),
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await answeredSoon(other)
  const answers = await Promise.all(slow.map((one) => one.answer))
  // A caller without permission is refused before the body is read.
  expect(answers.some((text) => text.includes('HTTP/1.1 408') && text.includes('网络过慢'))).toBe(true)
  for (const text of answers) expect(text).toMatch(/^HTTP\/1\.1 (408|403)/)
  // The limit for anything without a minimum rate.
  expect(world.api.app.server.requestTimeout).toBe(requestMs)
})

test('a gateway for text messages that hangs keeps only those waiting who try it', async () => {
  const [admin, other] = [await city.as('admin'), await city.as('bj-zhao')]
  const tried = Array.from({ length: 5 }, () => admin.ask(tryChannel, { body: { channel: 'sms', to: '13800138000' } }))
  await expect.poll(() => gateway.hanging, { timeout: soonMs }).toBeGreaterThan(1)
  for (let i = 0; i < 5; i++) await answeredSoon(other)
  await answeredSoon(admin)
  expect(gateway.hanging).toBeGreaterThan(0)
  const letting = setInterval(() => gateway.letGo(), 100)
  for (const answer of await Promise.all(tried)) expect(answer).toMatchObject({ status: 4, message: expect.stringContaining('发送失败') })
  clearInterval(letting)
})

test('no other server is waited for inside a transaction', async () => {
  const { config, database } = world
  const outgoing = createOutgoing(config, 'upward')
  const senders = sendersFor(config)
  const ways: (() => Promise<unknown>)[] = [
    () => outgoing.ask({ url: `${gateway.url}/x`, method: 'GET', headers: {} }),
    () => outgoing.target('127.0.0.1', gateway.port),
    () => senders.sms?.send('13800138000', 'x', 'x') ?? Promise.resolve(),
    () => senders.webhook.send(`${gateway.url}/hook`, null, '{}', 'x'),
    () => senders.mail?.send('a@b.example', 'x', 'x', 'x') ?? Promise.resolve(),
  ]
  const before = gateway.called
  const words = 'inside a transaction'
  for (const way of ways) {
    await expect(inScope(database.kysely, seesNothing({ id: '', type: 3 }, ''), way)).rejects.toThrow(words)
    await expect(database.kysely.transaction().execute(way)).rejects.toThrow(words)
    await expect(inTransaction(database.pool, way)).rejects.toThrow(words)
  }
  expect(gateway.called).toBe(before)
  // Work that continues after the transaction is no longer inside it.
  let later: Promise<unknown> | undefined
  await inTransaction(database.pool, async () => {
    later = new Promise((resolve) => setTimeout(resolve, 200)).then(() => outgoing.target('127.0.0.1', gateway.port))
  })
  expect(await later).toMatchObject({ address: '127.0.0.1' })
  senders.mail?.close()
})
