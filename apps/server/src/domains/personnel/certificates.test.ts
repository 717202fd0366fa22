import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { listMessages } from '@zhugong/contract/notify/endpoints'
import * as certs from '@zhugong/contract/personnel/certificates'
import * as papersCalls from '@zhugong/contract/personnel/papers'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addDays } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { newcomer, type Site, siteOf, storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let clerk: Caller
let manager: Caller
let site: Site
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  manager = await settled.as('hospital-pm')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
})
afterAll(() => world.close())

let numbers = 0
/** Creates an electrician in place; with `ends`, with a licence that expires in this many days. */
async function electrician(name: string, ends?: number, more: { status?: string; passed?: false } = {}) {
  const stay = { ...newcomer(site).stay, workType: '130' } as NonNullable<ReturnType<typeof newcomer>['stay']>
  const made = await clerk.call(workersCalls.registerWorker, { body: newcomer(site, { name, stay }) })
  const person = { workerId: made.workerId, stayId: made.projectWorkerId ?? '' }
  return { ...person, certId: ends === undefined ? '' : await licence(person.workerId, ends, more) }
}
async function licence(workerId: string, ends: number, more: { status?: string; passed?: false } = {}) {
  const { id } = await clerk.call(papersCalls.saveCert, {
    body: {
      workerId,
      certType: '7',
      specialType: '01',
      name: '建筑电工操作资格证',
      certNo: `鄂D${String(++numbers).padStart(10, '0')}`,
      issueDate: addDays(today, -700),
      validEnd: addDays(today, ends),
      grantOrg: '湖北省住房和城乡建设厅',
      status: more.status ?? '1',
      files: [await storedFile(world, site.groupId)],
    },
  })
  if (more.passed !== false) await manager.call(papersCalls.auditCert, { body: { id, result: '1' } })
  return id
}
const dues = async (query: object = {}) =>
  (await clerk.call(certs.listCertDues, { query: { view: 'certAlarm', size: 1000, ...query } })).list
const duesOf = async (workerId: string, query: object = {}) => (await dues(query)).filter((d) => d.workerId === workerId)

test('what runs out is listed by how near it is, what lacks stands first, and what ends later is not there', async () => {
  const cases = [
    { name: '魏无证', ends: undefined, urgency: 'missing' },
    { name: '魏过期', ends: -3, urgency: 'expired' },
    { name: '魏今日', ends: 0, urgency: '30' },
    { name: '魏三十', ends: 30, urgency: '30' },
    { name: '魏六十', ends: 31, urgency: '60' },
    { name: '魏九十', ends: 90, urgency: '90' },
    { name: '魏将来', ends: 91, urgency: undefined },
  ]
  for (const { name, ends } of cases) await electrician(name, ends)
  const listed = (await dues({ name: '魏' })).map((d) => [d.name, d.urgency, d.required])
  expect(listed).toEqual(cases.flatMap(({ name, urgency }) => (urgency ? [[name, urgency, true]] : [])))
  const far = await dues({ name: '魏', urgency: 'expired,30' })
  expect(far.map((d) => d.daysLeft)).toEqual([-3, 0, 30])
})

test('a later licence of the same kind ends the watch; one in review says so; a suspended one counts for nothing', async () => {
  const renewed = await electrician('史换证', -5)
  expect(await duesOf(renewed.workerId)).toMatchObject([{ urgency: 'expired', state: 'open' }])
  const next = await licence(renewed.workerId, 600, { passed: false })
  expect(await duesOf(renewed.workerId)).toMatchObject([{ urgency: 'expired', state: 'review' }])
  await manager.call(papersCalls.auditCert, { body: { id: next, result: '1' } })
  expect(await duesOf(renewed.workerId)).toEqual([])
  const suspended = await electrician('史暂扣', 400, { status: '3' })
  expect(await duesOf(suspended.workerId)).toMatchObject([{ urgency: 'missing', kind: 'missing' }])
})

test('a licence its issuer calls expired is an expired one and not a missing one', async () => {
  const one = await electrician('裴注期', -9, { status: '4' })
  expect(await duesOf(one.workerId)).toMatchObject([{ urgency: 'expired', kind: 'cert' }])
  const { list } = await clerk.call(peopleCalls.listStays, { query: { certState: 'expired', name: '裴注期' } })
  expect(list).toMatchObject([{ certState: 'expired', certEnd: addDays(today, -9) }])
})

test('the strip counts what the list shows, and leaves out what was set aside', async () => {
  const one = await electrician('卓忽略', 12)
  const [due] = await duesOf(one.workerId)
  const before = await clerk.call(certs.certFigures, { query: {} })
  const counted = async () => ({
    expired: (await dues({ urgency: 'expired' })).length,
    missing: (await dues({ urgency: 'missing' })).length,
    within30: (await dues({ urgency: '30' })).length,
    within60: (await dues({ urgency: '60' })).length,
    within90: (await dues({ urgency: '90' })).length,
  })
  expect(before).toMatchObject(await counted())
  const inWeeks = before.weeks.reduce((sum, w) => sum + w.required + w.other, 0)
  expect(inWeeks).toBe(before.within30 + before.within60 + before.within90)
  const item = { projectWorkerId: one.stayId, subject: due?.subject ?? '' }
  expect((await clerk.ask(certs.ignoreCerts, { body: { items: [item], reason: '' } })).message).toContain('忽略原因')
  expect(await clerk.call(certs.ignoreCerts, { body: { items: [item], reason: '本周离场，不再换证' } })).toEqual({ done: 1, gone: 0 })
  expect(await duesOf(one.workerId)).toEqual([])
  expect(await duesOf(one.workerId, { dueState: 'ignored' })).toMatchObject([{ ignored: { reason: '本周离场，不再换证' } }])
  const after = await clerk.call(certs.certFigures, { query: {} })
  expect(after).toMatchObject({ within30: before.within30 - 1, ignored: before.ignored + 1 })
  // A certificate with another expiry date is a new due item.
  await world.database.pool.query('update worker_cert set valid_end = valid_end + 5 where id = $1', [one.certId])
  expect(await duesOf(one.workerId)).toMatchObject([{ state: 'open', daysLeft: 17 }])
})

test('three reminders are one row with three dates, and reach whoever keeps the papers', async () => {
  const one = await electrician('饶提醒', 3)
  const [due] = await duesOf(one.workerId)
  const items = [{ projectWorkerId: one.stayId, subject: due?.subject ?? '' }]
  for (let i = 0; i < 3; i++) expect((await clerk.call(certs.remindCerts, { body: { items } })).told).toBeGreaterThan(0)
  const [reminded] = await duesOf(one.workerId)
  expect(reminded).toMatchObject({ state: 'reminded' })
  expect(reminded?.reminded).toHaveLength(3)
  const { list } = await manager.call(listMessages, { query: { kind: 'due' } })
  expect(list.filter((m) => m.text.includes('饶提醒'))).toHaveLength(3)
  // An outdated page may contain items that are no longer due: they are counted as gone, without a reminder.
  const gone = await clerk.call(certs.remindCerts, { body: { items: [{ ...items[0]!, subject: 'missing:130' }] } })
  expect(gone).toEqual({ done: 0, gone: 1, told: 0 })
})

test('the stock lists each certificate once, with whoever holds it; the coverage names who lacks his', async () => {
  const current = await electrician('温有证', 300)
  const lacks = await electrician('温缺证')
  const waiting = await electrician('温待审', 300, { passed: false })
  const stock = await clerk.call(certs.listCerts, { query: { view: 'cert', name: '温', onSite: '1' } })
  expect(stock.list.map((c) => [c.name, c.state])).toEqual([
    ['温待审', 'pending'],
    ['温有证', 'valid'],
  ])
  expect(stock.total).toBe(2)
  const { list } = await clerk.call(certs.certCoverage, { query: {} })
  const electricians = list.find((row) => row.code === '130')
  expect(electricians?.needed).toBe(
    (electricians?.valid ?? 0) +
      (electricians?.expiring ?? 0) +
      (electricians?.pending ?? 0) +
      (electricians?.expired ?? 0) +
      (electricians?.missing ?? 0),
  )
  const named = electricians?.lacking.map((p) => p.workerId) ?? []
  expect([named.includes(current.workerId), named.includes(lacks.workerId), named.includes(waiting.workerId)]).toEqual([false, true, true])
  // A person without any licence lacks an entry condition, and the filter finds them.
  const found = await clerk.call(peopleCalls.listStays, { query: { missing: 'cert', name: '温' } })
  expect(found.list.map((s) => s.name).sort()).toEqual(['温缺证', '温待审'].sort())
  const posts = list.filter((row) => row.isPost)
  expect(posts.length).toBeGreaterThan(0)
  const figures = await clerk.call(certs.certFigures, { query: {} })
  const trades = list.filter((row) => !row.isPost)
  // 缺证 is the same figure on all pages; a licence in review does not count as missing.
  const people = await clerk.call(peopleCalls.stayFigures, { query: {} })
  expect(figures).toMatchObject({ missing: people.certMissing, lacking: { missing: people.certMissing, expired: people.certEnded } })
  expect(figures.asked - figures.held).toBe(figures.lacking.missing + figures.lacking.expired + figures.lacking.pending)
  expect(figures.firstInReview).toBeGreaterThan(0)
  expect((await duesOf(waiting.workerId)).map((d) => [d.urgency, d.state])).toEqual([['missing', 'review']])
  expect(figures.asked).toBe(trades.reduce((sum, row) => sum + row.needed, 0))
  expect(figures.held).toBe(trades.reduce((sum, row) => sum + row.valid + row.expiring, 0))
})

test('a subcontractor and another site see their own alone', async () => {
  const one = await electrician('苗邻居', 2)
  const elsewhere = await (await settled.as('zhigu-pm')).call(certs.listCertDues, { query: { view: 'certAlarm', size: 1000 } })
  expect(elsewhere.list.some((d) => d.workerId === one.workerId)).toBe(false)
  const other = await (await settled.as('dingli-cheng')).call(certs.listCertDues, { query: { view: 'certAlarm', size: 1000 } })
  const own = await world.database.pool.query<{ corp_code: string }>('select corp_code from project_worker where id = $1', [one.stayId])
  const corp = await world.database.pool.query<{ code: string }>(
    "select t.code from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id where u.account = 'dingli-cheng' and t.type = 2",
  )
  expect(other.list.some((d) => d.workerId === one.workerId)).toBe(own.rows[0]?.corp_code === corp.rows[0]?.code)
})
