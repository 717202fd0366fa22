import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { signWorkers } from '@zhugong/contract/personnel/batches'
import * as own from '@zhugong/contract/personnel/own-look'
import { workerContracts } from '@zhugong/contract/personnel/papers'
import * as entry from '@zhugong/contract/personnel/self-entry'
import { fillWorker, registerWorker, updateWorker, workerLooks } from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { idCard, newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { forgetOpenDoors } from './open-code.ts'

let world: World
let settled: CityWorld
let manager: Caller
let site: Site
let gateway: Server
const messages: { phone: string; text: string }[] = []

beforeAll(async () => {
  gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      messages.push(JSON.parse(body) as { phone: string; text: string })
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => gateway.once('listening', resolve))
  const { port } = gateway.address() as AddressInfo
  world = await openCity(
    inject('postgresUrl'),
    {},
    { environment: { SMS_URL: `http://127.0.0.1:${port}/sms`, OUTGOING_INSIDE: '127.0.0.0/8', PUBLIC_URL: 'https://site.example' } },
  )
  settled = await settleCity(world)
  manager = await settled.as('hospital-pm')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
})
afterAll(async () => {
  await world.close()
  gateway.close()
})

let phones = 0
const freshPhone = () => `1390077${String(++phones).padStart(4, '0')}`
const sentTo = (phone: string) => messages.filter((one) => one.phone === phone)
async function codeAt(phone: string): Promise<string> {
  await expect.poll(() => sentTo(phone).length).toBeGreaterThan(0)
  return /验证码 (\d{6})/.exec(sentTo(phone).at(-1)?.text ?? '')?.[1] ?? ''
}

async function openDoor(): Promise<string> {
  const door = await manager.call(entry.selfEntryDoor, { query: { projectCode: site.projectCode } })
  if (!door.isOpen)
    await manager.call(entry.setSelfEntryDoor, { body: { projectCode: site.projectCode, action: 'open', version: door.version } })
  return (await manager.call(entry.selfEntryDoor, { query: { projectCode: site.projectCode } })).key ?? ''
}
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex').toString('base64')

async function handIn(more: Record<string, unknown> = {}) {
  const key = await openDoor()
  const cellPhone = typeof more['cellPhone'] === 'string' ? more['cellPhone'] : freshPhone()
  await world.anonymous.call(entry.selfEntryCode, { body: { key, cellPhone } })
  const body = {
    key,
    cellPhone,
    code: await codeAt(cellPhone),
    name: '田自助',
    idCardNumber: idCard(),
    teamId: site.teamId,
    workType: '020',
    urgentLinkMan: '田家人',
    urgentLinkManPhone: freshPhone(),
    consentPersonal: true as const,
    consentFace: true,
    photo: jpeg,
    ...more,
  }
  return { body, ...(await world.anonymous.call(entry.handInSelfEntry, { body })) }
}
const waiting = async (idCardNumber: string) => {
  const { list } = await manager.call(entry.listSelfEntries, { query: { projectCode: site.projectCode, state: 'waiting', size: 100 } })
  const mask = `${idCardNumber.slice(0, 6)}`
  return list.filter((one) => one.idCardMask.startsWith(mask) && one.idCardMask.endsWith(idCardNumber.slice(-4)))
}
const today = () => new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

test('a worker hands in what he knows, the officer makes a person of it by the way of his own form, and nothing sealed stays behind', async () => {
  const { body, receipt } = await handIn()
  expect(await world.anonymous.call(entry.lookSelfEntry, { body: { receipt } })).toMatchObject({ state: 'waiting', reason: null })
  const [row] = await waiting(body.idCardNumber)
  expect(row).toMatchObject({ name: '田自助', phoneProved: true, hasPhoto: true, hints: [] })
  const shown = await manager.call(entry.getSelfEntry, { params: { id: row?.id ?? '' } })
  expect(JSON.stringify(shown)).not.toContain(body.idCardNumber)
  expect(JSON.stringify(shown)).not.toContain(body.cellPhone)
  const made = await manager.call(entry.decideSelfEntry, {
    params: { id: row?.id ?? '' },
    body: { action: 'accept', teamId: site.teamId, workType: '020', entryTime: today(), version: row?.version ?? 0 },
  })
  const { rows } = await world.database.pool.query(
    `select s.team_id, s.formal_status, w.name, w.consents from project_worker s join worker w on w.id = s.worker_id where s.id = $1`,
    [made.projectWorkerId],
  )
  expect(rows[0]).toMatchObject({ team_id: site.teamId, formal_status: '0', name: '田自助' })
  expect(rows[0]?.consents).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'personal', state: '同意', way: '手机确认' }),
      expect.objectContaining({ kind: 'face', state: '同意' }),
    ]),
  )
  const kept = await world.database.pool.query('select id_card_number, cell_phone, photo, urgent_phone from self_entry where id = $1', [
    row?.id,
  ])
  expect(kept.rows[0]).toEqual({ id_card_number: null, cell_phone: null, photo: null, urgent_phone: null })
  expect(await world.anonymous.call(entry.lookSelfEntry, { body: { receipt } })).toMatchObject({ state: 'accepted' })
})

test('whether a number is known is told to the officer and to nobody at the door', async () => {
  const known = newcomer(site, { name: '田在场' })
  await manager.call(registerWorker, { body: known })
  const { body, receipt } = await handIn({ name: '田在场', idCardNumber: known.idCardNumber })
  expect(receipt).toMatch(/^[A-HJ-NP-Z2-9]{10}$/)
  const [row] = await waiting(body.idCardNumber)
  expect(row?.hints).toContainEqual({ text: '已在本项目在场', stops: true })
  const refused = await manager.ask(entry.decideSelfEntry, {
    params: { id: row?.id ?? '' },
    body: { action: 'accept', teamId: site.teamId, workType: '020', entryTime: today(), version: row?.version ?? 0 },
  })
  expect(refused.message).toContain('在场')
  // The same ID number from another phone is another entry, shown as a duplicate; from the same phone it replaces the first.
  await handIn({ name: '田在场', idCardNumber: known.idCardNumber })
  expect((await waiting(body.idCardNumber)).map((one) => one.hints.some((h) => h.text.startsWith('同一证件号')))).toEqual([true, true])
})

test('what comes back says why, at the receipt and on the telephone, and is nobody’s any more', async () => {
  const { body, receipt } = await handIn({ name: '田退回' })
  const [row] = await waiting(body.idCardNumber)
  const decide = { params: { id: row?.id ?? '' }, body: { action: 'return' as const, reason: '照片不是本人', version: row?.version ?? 0 } }
  await manager.call(entry.decideSelfEntry, decide)
  expect(await world.anonymous.call(entry.lookSelfEntry, { body: { receipt } })).toMatchObject({
    state: 'returned',
    reason: '照片不是本人',
  })
  await expect.poll(() => sentTo(body.cellPhone).at(-1)?.text).toContain('照片不是本人')
  expect((await manager.ask(entry.decideSelfEntry, decide)).message).toContain('已退回')
  expect((await world.anonymous.ask(entry.lookSelfEntry, { body: { receipt: 'ABCDEFGH22' } })).message).toContain('没有此回执号')
})

test('a code is for one telephone, once; a wrong one, none, a minor and a photograph without consent are refused at the field', async () => {
  const { body } = await handIn({ name: '田一次' })
  const again = await world.anonymous.ask(entry.handInSelfEntry, { body })
  expect(again).toMatchObject({ status: 4, message: expect.stringContaining('验证码') })
  const key = await openDoor()
  const other = { ...body, key, cellPhone: freshPhone(), code: '000000' }
  expect((await world.anonymous.ask(entry.handInSelfEntry, { body: other })).status).toBe(4)
  for (const [field, more] of [
    ['idCardNumber', { idCardNumber: body.idCardNumber.replace(/.$/, (c) => (c === '1' ? '2' : '1')) }],
    ['idCardNumber', { idCardNumber: idCard('2015-01-01') }],
    ['photo', { consentFace: false }],
    ['consentPersonal', { consentPersonal: false }],
    ['urgentLinkManPhone', { urgentLinkManPhone: body.cellPhone }],
  ] as const) {
    const answer = await world.anonymous.ask(entry.handInSelfEntry, { body: { ...body, ...more } as never })
    expect([answer.status, JSON.stringify(answer)]).toEqual([2, expect.stringContaining(field)])
  }
  expect((await world.anonymous.ask(entry.selfEntryCode, { body: { key, cellPhone: body.cellPhone } })).status).toBe(0)
  expect((await world.anonymous.ask(entry.selfEntryCode, { body: { key, cellPhone: body.cellPhone } })).message).toContain('1 分钟')
})

test('a telephone is written to a few times a day at most', async () => {
  const key = await openDoor()
  const cellPhone = freshPhone()
  for (let i = 0; i < entry.selfEntryLimits.codesOfPhone; i++) {
    await world.database.pool.query('delete from one_time_code')
    await world.anonymous.call(entry.selfEntryCode, { body: { key, cellPhone } })
  }
  await world.database.pool.query('delete from one_time_code')
  const more = await world.anonymous.ask(entry.selfEntryCode, { body: { key, cellPhone } })
  expect(more.message).toContain('一天最多')
  expect(sentTo(cellPhone)).toHaveLength(entry.selfEntryLimits.codesOfPhone)
})

test('a renewed code lets the posters of before die, a closed one all; the sheet is drawn while it is open', async () => {
  const key = await openDoor()
  const at = { query: { projectCode: site.projectCode } }
  const poster = await world.api.app.inject({
    url: `${entry.selfEntryPoster.path}?projectCode=${site.projectCode}`,
    headers: { token: manager.token, group: '*' },
  })
  expect([poster.statusCode, poster.headers['content-type']]).toEqual([200, 'application/pdf'])
  const turn = async (action: 'open' | 'close' | 'renew') => {
    const { version } = await manager.call(entry.selfEntryDoor, at)
    return manager.call(entry.setSelfEntryDoor, { body: { projectCode: site.projectCode, action, version } })
  }
  await turn('renew')
  expect((await world.anonymous.ask(entry.openSelfEntry, { body: { key } })).message).toContain('无效或已更换')
  const renewed = await openDoor()
  expect(renewed).not.toBe(key)
  expect(await world.anonymous.call(entry.openSelfEntry, { body: { key: renewed } })).toMatchObject({ sms: true })
  await turn('close')
  expect((await world.anonymous.ask(entry.openSelfEntry, { body: { key: renewed } })).status).toBe(4)
  await turn('open')
  expect((await world.anonymous.ask(entry.openSelfEntry, { body: { key: renewed } })).status).toBe(4)
  const forged = `${site.projectCode}.${'0'.repeat(24)}`
  expect((await world.anonymous.ask(entry.openSelfEntry, { body: { key: forged } })).status).toBe(4)
})

test('what waited too long is gone, with the counts of days that are over', async () => {
  const { body } = await handIn({ name: '田太久' })
  await world.database.pool.query(`update self_entry set create_time = now() - interval '31 days' where name = '田太久'`)
  await world.database.pool.query(`insert into open_use (subject, day, n) values ('old', current_date - 10, 1)`)
  await forgetOpenDoors(world.database.kysely, Date.now())
  expect(await waiting(body.idCardNumber)).toEqual([])
  expect((await world.database.pool.query(`select 1 from open_use where subject = 'old'`)).rowCount).toBe(0)
})

async function onSite(name: string, cellPhone: string) {
  const body = newcomer(site, { name, cellPhone })
  const made = await manager.call(registerWorker, { body })
  return { ...made, idCardNumber: body.idCardNumber as string }
}
async function enter(cellPhone: string, last6?: string) {
  await world.database.pool.query('delete from one_time_code')
  const before = sentTo(cellPhone).length
  await world.anonymous.call(own.ownLookCode, { body: { cellPhone } })
  await expect.poll(() => sentTo(cellPhone).length).toBe(before + 1)
  return world.anonymous.ask(own.openOwnLook, { body: { cellPhone, code: await codeAt(cellPhone), ...(last6 ? { last6 } : {}) } })
}
const month = () => today().slice(0, 7)

test('a worker reads his own month and contract by the telephone of his file, and the look stands in his file', async () => {
  const cellPhone = freshPhone()
  const him = await onSite('田本人', cellPhone)
  await manager.call(signWorkers, {
    body: {
      ids: [him.projectWorkerId ?? ''],
      codePrefix: '本人-',
      contractKind: '1',
      contractPeriodType: '1',
      paymentType: '2',
      salary: 32_000,
      payDay: 15,
      signDate: today(),
    },
  })
  await world.database.pool.query(
    `insert into attendance_day (project_code, worker_id, work_day, stay_id, corp_code, first_in, last_out, work_hours, attend_day, results, record_count,
       expected, rules_version, setting_version)
     values ($1, $2, $3::date, $4, $5, $3::date + interval '7 hours', $3::date + interval '17 hours', 9.5, 1, '{1}', 2, true, 'x', 'x')
     on conflict (project_code, worker_id, work_day) do update set work_hours = 9.5, attend_day = 1, results = '{1}', record_count = 2`,
    [site.projectCode, him.workerId, today(), him.projectWorkerId, site.corpCode],
  )
  const { data } = await enter(cellPhone)
  expect(data.needsLast6).toBe(false)
  const read = await world.anonymous.call(own.readOwnLook, { body: { token: data.token ?? '', month: month() } })
  expect(read).toMatchObject({
    name: '田本人',
    stays: [
      { attendDays: 1, hours: 9.5, days: [{ mark: '√', workDay: today() }], contracts: [{ contractCode: '本人-0001', salary: 32_000 }] },
    ],
  })
  const looks = await manager.call(workerLooks, { params: { id: him.workerId } })
  expect(looks.map((one) => one.summary)).toContain('本人凭手机验证码查看考勤与合同')
  await world.anonymous.call(own.closeOwnLook, { body: { token: data.token ?? '' } })
  expect((await world.anonymous.ask(own.readOwnLook, { body: { token: data.token ?? '', month: month() } })).status).toBe(4)
})

test('a number that was written before a stay began shows nothing of that stay, until the site enters it itself', async () => {
  const cellPhone = freshPhone()
  const him = await onSite('田先前', cellPhone)
  await world.database.pool.query(`update worker set phone_written_at = now() - interval '2 hours' where id = $1`, [him.workerId])
  const { data } = await enter(cellPhone)
  const read = async () => (await world.anonymous.call(own.readOwnLook, { body: { token: data.token ?? '', month: month() } })).stays
  expect(await read()).toEqual([])
  const { version } = await manager.call(fillWorker, { params: { id: him.workerId } })
  await manager.call(updateWorker, { params: { id: him.workerId }, body: { cellPhone, version } })
  expect(await read()).toHaveLength(1)
})

test('of two people with one telephone each proves the end of his number, and reads nobody else', async () => {
  const cellPhone = freshPhone()
  const one = await onSite('田甲', cellPhone)
  const two = await onSite('田乙', cellPhone)
  expect((await enter(cellPhone)).data).toMatchObject({ token: null, needsLast6: true })
  expect((await enter(cellPhone, '00000X')).message).toContain('后 6 位')
  for (const [who, name] of [
    [one, '田甲'],
    [two, '田乙'],
  ] as const) {
    const { data } = await enter(cellPhone, who.idCardNumber.slice(-6))
    const read = await world.anonymous.call(own.readOwnLook, { body: { token: data.token ?? '', month: month() } })
    expect([read.name, read.stays.map((s) => s.id)]).toEqual([name, [who.projectWorkerId]])
  }
})

test('another telephone, another code, a forged or ended token open nothing; a stranger’s number is answered as any other', async () => {
  const cellPhone = freshPhone()
  await onSite('田守门', cellPhone)
  const stranger = freshPhone()
  expect(await world.anonymous.call(own.ownLookCode, { body: { cellPhone: stranger } })).toEqual({ minutes: entry.codeMinutes })
  expect((await world.anonymous.ask(own.openOwnLook, { body: { cellPhone: stranger, code: '123456' } })).status).toBe(4)
  const { data } = await enter(cellPhone)
  const token = data.token ?? ''
  expect((await world.anonymous.ask(own.readOwnLook, { body: { token: `${token}x`, month: month() } })).status).toBe(4)
  await world.database.pool.query(`update own_look set expires_at = now() - interval '1 second'`)
  expect((await world.anonymous.ask(own.readOwnLook, { body: { token, month: month() } })).message).toContain('已到时')
  // A code of the self-registration does not open a file.
  const key = await openDoor()
  await world.database.pool.query('delete from one_time_code')
  await world.anonymous.call(entry.selfEntryCode, { body: { key, cellPhone } })
  const code = await codeAt(cellPhone)
  expect((await world.anonymous.ask(own.openOwnLook, { body: { cellPhone, code } })).status).toBe(4)
  expect(sentTo(stranger)).toEqual([])
})

test('many are signed at once: numbers run on over those who are signed, and each who is not says why', async () => {
  const [a, b, c] = await Promise.all(['章签甲', '章签乙', '章签丙'].map((name) => onSite(name, freshPhone())))
  const ids = [a, b, c].map((one) => one?.projectWorkerId ?? '')
  const prefix = `批签-${Date.now() % 10_000}-`
  const terms = {
    codePrefix: prefix,
    codeFrom: 7,
    contractKind: '1',
    contractPeriodType: '1',
    paymentType: '2',
    salary: 30_000,
    payDay: 15,
    signDate: today(),
  }
  const first = await manager.call(signWorkers, { body: { ids: [ids[1] ?? ''], ...terms } })
  expect(first).toEqual({ done: 1, failed: [] })
  const rest = await manager.call(signWorkers, { body: { ids, ...terms } })
  expect(rest.done).toBe(2)
  expect(rest.failed).toEqual([{ id: ids[1], name: '章签乙', message: expect.stringContaining(`已有合同 ${prefix}0007`) }])
  const codes = await Promise.all(
    [a, c].map(async (one) =>
      (await manager.call(workerContracts, { params: { id: one?.workerId ?? '' } })).list.map((k) => [k.contractCode, k.startDate]),
    ),
  )
  expect(codes).toEqual([[[`${prefix}0008`, today()]], [[`${prefix}0009`, today()]]])
  const late = await onSite('章签丁', freshPhone())
  const tomorrow = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10)
  const refused = await manager.call(signWorkers, { body: { ids: [late.projectWorkerId ?? ''], ...terms, startDate: tomorrow } })
  expect(refused.failed[0]?.message).toContain('晚于进场')
  await manager.call(exitWorkers, { body: { ids: [late.projectWorkerId ?? ''], exitTime: today(), exitReason: '1' } })
  expect((await manager.call(signWorkers, { body: { ids: [late.projectWorkerId ?? ''], ...terms } })).failed[0]?.message).toBe('已经退场')
})
