import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { idCardCheckCharacter } from '@zhugong/contract/kit/checks'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { enterWorker, exitWorkers } from '@zhugong/contract/labour/stays'
import * as calls from '@zhugong/contract/personnel/import'
import { registerWorker, setFormal, syncWorker } from '@zhugong/contract/personnel/workers'
import type { WriteSheet } from 'hucre/xlsx'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { plainText } from '#kit/cell-text'
import { systemClock } from '#kit/clock'
import { openDatabase } from '#kit/db'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, settleCity } from '../../../../test/city.ts'
import { bankCard, idCard, mobile, newcomer, type Site, siteOf } from '../../../../test/givens.ts'
import { type Answer, type Caller, openWorld, type World } from '../../../../test/world.ts'
import { archive } from '../../../kit/archive-for-test.ts'
import { runExport } from '../../exports/run-export.ts'
import { dayOf } from './cells.ts'
import { runImport } from './run.ts'

let world: World
let city: CityWorld
let clerk: Caller
let site: Site
let corpName: string
let teamName: string
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
  city = await settleCity(world)
  clerk = await city.as('hospital-labour')
  site = await siteOf(world, city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
  const { rows } = await world.database.pool.query(
    'select c.corp_name, t.team_name from team t join corporation c using (corp_code) where t.id = $1',
    [site.teamId],
  )
  Object.assign(returning, {
    projectCode: site.projectCode,
    corpCode: site.corpCode,
    teamId: site.teamId,
    entryTime: new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10),
  })
  corpName = rows[0].corp_name
  teamName = rows[0].team_name
}, 120_000)
afterAll(() => world.close())

const head = ['姓名*', '证件号码*', '手机号', '企业*', '班组', '工种*', '进场日期*']
const person = (more: Record<number, unknown> = {}): unknown[] => {
  const row: unknown[] = ['田光明', idCard(), mobile(), corpName, teamName, '钢筋工', today]
  for (const [at, value] of Object.entries(more)) row[Number(at)] = value
  return row
}
async function book(rows: unknown[][], more: Partial<WriteSheet> = {}, others: WriteSheet[] = []): Promise<Buffer> {
  const sheet = { name: '人员', rows, ...more } as WriteSheet
  return Buffer.from(await writeXlsx({ sheets: [sheet, ...others] }))
}
async function send(file: Buffer, fields: Record<string, string> = {}, who = clerk, name = 'people.xlsx') {
  const parts = Object.entries({ projectCode: site.projectCode, ...fields })
    .map(([key, value]) => `--xx\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
    .join('')
  const payload = Buffer.concat([
    Buffer.from(
      `${parts}--xx\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    file,
    Buffer.from('\r\n--xx--\r\n'),
  ])
  const headers = { token: who.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
  const answer = await world.api.app.inject({ method: 'POST', url: calls.importExcel.path, headers, payload })
  return answer.json() as Answer<{ id: string | null; same: { text: string } | null }>
}
const deps = () => ({
  database: world.database,
  clock: systemClock,
  secrets: createSecrets(world.config.secretKey),
  log: createLog('test-import', 'warn'),
})
const run = (id: string) => runImport(deps(), id)
async function brought(file: Buffer, fields: Record<string, string> = {}): Promise<string> {
  const answer = await send(file, fields)
  if (!answer.data?.id) throw new Error(JSON.stringify(answer))
  await run(answer.data.id)
  return answer.data.id
}
const look = (id: string, query: object = {}, who = clerk) => who.call(calls.getImport, { params: { id }, query })
const change = (id: string, body: object) => clerk.ask(calls.changeImport, { params: { id }, body: body as never })
/** The stay of a returning person, as entered in the form. */
const returning = { workRole: '20', workType: '020' } as Omit<InputFor<typeof enterWorker>['body'], 'idCardNumber' | 'name'>
const isHere = async (number: string) => {
  const hash = createSecrets(world.config.secretKey).blindIndex('id-card', number)
  const { rows } = await world.database.pool.query(
    'select formal_status, work_type, team_id from project_worker where project_code = $1 and id_card_hash = $2 and exit_time is null',
    [site.projectCode, hash],
  )
  return rows
}

describe('from file to people', () => {
  test('[entity-worker-import] checked, confirmed, registered: everybody once, as 预登记, and the record says so', async () => {
    const rows = [person(), person({ 5: '木工' })]
    const id = await brought(await book([head, ...rows]))
    expect(await look(id)).toMatchObject({ state: '3', total: 2, counts: { importable: 2, willCreate: 2, error: 0 } })
    expect((await change(id, { action: 'confirm' })).data).toMatchObject({ state: '4' })
    await run(id)
    expect(await look(id)).toMatchObject({ state: '5', success: 2, fail: 0, counts: { done: 2 } })
    expect(await isHere(String(rows[0]?.[1]))).toEqual([{ formal_status: '0', work_type: '020', team_id: site.teamId }])
    // The entry record has its source; fields missing in the sheet stay unknown.
    const { rows: entries } = await world.database.pool.query(
      `select distinct h.source, w.has_buy_insurance from project_worker w join entry_exit_history h on h.project_worker_id = w.id
       where w.id in (select project_worker_id from worker_import_row where import_id = $1)`,
      [id],
    )
    expect(entries).toEqual([{ source: '7', has_buy_insurance: null }])
    const { list } = await clerk.call(calls.listImports, { query: { projectCode: site.projectCode } })
    expect(list.find((one) => one.id === id)).toMatchObject({ kindName: '项目人员', stateName: '已完成', success: 2 })
    const { rows: audit } = await world.database.pool.query("select summary from audit_log where summary like '导入人员 田%'")
    expect(audit.length).toBeGreaterThanOrEqual(2)
  })
  test('what becoming formal asks for comes with the sheet', async () => {
    const row = [...person(), '按月计酬', '已参加', '无', '同意']
    const title = ['计酬方式', '工伤或意外险', '有无重大病史', '个人信息告知同意']
    const id = await brought(await book([[...head, ...title], row, [...person(), '按天', '也许', '没有吧', '再说']]))
    const { list } = await look(id)
    expect(list[1]?.issues.map((i) => i.field)).toEqual(
      expect.arrayContaining(['paymentType', 'hasBuyInsurance', 'hasBadMedicalHistory', 'consent']),
    )
    await change(id, { action: 'confirm', skipErrors: true })
    await run(id)
    const done = (await look(id)).list[0]
    const refused = await clerk.call(setFormal, { body: { ids: [done?.projectWorkerId ?? ''], status: '1' } })
    const requested = refused.missing[0]?.fields ?? []
    for (const name of title) expect(requested).not.toContain(name)
  })
  test('a leader is replaced only by a plain 是, after it was said whom, and on record', async () => {
    await world.database.kysely
      .updateTable('team')
      .set({ teamLeaderId: 'someone', teamLeaderName: '向前任' })
      .where('id', '=', site.teamId)
      .execute()
    const id = await brought(
      await book([
        [...head, '是否班组长'],
        [...person({ 0: '田接任' }), '是'],
        [...person(), '班组长'],
      ]),
    )
    const { list } = await look(id)
    expect(list[0]?.issues).toEqual([
      expect.objectContaining({ kind: 'leader', level: 'warning', text: expect.stringContaining('接替向前任') }),
    ])
    expect(list[1]?.issues).toEqual([expect.objectContaining({ field: 'isTeamLeader', level: 'error' })])
    await change(id, { action: 'confirm', skipErrors: true })
    await run(id)
    const { rows } = await world.database.pool.query("select summary from audit_log where summary like '导入人员 田**，接替向**任%班组长'")
    expect(rows).toHaveLength(1)
  })
  test('nobody is registered before somebody has said yes', async () => {
    const row = person()
    const id = await brought(await book([head, row]))
    await run(id)
    await run(id)
    expect(await isHere(String(row[1]))).toEqual([])
    expect((await look(id)).state).toBe('3')
  })
  test('two runs at once and one after it: still once', async () => {
    const rows = Array.from({ length: 60 }, () => person())
    const id = await brought(await book([head, ...rows]))
    await change(id, { action: 'confirm' })
    await Promise.all([run(id), run(id), run(id)])
    await run(id)
    expect(await look(id)).toMatchObject({ state: '5', success: 60, fail: 0 })
    for (const row of rows) expect(await isHere(String(row[1]))).toHaveLength(1)
  })
  test('broken off in the middle, it goes on where it stopped', async () => {
    const rows = Array.from({ length: 150 }, () => person())
    const id = await brought(await book([head, ...rows]))
    await change(id, { action: 'confirm' })
    // Its connections are terminated after the first few transactions, as in a database restart.
    const breaking = (async () => {
      for (let i = 0; i < 400; i++) {
        const { rows: done } = await world.database.pool.query(
          "select count(*)::int as n from worker_import_row where import_id = $1 and state = 'done'",
          [id],
        )
        if (done[0].n >= 4) break
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      const other = openDatabase(world.config.databaseUrl ?? '', { max: 1, owner: true, name: 'breaker' })
      await other.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'broken-off'",
      )
      await other.close()
    })()
    const own = openDatabase(world.config.databaseUrl ?? '', { max: 2, name: 'broken-off' })
    own.pool.on('connect', (client) => client.on('error', () => undefined))
    const first = await runImport({ ...deps(), database: own }, id).catch((error: Error) => error)
    await breaking
    await own.close()
    expect(first).toBeInstanceOf(Error)
    expect((await look(id)).state).toBe('4')
    await run(id)
    expect(await look(id)).toMatchObject({ state: '5', success: 150, fail: 0 })
    for (const row of rows) expect(await isHere(String(row[1]))).toHaveLength(1)
  })
  test('somebody who has a file joins with it; one who is here already does not', async () => {
    const elsewhere = { number: idCard(), name: '覃业军' }
    await clerk.call(registerWorker, { body: newcomer(undefined, { idCardNumber: elsewhere.number, name: elsewhere.name }) })
    const here = idCard()
    await clerk.call(registerWorker, { body: newcomer(site, { idCardNumber: here, name: '鲁国平' }) })
    const id = await brought(
      await book([
        head,
        person({ 0: elsewhere.name, 1: elsewhere.number }),
        person({ 0: '鲁国平', 1: here }),
        person({ 0: '覃业兵', 1: elsewhere.number }),
      ]),
    )
    const { list, counts } = await look(id)
    expect(counts).toMatchObject({ willJoin: 1, willCreate: 0, duplicate: 1, error: 1 })
    expect(list.map((r) => r.issues[0]?.kind)).toEqual([undefined, 'present', 'known'])
    expect((await change(id, { action: 'confirm' })).message).toContain('还有 2 行有错误')
    await change(id, { action: 'confirm', skipErrors: true })
    await run(id)
    expect(await look(id)).toMatchObject({ state: '6', counts: { done: 1, skipped: 2 } })
    expect(await isHere(elsewhere.number)).toHaveLength(1)
  })
  test('whom a black list keeps out is an error from the first look on, by name; one listed after that look fails alone', async () => {
    const [listed, later, free] = [person(), person(), person()]
    const hash = (row: unknown[]) => createSecrets(world.config.secretKey).blindIndex('id-card', String(row[1]))
    const list = (row: unknown[]) =>
      world.database.pool.query(
        `insert into black_entry (id, kind, group_id, group_name, scope, scope_code, id_card_type, id_card_hash, id_card_mask, name, reason_type, reason, occurrence_date,
           start_date, end_date, notified_time, state, issuer)
         values (md5($1), 'worker', 'x', '云泽建设', '1', $2, '01', $1, '420***', '田光明', '3', '夜间盗窃电缆铜芯被当场发现', current_date - 9, current_date - 2,
           current_date + 300, now(), '2', '云泽建设')`,
        [hash(row), site.projectCode],
      )
    await list(listed)
    const id = await brought(await book([head, listed, later, free]))
    const seen = await look(id)
    expect(seen).toMatchObject({ counts: { error: 1, importable: 2 }, black: ['田光明'] })
    expect(seen.list[0]?.issues[0]).toMatchObject({ kind: 'black', level: 'error', text: expect.stringContaining('不得进场') })
    await list(later)
    await change(id, { action: 'confirm', skipErrors: true })
    await run(id)
    expect(await look(id)).toMatchObject({ counts: { done: 1, failed: 1 } })
    expect([await isHere(String(listed[1])), await isHere(String(later[1]))]).toEqual([[], []])
    expect(await isHere(String(free[1]))).toHaveLength(1)
    const { rows } = await world.database.pool.query('select entry_id from black_refusal where entry_id = md5($1)', [hash(later)])
    expect(rows).toHaveLength(1)
  })

  test.each<[string, (number: string) => Promise<void>]>([
    [
      'the list and the page of his stay',
      async (number) => {
        await clerk.call(enterWorker, { body: { ...returning, idCardNumber: number, name: '祝回头' } })
      },
    ],
    [
      'the form',
      async (number) => {
        // A second file with this number is refused; the form offers entry with documents instead.
        const twice = await clerk.ask(registerWorker, { body: newcomer(site, { idCardNumber: number, name: '祝回头' }) })
        expect(twice.status).not.toBe(0)
        const known = await clerk.call(syncWorker, { body: { idCardNumber: number, name: '祝回头' } })
        expect([known.known === 'none', known.onSite]).toEqual([false, []])
        await clerk.call(enterWorker, { body: { ...returning, idCardNumber: number, name: '祝回头' } })
      },
    ],
    [
      'a file',
      async (number) => {
        const id = await brought(await book([head, person({ 0: '祝回头', 1: number })]))
        expect((await look(id)).counts).toMatchObject({ willJoin: 1, willCreate: 0 })
        await change(id, { action: 'confirm' })
        await run(id)
      },
    ],
  ])('who has left comes back from %s alike: one file, a new stay, every condition anew', async (_where, comeBack) => {
    const number = idCard()
    const first = await clerk.call(registerWorker, { body: newcomer(site, { idCardNumber: number, name: '祝回头' }) })
    await world.database.pool.query("update project_worker set entry_trained = true, formal_status = '1' where id = $1", [
      first.projectWorkerId,
    ])
    const left = await clerk.call(exitWorkers, { body: { ids: [first.projectWorkerId ?? ''], exitTime: today, exitReason: '3' } })
    expect(left.done).toBe(1)
    await comeBack(number)
    const { rows } = await world.database.pool.query(
      `select s.id, s.formal_status, s.entry_trained, s.attend_enabled, s.exit_time is null as here, h.types from project_worker s
         join lateral (select array_agg(type order by date, id) as types from entry_exit_history where project_worker_id = s.id) h on true
       where s.worker_id = $1 order by s.entry_time, s.exit_time nulls last`,
      [first.workerId],
    )
    expect(rows.map((r) => [r.here, r.formal_status, r.entry_trained, r.attend_enabled, r.types])).toEqual([
      [false, '1', true, false, ['1', '0']],
      [true, '0', false, false, ['1']],
    ])
    const again = await clerk.ask(enterWorker, { body: { ...returning, idCardNumber: number, name: '祝回头' } })
    expect(again.message).toContain('已在本项目在场')
  })
})

describe('cells', () => {
  const good = () => idCard('1990-03-04')
  const wrongDigit = (v: string) => v.slice(0, 17) + (v[17] === '1' ? '2' : '1')
  const child = () => idCard(`${Number(today.slice(0, 4)) - 16}-01-01`)
  const impossible = () => `42011519900230123${idCardCheckCharacter('42011519900230123')}`
  test.each<[string, Record<number, () => unknown>, string, string, RegExp]>([
    ['a wrong check digit', { 1: () => wrongDigit(good()) }, 'idCardNumber', 'identity', /校验位/],
    ['a birthday that is none', { 1: impossible }, 'idCardNumber', 'identity', /出生日期不存在/],
    ['a number Excel has rounded', { 1: () => 420115199003041200 }, 'idCardNumber', 'identity', /已丢失/],
    ['an unknown trade', { 5: () => '钢筋' }, 'workType', 'unknown', /不存在/],
    ['an unknown unit', { 3: () => '没有这家公司' }, 'corp', 'place', /不在本项目场内/],
    ['an unknown team', { 4: () => '没有这个班组' }, 'team', 'place', /不在本项目场内/],
    ['somebody of sixteen', { 1: child }, 'idCardNumber', 'age', /未满 18/],
    ['a bad telephone', { 2: () => '12345678901' }, 'cellPhone', 'format', /手机/],
    ['a day that is none', { 6: () => '2026年2月30日' }, 'entryTime', 'format', /有效的日期/],
    ['a day before the unit came', { 6: () => '1999-01-01' }, 'entryTime', 'place', /不能早于/],
    ['a day to come', { 6: () => '2199-01-01' }, 'entryTime', 'format', /不能晚于/],
    ['no name', { 0: () => '' }, 'name', 'empty', /请填写姓名/],
    ['no trade', { 5: () => null }, 'workType', 'empty', /请填写工种/],
  ])('%s stands at its cell', async (_what, more, field, kind, words) => {
    const row = person(Object.fromEntries(Object.entries(more).map(([at, make]) => [at, make()])))
    const id = await brought(await book([head, row]))
    const { state, list, issues } = await look(id)
    expect(state).toBe('2')
    expect(list[0]?.issues).toContainEqual(expect.objectContaining({ field, kind, level: 'error', text: expect.stringMatching(words) }))
    expect(issues.some((i) => i.field === field && i.count === 1)).toBe(true)
  })
  test.each<[string, Record<number, unknown>, Record<string, string>]>([
    ['a lined-up name', { 0: '公　例' }, { name: '公例' }],
    ['a telephone with the country', { 2: '+86 138-1234-5678' }, { cellPhone: '13812345678' }],
    ['a telephone from abroad', { 2: '+852-91234567' }, { cellPhone: '+852-91234567' }],
  ])('%s is taken as the form takes it', async (_what, more, kept) => {
    const id = await brought(await book([head, person(more)]))
    const [row] = (await look(id)).list
    expect([row?.state, row?.issues]).toEqual(['ok', []])
    await change(id, { action: 'confirm' })
    await run(id)
    const done = (await look(id)).list[0]
    const { rows } = await world.database.pool.query('select name, cell_phone from worker where id = $1', [done?.workerId])
    const secrets = createSecrets(world.config.secretKey)
    expect({ name: rows[0].name, cellPhone: secrets.open(rows[0].cell_phone) }).toMatchObject(kept)
  })
  test('a failed formula is told at its cell, and a row far below is not left out silently', async () => {
    const id = await brought(
      await book([
        [...head, '住址'],
        [...person(), '#N/A'],
      ]),
    )
    expect((await look(id)).list[0]?.issues).toEqual([expect.objectContaining({ field: 'address', text: expect.stringContaining('#N/A') })])
    const rows = [head, person(), ...Array.from({ length: 11_997 }, () => []), person()]
    expect((await send(await book(rows))).message).toContain('第 12000 行')
  })
  test('the same person and the same wage card twice in a file', async () => {
    const [number, card] = [idCard(), bankCard()]
    const withCard = (row: unknown[]) => [...row, '中国建设银行', card]
    const id = await brought(
      await book([
        [...head, '工资卡银行', '工资卡号'],
        person({ 1: number }),
        person({ 1: number }),
        withCard(person()),
        withCard(person()),
      ]),
    )
    const { list } = await look(id)
    expect(list.map((r) => r.state)).toEqual(['ok', 'duplicate', 'ok', 'error'])
    expect(list[1]?.issues[0]?.text).toBe('证件号码与第 2 行相同')
    expect(list[3]?.issues[0]).toMatchObject({ field: 'bankCard', text: '工资卡号与第 4 行相同' })
    // After the first row's number changes, the second row is no duplicate any more.
    const first = list[0]
    const answer = await change(id, { cells: [{ row: first?.row, field: 'idCardNumber', value: idCard(), version: first?.version }] })
    expect(answer.data.rows.map((r) => [r.row, r.state])).toEqual([
      [2, 'ok'],
      [3, 'ok'],
    ])
  })
  test('mended here: one cell, and all of a kind at once; the second writer is told', async () => {
    const rows = [person({ 5: '钢筋' }), person({ 5: '钢筋' }), person({ 2: '123' })]
    const id = await brought(await book([head, ...rows]))
    const { issues, list } = await look(id)
    const trade = issues.find((i) => i.field === 'workType')
    expect(trade).toMatchObject({ value: '钢筋', suggest: '钢筋工', count: 2 })
    const cell = { row: list[2]?.row, field: 'cellPhone', value: ' １３８００１３８０００ ', version: list[2]?.version }
    expect((await change(id, { cells: [cell] })).data.rows[0]).toMatchObject({ state: 'ok', cells: { cellPhone: '13800138000' } })
    expect((await change(id, { cells: [cell] })).message).toContain('请刷新后再改')
    const replaced = await change(id, { action: 'replace', replace: { field: 'workType', from: '钢筋', to: '钢筋工' } })
    expect(replaced.data).toMatchObject({ state: '3', rows: [{ state: 'ok' }, { state: 'ok' }] })
  })
})

describe('files as people send them', () => {
  test('a title above, merged cells, two lines of heading, old names, columns moved, others named', async () => {
    const id = await brought(
      await book(
        [
          ['云泽医院项目人员花名册', null, null, null, null, null, null, null, null],
          ['序号', '工种', '单位', '所属班组', '身份证', null, '姓 名', '入场日期', '鞋码'],
          [null, null, null, null, '证件号码', '有效期止', null, null, null],
          [1, '钢筋工', corpName, teamName, idCard(), '长期', '田光明', new Date(`${today}T00:00:00Z`), 42],
        ],
        {
          merges: [
            { startRow: 0, startCol: 0, endRow: 0, endCol: 8 },
            { startRow: 1, startCol: 4, endRow: 1, endCol: 5 },
          ],
        },
      ),
    )
    const read = await look(id)
    expect(read.unknownColumns).toEqual(['鞋码'])
    expect(read.list).toMatchObject([{ row: 4, state: 'ok', cells: { name: '田光明', entryTime: today, expiryDate: '长期' } }])
  })
  test.each(['2026年3月1日', '2026.3.1', '2026/03/01', '20260301', '46082', '２０２６－０３－０１'])(
    'the day written as %s',
    async (written) => {
      expect(dayOf(plainText(written))).toBe('2026-03-01')
    },
  )
  test('full-width digits, spaces, hidden rows and formulas', async () => {
    const number = idCard()
    const wide = number.replace(/\d/g, (d) => String.fromCharCode(d.charCodeAt(0) + 0xfee0))
    const file = await book([head, person({ 0: ' 田光明　', 1: ` ${wide} `, 5: '钢筋工 ' }), person()], {
      rowDefs: new Map([[2, { hidden: true }]]),
      cells: new Map([['1,5', { value: '钢筋工', formula: '"钢筋"&"工"', formulaResult: '钢筋工' }]]),
    } as Partial<WriteSheet>)
    const { list } = await look(await brought(file))
    expect(list[0]).toMatchObject({ state: 'ok', cells: { name: '田光明', idCardNumber: number, workType: '钢筋工' } })
    expect(list[1]).toMatchObject({ state: 'warning', issues: [{ kind: 'hidden' }] })
  })
  test('two sheets: the first is read, the other named; a hidden one is not', async () => {
    const more = { name: '第二批', rows: [head, person()] } as WriteSheet
    const hidden = { name: '旧', rows: [head, person()], hidden: true } as WriteSheet
    const { total, remarks } = await look(await brought(await book([head, person()], {}, [more, hidden])))
    expect([total, remarks]).toEqual([1, [expect.stringMatching(/只读取了工作表“人员”，“第二批”/)]])
  })
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['a csv called .xlsx', () => Buffer.from('姓名,证件号码,工种\n'), /不是有效的 Excel/],
    ['a password', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)]), /有密码/],
    [
      'macros',
      () =>
        archive([
          { name: '[Content_Types].xml', data: '<Types/>' },
          { name: 'xl/workbook.xml', data: '<workbook/>' },
          { name: 'xl/vbaProject.bin', data: 'x' },
        ]),
      /含有宏/,
    ],
    [
      'a file that inflates',
      () =>
        archive([
          { name: '[Content_Types].xml', data: '<Types/>' },
          { name: 'xl/workbook.xml', data: '<workbook/>' },
          { name: 'xl/media/a.bin', data: Buffer.alloc(100 * 1024 * 1024) },
        ]),
      /解开后过大/,
    ],
    [
      '200 MB of nothing',
      () =>
        archive([
          { name: '[Content_Types].xml', data: '<Types/>' },
          { name: 'xl/workbook.xml', data: '<workbook/>' },
          { name: 'xl/worksheets/sheet1.xml', data: Buffer.alloc(200 * 1024 * 1024, ' ') },
        ]),
      /解开后过大/,
    ],
    [
      'no heading',
      () =>
        book([
          ['甲', '乙'],
          [1, 2],
        ]),
      /没有找到表头/,
    ],
    ['a heading alone', () => book([head]), /没有人员/],
    [
      'more rows than are taken',
      () => book([head, ...Array.from({ length: calls.mostImportRows + 1 }, (_, i) => [`人${i}`, '1', '', '', '', '', ''])]),
      /一次最多导入 10,000 行/,
    ],
  ])(
    '%s is refused in words that help, and nothing is left of it',
    async (_what, make, words) => {
      const count = async () => (await world.database.pool.query('select count(*)::int as n from worker_import')).rows[0].n
      const before = await count()
      const answer = await send(await make())
      expect(answer).toMatchObject({ status: 2, message: expect.stringMatching(words) })
      expect(await count()).toBe(before)
    },
    60_000,
  )
  test('the same file says so and is taken again only when meant', async () => {
    const file = await book([head, person()])
    const id = await brought(file)
    const again = await send(file)
    expect(again.data).toMatchObject({ id: null, same: { id, text: expect.stringContaining('的导入相同') } })
    expect((await send(file, { again: '1' })).data?.id).toBeTruthy()
  })
})

describe('who sees and does what', () => {
  test('numbers in clear for the uploader alone; other groups see nothing of it', async () => {
    const row = person()
    const id = await brought(await book([head, row]))
    expect((await look(id)).list[0]?.cells.idCardNumber).toBe(row[1])
    const admin = city.city.personas.find(
      (p) => p.projectCode === site.projectCode && p.account !== 'hospital-labour' && /admin|manager/.test(p.account),
    )
    for (const account of ['zhigu-pm', 'dingli-cheng', ...(admin ? [admin.account] : [])]) {
      const other = await city.as(account)
      const answer = await other.ask(calls.getImport, { params: { id }, query: {} })
      expect(answer.status).not.toBe(0)
      expect(JSON.stringify(answer)).not.toContain(String(row[1]))
    }
    const stored = await world.database.pool.query('select cells::text, issues::text from worker_import_row where import_id = $1', [id])
    expect(JSON.stringify(stored.rows)).not.toContain(String(row[1]))
  })
  test('without the right it is not begun; given up, nothing of the people is left', async () => {
    const officer = await city.as('dongwan-officer')
    expect((await send(await book([head, person()]), { projectCode: '' }, officer)).message).toContain('权限')
    const id = await brought(await book([head, person()]))
    await change(id, { action: 'cancel' })
    expect((await change(id, { action: 'confirm' })).message).toContain('已作废')
    const { rows } = await world.database.pool.query('select count(*)::int as n from worker_import_row where import_id = $1', [id])
    expect(rows[0].n).toBe(0)
  })
  test('a subcontractor brings his own people and nobody else’s', async () => {
    const own = await city.as('dingli-cheng')
    const { rows } = await world.database.pool.query(
      `select c.corp_name, t.team_name from team t join corporation c using (corp_code)
       where t.project_code = $1 and t.exit_time is null and c.corp_name <> $2 limit 1`,
      [site.projectCode, corpName],
    )
    const other = rows[0] ?? { corp_name: '云泽建工集团有限公司', team_name: '' }
    const answer = await send(await book([head, person({ 3: other.corp_name, 4: other.team_name })]), {}, own)
    if (!answer.data?.id) throw new Error(answer.message)
    await run(answer.data.id)
    expect(await look(answer.data.id, {}, own)).toMatchObject({
      state: '2',
      list: [{ issues: expect.arrayContaining([expect.objectContaining({ field: 'corp', kind: 'place' })]) }],
    })
  })
  test('whoever was put out of the group after he said yes registers nobody', async () => {
    const row = person()
    const id = await brought(await book([head, row]))
    await change(id, { action: 'confirm' })
    const membership = (enable: string) =>
      world.database.pool.query(
        `update member m set enable = $1 from app_user u where u.id = m.user_id and u.account = 'hospital-labour'`,
        [enable],
      )
    await membership('0')
    await run(id)
    const { rows } = await world.database.pool.query('select state, message from worker_import where id = $1', [id])
    await membership('1')
    expect(rows).toEqual([{ state: '7', message: '您已不属于该机构' }])
    expect(await isHere(String(row[1]))).toEqual([])
  })
  test('a person who was registered by somebody else meanwhile fails alone and says why', async () => {
    const [taken, free] = [person(), person()]
    const id = await brought(await book([head, taken, free]))
    await clerk.call(registerWorker, { body: newcomer(site, { idCardNumber: String(taken[1]) }) })
    await change(id, { action: 'confirm' })
    await run(id)
    const { state, list } = await look(id)
    expect([state, list.map((r) => r.state)]).toEqual(['6', ['failed', 'done']])
    expect(list[0]?.message).toContain('已登记')
    expect((await change(id, { action: 'resume' })).data.state).toBe('0')
    await run(id)
    expect(await look(id)).toMatchObject({ state: '2', counts: { duplicate: 1, done: 1 } })
  })
})

test('the template has the project’s own units, teams and trades to choose from, and comes back as it is', async () => {
  const answer = await clerk.ask(calls.importTemplate, { query: { projectCode: site.projectCode } })
  const { sheets } = await readXlsx(answer.data as unknown as Buffer, {})
  expect(sheets.map((s) => s.name)).toEqual(['人员', '可选值', '填写说明'])
  const choices = (sheets[1]?.rows ?? []).flat()
  for (const name of [corpName, teamName, '钢筋工']) expect(choices).toContain(name)
  expect(sheets[0]?.dataValidations?.length).toBeGreaterThanOrEqual(9)
  const titles = sheets[0]?.rows[0] ?? []
  expect(titles).toContain('证件号码*')
  const styled = await readXlsx(answer.data as unknown as Buffer, { readStyles: true })
  expect(styled.sheets[0]?.cells?.get('5,1')?.style?.numFmt).toBe('@')
  const row = titles.map(
    (title) =>
      ({ 姓名: '田光明', 证件号码: idCard(), 企业: corpName, 班组: teamName, 工种: '钢筋工', 进场日期: today })[
        String(title).replace('*', '')
      ],
  )
  expect((await look(await brought(await book([titles as unknown[], row])))).counts.importable).toBe(1)
})

test('the longest list there may be is taken in and looked through', async () => {
  const rows = Array.from({ length: calls.mostImportRows }, (_, i) => [
    ...person({ 1: `42011519900101${String(i).padStart(4, '0')}` }),
    `云泽市样例路 ${i} 号`,
    `联系人${i % 900}`,
  ])
  const id = await brought(await book([[...head, '住址', '紧急联系人'], ...rows]))
  const { counts, state } = await look(id)
  expect([state, counts.all, counts.error + counts.duplicate + counts.importable]).toEqual(['2', rows.length, rows.length])
}, 180_000)

test('the result file says of every row what became of it, with masked numbers', async () => {
  const rows = [person(), person({ 5: '钢筋' })]
  const id = await brought(await book([head, ...rows]))
  await change(id, { action: 'confirm', skipErrors: true })
  await run(id)
  const folder = mkdtempSync(join(tmpdir(), 'zg-import-'))
  const task = await clerk.call(submitExport, { body: { feature: 'workerImportResult', query: { id } } })
  await runExport({ ...deps(), folder }, task.id)
  const { sheets } = await readXlsx(readFileSync(join(folder, `${task.id}.xlsx`)), {})
  rmSync(folder, { recursive: true })
  const text = JSON.stringify(sheets[0]?.rows)
  for (const word of ['已导入', '新建档案', '已跳过', '工种不存在', '田光明']) expect(text).toContain(word)
  for (const row of rows) expect(text).not.toContain(String(row[1]))
})

test('pasted lines and files of people without a project', async () => {
  const number = idCard()
  const { id } = await clerk.call(calls.importBase, {
    body: {
      rows: [
        { name: '秦小满', idCardNumber: number },
        { name: '秦小满', idCardNumber: '1' },
      ],
    },
  })
  await run(id ?? '')
  expect(await look(id ?? '')).toMatchObject({ kind: 'paste', projectCode: null, counts: { importable: 1, error: 1 } })
  await change(id ?? '', { action: 'confirm', skipErrors: true })
  await run(id ?? '')
  expect(await look(id ?? '')).toMatchObject({ state: '6', counts: { done: 1 } })
  expect(await isHere(number)).toEqual([])
})

test('a pasted table with invisible characters is taken in as a file is', async () => {
  const [number, phone] = [idCard(), mobile()]
  const rows = [{ name: '\u200b秦小月', idCardNumber: `${number}\u200b`, cellPhone: `\u202d${phone}\u202c` }]
  const { id } = await clerk.call(calls.importBase, { body: { rows } })
  await run(id ?? '')
  expect(await look(id ?? '')).toMatchObject({ kind: 'paste', counts: { importable: 1, error: 0 } })
  await change(id ?? '', { action: 'confirm' })
  await run(id ?? '')
  const secrets = createSecrets(world.config.secretKey)
  const { rows: files } = await world.database.pool.query<{ name: string; cell_phone: Buffer }>(
    'select name, cell_phone from worker where id_card_hash = $1',
    [secrets.blindIndex('id-card', number)],
  )
  expect(files.map((file) => [file.name, secrets.open(file.cell_phone)])).toEqual([['秦小月', phone]])
})
