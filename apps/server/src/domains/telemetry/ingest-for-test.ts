import { createHmac } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import pg from 'pg'
import { type Config, readConfig } from '#kit/config'
import { asRuntime, openDatabase } from '#kit/db'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { cloneDatabase } from '../../../test/world.ts'
import { deliverDefaultRules } from '../rules/public.ts'
import { createIngest, type Ingest, type IngestHooks } from './ingest.ts'

/** A proxy connection to the database that can be cut, to simulate an unavailable database. */
export async function openLine(url: string) {
  const target = new pg.Client({ connectionString: url })
  const sockets = new Set<Socket>()
  const folder = mkdtempSync(join(tmpdir(), 'zg-line-'))
  const path = join(folder, '.s.PGSQL.5432')
  let server: Server | undefined
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = target.host.startsWith('/')
          ? createConnection(`${target.host}/.s.PGSQL.${target.port}`)
          : createConnection(target.port, target.host)
        for (const [a, b] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(a)
          a.on('error', () => undefined)
          a.on('close', () => {
            sockets.delete(a)
            b.destroy()
          })
        }
        near.pipe(far).pipe(near)
      }).listen(path, resolve)
    })
  await open()
  return {
    url: `postgres://${target.user}@/${target.database}?host=${encodeURIComponent(folder)}`,
    open,
    async cut(): Promise<void> {
      const closed = new Promise<void>((resolve) => server?.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** An ingest on its own database, with helpers to create projects, gateways and devices. */
export async function openSite(serverUrl: string, hooks: IngestHooks = {}, environment: Record<string, string> = {}) {
  const clone = await cloneDatabase(serverUrl)
  const line = await openLine(clone.url)
  const dataDir = mkdtempSync(join(tmpdir(), 'zg-ingest-'))
  const config: Config = {
    ...readConfig('test', {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://unused',
      SECRET_KEY: 'a test key of at least thirty-two characters',
      LOG_LEVEL: 'silent',
      OUTGOING_INSIDE: '127.0.0.1',
      MQTT_PORT: '0',
      MQTT_WS_PORT: '0',
      HJ212_PORT: '0',
      JT808_PORT: '0',
      ...environment,
    }),
    databaseUrl: clone.url,
  }
  const secrets = createSecrets(config.secretKey)
  const database = openDatabase(clone.url, { max: 6, owner: true })
  const { pool } = database
  // The ingest connects to the database through the proxy, the test itself directly.
  const overLine = openDatabase(line.url, { max: 6, onError: () => undefined })
  const log = createLog('test-ingest', process.env.TEST_LOG ?? 'silent')
  await deliverDefaultRules(database.kysely)

  let stoodAt: number | undefined
  const start = (): Promise<Ingest> =>
    createIngest({
      now: () => stoodAt ?? Date.now(),
      config,
      log,
      database: overLine,
      databaseUrl: line.url,
      secrets,
      connect: async () => {
        const client = new pg.Client({ connectionString: line.url, ...asRuntime })
        client.on('error', () => undefined)
        await client.connect()
        return client
      },
      hooks,
    })
  let ingest = await start()

  const given = {
    async project(code: string): Promise<string> {
      await pool.query(
        `insert into project (id, project_code, name, category, prj_status, area_code, address, lng, lat, property_num, invest, start_date, complete_date, link_man)
         values ($1, $2, $2, '01', '003', '420100', '—', 114, 30, '1', 1, '2026-01-01', '2027-01-01', '—') on conflict do nothing`,
        [newId(), code],
      )
      return code
    },
    async gateway(projectCode: string, connectionType = 'mqtt') {
      await given.project(projectCode)
      const id = newId()
      const secret = newId()
      await pool.query('insert into gateway (id, project_code, name, connection_type, secret) values ($1, $2, $3, $4, $5)', [
        id,
        projectCode,
        '网关',
        connectionType,
        secrets.seal(secret),
      ])
      return { id, secret, projectCode }
    },
    async device(
      projectCode: string,
      family: string,
      access: { protocol: string; accessKey?: string; gatewayId?: string; [more: string]: unknown },
      more: { sn?: string; params?: object; secret?: string; interval?: number } = {},
    ) {
      await given.project(projectCode)
      const id = newId()
      const sn = more.sn ?? `SN${id.slice(-10)}`
      const { accessKey, ...rest } = access
      await pool.query(
        `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, access_secret, gateway_id, params, interval_seconds)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          id,
          projectCode,
          `设备 ${sn}`,
          sn,
          family,
          JSON.stringify(rest),
          access.protocol,
          accessKey ?? (access.gatewayId ? `${access.gatewayId}/${sn}` : sn),
          more.secret ? secrets.seal(more.secret) : null,
          access.gatewayId ?? null,
          JSON.stringify(more.params ?? {}),
          more.interval ?? 10,
        ],
      )
      return { id, sn, projectCode, family }
    },
  }

  const clients: MqttClient[] = []
  const password = (gateway: { id: string; secret: string }) => {
    const stamp = Date.now()
    return `${createHmac('sha256', gateway.secret).update(`gw:${gateway.id}|${stamp}`).digest('hex')}|${stamp}`
  }
  const connect = (options: IClientOptions) => {
    const client = mqtt.connect(`mqtt://127.0.0.1:${ingest.ports.mqtt}`, {
      reconnectPeriod: 0,
      connectTimeout: 4000,
      protocolVersion: 4,
      ...options,
    })
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }

  return {
    config,
    secrets,
    database,
    pool,
    given,
    get ingest() {
      return ingest
    },
    url: clone.url,
    line,
    connect,
    /** A connected gateway. */
    async gatewayClient(gateway: { id: string; secret: string }, options: IClientOptions = {}): Promise<MqttClient> {
      const client = connect({ clientId: `gw:${gateway.id}`, username: gateway.id, password: password(gateway), ...options })
      await new Promise<void>((resolve, reject) => {
        client.once('connect', () => resolve())
        client.once('error', reject)
        client.once('close', () => reject(new Error('closed')))
      })
      return client
    },
    password,
    /** Stops the ingest's clock at `at` while `fn` runs. */
    async atOneMoment<T>(fn: () => Promise<T>, at = Date.now()): Promise<T> {
      stoodAt = at
      try {
        return await fn()
      } finally {
        stoodAt = undefined
      }
    },
    async restart(between?: () => Promise<void>): Promise<void> {
      await ingest.stop()
      await between?.()
      ingest = await start()
    },
    async count(sql: string, values: unknown[] = []): Promise<number> {
      const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${sql}`, values)
      return rows[0]?.n ?? 0
    },
    async close(): Promise<void> {
      for (const client of clients) client.end(true)
      await ingest.stop()
      await overLine.close()
      await line.cut()
      await database.close()
      await clone.drop()
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>

export const uplink = (gatewayId: string, deviceSn: string, kind: string) => `site/v1/up/${gatewayId}/${deviceSn}/${kind}`

export const craneData = (more: Record<string, unknown> = {}) => ({
  load: 3.2,
  ratedLoad: 5.1,
  loadPercent: 62.7,
  momentPercent: 58.4,
  radius: 32.5,
  hookHeight: 41.2,
  slewAngle: 127.3,
  windSpeed: 4.6,
  tiltX: 0.12,
  tiltY: -0.08,
  fall: 2,
  driverId: 'D1024',
  ...more,
})

export const message = (items: unknown[], more: object = {}) => JSON.stringify({ v: 1, msgId: newId(), items, ...more })

/** Publishes at QoS 1; resolves with the PUBACK. */
export const acknowledged = (client: MqttClient, topic: string, payload: string | Buffer) => client.publishAsync(topic, payload, { qos: 1 })

export async function until(check: () => Promise<boolean> | boolean, ms = 30_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await check())) {
    if (Date.now() > end) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
