import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createSecrets } from '#kit/secret'
import { hammer, hammerPair, show, type Took } from './hammer.ts'
import { line, peakMemoryMb, startProcess, stopProcess } from './measure.ts'
import type { PeopleBench } from './people-bench.ts'
import { benchImport } from './people-import.ts'
import { fillPeople, largeSite, sheetMonth } from './people-rows.ts'

const here = dirname(fileURLToPath(import.meta.url))
const seconds = 9
/** Numbers of parallel callers: one, and what a small machine can serve. */
const crowds = [1, 8]
/** Shares of a province: a tenth first, to see how each figure grows; `PEOPLE_SCALE=0.1` stops there. */
const scales = [0.1, 1].filter((scale) => scale <= Number(process.env.PEOPLE_SCALE ?? 1))
/** A clerk reads the list for a moment before the next request. */
const clerkPauseMs = 250

/**
 * Measures calls about people on a tenth of a province and on all of it, with row-level security, alternating with the bare SQL of the same
 * answer behind a bare HTTP server.
 */
export async function benchPeople(b: PeopleBench): Promise<void> {
  const sealed = String(createSecrets(b.secretKey).seal('420202198505050010')?.toString('hex'))
  const [clerk, platform] = [await b.login('hospital-pm'), await b.login('admin')]
  const calls = [
    { name: 'list', token: clerk, path: `/api/v1/oa/worker?projectCode=${b.projectCode}&page=1&size=20` },
    { name: 'filtered', token: clerk, path: `/api/v1/oa/worker?projectCode=${b.projectCode}&workRole=20&name=人77&page=1&size=20` },
    { name: 'sheet', token: platform, path: `/api/v1/attendance/monthly?projectCode=${largeSite}&month=${sheetMonth}&page=1&size=20` },
    { name: 'overview', token: platform, path: `/api/v2/attendance/realtime/overview?projectCode=${largeSite}` },
  ]
  const earlier = new Map<string, { product: number; limit: number }>()
  for (const scale of scales) {
    const begun = performance.now()
    const { stays, days } = await fillPeople(b.databaseUrl, b.projectCode, sealed, scale)
    console.log(`(${stays} stays, ${days} days of attendance, made in ${((performance.now() - begun) / 1000).toFixed(0)} s)`)
    const bare = await startProcess(join(here, 'bare-people.ts'), [b.databaseUrl, '27099', b.projectCode])
    for (const { name, token, path } of calls) {
      for (const callers of crowds) {
        const how = { headers: { token, group: '*' }, callers, seconds }
        const { product, limit } = await hammerPair(`${b.url}${path}`, `http://127.0.0.1:27099/${name}`, how)
        const key = `${name} ${callers}`
        const grown = earlier.get(key)
        earlier.set(key, { product: product.p50, limit: limit.p50 })
        const growth = grown
          ? `, ${(product.p50 / grown.product).toFixed(2)} x of a tenth (bare ${(limit.p50 / grown.limit).toFixed(2)})`
          : ''
        line(
          `${name}, RLS, ${callers} at once`,
          show(product),
          `bare ${show(limit)}`,
          `${(product.p50 / limit.p50).toFixed(2)} x p50${growth}`,
        )
      }
    }
    await stopProcess(bare)
    const everybody = await hammer(`${b.url}/api/v1/oa/worker?page=1&size=20`, {
      headers: { token: platform, group: '*' },
      callers: 2,
      seconds,
    })
    line('list of everybody (platform)', show(everybody), '--', '')
  }
  const client = new pg.Client({ connectionString: b.databaseUrl })
  await client.connect()
  await benchImport(b, clerk, client)
  await client.end()
  await benchExport(b, platform, `${b.url}${calls[0]?.path}`, clerk)
}

/** Exports the whole list while a clerk continues to use it. */
async function benchExport(b: PeopleBench, token: string, listUrl: string, clerk: string): Promise<void> {
  const atList = { headers: { token: clerk, group: '*' }, callers: 1, seconds, pauseMs: clerkPauseMs }
  const quiet = await hammer(listUrl, atList)
  const headers = { token, group: '*', 'content-type': 'application/json' }
  const begun = performance.now()
  const before = peakMemoryMb(b.jobsPid)
  const answer = (await fetch(`${b.url}/api/v1/export`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ feature: 'projectWorker', query: {} }),
  }).then((r) => r.json())) as { status: number; message: string }
  if (answer.status !== 0) throw new Error(`export: ${answer.message}`)
  const beside: Took[] = []
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
    beside.push(await hammer(listUrl, atList))
  }
  const slowest = beside.reduce((a, b) => (b.p50 > a.p50 ? b : a), quiet)
  const text = `${(slowest.p50 / quiet.p50).toFixed(2)} x p50 (slowest of ${beside.length} times ${seconds} s)`
  line('list beside the export', show(slowest), `quiet ${show(quiet)}`, text)
}
