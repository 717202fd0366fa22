import { newId } from '#kit/ids'
import { type DockingDependencies, type DockingTable, runPull } from './docking-run.ts'

const lookMs = 3_000
const forgetMs = 3_600_000
const keptDays = 90

/** In the jobs role: pulls that are due, and those somebody asked for. Several processes share the work: each claims what it takes. */
export function startDockings(deps: DockingDependencies): { stop(): Promise<void> } {
  let stopped = false
  let running = Promise.resolve()
  let forgotten = deps.now()
  const look = async () => {
    if (stopped) return
    if (deps.now() - forgotten > forgetMs) {
      forgotten = deps.now()
      await forget(deps)
    }
    await takeAsked(deps)
    await takeDue(deps)
  }
  const timer = setInterval(() => {
    running = running.then(look).catch((error: unknown) => deps.log.warn({ err: error }, 'dockings'))
  }, lookMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}

async function dockingOf(deps: DockingDependencies, id: string): Promise<DockingTable | undefined> {
  const { rows } = await deps.pool.query<DockingTable>('select * from gateway3rd where id = $1', [id])
  return rows[0]
}

async function takeAsked(deps: DockingDependencies): Promise<void> {
  const { rows } = await deps.pool.query<{ id: string; gateway_id: string; period: { from?: number; to?: number } | null }>(
    `update gateway3rd_run set result = 'running' where id = (select id from gateway3rd_run where result = 'waiting' order by at limit 1 for update skip locked)
     returning id, gateway_id, refused -> 0 as period`,
  )
  const run = rows[0]
  if (!run) return
  const docking = await dockingOf(deps, run.gateway_id)
  if (docking) await runPull(deps, docking, { id: run.id, cause: 'manual', from: run.period?.from, to: run.period?.to })
}

async function takeDue(deps: DockingDependencies): Promise<void> {
  const now = new Date(deps.now())
  const { rows } = await deps.pool.query<{ id: string }>(
    `update gateway3rd set last_run = $1 where id = (select id from gateway3rd where enable = '1' and conn_type = '3'
       and (last_run is null or last_run <= $1::timestamptz - make_interval(mins => schedule_minutes)) order by last_run nulls first limit 1 for update skip locked) returning id`,
    [now],
  )
  const due = rows[0]
  if (!due) return
  const docking = await dockingOf(deps, due.id)
  if (docking) await runPull(deps, docking, { id: newId(), cause: 'schedule' })
}

/** Pushes come every few seconds: their record is kept for a while only. */
async function forget(deps: DockingDependencies): Promise<void> {
  await deps.pool.query('delete from gateway3rd_run where at < $1', [new Date(deps.now() - keptDays * 86_400_000)])
}
