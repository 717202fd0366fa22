import { existsSync, unlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'
import './domains/access/tables.ts'
import './domains/alarms/tables.ts'
import './domains/equipment/tables.ts'
import './domains/identity/tables.ts'
import './domains/reports/tables.ts'
import './domains/rules/tables.ts'
import './domains/telemetry/tables.ts'
import { deliverDefaultRules } from '#domains/rules/public'
import { createIngest, type Ingest, type IngestHooks } from '#domains/telemetry/ingest'
import type { Config } from '#kit/config'
import { asRuntime, openDatabase } from '#kit/db'
import type { Log } from '#kit/log'
import { createSecrets } from '#kit/secret'

/** Starts the ingest role: listeners, the pipeline of readings, rules and live push. */
export async function runIngest(config: Config, log: Log, hooks: IngestHooks = {}): Promise<Ingest> {
  const databaseUrl = config.databaseUrl ?? ''
  const database = openDatabase(databaseUrl, {
    max: 6,
    name: 'zhugong-ingest',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  await deliverDefaultRules(database.kysely)
  const ingest = await createIngest({
    config,
    log,
    database,
    databaseUrl,
    secrets: createSecrets(config.secretKey),
    connect: async () => {
      const client = new pg.Client({
        connectionString: databaseUrl,
        application_name: 'zhugong-ingest-listen',
        connectionTimeoutMillis: 5_000,
        ...asRuntime,
      })
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    hooks,
  })
  // Only the api can reach this process here, over a Unix socket.
  const local = createServer((request, response) => void ingest.handle(request, response))
  if (existsSync(config.ingestSocket)) unlinkSync(config.ingestSocket)
  await new Promise<void>((resolve, reject) => local.once('error', reject).listen(config.ingestSocket, resolve))
  return {
    ...ingest,
    async stop() {
      local.close()
      local.closeAllConnections()
      await ingest.stop()
      await database.close()
    },
  }
}
