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
  headers?: Record<string, string>
  callers: number
  seconds: number
  /** Each caller waits so long between two calls. */
  pauseMs?: number
}

/**
 * So many callers, each from an address of its own as from an office of its own: an address may make 6,000 calls a minute. Throws when
 * an answer is none.
 */
export async function hammer(url: string, { headers = {}, callers, seconds, pauseMs = 0 }: Hammering): Promise<Took> {
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
  return { perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
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
