import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createSecrets } from '#kit/secret'
import { line, peakMemoryMb, quantile, startProcess, stopProcess } from './measure.ts'
import { benchImport } from './people-import.ts'
import { fillPeople, largeSite, sheetMonth } from './people-rows.ts'

const here = dirname(fileURLToPath(import.meta.url))
const callers = 8
const seconds = 6
/** Of a province: a tenth first, so that it shows how each grows. */
const scales = [0.1, 1]

export interface PeopleBench {
  databaseUrl: string
  secretKey: string
  url: string
  apiPid: number
  jobsPid: number
  /** Whose list is asked for, and into which people are imported. */
  projectCode: string
  login(account: string): Promise<string>
}

interface Took {
  perSecond: number
  p50: number
  p99: number
}
const show = (r: Took) => `${r.perSecond.toFixed(0)}/s, p50 ${r.p50.toFixed(1)}, p99 ${r.p99.toFixed(1)} ms`

/** Calls about people on a tenth and the whole of a province under row-level security, each beside the bare SQL over a bare HTTP server. */
export async function benchPeople(b: PeopleBench): Promise<void> {
  const sealed = String(createSecrets(b.secretKey).seal('420202198505050010')?.toString('hex'))
  const [clerk, platform] = [await b.login('hospital-pm'), await b.login('admin')]
  const calls = [
    { name: 'list', token: clerk, path: `/api/v1/oa/worker?projectCode=${b.projectCode}&page=1&size=20` },
    { name: 'filtered', token: clerk, path: `/api/v1/oa/worker?projectCode=${b.projectCode}&workRole=20&name=人77&page=1&size=20` },
    { name: 'sheet', token: platform, path: `/api/v1/attendance/monthly?projectCode=${largeSite}&month=${sheetMonth}&page=1&size=20` },
    { name: 'overview', token: platform, path: `/api/v2/attendance/realtime/overview?projectCode=${largeSite}` },
  ]
  const earlier = new Map<string, number>()
  for (const scale of scales) {
    const begun = performance.now()
    const { stays, days } = await fillPeople(b.databaseUrl, b.projectCode, sealed, scale)
    console.log(`(${stays} stays, ${days} days of attendance, made in ${((performance.now() - begun) / 1000).toFixed(0)} s)`)
    const bare = await startProcess(join(here, 'bare-people.ts'), [b.databaseUrl, '27099', b.projectCode])
    for (const { name, token, path } of calls) {
      const limit = await hammer(`http://127.0.0.1:27099/${name}`, {})
      const product = await hammer(`${b.url}${path}`, { token, group: '*' })
      const grown = earlier.get(name)
      earlier.set(name, product.p50)
      const growth = grown === undefined ? '' : `, ${(product.p50 / grown).toFixed(2)} x of a tenth`
      line(`${name}, RLS`, show(product), `bare ${show(limit)}`, `${(product.p50 / limit.p50).toFixed(2)} x p50${growth}`)
    }
    await stopProcess(bare)
    const everybody = await hammer(`${b.url}/api/v1/oa/worker?page=1&size=20`, { token: platform, group: '*' }, 2)
    line('list of everybody (platform)', show(everybody), '--', '')
  }
  const client = new pg.Client({ connectionString: b.databaseUrl })
  await client.connect()
  await benchImport(b, clerk, client)
  await client.end()
  await benchExport(b, platform, `${b.url}${calls[0]?.path}`, clerk)
}

/** Everybody at once, while a clerk goes on with his list. */
async function benchExport(b: PeopleBench, token: string, listUrl: string, clerk: string): Promise<void> {
  const quiet = await hammer(listUrl, { token: clerk, group: '*' }, 1)
  const headers = { token, group: '*', 'content-type': 'application/json' }
  const begun = performance.now()
  const before = peakMemoryMb(b.jobsPid)
  const answer = (await fetch(`${b.url}/api/v1/export`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ feature: 'projectWorker', query: {} }),
  }).then((r) => r.json())) as { status: number; message: string }
  if (answer.status !== 0) throw new Error(`export: ${answer.message}`)
  const beside = hammer(listUrl, { token: clerk, group: '*' }, 1)
  for (;;) {
    const { data } = (await fetch(`${b.url}/api/v1/export?feature=projectWorker`, { headers }).then((r) => r.json())) as {
      data: { exportStatus: number; list: { rows: number; bytes: number; message: string }[] }
    }
    if (data.exportStatus === 0) throw new Error(`export failed: ${data.list[0]?.message}`)
    if (data.exportStatus === 1) {
      const took = (performance.now() - begun) / 1000
      const task = data.list[0]
      const size = `${((task?.bytes ?? 0) / 1048576).toFixed(1)} MB`
      const grown = `jobs process ${before} -> ${peakMemoryMb(b.jobsPid)} MB at most`
      line(
        'export of everybody',
        `${task?.rows} rows, ${took.toFixed(1)} s, ${size}`,
        grown,
        `${Math.round((task?.rows ?? 0) / took)} rows/s`,
      )
      break
    }
    await sleep(500)
  }
  line('list beside the export', show(await beside), `quiet ${show(quiet)}`, `${((await beside).p50 / quiet.p50).toFixed(2)} x p50`)
}

async function hammer(url: string, headers: Record<string, string>, parallel = callers): Promise<Took> {
  const took: number[] = []
  const until = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (performance.now() < until) {
        const begun = performance.now()
        const response = await fetch(encodeURI(url), { headers })
        const body = (await response.json()) as { status: number; message?: string }
        if (body.status !== 0) throw new Error(`${url}: ${body.message}`)
        took.push(performance.now() - begun)
      }
    }),
  )
  return { perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
}
