import { createServer, type Server } from 'node:http'
import { importSurvey, listPitSurveys, surveyTemplate } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { findPitPoints, findPitReadings } from '@zhugong/contract/monitoring/pit/pits'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createIngest, type Ingest } from '#domains/telemetry/ingest'
import { makePartitions } from '#domains/telemetry/rollup'
import { formatInstant, systemClock } from '#kit/clock'
import { asRuntime, openDatabase } from '#kit/db'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../../../test/city.ts'
import type { Answer, Caller, World } from '../../../../../test/world.ts'
import { deliverDefaultRules } from '../../../rules/public.ts'
import { checkSurvey, type SurveyPoint } from './check.ts'
import { writeSurvey } from './write.ts'

const minute = 60_000
const hour = 60 * minute
const head = ['基坑', '测点编号*', '监测项目', '测量时间*', '累计值*', '深度（m）', '倾斜Y（°）', '测量人']
const at = (ms: number) => formatInstant(ms).slice(0, 16)

describe('a sheet is held against the points', () => {
  const now = Date.parse('2026-03-10T12:00:00+08:00')
  const point = (more: Partial<SurveyPoint>): SurveyPoint => ({
    deviceId: 'd1',
    pointCode: 'DB-01',
    pitName: '基坑',
    pointType: 'surface',
    unit: 'mm',
    time: now - 24 * hour,
    cumulative: -3,
    ...more,
  })
  const points = [
    point({}),
    point({ deviceId: 'd2', pointCode: 'CX-01', pointType: 'deepHorizontal' }),
    point({ deviceId: 'd3', pointCode: 'QX-01', pointType: 'tilt', unit: '°' }),
    point({ deviceId: 'd4', pointCode: 'DB-09', pitName: '一期' }),
    point({ deviceId: 'd5', pointCode: 'DB-09', pitName: '二期' }),
  ]
  const time = at(now - hour)
  const faults = (cells: Record<string, string>) => checkSurvey([{ row: 2, cells }], points, now).lines[0]?.errors

  test.each([
    [{ time, value: '1' }, 'pointCode', '请填写测点编号'],
    [{ pointCode: 'DB-02', time, value: '1' }, 'pointCode', '没有这个测点'],
    [{ pointCode: 'DB-01', time: '2026-03-10', value: '1' }, 'time', '填写到分钟'],
    [{ pointCode: 'DB-01', time: '2026-02-31 08:00', value: '1' }, 'time', '应写成'],
    [{ pointCode: 'DB-01', time: at(now + hour), value: '1' }, 'time', '不能晚于现在'],
    [{ pointCode: 'DB-01', time: at(now - 31 * 24 * hour), value: '1' }, 'time', '超过 30 天'],
    [{ pointCode: 'DB-01', time, value: '三毫米' }, 'value', '应为数字'],
    [{ pointCode: 'DB-01', time, value: '900' }, 'value', '应在 -500 到 500'],
    [{ pointCode: 'DB-01', time, value: '1', depth: '3' }, 'depth', '只有深层水平位移'],
    [{ pointCode: 'CX-01', time, value: '1' }, 'depth', '按深度逐行'],
    [{ pointCode: 'DB-09', time, value: '1' }, 'pitName', '几个基坑有同名测点'],
    [{ pointCode: 'DB-09', pitName: '三期', time, value: '1' }, 'pitName', '测点在'],
  ])('%j is wrong at %s', (cells, column, text) => {
    expect(faults(cells)).toEqual([{ column, text: expect.stringContaining(text) }])
  })

  test('depths of one moment are one reading, judged by the greatest bulge; the same line twice is told', () => {
    const line = (row: number, depth: string, value: string) => ({ row, cells: { pointCode: 'cx-01', time, value, depth } })
    const { lines, readings } = checkSurvey([line(2, '1', '4'), line(3, '0.5', '-31.5'), line(4, '1', '5')], points, now)
    expect(readings).toMatchObject([{ value: -31.5, profile: [{ depth: 0.5 }, { depth: 1, deepHorizontalDisplacement: 4 }] }])
    expect(lines[2]?.errors).toEqual([{ column: 'depth', text: '同一测点、时间的深度重复' }])
  })

  test('a jump is marked against the reading before, stored or in the sheet', () => {
    const line = (row: number, ago: number, value: string) => ({ row, cells: { pointCode: 'DB-01', time: at(now - ago * hour), value } })
    const { lines } = checkSurvey([line(2, 1, '-14.6'), line(3, 2, '-4.5'), line(4, 3, '-8.5')], points, now)
    expect(lines.map((one) => one.warnings.map(({ text }) => text))).toEqual([
      [expect.stringMatching(/的 -4.5 变化 -10.1 mm，请核对$/)],
      [],
      [expect.stringMatching(/的 -3 变化 -5.5 mm/)],
    ])
  })
})

describe('an import', () => {
  let world: World
  let city: CityWorld
  let ingest: Ingest
  let local: Server
  let main = ''
  let surface: { id: string; code: string }[] = []
  const deps = () => ({
    database: world.database,
    clock: systemClock,
    log: createLog('test', 'silent'),
    ingestSocket: world.config.ingestSocket,
  })

  beforeAll(async () => {
    world = await openCity(inject('postgresUrl'))
    city = await settleCity(world)
    await makePartitions(world.database.pool)
    await deliverDefaultRules(world.database.kysely)
    main = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
    surface = city.city.devices
      .filter((d) => d.family === 'foundationPit' && d.projectCode === main && d.params.pointType === 'surface')
      .map((d) => ({ id: d.id, code: String(d.params.pointCode) }))
    const url = world.config.databaseUrl ?? ''
    ingest = await createIngest({
      now: () => Date.now(),
      config: { ...world.config, mqttPort: 0, mqttWsPort: 0, hj212Port: 0, jt808Port: 0 },
      log: createLog('test-ingest', 'silent'),
      database: openDatabase(url, { max: 6, onError: () => undefined }),
      databaseUrl: url,
      secrets: createSecrets(world.config.secretKey),
      connect: async () => {
        const client = new pg.Client({ connectionString: url, ...asRuntime })
        client.on('error', () => undefined)
        await client.connect()
        return client
      },
      hooks: {},
    })
    local = createServer((request, response) => void ingest.handle(request, response))
    await new Promise<void>((resolve) => local.listen(world.config.ingestSocket, resolve))
  }, 120_000)
  afterAll(async () => {
    local?.close()
    await ingest?.stop()
    await world.close()
  })

  type Read = NonNullable<(typeof importSurvey)['types']>['out']
  async function send(who: Caller, lines: readonly unknown[][], mode = 'check', projectCode = main): Promise<Answer<Read>> {
    const file = Buffer.from(await writeXlsx({ sheets: [{ name: '监测数据', rows: [head, ...lines] as never }] }))
    const field = (name: string, value: string) => `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const payload = Buffer.concat([
      Buffer.from(`${field('mode', mode)}`),
      Buffer.from(
        '--xx\r\ncontent-disposition: form-data; name="file"; filename="survey.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n',
      ),
      file,
      Buffer.from('\r\n--xx--\r\n'),
    ])
    const headers = { token: who.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
    return (await world.api.app.inject({ method: 'POST', url: `${importSurvey.path}?projectCode=${projectCode}`, headers, payload })).json()
  }
  const line = (code: string, time: number, value: unknown): unknown[] => [null, code, null, at(time), value, null, null, '李工']
  const surveys = async () =>
    (await world.database.pool.query('select id, state, stored, doubled, create_by from pit_survey order by id')).rows
  const stored = async () =>
    (await world.database.pool.query(`select count(*)::int as n from telemetry where extra ->> 'surveyId' is not null`)).rows[0].n

  test('one wrong cell keeps the whole sheet out; a sound one is written, judged by the rules and known the second time', async () => {
    const pm = await city.as('hospital-pm')
    const [a, b] = surface
    if (!a || !b) throw new Error('points')
    const time = Math.floor((Date.now() - 20 * minute) / minute) * minute
    const wrong = [line(a.code, time, -4), line('NO-1', time, -4), line(b.code, time, 'x')]
    const looked = await send(pm, wrong)
    expect(looked.data).toMatchObject({ id: null, counts: { rows: 3, faulty: 2, readings: 1 } })
    expect(looked.data.rows.map((row) => row.errors.map((one) => one.column))).toEqual([[], ['pointCode'], ['value']])
    expect(await send(pm, wrong, 'save')).toMatchObject({ status: 4, message: expect.stringContaining('整个文件都没有写入') })
    expect(await surveys()).toEqual([])

    const sound = [line(a.code, time, -60), line(b.code, time, -1.25)]
    const taken = await send(pm, sound, 'save')
    expect(taken).toMatchObject({ status: 0, data: { counts: { readings: 2, points: 2, doubled: 0 } } })
    expect(await stored()).toBe(0)
    await writeSurvey(deps(), taken.data.id ?? '')
    await writeSurvey(deps(), taken.data.id ?? '')
    expect(await stored()).toBe(2)
    const list = await pm.call(listPitSurveys, { query: { projectCode: main } })
    expect(list.list).toMatchObject([{ state: 'done', stored: 2, readings: 2, points: 2, fileName: 'survey.xlsx', firstTime: time }])
    const readings = await pm.call(findPitReadings, { query: { deviceId: a.id } })
    expect(readings.list[0]).toMatchObject({ time, value: -60, source: 'manual' })
    const points = await pm.call(findPitPoints, { query: { projectCode: main, groupBy: 'point' } })
    expect(points.list.find((one) => one.deviceId === a.id)).toMatchObject({ cumulative: -60, state: 'over', manual: true })
    const { rows: alarms } = await world.database.pool.query('select level from alarm where device_id = $1 and active', [a.id])
    expect(Math.min(...alarms.map((one) => one.level))).toBe(1)

    const again = await send(pm, sound)
    expect(again.data.counts).toMatchObject({ readings: 0, doubled: 2, faulty: 0 })
    expect((await send(pm, sound, 'save')).status).toBe(4)
    const other = await send(pm, [line(a.code, time, -2)])
    expect(other.data.rows[0]?.errors[0]).toMatchObject({ column: 'value', text: expect.stringContaining('-60') })
  }, 60_000)

  test('nobody there to take it: it waits and is taken later; a point that is gone is told', async () => {
    const pm = await city.as('hospital-pm')
    const [, c] = surface
    if (!c) throw new Error('points')
    const time = Math.floor((Date.now() - 2 * hour) / minute) * minute
    const taken = await send(pm, [line(c.code, time, -1)], 'save')
    const id = taken.data.id ?? ''
    await expect(writeSurvey({ ...deps(), ingestSocket: '/nowhere' }, id)).rejects.toThrow()
    expect((await surveys()).find((one) => one.id === id)).toMatchObject({ state: 'waiting' })
    await world.database.pool.query(`update pit_survey set items = jsonb_set(items, '{0,deviceId}', '"gone"') where id = $1`, [id])
    await writeSurvey(deps(), id)
    const list = await pm.call(listPitSurveys, { query: { projectCode: main } })
    expect(list.list.find((one) => one.id === id)).toMatchObject({ state: 'failed', message: expect.stringContaining('测点已删除') })
  })

  test('the template names the points of the site and can be sent back', async () => {
    const pm = await city.as('hospital-pm')
    const answer = await world.api.app.inject({
      method: 'GET',
      url: `${surveyTemplate.path}?projectCode=${main}`,
      headers: { token: pm.token, group: '*' },
    })
    const book = await readXlsx(answer.rawPayload)
    const rows = book.sheets[0]?.rows ?? []
    expect(rows.map((row) => row[1])).toEqual(expect.arrayContaining(surface.map((one) => one.code)))
    const filled = rows.map((row, i) =>
      i === 1 ? row.map((cell, n) => (n === 6 ? at(Date.now() - 5 * minute) : n === 7 ? 1 : cell)) : row,
    )
    const file = await send(
      pm,
      filled.slice(1).map((row) => [row[0], row[1], row[2], row[6], row[7], row[8]] as unknown[]),
    )
    expect(file.data.counts).toMatchObject({ rows: 1 })
  })

  test('a stranger, a regulator, a supervisor, a subcontractor and whoever has left bring nothing in', async () => {
    const time = Date.now() - 3 * hour
    const lines = [line(surface[0]?.code ?? '', time, -1)]
    // Even with the code, granted by their own administrators, they are refused: their part in the project decides.
    await world.database.pool.query(`update role set codes = array_append(codes, 'foundation-pit.import') where groups_type in (2, 3)`)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    for (const account of ['zhigu-pm', 'bj-zhao', 'hospital-jl', 'hengsheng-shi', 'dingli-cheng']) {
      const caller = await city.as(account)
      expect((await send(caller, lines, 'save')).status, account).not.toBe(0)
      expect((await send(caller, lines)).status, account).not.toBe(0)
    }
    const leader = await city.as('yunze-lu')
    expect((await send(leader, lines)).status, 'who leads the site').toBe(0)
    await world.database.pool.query(`update project_corp set exit_time = current_date - 1 where project_code = $1`, [main])
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect((await send(leader, lines, 'save')).status, 'who has left it').not.toBe(0)
    const stranger = await city.as('zhigu-pm')
    expect((await stranger.ask(listPitSurveys, { query: { projectCode: '*' } })).data).toMatchObject({ total: 0 })
    expect((await stranger.ask(listPitSurveys, { query: { projectCode: main } })).status).not.toBe(0)
  })
})
