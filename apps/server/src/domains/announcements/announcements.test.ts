import { randomUUID } from 'node:crypto'
import {
  changeAnnouncement,
  createAnnouncement,
  getAnnouncement,
  listAnnouncements,
  listReceipts,
  markAnnouncements,
  noticeTargets,
  previewRecipients,
  removeAnnouncement,
  signAnnouncement,
} from '@zhugong/contract/announcements/calls'
import { askedAbove, remindHours, stateOf } from '@zhugong/contract/announcements/model'
import { type NoticeAction, noticeMoves } from '@zhugong/contract/announcements/moves'
import { listHomeAlerts, listTodos } from '@zhugong/contract/home/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { listMessages } from '@zhugong/contract/notify/endpoints'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { formatInstant } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { turnAnnouncements } from './public.ts'

let world: World
let settled: CityWorld
let now = Date.parse('2028-02-29T23:30:00+08:00')
/** Head of a district's section, an officer of it, the city above, another district, people of two sites, a company, a subcontractor. */
const cast = {
  head: 'bj-wu',
  officer: 'bj-zhao',
  colleague: 'bj-qian',
  city: 'city-fang',
  other: 'yd-wang',
  pm: 'hospital-pm',
  labour: 'hospital-labour',
  stranger: 'zhigu-pm',
  company: 'yunze-lu',
  sub: 'dingli-cheng',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const people = {} as Record<Who, { id: string; groupId: string; memberId: string }>
const query = { projectCode: '*' }
const db = () => world.database.kysely
type Body = InputFor<typeof createAnnouncement>['body']

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await sql`update role set codes = array(select distinct c from unnest(codes || '{documents.view}'::text[]) c)`.execute(db())
  for (const who of Object.keys(cast) as Who[]) {
    as[who] = await settled.as(cast[who])
    const { rows } = await sql<{ id: string; groupId: string; memberId: string }>`select u.id, m.group_id, m.id as member_id from app_user u
      join member m on m.user_id = u.id where u.account = ${cast[who]} order by m.is_default desc limit 1`.execute(db())
    if (rows[0]) people[who] = rows[0]
  }
})
afterAll(() => world.close())
/** Moves the clock; the sessions of the cast stay valid. */
async function pass(ms: number): Promise<void> {
  now += ms
  await sql`update session set seen_at = ${new Date(now)}, expires_at = ${new Date(now + dayMs)}, hard_expires_at = ${new Date(now + dayMs)}`.execute(
    db(),
  )
}
beforeEach(async () => {
  await pass(0)
  await sql`delete from announcement`.execute(db())
  await sql`delete from message`.execute(db())
})

const newId = () => randomUUID().replaceAll('-', '')
const ofSite = (...who: Who[]) => [{ kind: 'project' as const, groups: who.map((one) => people[one].groupId) }]
const text = (more: Partial<Body> = {}): Body => ({
  id: newId(),
  title: '关于做好防汛工作的通知',
  type: '1',
  content: '<p>请立即排查。</p>',
  lines: ofSite('pm'),
  ...more,
})
const signed = (more: Partial<Body> = {}) => text({ needReceipt: true, deadline: formatInstant(now + 2 * dayMs), ...more })
const draft = async (who: Who, body: Body = text()) => (await as[who].call(createAnnouncement, { query, body })).id
async function act(who: Who, id: string, action: Exclude<NoticeAction, 'edit'>, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from announcement where id = ${id}`.execute(db())
  const body = { action, version: rows[0]?.version ?? 0, ...more } as InputFor<typeof changeAnnouncement>['body']
  return as[who].ask(changeAnnouncement, { params: { id }, query, body })
}
async function published(who: Who = 'head', body: Body = text()): Promise<string> {
  const id = await draft(who, body)
  const answer = await act(who, id, 'publish')
  expect(answer.status, answer.message).toBe(0)
  return id
}
const stateIn = async (id: string) =>
  (await sql<{ state: string }>`select state from announcement where id = ${id}`.execute(db())).rows[0]?.state
const open = (who: Who, id: string, part: 'text' | 'receipts' = 'text') =>
  as[who].ask(getAnnouncement, { params: { id }, query: { ...query, part } })
const inbox = (who: Who, more: object = {}) => as[who].call(listAnnouncements, { query: { ...query, size: 100, ...more } })
const receiptsOf = (who: Who, noticeId: string, more: object = {}) =>
  as[who].ask(listReceipts, { query: { ...query, noticeId, size: 100, ...more } })
const sign = (who: Who, id: string, signature: string | null = null) =>
  as[who].ask(signAnnouncement, { params: { id }, query, body: { signature } })
const turn = () =>
  turnAnnouncements({ db: db(), clock: { now: () => now }, secrets: createSecrets(testSecretKey), log: createLog('test', 'warn') })

test('[product-scope] an authority publishes a notice, a site reads and signs it, and the authority sees who has not', async () => {
  const id = await published('head', signed())
  expect((await inbox('pm')).list[0]).toMatchObject({ id, myState: 'unsigned', sender: '滨江区建设工程监督站' })
  // A list is not an opening.
  expect((await receiptsOf('head', id)).data.list.every((one) => one.readTime === null)).toBe(true)
  const seen = await open('pm', id)
  expect(seen.data).toMatchObject({ content: '<p>请立即排查。</p>', mayReceipt: true, own: false, lines: [] })
  const first = (await receiptsOf('head', id)).data.list.find((one) => one.id === people.pm.id)?.readTime
  expect(first).toBe(formatInstant(now))
  await pass(hourMs)
  await open('pm', id)
  expect((await receiptsOf('head', id)).data.list.find((one) => one.id === people.pm.id)?.readTime).toBe(first)
  expect((await sign('pm', id)).data.receiptTime).toBe(formatInstant(now))
  await pass(hourMs)
  expect((await sign('pm', id)).data.receiptTime).toBe(formatInstant(now - hourMs))
  const { data } = await open('head', id, 'receipts')
  const all = (await receiptsOf('head', id)).data.total
  expect(all).toBeGreaterThan(1)
  expect(data.receipts).toMatchObject({ all, read: 1, signed: 1, overdue: 0, missing: all - 1 })
  expect((await receiptsOf('head', id, { missing: 'true' })).data.total).toBe(all - 1)
})

test('every figure counts with the conditions of its list', async () => {
  const overdue = await published('head', signed({ title: '超期' }))
  await sql`update announcement set deadline = ${new Date(now - 1)} where id = ${overdue}`.execute(db())
  await published('head', text({ title: '只读' }))
  await published('head', signed({ title: '待签' }))
  await draft('head')
  const { counts } = await inbox('pm')
  const of = async (who: Who, more: object) => (await inbox(who, more)).total
  expect(counts).toMatchObject({ waiting: 3, unread: 1, unsigned: 1, overdue: 1 })
  for (const state of ['unread', 'unsigned', 'overdue'] as const) expect(await of('pm', { myState: [state] })).toBe(counts[state])
  expect(await of('pm', { myState: ['unread', 'unsigned', 'overdue'] })).toBe(counts.waiting)
  const sent = (await inbox('head', { box: 'out' })).counts
  expect(await of('head', { box: 'out', state: [stateOf.draft] })).toBe(sent.drafts)
  expect(await of('head', { box: 'out', missing: 'true' })).toBe(sent.missing)
  expect(sent).toMatchObject({ drafts: 1, missing: 3 })
  const { data } = await open('head', overdue, 'receipts')
  for (const unit of data.receipts?.units ?? [])
    expect((await receiptsOf('head', overdue, { groupId: unit.groupId })).data.total).toBe(unit.all)
  expect((await receiptsOf('head', overdue, { state: ['overdue'] })).data.total).toBe(data.receipts?.overdue)
  for (const area of data.receipts?.areas ?? [])
    expect((await receiptsOf('head', overdue, { areaCode: [area.areaCode] })).data.total).toBe(area.all)
})

test('bell, to-do list and list share one definition', async () => {
  const one = await published('head', signed())
  const two = await published('head', text())
  const waiting = async () => {
    const tasks = (await as.pm.call(listHomeAlerts, { query: { size: 100 } })).list.filter((task) => task.kind === 'noticeReceipt')
    const todos = (await as.pm.call(listTodos, { query: { kind: 'noticeReceipt', size: 100 } })).list
    expect(todos.map((task) => task.id).sort()).toEqual(tasks.map((task) => task.id).sort())
    expect(tasks).toHaveLength((await inbox('pm')).counts.waiting)
    return tasks.map((task) => task.link).sort()
  }
  expect(await waiting()).toEqual([one, two].map((id) => `/infoNotice?id=${id}`).sort())
  await open('pm', one)
  await open('pm', two)
  expect(await waiting()).toEqual([`/infoNotice?id=${one}`])
  await sign('pm', one)
  expect(await waiting()).toEqual([])
})

test('nobody else sees it: another site, another district, a colleague outside the role, a subcontractor, a former member', async () => {
  const id = await published('head', signed({ lines: [{ kind: 'project', groups: [people.pm.groupId], roles: ['项目管理员'] }] }))
  expect((await open('pm', id)).status).toBe(0)
  for (const who of ['stranger', 'other', 'labour', 'company', 'sub'] as const) {
    expect((await open(who, id)).status, who).not.toBe(0)
    expect((await inbox(who)).list.map((one) => one.id)).not.toContain(id)
    expect((await sign(who, id)).status, who).not.toBe(0)
    expect((await receiptsOf(who, id)).status, who).not.toBe(0)
    for (const action of ['recall', 'remind', 'publish'] as const)
      expect((await act(who, id, action, { reason: '不对', confirmed: null })).status, `${who} ${action}`).not.toBe(0)
  }
  // A recipient sees no receipts, and none of the scope.
  expect((await receiptsOf('pm', id)).status).not.toBe(0)
  await sql`update member set enable = '0' where id = ${people.pm.memberId}`.execute(db())
  await sql`update permission_version set version = version + 1`.execute(db())
  expect((await open('pm', id)).status).not.toBe(0)
  await sql`update member set enable = '1' where id = ${people.pm.memberId}`.execute(db())
  await sql`update permission_version set version = version + 1`.execute(db())
})

test('the city above sees what its district published and its receipts, not its drafts', async () => {
  const id = await published('head')
  expect((await open('city', id, 'receipts')).data).toMatchObject({ own: false, seesReceipts: true, actions: [] })
  expect((await receiptsOf('city', id)).data.total).toBeGreaterThan(0)
  expect((await act('city', id, 'recall', { reason: '越级' })).status).not.toBe(0)
  expect((await open('city', await draft('head'))).status).not.toBe(0)
})

test('a sender reaches only its own scope', async () => {
  const lines = (groupId: string, kind: 'project' | 'corporation' = 'project') => ({
    query,
    body: { lines: [{ kind, groups: [groupId] }] },
  })
  for (const [who, groupId] of [
    ['head', people.stranger.groupId],
    ['pm', people.stranger.groupId],
    ['company', people.stranger.groupId],
  ] as const) {
    const { rows } = await sql`select from tenant t join project p on p.project_code = t.code join tenant g on g.id = ${people[who].groupId}
      where t.id = ${groupId} and g.type = 1 and p.area_code like substr(g.area_code, 1, 6) || '%'`.execute(db())
    if (rows.length > 0) continue
    expect((await as[who].ask(previewRecipients, lines(groupId))).message, who).toBe('所选单位不在您的管辖范围内')
    expect((await as[who].ask(createAnnouncement, { query, body: text(lines(groupId).body) })).status, who).not.toBe(0)
  }
  const targets = await as.pm.call(noticeTargets, { query })
  expect(targets.projects.map((one) => one.value)).toEqual([people.pm.groupId])
  const whole = await as.pm.call(previewRecipients, { query, body: { lines: [{ kind: 'all' }] } })
  expect(whole.units.map((one) => one.groupId)).toEqual([people.pm.groupId])
  expect((await as.labour.ask(noticeTargets, { query })).status).not.toBe(0)
})

test('lines: districts, roles, exclusions and persons', async () => {
  const preview = (lines: NonNullable<Body['lines']>, who: Who = 'city') => as[who].call(previewRecipients, { query, body: { lines } })
  const all = await preview([{ kind: 'all' }])
  const without = await preview([{ kind: 'all', except: [people.pm.groupId] }])
  expect(without.people).toBeLessThan(all.people)
  expect(without.units.map((one) => one.groupId)).not.toContain(people.pm.groupId)
  const district = await preview([{ kind: 'area', areas: ['420202'] }])
  expect(district.people).toBeGreaterThan(0)
  expect(district.people).toBeLessThan(all.people)
  const safety = await preview([{ kind: 'all', roles: ['安全员'] }])
  expect(safety.people).toBeGreaterThan(0)
  expect(safety.people).toBeLessThan(all.people)
  expect((await preview([{ kind: 'person', members: [people.head.memberId] }], 'head')).people).toBe(1)
  // Two lines that reach the same person count it once.
  expect((await preview([{ kind: 'all' }, { kind: 'all', roles: ['安全员'] }])).people).toBe(all.people)
  expect(
    (await as.head.ask(previewRecipients, { query, body: { lines: [{ kind: 'person', members: [people.pm.memberId] }] } })).status,
  ).not.toBe(0)
})

test('an empty scope is not published, a large one asks for its number', async () => {
  const empty = await draft('head', text({ lines: [] }))
  expect((await act('head', empty, 'publish')).message).toContain('没有人员')
  const unreached = await draft('head', text({ lines: [{ kind: 'project', groups: [people.pm.groupId], roles: ['没有这个角色'] }] }))
  expect((await act('head', unreached, 'publish')).message).toContain('没有人员')
  expect(await stateIn(unreached)).toBe(stateOf.draft)
  const many = askedAbove + 1
  await sql`insert into app_user (id, account, name, password_hash) select 'many' || i, 'many' || i, '众' || i, 'x' from generate_series(1, ${many}::int) i`.execute(
    db(),
  )
  await sql`insert into member (id, user_id, group_id) select 'many' || i, 'many' || i, ${people.pm.groupId} from generate_series(1, ${many}::int) i`.execute(
    db(),
  )
  const id = await draft('head')
  const unconfirmed = await act('head', id, 'publish')
  const { people: shown } = await as.head.call(previewRecipients, { query, body: { lines: ofSite('pm') } })
  expect(unconfirmed.message).toBe(`将发给 ${shown} 人，请确认人数后再发布`)
  expect((await act('head', id, 'publish', { confirmed: shown - 1 })).status).not.toBe(0)
  expect((await act('head', id, 'publish', { confirmed: shown })).status).toBe(0)
  expect((await receiptsOf('head', id)).data.total).toBe(shown)
  await sql`delete from member where id like 'many%'`.execute(db())
  // Frozen: who left still counts.
  expect((await receiptsOf('head', id)).data.total).toBe(shown)
  await sql`delete from app_user where id like 'many%'`.execute(db())
})

test('who joins a site later reads the notice, is not counted and has nothing to sign', async () => {
  const { rows } = await sql<{ roleId: string }>`select role_id from member_role where member_id = ${people.labour.memberId}`.execute(db())
  await sql`delete from member_role where member_id = ${people.labour.memberId}`.execute(db())
  await sql`delete from member where id = ${people.labour.memberId}`.execute(db())
  const id = await published('head', signed())
  const before = (await receiptsOf('head', id)).data.total
  await pass(hourMs)
  await sql`insert into member (id, user_id, group_id, is_default, create_time)
    values (${people.labour.memberId}, ${people.labour.id}, ${people.labour.groupId}, true, ${new Date(now)})`.execute(db())
  for (const { roleId } of rows)
    await sql`insert into member_role (member_id, role_id) values (${people.labour.memberId}, ${roleId})`.execute(db())
  await sql`update permission_version set version = version + 1`.execute(db())
  const list = await inbox('labour')
  expect(list.list.find((one) => one.id === id)).toMatchObject({ myState: 'late' })
  expect(list.counts.waiting).toBe(0)
  expect((await open('labour', id)).data).toMatchObject({ content: '<p>请立即排查。</p>', mayReceipt: false })
  expect((await sign('labour', id)).message).toContain('不在本通知的接收人内')
  expect((await receiptsOf('head', id)).data.total).toBe(before)
})

test('after publishing the text is fixed; a recall leaves title and reason', async () => {
  const id = await published('head', text({ title: '原文' }))
  const edit = { action: 'edit' as const, version: 1, ...text({ title: '改过' }) }
  expect((await as.head.ask(changeAnnouncement, { params: { id }, query, body: edit })).status).not.toBe(0)
  expect((await as.head.ask(removeAnnouncement, { params: { id }, query })).message).toContain('只能删除草稿')
  expect((await act('head', id, 'recall', { reason: '' })).message).toContain('撤回原因')
  expect((await act('officer', id, 'recall', { reason: '内容有误' })).status).not.toBe(0)
  expect((await act('head', id, 'recall', { reason: '内容有误' })).status).toBe(0)
  expect((await open('pm', id)).data).toMatchObject({ title: '原文', content: '', files: [], recallReason: '内容有误', mayReceipt: false })
  expect((await inbox('pm')).counts.waiting).toBe(0)
  expect((await inbox('pm')).list[0]).toMatchObject({ id, myState: 'recalled' })
  expect((await open('head', id)).data.content).toBe('<p>请立即排查。</p>')
})

test('a reminder goes once in four hours, and only to those missing', async () => {
  const id = await published('head', signed())
  await sign('pm', id)
  const reminded = await act('head', id, 'remind')
  expect(reminded.data.told).toBe((await receiptsOf('head', id, { missing: 'true' })).data.total)
  const messages = async (who: Who) =>
    (await as[who].call(listMessages, { query: { size: 20 } })).list.filter((one) => one.title.startsWith('催办'))
  expect(await messages('pm')).toHaveLength(0)
  expect(await messages('labour')).toHaveLength(1)
  await pass(remindHours * hourMs - 1000)
  expect((await act('head', id, 'remind')).message).toContain(`${remindHours} 小时内不能重复催办`)
  await pass(1000)
  expect((await act('head', id, 'remind')).status).toBe(0)
  expect(await messages('labour')).toHaveLength(2)
})

test('all marked as read, but not what is to be signed', async () => {
  const plain = [await published(), await published()]
  const asks = await published('head', signed())
  const some = await as.pm.call(markAnnouncements, { query, body: { ids: [asks] } })
  expect(some).toEqual({ marked: 0, left: 1 })
  expect(await as.pm.call(markAnnouncements, { query, body: {} })).toEqual({ marked: plain.length, left: 1 })
  expect((await inbox('pm')).counts).toMatchObject({ waiting: 1, unread: 0, unsigned: 1 })
  // Of the others nothing was touched.
  expect((await inbox('labour')).counts.waiting).toBe(3)
})

test('a signature is asked for where the notice asks for it', async () => {
  const id = await published('head', signed({ needSignature: true }))
  expect((await sign('pm', id)).message).toBe('请手写签名')
  expect((await sign('pm', id, await storedFile(world, people.stranger.groupId))).message).toContain('附件不存在')
  expect((await sign('pm', id, await storedFile(world, people.pm.groupId))).status).toBe(0)
  expect((await open('pm', id)).data.signature).toContain('/')
})

test('who may not publish hands in; another person with the right agrees', async () => {
  const id = await draft('officer', signed())
  expect((await act('officer', id, 'publish')).status).not.toBe(0)
  expect((await act('officer', id, 'submit')).status).toBe(0)
  const tasks = (await as.head.call(listTodos, { query: { kind: 'notice', size: 20 } })).list
  expect(tasks.map((task) => task.title)).toEqual(['审核通知“关于做好防汛工作的通知”'])
  expect((await as.officer.call(listTodos, { query: { kind: 'notice', size: 20 } })).list).toEqual([])
  expect((await inbox('pm')).total).toBe(0)
  expect((await act('head', id, 'reject', { opinion: '补充联系电话' })).status).toBe(0)
  expect(await stateIn(id)).toBe(stateOf.draft)
  await act('officer', id, 'submit')
  expect((await act('other', id, 'approve')).status).not.toBe(0)
  expect((await act('head', id, 'approve')).status).toBe(0)
  expect((await inbox('pm')).total).toBe(1)
  expect((await open('officer', id)).data.timeline.map((line) => line.action)).toEqual(['submit', 'reject', 'submit', 'approve'])
  // Nobody agrees to what he handed in himself.
  const own = await draft('officer')
  await act('officer', own, 'submit')
  await sql`update announcement set submit_by = ${people.head.id} where id = ${own}`.execute(db())
  expect((await act('head', own, 'approve')).message).toContain('不能审核自己')
})

test('a timed notice is published once, also after the clock jumped, with the people of that moment', async () => {
  const at = now + 3 * dayMs
  const id = await draft('head', signed({ publishAt: formatInstant(at), deadline: formatInstant(at + dayMs) }))
  expect((await act('head', id, 'publish')).status).toBe(0)
  expect(await stateIn(id)).toBe(stateOf.timed)
  await turn()
  expect(await stateIn(id)).toBe(stateOf.timed)
  expect((await open('pm', id)).status).not.toBe(0)
  await pass(at + 5 * hourMs - now)
  await Promise.all([turn(), turn()])
  await turn()
  expect(await stateIn(id)).toBe(stateOf.published)
  expect((await open('pm', id)).data).toMatchObject({ publishTime: formatInstant(now), mayReceipt: true })
  expect((await open('head', id)).data.timeline.filter((line) => line.action === 'timed')).toHaveLength(1)
  await pass(-dayMs)
  await turn()
  expect(await stateIn(id)).toBe(stateOf.published)
  await pass(3 * dayMs)
  await turn()
  expect(await stateIn(id)).toBe(stateOf.expired)
  // Past its deadline it is still read and signed for.
  expect((await open('pm', id)).data).toMatchObject({ content: '<p>请立即排查。</p>', myState: 'overdue' })
  expect((await sign('pm', id)).status).toBe(0)
})

test('a timed notice without anybody left goes back to its draft, and its author is told', async () => {
  const id = await draft(
    'head',
    text({ publishAt: formatInstant(now + hourMs), lines: [{ kind: 'person', members: [people.colleague.memberId] }] }),
  )
  await act('head', id, 'publish')
  await sql`update member set enable = '0' where id = ${people.colleague.memberId}`.execute(db())
  await pass(2 * hourMs)
  await turn()
  await sql`update member set enable = '1' where id = ${people.colleague.memberId}`.execute(db())
  expect(await stateIn(id)).toBe(stateOf.draft)
  const { list } = await as.head.call(listMessages, { query: { size: 5 } })
  expect(list[0]?.title).toContain('定时通知没有发布')
})

test('hostile HTML is stored without what runs', async () => {
  const content =
    '<h2>标题</h2><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">a</a><p onclick="x()">正文</p>'
  const id = await published('head', text({ content }))
  const seen = (await open('pm', id)).data.content
  expect(seen).toContain('<h2>标题</h2>')
  expect(seen).not.toMatch(/script|onerror|onclick|<img/i)
})

test('every action is refused to readers and in a wrong state', async () => {
  const more = { opinion: '退回', reason: '撤回', confirmed: null }
  const id = await published('head')
  for (const [action, { from }] of Object.entries(noticeMoves) as [NoticeAction, (typeof noticeMoves)[NoticeAction]][]) {
    if (action === 'edit') continue
    expect((await act('pm', id, action, more)).status, action).not.toBe(0)
    if (!(from as readonly string[]).includes(stateOf.published)) expect((await act('head', id, action, more)).status, action).not.toBe(0)
  }
})
