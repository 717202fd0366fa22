import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './measure.ts'

export interface Took {
  perSecond: number
  p50: number
  p99: number
}
export const show = (r: Took) => `${r.perSecond.toFixed(0)}/s, p50 ${r.p50.toFixed(1)}, p99 ${r.p99.toFixed(1)} ms`

export interface Hammering {
  headers?: Record<string, string> | undefined
  callers: number
  seconds: number
  /** Pause of each caller between two calls. */
  pauseMs?: number
}

/**
 * Sends requests with `callers` parallel callers, each from its own address, because one address may make only 6,000 calls per minute.
 * @throws Error when a response is not a success
 */
export async function hammer(url: string, how: Hammering): Promise<Took> {
  return tookOf(await timesOf(url, how), how.seconds)
}

/** Each pair is measured in this many alternating runs, so that other load on the machine affects both. */
const turns = 3

/** Measures the product and its reference alternately. `headers` are sent to the product only. */
export async function hammerPair(product: string, limit: string, { headers, ...how }: Hammering): Promise<{ product: Took; limit: Took }> {
  const times: { product: number[]; limit: number[] } = { product: [], limit: [] }
  const turn = { ...how, seconds: how.seconds / turns }
  for (let i = 0; i < turns; i++) {
    times.limit.push(...(await timesOf(limit, turn)))
    times.product.push(...(await timesOf(product, { ...turn, headers })))
  }
  return { product: tookOf(times.product, how.seconds), limit: tookOf(times.limit, how.seconds) }
}

const tookOf = (times: number[], seconds: number): Took => ({
  perSecond: times.length / seconds,
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
})

async function timesOf(url: string, { headers = {}, callers, seconds, pauseMs = 0 }: Hammering): Promise<number[]> {
  const took: number[] = []
  const until = performance.now() + seconds * 1_000
  const work = async (caller: number) => {
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.1.${caller + 1}` })
    try {
      while (performance.now() < until) {
        const begun = performance.now()
        const body = await answerOf(url, headers, agent)
        took.push(performance.now() - begun)
        if (body.status !== 0) throw new Error(`${url}: ${body.message}`)
        if (pauseMs > 0) await sleep(pauseMs)
      }
    } finally {
      agent.destroy()
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => work(caller)))
  return took
}

function answerOf(url: string, headers: Record<string, string>, agent: Agent): Promise<{ status: number; message?: string }> {
  return new Promise((resolve, reject) => {
    get(encodeURI(url), { headers, agent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())))
      response.on('error', reject)
    }).on('error', reject)
  })
}
