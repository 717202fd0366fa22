import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { towerVideo } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import * as cranes from '@zhugong/contract/monitoring/crane/crane-lists'
import { bindCraneCameras } from '@zhugong/contract/monitoring/crane/machine-cameras'
import * as passages from '@zhugong/contract/monitoring/gateway/passages'
import * as lifts from '@zhugong/contract/monitoring/lift/lift-lists'
import * as fixes from '@zhugong/contract/monitoring/record-fixes'
import { addPatrol, listPatrols } from '@zhugong/contract/monitoring/video/video-patrols'
import { findTicketGroups, findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import * as weighing from '@zhugong/contract/monitoring/weigh/weighing'
import type { Device, Family } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatDay, startOfDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'
import { exportNamed, printNamed } from '../../exports/registry.ts'
import { weekOf } from '../pit/pit-weekly-print.ts'

const minute = 60_000
const hour = 60 * minute
const now = startOfDay(formatDay(Date.now())) + 15 * hour

let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let company: Caller
let stranger: Caller
let main = ''

const device = (family: Family): Device => {
  const found = settled.city.devices.find((d) => d.family === family && d.projectCode === main && d.behaviour === 'normal')
  if (!found) throw new Error(`no ${family}`)
  return found
}
async function keep(of: Device, record: string, time: number, data: Record<string, unknown>): Promise<void> {
  await world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, $5, $6, $3)`,
    [of.id, of.projectCode, new Date(time), `${record}:${time}`, record, JSON.stringify(data)],
  )
}
let files = 0
/** A photograph that the manager's group has uploaded. */
async function photo(): Promise<string> {
  const id = `photo${++files}`
  await world.database.pool.query(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select $1, m.group_id, '照片.jpg', 'image/jpeg', 3, $1, m.user_id from member m join app_user u on u.id = m.user_id where u.account = 'hospital-pm' limit 1`,
    [id],
  )
  return id
}

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  pm = await settled.as('hospital-pm')
  regulator = await settled.as('bj-zhao')
  company = await settled.as('yunze-lu')
  stranger = await settled.as('zhigu-pm')
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
})
afterAll(() => world.close())

describe('passages are put right', () => {
  test('what counted on a misread plate counts on the right one; the old value stays in the history', async () => {
    const lane = device('truckAccess')
    await keep(lane, 'accessRecord', now - 2 * hour, { plateNo: '鄂A10001', direction: '0', vehicleType: '1', confidence: 0.95 })
    await keep(lane, 'accessRecord', now - hour, {
      plateNo: '鄂A1OOO',
      direction: '1',
      vehicleType: '1',
      washed: '0',
      covered: '1',
      confidence: 0.4,
    })
    const ask = (more: object) => pm.call(passages.listPassages, { query: { projectCode: main, deviceId: lane.id, ...more } })
    const before = await ask({})
    const wrong = before.list.find((one) => one.plateNo === '鄂A1OOO')
    expect([before.today.inside, before.today.washPercent, wrong?.corrected]).toEqual([1, 0, false])
    expect((await ask({ tab: 'doubtful' })).total).toBe(1)
    const params = { id: wrong?.id ?? '' }
    const query = { projectCode: main }
    await pm.call(fixes.correctPassage, {
      params,
      query,
      body: { version: 0, reason: '照片核对车牌，已冲洗', plateNo: '鄂A10001', washState: '1' },
    })
    const after = await ask({})
    expect([after.today.inside, after.today.washPercent]).toEqual([0, 100])
    expect((await ask({ tab: 'doubtful' })).total).toBe(0)
    expect((await ask({ plateNo: '鄂A10001' })).total).toBe(2)
    const file = await pm.call(passages.getPassage, { params })
    expect(file).toMatchObject({ plateNo: '鄂A10001', corrected: true, version: 1, mayCorrect: true, washState: '1' })
    expect(file.pair?.plateNo).toBe('鄂A10001')
    expect(file.log).toHaveLength(1)
    expect(file.log[0]).toMatchObject({ reason: '照片核对车牌，已冲洗' })
    expect(file.log[0]?.changes).toEqual([
      { field: 'plateNo', label: '车牌', from: '鄂A1OOO', to: '鄂A10001' },
      { field: 'washed', label: '冲洗', from: '未冲洗', to: '已冲洗' },
    ])
    const { rows } = await world.database.pool.query(`select data ->> 'plateNo' as plate from device_record where id = $1`, [
      `accessRecord:${now - hour}`,
    ])
    expect(rows[0]?.plate).toBe('鄂A1OOO')
  })

  test('nothing to change, a stale version, a wrong plate and strangers are refused', async () => {
    const [one] = (await pm.call(passages.listPassages, { query: { projectCode: main, direction: '2' } })).list
    const params = { id: one?.id ?? '' }
    const put = (caller: Caller, body: object) =>
      caller.ask(fixes.correctPassage, { params, query: { projectCode: main }, body: { version: 1, reason: '核对', ...body } as never })
    expect((await put(pm, { direction: '2' })).message).toBe('没有要更正的内容')
    expect((await put(pm, { version: 0, direction: '1' })).message).toContain('请刷新后再改')
    expect((await put(pm, { plateNo: '12345' })).message).toContain('车牌格式')
    expect((await put(regulator, { direction: '1' })).http).toBe(403)
    expect((await put(stranger, { direction: '1' })).status).not.toBe(0)
  })
})

describe('runs of lifts are blamed', () => {
  test('a mark counts in list, day and driver’s record, and is taken back with its reason', async () => {
    const lift = device('lifter')
    await keep(lift, 'workingCycle', now - hour, {
      cage: '1',
      maxPersonCount: 3,
      driverName: '王师傅',
      driverId: 'w1',
      startFloor: 1,
      endFloor: 3,
    })
    const query = { projectCode: main, deviceId: lift.id }
    const runs = () => pm.call(lifts.findLiftRuns, { query })
    const driver = async () =>
      (await pm.call(lifts.findLiftRunGroups, { query: { ...query, groupBy: 'driver' } })).list.find((one) => one.name === '王师傅')
    const [run] = (await runs()).list
    expect([(await runs()).today.illegal, (await driver())?.illegal, run?.version]).toEqual([0, 0, 0])
    const mark = (caller: Caller, illegal: boolean, version: number) =>
      caller.ask(fixes.markLiftRun, {
        params: { id: run?.key ?? '' },
        query: { projectCode: main },
        body: { illegal, reason: illegal ? '未确认关门即启动' : '复看录像，门已关', version },
      })
    expect((await mark(regulator, true, 0)).http).toBe(403)
    expect((await mark(stranger, true, 0)).status).not.toBe(0)
    expect((await mark(pm, true, 0)).status).toBe(0)
    expect([(await runs()).today.illegal, (await driver())?.illegal]).toEqual([1, 1])
    expect((await runs()).list[0]?.data).toMatchObject({ illegal: true, illegalReason: '未确认关门即启动' })
    expect((await mark(pm, true, 1)).message).toContain('已经标记')
    expect((await mark(pm, false, 0)).message).toContain('请刷新后再改')
    expect((await mark(pm, false, 1)).status).toBe(0)
    expect([(await runs()).today.illegal, (await driver())?.illegal]).toEqual([0, 0])
    const { rows } = await world.database.pool.query(`select reason from record_fix_log where device_id = $1 order by at, id`, [lift.id])
    expect(rows.map((r) => r.reason).sort()).toEqual(['复看录像，门已关', '未确认关门即启动'].sort())
  })
})

describe('lifts of cranes are blamed', () => {
  test('a mark counts in list, day and driver’s record; what the crane called a breach is taken back with its reason', async () => {
    const crane = device('towerCrane')
    const cycle = { durationSeconds: 120, maxLoad: 2, maxMomentPercent: 60, driverName: '赵师傅', driverId: 'c1' }
    await keep(crane, 'workingCycle', now - hour, { ...cycle, illegal: true })
    const query = { projectCode: main, deviceId: crane.id, startTime: String(now - 2 * hour), endTime: String(now) }
    const cycles = () => pm.call(cranes.findCycles, { query })
    const driver = async () =>
      (await pm.call(cranes.findCycleGroups, { query: { ...query, groupBy: 'driver' } })).list.find((one) => one.name === '赵师傅')?.illegal
    const [one] = (await cycles()).list
    expect([(await cycles()).today.illegal, await driver(), one?.version]).toEqual([1, 1, 0])
    const mark = (caller: Caller, illegal: boolean, version: number, id = one?.key ?? '') =>
      caller.ask(fixes.markCraneCycle, {
        params: { id },
        query: { projectCode: main },
        body: { illegal, reason: illegal ? '斜拉' : '复看录像，系试吊', version },
      })
    expect((await mark(regulator, false, 0)).http).toBe(403)
    expect((await mark(stranger, false, 0)).status).not.toBe(0)
    expect((await mark(pm, true, 0)).message).toContain('已经标记')
    expect((await mark(pm, false, 0)).status).toBe(0)
    expect([(await cycles()).today.illegal, await driver()]).toEqual([0, 0])
    expect((await cycles()).list[0]?.data).toMatchObject({ illegal: false, illegalReason: '复看录像，系试吊' })
    expect((await mark(pm, true, 0)).message).toContain('请刷新后再改')
    expect((await mark(pm, true, 1)).status).toBe(0)
    expect((await cycles()).today.illegal).toBe(1)
    // A lift run is not accepted as a crane cycle.
    const [run] = (await pm.call(lifts.findLiftRuns, { query: { projectCode: main } })).list
    expect((await mark(pm, true, 2, run?.key)).status).not.toBe(0)
  })
})

describe('weighings by hand', () => {
  const body = async (more: object = {}) => ({
    deviceId: device('weighbridge').id,
    plateNo: '鄂A77001',
    weighType: '1' as const,
    material: '中砂',
    supplier: '江北砂石',
    billWeight: 30,
    grossWeight: 45.2,
    grossTime: String(now - 2 * hour),
    tareWeight: 15,
    tareTime: String(now - hour),
    reason: '地磅停电',
    photos: [await photo()],
    ...more,
  })
  const query = { projectCode: '' }
  const enter = async (caller: Caller, more: object = {}) =>
    caller.ask(weighing.manualWeighing, { query: { ...query, projectCode: main }, body: (await body(more)) as never })

  test('what the cameras of the site took is seen by whoever reads the ticket, and no other file a bridge names', async () => {
    const bridge = device('weighbridge')
    const kept = (id: string, projectCode: string, source: string | null) =>
      world.database.pool.query(
        `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by, source)
         select $1, $2, id, '抓拍.jpg', 'image/jpeg', 3, $1, '地磅', $3 from tenant where type = 3 and code = $2`,
        [id, projectCode, source],
      )
    const elsewhere = settled.city.projects.find((one) => one.projectCode !== main)?.projectCode ?? ''
    await kept('bridge-own', main, 'device')
    await kept('bridge-paper', main, null)
    await kept('bridge-foreign', elsewhere, 'device')
    await keep(bridge, 'weighRecord', now - 3 * hour, {
      recordNo: 'P-1',
      plateNo: '鄂A77009',
      grossWeight: 40,
      tareWeight: 15,
      photos: ['bridge-own', 'bridge-paper', 'bridge-foreign'],
    })
    for (const who of [pm, company, regulator]) {
      const { list } = await who.call(findTickets, { query: { projectCode: main, plateNo: '鄂A77009' } })
      const { photos } = await who.call(weighing.getTicket, { params: { id: list[0]?.id ?? '' } })
      expect(photos.map((link) => /id=([\w-]+)/.exec(link)?.[1])).toEqual(['bridge-own'])
    }
  })

  test('counts nowhere until somebody else consents; is marked wherever it stands', async () => {
    const list = () => pm.call(findTickets, { query: { projectCode: main, isManual: true } })
    const answer = await enter(pm)
    expect([answer.status, answer.message]).toEqual([0, expect.anything()])
    const [waiting] = (await list()).list
    expect(waiting).toMatchObject({ isManual: true, awaitingAudit: true, grossWeight: null, plateNo: '鄂A77001', overdue: false })
    expect((await list()).sums).toMatchObject({ actualWeight: 0, waiting: 0, manual: 1 })
    const params = { id: waiting?.id ?? '' }
    const file = await pm.call(weighing.getTicket, { params })
    expect(file.log[0]).toMatchObject({ action: 'manual', reason: '地磅停电' })
    expect(file.photos[0]).toContain('/tool/image?')
    expect((await pm.ask(weighing.correctTicket, { params, body: { action: 'approve', reason: '同意' } })).message).toBe(
      '不能审批自己的修改',
    )
    const auditor = await settled.as('yunze-lu')
    expect(await auditor.ask(weighing.correctTicket, { params, body: { action: 'approve', reason: '照片相符' } })).toMatchObject({
      status: 0,
    })
    expect((await list()).list[0]).toMatchObject({ actualWeight: 30.2, awaitingAudit: false, status: '2' })
    const groups = await pm.call(findTicketGroups, { query: { projectCode: main, groupBy: 'supplier,material' } })
    expect(groups.list.find((one) => one.supplier === '江北砂石')).toMatchObject({ trucks: 1, manual: 1, actualWeight: 30.2 })
  })

  test('refused by nobody’s consent it is void; nonsense and strangers get a word at the field', async () => {
    expect((await enter(pm)).message).toContain('10 分钟内已有磅单')
    const second = await enter(pm, { plateNo: '鄂A77002' })
    const params = { id: (second.data as { id: string }).id }
    const auditor = await settled.as('yunze-lu')
    await auditor.ask(weighing.correctTicket, { params, body: { action: 'reject', reason: '照片不清' } })
    expect(await pm.call(weighing.getTicket, { params })).toMatchObject({ status: '3', voidReason: '照片不清' })
    expect((await enter(pm, { plateNo: '鄂A77003', grossWeight: null, tareWeight: null })).message).toContain('至少填写一项')
    expect((await enter(pm, { plateNo: '鄂A77003', grossWeight: 10 })).message).toBe('毛重应大于皮重')
    expect((await enter(pm, { plateNo: '鄂A77003', tareTime: String(now - 3 * hour) })).message).toContain('皮重时间应晚于毛重时间')
    expect((await enter(pm, { plateNo: '鄂A77003', grossTime: String(now + hour) })).message).toContain('不能晚于现在')
    expect((await enter(pm, { plateNo: '鄂A77003', grossTime: String(now - 9 * 24 * hour) })).message).toContain('近 7 天')
    expect((await enter(pm, { plateNo: '鄂A77003', photos: ['nobody'] })).message).toContain('附件不存在')
    expect((await enter(regulator, { plateNo: '鄂A77003' })).http).toBe(403)
    expect((await enter(stranger, { plateNo: '鄂A77003' })).status).not.toBe(0)
  })
})

describe('cameras', () => {
  test('a crane’s cameras are of its own site and look at one machine', async () => {
    const crane = device('towerCrane')
    const camera = device('videoAi')
    const foreign = settled.city.devices.find((d) => d.family === 'videoAi' && d.projectCode !== main)
    const other = settled.city.devices.find((d) => d.family === 'towerCrane' && d.projectCode === main && d.id !== crane.id)
    const bind = (caller: Caller, id: string, cameraIds: string[]) => caller.ask(bindCraneCameras, { params: { id }, body: { cameraIds } })
    expect((await bind(pm, crane.id, [camera.id])).status).toBe(0)
    const bound = await pm.call(towerVideo, { query: { id: crane.id } })
    // Without a requested crane, the first one with a camera is opened.
    const first = await pm.call(towerVideo, { query: {} })
    expect(first.cameras.length).toBeGreaterThan(0)
    expect((await stranger.call(towerVideo, { query: {} })).deviceId).not.toBe(first.deviceId)
    expect(bound.cameras.map((one) => one.deviceId)).toEqual([camera.id])
    expect((await bind(pm, crane.id, [foreign?.id ?? ''])).message).toContain('同一项目')
    expect((await bind(pm, other?.id ?? '', [camera.id])).message).toContain('已绑定')
    expect((await bind(regulator, crane.id, [])).http).toBe(403)
    expect((await bind(stranger, crane.id, [])).status).not.toBe(0)
    expect((await bind(pm, crane.id, [])).status).toBe(0)
    expect((await pm.call(towerVideo, { query: { id: crane.id } })).cameras).toEqual([])
  })

  test('a round says which cameras were up and what was found; its site and whoever looked read it', async () => {
    const camera = device('videoAi')
    const query = { projectCode: main }
    const add = (caller: Caller, body: object) =>
      caller.ask(addPatrol, { query, body: { cameraIds: [camera.id], result: 'fine', ...body } as never })
    expect((await add(regulator, { result: 'found', finding: '大门未关', deviceId: camera.id })).status).toBe(0)
    expect((await add(company, {})).status).toBe(0)
    // The supervised site cannot make patrols of its own cameras.
    expect((await add(pm, {})).http).toBe(403)
    expect((await add(company, { result: 'found' })).message).toBe('请填写发现的问题')
    expect((await add(company, { cameraIds: ['nobody'] })).message).toContain('不属于这个项目')
    expect((await add(stranger, {})).status).not.toBe(0)
    const list = await pm.call(listPatrols, { query: { projectCode: main, result: 'found' } })
    expect(list.list.map((one) => [one.finding, one.deviceName, one.cameras.length])).toEqual([['大门未关', camera.name, 1]])
    expect((await stranger.ask(listPatrols, { query: { projectCode: '*' } })).data).toMatchObject({ total: 0 })
  })
})

describe('reports', () => {
  const made = async (feature: string, query: Record<string, unknown>, exportType: 'pdf' | 'xlsx' = 'pdf') => {
    const answer = await pm.ask(submitExport, { body: { feature, exportType, query } })
    return [answer.status, answer.status === 0 ? '' : answer.message]
  }
  test('the month of lifts and the week of a pit are made of what stands', async () => {
    const month = formatDay(now).slice(0, 7)
    expect(await made('liftMonth', { projectCode: main, month })).toEqual([0, ''])
    const file = join(mkdtempSync(join(tmpdir(), 'month-')), 'month.pdf')
    const ctx = { ...(await listContext()), picture: async () => undefined }
    const print = printNamed('liftMonth')
    await (await print?.draw(ctx as never, { projectCode: main, month } as never))?.writeTo(file)
    expect(readFileSync(file).subarray(0, 4).toString()).toBe('%PDF')
    const rows = []
    for await (const row of exportNamed('liftMonth')?.rows(ctx as never, { projectCode: main, month } as never) ?? []) rows.push(row)
    expect(rows).toMatchObject([{ driver: '王师傅', runs: 1, illegal: 0, day: formatDay(now) }])
    await expect(print?.draw(ctx as never, { projectCode: main, month: '2099-01' } as never)).rejects.toThrow('不能晚于本月')
    expect(await made('craneMonth', { projectCode: main, month })).toEqual([0, ''])
    expect(await made('stationMonth', { projectCode: main, month }, 'xlsx')).toEqual([0, ''])
    for (const feature of ['craneMonth', 'stationMonth']) {
      const sheet = join(mkdtempSync(join(tmpdir(), 'month-')), 'sheet.pdf')
      await (await printNamed(feature)?.draw(ctx as never, { projectCode: main, month } as never))?.writeTo(sheet)
      expect(readFileSync(sheet).subarray(0, 4).toString()).toBe('%PDF')
    }
    const lifted = []
    for await (const row of exportNamed('craneMonth')?.rows(ctx as never, { projectCode: main, month } as never) ?? []) lifted.push(row)
    expect(lifted).toMatchObject([{ driver: '赵师傅', cycles: 1, illegal: 1, maxMomentPercent: 60, day: formatDay(now) }])
  })
  test('a point’s week begins where the one before ended', () => {
    const row = (day: string, value: number | null, ratePerDay: number | null) =>
      ({ deviceId: 'd', pointCode: 'G1', pointType: 'surface', pointTypeName: '地表沉降', unit: 'mm', day, value, ratePerDay }) as never
    const [week] = weekOf(
      [row('2026-11-08', -3, null), row('2026-11-09', -3.4, -0.4), row('2026-11-10', null, null), row('2026-11-15', -6.2, -1.1)],
      '2026-11-09',
    )
    expect(week).toMatchObject({ first: -3, change: -3.2, missing: 1, fastest: { day: '2026-11-15' } })
  })
})

/** A list context of the manager. */
async function listContext() {
  const { rows } = await world.database.pool.query(`select name from project where project_code = $1`, [main])
  return {
    db: world.database.kysely,
    scope: { all: false, projects: [main] },
    codes: new Set<string>(),
    projectCode: main,
    group: { name: rows[0]?.name },
    scopeChecks: true,
    clock: { now: () => now },
    user: { name: '经理' },
  }
}
