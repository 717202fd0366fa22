import { newId } from '#kit/ids'
import { InFlight } from '#kit/in-flight'
import { type DockingDependencies, type DockingTable, runPull } from './docking-run.ts'

const lookMs = 3_000
const forgetMs = 3_600_000
const keptDays = 90
/** Concurrent pulls per platform and in total. */
const pullLimits = { perKey: 1, inAll: 16 }

/** Jobs role: runs due and requested pulls. Processes share the work by claiming each pull. */
export function startDockings(deps: DockingDependencies): { stop(): Promise<void> } {
  let stopped = false
  let running: Promise<void> | undefined
  let forgotten = deps.now()
  const pulls = new InFlight(pullLimits, deps.log, () => look())
  const busy = new Set<string>()
  const round = async () => {
    if (deps.now() - forgotten > forgetMs) {
      forgotten = deps.now()
      await forget(deps)
    }
    while (!stopped && pulls.roomOf('') > 0) {
      const pull = (await takeRequested(deps, [...busy])) ?? (await takeDue(deps, [...busy]))
      if (!pull) break
      busy.add(pull.gatewayId)
      pulls.start(pull.gatewayId, () => pull.run().finally(() => busy.delete(pull.gatewayId)))
    }
  }
  function look() {
    if (stopped || running) return
    running = round()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'dockings'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(look, lookMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
      await pulls.stop()
    },
  }
}

/** One pull from one platform; other platforms do not wait for it. */
interface Pull {
  gatewayId: string
  run(): Promise<void>
}

async function dockingOf(deps: DockingDependencies, id: string): Promise<DockingTable | undefined> {
  const { rows } = await deps.pool.query<DockingTable>('select * from gateway3rd where id = $1', [id])
  return rows[0]
}

async function takeRequested(deps: DockingDependencies, busy: readonly string[]): Promise<Pull | undefined> {
  const { rows } = await deps.pool.query<{ id: string; gateway_id: string; period: { from?: number; to?: number } | null }>(
    `update gateway3rd_run set result = 'running' where id = (select id from gateway3rd_run where result = 'waiting' and not gateway_id = any ($1) order by at limit 1 for update skip locked)
     returning id, gateway_id, refused -> 0 as period`,
    [busy],
  )
  const run = rows[0]
  if (!run) return undefined
  return {
    gatewayId: run.gateway_id,
    run: async () => {
      const docking = await dockingOf(deps, run.gateway_id)
      if (docking) await runPull(deps, docking, { id: run.id, cause: 'manual', from: run.period?.from, to: run.period?.to })
    },
  }
}

async function takeDue(deps: DockingDependencies, busy: readonly string[]): Promise<Pull | undefined> {
  const now = new Date(deps.now())
  const { rows } = await deps.pool.query<{ id: string }>(
    `update gateway3rd set last_run = $1 where id = (select id from gateway3rd where enable = '1' and conn_type = '3' and not id = any ($2)
       and (last_run is null or last_run <= $1::timestamptz - make_interval(mins => schedule_minutes)) order by last_run nulls first limit 1 for update skip locked) returning id`,
    [now, busy],
  )
  const due = rows[0]
  if (!due) return undefined
  return {
    gatewayId: due.id,
    run: async () => {
      const docking = await dockingOf(deps, due.id)
      if (docking) await runPull(deps, docking, { id: newId(), cause: 'schedule' })
    },
  }
}

/** Deletes old run records; pushes create one every few seconds. */
async function forget(deps: DockingDependencies): Promise<void> {
  await deps.pool.query('delete from gateway3rd_run where at < $1', [new Date(deps.now() - keptDays * 86_400_000)])
}
