import { systemClock } from '#kit/clock'
import type { Config } from '#kit/config'
import { asRuntime, openDatabase } from '#kit/db'
import { readLocal } from '#kit/local-call'
import type { Log } from '#kit/log'
import { readDemoAccounts } from './demo/accounts.ts'

// Each role imports only the modules it uses: loading modules takes half of a process's start.

/** Timeout of requests to the ingest: monitoring sends a request every few seconds, and a longer delay counts as not ready. */
const ingestAnswerMs = 1_000

export interface Role {
  stop(): Promise<void>
}

export async function runApi(config: Config, log: Log, webRoot: string): Promise<Role> {
  const [{ createApi }, { followOwnWords }, { exportQueue }, { importQueue }, { surveyQueue, surveyRetries }] = await Promise.all([
    import('./api.ts'),
    import('#domains/settings/own-words'),
    import('#domains/exports/run-export'),
    import('#domains/personnel/import/run'),
    import('#domains/monitoring/pit/survey/write'),
  ])
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const requests = openDatabase(config.databaseUrl ?? '', { max: 20, name: 'zhugong-api', onError })
  const system = openDatabase(config.databaseUrl ?? '', { max: 10, name: 'zhugong-api-system', onError })
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    connectionString: config.databaseUrl ?? '',
    application_name: 'zhugong-api-boss',
    ...asRuntime,
    createSchema: false,
    max: 2,
    supervise: false,
    schedule: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  for (const queue of [exportQueue, importQueue]) await boss.createQueue(queue, { retryLimit: 2 })
  await boss.createQueue(surveyQueue, surveyRetries)
  const api = await createApi({
    config,
    log,
    requests,
    system,
    webRoot,
    demoAccounts: config.demo ? readDemoAccounts(config.dataDir) : undefined,
    enqueue: async (queue, data) => void (await boss.send(queue, data)),
    askIngest: (path) => readLocal(config.ingestSocket, path, ingestAnswerMs),
  })
  if (config.demo) (await import('./demo/media/server.ts')).serveDemoMedia(api.app, { config, log, system })
  const words = followOwnWords(system.kysely, config.databaseUrl ?? '', 'zhugong-api-words', log)
  await api.app.listen({ host: config.host, port: config.port })
  return {
    async stop() {
      await api.app.close()
      await words.stop()
      await boss.stop({ graceful: false })
      await Promise.all([requests.close(), system.close()])
    },
  }
}

/** Starts the ingest with the attendance of gate records, which is computed in the process that receives them. */
export async function runIngestRole(config: Config, log: Log): Promise<Role> {
  const [{ runIngest }, { gateRecordHook, startDayKeeper }] = await Promise.all([
    import('./ingest.ts'),
    import('#domains/attendance/public'),
  ])
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const database = openDatabase(config.databaseUrl ?? '', { max: 4, name: 'zhugong-days', onError })
  const keeper = startDayKeeper(database.kysely, systemClock, (error) => log.error({ err: error }, 'attendance days'))
  const ingest = await runIngest(config, log, { onGateRecords: gateRecordHook(keeper) })
  return {
    async stop() {
      await ingest.stop()
      await keeper.stop()
      await database.close()
    },
  }
}

export async function runJobs(config: Config, log: Log): Promise<Role> {
  const { startJobs } = await import('./jobs.ts')
  return startJobs(config, log)
}
