import { constants, getPriority, setPriority } from 'node:os'
import { quantile } from '../../bench/measure.ts'
import type { Request } from './inputs.ts'

/** What was requested under one name, and the outcomes. */
export interface RequestOutcome {
  request: Request
  ms: number
  status: number
  /** Lower bound of the time in which the product answered nobody. */
  stoppedMs: number
}

const patienceMs = 60_000
/** Time spent on one call in the survey of all. */
const enoughMs = 1_500

export async function send(url: string, token: string, request: Request): Promise<{ ms: number; status: number }> {
  const body = request.body?.()
  const begun = performance.now()
  const status = await fetch(`${url}${request.path}`, {
    method: request.method,
    headers: { token, group: '*', ...(request.contentType ? { 'content-type': request.contentType } : {}) },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(patienceMs),
  }).then(
    async (response) => {
      for await (const _ of response.body ?? []);
      return response.status
    },
    () => 0,
  )
  return { ms: performance.now() - begun, status }
}

/** Sends each request alone, and measures meanwhile whether others would have been answered. */
export async function survey(url: string, token: string, requests: readonly Request[], perMinute: number): Promise<RequestOutcome[]> {
  const out: RequestOutcome[] = []
  const closed = new Set<string>()
  const spent = new Map<string, number>()
  let begun = Date.now()
  let left = perMinute
  for (const request of requests) {
    // Skip calls that are refused, and calls already known to be expensive.
    if (closed.has(request.name) || (spent.get(request.name) ?? 0) > enoughMs) continue
    if (--left <= 0) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + 61_000 - Date.now())))
      begun = Date.now()
      left = perMinute
    }
    const body = request.body?.()
    const watch = watchHealth(url)
    const answer = await send(url, token, body === undefined ? request : { ...request, body: () => body })
    out.push({ request, ...answer, stoppedMs: await watch() })
    if (answer.status === 403) closed.add(request.name)
    spent.set(request.name, (spent.get(request.name) ?? 0) + answer.ms)
  }
  return out
}

/** Repeats a request that needs only the event loop, and returns the longest response time. */
function watchHealth(url: string): () => Promise<number> {
  let on = true
  let longest = 0
  const loop = (async () => {
    while (on) {
      const begun = performance.now()
      await fetch(`${url}/healthz`)
        .then((r) => r.arrayBuffer())
        .catch(() => undefined)
      longest = Math.max(longest, performance.now() - begun)
      if (on) await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })()
  return async () => {
    on = false
    await loop
    return longest
  }
}

/** Sends as many requests as the limits allow, whether the previous ones are answered or not, the most expensive ones most often. */
export async function storm(url: string, token: string, requests: readonly Request[], perMinute: number, seconds: number, atOnce: number) {
  const took: { name: string; ms: number; status: number }[] = []
  const under = new Set<Promise<void>>()
  // A real hostile client has its own machine: lower the priority here, so that creating bodies does not take time from the product.
  const before = getPriority()
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const begun = performance.now()
  let n = 0
  while (performance.now() - begun < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begun) / 60_000) * perMinute)
    while (n < due && under.size < atOnce) {
      const request = requests[n++ % requests.length] as Request
      const one: Promise<void> = send(url, token, request).then(({ ms, status }) => {
        took.push({ name: request.name, ms, status })
        under.delete(one)
      })
      under.add(one)
    }
    n = Math.max(n, due - atOnce)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.race([Promise.all(under), new Promise((resolve) => setTimeout(resolve, 5_000))])
  try {
    setPriority(before)
  } catch {
    // Only root may raise the priority again; otherwise the next storm starts with the low one.
  }
  return took
}

/** The most expensive calls by name: count, mean and maximum. */
export function dearest(took: readonly { name: string; ms: number; status: number }[], most: number): string[] {
  return [...Map.groupBy(took, (t) => t.name)]
    .map(([name, list]) => ({ name, n: list.length, ms: list.map((t) => t.ms) }))
    .map((one) => ({ ...one, mean: one.ms.reduce((a, b) => a + b, 0) / one.n, max: Math.max(...one.ms) }))
    .sort((a, b) => b.max - a.max)
    .slice(0, most)
    .map(
      (one) =>
        `      ${one.name}: ${one.n} x, mean ${Math.round(one.mean)}, p50 ${Math.round(quantile(one.ms, 0.5))}, longest ${Math.round(one.max)} ms`,
    )
}
