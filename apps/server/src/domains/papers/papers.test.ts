import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import type { PaperAction } from '@zhugong/contract/papers/moves'
import {
  changePaper,
  createQualityPaper,
  linkQualityRecord,
  listLinkable,
  listQuality,
  readQualityCell,
  removePaper,
} from '@zhugong/contract/papers/quality'
import {
  createSafetyPaper,
  exemptDuty,
  linkSafetyRecord,
  listSafety,
  listSafetyRecords,
  setSafetySince,
} from '@zhugong/contract/papers/safety'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import { roleOf, somebody } from '../../../test/members.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'

/** A Sunday. */
const now = Date.parse('2026-11-29T10:00:00+08:00')
let world: World
let settled: CityWorld
let projectCode = ''
const cast = {
  site: 'hospital-pm',
  safety: 'hospital-safety',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const db = () => world.database.kysely
const query = () => ({ projectCode })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  await sql`update role set codes = array(select distinct unnest(codes || '{documents.view,documents.upload,documents.export}'::text[]))`.execute(
    db(),
  )
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} and m.is_default`.execute(db())
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
  const place = (id: string, parent: string | null, kind: string, name: string, full: string, path: string[]) =>
    sql`insert into site_place (id, project_code, parent_id, kind, seq, name, path, full_name)
      values (${id}, ${projectCode}, ${parent}, ${kind}, 990, ${name}, ${path}::text[], ${full})`.execute(db())
  await place('tower', null, 'building', '试验楼', '试验楼', ['tower'])
  await place('cellar', 'tower', 'floor', '地下1层', '试验楼 / 地下1层', ['tower', 'cellar'])
  await place('first', 'tower', 'floor', '1层', '试验楼 / 1层', ['tower', 'first'])
  await place('room', 'first', 'room', '101', '试验楼 / 1层 / 101', ['tower', 'first', 'room'])
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['library_paper', 'library_exempt', 'library_since', 'site_step', 'process_todo'])
    await sql`delete from ${sql.table(table)} where project_code = ${projectCode}`.execute(db())
})

const step = (id: string, placeId: string, kind: string, state: string, shown = true) =>
  sql`insert into site_step (id, project_code, corp_code, shown_at, groups, author_group, author_group_name, work, kind, place_id, part, check_time, checkers,
      photos, state, create_by, create_time)
    select ${id}, ${projectCode}, c.corp_code, ${shown ? new Date(now) : null}, '{}', 'nobody', '样例', 'rebar', ${kind}, ${placeId}, '梁板',
      '2026-11-10T08:00:00Z', '{冯建业}', '{photo}', ${state}, 'nobody', now()
    from project_corp c where c.project_code = ${projectCode} order by c.corp_code limit 1`.execute(db())

const paper = (more: object = {}, who: Who = 'site') => ({
  ...{ placeId: 'first', work: 'rebar', column: 'retest', name: '钢筋复验报告', workDate: '2026-11-25', files: [files[who]] },
  ...more,
})
const tryUpload = (who: Who, more: object = {}) =>
  as[who].ask(createQualityPaper, { query: query(), body: paper(more, who) as InputFor<typeof createQualityPaper>['body'] })
const upload = async (more: object = {}) =>
  (await as.site.call(createQualityPaper, { query: query(), body: paper(more) as InputFor<typeof createQualityPaper>['body'] })).id
async function act(who: Who, id: string, action: PaperAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from library_paper where id = ${id}`.execute(db())
  return as[who].ask(changePaper, {
    params: { id },
    query: query(),
    body: { version: rows[0]?.version ?? 0, action, ...more } as InputFor<typeof changePaper>['body'],
  })
}
const matrix = (more: object = {}) => as.site.call(listQuality, { query: { ...query(), ...more } })
const cell = (column: string, who: Who = 'site', more: object = {}) =>
  as[who].call(readQualityCell, {
    query: { ...query(), placeId: 'first', work: 'rebar', column, ...more } as InputFor<typeof readQualityCell>['query'],
  })
const state = async (column: string) =>
  (await matrix()).list.find((one) => one.placeId === 'first')?.cells.find((one) => one.column === column)

test('[use-monitor-documents] records stand in the lot of their floor, below ground in the foundation; what is missing is named', async () => {
  await step('accepted', 'first', '5', '2')
  await step('waits', 'room', '4', '1')
  await step('below', 'cellar', '5', '2')
  await step('draft', 'first', '3', '0', false)
  const { list, tree, counts, total } = await matrix()
  const own = list.filter((one) => ['first', 'cellar', 'room'].includes(one.placeId))
  expect(own.map((one) => [one.placeId, one.divisionName, one.work])).toEqual([
    ['cellar', '地基与基础', 'baseRebar'],
    ['first', '主体结构', 'rebar'],
  ])
  expect(own[1]?.cells.map((one) => [one.column, one.state, one.count])).toEqual([
    ['lot', 'waiting', 1],
    ['hidden', 'full', 1],
    ['retest', 'missing', 0],
    ['measure', 'none', 0],
    ['test', 'none', 0],
    ['photo', 'full', 2],
  ])
  expect(tree.reduce((sum, one) => sum + one.lots, 0)).toBe(total)
  expect([counts.lots, counts.missing, counts.waiting]).toEqual([
    total,
    (await matrix({ missing: true })).total,
    (await matrix({ waiting: true })).total,
  ])
  expect((await matrix({ month: '2026-11' })).total).toBe(2)
  expect((await matrix({ month: '2026-10' })).total).toBe(0)
  const { list: entries } = await cell('hidden')
  expect(entries.map((one) => [one.link, one.signer, one.date])).toEqual([
    ['/safetyP/qualityP/details?id=accepted', '冯建业', '2026-11-10'],
  ])
})

test('a paper is handed in, returned with a reason, renewed, and accepted by 监理; earlier versions stay', async () => {
  const id = await upload()
  expect(await state('retest')).toMatchObject({ state: 'missing', count: 1 })
  expect((await as.supervisor.call(listQuality, { query: query() })).list.some((one) => one.placeId === 'first')).toBe(false)
  await act('site', id, 'submit')
  expect(await state('retest')).toMatchObject({ state: 'waiting' })
  expect((await cell('retest', 'supervisor')).list[0]?.actions.map((one) => one.action)).toEqual(['approve', 'return'])
  expect((await act('supervisor', id, 'return', { reason: '不清' })).message).toContain('至少 5 个字')
  await act('supervisor', id, 'return', { reason: '报告编号看不清' })
  expect((await cell('retest')).list[0]).toMatchObject({ reason: '报告编号看不清', stateName: '已退回' })
  const again = await storedFile(
    world,
    (await sql<{ id: string }>`select author_group as id from library_paper where id = ${id}`.execute(db())).rows[0]?.id ?? '',
  )
  await act('site', id, 'newVersion', { files: [again] })
  await act('site', id, 'submit')
  expect((await act('supervisor', id, 'approve', { opinion: '' })).status).toBe(0)
  const [entry] = (await cell('retest')).list
  expect([entry?.stateName, entry?.versionNo, entry?.earlier.length, entry?.files.length]).toEqual(['已归', 2, 1, 1])
  expect(await state('retest')).toMatchObject({ state: 'full' })
  expect((await act('site', id, 'newVersion', { files: [again] })).status).not.toBe(0)
  expect((await as.site.ask(removePaper, { params: { id }, query: query() })).message).toContain('不能撤回')
})

test('a paper of later than seven days is marked, and nothing takes the mark away', async () => {
  const late = await upload({ workDate: '2026-11-21' })
  await upload({ workDate: '2026-11-22', column: 'hidden' })
  expect([(await state('retest'))?.late, (await state('hidden'))?.late, (await matrix()).counts.late]).toEqual([1, 0, 1])
  await sql`update library_paper set work_date = '2026-11-28', create_time = now() - interval '1 year' where id = ${late}`.execute(db())
  await act('site', late, 'newVersion', { files: [files.site] })
  expect((await state('retest'))?.late).toBe(1)
  await expect(sql`update library_paper set late = false where id = ${late}`.execute(db())).rejects.toThrow()
  expect((await tryUpload('site', { workDate: '2026-11-30' })).message).toContain('不能晚于今天')
})

test('a record stands in another cell by a link, once, and its state follows it', async () => {
  await step('elsewhere', 'cellar', '5', '1')
  const { list } = await as.site.call(listLinkable, { query: { ...query(), column: 'hidden' } })
  expect(list.map((one) => one.id)).toEqual(['elsewhere'])
  const body = { placeId: 'room', work: 'rebar', column: 'hidden', source: 'step', refId: 'elsewhere' } as const
  const { id } = await as.site.call(linkQualityRecord, { query: query(), body })
  expect(await state('hidden')).toMatchObject({ state: 'waiting', count: 1 })
  await sql`update site_step set state = '2' where id = 'elsewhere'`.execute(db())
  expect(await state('hidden')).toMatchObject({ state: 'full' })
  expect((await as.site.ask(linkQualityRecord, { query: query(), body })).message).toContain('已关联')
  expect((await as.site.ask(linkQualityRecord, { query: query(), body: { ...body, refId: 'nothing' } })).message).toContain('记录不存在')
  await as.site.call(removePaper, { params: { id }, query: query() })
  expect((await cell('hidden')).list).toEqual([])
})

describe('who may', () => {
  const may: Record<string, readonly Who[]> = {
    read: ['site', 'safety', 'company', 'supervisor', 'authority'],
    duties: ['site', 'safety', 'company', 'supervisor', 'authority'],
    upload: ['site', 'safety', 'company'],
    submit: ['site', 'safety'],
    approve: ['supervisor'],
    return: ['supervisor'],
    exempt: ['site'],
    since: ['site'],
    file: ['site', 'safety', 'company'],
    link: ['site', 'safety', 'company'],
  }
  const reason = '停工期间没有作业'
  const tried: Record<keyof typeof may, (who: Who) => Promise<{ status: number; message: string }>> = {
    read: (who) => as[who].ask(listQuality, { query: query() }),
    duties: (who) => as[who].ask(listSafety, { query: query() }),
    upload: (who) => tryUpload(who),
    submit: async (who) => act(who, await upload(), 'submit'),
    approve: async (who) => act(who, await upload({ submit: true }), 'approve', { opinion: '' }),
    return: async (who) => act(who, await upload({ submit: true }), 'return', { reason: '报告编号看不清' }),
    exempt: (who) => as[who].ask(exemptDuty, { query: query(), body: { duty: 'system', period: 'once', exempt: true, reason } }),
    since: (who) => as[who].ask(setSafetySince, { query: query(), body: { since: '2026-11-02', reason } }),
    file: (who) =>
      as[who].ask(createSafetyPaper, {
        query: query(),
        body: { duty: 'system', period: 'once', name: '责任制', files: [files[who]], validEnd: null },
      }),
    link: (who) =>
      as[who].ask(linkQualityRecord, {
        query: query(),
        body: { placeId: 'first', work: 'rebar', column: 'hidden', source: 'step', refId: 'linked' },
      }),
  }
  test.each(Object.keys(may))('%s', async (what) => {
    for (const who of everybody) {
      for (const table of ['library_paper', 'library_exempt', 'site_step'])
        await sql`delete from ${sql.table(table)} where project_code = ${projectCode}`.execute(db())
      await step('linked', 'cellar', '5', '2')
      const answer = await tried[what]?.(who)
      expect([who, answer?.status === 0], answer?.message).toEqual([who, may[what]?.includes(who)])
    }
  })

  test('a subcontractor sees none of the site’s papers; 监理 of another project and a former member neither read nor approve', async () => {
    const id = await upload({ submit: true })
    expect((await as.subcontractor.ask(listQuality, { query: query() })).message).toContain('分包单位')
    const approve = (who: Caller) =>
      who.ask(changePaper, { params: { id }, query: query(), body: { action: 'approve', version: 1, opinion: '' } })
    const group = async (here: boolean) =>
      (
        await sql<{ id: string }>`select t.id from tenant t where t.type = 2
          and exists (select from project_corp c where c.corp_code = t.code and c.corp_type = '007' and (c.project_code = ${projectCode}) = ${here})
          and exists (select from project_corp c where c.corp_code = t.code and c.project_code = ${projectCode}) = ${here} order by t.id limit 1`.execute(
          db(),
        )
      ).rows[0]?.id ?? ''
    const [own, others] = [await group(true), await group(false)]
    const codes = ['documents.view', 'safety-management.review']
    const elsewhere = await somebody(world, others, [await roleOf(world, others, codes)])
    expect((await approve(elsewhere.caller)).status).not.toBe(0)
    expect((await elsewhere.caller.ask(listQuality, { query: query() })).status).not.toBe(0)
    const role = await roleOf(world, own, codes)
    const former = await somebody(world, own, [{ id: role, until: '2026-11-28' }])
    expect((await approve(former.caller)).status).not.toBe(0)
    expect((await former.caller.ask(listQuality, { query: query() })).status).not.toBe(0)
    const present = await somebody(world, own, [{ id: role, until: '2026-11-29' }])
    expect((await approve(present.caller)).status).toBe(0)
  })
})

const since = (day: string) => as.site.call(setSafetySince, { query: query(), body: { since: day, reason: '此前为纸质归档' } })
const duties = (more: object = {}) =>
  as.site.call(listSafety, { query: { ...query(), size: 100, ...more } as InputFor<typeof listSafety>['query'] })
const log = (day: string) =>
  sql`insert into day_log (id, kind, project_code, shown_at, groups, author_group, author_group_name, day, recorder, state, create_by, create_time)
    values (${`log ${day}`}, 'safetyPLog', ${projectCode}, now(), '{}', 'nobody', '样例', ${day}, '周安全', '1', 'nobody', now())
    on conflict (project_code, day) where kind = 'safetyPLog' do update set id = excluded.id`.execute(db())

describe('safety', () => {
  beforeEach(async () => {
    for (const table of ['day_log', 'project_stop'])
      await sql`delete from ${sql.table(table)} where project_code = ${projectCode}`.execute(db())
    await sql`update project set prj_status = '003', actual_start_date = '2026-01-05', actual_complete_date = null where project_code = ${projectCode}`.execute(
      db(),
    )
  })

  test('a log files itself; days on which the site is stopped owe nothing; every figure is the length of its list', async () => {
    await since('2026-11-23')
    await log('2026-11-24')
    await sql`insert into project_stop (id, project_code, source, source_id, from_day, until_day, begun)
      values ('stop', ${projectCode}, 'former', 'before', '2026-11-26', '2026-11-28', true)`.execute(db())
    const { list, counts, days } = await duties()
    const logs = list.filter((one) => one.duty === 'log').toSorted((a, b) => a.due.localeCompare(b.due))
    expect(logs.map((one) => [one.due, one.state])).toEqual([
      ['2026-11-23', 'overdue'],
      ['2026-11-24', 'filed'],
      ['2026-11-25', 'overdue'],
      ['2026-11-28', 'overdue'],
      ['2026-11-29', 'open'],
    ])
    expect(logs[1]?.link).toBe('/safetyP/log/details?id=log 2026-11-24')
    for (const tab of ['owed', 'filed', 'overdue', 'soon'] as const)
      expect([tab, (await duties({ tab })).total]).toEqual([tab, counts[tab]])
    expect(counts.rate).toBe(Math.round((counts.filed / counts.owed) * 1000) / 10)
    expect(days.reduce((sum, one) => sum + one.owed, 0)).toBe(counts.owed)
    expect((await duties({ due: '2026-11-24,2026-11-24' })).total).toBe(days.find((one) => one.day === '2026-11-24')?.owed)
  })

  test('uploaded, taken back by the uploader alone, and shown before it ends', async () => {
    await since('2026-11-23')
    const body = { duty: 'managers', period: 'once', name: '三类人员证书', files: [files.safety], validEnd: '2026-12-10' }
    const { id } = await as.safety.call(createSafetyPaper, { query: query(), body })
    const { list } = await duties({ tab: 'soon' })
    expect(list.find((one) => one.item === '三类人员证书')).toMatchObject({ left: 11, state: 'ending' })
    expect((await as.safety.ask(createSafetyPaper, { query: query(), body })).message).toContain('已归')
    expect((await as.site.ask(removePaper, { params: { id }, query: query() })).message).toContain('自己')
    await as.safety.call(removePaper, { params: { id }, query: query() })
    expect((await duties()).list.find((one) => one.duty === 'managers')?.state).not.toBe('filed')
    const other = { ...body, period: '2026-11' }
    expect((await as.safety.ask(createSafetyPaper, { query: query(), body: other })).message).toContain('没有这一期')
  })

  test('one record stands for several obligations; an obligation is dispensed with by the manager, and owed again', async () => {
    await since('2026-11-23')
    await log('2026-11-24')
    const records = await as.safety.call(listSafetyRecords, { query: { ...query(), keyword: '2026-11-24' } })
    const refId = records.list.find((one) => one.source === 'log')?.id ?? ''
    const items = (['system', 'target', 'power'] as const).map((duty) => ({ duty, period: 'once' }))
    const link = { query: query(), body: { items, source: 'log' as const, refId } }
    expect(await as.safety.call(linkSafetyRecord, link)).toEqual({ linked: 3 })
    expect((await as.safety.ask(linkSafetyRecord, link)).message).toContain('都已归')
    const { counts: before } = await duties()
    const waive = (exempt: boolean) => ({
      query: query(),
      body: { duty: 'log' as const, period: '2026-11-23', exempt, reason: '当日暴雨停工，无作业' },
    })
    expect((await as.safety.ask(exemptDuty, waive(true))).status).not.toBe(0)
    await as.site.call(exemptDuty, waive(true))
    const { counts: after, list } = await duties()
    expect([after.owed, after.overdue]).toEqual([before.owed - 1, before.overdue - 1])
    expect(list.find((one) => one.id === 'log 2026-11-23')).toMatchObject({ state: 'exempt', reason: '当日暴雨停工，无作业' })
    await as.site.call(exemptDuty, waive(false))
    expect((await duties()).counts.owed).toBe(before.owed)
  })

  test('a closed project is read only', async () => {
    await sql`update project set prj_status = '007' where project_code = ${projectCode}`.execute(db())
    expect((await tryUpload('site')).message).toContain('只读')
  })

  test('the month and the division as PDF', async () => {
    await since('2026-11-02')
    await step('accepted', 'first', '5', '2')
    const folder = mkdtempSync(join(tmpdir(), 'zg-papers-'))
    const deps = {
      database: world.database,
      clock: { now: () => now },
      secrets: createSecrets(testSecretKey),
      log: createLog('test', 'silent'),
      folder,
    }
    const printed = async (feature: string, own: object) => {
      const { id } = await as.site.call(submitExport, { body: { feature, exportType: 'pdf', query: { projectCode, ...own } } })
      await runExport(deps, id)
      const { rows } = await sql<{ message: string; path: string | null }>`select message, path from export_task where id = ${id}`.execute(
        db(),
      )
      return { message: rows[0]?.message, bytes: rows[0]?.path ? statSync(rows[0].path).size : 0 }
    }
    const lot = (await matrix()).list.find((one) => one.placeId === 'first')
    for (const made of [
      await printed('safetyMonth', { month: '2026-11' }),
      await printed('qualityDivision', { unit: lot?.unit, division: lot?.division }),
    ])
      expect([made.message, made.bytes > 2_000]).toEqual(['', true])
    rmSync(folder, { recursive: true })
  })
})
