import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { auditCert } from '@zhugong/contract/personnel/papers'
import { workerDetailInfo } from '@zhugong/contract/personnel/workers'
import * as mine from '@zhugong/contract/settings/my-person'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'

let world: World
let gateway: Server
let offset = 0
const sent: { phone: string; text: string }[] = []
let city: CityWorld
let me: Caller
let password: string
let worker: { id: string; number: string; phone: string }

const account = 'hospital-labour'

beforeAll(async () => {
  gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += String(part)
    })
    request.on('end', () => {
      sent.push(JSON.parse(body))
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const { port } = gateway.address() as AddressInfo
  world = await openCity(
    inject('postgresUrl'),
    { clock: { now: () => Date.now() + offset } },
    { environment: { SMS_URL: `http://127.0.0.1:${port}/sms`, OUTGOING_INSIDE: '127.0.0.0/8' } },
  )
  city = await settleCity(world)
  me = await city.as(account)
  password = city.accounts.find((one) => one.account === account)?.password ?? ''
  const secrets = createSecrets(testSecretKey)
  const { rows } = await world.database.pool.query<{ id: string; id_card_number: Buffer; cell_phone: Buffer }>(
    `select w.id, w.id_card_number, w.cell_phone from worker w join project_worker s on s.worker_id = w.id
     join project p using (project_code) join tenant t on t.code = p.project_code join member m on m.group_id = t.id join app_user u on u.id = m.user_id
     where u.account = $1 and s.exit_time is null and w.cell_phone is not null order by w.id limit 1`,
    [account],
  )
  const [row] = rows
  worker = { id: row?.id ?? '', number: secrets.open(row?.id_card_number) ?? '', phone: secrets.open(row?.cell_phone) ?? '' }
})
afterAll(async () => {
  await world.close()
  gateway.close()
})

const passwordOf = (one: string) => city.accounts.find((each) => each.account === one)?.password ?? ''
const claim = (who: string, change: object = {}) => ({
  idCardNumber: worker.number,
  cellPhone: worker.phone,
  password: passwordOf(who),
  ...change,
})
/** The last code sent to a phone. */
const codeSentTo = (phone: string) => /验证码 (\d{6})/.exec(sent.filter((one) => one.phone === phone).at(-1)?.text ?? '')?.[1]
const prove = async (who: string, change: object = {}) => (await city.as(who)).ask(mine.proveMyPerson, { body: claim(who, change) })
const linkAs = async (who: string, code: string | undefined) =>
  (await city.as(who)).ask(mine.linkMyPerson, { body: { ...claim(who), code } })
const named = (who: string) =>
  world.database.pool.query('update worker set name = (select name from app_user where account = $1) where id = $2', [who, worker.id])
/** A gate passage at the site of the current employer. */
let passes = 0
const pass = (project = '') =>
  world.database.pool.query(
    `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, source, seq)
     select s.project_code, $2, $2, s.worker_id, $3, $3, '001', 'G1', '1', 1 from project_worker s
     where s.worker_id = $1 and s.exit_time is null and ($4 = '' or s.project_code = $4) limit 1`,
    [worker.id, `pass${++passes}`, new Date(Date.now() + offset - 1_000), project],
  )
const namesakes = (who: string) =>
  world.database.pool.query('update app_user set name = (select name from worker where id = $1) where account = $2', [worker.id, who])

test('before a file is tied there is none, and nothing of it answers', async () => {
  expect(await me.call(mine.getMyPerson)).toEqual({ person: null })
  expect((await me.ask(mine.listMyCertificates)).message).toMatch(/尚未关联实名档案/)
})

test('a file is tied by name, number, phone and a code that only the phone in the file gets', async () => {
  const words = '未找到与账号姓名、证件号码和手机号一致的档案，请核对，或请项目劳务员核对档案'
  // The account has another name than the file: number and phone alone are not enough.
  expect((await prove(account)).message).toBe(words)
  await named(account)
  expect((await prove(account, { cellPhone: '13800000001' })).message).toBe(words)
  expect(await prove(account, { password: 'Wrong#Pass123' })).toMatchObject({ data: { field: 'password' } })
  // The employer, who created the account, knows the data in the file.
  expect(await linkAs(account, undefined)).toMatchObject({ data: { field: 'code' } })
  // The phone number in the file was entered by an employer: no SMS is sent before the person has passed a gate.
  await world.database.pool.query('delete from attendance_event where worker_id = $1', [worker.id])
  expect((await prove(account)).message).toMatch(/闸机/)
  expect(sent).toEqual([])
  await pass()
  expect(await prove(account)).toMatchObject({ status: 0, data: { way: 'phone' } })
  expect((await prove(account)).message).toMatch(/1 分钟后/)
  const code = codeSentTo(worker.phone)
  expect(await linkAs(account, code === '000000' ? '111111' : '000000')).toMatchObject({ data: { field: 'code' } })
  expect((await linkAs(account, code)).status).toBe(0)
  expect(await vi.waitUntil(() => sent.find((one) => one.text.includes('已关联账号')))).toMatchObject({ phone: worker.phone })
  const { person } = await me.call(mine.getMyPerson)
  expect(person).toMatchObject({ idCardMask: expect.stringMatching(/\*/), cellPhoneMask: expect.stringMatching(/\*/) })
  expect(JSON.stringify(person)).not.toContain(worker.number)
})

test('the whole of it is shown to its owner after his password', async () => {
  expect(await me.ask(mine.openMyPerson, { body: { password: 'Wrong#Pass123' } })).toMatchObject({ data: { field: 'password' } })
  const open = await me.call(mine.openMyPerson, { body: { password } })
  expect([open.idCardNumber, open.cellPhone]).toEqual([worker.number, worker.phone])
})

test('who looked at it is told, an authority as a body', async () => {
  const inspector = await city.as('yd-wang')
  await inspector
    .call(workerDetailInfo, { params: { id: worker.id }, query: { plain: 'idCardNumber', reason: '执法检查' } })
    .catch(() => undefined)
  const manager = await city.as('hospital-pm')
  await manager.call(workerDetailInfo, { params: { id: worker.id }, query: { plain: 'idCardNumber', reason: '核对证件' } })
  const { person } = await me.call(mine.getMyPerson)
  const { rows } = await world.database.pool.query<{ name: string; type: number }>(
    `select a.user_name as name, t.type from audit_log a join tenant t on t.id = a.group_id where a.object_id = $1 and a.action = 'look' and a.account <> $2`,
    [worker.id, account],
  )
  expect(person?.looks).toHaveLength(rows.length)
  expect(person?.looks.find((one) => one.summary.includes('核对证件'))?.viewer).toBe(rows.find((row) => row.type === 3)?.name)
  for (const row of rows.filter((one) => one.type === 1)) expect(person?.looks.map((one) => one.viewer)).not.toContain(row.name)
})

test('a certificate of one’s own goes to review, may be taken back until then, and takes no file of somebody else’s', async () => {
  const cert = { certType: '2', name: '安全生产考核证', certNo: 'OWN-2026-1', issueDate: '2026-01-05', grantOrg: '住建局' }
  const foreign = await world.database.pool.query<{ id: string }>(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
     select md5('foreign'), id, 'x.png', 'image/png', 1, '', 'x' from tenant where type = 2 limit 1 returning id`,
  )
  const own = await world.database.pool.query<{ id: string }>(
    `insert into stored_file (id, group_id, project_code, name, mime, bytes, sha256, create_by)
     select md5('own'), m.group_id, null, 'y.png', 'image/png', 1, '', u.id from member m join app_user u on u.id = m.user_id where u.account = $1 limit 1 returning id`,
    [account],
  )
  expect(await me.ask(mine.addMyCertificate, { body: { ...cert, files: [foreign.rows[0]?.id ?? ''] } })).toMatchObject({
    data: { field: 'files' },
  })
  const { id } = await me.call(mine.addMyCertificate, { body: { ...cert, files: [own.rows[0]?.id ?? ''] } })
  expect((await me.call(mine.listMyCertificates)).list.find((one) => one.id === id)).toMatchObject({ state: 'pending', own: true })
  // People may not approve their own certificates.
  expect((await me.ask(auditCert, { body: { id, result: '1' } })).status).not.toBe(0)
  await me.call(mine.withdrawMyCertificate, { params: { id } })
  expect((await me.call(mine.listMyCertificates)).list.some((one) => one.id === id)).toBe(false)
})

test('a clerk’s certificate is not the person’s to take back', async () => {
  const { rows } = await world.database.pool.query<{ id: string }>(
    `insert into worker_cert (id, worker_id, cert_type, name, cert_no, issue_date, grant_org, status, audit_status, create_by)
     values (md5('clerk'), $1, '4', '职称', 'C-77', '2026-01-01', '人社局', '1', '0', 'somebody') returning id`,
    [worker.id],
  )
  expect((await me.ask(mine.withdrawMyCertificate, { params: { id: rows[0]?.id ?? '' } })).message).toMatch(/只能撤回本人上传/)
})

test('an earlier job is told by oneself; stays of the platform are not one’s own to change', async () => {
  const job = { projectName: '老城改造', corpName: '某建筑公司', workType: '020', entryTime: '2019-03-01', exitTime: '2018-01-01' }
  expect(await me.ask(mine.addMyRecord, { body: job })).toMatchObject({ data: { field: 'exitTime' } })
  const { id } = await me.call(mine.addMyRecord, { body: { ...job, exitTime: '2019-12-01' } })
  const { list } = await me.call(mine.listMyRecords)
  expect(list.find((one) => one.id === id)?.source).toBe('own')
  const stay = list.find((one) => one.source === 'platform')
  expect(stay).toBeDefined()
  expect((await me.ask(mine.removeMyRecord, { params: { id: stay?.id ?? '' } })).status).not.toBe(0)
  await me.call(mine.removeMyRecord, { params: { id } })
})

test('what is held against somebody, and what he signed, are his to read', async () => {
  expect((await me.call(mine.listMyBadRecords)).list.every((one) => !('own' in one) && !('workerName' in one))).toBe(true)
  const { list, missing } = await me.call(mine.listMyContracts)
  expect(list.length + missing.length).toBeGreaterThan(0)
})

test('consent to the face is taken back with the picture', async () => {
  await world.database.pool.query(
    `update worker set face_photo = md5('own'), consents = '[{"kind":"face","state":"同意","version":"1.0","way":"纸质","time":"2026-01-01 08:00:00"}]' where id = $1`,
    [worker.id],
  )
  await me.call(mine.withdrawMyConsent, { body: { kind: 'face', password } })
  const { person } = await me.call(mine.getMyPerson)
  expect([person?.hasFacePhoto, person?.consents.find((one) => one.kind === 'face')?.state]).toEqual([false, '已撤回'])
})

test('untied, the account shows nothing any more', async () => {
  await me.call(mine.unlinkMyPerson)
  expect(await me.call(mine.getMyPerson)).toEqual({ person: null })
})

describe('a link to a person', () => {
  const linked = async (who: string) => (await (await city.as(who)).call(mine.getMyPerson)).person !== null

  test('is taken over by whoever answers the phone, and what went through the earlier account is told', async () => {
    const other = 'hospital-safety'
    await namesakes(other)
    expect((await prove(other)).status).toBe(0)
    expect((await linkAs(other, codeSentTo(worker.phone))).status).toBe(0)
    expect([await linked(account), await linked(other)]).toEqual([false, true])
    const { person } = await (await city.as(other)).call(mine.getMyPerson)
    const shown = person?.looks.map((look) => look.summary) ?? []
    expect(shown).toEqual(
      expect.arrayContaining([expect.stringContaining(`账号 ${account} 查看本人完整信息`), expect.stringContaining(account)]),
    )
  })

  test('ends with his stay where the account is his former employer’s, and its phone proves nothing any more', async () => {
    const { pool } = world.database
    const other = 'hospital-safety'
    await pool.query(`update project_worker set exit_time = now() where worker_id = $1 and exit_time is null`, [worker.id])
    expect(await linked(other)).toBe(false)
    const former = await city.as(other)
    const refused = await former.ask(mine.withdrawMyConsent, { body: { kind: 'face', password: passwordOf(other) } })
    expect(refused.message).toMatch(/尚未关联实名档案/)
    expect((await former.ask(mine.openMyPerson, { body: { password: passwordOf(other) } })).status).not.toBe(0)
    // A former employer may have entered the number; its account must not be linked.
    offset += 11 * 60_000
    const before = sent.length
    expect((await prove(other)).message).toMatch(/闸机/)
    await pool.query(
      `insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, source, seq)
       select project_code, 'after', 'after', worker_id, $2, $2, '001', 'G1', '1', 1 from project_worker where worker_id = $1 limit 1`,
      [worker.id, new Date(Date.now() + offset - 1_000)],
    )
    expect((await prove(other)).message).toMatch(/闸机/)
    expect(sent).toHaveLength(before)
    // Employed there again, and has passed the gate.
    await pool.query(
      `update project_worker set exit_time = null, confirmed_at = now() where id = (select id from project_worker where worker_id = $1 order by exit_time desc limit 1)`,
      [worker.id],
    )
    await pass()
    expect((await prove(other)).status).toBe(0)
    const code = codeSentTo(worker.phone)
    expect(await linkAs(other, code === '000000' ? '111111' : '000000')).toMatchObject({ data: { field: 'code' } })
    expect((await linkAs(other, code)).status).toBe(0)
    expect(await linked(other)).toBe(true)
  })
})
