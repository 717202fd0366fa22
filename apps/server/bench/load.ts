import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { LoadAnswer, LoadOrder } from './load-process.ts'
import type { LoadPlan } from './loader.ts'

const here = dirname(fileURLToPath(import.meta.url))

export interface Stored {
  acknowledged: number
  lost: number
  twice: number
}

/** Load that a separate process generates. */
export class Load {
  private readonly child: ChildProcess
  private waiting: ((state: LoadAnswer) => void)[] = []
  private readonly folder = mkdtempSync(join(tmpdir(), 'zg-load-'))

  private constructor(child: ChildProcess) {
    this.child = child
    child.on('message', (state: LoadAnswer) => this.waiting.shift()?.(state))
  }

  static async start(plan: LoadPlan): Promise<Load> {
    const child = spawn(process.execPath, [join(here, 'load-process.ts')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const load = new Load(child)
    await load.ask({ do: 'start', plan })
    return load
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  private ask(order: LoadOrder): Promise<LoadAnswer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.child.send(order)
    })
  }

  /** Returns the current counters; the delays are those since the previous call. */
  state(): Promise<LoadAnswer> {
    return this.ask({ do: 'state' })
  }
  rate(rate: number): Promise<LoadAnswer> {
    return this.ask({ do: 'rate', rate })
  }

  /** Resolves when `count` gateways are connected. */
  async connected(count: number, ms = 60_000): Promise<void> {
    const until = performance.now() + ms
    for (;;) {
      const { connected } = await this.state()
      if (connected >= count) return
      if (performance.now() > until) throw new Error(`${connected} of ${count} boxes connected after ${ms / 1000} s`)
      await sleep(100)
    }
  }

  /** Waits for an acknowledgement that arrives after this call, and returns the seconds until then. */
  async answersAgain(ms: number): Promise<number> {
    const begun = performance.now()
    const at = Date.now()
    while (performance.now() - begun < ms) {
      if ((await this.state()).lastAnswerAt > at) return (performance.now() - begun) / 1000
      await sleep(20)
    }
    return Number.POSITIVE_INFINITY
  }

  /** Stops the load; messages in flight have `waitMs` to be acknowledged. Returns the acknowledged readings by device. */
  async stop(waitMs = 15_000): Promise<{ state: LoadAnswer; acknowledged: Map<string, [from: number, to: number][]> }> {
    const file = join(this.folder, 'acknowledged')
    const state = await this.ask({ do: 'stop', waitMs, file })
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    rmSync(this.folder, { recursive: true, force: true })
    this.child.disconnect()
    return { state, acknowledged: new Map(lines.map((l) => JSON.parse(l) as [string, [number, number][]])) }
  }
}

/** A reading's mark holds the sender's sequence number modulo this. */
const numbered = 2 ** 13

/** Recovers the full sequence numbers from their lower parts, which are in the order of the readings. */
function countedOn(marks: readonly number[]): number[] {
  let at = 0
  return marks.map((low) => {
    const step = (low - (at % numbered) + numbered) % numbered
    at += step < numbered / 2 ? step : step - numbered
    return at
  })
}

/** Counts acknowledged readings that are not stored, or stored more than once. */
export async function compareStored(pool: pg.Pool, acknowledged: ReadonlyMap<string, readonly [number, number][]>): Promise<Stored> {
  const result: Stored = { acknowledged: 0, lost: 0, twice: 0 }
  const sns = [...acknowledged.keys()]
  for (let at = 0; at < sns.length; at += 200) {
    const part = sns.slice(at, at + 200)
    const { rows } = await pool.query<{ sn: string; marks: number[]; n: string }>(
      `select d.device_sn as sn, array_agg((t.seq >> 40)::int order by t.ts, t.seq) as marks, count(*) as n
       from device d join telemetry t on t.device_id = d.id where d.device_sn = any ($1) and t.seq > 0 group by 1`,
      [part],
    )
    const stored = new Map(rows.map((r) => [r.sn, r]))
    for (const sn of part) {
      const row = stored.get(sn)
      const seqs = new Set(row && countedOn(row.marks))
      if (row) result.twice += Number(row.n) - seqs.size
      for (const [from, to] of acknowledged.get(sn) ?? []) {
        result.acknowledged += to - from + 1
        for (let seq = from; seq <= to; seq++) if (!seqs.has(seq)) result.lost++
      }
    }
  }
  return result
}
