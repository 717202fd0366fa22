import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openDatabase } from '#kit/db'
import { createSecrets } from '#kit/secret'
import { cpuSeconds, line, outputOf, startProcess, stopProcess } from './measure.ts'

const here = dirname(fileURLToPath(import.meta.url))
/** Enough that the 20 messages a second of one gateway do not bound the whole. */
const connections = 3_000
const seconds = 10
const inFlight = 10
// Beside the product's own ingest, which keeps its ports while it is stopped.
const ports = { MQTT_PORT: '27193', MQTT_WS_PORT: '27093', HJ212_PORT: '27222', PORT: '27090', JT808_PORT: '27818' }

interface Run {
  perSecond: number
  total: number
  latency: { p50: number; p99: number }
}

/** Acknowledged QoS 1 messages a second and processor time a message, everything on, against broker + parse + COPY alone. */
export async function benchIngest(databaseUrl: string, secretKey: string, dataDir: string): Promise<void> {
  const devices = await makeDevices(databaseUrl, secretKey)
  const file = join(mkdtempSync(join(tmpdir(), 'zg-bench-')), 'devices.json')
  writeFileSync(file, JSON.stringify(devices))
  const run = async (start: () => ReturnType<typeof startProcess>, port: string): Promise<Run & { cpu: number }> => {
    const server = await start()
    const before = cpuSeconds(server.pid ?? 0)
    const result = JSON.parse(
      await outputOf(join(here, 'publisher.ts'), [`mqtt://127.0.0.1:${port}`, file, String(seconds), String(inFlight)]),
    ) as Run
    const cpu = ((cpuSeconds(server.pid ?? 0) - before) / Math.max(1, result.total)) * 1e6
    await stopProcess(server)
    return { ...result, cpu }
  }
  const limit = await run(() => startProcess(join(here, 'bare-broker.ts'), [databaseUrl, '27184']), '27184')
  const product = await run(
    () =>
      startProcess(join(here, '../src/main.ts'), ['ingest'], {
        ...ports,
        DATABASE_URL: databaseUrl,
        SECRET_KEY: secretKey,
        DATA_DIR: dataDir,
        ZHUGONG_ROLE_MODE: 'demo',
        LOG_LEVEL: 'warn',
      }),
    ports.MQTT_PORT,
  )
  const show = (r: Run & { cpu: number }) =>
    `${Math.round(r.perSecond)} msg/s, ${r.cpu.toFixed(0)} us CPU, p99 ${r.latency.p99.toFixed(0)} ms`
  line(
    `ingest, QoS 1, ${connections} connections`,
    show(product),
    `broker+parse+COPY ${show(limit)}`,
    (product.perSecond / limit.perSecond).toFixed(2),
  )
}

async function makeDevices(databaseUrl: string, secretKey: string) {
  const database = openDatabase(databaseUrl, { max: 2 })
  const secrets = createSecrets(secretKey)
  const secret = 'bench-secret-of-enough-length-0001'
  const { rows } = await database.pool.query<{ project_code: string }>('select project_code from project limit 1')
  const projectCode = rows[0]?.project_code
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const list = Array.from({ length: connections }, (_, i) => ({
    gatewayId: `bench${String(i).padStart(5, '0')}`,
    secret,
    deviceSn: `BENCH-${String(i).padStart(5, '0')}`,
  }))
  for (const d of list) {
    await client.query(
      `insert into gateway (id, project_code, name, connection_type, secret) values ($1, $2, $1, 'mqtt', $3) on conflict do nothing`,
      [d.gatewayId, projectCode, secrets.seal(secret)],
    )
    await client.query(
      `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, gateway_id, interval_seconds, status)
       values (md5($1), $2, $1, $1, 'towerCrane', jsonb_build_object('protocol', 'mqtt', 'gatewayId', $3::text), 'mqtt', $3 || '/' || $1, $3, 1, '1') on conflict do nothing`,
      [d.deviceSn, projectCode, d.gatewayId],
    )
  }
  await client.end()
  await database.close()
  return list
}
