import { acceptLink, listLinks } from '@zhugong/contract/onboarding/links'
import * as calls from '@zhugong/contract/onboarding/openings'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { creditCode } from '@zhugong/simulator/numbers'
import { stream } from '@zhugong/simulator/random'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { systemClock } from '#kit/clock'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import { mobile } from '../../../../test/givens.ts'
import type { Answer, Caller, World } from '../../../../test/world.ts'
import { runOpening } from './run.ts'

let world: World
let settled: CityWorld
let admin: Caller
let owner: string
let leader: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  admin = await settled.as('admin')
  leader = settled.city.personas.find((one) => one.account === 'yunze-lu')?.corpCode ?? ''
  owner = settled.city.projectCorps.find((one) => one.corpType === '008')?.corpCode ?? ''
})
afterAll(() => world.close())

type Cells = Record<string, string>
async function book(sheets: Partial<Record<calls.OpeningSheet, Cells[]>>): Promise<Buffer> {
  const made = (Object.entries(sheets) as [calls.OpeningSheet, Cells[]][]).map(([sheet, rows]) => {
    const columns = calls.openingColumns[sheet]
    return {
      name: calls.openingSheets[sheet],
      rows: [columns.map((c) => c.title), ...rows.map((row) => columns.map((c) => row[c.key] ?? null))],
    }
  })
  return Buffer.from(await writeXlsx({ sheets: made }))
}
async function send(file: Buffer, fields: Record<string, string>, who = admin) {
  const part = (head: string, body: Buffer | string) => [
    Buffer.from(`--xx\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]
  const payload = Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, value)),
    ...part('name="file"; filename="open.xlsx"', file),
    Buffer.from('--xx--\r\n'),
  ])
  const headers = { token: who.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
  const answer = await world.api.app.inject({ method: 'POST', url: calls.bringOpening.path, headers, payload })
  return answer.json() as Answer<{ id: string } | null>
}
const run = (id: string) =>
  runOpening(
    { database: world.database, clock: systemClock, secrets: createSecrets(world.config.secretKey), log: createLog('test', 'error') },
    id,
  )
const look = (id: string, who = admin) => who.call(calls.getOpening, { params: { id } })
const confirm = async (id: string, who = admin) =>
  who.ask(calls.actOnOpening, { params: { id }, body: { action: 'run', version: (await look(id, who)).version } })
async function brought(file: Buffer, kind: calls.OpeningKind, who = admin): Promise<string> {
  const answer = await send(file, { kind }, who)
  if (!answer.data?.id) throw new Error(JSON.stringify(answer))
  return answer.data.id
}

let n = 0
const people = () => ({ linkMan: '联系人', linkPhone: mobile(), adminName: '新管理员', adminPhone: mobile() })
const site = (over: Cells = {}): Cells => ({
  name: `新工地${++n}号`,
  areaCode: '420202',
  address: '解放大道 1 号',
  category: '房屋建筑工程',
  contractor: leader,
  owner,
  ...people(),
  ...over,
})
const district = (name: string, areaCode = '420204'): Cells => ({ name, areaCode, ...people() })
const groupsNow = async () => (await world.database.pool.query<{ n: number }>('select count(*)::int as n from tenant')).rows[0]?.n ?? 0

describe('looked through first', () => {
  test('what is wrong stands at its cell, and nothing is opened', async () => {
    const before = await groupsNow()
    const [, first] = settled.city.projects
    const again = site()
    const id = await brought(
      await book({
        groups: [
          district('下陆区住建局'),
          { ...district('无上级的局'), parent: '没有这个局' },
          { ...district('某企业'), creditCode: '91420000MA4K0000XX' },
        ],
        sites: [
          site({ areaCode: '999999' }),
          site({ name: '' }),
          site({ category: '没有的类别' }),
          site({ contractor: '91420000000000000X' }),
          site({ name: first?.name ?? '', areaCode: first?.areaCode ?? '' }),
          again,
          site({ name: again.name ?? '' }),
          site({ supervisor: '下陆区住建局' }),
          site({ linkPhone: '12', adminName: '' }),
          site({ lng: 'x' }),
        ],
      }),
      'district',
    )
    const { rows, faulty, state } = await look(id)
    expect(state).toBe('0')
    const faults = rows.map((row) => row.issues.map(({ field, text }) => `${field} ${text}`).join('|'))
    expect(faults[0]).toBe('')
    expect(faults[1]).toMatch(/^parent 上级机构不存在/)
    expect(faults[2]).toMatch(/creditCode/)
    expect(faults.slice(3)).toEqual([
      expect.stringMatching(/^areaCode 没有这个区划/),
      expect.stringMatching(/^name 请填写项目名称/),
      expect.stringMatching(/^category 没有这个项目类别/),
      expect.stringMatching(/^contractor /),
      expect.stringMatching(/^name 同一地区已有同名项目/),
      '',
      expect.stringMatching(/^name 与上面的行重复/),
      expect.stringMatching(/^supervisor “下陆区住建局”的辖区不含项目所在地/),
      expect.stringMatching(/^linkPhone .*\|adminName 请填写管理员姓名/),
      expect.stringMatching(/^lng 经度应在/),
    ])
    expect(faulty).toBe(11)
    expect(rows[5]?.cells.linkPhone).toMatch(/\*/)
    await run(id)
    expect(await groupsNow()).toBe(before)
  })

  test('what is no workbook, or has no such sheet, is refused in words', async () => {
    expect((await send(Buffer.from('PK no'), { kind: 'site' })).status).not.toBe(0)
    const other = Buffer.from(await writeXlsx({ sheets: [{ name: '别的', rows: [['a'], ['b']] }] }))
    expect((await send(other, { kind: 'site' })).message).toContain('没有要开通的行')
    expect((await send(await book({ sites: [site()] }), { kind: 'nothing' })).message).toContain('请选择开通类型')
  })

  test('the template is read by what reads the file', async () => {
    const file = (await admin.call(calls.openingTemplate, { query: { kind: 'district' } })) as unknown as Buffer
    const { sheets } = await readXlsx(file)
    expect(sheets.map(({ name }) => name)).toEqual(['机构', '项目', '可选值', '填写说明'])
    expect(sheets[1]?.rows[0]?.[0]).toBe('项目名称*')
  })
})

test('a new district with ten sites: opened once, each with its apps and a link; its administrator sees his ten', async () => {
  const { rows: packs } = await world.database.pool.query<{ id: string }>(
    `insert into app_package (id, name, group_type, app_ids, days) values ('pack-1', '轻量', 3, array(select id from app where not base and 3 = any (group_types) order by sort limit 2), 90) returning id`,
  )
  const file = await book({ groups: [district('铁山区住建局')], sites: Array.from({ length: 10 }, () => site({ areaCode: '420204' })) })
  const answer = await send(file, { kind: 'district', packages: JSON.stringify({ 3: packs[0]?.id }) })
  const id = answer.data?.id ?? ''
  expect((await look(id)).faulty).toBe(0)
  expect((await confirm(id)).status).toBe(0)
  await Promise.all([run(id), run(id)])
  await run(id)
  const done = await look(id)
  expect([done.state, done.done, done.failed]).toEqual(['2', 11, 0])
  const codes = done.rows.map((row) => row.code ?? '')
  expect(new Set(codes).size).toBe(11)
  const { rows } = await world.database.pool.query<{ org: string; apps: number; links: number; parts: number }>(
    `select p.supervise_org as org, (select count(*)::int from app_grant g join tenant t on t.id = g.group_id where t.type = 3 and t.code = p.project_code and g.revoked_at is null) as apps,
       (select count(*)::int from admin_link l join tenant t on t.id = l.group_id where t.type = 3 and t.code = p.project_code) as links,
       (select count(*)::int from project_corp c where c.project_code = p.project_code) as parts
     from project p where p.project_code = any ($1)`,
    [codes.slice(1)],
  )
  expect(rows).toEqual(Array.from({ length: 10 }, () => ({ org: codes[0], apps: 2, links: 1, parts: 2 })))
  expect((await admin.call(listLinks, { query: { openingId: id, size: 100 } })).total).toBe(11)

  const result = (await admin.call(calls.openingResult, {
    params: { id },
    body: { origin: 'https://zhugong.example' },
  })) as unknown as Buffer
  const lines = (await readXlsx(result)).sheets[0]?.rows ?? []
  const address = String(lines[1]?.[6])
  expect(address).toMatch(/^https:\/\/zhugong\.example\/invite#[0-9a-f]{64}$/)
  const { token } = await world.anonymous.call(acceptLink, {
    body: {
      mode: 'new',
      token: address.split('#')[1] ?? '',
      account: 'tieshan-admin',
      name: '铁山管理员',
      phone: mobile(),
      password: 'District#2026',
    },
  })
  const sites = await world.caller(token).call(listProjects, { query: { size: 100 } })
  expect(sites.list.map((row) => row.projectCode).toSorted()).toEqual(codes.slice(1).toSorted())
  const after = (await admin.call(calls.openingResult, {
    params: { id },
    body: { origin: 'https://zhugong.example' },
  })) as unknown as Buffer
  expect((await readXlsx(after)).sheets[0]?.rows[1]?.[6]).toBe('已使用')
  // The same file again: all its objects exist already.
  const again = await look(await brought(file, 'district'))
  expect(again.faulty).toBe(11)
}, 120_000)

test('a company with forty sites is opened from one file, the company left to the rest of it', async () => {
  const corpCode = creditCode(stream(7, 'company'), '91', '420200')
  const company = { name: '新城建设集团有限公司', creditCode: corpCode, areaCode: '420200', address: '建设路 9 号', ...people() }
  const file = await book({ groups: [company], sites: Array.from({ length: 40 }, () => site({ contractor: '', areaCode: '420203' })) })
  const id = await brought(file, 'company')
  expect((await look(id)).rows.flatMap(({ issues }) => issues)).toEqual([])
  await confirm(id)
  await run(id)
  const done = await look(id)
  expect([done.state, done.done]).toEqual(['2', 41])
  const { rows } = await world.database.pool.query<{ n: number }>(
    'select count(*)::int as n from project where contractor_corp_code = $1',
    [corpCode],
  )
  expect(rows[0]?.n).toBe(40)
}, 120_000)

test('what meanwhile is taken fails by itself, the rest is opened, and it can be tried again', async () => {
  const taken = site()
  const id = await brought(await book({ sites: [site(), taken, site()] }), 'site')
  const other = await brought(await book({ sites: [{ ...taken }] }), 'site')
  await confirm(other)
  await run(other)
  await confirm(id)
  await run(id)
  const done = await look(id)
  expect([done.state, done.done, done.failed]).toEqual(['3', 2, 1])
  expect(done.rows[1]).toMatchObject({ state: 'failed', message: '同一地区已有同名项目', code: null })
  expect((await confirm(id)).status).toBe(0)
  await run(id)
  expect(await look(id)).toMatchObject({ state: '3', done: 2, failed: 1 })
})

test('a company opens its own sites alone, a body those of its area alone, and neither opens groups', async () => {
  const company = await settled.as('yunze-lu')
  const stranger = settled.city.personas.find((one) => one.account === 'chuyuan-li')?.corpCode ?? ''
  expect((await send(await book({ groups: [district('某局')] }), { kind: 'district' }, company)).message).toContain('由平台开通')
  const id = await brought(
    await book({ groups: [district('某局')], sites: [site(), site({ contractor: stranger, owner: stranger })] }),
    'site',
    company,
  )
  const { rows } = await look(id, company)
  expect(rows.map((row) => row.issues.map(({ text }) => text).join())).toEqual([
    expect.stringContaining('由平台开通'),
    '',
    expect.stringContaining('企业只能开通本企业'),
  ])
  await confirm(id, company)
  await run(id)
  expect(await look(id, company)).toMatchObject({ done: 1, faulty: 2 })
  // A file is visible to its own group only.
  const foreign = await (await settled.as('city-fang')).ask(calls.getOpening, { params: { id } })
  expect(foreign.status).not.toBe(0)
  const body = await settled.as('city-fang')
  const own = await brought(await book({ sites: [site(), site({ areaCode: '110101' })] }), 'site', body)
  const seen = await look(own, body)
  expect(seen.rows.map((row) => row.issues.map(({ text }) => text).join())).toEqual(['', expect.stringContaining('的辖区内')])
  expect((await send(await book({ sites: [site()] }), { kind: 'site' }, await settled.as('hospital-pm'))).status).not.toBe(0)
  expect((await send(await book({ sites: [site()] }), { kind: 'site' }, await settled.as('bj-zhao'))).status).not.toBe(0)
})
