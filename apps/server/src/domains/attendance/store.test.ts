import { rehearseInput } from '@zhugong/contract/attendance/rehearsal'
import type { City } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'
import { dedupKey } from './engine/identity.ts'
import { rehearse } from './engine/rehearse.ts'
import { addDays, datesFrom, textOf } from './engine/time.ts'
import type { GateRecord } from './gate-record.ts'
import { ingestGateRecords } from './ingest-events.ts'
import { verifyStored } from './ledger-views.ts'
import { passage, passagesOf } from './passages-for-test.ts'
import { openDays, queueDueDays, rebuildProject, recomputeDirty } from './recompute.ts'
import { closeRoots } from './roots.ts'

const now = Date.parse('2026-11-20T20:00:00+08:00')
const clock = { now: () => now }
const take = (world: World, batch: readonly GateRecord[]) =>
  world.database.kysely.transaction().execute((tx) => ingestGateRecords(tx, batch, now))
const verify = (world: World, projectCode: string) => verifyStored(world.database.kysely, projectCode, undefined, undefined, true)
const daysOf = async (world: World, projectCode: string) =>
  (
    await world.database.pool.query(
      `select worker_id, work_day::text, first_in, last_out, work_hours, attend_day, results, record_count, parts, expected, settled, at_close
       from attendance_day where project_code = $1 order by 1, 2`,
      [projectCode],
    )
  ).rows

async function site() {
  const world = await openCity(inject('postgresUrl'))
  const { city } = await settleCity(world)
  const project = city.projects.find((p) => p.prjStatus === '003')!
  return {
    world,
    city,
    projectCode: project.projectCode,
    gates: city.devices.filter((d) => d.projectCode === project.projectCode && d.family === 'faceGate').map((d) => d.deviceSn),
  }
}

describe('gate records', () => {
  let world: World
  let city: City
  let projectCode: string
  let gates: string[]
  beforeAll(async () => {
    ;({ world, city, projectCode, gates } = await site())
  })
  afterAll(() => world.close())

  test('the same batch twice is stored once, and its chain is sound', async () => {
    const batch = passagesOf(city, projectCode, ['2026-11-18'])
    expect(batch.length).toBeGreaterThan(300)
    expect(await take(world, batch)).toMatchObject({ accepted: batch.length, duplicated: 0 })
    expect(await take(world, batch)).toMatchObject({ accepted: 0, duplicated: batch.length })
    expect(await take(world, [batch[0]!, batch[0]!, batch[0]!])).toMatchObject({ accepted: 0, duplicated: 3 })
    const { rows } = await world.database.pool.query(
      'select count(*)::int as n, max(duplicated) as most from attendance_event where project_code = $1',
      [projectCode],
    )
    expect(rows[0]).toEqual({ n: batch.length, most: 4 })
    expect(await verify(world, projectCode)).toMatchObject({ entries: batch.length, lastSeq: batch.length, findings: [] })
  })

  test('batches at the same time leave a chain without gaps', async () => {
    const batch = passagesOf(city, projectCode, ['2026-11-19'])
    const parts = Array.from({ length: 8 }, (_, i) => batch.filter((_, j) => j % 8 === i))
    // Neighbouring batches overlap: records in both are stored once.
    const done = await Promise.all(parts.map((part, i) => take(world, [...part, ...(parts[(i + 1) % 8] ?? []).slice(0, 20)])))
    expect(done.reduce((n, d) => n + d.accepted, 0)).toBe(batch.length)
    expect(done.reduce((n, d) => n + d.duplicated, 0)).toBe(160)
    const result = await verify(world, projectCode)
    expect(result.findings).toEqual([])
    const { rows } = await world.database.pool.query(
      'select count(*)::int as n, max(seq)::int as last, count(distinct worker_seq || worker_id)::int as own from attendance_ledger where project_code = $1',
      [projectCode],
    )
    expect(rows[0].n).toBe(rows[0].last)
    expect(rows[0].own).toBe(rows[0].n)
  })

  test('late, wrong and strange records are kept, and only what counts makes a day', async () => {
    const stay = city.projectWorkers.find((p) => p.projectCode === projectCode && p.exitTime === null && p.entryTime < '2026-10-01')!
    const gate = gates[0]!
    const row = (at: string, more: Partial<Parameters<typeof passage>[1]> = {}) =>
      passage(city, { gate, workerId: stay.workerId, at, direction: '0', ...more })
    await take(world, [
      row('2026-11-01 07:00:00', { receivedAt: '2026-11-20 12:00:00' }),
      row('2026-11-20 12:06:00', { receivedAt: '2026-11-20 12:00:30' }),
      row('2026-10-01 07:00:00', { receivedAt: '2026-11-20 12:00:31' }),
      row('2026-11-20 11:59:00', { receivedAt: '2026-11-20 12:00:32', data: { deviceClock: '2026-11-20 12:10:00' } }),
      row('2026-11-20 11:58:00', { receivedAt: '2026-11-20 12:00:33', data: { pass: '0' } }),
      row('2026-11-20 11:57:00', { receivedAt: '2026-11-20 12:00:34', workerId: null }),
      row('2026-11-20 11:56:00', { receivedAt: '2026-11-20 12:00:35', workerId: 'nobody-we-know' }),
    ])
    const { rows } = await world.database.pool.query(
      `select to_char(time at time zone 'Asia/Shanghai', 'MM-DD HH24:MI') as at, late, source, quarantine, flags from attendance_event
       where project_code = $1 and received_at >= '2026-11-20 12:00:00+08' order by seq`,
      [projectCode],
    )
    expect(rows).toEqual([
      { at: '11-01 07:00', late: true, source: '2', quarantine: null, flags: [] },
      { at: '11-20 12:06', late: false, source: '1', quarantine: 'clockAhead', flags: [] },
      { at: '10-01 07:00', late: true, source: '2', quarantine: 'tooOld', flags: [] },
      { at: '11-20 11:59', late: false, source: '1', quarantine: 'clockOffset', flags: [] },
      { at: '11-20 11:58', late: false, source: '1', quarantine: null, flags: ['refused'] },
      { at: '11-20 11:57', late: false, source: '1', quarantine: null, flags: ['stranger'] },
      { at: '11-20 11:56', late: false, source: '1', quarantine: null, flags: ['notEntered'] },
    ])
    await recomputeDirty(world.database.kysely, clock)
    const days = await world.database.pool.query(
      "select work_day::text as day, record_count, results from attendance_day where project_code = $1 and worker_id = $2 and work_day in ('2026-11-01', '2026-10-01') order by 1",
      [projectCode, stay.workerId],
    )
    expect(days.rows).toEqual([{ day: '2026-11-01', record_count: 1, results: [4, 10] }])
    expect((await verify(world, projectCode)).findings).toEqual([])
  })

  test('live passes are told once and never late', async () => {
    const stay = city.projectWorkers.find((p) => p.projectCode === projectCode && p.exitTime === null)!
    const make = (at: string, receivedAt: string) =>
      passage(city, { gate: gates[1]!, workerId: stay.workerId, at, receivedAt, direction: '1' })
    const done = await take(world, [make('2026-11-20 18:00:00', '2026-11-20 18:00:01'), make('2026-11-20 17:00:00', '2026-11-20 18:00:01')])
    expect(done.passes).toHaveLength(1)
    const worker = city.workers.find((w) => w.workerId === stay.workerId)
    expect(done.passes[0]).toMatchObject({ projectCode, message: { name: worker?.name, direction: '02', pass: true, late: false } })
    expect((await take(world, [make('2026-11-20 18:00:00', '2026-11-20 18:00:01')])).passes).toEqual([])
  })
})

test('days do not depend on the order, the batches or the repetition of what arrives', async () => {
  const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']
  const [one, two] = await Promise.all([site(), site()])
  const batch = passagesOf(one.city, one.projectCode, days).map((r) => ({ ...r, receivedAt: Date.parse('2026-11-20T06:00:00+08:00') }))
  await take(one.world, batch)
  await recomputeDirty(one.world.database.kysely, clock)
  // The same facts in reverse order, in small batches with duplicates, with computations in between.
  const turned = [...batch].reverse()
  for (let i = 0; i < turned.length; i += 400) {
    await take(two.world, [...turned.slice(i, i + 400), ...turned.slice(0, 30)])
    if (i % 800 === 0) await recomputeDirty(two.world.database.kysely, clock)
  }
  await recomputeDirty(two.world.database.kysely, clock)
  for (const world of [one.world, two.world]) {
    await world.database.pool.query("update attendance_chain set days_from = '2026-11-16', opened_to = '2026-11-15'")
    await openDays(world.database.kysely, clock)
    await recomputeDirty(world.database.kysely, clock)
  }
  const stored = await daysOf(one.world, one.projectCode)
  expect(stored.length).toBeGreaterThan(1000)
  expect(await daysOf(two.world, two.projectCode)).toEqual(stored)
  await one.world.close()
  await two.world.close()
})

describe('a city with six weeks of history', () => {
  let world: World
  let city: City
  let projectCode: string
  beforeAll(async () => {
    ;({ world, city, projectCode } = await site())
    await seedAttendance(world.database, city, now)
  })
  afterAll(() => world.close())

  test('live and rehearsed days are equal', async () => {
    const { pool } = world.database
    const people = city.projectWorkers.filter((p) => p.projectCode === projectCode).slice(0, 60)
    const setting = (await pool.query('select value from attendance_setting where project_code = $1', [projectCode])).rows[0].value
    const states = (await pool.query('select to_state, at from project_state_log where project_code = $1 order by at', [projectCode])).rows
    const [from, to] = ['2026-10-20', '2026-11-20']
    for (const { workerId } of people) {
      const rows = (
        await pool.query(
          `select pw.*, t.team_sys_no::text as sys from project_worker pw left join team t on t.id = pw.team_id where pw.project_code = $1 and worker_id = $2`,
          [projectCode, workerId],
        )
      ).rows
      const events = (
        await pool.query('select * from attendance_event where project_code = $1 and worker_id = $2', [projectCode, workerId])
      ).rows
      const rehearsed = rehearse(
        rehearseInput.parse({
          setting,
          project: { states: states.map((s) => ({ state: s.to_state, from: textOf(s.at.getTime()) })) },
          worker: {
            workerId,
            rows: rows.map((r) => ({
              entryTime: textOf(r.entry_time.getTime()),
              exitTime: r.exit_time && textOf(r.exit_time.getTime()),
              formalFrom: r.formal_from && textOf(r.formal_from.getTime()),
              corpCode: r.corp_code,
              teamSysNo: r.sys,
            })),
          },
          events: events.map((e) => ({
            id: e.id,
            time: textOf(e.time.getTime()),
            receivedAt: textOf(e.received_at.getTime()),
            direction: e.direction,
            gate: e.terminal_code,
            type: e.attend_type,
            pass: e.pass,
            live: e.live,
          })),
          from,
          to,
          now: textOf(now),
        }),
      )
      const live = (
        await pool.query(
          `select work_day::text as "workDay", first_in, last_out, work_hours as "workHours", attend_day as "attendDay", results, record_count as "recordCount", parts
           from attendance_day where project_code = $1 and worker_id = $2 and work_day between $3 and $4 order by 1`,
          [projectCode, workerId, from, to],
        )
      ).rows.map(({ first_in, last_out, ...d }) => ({
        ...d,
        firstIn: first_in && textOf(first_in.getTime()),
        lastOut: last_out && textOf(last_out.getTime()),
      }))
      expect(live).toEqual(rehearsed.days)
    }
  })

  test('recomputing everything gives what is stored', async () => {
    for (const project of city.projects) {
      const done = await world.database.kysely.transaction().execute((tx) => rebuildProject(tx, project.projectCode, now))
      expect(done.days).toBeGreaterThan(1_000)
      expect([project.shortName, done.different]).toEqual([project.shortName, 0])
    }
  })

  test('time alone closes days: who did not come is absent after the cut', async () => {
    const db = world.database.kysely
    const later = { now: () => Date.parse('2026-11-21T13:00:00+08:00') }
    await openDays(db, later)
    await queueDueDays(db, later)
    await recomputeDirty(db, later)
    const { rows } = await world.database.pool.query(
      `select work_day::text as day, count(*)::int as n, count(*) filter (where settled)::int as settled, count(*) filter (where 5 = any (results))::int as absent
       from attendance_day where project_code = $1 and work_day >= '2026-11-20' group by 1 order by 1`,
      [projectCode],
    )
    expect(rows.map((r) => r.day)).toEqual(['2026-11-20', '2026-11-21'])
    expect(rows[0].settled).toBe(rows[0].n)
    expect(rows[0].absent).toBeGreaterThan(0)
    expect(rows[1].absent).toBe(0)
    const rebuilt = await db.transaction().execute((tx) => rebuildProject(tx, projectCode, later.now()))
    expect(rebuilt.different).toBe(0)
  })

  test('a date closes once, and what still comes bears the next', async () => {
    const db = world.database.kysely
    const before = await verify(world, projectCode)
    expect(before.findings).toEqual([])
    await closeRoots(db, '2026-11-20', now + 86_400_000)
    expect(await closeRoots(db, '2026-11-20', now + 86_400_000)).toBe(0)
    const stay = city.projectWorkers.find((p) => p.projectCode === projectCode)!
    const gate = city.devices.find((d) => d.projectCode === projectCode && d.family === 'faceGate')!
    await take(world, [
      passage(city, {
        gate: gate.deviceSn,
        workerId: stay.workerId,
        at: '2026-11-20 23:59:58',
        receivedAt: '2026-11-20 23:59:59',
        direction: '1',
      }),
    ])
    const { rows } = await world.database.pool.query(
      "select (received_at at time zone 'Asia/Shanghai')::date::text as day from attendance_ledger where project_code = $1 order by seq desc limit 1",
      [projectCode],
    )
    expect(rows[0].day).toBe('2026-11-21')
    const result = await verify(world, projectCode)
    expect(result.findings).toEqual([])
    expect(result.roots).toBe([...datesFrom(addDays('2026-11-20', -45), '2026-11-20')].length)
    expect(result.copies).toBeGreaterThan(40)
  })

  test('one changed byte is found with its day and number; so is a changed row', async () => {
    const { pool } = world.database
    const { rows } = await pool.query(
      "select seq::int, entry, event_id, (received_at at time zone 'Asia/Shanghai')::date::text as day from attendance_ledger where project_code = $1 and seq = 1234",
      [projectCode],
    )
    const [{ seq, entry, day, event_id: eventId }] = rows
    // Changes one digit of the time only.
    const altered = entry.replace(
      /"time":(\d+)(\d),/,
      (_: string, head: string, digit: string) => `"time":${head}${(Number(digit) + 1) % 10},`,
    )
    await pool.query('update attendance_ledger set entry = $3 where project_code = $1 and seq = $2', [projectCode, seq, altered])
    const found = await verify(world, projectCode)
    expect(found.findings.map((f) => [f.kind, f.day, f.seq])).toEqual([
      ['altered', day, seq],
      ['rowDiffers', day, seq],
    ])
    await pool.query('update attendance_ledger set entry = $3 where project_code = $1 and seq = $2', [projectCode, seq, entry])
    await pool.query("update attendance_event set time = time + interval '1 minute' where project_code = $1 and id = $2", [
      projectCode,
      eventId,
    ])
    expect((await verify(world, projectCode)).findings).toMatchObject([{ kind: 'rowDiffers', day, seq, row: eventId }])
    await pool.query("update attendance_event set time = time - interval '1 minute' where project_code = $1 and id = $2", [
      projectCode,
      eventId,
    ])
    // The end of the chain was deleted.
    await pool.query('delete from attendance_ledger where project_code = $1 and seq > 3000', [projectCode])
    expect((await verify(world, projectCode)).findings.some((f) => f.kind === 'missing')).toBe(true)
  })
})

test('what JSON writes with a backslash is held to what it says, and a line break in an entry hides nothing', async () => {
  const { world, city, projectCode, gates } = await site()
  const { pool } = world.database
  const stay = city.projectWorkers.find((p) => p.projectCode === projectCode)!
  const records = ['first', 'a\nb"c\\d', 'last'].map((recordId, i) =>
    passage(city, { gate: gates[0]!, workerId: stay.workerId, at: `2026-11-20 07:0${i}:00`, direction: '0', data: { recordId } }),
  )
  for (const record of records) await take(world, [record])
  const findings = async () => (await verify(world, projectCode)).findings.map((f) => [f.kind, f.seq])
  expect(await findings()).toEqual([])
  const { rows } = await pool.query('select record_id from attendance_event where project_code = $1 and seq = 2', [projectCode])
  const setId = (text: string) =>
    pool.query('update attendance_event set record_id = $2 where project_code = $1 and seq = 2', [projectCode, text])
  // The value is replaced by its own JSON escape sequence.
  await setId(JSON.stringify(rows[0].record_id).slice(1, -1))
  expect(await findings()).toEqual([['rowDiffers', 2]])
  await setId(rows[0].record_id)
  // A quotation mark that would end the string and start another key.
  await pool.query(
    `update attendance_event set channel = coalesce(channel, '') || '","clockOffsetMs":null,"direction":"01' where project_code = $1 and seq = 1`,
    [projectCode],
  )
  expect(await findings()).toEqual([['rowDiffers', 1]])
  await pool.query('update attendance_event set channel = null where project_code = $1 and seq = 1', [projectCode])
  const before = await findings()
  await pool.query(`update attendance_ledger set entry = replace(entry, '"kind"', E'\n"kind"') where project_code = $1 and seq = 3`, [
    projectCode,
  ])
  expect(await findings()).toEqual([...before, ['altered', 3], ['rowDiffers', 3]])
  await world.close()
})

test('a record keeps its identity whatever way it comes', async () => {
  const { world, city, projectCode, gates } = await site()
  const stay = city.projectWorkers.find((p) => p.projectCode === projectCode)!
  const record = passage(city, { gate: gates[0]!, workerId: stay.workerId, at: '2026-11-20 07:00:00', direction: '0' })
  await take(world, [record])
  const { rows } = await world.database.pool.query('select dedup_key from attendance_event where project_code = $1', [projectCode])
  const event = {
    gate: gates[0]!,
    workerId: stay.workerId,
    direction: '01',
    time: record.time,
    pictureHash: null,
    recordId: null,
    pass: '1',
    live: '1',
  }
  expect(rows[0].dedup_key).toBe(dedupKey(event))
  // After a reset the gate restarts its record numbers: another number for the same passage.
  expect(await take(world, [{ ...record, id: 'other', data: { ...record.data, recordId: '1' } }])).toMatchObject({
    accepted: 0,
    duplicated: 1,
  })
  await world.close()
})
