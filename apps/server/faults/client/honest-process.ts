import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../bench/measure.ts'

/** Honest users in a process of their own, so that the measured time is the product's alone. */
export interface HonestPlan {
  url: string
  /** Requests per second of all users together. */
  perSecond: number
  users: { token: string; paths: string[] }[]
}
export type HonestOrder = { do: 'start'; plan: HonestPlan } | { do: 'figures' }
export interface HonestFigures {
  asked: number
  failed: number
  p50: number
  p99: number
  worst: string
}

const patienceMs = 30_000
let took: { ms: number; path: string }[] = []
let failed = 0

process.on('message', (order: HonestOrder) => {
  if (order.do === 'start') void keepRequesting(order.plan)
  else tell()
})
process.on('disconnect', () => process.exit(0))

/** Reports what was measured since the last report. */
function tell(): void {
  const ms = took.map((t) => t.ms)
  const worst = [...took].sort((a, b) => b.ms - a.ms).slice(0, 3)
  const figures: HonestFigures = {
    asked: took.length,
    failed,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
    worst: worst.map((w) => `${w.path} ${Math.round(w.ms)}`).join(', '),
  }
  took = []
  failed = 0
  process.send?.(figures)
}

/** Sends requests at fixed times, whether the previous one was answered or not: waiting users would hide the slow answers. */
async function keepRequesting(plan: HonestPlan): Promise<void> {
  for (let n = 0; ; n++) {
    const user = plan.users[n % plan.users.length]
    const path = user?.paths[Math.floor(n / plan.users.length) % user.paths.length]
    if (user && path) void ask(plan.url, user.token, path)
    await sleep(1_000 / plan.perSecond)
  }
}

async function ask(url: string, token: string, path: string): Promise<void> {
  const begun = performance.now()
  const isGood = await fetch(`${url}${path}`, { headers: { token, group: '*' }, signal: AbortSignal.timeout(patienceMs) })
    .then(async (response) => {
      await response.arrayBuffer()
      return response.ok
    })
    .catch(() => false)
  took.push({ ms: performance.now() - begun, path: path.split('?')[0] ?? '' })
  if (!isGood) failed++
}
