import { sql } from 'kysely'
import type { Database } from '#kit/db'
import { listenTo } from '#kit/listen'
import type { Log } from '#kit/log'
import { askIngest } from '../telemetry/public.ts'
import { LinkageRunner, type SentCommand } from './runner.ts'
import { turnSprayPlans } from './spray-turn.ts'

export interface LinkageDependencies {
  database: Database
  databaseUrl: string
  log: Log
  ingestSocket: string
  now(): number
}

/** Polling interval for due times; alarm events arrive by notification. */
const tickMs = 1_000
/** Plans have a resolution of one minute. */
const sprayTickMs = 10_000
/** How long to wait for running commands on shutdown; later answers are handled by the process that takes over. */
const lastWordMs = 2_000
const forgetMs = 3_600_000
/** The same retention as the action log. */
const keptDays = 400

/** Starts the linkage worker in the jobs role. Several processes share the work. */
export function startLinkage(deps: LinkageDependencies): { stop(): Promise<void> } {
  const { log } = deps
  const running = { ...deps, send: (command: SentCommand) => askIngest(deps, '/command', command) }
  const runner = new LinkageRunner(running)
  let stopped = false
  let again = false
  let looking: Promise<void> | undefined
  const look = () => {
    again = true
    if (looking || stopped) return
    looking = (async () => {
      while (again && !stopped) {
        again = false
        try {
          await runner.take()
          await runner.pump()
        } catch (error) {
          log.warn({ err: error }, 'linkage')
        }
      }
    })().finally(() => {
      looking = undefined
    })
  }
  const listener = listenTo(deps.databaseUrl, 'zhugong-linkage-listen', ['zg_alarm', 'zg_linkage'], look)
  const timer = setInterval(look, tickMs)
  let spraying: Promise<void> | undefined
  const sprays = setInterval(() => {
    spraying ??= turnSprayPlans(running)
      .catch((error: unknown) => log.warn({ err: error }, 'spray plans'))
      .finally(() => {
        spraying = undefined
      })
  }, sprayTickMs)
  const forgetting = setInterval(() => {
    forget(deps).catch((error: unknown) => log.warn({ err: error }, 'linkage: old runs'))
  }, forgetMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      clearInterval(sprays)
      clearInterval(forgetting)
      await listener.stop()
      await Promise.all([looking, spraying])
      await Promise.race([runner.settled(), new Promise((resolve) => setTimeout(resolve, lastWordMs).unref())])
    },
  }
}

async function forget({ database, now }: LinkageDependencies): Promise<void> {
  const before = new Date(now() - keptDays * 86_400_000)
  await sql`delete from linkage_run where state = 'ended' and create_time < ${before}`.execute(database.kysely)
  await sql`delete from spray_plan_run where due_at < ${before}`.execute(database.kysely)
  await sql`delete from linkage_block where until_time < ${before}`.execute(database.kysely)
}
