import { isDeepStrictEqual } from 'node:util'
import type { Family } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import { isUniqueViolation } from '#kit/db'
import { newId } from '#kit/ids'
import type { Difference } from './change-log.ts'
import { paramChanges } from './device-pending.ts'
import { cameraNumberTaken } from './taken-numbers.ts'

/** An application that acts for devices. Its name appears in their history and in the audit log. */
export interface Machine {
  id: string
  name: string
  projectCode: string
  /** Empty: all families. */
  families: readonly string[]
  address: string
}
type Outcome = { pending: boolean } | { refused: string }

const named = (app: Machine) => `应用 ${app.name}`

/**
 * Parameters that an application reports for a device in service. Differences need the same review as a user's change; the jobs role
 * creates its item (`waitingDevices`).
 */
export async function proposeParams(
  pool: pg.Pool,
  app: Machine,
  device: { id: string; family: Family },
  params: Readonly<Record<string, unknown>>,
  now: number,
): Promise<Outcome> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      name: string
      project_code: string
      params: Record<string, unknown>
      pending: { difference: Difference[] } | null
    }>('select name, project_code, params, pending from device where id = $1 for update', [device.id])
    const [row] = rows
    if (!row) return { refused: '设备未登记' }
    const difference = paramChanges(device.family, row.params, params)
    if (difference.length === 0) return { pending: row.pending !== null }
    // Machines repeat their parameters at every start.
    if (row.pending && isDeepStrictEqual(row.pending.difference, difference)) return { pending: true }
    if (row.pending) return { refused: '设备已有变更待审核，请审核后再提交' }
    const pending = { by: named(app), at: now, body: { params }, difference }
    await client.query(
      'update device set pending = $2::jsonb, apply_time = $3, update_time = $3, update_by = $4, version = version + 1 where id = $1',
      [device.id, JSON.stringify(pending), new Date(now), named(app)],
    )
    const change = { id: device.id, projectCode: row.project_code, act: '提交变更审核', detail: difference }
    await note(client, app, change, `提交设备变更 ${row.name}`, now)
    return { pending: true }
  })
}

export interface NewMachine {
  deviceSn: string
  family: Family
  model: string | undefined
  name: string
  params: Record<string, unknown>
}
/** Maximum devices per application: a site has some dozens. */
export const mostDevicesOfApp = 500

/** Registers a device for an application; it needs a review. A number in use elsewhere gets the same response, but no device is created. */
export async function registerByMachine(
  pool: pg.Pool,
  app: Machine,
  requested: NewMachine,
  now: number,
): Promise<{ id: string; status: string } | { refused: string }> {
  return inTransaction(pool, async (client) => {
    const { rows: had } = await client.query<{ n: number }>(
      `select (select count(*) from device where access ->> 'appId' = $1)::int + (select count(*) from open_claim where app_id = $1)::int as n`,
      [app.id],
    )
    if ((had[0]?.n ?? 0) >= mostDevicesOfApp) return { refused: `每个应用最多登记 ${mostDevicesOfApp} 台设备` }
    const { rows } = await client.query<{ id: string; status: string }>(
      `insert into device (id, project_code, name, device_sn, family, category, model_name, access, protocol, access_key, params, interval_seconds, status, create_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'http', $4, $9, $10, '0', $11) on conflict do nothing returning id, status`,
      [
        newId(now),
        app.projectCode,
        requested.name,
        requested.deviceSn,
        requested.family.key,
        String(requested.family.code),
        requested.model ?? null,
        JSON.stringify({ protocol: 'http', appId: app.id }),
        JSON.stringify(requested.params),
        requested.family.intervalSeconds,
        named(app),
      ],
    )
    const [made] = rows
    if (made) {
      await note(client, app, { id: made.id, projectCode: app.projectCode, act: '提交登记', detail: [] }, `登记设备 ${requested.name}`, now)
      return made
    }
    // The application's own device, not yet in this process's cache.
    const { rows: own } = await client.query<{ id: string; status: string }>(
      `select id, status from device where device_sn = $1 and project_code = $2 and (cardinality($3::text[]) = 0 or family = any ($3))`,
      [requested.deviceSn, app.projectCode, app.families],
    )
    if (own[0]) return own[0]
    const claim = await client.query<{ id: string; status: string }>(
      `insert into open_claim (app_id, device_sn, id, name, family, at) values ($1, $2, $3, $4, $5, $6)
       on conflict (app_id, device_sn) do update set at = excluded.at returning id, '0' as status`,
      [app.id, requested.deviceSn, newId(now), requested.name, requested.family.key, new Date(now)],
    )
    return claim.rows[0] ?? { refused: '设备登记失败' }
  })
}

export interface WaitingMachine {
  id: string
  name: string
  family: string
}
/** The device an application registered that needs a review, or a placeholder for a number in use elsewhere. */
export async function waitingOf(pool: pg.Pool, appId: string, deviceSn: string): Promise<WaitingMachine | undefined> {
  const { rows } = await pool.query<WaitingMachine>(
    `select id, name, family from device where device_sn = $2 and status = '0' and access ->> 'appId' = $1
     union all select id, name, family from open_claim where app_id = $1 and device_sn = $2 limit 1`,
    [appId, deviceSn],
  )
  return rows[0]
}

async function note(
  client: pg.PoolClient,
  app: Machine,
  change: { id: string; projectCode: string; act: string; detail: readonly Difference[] },
  summary: string,
  now: number,
): Promise<void> {
  await client.query(
    `insert into equipment_change (id, subject, subject_id, project_code, at, by_name, act, detail) values ($1, 'device', $2, $3, $4, $5, $6, $7::jsonb)`,
    [newId(now), change.id, change.projectCode, new Date(now), named(app), change.act, JSON.stringify(change.detail)],
  )
  await client.query(
    `insert into audit_log (id, at, user_id, account, user_name, group_id, group_name, action, summary, object_id, project_code, ip)
     select $1, $2, null, $3, $4, t.id, t.name, 'change', $5, $6, $7, $8 from tenant t where t.type = 3 and t.code = $7`,
    [newId(now), new Date(now), app.id.slice(0, 64), named(app), summary.slice(0, 500), change.id, change.projectCode, app.address],
  )
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T | { refused: string }> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const done = await work(client)
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback')
    if (isUniqueViolation(error, 'device_camera_number')) return { refused: cameraNumberTaken }
    throw error
  } finally {
    client.release()
  }
}
