import { randomUUID } from 'node:crypto'
import { mostOnTop } from '@zhugong/contract/policies/model'
import {
  changePolicy,
  createPolicy,
  getPolicy,
  listPolicies,
  openPolicies,
  readPolicies,
  removePolicy,
} from '@zhugong/contract/policies/policies'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../../../test/city.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'

let world: World
/** The city's clerk, a district, another district, a site and a company. */
const cast = {
  city: 'city-fang',
  district: 'bj-wu',
  other: 'yd-wang',
  site: 'hospital-pm',
  company: 'yunze-lu',
  operator: 'admin',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const query = { projectCode: '*' }
const search = { ...query, page: 1, size: 50 }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  for (const who of Object.keys(cast) as Who[]) as[who] = await settled.as(cast[who])
})
afterAll(() => world.close())
beforeEach(async () => {
  await sql`delete from policy`.execute(world.database.kysely)
})

const newId = () => randomUUID().replaceAll('-', '')
const draft = (more: Record<string, unknown> = {}) => body(more)
function body(more: Record<string, unknown>) {
  return {
    id: newId(),
    title: '关于加强塔式起重机安全管理的通知',
    docNo: null as string | null,
    level: '3' as const,
    category: 'notice' as const,
    subject: '1',
    issuer: '江临市住房和城乡建设局',
    issueDate: '2026-03-01',
    effectDate: '2026-03-10',
    content: '<p>各有关单位：塔式起重机顶升作业前应当告知。</p>',
    files: [],
    replaces: [] as { id: string; link: 'amend' | 'repeal' }[],
    ...more,
  }
}
async function made(who: Who, more: Record<string, unknown> = {}): Promise<string> {
  const text = draft(more)
  await as[who].call(createPolicy, { query, body: text })
  return text.id
}
const versionOf = async (id: string) => {
  const { rows } = await sql<{ version: number }>`select version from policy where id = ${id}`.execute(world.database.kysely)
  return rows[0]?.version ?? -1
}
const tried = async (who: Who, id: string, more: Record<string, unknown>) =>
  as[who].ask(changePolicy, { params: { id }, query, body: { version: await versionOf(id), ...more } as never })
async function act(who: Who, id: string, more: Record<string, unknown>): Promise<void> {
  const { status, message } = await tried(who, id, more)
  expect({ status, message }).toMatchObject({ status: 0 })
}
const fieldOf = (answer: Answer<unknown>) => (answer.data as { field?: string } | null)?.field
async function published(who: Who, more: Record<string, unknown> = {}): Promise<string> {
  const id = await made(who, more)
  await act(who, id, { action: 'publish' })
  return id
}
const requestOf = (more: Record<string, unknown>) => world.anonymous.ask(openPolicies, { query: { page: 1, size: 50, ...more } as never })
const open = async (more: Record<string, unknown> = {}) => (await requestOf(more)).data

test('a draft is seen by its group alone; published it is seen by everybody, without an account', async () => {
  const id = await made('city')
  expect((await open()).total).toBe(0)
  expect((await requestOf({ id })).message).toContain('没有这份文本')
  expect((await as.district.call(readPolicies, { query: search })).total).toBe(0)
  expect((await as.district.ask(getPolicy, { params: { id }, query })).status).not.toBe(0)
  await act('city', id, { action: 'publish' })
  const found = await open({ keyword: '顶升' })
  expect(found.list.map((one) => one.id)).toEqual([id])
  expect(found.list[0]?.excerpt).toContain('顶升作业前应当告知')
  expect(found.facets.level).toEqual([{ value: '3', count: 1 }])
  expect((await open({ id })).text?.content).toContain('<p>各有关单位')
  expect((await as.site.call(readPolicies, { query: search })).total).toBe(1)
})

test('who has no right to publish cannot; who belongs to a site or company cannot write', async () => {
  const id = await made('city')
  expect((await tried('other', id, { action: 'publish' })).status).not.toBe(0)
  expect((await as.site.ask(createPolicy, { query, body: draft() })).http).toBe(403)
  expect((await as.company.ask(createPolicy, { query, body: draft() })).http).toBe(403)
  expect((await as.site.ask(listPolicies, { query: search })).http).toBe(403)
})

test('an authority publishes at its own level for its own area', async () => {
  const ofCity = await published('city', { level: '1' })
  const ofDistrict = await published('district', { level: '1', title: '区级通知' })
  const levels = new Map((await open()).list.map((one) => [one.id, one.level]))
  expect(levels.get(ofCity)).toBe('3')
  expect(levels.get(ofDistrict)).toBe('4')
  const seenBy = async (who: Who) => (await as[who].call(readPolicies, { query: search })).list.map((one) => one.id)
  expect(await seenBy('city')).toEqual(expect.arrayContaining([ofCity, ofDistrict]))
  expect(await seenBy('other')).toEqual([ofCity])
})

test('a document number is published once, however it is spelt', async () => {
  await published('city', { docNo: '江临建安〔2026〕12号' })
  const second = await made('district', { docNo: '江临建安［2026］ 12 号' })
  expect((await tried('district', second, { action: 'publish' })).message).toContain('已发布过')
})

test('a later text ends an earlier one from its day on; withdrawn, the earlier one holds again', async () => {
  const first = await published('city', { title: '办法', issueDate: '2020-01-01', effectDate: '2020-02-01' })
  const second = await published('city', {
    title: '新办法',
    issueDate: '2022-01-01',
    effectDate: '2022-02-01',
    replaces: [{ id: first, link: 'repeal' }],
  })
  const future = await published('city', {
    title: '修订决定',
    issueDate: '2026-01-01',
    effectDate: '2099-01-01',
    replaces: [{ id: second, link: 'amend' }],
  })
  const validity = async () => new Map((await open()).list.map((one) => [one.title, one.validity]))
  expect(await validity()).toEqual(
    new Map([
      ['办法', '3'],
      ['新办法', '1'],
      ['修订决定', '1'],
    ]),
  )
  expect((await open({ validity: ['3'] })).total).toBe(1)
  const text = (await open({ id: first })).text
  expect(text?.relations).toEqual([{ id: second, title: '新办法', docNo: null, link: 'repeal', since: '2022-02-01', side: 'later' }])
  expect(fieldOf(await tried('city', first, { action: 'edit', ...draft({ replaces: [{ id: future, link: 'amend' }] }) }))).toBe('replaces')
  await act('city', second, { action: 'unpublish', reason: '文号有误' })
  expect((await validity()).get('办法')).toBe('1')
})

test('ending without a successor, and its refusals', async () => {
  const id = await published('city')
  expect(fieldOf(await tried('city', id, { action: 'repeal', link: 'amend', successor: null, since: '2026-06-01' }))).toBe('successor')
  expect(fieldOf(await tried('city', id, { action: 'repeal', link: 'repeal', successor: null, since: '2026-01-01' }))).toBe('since')
  await act('city', id, { action: 'repeal', link: 'repeal', successor: null, since: '2026-06-01' })
  expect((await open({ id })).text?.validity).toBe('3')
})

test('texts of another group cannot be ended or changed', async () => {
  const id = await published('city')
  expect((await tried('district', id, { action: 'repeal', link: 'repeal', successor: null, since: '2026-06-01' })).message).toContain(
    '不存在',
  )
  expect(fieldOf(await as.district.ask(createPolicy, { query, body: draft({ replaces: [{ id, link: 'repeal' }] }) }))).toBe('replaces')
})

test('five texts stand on top', async () => {
  for (let i = 0; i < mostOnTop; i++) await act('city', await published('city', { title: `置顶 ${i}` }), { action: 'top' })
  expect((await tried('city', await published('city'), { action: 'top' })).message).toContain('最多置顶')
})

test('scripts are gone before a text is stored; an empty text is not published', async () => {
  const id = await published('city', { content: '<p onclick="steal()">正文<script>steal()</script></p>' })
  expect((await open({ id })).text?.content).toBe('<p>正文</p>')
  const empty = await made('city', { content: '<p> </p>' })
  expect((await tried('city', empty, { action: 'publish' })).message).toContain('没有正文')
})

test('a draft is deleted, a published text is withdrawn; readings are counted', async () => {
  const id = await made('city')
  await as.city.call(removePolicy, { params: { id }, query })
  const shown = await published('city')
  await open({ id: shown })
  await as.site.call(readPolicies, { query: { ...search, id: shown } })
  expect((await as.city.call(listPolicies, { query: search })).list[0]?.views).toBe(2)
  expect((await as.city.ask(removePolicy, { params: { id: shown }, query })).message).toContain('下架')
})

test('figures of the strip are the numbers of their lists', async () => {
  await published('city')
  await made('city')
  const { counts } = await as.city.call(listPolicies, { query: search })
  const of = async (more: Record<string, unknown>) => (await as.city.call(listPolicies, { query: { ...search, ...more } as never })).total
  expect(counts).toEqual({
    published: await of({ state: ['1'] }),
    drafts: await of({ state: ['0'] }),
    withdrawn: await of({ state: ['2'] }),
    repealed: await of({ validity: ['3'] }),
  })
  expect(counts.published).toBe(1)
})
