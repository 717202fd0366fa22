import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { findAlarms, findSiteAlarms } from '@zhugong/contract/alarms/lists'
import { listDaily } from '@zhugong/contract/attendance/days'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { getMainPage, type HomeFigure, listTodos } from '@zhugong/contract/home/endpoints'
import { ownGroups } from '@zhugong/contract/identity/endpoints'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { listWorkers, stayFigures } from '@zhugong/contract/personnel/people'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { seedAttendance } from '../src/demo/seed-attendance.ts'
import { runExport } from '../src/domains/exports/run-export.ts'
import { type CityWorld, settleCity } from './city.ts'
import { type Caller, openWorld, type World } from './world.ts'

/** A figure that opens a list is the number of rows of that list, whoever looks and whatever day it is. */

/** What waits, as the desk of alarms opens by itself. */
const waiting = { state: 'open,acknowledged', simulated: false, historical: false }

/** The list that each page of a figure's link shows, asked with what stands in the link. */
const lists: Record<string, (who: Caller, asked: Record<string, string>) => Promise<number>> = {
  '/alarm/record': async (who, asked) => (await who.call(listAlarms, { query: { ...waiting, ...asked } })).total,
  '/personList': async (who, asked) => (await who.call(listWorkers, { query: { view: 'project', ...asked } })).total,
  '/checkingList': async (who, asked) => (await who.call(listDaily, { query: asked })).total,
  '/gov/project': async (who, asked) => (await who.call(listProjects, { query: asked })).total,
}
/** Figures that are no number of rows. */
const rates = new Set(['online'])

const days = [
  ['a working day', '2026-11-20T10:30:00+08:00'],
  ['a rest day', '2026-11-22T10:30:00+08:00'],
] as const

/** One of each kind: the site and a stopped one, its company, a subcontractor, the supervisor, district, city, platform. */
const accounts = ['hospital-pm', 'stopped', 'yunze-lu', 'dingli-cheng', 'hospital-jl', 'bj-zhao', 'city-fang', 'admin']

describe.each(days)('on %s', (_, instant) => {
  const now = Date.parse(instant)
  let world: World
  let settled: CityWorld
  let stoppedSite: string
  beforeAll(async () => {
    world = await openWorld(inject('postgresUrl'), { clock: { now: () => now } })
    settled = await settleCity(world, instant.slice(0, 10))
    await seedAttendance(world.database, settled.city, now)
    stoppedSite = settled.city.projects.find((p) => p.prjStatus === '005')?.projectCode ?? ''
    for (const { projectCode } of settled.city.projects) await raiseAlarms(world, projectCode, now)
    // A project that is switched off is in nobody's figures of projects, nor in the list they open.
    await world.database.pool.query(`update project set enable = '0' where project_code = $1`, [settled.city.projects.at(-1)?.projectCode])
  }, 300_000)
  afterAll(() => world.close())

  const enter = async (account: string) => (account === 'stopped' ? (await settled.as('bj-zhao')).at(stoppedSite) : settled.as(account))
  const figuresOf = async (who: Caller) => (await who.call(getMainPage, { query: {} })).figures
  const numberOf = (figures: readonly HomeFigure[], key: string) => figures.find((f) => f.key === key)?.value

  test.each(accounts)('%s: each figure is the length of the list it opens', async (account) => {
    const who = await enter(account)
    const figures = await figuresOf(who)
    const opened = figures.filter((f) => f.link !== null && !rates.has(f.key))
    expect(opened.length).toBeGreaterThan(1)
    for (const { key, value, link } of opened) {
      const { pathname, searchParams } = new URL(link ?? '', 'http://site')
      const list = lists[pathname]
      if (!list) throw new Error(`nobody has said which list ${link} shows`)
      expect([key, value]).toEqual([key, await list(who, Object.fromEntries(searchParams))])
    }
  })

  test.each(accounts)('%s: a figure is the same wherever it is shown', async (account) => {
    const who = await enter(account)
    const figures = await figuresOf(who)
    const alarms = await who.call(listAlarms, { query: waiting })
    expect(numberOf(figures, 'openAlarms')).toBe(alarms.counts.todo)
    expect(alarms.total).toBe(alarms.counts.todo)
    if (numberOf(figures, 'onSite') !== undefined)
      expect(numberOf(figures, 'onSite')).toBe((await who.call(stayFigures, { query: {} })).onSite)
    const { projects } = await who.call(getMainPage, { query: { view: 'hs' } })
    for (const site of projects) {
      const there = (await who.call(listAlarms, { query: { ...waiting, projectCode: site.projectCode } })).total
      expect([site.projectCode, site.openAlarms]).toEqual([site.projectCode, there])
    }
  })

  test.each(['hospital-pm', 'yunze-lu', 'bj-zhao'])(
    '%s: cards of identities and the workbench count the alarms that wait',
    async (account) => {
      const who = await settled.as(account)
      const { list: groups } = await who.call(ownGroups)
      const current = groups.find((one) => one.isDefault) ?? groups[0]
      expect(current?.openAlarms).toBe((await who.call(listAlarms, { query: waiting })).total)
      const grave = (await who.call(listAlarms, { query: { ...waiting, level: '1,2' } })).total
      const todos = await who.call(listTodos, { query: { group: 'active' } })
      expect([todos.graveAlarms, todos.groups[0]?.graveAlarms]).toEqual([grave, grave])
    },
  )

  test('alarms by project name the district and the contractor of each', async () => {
    const { list } = await (await settled.as('bj-zhao')).call(findSiteAlarms, { query: { groupBy: 'project', size: 100 } })
    expect(list.length).toBeGreaterThan(1)
    for (const site of list)
      expect([site.areaName, site.contractorCorpName]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)])
  })

  test('the share online is of the machines in use, at home, in the ledger and among the alarms alike', async () => {
    const project = settled.city.projects[0]?.projectCode ?? ''
    const site = (await settled.as('bj-zhao')).at(project)
    // One is switched off while it still reports, one waits for its review: neither counts.
    await world.database.pool.query(
      `insert into device_latest (device_id, ts, received_at, v, online, online_since) select id, now(), now(), '[]', true, now() from device where project_code = $1
       on conflict (device_id) do update set online = true`,
      [project],
    )
    await world.database.pool.query(
      `update device_latest set online = false where device_id in (select id from device where project_code = $1 order by id limit 2)`,
      [project],
    )
    await world.database.pool.query(
      `update device d set status = case when n.i = 1 then '3' else '0' end
       from (select id, row_number() over (order by id desc) as i from device where project_code = $1) n where n.id = d.id and n.i <= 2`,
      [project],
    )
    const { counts } = await site.call(listDevices, { query: { projectCode: project, size: 1 } })
    expect(counts.all - counts.inUse).toBeGreaterThanOrEqual(2)
    expect(counts.inUse - counts.online).toBe(2)
    const share = (counts.online / counts.inUse) * 100
    expect(numberOf(await figuresOf(site), 'online')).toBeCloseTo(share, 0)
    const { list } = await site.call(findSiteAlarms, { query: { groupBy: 'project', projectCode: project } })
    expect(list.map((one) => one.onlinePercent)).toEqual([Math.round(share * 10) / 10])
  })

  test('alarms are taken along as the list shows them, one by one and by project', async () => {
    const officer = await settled.as('bj-zhao')
    const folder = mkdtempSync(join(tmpdir(), 'zg-alarms-'))
    const taken = async (feature: string, query: Record<string, string>) => {
      const { id } = await officer.call(submitExport, { body: { feature, query } })
      const { database, config } = world
      await runExport(
        { database, clock: { now: () => now }, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder },
        id,
      )
      return (await readXlsx(new Uint8Array(readFileSync(join(folder, `${id}.xlsx`))))).sheets[0]?.rows ?? []
    }
    const textOf = (rows: readonly unknown[]) => JSON.stringify(rows)
    const asked = { ...waiting, simulated: 'false', historical: 'false', level: '1' }
    const { list, total } = await officer.call(findAlarms, { query: { ...waiting, level: '1', size: 1000 } })
    const rows = await taken('alarm', asked)
    expect(rows.filter((row) => textOf(row as unknown[]).includes('未处理') || textOf(row as unknown[]).includes('已接单'))).toHaveLength(
      total,
    )
    expect(total).toBeGreaterThan(0)
    for (const title of ['等级', '处置状态', '阈值', '处理时间']) expect(textOf(rows)).toContain(title)
    expect(textOf(rows)).toContain(list[0]?.deviceName)
    const sites = await officer.call(findSiteAlarms, { query: { groupBy: 'project', size: 1000 } })
    const byProject = textOf(await taken('alarmProject', { groupBy: 'project' }))
    for (const site of sites.list) expect(byProject).toContain(site.projectName)
    rmSync(folder, { recursive: true })
  })

  test('what waits stands first, the gravest in front', async () => {
    const { list } = await (await settled.as('hospital-pm')).call(findAlarms, { query: { simulated: false, historical: false, size: 100 } })
    const waits = list.map((row) => row.state === 'open' || row.state === 'acknowledged')
    expect(waits.indexOf(false)).toBe(waits.filter(Boolean).length)
    const first = list.filter((_, i) => waits[i]).map((row) => row.level)
    expect(first).toEqual(first.toSorted((a, b) => a - b))
  })

  test('a day that expects nobody has no rate and nobody missing', async () => {
    const stopped = await (await enter('stopped')).call(getMainPage, { query: {} })
    expect(stopped.figures.find((f) => f.key === 'absentPosts')).toMatchObject({ value: null, tone: 'plain' })
    expect(stopped.figures.find((f) => f.key === 'attended')?.note).toContain('不计出勤率')
    expect(stopped.keyPosts.length).toBeGreaterThan(0)
    expect(stopped.keyPosts.filter((post) => post.expected)).toEqual([])
  })

  test('whoever supervises a site reads who holds its key posts, and the figure is the panel’s', async () => {
    const site = (await settled.as('bj-zhao')).at(settled.city.projects[0]?.projectCode ?? '')
    const { figures, keyPosts } = await site.call(getMainPage, { query: {} })
    expect(keyPosts.length).toBeGreaterThan(0)
    const missing = keyPosts.filter((post) => post.expected && !post.present).length
    expect(numberOf(figures, 'absentPosts')).toBe(keyPosts.some((post) => post.expected) ? missing : null)
  })

  test('the municipal view of one project has its district and compares whole weeks', async () => {
    const city = await settled.as('city-fang')
    const all = await city.call(getMainPage, { query: { view: 'hs' } })
    const one = await city.at(settled.city.projects[0]?.projectCode ?? '').call(getMainPage, { query: { view: 'hs' } })
    expect([one.districts.length, one.projects.length]).toEqual([1, 1])
    expect(all.districts.length).toBeGreaterThan(1)
    // Weeks with and without a Sunday at their end are alike: nobody is expected on it.
    for (const district of all.districts) if (district.change !== null) expect(Math.abs(district.change)).toBeLessThan(15)
    expect(all.districts.some((district) => district.change !== null)).toBe(true)
  })
})

/** Of every state and kind, so that a list and a figure that differ in one of them differ in number. */
async function raiseAlarms(world: World, projectCode: string, now: number): Promise<void> {
  const { rows } = await world.database.pool.query<{ id: string; name: string; family: string }>(
    `select id, name, family from device where project_code = $1 order by id limit 1`,
    [projectCode],
  )
  const device = rows[0]
  if (!device) return
  const states = ['open', 'open', 'acknowledged', 'handled', 'closed', 'false', 'ignored']
  const kinds = states.flatMap((state, i) =>
    [1, 2, 3, 4].flatMap((level) =>
      (['now', 'over', 'drill', 'late'] as const).map((kind) => ({ state, level, kind, key: `${state}${i}${level}${kind}` })),
    ),
  )
  for (const { state, level, kind, key } of kinds)
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, point, family, alarm_key, label, level, max_level, start_time, fire_time,
         threshold_text, sources, values_used, active, state, simulated, historical, clear_time)
       values ($1, $2, $3, $4, '', $5, $6, $6, $7, $7, $8, $8, '', '{}', '{}', $9, $10, $11, $12, $13)`,
      [
        newId(),
        projectCode,
        device.id,
        device.name,
        device.family,
        key,
        level,
        new Date(now - 3_600_000),
        kind === 'now',
        state,
        kind === 'drill',
        kind === 'late',
        kind === 'now' ? null : new Date(now - 1_800_000),
      ],
    )
}
