import { createHash } from 'node:crypto'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { Subject } from '@zhugong/contract/kit/fields'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import { maySee, type Owned, ownedRows, type Viewer, viewers } from '../tenants.ts'
import { testSecretKey, type World } from '../world.ts'
import { judge } from './matrix.ts'

/**
 * What reads by POST or PUT takes its ids from a body that a generated sample seldom passes. Each such call has an input here that its own site is
 * answered with; asked the same by strangers it says nothing of the site. A call that joins them has no input yet and fails until it has.
 */
interface Ids {
  of(subject: Subject): string
  project: string
  /** Somebody in place at the project, by number and name. */
  person: { number: string; name: string }
  serial: string
  camera: string
  linkage: string
}
type Input = { params?: object; query?: object; body?: object }
interface Asked {
  /** Whose the ids are, and who may ask: the control. */
  by: string
  input(ids: Ids): Input
}

/** Those that take nothing that is somebody's, and why. */
const apart: Readonly<Record<string, string>> = {
  'POST /api/v1/sys/token/refresh': 'the session itself',
  'POST /api/v1/sys/ui/tree/init': 'the menus of the caller',
  'POST /api/v1/sys/dict/code': 'dictionaries',
  'POST /api/v1/sys/app/use': 'the code of an app',
  'POST /api/v1/sys/uiRule/try': 'the platform alone',
  'POST /api/v1/docking/mapping/:objectType/weigh': 'the platform alone',
  'POST /api/v1/docking/mapping/:objectType/try': 'the platform alone',
  'POST /api/v1/attendance/rehearse': 'facts that the caller gives',
  'POST /api/v1/screen/template/batchLoad': 'templates, which belong to no project',
}

const step = (key: string, places: string[], code: string) => ({ key, name: `步骤${key}`, places, by: { kind: 'code', code } })
const everybody = [
  step('a', ['site'], 'personnel.view'),
  step('b', ['leader'], 'personnel.view'),
  step('c', ['supervisor'], 'personnel.view'),
  step('d', ['authority'], 'personnel.view'),
]
const pm = 'hospital-pm'
const inputs: Readonly<Record<string, Asked>> = {
  'POST /api/v1/oa/todo/audit/config/try': {
    by: pm,
    input: ({ project }) => ({ body: { bizType: 'attendanceFix', nodes: everybody, projectCode: project, facts: {} } }),
  },
  'POST /api/v1/oa/process/laborBlack/preview': {
    by: pm,
    input: ({ project, person }) => ({
      query: { projectCode: project },
      body: { idCardType: '01', idCardNumber: person.number, scope: '1' },
    }),
  },
  'POST /api/v1/attendance/setting/trial': {
    by: pm,
    input: ({ project }) => ({ body: { projectCode: project, date: '2026-11-19' } }),
  },
  'PUT /api/v1/sys/my/project/:projectCode/mark': {
    by: pm,
    input: ({ project }) => ({ params: { projectCode: project }, body: { starred: true } }),
  },
  'POST /api/v1/iot/rule/exec/:id/trial': {
    by: pm,
    input: ({ of, linkage }) => ({ params: { id: linkage }, body: { deviceId: of('device') } }),
  },
  'POST /api/v1/oa/process/cameraAi/:id/preview': {
    by: pm,
    input: ({ camera, project }) => ({ params: { id: camera }, query: { projectCode: project }, body: { thresholds: [], zones: [] } }),
  },
  'PUT /api/v1/oa/org/fresh/node/:id': { by: pm, input: ({ of }) => ({ params: { id: of('org') } }) },
  'POST /api/v1/iot/rule/trigger/rehearse': {
    by: pm,
    input: ({ camera }) => ({
      body: {
        trigger: {
          family: 'videoAi',
          levels: [{ level: 2, condition: { type: 'threshold', metric: 'storageUsed', op: '>=', value: 12 } }],
        },
        samples: { deviceIds: [camera], from: Date.parse('2026-11-19T00:00:00+08:00'), to: Date.parse('2026-11-20T00:00:00+08:00') },
      },
    }),
  },
  'POST /api/v1/oa/report/setting/preview': {
    by: 'yunze-lu',
    input: ({ project }) => ({ body: { name: '日报', reportType: '1', content: ['attendance'], projects: [project] } }),
  },
  'POST /api/v1/iot/device/verify': {
    by: pm,
    input: ({ of, project, serial }) => ({ body: { id: of('device'), deviceSn: serial, projectCode: project, gatewayId: of('gateway') } }),
  },
  'POST /api/v1/oa/worker/base/sync': { by: pm, input: ({ person }) => ({ body: { idCardType: '01', idCardNumber: person.number } }) },
}

let world: World
let settled: CityWorld
let rows: Owned[]
let endpoints: Endpoint[]
const byId = new Map<string, Owned[]>()
const keyOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
  rows = await ownedRows(world.database.pool)
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row])
  endpoints = world.api.serve.endpoints.filter((one) => one.unaudited && one.method !== 'GET' && one.needs !== 'public')
})
afterAll(() => world.close())

test('every read by POST or PUT is tried here, or says why not', () => {
  expect(endpoints.map(keyOf).sort()).toEqual([...Object.keys(inputs), ...Object.keys(apart)].sort())
})

async function idsOf(viewer: Viewer): Promise<Ids> {
  const { pool } = world.database
  const [project] = viewer.projects
  const own = rows.filter((row) => row.projectCode === project || row.groupKey === viewer.groupKey)
  const cameras = await pool.query<{ id: string; sn: string }>(
    `select id, device_sn as sn from device where project_code = $1 and family = 'videoAi' and status = '1' order by id limit 1`,
    [project],
  )
  // A linkage of the site's own.
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
    const asked = inputs[keyOf(endpoint)]
    if (!asked) continue
    const owner = viewerOf(asked.by)
    const [project] = owner.projects
    const ids = await idsOf(owner)
    const input = asked.input(ids)
    const control = await (await settled.as(asked.by)).ask(endpoint, input as never)
    if (control.status !== 0) findings.push([keyOf(endpoint), 'its own site', control.message, control.data])
    for (const viewer of everyone.filter((one) => !one.projects.has(project ?? ''))) {
      const caller = await settled.as(viewer.account)
      const answer = await caller.ask(endpoint, input as never)
      // Without the right nothing is looked at.
      if (answer.http === 403 && /权限/.test(answer.message)) continue
      tried++
      for (const finding of judge(endpoint, answer, [], viewer, byId)) findings.push([finding.call, viewer.account, finding.what])
      const text = JSON.stringify([answer.message, answer.data])
      const strangers = names.rows.filter(
        (row) => row.key !== viewer.groupKey && !viewer.projects.has(row.key.slice(2)) && text.includes(row.name),
      )
      if (strangers.length) findings.push([keyOf(endpoint), viewer.account, 'names', strangers])
      // What is there and not his, and what is not there: one answer.
      const none = await caller.ask(endpoint, asked.input(nowhere(ids)) as never)
      if (plain(answer.data, ids) !== plain(none.data, nowhere(ids)) || answer.message !== none.message)
        findings.push([keyOf(endpoint), viewer.account, 'tells that it is there', answer, none])
    }
  }
  expect(findings).toEqual([])
  expect(tried).toBeGreaterThan(Object.keys(inputs).length)
})

const id = 'f'.repeat(32)
/** The same with ids that nobody has. */
const nowhere = (ids: Ids): Ids => ({
  ...ids,
  project: '420202209912310199',
  serial: 'NOBODY-HAS-IT',
  camera: id,
  linkage: id,
  of: () => id,
})
/** An answer without what was asked for. */
const plain = (data: unknown, ids: Ids): string =>
  [ids.project, ids.serial, ids.camera, ids.linkage, id, ...rows.map((row) => row.id)]
    .filter((one) => one !== '')
    .reduce((text, one) => (text.includes(one) ? text.replaceAll(one, '…') : text), JSON.stringify(data) ?? '')
