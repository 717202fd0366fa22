import * as calls from '@zhugong/contract/monitoring/pile/pile-register'
import * as pileTests from '@zhugong/contract/monitoring/pile/pile-tests'
import { proposalOf } from '@zhugong/contract/monitoring/pile/pile-verdict'
import { findPiles, pileOf } from '@zhugong/contract/monitoring/pile/piles'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../../../test/city.ts'
import type { Answer, Caller, World } from '../../../../../test/world.ts'
import { checkPiles } from './check.ts'

const minute = 60_000

describe('a sheet of piles', () => {
  const right = { pileNo: 'A-1', kind: '静压桩', designLength: '22.5', diameter: '800', plannedOn: '2026/3/1' }
  const faults = (cells: Record<string, string>) => checkPiles([{ row: 2, cells: { ...right, ...cells } }])[0]?.errors
  test.each([
    [{ pileNo: '' }, 'pileNo', '请填写桩号'],
    [{ pileNo: 'x'.repeat(41) }, 'pileNo', '最多 40 个字'],
    [{ kind: '木桩' }, 'kind', '桩型应为'],
    [{ designLength: '二十' }, 'designLength', '应为数字'],
    [{ designLength: '300' }, 'designLength', '应在 1 到 150 之间'],
    [{ diameter: '800.5' }, 'diameter', '应为整数'],
    [{ plannedOn: '2026-02-30' }, 'plannedOn', '日期应写成'],
  ])('%j is wrong at %s', (cells, column, text) => {
    expect(faults(cells)).toEqual([{ column, text: expect.stringContaining(text) }])
  })
  test('what is right is a pile; the same number twice is told, whatever its case', () => {
    const lines = checkPiles([
      { row: 2, cells: right },
      { row: 3, cells: { ...right, pileNo: 'a-1' } },
    ])
    expect(lines[0]?.pile).toMatchObject({ pileNo: 'A-1', kind: 'static', diameter: 800, plannedOn: '2026-03-01', designDepth: null })
    expect(lines[1]?.errors).toEqual([{ column: 'pileNo', text: '与第 2 行的桩号相同' }])
  })
})

test.each([
  [undefined, [], null],
  [{ finalDepth: 22, maxVerticality: 0.4, doubts: [] }, [], '1'],
  [{ finalDepth: 21, maxVerticality: 0.4, doubts: ['短 1.00 m'] }, [], '2'],
  [{ finalDepth: 22, maxVerticality: 1.2, doubts: ['垂直度 1.2 %'] }, [], '0'],
  [{ finalDepth: 22, maxVerticality: 0.4, doubts: [] }, [{ kind: 'lowStrain', integrity: '3', settlement: null, isPassed: null }], '2'],
  [{ finalDepth: 22, maxVerticality: 0.4, doubts: [] }, [{ kind: 'lowStrain', integrity: '4', settlement: null, isPassed: null }], '0'],
  [undefined, [{ kind: 'staticLoad', integrity: null, settlement: 41, isPassed: true }], '0'],
  [undefined, [{ kind: 'staticLoad', integrity: null, settlement: 18, isPassed: true }], '1'],
] as const)('record %j and tests %j propose %j', (run, tests, verdict) => {
  expect(proposalOf(run, tests).verdict).toBe(verdict)
})

describe('the register of a site', () => {
  let world: World
  let city: CityWorld
  let site = ''
  let rigId = ''
  let pm: Caller
  const now = Date.now()

  beforeAll(async () => {
    world = await openCity(inject('postgresUrl'))
    city = await settleCity(world)
    site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
    const rig = city.city.devices.find((d) => d.family === 'pileFoundation')
    rigId = rig?.id ?? ''
    // The demonstration's rigs are on other sites: one is moved here.
    await world.database.pool.query('update device set project_code = $1 where id = $2', [site, rigId])
    pm = await city.as('hospital-pm')
  }, 120_000)
  afterAll(() => world.close())

  const ofSite = () => ({ projectCode: site })
  const record = (at: number, data: Record<string, unknown>) =>
    world.database.pool.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'pileRecord', $5, $3)`,
      [rigId, site, new Date(at), `run:${at}`, JSON.stringify({ startTime: new Date(at - 120 * minute).toISOString(), ...data })],
    )
  const pile = (pileNo: string, more = {}) => ({ pileNo, kind: 'bored' as const, designLength: 22, ...more })

  test('a sheet is looked through cell by cell, taken whole or not at all, and known the second time', async () => {
    const head = ['桩号*', '桩型*', '轴线位置', '桩径（mm）', '设计桩长（m）*', '设计孔深（m）', '混凝土', '计划日期', '备注栏']
    const send = async (
      who: Caller,
      lines: unknown[][],
      mode = 'check',
    ): Promise<Answer<NonNullable<(typeof calls.importPiles)['types']>['out']>> => {
      const file = Buffer.from(await writeXlsx({ sheets: [{ name: '桩清单', rows: [head, ...lines] as never }] }))
      const payload = Buffer.concat([
        Buffer.from(`--xx\r\ncontent-disposition: form-data; name="mode"\r\n\r\n${mode}\r\n`),
        Buffer.from(
          '--xx\r\ncontent-disposition: form-data; name="file"; filename="piles.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n',
        ),
        file,
        Buffer.from('\r\n--xx--\r\n'),
      ])
      const headers = { token: who.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
      return (await world.api.app.inject({ method: 'POST', url: `${calls.importPiles.path}?projectCode=${site}`, headers, payload })).json()
    }
    const sound = [
      ['ZH1-101', '钻孔灌注桩', '1/A', 800, 22, 22.5, 'C35', '2026-01-08', ''],
      ['ZH1-102', '钻孔灌注桩', '1/B', 800, 22, 22.5, 'C35', '2026-01-09', ''],
    ]
    const wrong = [...sound, ['ZH1-103', '木桩', '', '', 'x', '', '', '', '']]
    const looked = await send(pm, wrong)
    expect(looked.data.counts).toEqual({ rows: 3, faulty: 1, known: 0, fresh: 2 })
    expect(looked.data.rows[2]?.errors.map((one) => one.column)).toEqual(['kind', 'designLength'])
    expect(looked.data.unknownColumns).toEqual(['备注栏'])
    expect(await send(pm, wrong, 'save')).toMatchObject({ status: 4, message: expect.stringContaining('整个文件都没有写入') })
    expect((await pm.call(calls.listPiles, { query: ofSite() })).total).toBe(0)
    expect(await send(pm, sound, 'save')).toMatchObject({ status: 0, data: { counts: { fresh: 2 } } })
    const list = await pm.call(calls.listPiles, { query: ofSite() })
    expect(list.list.map((one) => [one.pileNo, one.axis, one.designDepth, one.plannedOn])).toEqual([
      ['ZH1-101', '1/A', 22.5, '2026-01-08'],
      ['ZH1-102', '1/B', 22.5, '2026-01-09'],
    ])
    expect((await send(pm, sound)).data.counts).toMatchObject({ known: 2, fresh: 0, faulty: 0 })
    expect(await send(pm, sound, 'save')).toMatchObject({ status: 4, message: expect.stringContaining('都已登记') })
    const other = await send(pm, [['zh1-101', '钻孔灌注桩', '1/A', 800, 24, 22.5, 'C35', '2026-01-08', '']])
    expect(other.data.rows[0]?.errors).toEqual([{ column: 'designLength', text: '已登记为 22，请在平台上修改' }])
    for (const account of ['zhigu-pm', 'bj-zhao', 'hengsheng-shi'])
      expect((await send(await city.as(account), sound, 'save')).status, account).not.toBe(0)
    const template = await world.api.app.inject({
      method: 'GET',
      url: `${calls.pileTemplate.path}?projectCode=${site}`,
      headers: { token: pm.token, group: '*' },
    })
    expect((await readXlsx(template.rawPayload)).sheets[0]?.rows?.[0]).toContain('设计桩长（m）*')
  })

  test('a record lies at its pile by its number or by a person; both records of a pile stay and the newest counts', async () => {
    await record(now - 50 * minute, { pileNo: 'zh1-101', finalDepth: 22.6, maxVerticality: 0.4, result: '1' })
    await record(now - 40 * minute, { finalDepth: 21.2, maxVerticality: 0.5, result: '2' })
    const listed = () => pm.call(findPiles, { query: { deviceId: rigId } })
    const [unnamed, named] = (await listed()).list
    expect([named?.registerNo, named?.designDepth, unnamed?.pileId]).toEqual(['ZH1-101', 22.5, null])
    const { list } = await pm.call(calls.listPiles, { query: { ...ofSite(), pileNo: 'ZH1' } })
    const [first, second] = list
    expect([first?.state, first?.finalDepth, second?.state]).toEqual(['made', 22.6, 'late'])
    const body = { record: unnamed?.key ?? '', reason: '桩机未选桩号，施工日志第 12 页' }
    await pm.call(calls.assignPileRun, { params: { id: second?.id ?? '' }, query: ofSite(), body })
    const laid = await pm.call(calls.pileDetail, { params: { id: second?.id ?? '' }, query: ofSite() })
    expect(laid.made).toMatchObject([{ pileNo: null, doubts: ['短 1.30 m'], assignedReason: body.reason }])
    expect(laid.proposal).toEqual({ verdict: '2', grounds: ['短 1.30 m'] })
    await pm.call(calls.assignPileRun, { params: { id: first?.id ?? '' }, query: ofSite(), body })
    const twice = await pm.call(calls.pileDetail, { params: { id: first?.id ?? '' }, query: ofSite() })
    expect([twice.runs, twice.finalDepth, twice.made.map((one) => one.finalDepth)]).toEqual([2, 21.2, [21.2, 22.6]])
    expect((await listed()).list.map((one) => one.registerNo)).toEqual(['ZH1-101', 'ZH1-101'])
    await pm.call(calls.assignPileRun, { params: { id: second?.id ?? '' }, query: ofSite(), body })
  })

  test('record and tests propose, a supervisor decides with a reason, every decision stays', async () => {
    const supervisor = await city.as('hospital-jl')
    const { list } = await pm.call(calls.listPiles, { query: { ...ofSite(), pileNo: 'ZH1-101' } })
    const id = list[0]?.id ?? ''
    const at = { params: { id }, query: ofSite() }
    const detail = () => pm.call(calls.pileDetail, at)
    expect((await detail()).proposal).toEqual({ verdict: '1', grounds: ['记录与检测均在限值之内'] })
    const testedOn = formatDay(now)
    const low = { kind: 'lowStrain' as const, testedOn, integrity: '3' as const, waveSpeed: 3650, isPassed: null, tester: '市建科院' }
    await pm.call(pileTests.addPileTest, { ...at, body: low })
    expect((await detail()).proposal).toEqual({ verdict: '2', grounds: ['低应变Ⅲ类'] })
    const steps: [number, number][] = [
      [800, 2.1],
      [1600, 6.4],
      [2400, 43.5],
    ]
    const load = { kind: 'staticLoad' as const, testedOn, integrity: null, steps, tester: '市建科院' }
    const refused = await pm.ask(pileTests.addPileTest, { ...at, body: { ...load, steps: steps.slice(0, 2), isPassed: null } })
    expect(refused.status).not.toBe(0)
    await pm.call(pileTests.addPileTest, { ...at, body: { ...load, isPassed: false } })
    const result = await detail()
    expect(result.proposal).toEqual({ verdict: '0', grounds: ['静载承载力不满足', '静载沉降 43.5 mm，超过 40 mm', '低应变Ⅲ类'] })
    expect(result.tested.find((one) => one.kind === 'staticLoad')).toMatchObject({ maxLoad: 2400, settlement: 43.5, steps })
    const judged = { verdict: '0' as const, reason: '静载不满足，按设计补桩', version: result.version }
    expect((await supervisor.ask(calls.updatePile, { ...at, body: { ...pile('ZH1-101'), version: result.version } })).status).not.toBe(0)
    await supervisor.call(calls.judgePile, { ...at, body: judged })
    expect((await pm.ask(calls.judgePile, { ...at, body: judged })).message).toContain('请刷新后再改')
    const after = await detail()
    expect([after.state, after.verdicts.map((one) => [one.verdict, one.proposed, one.reason])]).toEqual([
      'failed',
      [['0', '0', judged.reason]],
    ])
    const counts = (await pm.call(calls.listPiles, { query: { ...ofSite(), state: 'passed' } })).counts
    expect(counts).toEqual({ total: 2, made: 2, passed: 0, doubtful: 0, failed: 1, undecided: 1, late: 0, tested: 1 })
    expect((await pm.call(findPiles, { query: { deviceId: rigId } })).list.map((one) => one.verdict)).toEqual([null, '0'])
    for (const account of ['zhigu-pm', 'hengsheng-shi'])
      expect((await (await city.as(account)).ask(calls.judgePile, { ...at, body: { ...judged, version: after.version } })).status).not.toBe(
        0,
      )
  })

  test('by hand: a number once, a change only upon what one has seen; one with a past is not deleted, one not made is not judged', async () => {
    const { id } = await pm.call(calls.createPile, { query: ofSite(), body: pile('B-1', { plannedOn: '2099-01-01' }) })
    expect((await pm.ask(calls.createPile, { query: ofSite(), body: pile('b-1') })).message).toContain('已登记')
    expect((await pm.ask(calls.createPile, { query: ofSite(), body: pile('B-2', { madeOn: '2099-01-01' }) })).message).toContain(
      '不能晚于今天',
    )
    const at = { params: { id }, query: ofSite() }
    expect((await pm.call(calls.pileDetail, at)).state).toBe('planned')
    expect((await pm.ask(calls.judgePile, { ...at, body: { verdict: '1', reason: '合格', version: 0 } })).message).toContain('还没有成桩')
    await pm.call(calls.updatePile, { ...at, body: { ...pile('B-1', { madeOn: '2026-01-03' }), version: 0 } })
    expect((await pm.ask(calls.updatePile, { ...at, body: { ...pile('B-1'), version: 0 } })).message).toContain('请刷新后再改')
    expect((await pm.ask(calls.removePile, at)).message).toContain('不能删除')
    await pm.call(calls.updatePile, { ...at, body: { ...pile('B-1'), version: 1 } })
    await pm.call(calls.removePile, at)
    expect((await pm.ask(calls.pileDetail, at)).status).not.toBe(0)
    const leader = await city.as('yunze-lu')
    expect((await leader.call(calls.listPiles, { query: { projectCode: '*' } })).total).toBe(2)
    const stranger = await city.as('zhigu-pm')
    expect((await stranger.ask(calls.listPiles, { query: { projectCode: '*' } })).data).toMatchObject({ total: 0 })
  })

  test('where a pile stands is kept whole or not at all; load tests are a list of their own', async () => {
    expect((await pm.ask(calls.createPile, { query: ofSite(), body: pile('C-1', { x: 3.2 }) })).message).toContain('坐标 X、Y 应同时填写')
    expect((await pm.ask(calls.createPile, { query: ofSite(), body: pile('C-1', { x: 3.2, y: 90_000 }) })).message).toContain(
      '超出工地范围',
    )
    const { id } = await pm.call(calls.createPile, { query: ofSite(), body: pile('C-1', { x: 3.2, y: -6.4 }) })
    const one = async () => (await pm.call(calls.listPiles, { query: { ...ofSite(), pileNo: 'C-1' } })).list[0]
    expect(await one()).toMatchObject({ x: 3.2, y: -6.4 })
    await pm.call(calls.updatePile, { params: { id }, query: ofSite(), body: { ...pile('C-1'), version: 0 } })
    expect(await one()).toMatchObject({ x: null, y: null })
    const { list, total } = await pm.call(pileTests.listPileTests, { query: ofSite() })
    expect([total, list[0]?.pileNo, list[0]?.settlement, list[0]?.steps.length]).toEqual([1, 'ZH1-101', 43.5, 3])
    expect((await pm.call(pileTests.listPileTests, { query: { ...ofSite(), isPassed: '1' } })).total).toBe(0)
    expect((await pm.call(pileTests.listPileTests, { query: { ...ofSite(), kind: 'lowStrain' } })).list[0]?.integrity).toBe('3')
    expect((await (await city.as('zhigu-pm')).call(pileTests.listPileTests, { query: { projectCode: '*' } })).total).toBe(0)
  })

  test('grout of a mixed pile is held against what was designed, and who began it stands at its record', async () => {
    await world.database.pool.query(`update device set params = params || '{"designGrout": 40}' where id = $1`, [rigId])
    const at = now - 20 * minute
    await record(at, { pileNo: 'G-1', finalDepth: 10, maxVerticality: 0.3, groutTotal: 320 })
    await world.database.pool.query(
      `insert into pile_work (id, project_code, device_id, pile_id, started_at, by_name, ended_at)
       select 'grout', $1, $2, id, $3, '施工员甲', $4 from pile where project_code = $1 limit 1`,
      [site, rigId, new Date(at - 60 * minute), new Date(at)],
    )
    const [row] = (await pm.call(findPiles, { query: { deviceId: rigId, groutPercent: ',95' } })).list
    expect(row && [pileOf(row).groutPercent, pileOf(row).doubts, row.operator]).toEqual([80, ['短 12.00 m', '浆量 80 %'], '施工员甲'])
    expect((await pm.call(findPiles, { query: { deviceId: rigId, groutPercent: '95,' } })).list).toEqual([])
  })
})
