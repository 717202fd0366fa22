import { existsSync, mkdirSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BackupError } from '#kit/backup/manifest'
import { type Config, ConfigError, portsOf, readConfig } from '#kit/config'
import { admitRuntime, refuseSuperuser } from '#kit/database-logins'
import { openDatabase } from '#kit/db'
import { requireOwnKey } from '#kit/key-mark'
import { createLog } from '#kit/log'
import { migrate } from '#kit/migrate'
import { PostgresLaunchError } from '#kit/postgres/launch-error'
import { type RunningPostgres, startPostgres } from '#kit/postgres/launcher'
import { createSecrets } from '#kit/secret'
import { misconfigured, type NamedPorts, startFaultOf } from '#kit/start-fault'
import { CannotStart, exitWithParent, reportReady, supervise } from '#kit/supervise'

/**
 * The program of zhugong. `demo` and `serve` run the roles `api`, `ingest` and `jobs` as supervised child processes. In production the
 * roles can also be started separately, and `api` and `jobs` several times.
 */
const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
const migrationsFolder = join(here, '../migrations')
const webRoot = join(root, 'apps/web/dist')

/** Environment variable by which the supervisor passes its mode to a role. */
const roleMode = 'ZHUGONG_ROLE_MODE'

// Cache compiled modules between starts: a restarted role is ready in half the time. If the folder cannot be written, there is no cache.
const compileCache = join(root, 'node_modules/.cache/zhugong')
enableCompileCache(compileCache)

const [mode = '', ...args] = process.argv.slice(2)

try {
  await run()
} catch (error) {
  process.exit(tellFault(error))
}

/**
 * Reports in one line why the program ends, to the log or the terminal, and returns the exit code. Unexpected errors keep their stack
 * trace.
 */
function tellFault(error: unknown): number {
  // The child has logged the reason.
  if (error instanceof CannotStart) return misconfigured
  const say = ['serve', 'api', 'ingest', 'jobs'].includes(mode) ? (text: string) => createLog(mode, 'fatal').fatal(text) : console.error
  if (error instanceof ConfigError || error instanceof PostgresLaunchError || error instanceof BackupError) {
    say(error.message)
    return misconfigured
  }
  const fault = startFaultOf(error, portsInUse())
  if (fault) say(fault.text)
  else console.error(error)
  return fault?.isLasting ? misconfigured : 1
}

function portsInUse(): NamedPorts {
  try {
    return portsOf(readConfig(mode === 'demo' || process.env[roleMode] === 'demo' ? 'demo' : 'serve'))
  } catch {
    return {}
  }
}

async function run(): Promise<void> {
  switch (mode) {
    case 'demo':
    case 'serve':
      return superviseRoles(mode)
    case 'api':
    case 'ingest':
    case 'jobs':
      return runRole(mode)
    case 'admin':
      return (await import('./admin.ts')).createAdministrator(readConfig(process.env.DATABASE_URL ? 'serve' : 'demo'), args)
    case 'backup':
    case 'restore':
      return (await import('./backup.ts')).copyOrBring(
        mode,
        readConfig(process.env.DATABASE_URL ? 'serve' : 'demo'),
        args,
        migrationsFolder,
      )
    case 'migrate':
      return migrateOnly(readConfig('serve'))
    default:
      throw new ConfigError('用法：main.ts demo | serve | api | ingest | jobs | admin | backup | restore | migrate')
  }
}

async function migrateOnly(config: Config): Promise<void> {
  await refuseSuperuser(config.databaseUrl ?? '')
  const database = openDatabase(config.databaseOwnerUrl ?? '', { max: 2, name: 'zhugong-migrate', owner: true })
  const applied = await migrate(database.pool, migrationsFolder)
  await requireOwnKey(database.pool, createSecrets(config.secretKey))
  await admitRuntime(database.pool, config.databaseUrl ?? '', createLog('zhugong', config.logLevel))
  console.log(applied.length ? `已应用 ${applied.length} 个迁移：${applied.join('、')}` : '数据库已是最新')
  await database.close()
}

async function superviseRoles(kind: 'demo' | 'serve'): Promise<void> {
  exitWithParent()
  const running: { postgres?: RunningPostgres } = {}
  try {
    await startRoles(kind, running)
  } catch (error) {
    await running.postgres?.stop()
    throw error
  }
}

async function startRoles(kind: 'demo' | 'serve', running: { postgres?: RunningPostgres }): Promise<void> {
  const begun = performance.now()
  const config = readConfig(kind)
  const log = createLog('zhugong', config.logLevel)
  const stopping = new AbortController()
  let supervisor: ReturnType<typeof supervise> | undefined
  const stop = async () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    await supervisor?.stop()
    await running.postgres?.stop()
    process.exit(0)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void stop())

  if (!config.databaseUrl) {
    mkdirSync(join(config.dataDir, 'log'), { recursive: true })
    running.postgres = await startPostgres({ dataDir: config.dataDir, log })
  }
  const ownerUrl = config.databaseOwnerUrl ?? running.postgres?.url ?? ''
  const databaseUrl = config.databaseUrl ?? running.postgres?.runUrl ?? ''
  if (kind === 'serve') await refuseSuperuser(databaseUrl)
  const database = openDatabase(ownerUrl, { max: 4, name: 'zhugong-main', owner: true })
  const applied = await migrate(database.pool, migrationsFolder)
  if (applied.length) log.info(`${applied.length} migrations applied`)
  await requireOwnKey(database.pool, createSecrets(config.secretKey))
  await admitRuntime(database.pool, databaseUrl, kind === 'serve' ? log : undefined)
  const { deliver } = await import('./delivery.ts')
  await deliver(database.kysely)
  const simulated = !args.includes('--no-simulator')
  const demo = config.demo ? await (await import('./demo/demo.ts')).prepareDemo(config, database, ownerUrl, log, !simulated) : undefined
  await database.close()
  if (stopping.signal.aborted) return

  const env = {
    DATABASE_URL: databaseUrl,
    // Do not pass the login of the owner of the tables to the roles.
    DATABASE_OWNER_URL: '',
    SECRET_KEY: config.secretKey,
    DATA_DIR: config.dataDir,
    [roleMode]: kind,
    // The call above comes after the imports of this file; the variable makes Node cache these in the roles too.
    NODE_COMPILE_CACHE: compileCache,
    DEMO: config.demo ? '1' : '0',
  }
  const role = (name: string) => ({ name, command: process.execPath, args: [join(here, 'main.ts'), name], env, ready: 'reported' as const })
  supervisor = supervise({
    children: [
      role('ingest'),
      { ...role('api'), beside: true },
      ...(demo && simulated
        ? [{ name: 'simulator', command: process.execPath, args: [join(root, 'packages/simulator/src/run.ts'), '--demo', demo.file] }]
        : []),
      // The first page does not need the jobs role, so do not wait for it.
      { ...role('jobs'), beside: demo !== undefined && simulated },
    ],
    log,
  })
  restartOnMessage(supervisor)
  try {
    await supervisor.started
  } catch (error) {
    // A signal stopped the start: this is not an error.
    if (stopping.signal.aborted) return
    await supervisor.stop()
    throw error
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (!demo) return log.info(`started in ${seconds} s: http://${config.host}:${config.port}`)
  // For users who try the product at a terminal.
  console.log(`\n筑工已启动（${seconds} 秒）：http://${config.host}:${config.port}\n`)
  console.log(demo.announcement)
  if (simulated) void demo.grow(ownerUrl, log, stopping.signal)
}

/**
 * `npm run dev` watches the source files and sends `restart` over the IPC channel. The roles restart one after another, because together
 * they would share the processor and all be ready late. The api comes first: it answers the page under development.
 */
function restartOnMessage(supervisor: ReturnType<typeof supervise>): void {
  process.on('message', (message) => {
    if (message === 'restart') void supervisor.restart(['api', 'ingest', 'jobs'])
  })
  // A message listener references the channel; unreference it so that it does not keep the process alive.
  process.channel?.unref()
}

async function runRole(name: 'api' | 'ingest' | 'jobs'): Promise<void> {
  exitWithParent()
  const config = readConfig(process.env[roleMode] === 'demo' ? 'demo' : 'serve')
  const log = createLog(name, config.logLevel)
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })
  if (config.mode === 'serve') {
    await refuseSuperuser(config.databaseUrl ?? '')
    // A role that is started separately has no supervisor that has checked the key.
    const database = openDatabase(config.databaseUrl ?? '', { max: 1, name: 'zhugong-key' })
    await requireOwnKey(database.pool, createSecrets(config.secretKey), false).finally(() => database.close())
  }
  const { runApi, runIngestRole, runJobs } = await import('./roles.ts')
  const role =
    name === 'api'
      ? await runApi(config, log, existsSync(webRoot) ? webRoot : '/nonexistent')
      : name === 'ingest'
        ? await runIngestRole(config, log)
        : await runJobs(config, log)
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await role.stop().catch((error: unknown) => log.error({ err: error }, 'while stopping'))
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  reportReady()
  flushCompileCache()
}
