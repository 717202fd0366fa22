import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { type RestDays, weekends } from '@zhugong/contract/kit/rest-days'
import * as contract from '@zhugong/contract/reports/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { testSecretKey, type World } from '../../../test/world.ts'
import type { Senders } from '../notify/public.ts'
import { nextTurn, periodBefore, periodEarlier } from './calendar.ts'
import { createReportSendings, turnReports } from './turns.ts'

// A Friday. Only the jobs' clock advances, so that no session expires.
const start = Date.parse('2026-11-20T10:00:00+08:00')
let now = start
const clock = { now: () => now }
let world: World
let settled: CityWorld
const mails: { to: string; title: string; text: string; files: readonly { filename: string; content: Buffer }[] }[] = []
const posts: { url: string; body: string; secret: string | null }[] = []
let mailFails = 0
const senders: Senders = {
  sms: undefined,
  mail: {
    async send(to, title, text, _id, files = []) {
      if (mailFails-- > 0) throw new Error('down')
      mails.push({ to, title, text, files })
    },
    close: () => undefined,
  },
  webhook: {
    async send(url, secret, body) {
      posts.push({ url, secret, body })
    },
  },
}
const turn = async () => {
  const deps = { database: world.database, clock, secrets: createSecrets(testSecretKey), log: createLog('test', 'error'), senders }
  let done = 0
  const sendings = createReportSendings(deps.log)
  for (let did = 1; did > 0; done += did) {
    did = await turnReports(deps, sendings)
    for (const way of Object.values(sendings)) await way.settled()
  }
  return done
}
type Body = InputFor<typeof contract.savePush>['body']
const weekly = (over: Partial<Body> = {}): Body => ({
  name: '周一周报',
  reportType: '2',
  content: ['attendance', 'alarm', 'online'],
  channels: ['1'],
  sendAt: '08:00',
  weekday: 1,
  ...over,
})
const idOf = async (account: string): Promise<string> =>
  (await world.database.pool.query<{ id: string }>('select id from app_user where account = $1', [account])).rows[0]?.id ?? ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => start } })
  settled = await settleCity(world)
})
afterAll(() => world.close())

test('periods are those that are over, and the one before each', () => {
  expect(periodBefore('1', '2026-03-01')).toEqual({ from: '2026-02-28', to: '2026-02-28' })
  expect(periodBefore('2', '2026-11-22')).toEqual({ from: '2026-11-09', to: '2026-11-15' })
  expect(periodBefore('2', '2026-11-23')).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  expect(periodBefore('3', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(periodBefore('4', '2026-01-02')).toEqual({ from: '2025-10-01', to: '2025-12-31' })
  expect(periodEarlier('4', { from: '2026-01-01', to: '2026-03-31' })).toEqual({ from: '2025-10-01', to: '2025-12-31' })
})

test('the next turn is after now, and the weekend is sent on, left out or put off', () => {
  const at = (rhythm: object, after: string, rest: RestDays = weekends) => {
    const base = { reportType: '1', sendAt: '08:00', weekday: 1, monthday: 1, weekend: 'send' as const }
    return nextTurn({ ...base, ...rhythm }, Date.parse(`${after}:00+08:00`), rest)?.toISOString()
  }
  expect(at({}, '2026-11-20T07:59')).toBe('2026-11-20T00:00:00.000Z')
  expect(at({}, '2026-11-20T08:00')).toBe('2026-11-21T00:00:00.000Z')
  expect(at({ weekend: 'skip' }, '2026-11-20T08:00')).toBe('2026-11-23T00:00:00.000Z')
  expect(at({ reportType: '2', weekday: 7, weekend: 'monday' }, '2026-11-22T09:00')).toBe('2026-11-23T00:00:00.000Z')
  expect(at({ reportType: '2', weekday: 7, weekend: 'skip' }, '2026-11-20T09:00')).toBeUndefined()
  // 1 November is a Sunday.
  expect(at({ reportType: '3', weekend: 'skip' }, '2026-10-02T09:00')).toBe('2026-12-01T00:00:00.000Z')
  expect(at({ reportType: '3', weekend: 'monday' }, '2026-10-02T09:00')).toBe('2026-11-02T00:00:00.000Z')
  // In a week off, Monday's report is postponed to the first working day, or left out if so configured.
  const festival = { ...weekends, restDates: ['2026-11-23', '2026-11-24', '2026-11-25'] }
  expect(at({ reportType: '2', weekend: 'monday' }, '2026-11-20T09:00', festival)).toBe('2026-11-26T00:00:00.000Z')
  expect(at({ reportType: '2', weekend: 'monday' }, '2026-11-25T09:00', festival)).toBe('2026-11-26T00:00:00.000Z')
  expect(at({ reportType: '2', weekend: 'skip' }, '2026-11-20T09:00', festival)).toBe('2026-11-30T00:00:00.000Z')
  // A Sunday worked as a substitute is a normal day.
  expect(at({ weekend: 'skip' }, '2026-11-21T09:00', { ...weekends, workDates: ['2026-11-22'] })).toBe('2026-11-22T00:00:00.000Z')
  expect(at({ reportType: '4', monthday: 5 }, '2026-11-20T09:00')).toBe('2027-01-05T00:00:00.000Z')
})

test('goes to each under his own eyes, once, and its next turn is set', async () => {
  const boss = await settled.as('yunze-lu')
  const made = await boss.call(contract.savePush, { body: weekly({ userIds: [await idOf('yunze-lu')], channels: ['1', '2', '4'] }) })
  expect(made.next).toBe('2026-11-23 08:00:00')
  expect(await turn()).toBe(0)
  await world.database.pool.query(`update app_user set email = $1 where account = 'yunze-lu'`, [
    createSecrets(testSecretKey).seal('lu@zhugong.test'),
  ])
  now = Date.parse('2026-11-23T08:00:30+08:00')
  expect(await turn()).toBeGreaterThan(0)
  expect(await turn()).toBe(0)
  const sent = await boss.call(contract.listDeliveries, { query: { pushId: made.id } })
  expect(Object.fromEntries(sent.list.map((d) => [d.channel, [d.state, d.reason]]))).toEqual({
    '1': ['1', ''],
    '2': ['2', '短信通道未配置'],
    '4': ['1', ''],
  })
  expect(sent.list[0]).toMatchObject({ from: '2026-11-16', to: '2026-11-22' })
  expect(sent.counts).toEqual({ sent: 2, failed: 1, waiting: 0 })
  expect(mails).toHaveLength(1)
  expect(mails[0]!.files.map((f) => [f.filename.replace(/^.*\./, ''), f.content.subarray(0, 4).toString('latin1')])).toEqual([
    ['pdf', '%PDF'],
    ['xlsx', 'PK\u0003\u0004'],
  ])
  // Mails contain figures, but no names of the company's people.
  const { rows: people } = await world.database.pool.query<{ n: string }>('select distinct worker_name as n from project_worker limit 500')
  for (const { n } of people) expect(mails[0]!.text).not.toContain(n)
  const [push] = (await boss.call(contract.listPushes, { query: {} })).list
  expect(push).toMatchObject({ next: '2026-11-30 08:00:00', lastResult: '2', lastSent: 2, lastFailed: 1 })
})

test('a company reads of its own sites alone, and the alarms it is told of are those of the list', async () => {
  const body = { reportType: '3' as const, content: ['attendance' as const, 'alarm' as const, 'online' as const] }
  const names = async (account: string) => {
    const made = await (await settled.as(account)).call(contract.previewPush, { body })
    return new Set(made.sections.flatMap((section) => section.rows.map(([name]) => name)))
  }
  const [city, company] = [await names('city-fang'), await names('yunze-lu')]
  const { rows } = await world.database.pool.query<{ name: string }>(
    `select distinct p.name from project p join project_corp pc using (project_code) join tenant t on t.code = pc.corp_code
     join member m on m.group_id = t.id join app_user u on u.id = m.user_id and u.account = 'yunze-lu'`,
  )
  const own = new Set(rows.map((r) => r.name))
  for (const name of company) expect(own).toContain(name)
  expect(city.size).toBeGreaterThan(company.size)
})

test('who left the group, gave it up or lost the right gets nothing, and is not told of', async () => {
  const boss = await settled.as('city-fang')
  const mine = await idOf('city-fang')
  const { id } = await boss.call(contract.savePush, { body: weekly({ name: '日报', reportType: '1', userIds: [mine] }) })
  now = Date.parse('2026-11-24T08:00:30+08:00')
  await turn()
  const [received] = (await boss.call(contract.myReports, { query: {} })).list
  expect(received).toMatchObject({ title: '日报', from: '2026-11-23', follows: true, pushId: id })
  expect((await boss.call(contract.myReport, { params: { id: received!.id } })).sections.map((s) => s.key)).toEqual([
    'attendance',
    'alarm',
    'online',
  ])
  // Other users cannot read it, neither in the same city nor in another group.
  for (const account of ['bj-zhao', 'yunze-lu', 'admin']) {
    const other = await settled.as(account)
    expect((await other.ask(contract.myReport, { params: { id: received!.id } })).status).not.toBe(0)
    expect((await other.ask(contract.leavePush, { params: { id }, body: { follow: false } })).status).not.toBe(0)
  }
  await boss.call(contract.leavePush, { params: { id }, body: { follow: false } })
  now = Date.parse('2026-11-25T08:00:30+08:00')
  await turn()
  expect((await boss.call(contract.myReports, { query: {} })).list).toHaveLength(1)
  expect((await boss.call(contract.listDeliveries, { query: { pushId: id } })).total).toBe(1)
})

test('what fails is tried again, then said, and can be sent anew', async () => {
  const boss = await settled.as('yunze-lu')
  const { id } = await boss.call(contract.savePush, {
    body: weekly({ name: '邮件日报', reportType: '1', userIds: [await idOf('yunze-lu')], channels: ['4'] }),
  })
  mailFails = 4
  const seen = async () => (await boss.call(contract.listDeliveries, { query: { pushId: id } })).list[0]
  now = Date.parse('2026-11-26T08:00:30+08:00')
  await turn()
  expect(await seen()).toMatchObject({ state: '0', attempts: 1, reason: '发送失败' })
  for (const minutes of [2, 15, 120]) {
    now += minutes * 60_000
    await turn()
  }
  const failed = await seen()
  expect(failed).toMatchObject({ state: '2', attempts: 4 })
  await boss.call(contract.resendDelivery, { params: { id: failed!.id } })
  await turn()
  expect(await seen()).toMatchObject({ state: '1' })
  expect(await boss.ask(contract.resendDelivery, { params: { id: failed!.id } })).toMatchObject({ status: 4 })
})

test('a webhook gets figures signed with its secret, which is never read back', async () => {
  const boss = await settled.as('yunze-lu')
  const { id } = await boss.call(contract.savePush, {
    body: weekly({ name: '回调', reportType: '1', webhookUrl: 'https://hooks.example.com/zg', webhookSecret: 'abc123' }),
  })
  const push = (await boss.call(contract.listPushes, { query: { name: '回调' } })).list[0]!
  expect(push).toMatchObject({ id, hasSecret: true })
  expect(JSON.stringify(push)).not.toContain('abc123')
  now = Date.parse('2026-11-27T08:00:30+08:00')
  await turn()
  expect(posts).toHaveLength(1)
  expect(posts[0]).toMatchObject({ url: 'https://hooks.example.com/zg', secret: 'abc123' })
  expect(JSON.parse(posts[0]!.body)).toMatchObject({ from: '2026-11-26', to: '2026-11-26' })
  // A change without the secret keeps it; a paused push sends nothing.
  await boss.call(contract.savePush, {
    body: weekly({ id, version: push.version, name: '回调', reportType: '1', webhookUrl: push.webhookUrl }),
  })
  await boss.call(contract.switchPush, { params: { id }, body: { enable: '0', version: push.version + 1 } })
  now = Date.parse('2026-11-28T08:00:30+08:00')
  await turn()
  expect(posts).toHaveLength(1)
})

test('wrong input is said at its field, and nobody of another group is named', async () => {
  const boss = await settled.as('yunze-lu')
  const refused = async (over: Partial<Body>) => {
    const answer = await boss.ask(contract.savePush, { body: weekly({ name: '错', userIds: [await idOf('yunze-lu')], ...over }) })
    return [answer.status === 0, (answer.data as { field?: string } | null)?.field]
  }
  expect(await refused({ userIds: [] })).toEqual([false, 'userIds'])
  expect(await refused({ userIds: [await idOf('city-fang')] })).toEqual([false, 'userIds'])
  expect(await refused({ reportType: '1', weekend: 'monday' })).toEqual([false, 'weekend'])
  expect(await refused({ weekday: 6, weekend: 'skip' })).toEqual([false, 'weekend'])
  expect(await refused({ webhookUrl: 'http://a.example.com' })).toEqual([false, 'webhookUrl'])
  expect(await refused({ name: '周一周报' })).toEqual([false, 'name'])
  expect((await refused({ projects: ['999999999999999999'] }))[0]).toBe(false)
})
