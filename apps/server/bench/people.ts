import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createSecrets } from '#kit/secret'
import { line, peakMemoryMb, quantile, startProcess, stopProcess } from './measure.ts'

const here = dirname(fileURLToPath(import.meta.url))
const projects = 1_000
const perProject = 900
/** One project large enough for the export. */
const exportRows = 100_000
const callers = 8
const seconds = 6

export interface PeopleBench {
  databaseUrl: string
  secretKey: string
  url: string
  jobsPid: number
  /** A session of a project's administrator and of the platform's. */
  projectCode: string
  login(account: string): Promise<string>
}

/** List call on a million people under row-level security against the bare SQL over a bare HTTP server; export of 100,000 rows. */
export async function benchPeople(b: PeopleBench): Promise<void> {
  const begun = performance.now()
  const total = await fillPeople(
    b.databaseUrl,
    b.projectCode,
    String(createSecrets(b.secretKey).seal('420202198505050010')?.toString('hex')),
  )
  console.log(`(${total} stays in ${projects + 1} projects, made in ${((performance.now() - begun) / 1000).toFixed(0)} s)`)
  const bare = await startProcess(join(here, 'bare-list.ts'), [b.databaseUrl, '27099', b.projectCode])
  const limit = await hammer('http://127.0.0.1:27099/', {})
  await stopProcess(bare)
  const token = await b.login('hospital-pm')
  const product = await hammer(`${b.url}/api/v1/oa/worker?projectCode=${b.projectCode}&page=1&size=20`, { token, group: '*' })
  const show = (r: { perSecond: number; p50: number; p99: number }) =>
    `${r.perSecond.toFixed(0)}/s, p50 ${r.p50.toFixed(1)}, p99 ${r.p99.toFixed(1)} ms`
  line('list of one project, RLS', show(product), `bare SQL, bare HTTP ${show(limit)}`, `${(product.p50 / limit.p50).toFixed(2)} x p50`)
  const district = await hammer(`${b.url}/api/v1/oa/worker?page=1&size=20`, { token: await b.login('admin'), group: '*' }, 2)
  line('list of everybody (platform)', show(district), '--', '')
  await benchExport(b, token)
}

async function benchExport(b: PeopleBench, token: string): Promise<void> {
  const headers = { token, group: '*', 'content-type': 'application/json' }
  const begun = performance.now()
  const before = peakMemoryMb(b.jobsPid)
  const answer = (await fetch(`${b.url}/api/v1/export`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ feature: 'projectWorker', query: { projectCode: b.projectCode } }),
  }).then((r) => r.json())) as { status: number; message: string }
  if (answer.status !== 0) throw new Error(`export: ${answer.message}`)
  for (;;) {
    const { data } = (await fetch(`${b.url}/api/v1/export?feature=projectWorker`, { headers }).then((r) => r.json())) as {
      data: { exportStatus: number; list: { rows: number; bytes: number; message: string }[] }
    }
    if (data.exportStatus === 1) {
      const took = (performance.now() - begun) / 1000
      const task = data.list[0]
      line(
        'export of one project',
        `${task?.rows} rows, ${took.toFixed(1)} s, ${((task?.bytes ?? 0) / 1048576).toFixed(1)} MB`,
        `jobs process peak ${peakMemoryMb(b.jobsPid)} MB (${before} before)`,
        `${Math.round((task?.rows ?? 0) / took)} rows/s`,
      )
      return
    }
    if (data.exportStatus === 0) throw new Error(`export failed: ${data.list[0]?.message}`)
    await sleep(100)
  }
}

async function hammer(
  url: string,
  headers: Record<string, string>,
  parallel = callers,
): Promise<{ perSecond: number; p50: number; p99: number }> {
  const took: number[] = []
  const until = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (performance.now() < until) {
        const begun = performance.now()
        const response = await fetch(url, { headers })
        const body = (await response.json()) as { status: number; message?: string }
        if (body.status !== 0) throw new Error(`${url}: ${body.message}`)
        took.push(performance.now() - begun)
      }
    }),
  )
  return { perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
}

async function fillPeople(databaseUrl: string, projectCode: string, sealed: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`
    insert into project (id, project_code, name, category, prj_status, area_code, address, lng, lat, property_num, invest, start_date, complete_date, link_man, contractor_corp_code)
    select md5('p' || i), 'BENCH' || lpad(i::text, 13, '0'), '样本项目 ' || i, '01', '003', '420202', '样本', 115, 30, '001', 1, '2026-01-01', '2027-01-01', '样本', (select min(corp_code) from corporation)
    from generate_series(1, ${projects}) i on conflict do nothing`)
  const stays = (from: string, code: string) => `
    insert into project_worker (id, project_code, worker_id, corp_code, work_role, work_type, entry_time, worker_name, gender, birthday, id_card_mask, id_card_hash)
    select md5('s' || ${code} || i), ${code}, md5('w' || ${code} || i), (select min(corp_code) from corporation), '20', '060', now() - (i || ' minutes')::interval, '工人' || i, '1', '1985-05-05', '420202********0010', md5('h' || ${code} || i)
    from ${from}`
  const workers = (from: string, code: string) => `
    insert into worker (id, name, id_card_number, id_card_hash, id_card_mask, gender, birthday)
    select md5('w' || ${code} || i), '工人' || i, '\\x${sealed}', md5('h' || ${code} || i), '420202********0010', '1', '1985-05-05' from ${from}`
  const many = `project p, generate_series(1, ${perProject}) i where p.project_code like 'BENCH%'`
  const one = `generate_series(1, ${exportRows}) i`
  for (const sql of [
    workers(many, 'p.project_code'),
    stays(many, 'p.project_code'),
    workers(one, `'${projectCode}'`),
    stays(one, `'${projectCode}'`),
  ])
    await client.query(sql)
  await client.query('vacuum analyze project_worker')
  await client.query('vacuum analyze worker')
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from project_worker')
  await client.end()
  return rows[0]?.n ?? 0
}
