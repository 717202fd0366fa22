import { getGoods, listGoods } from '@zhugong/contract/documents/goods'
import { listSupervision } from '@zhugong/contract/documents/supervision'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let authority: Caller
let site: Caller
let projectCode = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await sql`update role set codes = codes || '{documents.view}'::text[]`.execute(world.database.kysely)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  authority = await settled.as('bj-zhao')
  site = await settled.as('hospital-pm')
})
afterAll(() => world.close())

const sheet = (id: string, docType: string, state: string, shown = true) =>
  sql`insert into manualsheet (id, code, project_code, shown_at, groups, group_id, group_name, doc_type, check_date, author_name, state, create_by, create_time)
    values (${id}, ${id}, ${projectCode}, ${shown ? new Date() : null}, '{}', 'nobody', '样例', ${docType}, '2026-11-02', '样例', ${state}, 'nobody', now())`.execute(
    world.database.kysely,
  )
const stop = (id: string, type: string, docCode: string | null) =>
  sql`insert into stopapply (id, code, project_code, corp_code, shown_at, groups, type, apply_group, applicant_name, doc_code, decide_time, state, create_by, create_time)
    select ${id}, ${id}, ${projectCode}, c.corp_code, now(), '{}', ${type}, 'nobody', '样例', ${docCode}, now(), '4', 'nobody', now()
    from project_corp c where c.project_code = ${projectCode} limit 1`.execute(world.database.kysely)

test('papers arrive by themselves, each where it belongs, and what is missing is named', async () => {
  await sheet('briefing', '102', '2')
  await sheet('visit', '103', '1')
  await sheet('draft', '105', '0', false)
  await stop('stopped', '1', '样例中止〔2026〕第0001号')
  await stop('undecided', '2', null)
  const seen = await authority.call(listSupervision, { query: { projectCode } })
  expect(seen.list.map((one) => [one.docType, one.signed, one.source])).toEqual([
    ['102', true, 'sheet'],
    ['103', false, 'sheet'],
    ['301', true, 'stop'],
  ])
  expect(seen.missing).toEqual(['缺少监督工作计划或方案', '缺少恢复施工安全监督告知书 1 份', '1 份103号文书未签字或送达'])
  expect(seen.directory.reduce((sum, one) => sum + one.count, 0)).toBe(seen.total)
  for (const { docType, count } of seen.directory)
    expect((await authority.call(listSupervision, { query: { projectCode, docType } })).total).toBe(count)
  expect((await authority.call(listSupervision, { query: { projectCode, part: '3' } })).total).toBe(1)
  await stop('lifted', '2', '样例恢复〔2026〕第0002号')
  expect((await authority.call(listSupervision, { query: { projectCode } })).missing).not.toContain('缺少恢复施工安全监督告知书 1 份')
})

test('the site reads what is served on it; others read nothing of it', async () => {
  expect((await site.call(listSupervision, { query: { projectCode: '*' } })).total).toBeGreaterThan(2)
  const stranger = await settled.as('zhigu-pm')
  expect((await stranger.ask(listSupervision, { query: { projectCode } })).status).not.toBe(0)
  expect((await stranger.call(listSupervision, { query: { projectCode: '*' } })).list).toEqual([])
})

const batch = (id: string, more: { state: string; certs: string[]; retest?: boolean; passed?: boolean }) =>
  sql`insert into material_batch (id, project_code, corp_code, shown_at, groups, category, name, spec, supplier, batch_no, quantity, unit, arrive_time,
      cert_files, need_retest, samples_due, tolerance, retest_passed, receiver_id, receiver_name, state, create_by, create_time)
    select ${id}, ${projectCode}, c.corp_code, now(), '{}', '14', '样例钢筋', 'HRB400', '样例供应商', ${id}, 100, '3', now(), ${more.certs}::text[],
      ${more.retest ?? false}, 1, 20, ${more.passed ?? null}, 'nobody', '样例', ${more.state}, 'nobody', now()
    from project_corp c where c.project_code = ${projectCode} limit 1`.execute(world.database.kysely)

test('a batch is complete, lacks its certificate, or may not be used, and opens as a chain', async () => {
  await batch('complete', { state: '1', certs: ['c'] })
  await batch('no certificate', { state: '1', certs: [] })
  await batch('no report', { state: '2', certs: ['c'], retest: true })
  await batch('failed', { state: '3', certs: ['c'], retest: true, passed: false })
  const query = { projectCode }
  const { list, counts } = await site.call(listGoods, { query })
  expect(Object.fromEntries(list.map((one) => [one.id, one.evidence]))).toEqual({
    complete: 'full',
    'no certificate': 'missing',
    'no report': 'banned',
    failed: 'banned',
  })
  expect(counts).toEqual({ all: 4, banned: 2, missing: 1 })
  for (const evidence of ['full', 'missing', 'banned'])
    expect((await site.call(listGoods, { query: { ...query, evidence } })).list.every((one) => one.evidence === evidence)).toBe(true)
  const chain = await site.call(getGoods, { params: { id: 'failed' }, query })
  expect(chain.steps.map((one) => [one.key, one.state])).toEqual([
    ['weigh', 'none'],
    ['accept', 'done'],
    ['sample', 'waiting'],
    ['retest', 'done'],
    ['use', 'none'],
  ])
  const stranger = await settled.as('zhigu-pm')
  expect((await stranger.ask(getGoods, { params: { id: 'failed' }, query: { projectCode: '*' } })).status).not.toBe(0)
})
