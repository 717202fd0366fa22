import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAlarms } from '@zhugong/contract/alarms/endpoints'
import { findAlarms, findSiteAlarms } from '@zhugong/contract/alarms/lists'
import { dailyCounts, listDaily } from '@zhugong/contract/attendance/days'
import { listRecords, recordCounts } from '@zhugong/contract/attendance/records'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { listGateways } from '@zhugong/contract/equipment/gateway-endpoints'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { getMainPage, type HomeFigure, listApprovals, listTodos } from '@zhugong/contract/home/endpoints'
import { ownGroups } from '@zhugong/contract/identity/endpoints'
import { companyBlackFigures, listCompanyBlack } from '@zhugong/contract/labour/black-lists'
import { enterpriseStatsTotals, governmentStatsTotals, listProjectStats } from '@zhugong/contract/labour/tables'
import { listTeams, teamFigures } from '@zhugong/contract/labour/teams'
import { getUnitInfo } from '@zhugong/contract/labour/unit-info'
import { listUnits, unitFigures } from '@zhugong/contract/labour/units'
import { labourAlarmCounts, listLabourAlarms } from '@zhugong/contract/labour-alarms/endpoints'
import { alarmsOfTheBox, listHelmets } from '@zhugong/contract/monitoring/helmets'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { certFigures, listCertDues, listCerts } from '@zhugong/contract/personnel/certificates'
import { flowFigures, listFlow } from '@zhugong/contract/personnel/flow'
import { fileFigures, listFiles, listWorkers, stayFigures } from '@zhugong/contract/personnel/people'
import { listTrained, trainFigures } from '@zhugong/contract/personnel/training'
import { undecided } from '@zhugong/contract/workflow/flow'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { seedAttendance } from '../src/demo/seed-attendance.ts'
import { runExport } from '../src/domains/exports/run-export.ts'
import { keepLabourAlarms } from '../src/domains/labour-alarms/keep.ts'
import { type CityWorld, settleCity } from './city.ts'
import { raiseAlarms } from './raised-alarms.ts'
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

/** A figure that stands as a link on a strip or a card: what it says, and how many rows the link shows. */
type Linked = [what: string, value: number | null | undefined, list: () => Promise<{ total: number }>]

/** Every strip whose figures open a list, read as its page reads it; asked of whoever may. */
const strips: Record<string, (who: Caller, today: string) => Promise<Linked[]>> = {
  '/personList': async (who) => {
    const f = await who.call(stayFigures, { query: {} })
    const people = (query: object) => () => who.call(listWorkers, { query: { view: 'project', stationed: '1', size: 1, ...query } })
    return [
      ['在册人员', f.onSite, people({})],
      ['今日出勤', f.came, people({ firstIn: 'in' })],
      ['特种证 30 日内到期', f.certEnding, people({ certState: 'expiring' })],
      ['缺证与过期', f.certMissing + f.certEnded, people({ certState: 'missing,expired' })],
      ['进场未签合同', f.noContract, people({ hasContract: '0' })],
      ['进场条件未齐', f.notFormal, people({ formalStatus: '0' })],
      ['已退场', f.left, people({ stationed: '2' })],
    ]
  },
  '/unitListStock': async (who) => {
    const { onSite } = await who.call(unitFigures, { query: {} })
    return [['在册人数', onSite, () => who.call(listWorkers, { query: { view: 'project', stationed: '1', size: 1 } })]]
  },
  '/person/train': async (who) => {
    const f = await who.call(trainFigures, { query: {} })
    const people = (query: object) => () => who.call(listTrained, { query: { view: 'train', size: 1, ...query } })
    return [
      ['在场', f.onSite, people({})],
      ['已培训', f.trained, people({ entryTrained: '1' })],
      ['未培训', f.untrained, people({ entryTrained: '0' })],
    ]
  },
  '/flowPerson': async (who, today) => {
    const f = await who.call(flowFigures, { query: {} })
    const moves = (flowType: string) => () =>
      who.call(listFlow, { query: { view: 'flow', flowType, flowDate: `${today.slice(0, 7)}-01,${today}`, size: 1 } })
    return [
      ['本月进场', f.cameThisMonth, moves('1')],
      ['本月退场', f.leftThisMonth, moves('0')],
      ['在场', f.onSite, () => who.call(listWorkers, { query: { view: 'project', stationed: '1', size: 1 } })],
    ]
  },
  '/personnelSystem': async (who) => {
    const f = await who.call(fileFigures, {})
    const files = (query: object) => () => who.call(listFiles, { query: { view: 'file', size: 1, ...query } })
    return [
      ['档案人数', f.total, files({})],
      ['未核验', f.total - f.verified, files({ realNameState: '0' })],
      ['待完善', f.incomplete, files({ missing: 'any' })],
    ]
  },
  '/person/certificate': async (who) => {
    const f = await who.call(certFigures, { query: {} })
    const certs = (query: object) => () => who.call(listCerts, { query: { view: 'cert', onSite: '1', size: 1, ...query } })
    const dues = (query: object) => () => who.call(listCertDues, { query: { view: 'certAlarm', size: 1, ...query } })
    return [
      ['在场人员证书', f.total, certs({})],
      ['待审核', f.waiting, certs({ auditStatus: '0' })],
      [
        '无有效证的特种工种人员',
        f.asked - f.held,
        () => who.call(listWorkers, { query: { view: 'project', stationed: '1', missing: 'cert', size: 1 } }),
      ],
      ['已过期仍在场', f.expired, dues({ urgency: 'expired' })],
      ['特种工种缺证', f.missing, dues({ urgency: 'missing', dueState: 'open,reminded' })],
      ['30 日内到期', f.within30, dues({ urgency: '30' })],
      ['90 日内到期', f.within30 + f.within60 + f.within90, dues({ urgency: '30,60,90' })],
      ['已忽略', f.ignored, dues({ dueState: 'ignored' })],
    ]
  },
  '/unitListEditDetails': async (who) => {
    const { list: units } = await who.call(listUnits, { query: { size: 3 } })
    const linked = units.map(async ({ id }): Promise<Linked[]> => {
      const { corpCode, projectCode, gaps } = await who.call(getUnitInfo, { query: { id } })
      const people = (missing: string) => () =>
        who.call(listWorkers, { query: { view: 'project', stationed: '1', corpCode, projectCode, missing, size: 1 } })
      return [
        ['未签合同', gaps.contract, people('contract')],
        ['未入场教育', gaps.training, people('training')],
        ['无工资卡', gaps.payCard, people('payCard')],
      ]
    })
    return (await Promise.all(linked)).flat()
  },
  '/governmentTable': async (who) => {
    const t = await who.call(governmentStatsTotals, { query: {} })
    const sites = (query: object) => () => who.call(listProjectStats, { query: { size: 1, ...query } })
    return [
      ['监管项目', t.rows, sites({})],
      ['未达标项目', t.failing, sites({ prjStatus: projectStates.building, failing: '1,' })],
    ]
  },
  '/enterpriseTable': async (who) => {
    const { blackInPlace } = await who.call(enterpriseStatsTotals, { query: {} })
    const listed = () => who.call(listCompanyBlack, { query: { projectCode: '*', view: 'effective', inPlace: '1,', size: 1 } })
    return [
      ['黑名单在场', blackInPlace, listed],
      ['仍在场企业', (await who.call(companyBlackFigures, { query: { projectCode: '*' } })).inPlace, listed],
    ]
  },
  '/teamSystem': async (who) => {
    const f = await who.call(teamFigures, { query: {} })
    const teams = (query: object) => () => who.call(listTeams, { query: { size: 1, ...query } })
    return [
      ['班组数', f.total, teams({})],
      ['在场班组', f.present, teams({ state: 'present' })],
      ['空闲班组', f.idle, teams({ state: 'idle' })],
      ['需关注', f.care, teams({ state: 'care' })],
    ]
  },
  '/checkingList': async (who) => {
    const f = await who.call(dailyCounts, { query: {} })
    const days = (chip: 'due' | 'came' | 'entered' | 'wrong' | 'absent' | 'keyAbsent') => () =>
      who.call(listDaily, { query: { chip, size: 1 } })
    return [
      ['应到', f.expected, days('due')],
      ['实到', f.attended, days('came')],
      ['出勤', f.came, days('entered')],
      ['异常待处理', f.wrong, days('wrong')],
      ['应到未到', f.absent, days('absent')],
      ['关键岗位未到', f.keyAbsent, days('keyAbsent')],
    ]
  },
  '/checkRecord': async (who, today) => {
    const f = await who.call(recordCounts, { query: {} })
    return [['今日通行', f.total, () => who.call(listRecords, { query: { date: `${today},${today}`, size: 1 } })]]
  },
  '/alarmSet': async (who) => {
    const f = await who.call(labourAlarmCounts, { query: { projectCode: '*' } })
    const told = (query: object) => () => who.call(listLabourAlarms, { query: { projectCode: '*', size: 1, ...query } })
    return [
      ['待处理', f.open, told({ state: '1' })],
      ['已忽略', f.ignored, told({ state: '3' })],
      ...f.byType.map((one): Linked => [one.typeName ?? one.type, one.open, told({ state: '1', type: one.type })]),
    ]
  },
  '/helmet/monitoring': async (who) => {
    const { openAlarms } = await who.call(listHelmets, { query: { category: '700', size: 1 } })
    return [
      [
        '未恢复报警',
        openAlarms,
        async () => {
          const { list } = await who.call(findAlarms, {
            query: { active: true, simulated: false, historical: false, family: 'smartHelmet', size: 1000 },
          })
          return { total: list.filter((one) => !alarmsOfTheBox.some((key) => key === one.alarmKey)).length }
        },
      ],
    ]
  },
  '/workbench': async (who, today) => {
    const todos = await who.call(listTodos, { query: { group: 'active', size: 1 } })
    const tasks = (query: object) => () => who.call(listTodos, { query: { group: 'active', size: 1, ...query } })
    return [
      ['待我处理', todos.groups[0]?.count, tasks({})],
      ['今日到期', todos.dueToday, tasks({ dueIn: 'today' })],
      ['今日到期，按日历', todos.dueToday, tasks({ dueIn: 'today', dueOn: today })],
      ['已逾期', todos.groups[0]?.overdue, tasks({ dueIn: 'overdue' })],
      ...todos.days.map((one): Linked => [one.day, one.count, tasks({ dueOn: one.day })]),
      ['我发起未完', todos.startedOpen, () => who.call(listApprovals, { query: { box: 'mine', state: undecided.join(','), size: 1 } })],
    ]
  },
  '/workbench/approval': async (who) => {
    const box = (query: object) => who.call(listApprovals, { query: { box: 'todo', size: 1, ...query } })
    const { counts } = await box({})
    return [
      ['待办', counts.todo, () => box({})],
      ['今日到期', counts.dueToday, () => box({ due: 'today' })],
      ['逾期', counts.overdue, () => box({ due: 'overdue' })],
    ]
  },
  '/main': async (who) => {
    const { service, projects, devices, kind } = await who.call(getMainPage, { query: {} })
    const machines = await who.call(listDevices, { query: { size: 1 } }).catch(() => undefined)
    const inState = (prjStatus: string) => () => who.call(listProjects, { query: { enable: '1', prjStatus, size: 1 } })
    return [
      ...(service
        ? [
            [
              '离线网关',
              service.gatewaysOffline,
              () => who.call(listGateways, { query: { status: '1', online: 'false' } }),
            ] satisfies Linked,
          ]
        : []),
      ...(machines
        ? [
            ['设备', devices.reduce((n, one) => n + one.total, 0), async () => ({ total: machines.counts.inUse })] satisfies Linked,
            ['在线设备', devices.reduce((n, one) => n + one.online, 0), async () => ({ total: machines.counts.online })] satisfies Linked,
          ]
        : []),
      ...(kind === 'government'
        ? [
            [
              '停工项目',
              projects.filter((one) => one.prjStatus === projectStates.stopped).length,
              inState(projectStates.stopped),
            ] satisfies Linked,
          ]
        : []),
    ]
  },
}

const days = [
  ['a working day', '2026-11-20T10:30:00+08:00'],
  ['a rest day', '2026-11-22T10:30:00+08:00'],
] as const

/** One of each kind: the site and a stopped one with their officers, companies by their part, the supervisor, district, city, platform. */
const accounts = [
  'hospital-pm',
  'hospital-safety',
  'hospital-officer',
  'hospital-labour',
  'stopped',
  'stopped-pm',
  'yunze-lu',
  'hengsheng-shi',
  'dingli-cheng',
  'hospital-jl',
  'bj-zhao',
  'city-fang',
  'admin',
]

describe.each(days)('on %s', (_, instant) => {
  const now = Date.parse(instant)
  let world: World
  let settled: CityWorld
  let stoppedSite: string
  const seen = new Set<string>()
  beforeAll(async () => {
    world = await openWorld(inject('postgresUrl'), { clock: { now: () => now } })
    settled = await settleCity(world, instant.slice(0, 10))
    await seedAttendance(world.database, settled.city, now)
    await keepLabourAlarms(world.database.kysely, { now: () => now })
    stoppedSite = settled.city.projects.find((p) => p.prjStatus === '005')?.projectCode ?? ''
    for (const { projectCode } of settled.city.projects) await raiseAlarms(world, projectCode, now)
    // Somebody was read on his way out alone.
    await world.database.pool.query(
      `update attendance_day set first_in = null where (project_code, worker_id, work_day) in
         (select project_code, worker_id, work_day from attendance_day where work_day = $1::date and first_in is not null and attend_day = 1 limit 3)`,
      [instant.slice(0, 10)],
    )
    // A project that is switched off is in nobody's figures of projects, nor in the list they open.
    await world.database.pool.query(`update project set enable = '0' where project_code = $1`, [settled.city.projects.at(-1)?.projectCode])
  }, 300_000)
  afterAll(() => world.close())

  const enter = async (account: string) => {
    if (account === 'stopped') return (await settled.as('bj-zhao')).at(stoppedSite)
    if (account === 'stopped-pm') return settled.as(settled.accounts.find((one) => one.projectCode === stoppedSite)?.account ?? '')
    return settled.as(account)
  }
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

  test.each(accounts)('%s: each figure of a strip is the length of the list it opens', async (account) => {
    const who = await enter(account)
    for (const [page, read] of Object.entries(strips)) {
      const linked = await read(who, instant.slice(0, 10)).catch((refusal: unknown) => {
        // Whoever may not open the page sees no strip.
        if (String(refusal).includes(' 403/403 ')) return []
        throw refusal
      })
      for (const [what, value, list] of linked) expect([page, what, value]).toEqual([page, what, (await list()).total])
      if (linked.length) seen.add(page)
    }
  })

  test.each(accounts)('%s: what a task counts is what its list shows', async (account) => {
    const who = await enter(account)
    const { list: tasks } = await who.call(listTodos, { query: { group: 'active', size: 1000 } })
    for (const { kind, title, link } of tasks) {
      const n = /^\d+/.exec(title)?.[0]
      const { pathname, searchParams } = new URL(link, 'http://site')
      const asked = Object.fromEntries([...searchParams].filter(([name]) => name !== 'tab'))
      const shown =
        pathname === '/personList'
          ? await who.call(listWorkers, { query: { view: 'project', size: 1, ...asked } })
          : pathname === '/alarmSet'
            ? await who.call(listLabourAlarms, { query: { projectCode: '*', size: 1, ...asked } })
            : undefined
      if (!shown) continue
      expect([kind, title, Number(n)]).toEqual([kind, title, shown.total])
      seen.add(kind)
    }
  })

  test('every strip was read by somebody, and tasks that count people', () =>
    expect([...seen].sort()).toEqual(['contract', 'labourAlarm', ...Object.keys(strips)].sort()))

  test.each(accounts)('%s: a figure is the same wherever it is shown', async (account) => {
    const who = await enter(account)
    const figures = await figuresOf(who)
    const alarms = await who.call(listAlarms, { query: waiting })
    expect(numberOf(figures, 'openAlarms')).toBe(alarms.counts.todo)
    expect(alarms.total).toBe(alarms.counts.todo)
    const today = await who.call(dailyCounts, { query: {} })
    expect(today.expected).toBe(today.attended + today.absent)
    if (numberOf(figures, 'attended') !== undefined) expect(numberOf(figures, 'attended')).toBe(today.came)
    if (numberOf(figures, 'onSite') !== undefined)
      expect(numberOf(figures, 'onSite')).toBe((await who.call(stayFigures, { query: {} })).onSite)
    const { projects } = await who.call(getMainPage, { query: { view: 'hs' } })
    for (const site of projects) {
      const there = (await who.call(listAlarms, { query: { ...waiting, projectCode: site.projectCode } })).total
      expect([site.projectCode, site.openAlarms]).toEqual([site.projectCode, there])
      const day = await who.call(dailyCounts, { query: { projectCode: site.projectCode } })
      expect([site.projectCode, site.expected, site.arrived, site.rate]).toEqual([site.projectCode, day.expected, day.attended, day.rate])
    }
  })

  test.each(accounts.filter((account) => account !== 'stopped'))(
    '%s: cards of identities and the workbench count the alarms that wait',
    async (account) => {
      const who = await enter(account)
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
