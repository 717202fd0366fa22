import { existsSync, unlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Config } from '#kit/config'
import { openDatabase } from '#kit/db'
import type { Log } from '#kit/log'

export interface Ingest {
  stop(): Promise<void>
}

/** The ingest role: listeners, the pipeline of readings, rules and live push. */
export async function runIngest(config: Config, log: Log): Promise<Ingest> {
  const database = openDatabase(config.databaseUrl ?? '', {
    max: 6,
    name: 'zhugong-ingest',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  const local = createServer((request, response) => {
    if (request.url !== '/readyz') return response.writeHead(404).end()
    database.pool.query('select 1').then(
      () => response.writeHead(200).end('ready'),
      () => response.writeHead(503).end('database away'),
    )
  })
  if (existsSync(config.ingestSocket)) unlinkSync(config.ingestSocket)
  await new Promise<void>((resolve, reject) => local.once('error', reject).listen(config.ingestSocket, resolve))
  return {
    async stop() {
      await new Promise((resolve) => local.close(resolve))
      await database.close()
    },
  }
}
