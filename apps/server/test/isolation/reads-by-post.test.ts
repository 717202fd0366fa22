import { createHash } from 'node:crypto'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { allFixtures } from '../fixtures/all.ts'
import type { ReadIds } from '../fixtures/helpers.ts'
import { furnish } from '../furnish.ts'
import { nameOf } from '../parts/calls.ts'
import { maySee, type Owned, ownedRows, type Viewer, viewers } from '../tenants.ts'
import { testSecretKey, type World } from '../world.ts'
import { judge } from './matrix.ts'

/**
 * Reads by POST or PUT take ids from a body that a generated sample seldom satisfies. The fixtures provide an input for each such call that succeeds
 * for its own site; unrelated tenants that send the same input must learn nothing of the site. A new call fails until it has an input.
 */
const inputs = new Map(allFixtures.flatMap(({ reads }) => reads ?? []).map((one) => [nameOf(one.endpoint), one]))
const exempt = allFixtures.flatMap(({ exemptReads }) => exemptReads ?? []).flatMap(({ calls }) => calls.map(nameOf))

let world: World
let settled: CityWorld
let rows: Owned[]
let endpoints: Endpoint[]
const byId = new Map<string, Owned[]>()

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
  rows = await ownedRows(world.database.pool)
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row])
  endpoints = world.api.serve.endpoints.filter((one) => one.unaudited && one.method !== 'GET' && one.needs !== 'public')
})
afterAll(() => world.close())

test('every read by POST or PUT has an input in the fixtures of its domain, or the reason why not', () => {
  const known = [...inputs.keys(), ...exempt]
  const missing = endpoints.map(nameOf).filter((name) => !known.includes(name))
  expect(missing, 'give it an input in `reads` of a *.fixtures.ts of its domain').toEqual([])
  const served = endpoints.map(nameOf)
  expect(
    known.filter((name) => !served.includes(name)),
    'no such call: remove it from the fixtures',
  ).toEqual([])
})

async function idsOf(viewer: Viewer): Promise<ReadIds> {
  const { pool } = world.database
  const [project] = viewer.projects
  const own = rows.filter((row) => row.projectCode === project || row.groupKey === viewer.groupKey)
  const cameras = await pool.query<{ id: string; sn: string }>(
    `select id, device_sn as sn from device where project_code = $1 and family = 'videoAi' and status = '1' order by id limit 1`,
    [project],
  )
  // A linkage of the site itself.
  await pool.query(
    `insert into rule_exec (id, name, kind, project_code, definition) values (md5('linkage' || $1), '抓拍', 'linkage', $1,
       '{"command":"camera.snapshot","selector":{"kind":"sameArea"},"params":{},"stopParams":{},"minRunSeconds":0,"maxRunSeconds":60,"cooldownSeconds":0,"interlocks":[],"confirm":"none"}') on conflict do nothing`,
    [project],
  )
  const people = await pool.query<{ number: Buffer; name: string }>(
    `select w.id_card_number as number, w.name from worker w join project_worker s on s.worker_id = w.id
     where s.project_code = $1 and s.exit_time is null
       and not exists (select 1 from project_worker o where o.worker_id = w.id and o.project_code <> $1) order by w.id limit 1`,
    [project],
  )
  return {
    project: project ?? '',
    serial: cameras.rows[0]?.sn ?? '',
    camera: cameras.rows[0]?.id ?? '',
    linkage: createHash('md5').update(`linkage${project}`).digest('hex'),
    person: { number: createSecrets(testSecretKey).open(people.rows[0]?.number ?? null) ?? '', name: people.rows[0]?.name ?? '' },
    of: (subject) => own.find((row) => row.subject === subject && maySee(viewer, row))?.id ?? '',
  }
}

test('asked by strangers, none of them says what its own site is told', async () => {
  const everyone = viewers(settled.city)
  const viewerOf = (account: string) => everyone.find((one) => one.account === account) as Viewer
  const names = await world.database.pool.query<{ name: string; key: string }>(
    `select u.name, t.type || '/' || t.code as key from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id`,
  )
  const findings: unknown[] = []
  let tried = 0
  for (const endpoint of endpoints) {
    const requested = inputs.get(nameOf(endpoint))
    if (!requested) continue
    const owner = viewerOf(requested.by)
    const [project] = owner.projects
    const ids = await idsOf(owner)
    const input = requested.input(ids)
    const control = await (await settled.as(requested.by)).ask(endpoint, input as never)
    if (control.status !== 0) findings.push([nameOf(endpoint), 'its own site', control.message, control.data])
    for (const viewer of everyone.filter((one) => !one.projects.has(project ?? ''))) {
      const caller = await settled.as(viewer.account)
      const answer = await caller.ask(endpoint, input as never)
      // Refused for a missing permission code, before any data is read.
      if (answer.http === 403 && /权限/.test(answer.message)) continue
      tried++
      for (const finding of judge(endpoint, answer, [], viewer, byId)) findings.push([finding.call, viewer.account, finding.what])
      const text = JSON.stringify([answer.message, answer.data])
      const strangers = names.rows.filter(
        (row) => row.key !== viewer.groupKey && !viewer.projects.has(row.key.slice(2)) && text.includes(row.name),
      )
      if (strangers.length) findings.push([nameOf(endpoint), viewer.account, 'names', strangers])
      // An existing foreign record and a missing one must get the same answer.
      const none = await caller.ask(endpoint, requested.input(nowhere(ids)) as never)
      if (plain(answer.data, ids) !== plain(none.data, nowhere(ids)) || answer.message !== none.message)
        findings.push([nameOf(endpoint), viewer.account, 'tells that it is there', answer, none])
    }
  }
  expect(findings).toEqual([])
  expect(tried).toBeGreaterThan(inputs.size)
})

const id = 'f'.repeat(32)
/** The same input with ids that do not exist. */
const nowhere = (ids: ReadIds): ReadIds => ({
  ...ids,
  project: '420202209912310199',
  serial: 'NOBODY-HAS-IT',
  camera: id,
  linkage: id,
  of: () => id,
})
/** The answer without the requested ids. */
const plain = (data: unknown, ids: ReadIds): string =>
  [ids.project, ids.serial, ids.camera, ids.linkage, id, ...rows.map((row) => row.id)]
    .filter((one) => one !== '')
    .reduce((text, one) => (text.includes(one) ? text.replaceAll(one, '…') : text), JSON.stringify(data) ?? '')
