import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ingestGateRecords } from '#domains/attendance/ingest-events'
import { verifyStored } from '#domains/attendance/ledger-views'
import { passage } from '#domains/attendance/passages-for-test'
import { rebuildProject, recomputeDirty } from '#domains/attendance/recompute'
import { openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { missingHistory, seedAttendance } from './seed-attendance.ts'
import { seedPictures } from './seed-pictures.ts'

const now = Date.parse('2026-11-20T20:00:00+08:00')
let world: World
let city: Awaited<ReturnType<typeof settleCity>>['city']
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  ;({ city } = await settleCity(world))
})
afterAll(() => world.close())

test('passages that came before the past was written stand behind it in the chain and count', async () => {
  const db = world.database.kysely
  const { projectCode } = city.projects.at(-1)!
  const gate = city.devices.find((d) => d.projectCode === projectCode && d.family === 'faceGate')!.deviceSn
  const person = city.projectWorkers.find((w) => w.projectCode === projectCode && w.exitTime === null)!
  // A user connected a gate of their own to the running demonstration, a minute after its start.
  const given = { gate, workerId: person.workerId, at: '2026-11-20 20:00:30', direction: '1' as const }
  await db.transaction().execute((tx) => ingestGateRecords(tx, [passage(city, given)], now + 60_000))
  await recomputeDirty(db, { now: () => now + 60_000 })

  expect(await missingHistory(world.database, city)).toContain(projectCode)
  await seedAttendance(world.database, city, now, [projectCode])
  expect(await missingHistory(world.database, city)).not.toContain(projectCode)

  const chain = await verifyStored(db, projectCode, undefined, undefined, true)
  expect(chain.findings).toEqual([])
  expect(chain.entries).toBeGreaterThan(1_000)
  const { rows } = await world.database.pool.query<{ seq: number; time: Date }>(
    'select seq, time from attendance_event where project_code = $1 order by seq desc limit 1',
    [projectCode],
  )
  expect(rows[0]).toMatchObject({ seq: chain.lastSeq, time: new Date('2026-11-20T20:00:30+08:00') })
  await recomputeDirty(db, { now: () => now + 60_000 })
  const rebuilt = await db.transaction().execute((tx) => rebuildProject(tx, projectCode, now + 60_000))
  expect(rebuilt.different).toBe(0)
})

test('everybody of a site has a face of their own, kept as an uploaded file is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zg-faces-'))
  try {
    const { pool } = world.database
    const site = city.projects.at(-1)!
    const [keeper, ...others] = city.projectWorkers.filter((w) => w.projectCode === site.projectCode).map((w) => w.workerId)
    await pool.query("update worker set head_image = 'own' where id = $1", [keeper])
    await seedPictures(world.database, { ...city, projects: [site] }, folder)
    const { rows } = await pool.query<{ faces: number; agreed: number; live: number; bare: number; kept: string }>(
      `select count(distinct h.sha256) filter (where h.sha256 <> coalesce(l.sha256, ''))::int as faces,
         count(*) filter (where w.consents @> '[{"kind":"face","state":"同意"}]')::int as agreed, count(l.id)::int as live,
         (select count(*)::int from worker_cert c where c.worker_id = any ($1) and jsonb_array_length(c.files) = 0) as bare,
         (select head_image from worker where id = $2) as kept
       from worker w left join stored_file h on h.id = w.head_image left join stored_file l on l.id = w.face_photo where w.id = any ($1)`,
      [others, keeper],
    )
    // Existing pictures are kept; people without consent have no picture for gates.
    expect(rows[0]).toEqual({ faces: others.length, agreed: rows[0]!.live, live: rows[0]!.live, bare: 0, kept: 'own' })
    const file = (
      await pool.query('select f.sha256, f.bytes, f.project_code, t.code from stored_file f join tenant t on t.id = f.group_id limit 1')
    ).rows[0]
    expect(readFileSync(join(folder, file.sha256.slice(0, 2), file.sha256)).length).toBe(Number(file.bytes))
    expect([file.project_code, file.code]).toEqual([site.projectCode, site.projectCode])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
