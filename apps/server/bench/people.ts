import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createSecrets } from '#kit/secret'
import { hammer, show, type Took } from './hammer.ts'
import { line, peakMemoryMb, startProcess, stopProcess } from './measure.ts'
import { benchImport } from './people-import.ts'
import { fillPeople, largeSite, sheetMonth } from './people-rows.ts'

const here = dirname(fileURLToPath(import.meta.url))
const seconds = 6
/** Alone, and as many as a small machine has work for. */
const crowds = [1, 8]
/** Of a province: a tenth first, so that it shows how each grows; `PEOPLE_SCALE=0.1` stops there. */
const scales = [0.1, 1].filter((scale) => scale <= Number(process.env.PEOPLE_SCALE ?? 1))
/** A clerk at his list looks at what came before he asks again. */
const clerkPauseMs = 250

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
  const earlier = new Map<string, { product: number; limit: number }>()
  for (const scale of scales) {
    const begun = performance.now()
    const { stays, days } = await fillPeople(b.databaseUrl, b.projectCode, sealed, scale)
    console.log(`(${stays} stays, ${days} days of attendance, made in ${((performance.now() - begun) / 1000).toFixed(0)} s)`)
    const bare = await startProcess(join(here, 'bare-people.ts'), [b.databaseUrl, '27099', b.projectCode])
    for (const { name, token, path } of calls) {
      for (const callers of crowds) {
        const limit = await hammer(`http://127.0.0.1:27099/${name}`, { callers, seconds })
        const product = await hammer(`${b.url}${path}`, { headers: { token, group: '*' }, callers, seconds })
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

/** Everybody at once, while a clerk goes on with his list. */
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
