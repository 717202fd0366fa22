import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { createRectify } from '@zhugong/contract/rectify/calls'
import { changeSheet, createSheet, getSheet, listSheets, removeSheet } from '@zhugong/contract/sheets/calls'
import { type SheetAction, sheetMoves } from '@zhugong/contract/sheets/moves'
import { signSheet } from '@zhugong/contract/sheets/seats'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'

let world: World
let projectCode = ''
let contractorCode = ''
/** Two officers of the district, the three parties, and everybody who may not. */
const cast = {
  officer: 'bj-zhao',
  second: 'bj-qian',
  head: 'bj-wu',
  city: 'city-fang',
  otherDistrict: 'yd-wang',
  owner: 'weijian-xia',
  site: 'hospital-pm',
  contractor: 'yunze-lu',
  supervisor: 'hospital-jl',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const names = {} as Record<Who, string>
let photo = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  const db = world.database.kysely
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  contractorCode = settled.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ name: string; groupId: string }>`select u.name, m.group_id from app_user u
      join member m on m.user_id = u.id and m.is_default where u.account = ${account}`.execute(db)
    names[who] = rows[0]?.name ?? ''
    if (who === 'officer') photo = await storedFile(world, rows[0]?.groupId ?? '')
  }
})
afterAll(() => world.close())

const query = () => ({ projectCode })
const written = (more: object = {}) => ({
  docType: '105' as const,
  checkDate: '2026-11-01',
  officers: [names.officer, names.second],
  progress: '3',
  checkPart: '主楼 6～9 层',
  content: '抽查施工单位质量行为：质量管理人员到岗，方案已审批，试块留置缺一组。',
  problems: [{ description: '试块缺一组', clause: 'GB 50204', corpCode: contractorCode, photos: [photo] }],
  opinion: '3',
  photos: [photo],
  ...more,
})
const draft = async (more: object = {}) => {
  const { id } = await as.officer.call(createSheet, { query: query(), body: { id: newId(), ...written(more) } })
  return id
}
const versionOf = async (id: string) => {
  const { rows } = await sql<{ version: number }>`select version from manualsheet where id = ${id}`.execute(world.database.kysely)
  return rows[0]?.version ?? 0
}
async function act(who: Who, id: string, action: SheetAction, more: object = {}) {
  return as[who].ask(changeSheet, { params: { id }, query: query(), body: { version: await versionOf(id), action, ...more } as never })
}
const sign = (who: Who, id: string, seat: string, more: object = {}) =>
  as[who].ask(signSheet, {
    params: { id },
    query: query(),
    body: { action: 'sign', id: newId(), seat, image: strokes(), ...more } as never,
  })
const read = (who: Who, id: string) => as[who].call(getSheet, { params: { id }, query: query() })
/** Signed by both officers and submitted. */
const submitted = async (more: object = {}) => {
  const id = await draft(more)
  expect(await sign('officer', id, 'officer1')).toMatchObject({ status: 0 })
  expect(await sign('second', id, 'officer2')).toMatchObject({ status: 0 })
  expect(await act('officer', id, 'submit')).toMatchObject({ status: 0 })
  return id
}

describe('from draft to file', () => {
  test('two officers sign, three parties sign or refuse, a notice is made, the sheet is filed', async () => {
    const id = await submitted()
    const waiting = await read('officer', id)
    expect(waiting).toMatchObject({
      state: '1',
      waiting: '等待建设单位、施工单位、监理单位签字',
      code: expect.stringMatching(/施质查〔\d{4}〕第\d{4}号$/),
    })
    for (const who of ['site', 'contractor', 'supervisor', 'owner'] as const) {
      const todos = await as[who].call(listTodos, { query: { size: 100 } as never })
      expect(JSON.stringify(todos), who).toContain(`/jgt/manualsheet/details?id=${id}`)
    }
    expect(await sign('owner', id, 'owner')).toMatchObject({ status: 0 })
    expect(await sign('supervisor', id, 'supervisor')).toMatchObject({ status: 0 })
    const refusal = { action: 'refuse', name: '梁志伟', reason: '对抽测结果有异议', witness: names.second }
    expect(await sign('officer', id, 'contractor', refusal)).toMatchObject({ status: 0 })
    const signed = await read('officer', id)
    expect(signed).toMatchObject({ state: '2', owner: 'signed', supervisor: 'signed', contractor: 'refused' })
    // The opinion asks for a correction: without a notice the sheet is not filed.
    expect(await act('officer', id, 'archive')).toMatchObject({ status: 4, message: expect.stringContaining('派生整改单') })
    await as.officer.call(createRectify, {
      body: {
        projectCode,
        action: 'issue',
        corpCode: contractorCode,
        sourceType: '01',
        noticeType: '2',
        category: '02',
        level: '1',
        checkDate: '2026-11-01',
        deadline: new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10),
        responsiblePerson: '梁志伟',
        sourceKind: 'manualsheet',
        sourceId: id,
        lines: [{ description: '试块缺一组', part: '8 层', requirement: '查明原因', photos: [photo] }],
      } as never,
    })
    expect(await act('officer', id, 'archive')).toMatchObject({ status: 0 })
    const filed = await read('site', id)
    expect(filed).toMatchObject({ state: '3', rectifyCount: 1, notices: [{ closed: false }] })
    expect(filed.timeline.map((one) => one.action)).toEqual(['create', 'submit', 'signed', 'archive'])
  })

  test('what is signed cannot be changed without signing again', async () => {
    const id = await draft()
    await sign('officer', id, 'officer1')
    await sign('second', id, 'officer2')
    expect(
      await act('officer', id, 'save', written({ content: '抽查结果改写：试块留置齐全，保护层垫块缺失三处，现场补齐。' })),
    ).toMatchObject({
      status: 0,
    })
    expect((await read('officer', id)).signatures.filter((one) => one.state === 'void')).toHaveLength(2)
    expect(await act('officer', id, 'submit')).toMatchObject({ status: 4, message: expect.stringContaining('尚未签名') })
  })

  test('a sheet that was signed on paper needs its scan and is signed at once', async () => {
    const id = await draft({ onPaper: true, opinion: '2' })
    expect(await act('officer', id, 'submit')).toMatchObject({ status: 2, data: { field: 'scans' } })
    await act('officer', id, 'save', written({ onPaper: true, opinion: '2', scans: [photo] }))
    expect(await act('officer', id, 'submit')).toMatchObject({ status: 0 })
    expect(await read('site', id)).toMatchObject({ state: '2', onPaper: true, owner: 'signed' })
  })

  test('a void number is kept and not used again', async () => {
    const [first, second] = [await submitted(), await submitted()]
    const code = (await read('officer', first)).code
    expect(await act('second', first, 'void', { opinion: '受检单位名称有误' })).toMatchObject({ status: 0 })
    expect(await read('officer', first)).toMatchObject({ state: '4', code, voidReason: '受检单位名称有误' })
    expect((await read('officer', second)).code).not.toBe(code)
    expect(await sign('owner', first, 'owner')).toMatchObject({ status: 4 })
  })

  test('urging is possible once a day', async () => {
    const id = await submitted()
    expect(await act('officer', id, 'urge')).toMatchObject({ status: 0 })
    expect(await act('second', id, 'urge')).toMatchObject({ status: 4, message: expect.stringContaining('每天至多一次') })
  })

  test('it prints, with its number and signatures, and nobody else’s', async () => {
    const id = await submitted()
    const folder = mkdtempSync(join(tmpdir(), 'zg-sheet-'))
    const deps = {
      database: world.database,
      clock: { now: Date.now },
      secrets: createSecrets(testSecretKey),
      log: createLog('test', 'silent'),
    }
    const bytes = async (who: Who) => {
      const { id: task } = await as[who].call(submitExport, { body: { feature: 'manualsheetPaper', exportType: 'pdf', query: { id } } })
      await runExport({ ...deps, folder }, task)
      const { rows } = await sql<{ path: string | null }>`select path from export_task where id = ${task}`.execute(world.database.kysely)
      return rows[0]?.path ? statSync(rows[0].path).size : 0
    }
    for (const who of ['officer', 'site', 'supervisor'] as const) expect(await bytes(who), who).toBeGreaterThan(5_000)
    for (const who of ['stranger', 'otherDistrict'] as const) expect(await bytes(who), who).toBe(0)
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('what is refused', () => {
  test.for([
    ['one officer', { officers: () => [names.officer] }, 'officers'],
    ['too few words', { content: '现场检查' }, 'content'],
    ['no photograph', { photos: [] }, 'photos'],
    ['all right, with problems', { opinion: '1' }, 'opinion'],
    ['problems without any', { problems: [] }, 'problems'],
    ['a summons without time', { docType: '208', persons: [{ name: '梁志伟' }] }, 'meetTime'],
    ['a briefing without those present', { docType: '102' }, 'persons'],
    ['no progress', { progress: null }, 'progress'],
  ] as const)('%s', async ([, more, field]) => {
    const given = { ...more, ...('officers' in more ? { officers: more.officers() } : {}) }
    const id = await draft(given)
    expect(await act('officer', id, 'submit')).toMatchObject({ status: 2, data: { field } })
  })

  test('an officer of another institution, a unit that is not on the site, a day in the future', async () => {
    const create = (more: object) => as.officer.ask(createSheet, { query: query(), body: { id: newId(), ...written(more) } })
    expect(await create({ officers: [names.officer, names.otherDistrict] })).toMatchObject({ status: 2, data: { field: 'officers.1' } })
    expect(await create({ problems: [{ description: '缺失', corpCode: 'nobody' }] })).toMatchObject({
      data: { field: 'problems.0.corpCode' },
    })
    expect(await create({ checkDate: '2199-01-01' })).toMatchObject({ status: 2, data: { field: 'checkDate' } })
  })

  test('a device that repeats its request creates one draft', async () => {
    const body = { id: newId(), ...written() }
    for (let i = 0; i < 2; i++) await as.officer.call(createSheet, { query: query(), body })
    const { rows } = await sql`select from manualsheet where id = ${body.id}`.execute(world.database.kysely)
    expect(rows).toHaveLength(1)
    expect(await as.second.ask(createSheet, { query: query(), body })).toMatchObject({ status: 4 })
  })
})

describe('whose it is', () => {
  test('nobody on the site knows of a draft, nor of one that was made void', async () => {
    const [id, dropped] = [await draft(), await draft()]
    await act('officer', dropped, 'void', { opinion: '重复起草，作废' })
    for (const who of ['owner', 'site', 'contractor', 'supervisor', 'subcontractor', 'stranger', 'otherDistrict'] as const)
      for (const one of [id, dropped]) {
        const answer = await as[who].ask(getSheet, { params: { id: one }, query: { projectCode: '*' } })
        expect(answer.status, who).not.toBe(0)
        const { list } = await as[who].call(listSheets, { query: { projectCode: '*', size: 1000 } })
        expect(
          list.map((row) => row.id),
          who,
        ).not.toContain(one)
      }
  })

  test('each party signs its own seat with its own account, and no other', async () => {
    const seats = { owner: ['owner'], contractor: ['site', 'contractor'], supervisor: ['supervisor'] } as const
    for (const [seat, right] of Object.entries(seats))
      for (const who of everybody) {
        const id = await submitted()
        const answer = await sign(who, id, seat)
        expect(answer.status === 0, `${who} signs as ${seat}: ${answer.message}`).toBe((right as readonly string[]).includes(who))
      }
  }, 120_000)

  test('only the institution that wrote it changes, files, urges and makes void', async () => {
    for (const action of Object.keys(sheetMoves) as SheetAction[])
      for (const who of everybody.filter((one) => !['officer', 'second', 'head'].includes(one))) {
        const id = action === 'save' || action === 'submit' ? await draft() : await submitted()
        const answer = await act(who, id, action, action === 'save' ? written() : { opinion: '没有这个权利' })
        expect(answer.status, `${who} ${action}`).not.toBe(0)
      }
    const id = await draft()
    expect((await as.site.ask(removeSheet, { params: { id }, query: query() })).status).not.toBe(0)
    expect(await as.second.ask(removeSheet, { params: { id }, query: query() })).toMatchObject({ status: 0 })
  }, 120_000)
})
