import type { AddressInfo } from 'node:net'
import * as below from '@zhugong/contract/docking/below'
import * as causeCalls from '@zhugong/contract/docking/causes'
import * as connections from '@zhugong/contract/docking/connections'
import * as mappingCalls from '@zhugong/contract/docking/mapping'
import * as overview from '@zhugong/contract/docking/overview'
import * as queue from '@zhugong/contract/docking/queue'
import { objectTypes } from '@zhugong/contract/docking/standard'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { areaName, areaPath, renameAreas } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { callSlowly } from '../../../test/slow-server.ts'
import type { World } from '../../../test/world.ts'
import { startUpperPlatform, type UpperPlatform } from '../../docking-upper/upper-platform.ts'
import { codeAbove, convert, deliveredFields, maskText, unmappedOf } from './convert.ts'
import { fanOut } from './fan-out.ts'
import { partOf } from './figures.ts'
import { dailyBytes, perMinute } from './receive.ts'
import { appKey, runUntilQuiet, secret, senderFor } from './sending-for-test.ts'

let world: World
let settled: CityWorld
let upper: UpperPlatform
let site = ''
let id = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), {}, { environment: { OUTGOING_INSIDE: '127.0.0.0/8' } })
  settled = await settleCity(world)
  upper = await startUpperPlatform({ appKey, secret })
  const { rows } = await sql<{ code: string }>`
    select t.code from tenant t join member m on m.group_id = t.id join app_user u on u.id = m.user_id where u.account = 'hospital-pm' and t.type = 3`.execute(
    world.database.kysely,
  )
  site = rows[0]?.code ?? ''
})
afterAll(async () => {
  await upper.stop()
  await world.close()
})

type Body = InputFor<typeof connections.createPlatform>['body']
const body = (over: Partial<Body> = {}): Body => ({
  name: '市级平台',
  level: '3',
  areaCode: '420200',
  profile: 'national',
  endpoint: upper.url,
  appKey,
  secret,
  objects: [...objectTypes],
  projects: [site],
  ...over,
})
const one = async () => (await (await settled.as('admin')).call(connections.listPlatforms, { query: {} })).list.find((row) => row.id === id)
const change = async (over: Partial<InputFor<typeof connections.changePlatform>['body']>) => {
  const row = await one()
  const { secret: _, ...fields } = body()
  return (await settled.as('admin')).call(connections.changePlatform, {
    body: { ...fields, id, version: row?.version ?? 0, status: '01', ...over },
  })
}

test('codes go up as theirs: own codes, parents of sub-trades, what has none is said', () => {
  expect(codeAbove('gender', '1')).toBe('0')
  expect(codeAbove('gender', '9')).toBeUndefined()
  expect(codeAbove('workerType', '011')).toBe('010')
  expect(codeAbove('projectState', '007')).toBe('004')
  expect(codeAbove('trainingType', '003101')).toBe('003001')
  expect(codeAbove('attendanceType', '012')).toBeUndefined()
  expect(codeAbove('attendanceType', '012', { '012': '011' })).toBe('011')
  expect(unmappedOf({ dict: 'attendanceType', codes: { '014': '006' } }).map((item) => item.code)).toEqual(['012', '013'])
  const fields = deliveredFields('workerBase')
  expect(convert(fields, { name: '王明' }).problem).toEqual({ code: 'L001', field: 'idCardType', label: '证件类型' })
  expect([maskText('王'), maskText('王小明'), maskText('420202199001011234')]).toEqual(['*', '王**', '42**************34'])
  expect([partOf(null, 24, 72), partOf(24, 24, 72), partOf(48, 24, 72), partOf(99, 24, 72)]).toEqual([100, 100, 50, 0])
})

test('a connection goes through its steps; its secret is never read back, and who keeps it not sees no address', async () => {
  const admin = await settled.as('admin')
  id = (await admin.call(connections.createPlatform, { body: body() })).id
  const made = await one()
  expect(made).toMatchObject({ status: '02', progress: '01', hasSecret: true, endpoint: upper.url, projects: [{ code: site }] })
  expect(JSON.stringify(made)).not.toContain(secret)
  const row = await admin.ask(connections.changePlatform, { body: { ...body(), id, version: made?.version ?? 0, status: '01' } })
  expect(row).toMatchObject({ status: 4, data: { field: 'status' } })
  const move = async (name: 'submitPapers' | 'papersPassed' | 'papersRefused' | 'testPassed', note = '') =>
    admin.ask(connections.movePlatform, { params: { id }, body: { move: name, note, version: (await one())?.version ?? 0 } })
  expect(await move('testPassed')).toMatchObject({ status: 4, message: '当前进度不能“登记测试通过”' })
  await move('submitPapers', '资料一套')
  expect(await move('papersRefused')).toMatchObject({ data: { field: 'note' } })
  await move('papersPassed')
  expect((await one())?.steps.map((step) => step.step)).toEqual(['登记资料审核通过', '提交资料'])
  expect(await admin.call(connections.testPlatform, { params: { id } })).toMatchObject({ ok: true })
  await change({})
  expect(await one()).toMatchObject({ status: '01' })
  await change({ secret: 'wrong' })
  expect(await admin.call(connections.testPlatform, { params: { id } })).toMatchObject({ ok: false, text: '签名不正确' })
  await change({ secret })
  for (const account of ['hospital-pm', 'city-fang']) {
    const seen = (await (await settled.as(account)).call(connections.listPlatforms, { query: {} })).list.find((p) => p.id === id)
    expect(seen).toMatchObject({ endpoint: null, appKey: null, own: false })
  }
  for (const account of ['hospital-pm', 'yunze-lu'])
    expect(
      (await (await settled.as(account)).ask(connections.pausePlatform, { params: { id }, body: { paused: true, version: 0 } })).status,
    ).not.toBe(0)
})

test('what a site has goes up; what is wanting stands with its cause, is mended at the source and goes by itself', async () => {
  const db = world.database.kysely
  const { rows } = await sql<{ id: string }>`
    update worker set expiry_date = null where id in (select worker_id from project_worker where project_code = ${site} and exit_time is null order by id limit 3) returning id`.execute(
    db,
  )
  let strange: string | undefined
  upper.faults.refuse = (row) => {
    if (row.object !== 'TeamMaster') return undefined
    strange ??= row.businessId
    return row.businessId === strange ? { code: 'Z-1', message: 'strange' } : undefined
  }
  await runUntilQuiet(senderFor(world))
  upper.faults.refuse = undefined
  const clerk = await settled.as('hospital-pm')
  const list = await clerk.call(queue.listRecords, { query: { uploadStatus: '-1', size: 100 } })
  const causes = (await clerk.call(causeCalls.listErrors, { query: {} })).list
  expect(causes.find((c) => c.code === 'L001' && c.field === 'expiryDate')).toMatchObject({
    text: '证件有效期止为空，上级要求必填',
    mender: '劳务员补录',
    count: 3,
  })
  expect(causes.find((c) => c.code === 'Z-1')).toMatchObject({ text: '上级返回（未收录）：strange', known: false })
  // Which of them was requested last depends on timing.
  expect(list.list.find((row) => row.objectType === 'workerBase')?.bizName).toMatch(/\*/)
  const waits = await clerk.call(queue.listRecords, { query: { waitFor: '1', size: 100 } })
  expect(new Set(waits.list.map((row) => row.waitFor))).toContain('工人档案未成功')
  expect(new Set(waits.list.map((row) => row.waitFor))).toContain('班组未成功')
  // All of them show the platform's own text from now on.
  const admin = await settled.as('admin')
  await admin.call(causeCalls.translateError, { body: { profile: 'national', code: 'Z-1', text: '班组名称与上级重复', mender: '劳务员' } })
  expect((await clerk.call(causeCalls.listErrors, { query: {} })).list.find((c) => c.code === 'Z-1')?.text).toBe('班组名称与上级重复')
  expect(
    (await clerk.ask(causeCalls.translateError, { body: { profile: 'national', code: 'Z-2', text: '甲', mender: '乙' } })).status,
  ).not.toBe(0)
  expect(await clerk.call(queue.pushRecords, { body: { cause: { code: 'Z-1', field: '' }, preview: true } })).toEqual({
    count: 1,
    locked: 0,
  })
  await clerk.call(queue.pushRecords, { body: { cause: { code: 'Z-1', field: '' } } })
  expect(causes.some((c) => c.code === 'L005' && c.text === '身份尚未核验，核验一致后自动上传')).toBe(true)
  await sql`update worker set expiry_date = '2040-01-01' where id = any (${rows.map((row) => row.id)})`.execute(db)
  await sql`update worker set real_name_state = '1' where real_name_state <> '1'`.execute(db)
  await runUntilQuiet(senderFor(world))
  expect((await clerk.call(queue.listRecords, { query: { uploadStatus: '-1' } })).total).toBe(0)
  const fresh = await clerk.call(overview.getFreshness, { query: {} })
  expect(fresh).toMatchObject({ waiting: 0, failed: 0, freshness: 100, projects: [{ projectCode: site, score: 100 }] })
  const { rows: states } = await sql<{
    n: number
  }>`select count(*)::int as n from project_worker where project_code = ${site} and exit_time is null and upload_status <> '1'`.execute(db)
  expect(states[0]?.n).toBe(0)
})

test('what was sent is shown masked; in clear with a reason that is logged', async () => {
  const clerk = await settled.as('hospital-pm')
  const row = (await clerk.call(queue.listRecords, { query: { objectType: 'workerBase', size: 1 } })).list[0]
  const seen = await clerk.call(queue.getRecord, { params: { id: row?.id ?? '' } })
  const number = seen.sent.find((field) => field.upper === 'idCardNumber')
  expect(number).toMatchObject({ personal: true })
  expect(number?.value).toMatch(/^\w\w\*{10,}\w\w$/)
  expect(seen.tries[0]).toMatchObject({ outcome: 'stored', http: 200 })
  const admin = await settled.as('admin')
  const looked = await admin.ask(queue.lookRecord, { params: { id: row?.id ?? '' }, body: { reason: '核对证件' } })
  expect(looked.data?.sent.find((field) => field.upper === 'idCardNumber')?.value).toMatch(/^\d{17}[\dX]$/)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from audit_log where object_id = ${row?.id} and summary like '查看上传明文%核对证件%'`.execute(
    world.database.kysely,
  )
  expect(rows[0]?.n).toBe(1)
})

test('nobody sees rows of another site, nor pushes them', async () => {
  const row = (await (await settled.as('admin')).call(queue.listRecords, { query: { size: 1 } })).list[0]
  const strangers = await sql<{ account: string }>`
    select u.account from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id where t.type = 3 and t.code <> ${site} limit 1`.execute(
    world.database.kysely,
  )
  const stranger = await settled.as(strangers.rows[0]?.account ?? '')
  expect((await stranger.call(queue.listRecords, { query: {} })).total).toBe(0)
  expect((await stranger.ask(queue.getRecord, { params: { id: row?.id ?? '' } })).status).not.toBe(0)
  expect((await stranger.call(overview.getFreshness, { query: {} })).projects).toEqual([])
})

test('a mapping is tried on a real row and holds from the next one on', async () => {
  const admin = await settled.as('admin')
  const ask = () => admin.call(mappingCalls.getMapping, { params: { objectType: 'team' }, query: { platformId: id } })
  const current = await ask()
  expect(current).toMatchObject({ version: 0, editable: true, unmapped: [] })
  const fields = current.fields.map(({ translation: _, ...field }) => (field.upper === 'teamName' ? { ...field, upper: 'name' } : field))
  const tried = await admin.call(mappingCalls.tryMapping, { params: { objectType: 'team' }, body: { platformId: id, fields } })
  expect(tried.rows.find((row) => row.upper === 'name')).toMatchObject({ problem: null })
  const twice = await admin.ask(mappingCalls.changeMapping, {
    params: { objectType: 'team' },
    body: { platformId: id, version: 0, fields: [...fields, fields[0]!] },
  })
  expect(twice.data).toMatchObject({ field: `fields.${fields.length}.upper` })
  await admin.call(mappingCalls.changeMapping, { params: { objectType: 'team' }, body: { platformId: id, version: 0, fields } })
  expect(await ask()).toMatchObject({ version: 1 })
  expect(
    await admin.ask(mappingCalls.changeMapping, { params: { objectType: 'team' }, body: { platformId: id, version: 0, fields } }),
  ).toMatchObject({ status: 4 })
  await sql`update team set team_name = team_name || '甲' where id = (select id from team where project_code = ${site} and exit_time is null limit 1)`.execute(
    world.database.kysely,
  )
  await runUntilQuiet(senderFor(world))
  // The platform renamed a required field; its error is shown as text.
  const failed = (await admin.call(queue.listRecords, { query: { uploadStatus: '-1' } })).list
  expect(failed).toMatchObject([{ objectType: 'team', op: '2', errorText: '班组名称为空，上级要求必填' }])
  await admin.call(mappingCalls.changeMapping, {
    params: { objectType: 'team' },
    body: { platformId: id, version: 1, fields: current.fields.map(({ translation: _, ...field }) => field) },
  })
  await admin.call(queue.pushRecords, { body: { id: failed[0]!.id } })
  await runUntilQuiet(senderFor(world))
  expect((await admin.call(queue.getRecord, { params: { id: failed[0]!.id } })).tries.map((t) => t.outcome)).toEqual(['stored', 'refused'])
  upper.faults.isLocked = (row) => row.object === 'TeamMaster'
  await sql`update team set team_name = team_name || '乙' where id = ${failed[0]!.sourceId}`.execute(world.database.kysely)
  await runUntilQuiet(senderFor(world))
  const locked = (await admin.call(queue.listRecords, { query: { uploadStatus: '3' } })).list[0]
  expect(await admin.ask(queue.pushRecords, { body: { id: locked?.id ?? '' } })).toMatchObject({ status: 4 })
  upper.faults.isLocked = undefined
})

test('fields come and go, but those the standard demands; what a mapping makes of what waits is said before, and what it held back goes again', async () => {
  const admin = await settled.as('admin')
  const params = { objectType: 'team' } as const
  const current = await admin.call(mappingCalls.getMapping, { params, query: { platformId: id } })
  expect(current.demanded).toContain('teamName')
  expect(current.sources.find((one) => one.source === 'workType')).toMatchObject({ label: '班组工种', dict: 'workerType' })
  const fields = current.fields.map(({ translation: _, ...field }) => field)
  const save = (given: typeof fields) =>
    admin.ask(mappingCalls.changeMapping, { params, body: { platformId: id, version: current.version, fields: given } })
  expect(await save(fields.filter((field) => field.source !== 'teamName'))).toMatchObject({
    message: '标准要求上报“班组名称”，不能移除',
    data: { field: 'fields' },
  })
  const loose = fields.map((field) => (field.source === 'teamName' ? { ...field, required: false } : field))
  expect(await save(loose)).toMatchObject({ message: '标准要求“班组名称”必填，不能改为选填' })
  // Personal flags cannot be changed in a mapping; a field's dictionary is that of its source.
  const added = [
    ...fields.filter((field) => field.source !== 'exitTime'),
    { upper: 'leader', label: '班组长', source: 'teamLeaderName', fixed: '', required: false, dict: 'gender', personal: false, codes: {} },
    { upper: 'areaSystem', label: '系统', source: '', fixed: 'ZG', required: true, dict: '', personal: false, codes: {} },
  ]
  const team = (
    await sql<{ id: string }>`select id from team where project_code = ${site} and exit_time is null order by id limit 1`.execute(
      world.database.kysely,
    )
  ).rows[0]?.id
  await admin.call(connections.pausePlatform, { params: { id }, body: { paused: true, version: (await one())?.version ?? 0 } })
  await sql`update team set team_name = team_name || '丙' where id = ${team}`.execute(world.database.kysely)
  await fanOut(world.database.kysely, Date.now())
  const wanting = [...added, { ...added[0]!, upper: 'remark', label: '备注', source: 'exitTime', required: true }]
  expect(await admin.call(mappingCalls.weighMapping, { params, body: { platformId: id, fields: wanting } })).toMatchObject({
    waiting: 1,
    stopped: [{ text: '备注为空，上级要求必填', count: 1 }],
    freed: 0,
  })
  await admin.call(mappingCalls.changeMapping, { params, body: { platformId: id, version: current.version, fields: wanting } })
  await admin.call(connections.pausePlatform, { params: { id }, body: { paused: false, version: (await one())?.version ?? 0 } })
  await runUntilQuiet(senderFor(world))
  expect((await admin.call(queue.listRecords, { query: { uploadStatus: '-1' } })).list).toMatchObject([
    { sourceId: team, errorCode: 'L001' },
  ])
  const next = { platformId: id, fields: added }
  expect(await admin.call(mappingCalls.weighMapping, { params, body: next })).toMatchObject({ failed: 1, again: 1, freed: 1, stopped: [] })
  expect(await admin.call(mappingCalls.changeMapping, { params, body: { ...next, version: current.version + 1 } })).toMatchObject({
    again: 1,
  })
  await runUntilQuiet(senderFor(world))
  const [row] = (await admin.call(queue.queueStates, { query: { objectType: 'team', sourceId: team ?? '' } })).list
  expect(row).toMatchObject({ uploadStatus: '1', op: '2' })
  const { sent } = await admin.call(queue.getRecord, { params: { id: row?.id ?? '' } })
  expect(sent.map((field) => field.upper)).toEqual(expect.arrayContaining(['areaSystem']))
  expect(sent.map((field) => field.upper)).not.toContain('exitTime')
  expect(
    (await admin.call(mappingCalls.getMapping, { params, query: { platformId: id } })).fields.find((field) => field.upper === 'leader'),
  ).toMatchObject({
    personal: true,
    dict: '',
  })
})

test('how a record has fared stands on its own page, to whoever sees it; a company below another has a rate of its own', async () => {
  const db = world.database.kysely
  const query = { objectType: 'project' as const, sourceId: site }
  expect((await (await settled.as('hospital-pm')).call(queue.queueStates, { query })).list).toMatchObject([
    { platformName: '市级平台', uploadStatus: '1' },
  ])
  const stranger = await sql<{ account: string }>`
    select u.account from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id where t.type = 3 and t.code <> ${site} limit 1`.execute(
    db,
  )
  const far = await (await settled.as(stranger.rows[0]?.account ?? '')).ask(queue.queueStates, { query })
  expect(far.data?.list ?? []).toEqual([])
  const { rows } = await sql<{ account: string; corpCode: string }>`
    select u.account, t.code as corp_code from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
    where t.type = 2 and exists (select 1 from project_corp c where c.corp_code = t.code and c.project_code = ${site} and c.exit_time is null and c.corp_type not in ('007', '008', '009'))
    order by u.account`.execute(db)
  const own = []
  for (const { account, corpCode } of rows) {
    const client = await settled.as(account)
    const answer = await client.ask(overview.getFreshness, { query: {} })
    if (answer.status !== 0) continue
    await sql`update docking_day set accepted = 0, removed = 0, refused = 1 where corp_code <> ${corpCode}`.execute(db)
    await sql`
      insert into docking_day (platform_id, project_code, object_type, day, corp_code, accepted, refused) values (${id}, ${site}, 'training', current_date, ${corpCode}, 3, 1)
      on conflict (project_code, day, object_type, platform_id, corp_code) do update set accepted = 3, refused = 1`.execute(db)
    const mine = await sql<{ accepted: number; refused: number }>`
      select sum(accepted + removed)::int as accepted, sum(refused)::int as refused from docking_day where corp_code = ${corpCode} and project_code = ${site}`.execute(
      db,
    )
    const [{ accepted = 0, refused = 0 } = {}] = mine.rows
    const seen = await client.call(overview.getFreshness, { query: {} })
    own.push(seen.rate === Math.floor((1_000 * accepted) / (accepted + refused)) / 10)
  }
  expect(own).toContain(true)
  expect(own).not.toContain(false)
})

test('counts of a day are held against theirs', async () => {
  const admin = await settled.as('admin')
  await sql`update docking_day set day = day - 1`.execute(world.database.kysely)
  const result = await admin.call(connections.runCompare, { params: { id } })
  // The platform counts all of it today, we count it a day earlier.
  expect(result.different).toBeGreaterThan(0)
  expect((await admin.call(connections.listCompare, { params: { id }, query: {} })).list[0]).toMatchObject({ theirs: 0 })
})

test('a platform below hands in with its key: once, refused in plain words, held back, revoked', async () => {
  const admin = await settled.as('admin')
  const { key, id: keyId } = await admin.call(below.issueKey, { body: { name: '东港区平台', areaCode: '420202' } })
  const seen = async () => (await admin.call(below.listKeys, { query: {} })).list.find((row) => row.id === keyId)
  expect(JSON.stringify(await seen())).not.toContain(key)
  const hand = async (payload: object, bearer = key) => {
    const answer = await world.api.app.inject({
      method: 'POST',
      url: '/api/v1/open/docking/data',
      headers: { authorization: `Bearer ${bearer}` },
      payload,
    })
    return { http: answer.statusCode, ...(answer.json() as { code: string | number; result?: string; receiptNo?: string; field?: string }) }
  }
  const team = {
    object: 'TeamMaster',
    op: '1',
    key: 'a-0',
    businessId: 't1',
    data: { projectCode: 'p', corpCode: 'c', teamSysNo: 1, teamName: '木工一班', responsiblePersonName: '王五', entryTime: '2026-11-01' },
  }
  expect(await hand({ ...team, op: '3', key: 'z-0' })).toMatchObject({ code: 'E2002' })
  const [first, second] = await Promise.all([hand(team), hand(team)])
  expect([first.result, second.result].sort()).toEqual(['duplicate', 'stored'])
  expect(first.receiptNo).toBe(second.receiptNo)
  expect(await hand({ ...team, key: 'b-0', data: { ...team.data, teamName: '' } })).toMatchObject({ code: 'E1001', field: 'teamName' })
  expect(await hand({ ...team, object: 'Nothing', key: 'c-0' })).toMatchObject({ code: 'E1004' })
  expect(await hand(team, 'zgd_somebody-elses')).toMatchObject({ http: 401 })
  expect(await seen()).toMatchObject({ received: 1, duplicate: 1, rejected: 3 })
  expect((await admin.call(below.listRejected, { query: { keyId } })).list.map((row) => row.errorText)).toEqual([
    '没有启用对象 Nothing',
    '班组名称为空，上级要求必填',
    '上级没有此数据，无需删除',
  ])
  expect(await hand({ ...team, op: '3', key: 'd-0', data: {} })).toMatchObject({ result: 'stored' })
  expect(await hand({ ...team, op: '3', key: 'd-0', data: {} })).toMatchObject({ result: 'duplicate' })
  expect(await hand({ ...team, op: '3', key: 'e-0', data: {} })).toMatchObject({ code: 'E2002' })
  const count = await world.api.app.inject({
    method: 'GET',
    url: '/api/v1/open/docking/count',
    headers: { authorization: `Bearer ${key}` },
  })
  expect(count.json()).toMatchObject({ counts: { TeamMaster: 1 }, removed: { TeamMaster: 1 } })
  // The quota is per day; refused rows are stored, so they count.
  const used = () => world.database.kysely.selectFrom('dockingKey').select('dayBytes').where('id', '=', keyId).executeTakeFirstOrThrow()
  const before = Number((await used()).dayBytes)
  expect(await hand({ ...team, object: 'Nothing', key: 'g-0' })).toMatchObject({ code: 'E1004' })
  expect(Number((await used()).dayBytes) - before).toBeGreaterThan(500)
  await sql`update docking_key set day_bytes = ${dailyBytes} where id = ${keyId}`.execute(world.database.kysely)
  expect(await hand({ ...team, key: 'f-0' })).toMatchObject({ http: 429, code: 'E4029' })
  await sql`update docking_key set day = day - 1 where id = ${keyId}`.execute(world.database.kysely)
  expect(await hand({ ...team, key: 'f-0' })).toMatchObject({ result: 'stored' })
  const answers = await Promise.all(
    Array.from({ length: perMinute + 5 }, () =>
      world.api.app.inject({ method: 'GET', url: '/api/v1/open/docking/ping', headers: { authorization: `Bearer ${key}` } }),
    ),
  )
  expect(answers.some((answer) => answer.statusCode === 429)).toBe(true)
  await admin.call(below.revokeKey, { params: { id: keyId }, body: { version: (await seen())?.version ?? 0 } })
  expect(await hand(team)).toMatchObject({ http: 401, code: 'E4001' })
  expect((await (await settled.as('city-fang')).call(below.listKeys, { query: {} })).list).toEqual([])
  expect((await (await settled.as('hospital-pm')).ask(below.listKeys, { query: {} })).status).not.toBe(0)
})

test('another address asks for the secret again: what is never read back goes to nobody who only writes an address', async () => {
  const admin = await settled.as('admin')
  const row = await one()
  const { secret: _, ...fields } = body()
  const elsewhere = { ...fields, id, version: row?.version ?? 0, status: '01' as const, endpoint: 'http://127.0.0.1:9/elsewhere' }
  expect(await admin.ask(connections.changePlatform, { body: elsewhere })).toMatchObject({
    http: 400,
    message: '接口地址已改动，请重新填写接入密钥',
    data: { field: 'secret' },
  })
  expect((await one())?.endpoint).toBe(upper.url)
  await admin.call(connections.changePlatform, { body: { ...elsewhere, secret } })
  await change({ secret })
})

test('a project that was enrolled while a connection was stopped hands up all it has when that runs', async () => {
  await change({ projects: [], status: '02' })
  await sql`delete from docking_record where platform_id = ${id}`.execute(world.database.kysely)
  await change({ projects: [site], status: '02' })
  await fanOut(world.database.kysely, Date.now())
  const waiting = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from docking_record where platform_id = ${id}`.execute(world.database.kysely))
      .rows[0]?.n
  expect(await waiting()).toBe(0)
  await change({ projects: [site], status: '01' })
  while ((await fanOut(world.database.kysely, Date.now())) > 0);
  expect(await waiting()).toBeGreaterThan(20)
})

test('names of places are told as they are now, with what they stand in', async () => {
  const row = await one()
  expect(areaPath(row?.areaCode)).toBe(row?.areaName)
  const name = areaName(row?.areaCode)
  renameAreas({ [row?.areaCode ?? '']: '云泽市' })
  expect((await one())?.areaName).toMatch(/云泽市$/)
  expect(areaPath('420202')).toMatch(/云泽市/)
  renameAreas({ [row?.areaCode ?? '']: name ?? '' })
})

test('strangers are refused before a byte of their body is read, and after many refusals not heard for a while', async () => {
  await world.api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = world.api.app.server.address() as AddressInfo
  const stranger = (path: string, headers: string[] = []) =>
    callSlowly(port, [`POST ${path} HTTP/1.1`, 'content-type: application/json', 'content-length: 200000', ...headers], '{', 0)
  const unread = await Promise.all([
    stranger('/api/v1/open/docking/data'),
    stranger('/api/v1/open/docking/data', ['authorization: Bearer not-a-key-of-anybody']),
    stranger('/api/v1/open/dock/nobody'),
    stranger('/api/v1/open/dock/nobody', [`x-timestamp: ${Date.now()}`, `x-sign: ${'0'.repeat(64)}`]),
  ])
  for (const one of unread) expect(await one.answer).toMatch(/^HTTP\/1\.1 401[\s\S]*connection: close/i)
  for (const [url, words] of [
    ['/api/v1/open/docking/data', '核对接入密钥'],
    ['/api/v1/open/dock/nobody', '核对对接编号与签名'],
  ] as const) {
    const ask = () => world.api.app.inject({ method: 'POST', url, payload: {} })
    let answer = await ask()
    for (let i = 0; i < 150 && answer.statusCode === 401; i++) answer = await ask()
    expect(answer.statusCode).toBe(429)
    expect(answer.json().message).toContain(words)
  }
})
