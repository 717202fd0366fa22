import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listAudit } from '@zhugong/contract/access/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { expect, inject, test } from 'vitest'
import { hashToken } from '#kit/serve'
import { openCity, settleCity } from '../city.ts'
import { cloneRow, freshId } from '../parts/clone-row.ts'
import { sampleInput } from '../sample-input.ts'
import type { World } from '../world.ts'
import { inParallel, randomFrom, sizeOf } from './size.ts'

/**
 * Two hundred clients of fifty tenants over real connections to one process with a pool of eight connections, with row-level security alone: every
 * row names its tenant, and no client may receive another's. `MANY_REQUESTS=1000000` for the full size.
 */
const requests = sizeOf('MANY_REQUESTS', 1_000)
const [tenants, clientsOfEach] = [50, 4]
const markOf = (tenant: number) => `租户${String(tenant).padStart(2, '0')}号`

/** Creates a site whose rows all name their tenant. */
async function moveIn(world: World, tenant: number, like: Record<string, string>): Promise<string[]> {
  const { pool } = world.database
  const [mark, projectCode] = [markOf(tenant), `4202022604089${String(tenant).padStart(5, '0')}`]
  await cloneRow(pool, 'project', like.project ?? '', { project_code: projectCode, name: `${mark}工程` })
  await cloneRow(pool, 'project_corp', like.unit ?? '', { project_code: projectCode, pm_name: mark })
  const { rows } = await pool.query<{ n: string }>(`select nextval('team_sys_no_seq') as n`)
  const team = { project_code: projectCode, team_sys_no: Number(rows[0]?.n), team_name: `${mark}班组` }
  const teamId = await cloneRow(pool, 'team', like.team ?? '', team)
  const [workerId, hash] = [freshId(), randomBytes(32).toString('hex')]
  await cloneRow(pool, 'worker', like.worker ?? '', { id: workerId, id_card_hash: hash, name: mark, owner_group: null })
  const stay = { project_code: projectCode, worker_id: workerId, team_id: teamId, id_card_hash: hash, worker_name: mark, card_number: null }
  await cloneRow(pool, 'project_worker', like.stay ?? '', stay)
  const device = { project_code: projectCode, device_sn: `M${tenant}`, access_key: `M${tenant}`, name: `${mark}塔机`, gateway_id: null }
  const deviceId = await cloneRow(pool, 'device', like.device ?? '', { ...device, protocol: 'http', access: { protocol: 'http' } })
  await pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
     values ($1, $2, $3, $4, 'towerCrane', 'offline', '离线', 3, 3, now(), now())`,
    [freshId(), projectCode, deviceId, `${mark}塔机`],
  )
  const groupId = freshId()
  await pool.query('insert into tenant (id, type, code, name) values ($1, 3, $2, $3)', [groupId, projectCode, `${mark}工程`])
  return Promise.all(Array.from({ length: clientsOfEach }, () => session(world, groupId)))
}

async function session(world: World, groupId: string): Promise<string> {
  const { pool } = world.database
  const [id, token] = [freshId(), randomBytes(32).toString('base64url')]
  await pool.query(`insert into app_user (id, account, name, password_hash, must_change) values ($1, $1, '客户', 'none', false)`, [id])
  await pool.query('insert into member (id, user_id, group_id) values ($1, $1, $2)', [id, groupId])
  await pool.query(
    `insert into member_role (member_id, role_id) select $1, id from role where group_id is null and name = '项目管理员' and groups_type = 3`,
    [id],
  )
  await pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, expires_at, hard_expires_at)
     values ($1, $2, $3, false, 'default', '127.0.0.1', now() + interval '3 hours', now() + interval '4 hours')`,
    [hashToken(token), id, groupId],
  )
  return token
}

test(`${requests} requests of ${tenants * clientsOfEach} clients of ${tenants} tenants: no row of another`, async () => {
  const world = await openCity(inject('postgresUrl'), { scopeChecks: false })
  await settleCity(world)
  const { rows } = await world.database.pool.query<Record<string, string>>(
    `select p.id as project, u.id as unit, t.id as team, w.worker_id as worker, w.id as stay, d.id as device
     from project p join project_corp u using (project_code) join team t on t.project_code = p.project_code
       join project_worker w on w.team_id = t.id and w.exit_time is null
       join device d on d.project_code = p.project_code and d.family = 'towerCrane' and d.status = '1'
     where u.corp_code = t.corp_code order by 1, 2, 3, 4 limit 1`,
  )
  const clients: { tenant: number; token: string }[] = []
  for (let tenant = 0; tenant < tenants; tenant++)
    for (const token of await moveIn(world, tenant, rows[0] ?? {})) clients.push({ tenant, token })
  await world.api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = world.api.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: clients.length })
  const ask = (token: string, path: string) =>
    new Promise<{ http: number; text: string }>((resolve, reject) => {
      const sent = request({ port, path, agent, headers: { token, group: '*' } }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve({ http: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }))
      })
      sent.on('error', reject).end()
    })

  // Reads whose answer contains the tenant's name, found by trying: only these can reveal a leak.
  const paths: string[] = []
  const isRequested = ({ method, needs, path }: Endpoint) =>
    // The log of one's own actions is still empty for these clients.
    method === 'GET' && needs !== 'public' && !path.includes(':') && path !== listAudit.path
  for (const endpoint of world.api.serve.endpoints.filter(isRequested)) {
    const { query } = sampleInput(endpoint, []) as { query?: Record<string, unknown> }
    const words = Object.entries(query ?? {}).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]]))
    const path = `${endpoint.path}?${new URLSearchParams(words)}`
    if ((await ask(clients[0]?.token ?? '', path)).text.includes(markOf(0))) paths.push(path)
  }
  expect(paths.length).toBeGreaterThan(8)

  const random = randomFrom(7)
  const found: string[] = []
  const [statuses, begun] = [new Map<number, number>(), Date.now()]
  let ownRows = 0
  await inParallel(requests, clients.length, async (turn) => {
    const client = clients[turn % clients.length] as { tenant: number; token: string }
    const path = random.pick(paths)
    const { http, text } = await ask(client.token, path)
    statuses.set(http, (statuses.get(http) ?? 0) + 1)
    const own = markOf(client.tenant)
    if (text.includes(own)) ownRows++
    for (const mark of text.match(/租户\d\d号/g) ?? [])
      if (mark !== own && found.length < 20) found.push(`${own} is told of ${mark}: ${path}`)
  })
  const seconds = (Date.now() - begun) / 1000
  console.log(
    `${requests} requests of ${clients.length} clients to ${paths.length} calls in ${Math.round(seconds)} s (${Math.round(requests / seconds)}/s): ` +
      `${JSON.stringify([...statuses])}, ${ownRows} with rows of one’s own, ${found.length} with another’s`,
  )
  agent.destroy()
  await world.close()
  expect(found).toEqual([])
  // Clients that wait too long for a connection get 503 and nothing else.
  const sentAway = statuses.get(503) ?? 0
  expect(ownRows + sentAway).toBe(requests)
  expect(ownRows).toBeGreaterThan(requests / 2)
}, 0)
