import * as queue from '@zhugong/contract/docking/queue'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { startUpperPlatform, type UpperPlatform } from '../../docking-upper/upper-platform.ts'
import { pushAgain } from './fan-out.ts'
import { turnSending } from './sender.ts'
import { appKey, connect, enrol, runUntilQuiet, secret, secrets, senderFor } from './sending-for-test.ts'

let world: World
let city: CityWorld
let upper: UpperPlatform
let platformId = ''
/** The former and the next project. */
let [former, next] = ['', '']
const db = () => world.database.kysely
/** Processes all changes; a paused connection sends nothing. */
const reported = async () => {
  while ((await turnSending(senderFor(world))) > 0);
}
const quiet = () => runUntilQuiet(senderFor(world))

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  upper = await startUpperPlatform({ appKey, secret })
  const { rows } = await sql<{ code: string }>`
    select project_code as code from project_worker where exit_time is null and team_id is not null group by 1 order by count(*) limit 2`.execute(
    db(),
  )
  ;[former, next] = rows.map((row) => row.code) as [string, string]
  await sql`update worker set expiry_date = coalesce(expiry_date, '2040-01-01'), grant_org = coalesce(grant_org, '示范市公安局'), real_name_state = '1'`.execute(
    db(),
  )
  platformId = await connect(db(), upper)
  await enrol(db(), platformId, former)
  await quiet()
})
afterAll(async () => {
  await upper.stop()
  await world.close()
})

const [thenPhone, nowPhone, thenHome, nowHome] = ['13711110000', '13922220000', '云泽市旧街 1 号', '江城市新街 9 号']

/** A new person at the former project, as registered there; `over` overrides columns of the file. */
async function enters(over: Record<string, unknown> = {}): Promise<string> {
  const [worker, stay] = [newId(), newId()]
  await sql`
    insert into worker select (jsonb_populate_record(null::worker, to_jsonb(w) || jsonb_build_object('id', ${worker}::text, 'id_card_hash', ${worker}::text)
      || ${JSON.stringify(over)}::jsonb)).* from worker w join project_worker p on p.worker_id = w.id where p.project_code = ${former} and p.exit_time is null limit 1`.execute(
    db(),
  )
  await sql`update worker set cell_phone = ${secrets.seal(thenPhone)}, address = ${secrets.seal(thenHome)} where id = ${worker}`.execute(
    db(),
  )
  await staysAt(former, worker, stay)
  return worker
}
const staysAt = (project: string, worker: string, stay = newId(), confirmed: Date | null = new Date()) =>
  sql`
    insert into project_worker (id, project_code, worker_id, corp_code, team_id, work_role, work_type, entry_time, worker_name, gender, birthday, id_card_mask, id_card_hash, confirmed_at)
    select ${stay}, ${project}, w.id, t.corp_code, t.id, '20', '010', now() - interval '1 minute', w.name, w.gender, w.birthday, w.id_card_mask, w.id_card_hash, ${confirmed}::timestamptz
    from worker w, (select * from team where project_code = ${project} and exit_time is null limit 1) t where w.id = ${worker}`.execute(
    db(),
  )
const leaves = (worker: string) =>
  sql`update project_worker set exit_time = now() - interval '2 minutes', entry_time = now() - interval '1 hour' where worker_id = ${worker} and project_code = ${former}`.execute(
    db(),
  )
/** The next employer registers the person, and adds missing and new data to the file. */
async function movesOn(worker: string): Promise<void> {
  await staysAt(next, worker)
  await sql`update worker set cell_phone = ${secrets.seal(nowPhone)}, address = ${secrets.seal(nowHome)}, expiry_date = '2041-01-01' where id = ${worker}`.execute(
    db(),
  )
}
async function fileOf(worker: string) {
  const { rows } = await sql<{ id: string; uploadStatus: string; errorCode: string | null; errorText: string | null }>`
    select id, upload_status, error_code, error_text from docking_record where source_id = ${worker} and object_type = 'workerBase' order by seq`.execute(
    db(),
  )
  return rows
}
const lookAt = async (id: string) => {
  const { sent } = await (await city.as('admin')).call(queue.lookRecord, { params: { id }, body: { reason: '核对上传内容' } })
  return JSON.stringify(sent)
}
/** Which of these texts have been sent. */
async function wentUp(...words: string[]): Promise<string[]> {
  const { rows } = await sql<{ payload: Buffer }>`select payload from docking_attempt where payload is not null`.execute(db())
  const text = rows.map((row) => secrets.open(row.payload)).join('\n')
  return words.filter((word) => text.includes(word))
}

test('the file of somebody whose identity is not verified waits with all that follows it, and goes once it is', async () => {
  const worker = await enters({ real_name_state: '0' })
  await quiet()
  expect(await fileOf(worker)).toMatchObject([{ uploadStatus: '-1', errorCode: 'L005', errorText: '身份尚未核验，核验一致后自动上传' }])
  const stay = async () =>
    (
      await sql<{ uploadStatus: string }>`
    select upload_status from docking_record where object_type = 'projectWorker' and lane = ${`worker:${worker}`}`.execute(db())
    ).rows
  expect(await stay()).toEqual([{ uploadStatus: '0' }])
  await sql`update worker set real_name_state = '2' where id = ${worker}`.execute(db())
  await quiet()
  expect(await fileOf(worker)).toMatchObject([{ uploadStatus: '-1', errorCode: 'L005' }])
  await sql`update worker set real_name_state = '1' where id = ${worker}`.execute(db())
  await quiet()
  expect([...(await fileOf(worker)), ...(await stay())]).toMatchObject([{ uploadStatus: '1' }, { uploadStatus: '1' }])
})

test('what was wanting when he left is not made up from what his next employer wrote', async () => {
  const worker = await enters({ expiry_date: null })
  await quiet()
  const [record] = await fileOf(worker)
  expect(record).toMatchObject({ uploadStatus: '-1', errorCode: 'L001' })
  await leaves(worker)
  await movesOn(worker)
  await quiet()
  await pushAgain(db(), [record?.id ?? ''], Date.now())
  await quiet()
  expect(await fileOf(worker)).toEqual([expect.objectContaining({ uploadStatus: '-1', errorCode: 'L001' })])
  expect(await lookAt(record?.id ?? '')).not.toMatch(new RegExp(`${nowPhone}|${nowHome}`))
  expect(await wentUp(nowPhone, nowHome)).toEqual([])
})

test('what waited while he left goes as it was known then; so does his leaving', async () => {
  await sql`update docking_platform set paused = true where id = ${platformId}`.execute(db())
  const worker = await enters()
  await reported()
  await leaves(worker)
  await reported()
  await movesOn(worker)
  await reported()
  await sql`update docking_platform set paused = false where id = ${platformId}`.execute(db())
  await quiet()
  const [record] = await fileOf(worker)
  expect(record).toMatchObject({ uploadStatus: '1' })
  expect(await lookAt(record?.id ?? '')).toContain(thenPhone)
  expect(await wentUp(thenPhone, thenHome)).toEqual([thenPhone, thenHome])
  expect(await wentUp(nowPhone, nowHome)).toEqual([])
})

test('where nothing of then was kept, nothing is sent and it says why', async () => {
  const worker = await enters({ expiry_date: null })
  await quiet()
  const [record] = await fileOf(worker)
  // Like records from before this version.
  await sql`update docking_record set known = null where id = ${record?.id ?? ''}`.execute(db())
  await leaves(worker)
  await movesOn(worker)
  await pushAgain(db(), [record?.id ?? ''], Date.now())
  await quiet()
  expect(await fileOf(worker)).toEqual([
    expect.objectContaining({ uploadStatus: '-1', errorCode: 'L004', errorText: expect.stringContaining('已离开本项目') }),
  ])
  expect(await wentUp(nowPhone, nowHome)).toEqual([])
})

test('of somebody entered by his papers only these go up until he has passed the gate; then the file as it is', async () => {
  const [worker, stay] = [newId(), newId()]
  await sql`
    insert into worker select (jsonb_populate_record(null::worker, to_jsonb(w) || jsonb_build_object('id', ${worker}::text, 'id_card_hash', ${worker}::text))).*
    from worker w join project_worker p on p.worker_id = w.id where p.project_code = ${former} and p.exit_time is null limit 1`.execute(
    db(),
  )
  await sql`update worker set cell_phone = ${secrets.seal('13733330000')}, address = ${secrets.seal('云泽市别处 3 号')} where id = ${worker}`.execute(
    db(),
  )
  await sql`insert into worker_cert (id, worker_id, cert_type, name, cert_no, issue_date, valid_end, grant_org, status)
    values (${newId()}, ${worker}, '2', '别处登记的证', 'ELSE-1', '2026-01-05', '2030-01-05', '住建局', '1')`.execute(db())
  await staysAt(former, worker, stay, null)
  await quiet()
  const others = ['13733330000', '云泽市别处 3 号', 'ELSE-1']
  expect(await wentUp(...others)).toEqual([])
  const [record] = await fileOf(worker)
  expect(await lookAt(record?.id ?? '')).not.toMatch(new RegExp(others.join('|')))
  await sql`
    insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, attend_type, terminal_code, source, seq)
    values (${former}, ${stay}, ${stay}, ${worker}, now(), now(), '001', 'G1', '1', 1)`.execute(db())
  await quiet()
  expect(await wentUp(...others)).toEqual(others)
})
