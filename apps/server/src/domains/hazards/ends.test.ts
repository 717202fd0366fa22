import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { openCity, settleCity } from '../../../test/city.ts'
import { testSecretKey, type World } from '../../../test/world.ts'
import { endOverdue } from './public.ts'

/** The minute job under load and with a clock that jumps: no permit stays open past its end, none stays ended before it. */
const now = Date.parse('2026-11-20T09:00:00+08:00')
const many = 300
let world: World
let projectCode = ''
let corpCode = ''
let guardian = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  const { city } = await settleCity(world)
  projectCode = city.personas.find((one) => one.account === 'hospital-pm')?.projectCode ?? ''
  const { rows } = await sql<{ corpCode: string; workerId: string }>`select corp_code, worker_id from project_worker
    where project_code = ${projectCode} and exit_time is null order by id limit 1`.execute(db())
  corpCode = rows[0]?.corpCode ?? ''
  guardian = rows[0]?.workerId ?? ''
})
afterAll(() => world.close())
beforeEach(() => sql`delete from work_permit where author_group = 'nobody'`.execute(db()))

const db = () => world.database.kysely
const deps = (time: number) => ({
  db: db(),
  clock: { now: () => time },
  secrets: createSecrets(testSecretKey),
  log: createLog('test', 'silent'),
})
/** Permits that end one after another from now on, a second apart; of three, one was not begun. */
const given = (count: number, endsAfterMs = 0) =>
  sql`insert into work_permit (id, project_code, corp_code, shown_at, groups, author_group, author_group_name, type, content, part, start_time,
      end_time, closes_by, state, create_by, create_time)
    select md5('ends ' || n), ${projectCode}, ${corpCode}, now(), '{}', 'nobody', '样例', '99', '样例', n || '层', ${new Date(now - hourMs)}, e, e,
      case when n % 3 = 0 then '2' else '3' end, 'nobody', now()
    from generate_series(1, ${count}::int) n, lateral (select ${new Date(now + endsAfterMs)}::timestamptz + n * interval '1 second' as e) t`.execute(
    db(),
  )
const states = async (): Promise<{ open: number; ended: number; wrong: number }> => {
  const { rows } = await sql<{
    open: number
    ended: number
    wrong: number
  }>`select count(*) filter (where state in ('2', '3'))::int as open,
      count(*) filter (where state = '6')::int as ended,
      count(*) filter (where state in ('2', '3') and (state = '2') <> (substring(part from '^[0-9]+')::int % 3 = 0))::int as wrong
    from work_permit where author_group = 'nobody'`.execute(db())
  return rows[0] ?? { open: 0, ended: 0, wrong: 0 }
}

test('a clock that jumps ahead and back leaves every permit as it was, and each ends at its own time', async () => {
  await given(many, hourMs)
  await endOverdue(deps(now + 24 * hourMs))
  expect(await states()).toEqual({ open: 0, ended: many, wrong: 0 })
  await Promise.all([1, 2].map(() => endOverdue(deps(now))))
  await endOverdue(deps(now))
  expect(await states()).toEqual({ open: many, ended: 0, wrong: 0 })
  const { rows } = await sql<{ actions: string[]; late: boolean }>`select w.late, array(select l.action from process_log l
      where l.object_id = w.id order by l.at, l.id) as actions from work_permit w where w.id = md5('ends 1')`.execute(db())
  expect(rows[0]?.late).toBe(false)
  expect(rows[0]?.actions.toSorted()).toEqual(['goOn', 'overdue'])
  const [half, end] = [now + hourMs + (many / 2) * 1000, now + 2 * hourMs]
  await endOverdue(deps(half))
  expect((await states()).ended).toBe(many / 2)
  await endOverdue(deps(end))
  expect(await states()).toEqual({ open: 0, ended: many, wrong: 0 })
}, 120_000)

test('a clock that is a minute off opens nothing again', async () => {
  await given(3)
  await endOverdue(deps(now + minuteMs))
  await endOverdue(deps(now + 1000 - minuteMs))
  expect(await states()).toEqual({ open: 0, ended: 3, wrong: 0 })
})

test('many end in one look while the site goes on writing, by several processes at once, each once', async () => {
  await given(many)
  const writing = Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      db()
        .transaction()
        .execute(async (tx) => {
          await sql`update work_permit set version = version + 1 where author_group = 'nobody' and right(id, 1) = ${(n % 16).toString(16)}`.execute(
            tx,
          )
          await sql`select pg_sleep(0.05)`.execute(tx)
        }),
    ),
  )
  const ended = await Promise.all([1, 2, 3].map(() => endOverdue(deps(now + hourMs))))
  await writing
  // What was being written is looked at again a minute later.
  const rest = await endOverdue(deps(now + hourMs + minuteMs))
  expect(ended.reduce((sum, n) => sum + n, rest)).toBe(many)
  expect(await states()).toEqual({ open: 0, ended: many, wrong: 0 })
}, 120_000)

test('the guardian is called by his helmet, once; a helmet that does not answer delays nothing', async () => {
  const calls: { deviceId: string; cmd: string; params: { text: string } }[] = []
  const socket = join(world.config.dataDir, 'ends-test.sock')
  const server = await new Promise<Server>((resolve) => {
    const made = createServer((request, reply) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        calls.push(JSON.parse(Buffer.concat(parts).toString()))
        reply.end(JSON.stringify({ state: 'sent' }))
      })
    }).listen(socket, () => resolve(made))
  })
  try {
    await given(1)
    const { rows } = await sql<{
      id: string
    }>`select d.id from device d where d.project_code = ${projectCode} and d.family = 'smartHelmet' limit 1`.execute(db())
    const helmet = rows[0]?.id ?? ''
    expect(helmet).not.toBe('')
    await sql`update device set status = '1', params = params || jsonb_build_object('workerId', ${guardian}::text) where id = ${helmet}`.execute(
      db(),
    )
    await sql`insert into device_latest (device_id, ts, received_at, v, online, online_since) values (${helmet}, now(), now(), '[]', true, now())
      on conflict (device_id) do update set online = true`.execute(db())
    await sql`insert into work_permit_person (id, permit_id, project_code, corp_code, shown_at, groups, seq, role, worker_id, name)
      values (md5('ends guardian'), md5('ends 1'), ${projectCode}, ${corpCode}, now(), '{}', 1, 'guardian', ${guardian}, '样例')`.execute(
      db(),
    )
    const reach = { ingestSocket: socket }
    await endOverdue({ ...deps(now + hourMs), reach })
    await endOverdue({ ...deps(now + hourMs), reach })
    expect(calls.map((one) => [one.deviceId, one.cmd])).toEqual([[helmet, 'helmet.text']])
    expect(calls[0]?.params.text).toContain('请停止作业并确认完工')
    await sql`update work_permit set state = '3' where id = md5('ends 1')`.execute(db())
    await endOverdue({ ...deps(now + hourMs), reach: { ingestSocket: join(world.config.dataDir, 'nobody.sock') } })
    expect((await states()).ended).toBe(1)
  } finally {
    server.close()
  }
})
