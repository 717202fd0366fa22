import type pg from 'pg'
import { newId } from '#kit/ids'
import { InFlight } from '#kit/in-flight'
import { postLocal } from '#kit/local-call'
import type { Log } from '#kit/log'

export interface GateDependencies {
  pool: pg.Pool
  log: Log
  ingestSocket: string
  now(): number
}

const lookMs = 5_000
/** Interval of the check that removes people who have left or withdrawn consent from the gates. */
const checkMs = 60_000
/** People written to one gate per turn. */
const perTurn = 20
/** Pause after a gate did not respond. */
const restMs = 60_000
/** Concurrent writes per site and in total; a gate that does not respond delays only its own site. */
const gateLimits = { perKey: 2, inAll: 16 }
const gatesPerLook = 200
/** The ingest waits ten seconds for a device. */
const commandMs = 12_000

interface Waiting {
  device_id: string
  worker_id: string
  state: string
  name: string | null
}

/** Jobs role: writes waiting people to their gates and removes others, with idempotent commands. */
export function startGateSync(deps: GateDependencies): { stop(): Promise<void> } {
  const restUntil = new Map<string, number>()
  let stopped = false
  let running: Promise<void> | undefined
  let checkAt = 0
  const writing = new InFlight(gateLimits, deps.log)
  const busy = new Set<string>()
  const round = async () => {
    if (deps.now() >= checkAt) {
      checkAt = deps.now() + checkMs
      await takeOffWhoMayNot(deps)
    }
    for (const [id, until] of restUntil) if (until < deps.now()) restUntil.delete(id)
    const { rows } = await deps.pool.query<{ id: string; site: string }>(
      `select distinct g.device_id as id, d.project_code as site from gate_face g join device d on d.id = g.device_id join device_latest l on l.device_id = d.id
       where g.state in ('0', '3') and d.status = '1' and d.protocol = 'mqtt' and l.online and not g.device_id = any ($1) limit $2`,
      [[...restUntil.keys(), ...busy], gatesPerLook],
    )
    for (const { id, site } of rows) {
      if (stopped || writing.roomOf(site) <= 0) continue
      busy.add(id)
      writing.start(site, async () => {
        try {
          if (!(await writeTurn(deps, id))) restUntil.set(id, deps.now() + restMs)
        } finally {
          busy.delete(id)
        }
      })
    }
  }
  const timer = setInterval(() => {
    running ??= round()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'gate people'))
      .finally(() => {
        running = undefined
      })
  }, lookMs)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
      await writing.stop()
    },
  }
}

/** Marks faces for removal whose owners have left the site or no longer consent; the next runs remove them. Returns the number. */
export async function takeOffWhoMayNot(deps: Pick<GateDependencies, 'pool' | 'now'>): Promise<number> {
  const { rowCount } = await deps.pool.query(
    `update gate_face g set state = '3', reason = '已退场、撤回同意或列入黑名单', at = $1 where g.state <> '3' and not exists (
       select 1 from project_worker w join worker b on b.id = w.worker_id where w.worker_id = g.worker_id and w.project_code = g.project_code
         and w.exit_time is null and not w.black_hit and b.consents @> '[{"kind":"face","state":"同意"}]')`,
    [new Date(deps.now())],
  )
  return rowCount ?? 0
}

/** Returns false if the gate does not respond. */
export async function writeTurn(deps: GateDependencies, deviceId: string): Promise<boolean> {
  const { rows } = await deps.pool.query<Waiting>(
    `select g.device_id, g.worker_id, g.state,
       (select w.worker_name from project_worker w where w.worker_id = g.worker_id and w.project_code = g.project_code order by w.entry_time desc limit 1) as name
     from gate_face g where g.device_id = $1 and g.state in ('0', '3') order by g.state desc, g.at, g.worker_id limit $2`,
    [deviceId, perTurn],
  )
  for (const one of rows) {
    const removes = one.state === '3'
    const answer = await send(deps, deviceId, removes ? 'gate.personRemove' : 'gate.personUpsert', {
      workerId: one.worker_id,
      ...(removes || !one.name ? {} : { name: one.name }),
    })
    if (answer.result < 0) return false
    const at = new Date(deps.now())
    // Updates only rows that did not change since the command was sent.
    if (removes && answer.result === 0)
      await deps.pool.query(`delete from gate_face where device_id = $1 and worker_id = $2 and state = '3'`, [deviceId, one.worker_id])
    else
      await deps.pool.query(
        `update gate_face set state = $3, reason = $4, at = $5 where device_id = $1 and worker_id = $2 and state = $6`,
        [
          deviceId,
          one.worker_id,
          answer.result === 0 ? '1' : '2',
          answer.result === 0 ? null : answer.message.slice(0, 100) || '设备拒绝',
          at,
          one.state,
        ],
      )
  }
  return true
}

/** -1 if the ingest does not respond. */
async function send(
  deps: GateDependencies,
  deviceId: string,
  cmd: string,
  params: Record<string, unknown>,
): Promise<{ result: number; message: string }> {
  const body = JSON.stringify({ deviceId, cmdId: newId(), cmd, params, expireAt: deps.now() + 60_000, by: '人员同步' })
  try {
    const answer = (await postLocal(deps.ingestSocket, '/command', body, commandMs)) as { result?: unknown; message?: unknown }
    return { result: typeof answer.result === 'number' ? answer.result : -1, message: String(answer.message ?? '') }
  } catch {
    return { result: -1, message: '设备接入服务暂时不可用' }
  }
}
