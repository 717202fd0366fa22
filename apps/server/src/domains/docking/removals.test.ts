import * as queue from '@zhugong/contract/docking/queue'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { startUpperPlatform, type UpperPlatform } from '../../docking-upper/upper-platform.ts'
import { deliveredFields } from './convert.ts'
import { appKey, connect, enrol, passGates, runUntilQuiet, secret, senderFor } from './sending-for-test.ts'
import { keptAbove } from './sources.ts'

let world: World
let upper: UpperPlatform
let site = ''
let platformId = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  await settleCity(world)
  upper = await startUpperPlatform({ appKey, secret })
  const { rows } = await sql<{ code: string }>`
    select project_code as code from project_worker where exit_time is null and team_id is not null group by 1 order by count(*) limit 1`.execute(
    db(),
  )
  site = rows[0]?.code ?? ''
  await sql`update worker set expiry_date = coalesce(expiry_date, '2040-01-01'), grant_org = coalesce(grant_org, '示范市公安局')`.execute(
    db(),
  )
  platformId = await connect(db(), upper)
  await enrol(db(), platformId, site)
  await quiet()
})
afterAll(async () => {
  await upper.stop()
  await world.close()
})
beforeEach(() => {
  upper.faults.refuse = undefined
})

const db = () => world.database.kysely
const quiet = () => runUntilQuiet(senderFor(world))
const rowsOf = async (sourceId: string) =>
  (
    await sql<{
      op: string
      uploadStatus: string
      errorText: string | null
      errorCode: string | null
      objectType: string
      waitFor: string | null
    }>`
    select op, upload_status, error_text, error_code, object_type, wait_for from docking_record where source_id = ${sourceId} order by seq`.execute(
      db(),
    )
  ).rows
const short = async (sourceId: string) => (await rowsOf(sourceId)).map((row) => `${row.op}:${row.uploadStatus}`)
/** What the upper platform received since a mark, in order. */
const since = (mark: number) => upper.held.slice(mark).map(({ object, op }) => `${object} ${op}`)

/** A team with one worker, registered and sent. */
async function newcomer() {
  const [team, worker, stay, entry] = [newId(), newId(), newId(), newId()]
  await addTeam(team)
  await addPerson(worker)
  await addStay(stay, worker, team)
  await sql`
    insert into entry_exit_history (id, project_code, worker_id, corp_code, project_worker_id, type, date, source)
    select ${entry}, project_code, worker_id, corp_code, id, '1', entry_time, '1' from project_worker where id = ${stay}`.execute(db())
  return { team, worker, stay, entry }
}
const addTeam = (team: string) =>
  sql`
    insert into team (id, project_code, corp_code, team_name, work_type, responsible_person_name, entry_time)
    select ${team}, ${site}, corp_code, ${`临时班组${team.slice(-6)}`}, '010', '王五', '2026-11-01' from team where project_code = ${site} limit 1`.execute(
    db(),
  )
const addPerson = (worker: string) =>
  sql`
    insert into worker select (jsonb_populate_record(null::worker, to_jsonb(w) || jsonb_build_object('id', ${worker}::text, 'id_card_hash', ${worker}::text))).*
    from worker w join project_worker p on p.worker_id = w.id where p.project_code = ${site} and p.exit_time is null limit 1`.execute(db())
const addStay = (stay: string, worker: string, team: string) =>
  sql`
    insert into project_worker (id, project_code, worker_id, corp_code, team_id, work_role, work_type, entry_time, worker_name, gender, birthday, id_card_mask, id_card_hash)
    select ${stay}, ${site}, w.id, t.corp_code, t.id, '20', '010', now() - interval '1 hour', w.name, w.gender, w.birthday, w.id_card_mask, w.id_card_hash
    from worker w, team t where w.id = ${worker} and t.id = ${team}`.execute(db())

/** The last payload sent for a source row. */
async function lastSent(sourceId: string): Promise<unknown> {
  const { rows } = await sql<{ payload: Buffer }>`
    select a.payload from docking_record r join docking_attempt a on a.record_id = r.id where r.source_id = ${sourceId} and a.payload is not null
    order by a.at desc limit 1`.execute(db())
  return (JSON.parse(senderFor(world).secrets.open(rows[0]?.payload) ?? '{}') as { data: unknown }).data
}
/** A mapping of the codes of a field. */
const mapped = (type: 'attendanceRecord', source: string, codes: Record<string, string>) =>
  db()
    .insertInto('dockingMapping')
    .values({
      platformId,
      objectType: type,
      version: 1,
      fields: JSON.stringify(deliveredFields(type).map((field) => (field.source === source ? { ...field, codes } : field))),
      createTime: new Date(),
      createBy: 'a',
    })
    .execute()

test('what was entered by mistake is deleted above: once, dependants first, with what it is known by and no more', async () => {
  const made = await newcomer()
  await quiet()
  expect(upper.stands('ProjectWorker', made.stay)).toBe(true)
  const mark = upper.held.length
  await sql`delete from project_worker where id = ${made.stay}`.execute(db())
  await sql`delete from worker where id = ${made.worker}`.execute(db())
  await sql`delete from team where id = ${made.team}`.execute(db())
  await quiet()
  expect(since(mark).filter((line) => !line.startsWith('TeamMaster'))).toEqual(['EntryExitHistory 3', 'ProjectWorker 3', 'WorkerMaster 3'])
  // The team is deleted after its worker.
  expect(since(mark).indexOf('TeamMaster 3')).toBeGreaterThan(since(mark).indexOf('ProjectWorker 3'))
  expect(upper.stands('TeamMaster', made.team)).toBe(false)
  expect(await short(made.stay)).toEqual(['1:1', '3:1'])
  const { rows } = await sql<{ receiptNo: string; payload: Buffer }>`
    select r.receipt_no, a.payload from docking_record r join docking_attempt a on a.record_id = r.id where r.source_id = ${made.stay} and r.op = '3'`.execute(
    db(),
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.receiptNo).toMatch(/^R/)
  const sent = JSON.parse(senderFor(world).secrets.open(rows[0]?.payload) ?? '{}') as { data: Record<string, string> }
  expect(Object.keys(sent.data).sort()).toEqual(['corpCode', 'idCardNumber', 'idCardType', 'projectCode', 'teamSysNo'])
  await quiet()
  expect(since(mark)).toHaveLength(4)
})

test('what never stood above is let go without a word; what was refused there as well', async () => {
  const mark = upper.held.length
  const first = await newcomer()
  await sql`delete from project_worker where id = ${first.stay}`.execute(db())
  await quiet()
  expect(await rowsOf(first.stay)).toEqual([])
  const second = await newcomer()
  upper.faults.refuse = (row) => (row.object === 'ProjectWorker' ? { code: 'E3001', message: '核验不一致' } : undefined)
  await quiet()
  expect(await short(second.stay)).toEqual(['1:-1'])
  await sql`delete from project_worker where id = ${second.stay}`.execute(db())
  await quiet()
  expect(await rowsOf(second.stay)).toEqual([])
  // Later records of the lane are released or deleted.
  expect(await rowsOf(second.entry)).toEqual([])
  expect(since(mark).some((line) => line.endsWith(' 3'))).toBe(false)
})

test('a deletion that is refused says why in words, holds the gang back, and goes when it is pushed; one that is not there above is done', async () => {
  const made = await newcomer()
  await quiet()
  upper.faults.refuse = (row) => (row.op === '3' && row.object === 'ProjectWorker' ? { code: 'E2003', message: 'referenced' } : undefined)
  await sql`delete from project_worker where id = ${made.stay}`.execute(db())
  await sql`delete from team where id = ${made.team}`.execute(db())
  await quiet()
  expect((await rowsOf(made.stay)).at(-1)).toMatchObject({
    op: '3',
    uploadStatus: '-1',
    errorText: '上级还有引用此数据的后续数据，不能删除',
  })
  expect((await rowsOf(made.team)).at(-1)).toMatchObject({ op: '3', uploadStatus: '0', waitFor: expect.stringMatching(/未成功/) })
  upper.faults.refuse = (row) => (row.op === '3' && row.object === 'ProjectWorker' ? { code: 'E2002', message: 'not there' } : undefined)
  await sql`update docking_record set upload_status = '0', due_at = now() where source_id = ${made.stay} and upload_status = '-1'`.execute(
    db(),
  )
  await quiet()
  expect(await short(made.stay)).toEqual(['1:1', '3:1'])
  expect(await short(made.team)).toEqual(['1:1', '3:1'])
  const { rows } = await sql<{ outcome: string }>`
    select outcome from docking_attempt a join docking_record r on r.id = a.record_id where r.source_id = ${made.stay} and r.op = '3' order by a.at`.execute(
    db(),
  )
  expect(rows.map((row) => row.outcome)).toEqual(['refused', 'absent'])
})

test('what goes and comes back while its deletion waits is a change; a change that waits gives way to the deletion', async () => {
  const { rows } = await sql<{ id: string }>`
    select c.id from worker_contract c where c.project_code = ${site} and c.terminate_date is null order by c.id limit 1`.execute(db())
  const id = rows[0]?.id ?? ''
  upper.faults.refuse = (row) => (row.object === 'WorkerContractRule' ? { code: 'E1003', message: 'no' } : undefined)
  await sql`update worker_contract set terminate_date = '2026-11-20', terminate_reason = '本人辞职' where id = ${id}`.execute(db())
  await quiet()
  expect(await short(id)).toEqual(['1:1', '2:-1'])
  upper.faults.refuse = undefined
  const copy = await sql<{ row: unknown }>`select to_jsonb(c) as row from worker_contract c where id = ${id}`.execute(db())
  await sql`delete from worker_contract where id = ${id}`.execute(db())
  await quiet()
  expect(await short(id)).toEqual(['1:1', '3:1'])
  await sql`insert into worker_contract select (jsonb_populate_record(null::worker_contract, jsonb_strip_nulls(${JSON.stringify(copy.rows[0]?.row)}::jsonb))).*`.execute(
    db(),
  )
  await quiet()
  expect(await short(id)).toEqual(['1:1', '3:1', '1:1'])
  expect(upper.stands('WorkerContractRule', id)).toBe(true)
})

const fix = (id: string, kind: string, worker: string | null, target: string | null, more: object = {}, state = '2') =>
  sql`
    insert into attendance_correction (id, project_code, worker_id, kind, state, value, requested_by, requested_at, approved_by, approved_at)
    values (${id}, ${site}, ${worker}, ${kind}, ${state}, ${JSON.stringify({ target, ...more })}, 'a', now(), 'b', now())`.execute(db())

test('a passage that is annulled goes, comes back when that is revoked, and is changed where it was corrected', async () => {
  await passGates(db(), site, 3, 50_000)
  await quiet()
  const key = `${site}/e50002`
  expect(await short(key)).toEqual(['1:1'])
  const annulled = newId()
  await fix(annulled, 'void', null, 'e50002', {}, '1')
  await quiet()
  expect(await short(key)).toEqual(['1:1'])
  await sql`update attendance_correction set state = '2' where id = ${annulled}`.execute(db())
  await quiet()
  expect(await short(key)).toEqual(['1:1', '3:1'])
  await fix(newId(), 'revoke', null, annulled)
  await quiet()
  expect(await short(key)).toEqual(['1:1', '3:1', '1:1'])
  await fix(newId(), 'direction', null, 'e50002', { direction: '02' })
  await quiet()
  expect(await short(key)).toEqual(['1:1', '3:1', '1:1', '2:1'])
})

const stranger = (id: string, workerId: string | null, seconds: number, quarantine: string | null = null) =>
  sql`
    insert into attendance_event (project_code, id, dedup_key, worker_id, time, received_at, direction, attend_type, terminal_code, source, seq, quarantine)
    values (${site}, ${id}, ${id}, ${workerId}, now() + make_interval(secs => ${seconds}), now(), '01', '001', 'G1', '1', ${80_000 + seconds}, ${quarantine})`.execute(
    db(),
  )

test('a passage goes up when its person is known: after his file and his stay, in the order of the times', async () => {
  const { team } = await newcomer()
  const [worker, stay] = [newId(), newId()]
  await stranger('late-2', worker, 20)
  await stranger('late-1', worker, 10)
  await stranger('nobody', null, 30)
  await stranger('held', worker, 40, 'clockAhead')
  await quiet()
  for (const id of ['late-1', 'late-2', 'nobody', 'held']) expect(await rowsOf(`${site}/${id}`)).toEqual([])
  const mark = upper.held.length
  await addPerson(worker)
  await addStay(stay, worker, team)
  await quiet()
  expect(since(mark)).toEqual(['WorkerMaster 1', 'ProjectWorker 1', 'WorkerAttendance 1', 'WorkerAttendance 1'])
  expect(upper.held.slice(-2).map((one) => one.businessId)).toEqual([`${site}/late-1`, `${site}/late-2`])
  await fix(newId(), 'assign', worker, 'nobody')
  await fix(newId(), 'release', worker, 'held', { shiftMs: -1_000 })
  await quiet()
  expect(await short(`${site}/nobody`)).toEqual(['1:1'])
  expect(await short(`${site}/held`)).toEqual(['1:1'])
  // The next stay does not send them again.
  await sql`update project_worker set exit_time = now() where id = ${stay}`.execute(db())
  await addStay(newId(), worker, team)
  await quiet()
  expect(await short(`${site}/late-1`)).toEqual(['1:1'])
})

test('a passage entered by hand goes up once it is approved, with what corrects it, and goes when it is taken back', async () => {
  const { rows } = await sql<{ worker: string }>`
    select worker_id as worker from project_worker where project_code = ${site} and exit_time is null and team_id is not null order by id limit 1`.execute(
    db(),
  )
  const worker = rows[0]?.worker ?? ''
  const added = newId()
  const time = Math.floor(Date.now() / 1000) * 1000 + 120_000
  await fix(added, 'add', worker, null, { time, direction: '02' }, '1')
  await quiet()
  expect(await short(`${site}/${added}`)).toEqual([])
  await sql`update attendance_correction set state = '2' where id = ${added}`.execute(db())
  await quiet()
  // It has no upper platform code until one is mapped.
  expect(await short(`${site}/${added}`)).toEqual(['1:-1'])
  expect((await rowsOf(`${site}/${added}`))[0]).toMatchObject({ errorCode: 'L002', errorText: expect.stringMatching(/没有对应的上级码/) })
  await mapped('attendanceRecord', 'attendType', { '014': '011' })
  await sql`update docking_record set upload_status = '0', due_at = now() where source_id = ${`${site}/${added}`}`.execute(db())
  await quiet()
  expect(await short(`${site}/${added}`)).toEqual(['1:1'])
  expect(await lastSent(`${site}/${added}`)).toMatchObject({
    attendType: '011',
    direction: '02',
    projectCode: site,
    teamSysNo: expect.anything(),
  })
  await fix(newId(), 'direction', null, added, { direction: '01' })
  await quiet()
  expect(await lastSent(`${site}/${added}`)).toMatchObject({ direction: '01' })
  const back = newId()
  await fix(back, 'revoke', null, added)
  await quiet()
  expect(await short(`${site}/${added}`)).toEqual(['1:1', '2:1', '3:1'])
  expect(upper.stands('WorkerAttendance', `${site}/${added}`)).toBe(false)
  // The withdrawal itself is withdrawn.
  await fix(newId(), 'revoke', null, back)
  await quiet()
  expect(upper.stands('WorkerAttendance', `${site}/${added}`)).toBe(true)
  const early = newId()
  await fix(early, 'add', worker, null, { time: time - 30 * 86_400_000, direction: '01' })
  await quiet()
  expect(await short(`${site}/${early}`)).toEqual([])
})

test('a project that leaves a connection stops; when it comes back, what went meanwhile goes above as well', async () => {
  const { stay } = await newcomer()
  await quiet()
  const mark = upper.held.length
  await sql`delete from docking_enrol where platform_id = ${platformId} and project_code = ${site}`.execute(db())
  await sql`update project_worker set exit_time = now() where id = ${stay}`.execute(db())
  const { rows } = await sql<{ id: string }>`
    select c.id from worker_contract c where c.project_code = ${site} and c.terminate_date is null order by c.id desc limit 1`.execute(db())
  const contract = rows[0]?.id ?? ''
  await sql`delete from worker_contract where id = ${contract}`.execute(db())
  const gone = newId()
  await addTeam(gone)
  await quiet()
  expect(since(mark)).toEqual([])
  expect(await short(gone)).toEqual([])
  await enrol(db(), platformId, site)
  await keptAbove(platformId, site).execute(db())
  await quiet()
  expect(await short(stay)).toEqual(['1:1', '2:1'])
  expect(await short(gone)).toEqual(['1:1'])
  expect((await short(contract)).at(-1)).toBe('3:1')
})

test('a project that is taken away is deleted above with all that stands there of it, and nothing else is', async () => {
  const code = `${site.slice(0, -4)}9876`
  await sql`
    insert into project select (jsonb_populate_record(null::project, to_jsonb(p) || jsonb_build_object('id', ${newId()}::text, 'project_code', ${code}::text, 'name', '筹备中的项目'))).*
    from project p where p.project_code = ${site}`.execute(db())
  const part = newId()
  await sql`
    insert into project_corp select (jsonb_populate_record(null::project_corp, to_jsonb(c) || jsonb_build_object('id', ${part}::text, 'project_code', ${code}::text))).*
    from project_corp c where c.project_code = ${site} limit 1`.execute(db())
  await enrol(db(), platformId, code)
  await quiet()
  expect([upper.stands('ProjectMaster', code), upper.stands('ProjectSubContractor', part)]).toEqual([true, true])
  const mark = upper.held.length
  await sql`delete from project_corp where project_code = ${code}`.execute(db())
  await sql`delete from project where project_code = ${code}`.execute(db())
  await quiet()
  expect(since(mark)).toEqual(['ProjectSubContractor 3', 'ProjectMaster 3'])
  expect([upper.stands('ProjectMaster', code), upper.stands('ProjectMaster', site)]).toEqual([false, true])
  const admin = await (await settleCity(world)).as('admin')
  const listed = await admin.call(queue.listRecords, { query: { objectType: 'project', op: '3' } })
  expect(listed.list).toMatchObject([{ projectName: code, uploadStatus: '1' }])
})

test('deletions are counted by themselves, here and above', async () => {
  const { rows } = await sql<{ removed: number; accepted: number }>`
    select sum(removed)::int as removed, sum(accepted)::int as accepted from docking_day where platform_id = ${platformId}`.execute(db())
  const [above] = [Map.groupBy(upper.held, (one) => one.op === '3')]
  expect(rows[0]).toEqual({ removed: above.get(true)?.length, accepted: above.get(false)?.length })
})
