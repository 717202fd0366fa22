import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { compare, line, quantile, took } from './measure.ts'

const notices = 200_000
/** Checks without a running notice, beside the notices: a million records in all. */
const checks = 800_000
/** Sites that the group with many of them sees. */
const sites = 200
/** Records of one statement. */
const portion = 20_000
/** Devices that send what waited in their outbox, and for how long. */
const outboxes = 8
const outboxSeconds = 15

export interface ProcessSetup {
  databaseUrl: string
  url: string
  login(account: string): Promise<string>
  /** One site, and a group with many. */
  accounts: readonly string[]
  /** Accounts of one site that hold checks and send them from their devices. */
  checkers: { accounts: readonly string[]; projectCode: string }
}

/** Writes notices with one problem each and the to-do of the open ones, spread over the sites; nine of ten are closed. */
async function fill(pool: pg.Pool, count: number): Promise<void> {
  const { rows } = await pool.query<{ projectCode: string; corpCode: string }>(
    `select distinct on (project_code) project_code as "projectCode", corp_code as "corpCode" from project_corp order by project_code, id`,
  )
  const [projects, corps] = [rows.map((r) => r.projectCode), rows.map((r) => r.corpCode)]
  for (let from = 1; from <= count; from += portion)
    await pool.query(
      `with n as (select i, 1 + i % cardinality($3::text[]) as at, case when i % 10 = 0 then (i / 10 % 6 + 1)::text else '7' end as state
          from generate_series($1::int, $2::int) i),
        notice as (insert into rectify (id, code, origin, project_code, corp_code, shown_at, groups, issuer_group, issuer_group_name, issuer_id,
            issuer_name, source_type, notice_type, category, level, check_date, deadline, responsible_person, issue_time, state, create_by, create_time)
          select 'bench' || i, 'bench-' || i, case when i % 2 = 0 then 'gov' else 'site' end, ($3::text[])[at], ($4::text[])[at], now(), '{}', 'nobody',
            '机构', 'nobody', '某某', '01', '2', '01', '1', current_date - 30, current_date - 20 + i % 40, '某某', now() - interval '30 days', state,
            'nobody', now() from n),
        todo as (insert into process_todo (id, kind, object_id, project_code, corp_code, shown_at, groups, turn, codes, title, link, since, due)
          select 'bench' || i, 'rectify', 'bench' || i, ($3::text[])[at], ($4::text[])[at], now(), '{}', 'responsible', '{inspection.rectifyReply}',
            '回复整改', '/', now(), current_date - 20 + i % 40 from n where state <> '7')
      insert into rectify_line (id, rectify_id, project_code, corp_code, shown_at, groups, seq, description, part, requirement, state)
        select 'bench' || i, 'bench' || i, ($3::text[])[at], ($4::text[])[at], now(), '{}', 1, '临边防护缺失', '三层', '补齐',
          case when state = '7' then 'passed' else 'open' end from n`,
      [from, Math.min(count, from + portion - 1), projects, corps],
    )
  await pool.query('analyze rectify, rectify_line, process_todo')
}

/** Copies of a site until there are as many as wanted: each with its group and its companies. */
async function moreSites(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ n: number; code: string }>(
    `select (select count(*)::int from project) as n, min(project_code) as code from project where project_code in (select project_code from project_corp)`,
  )
  const { n = 0, code = '' } = rows[0] ?? {}
  for (let i = n; i < sites; i++) {
    const made = `BENCH${String(i).padStart(13, '0')}`
    const copy = (table: string, changes: string) =>
      pool.query(
        `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || ${changes})).* from ${table} t where project_code = $1`,
        [code, made],
      )
    await copy('project', `jsonb_build_object('id', md5($2), 'project_code', $2::text, 'name', '工地 ' || $2)`)
    await pool.query(`insert into tenant (id, type, code, name) values (md5('group ' || $1), 3, $1, '工地 ' || $1)`, [made])
    await copy('project_corp', `jsonb_build_object('id', md5(t.id || $2), 'project_code', $2::text)`)
  }
}

/** Checks of the last year, each with one problem; one of a hundred belongs to a notice that runs. */
async function fillChecks(pool: pg.Pool, count: number, noticeCount: number): Promise<void> {
  const { rows } = await pool.query<{ projectCode: string; corpCode: string }>(
    `select distinct on (project_code) project_code as "projectCode", corp_code as "corpCode" from project_corp order by project_code, id`,
  )
  const [projects, corps] = [rows.map((r) => r.projectCode), rows.map((r) => r.corpCode)]
  for (let from = 1; from <= count; from += portion)
    await pool.query(
      `with n as (select i, 1 + i % cardinality($3::text[]) as at from generate_series($1::int, $2::int) i),
        made as (insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
            check_time, checkers, part, danger_level, problem_count, state, create_by, create_time)
          select 'check' || i, 'securityCheck', 'check-' || i, ($3::text[])[at], now(), '{}', 'nobody', '机构', 'nobody', '12',
            now() - (i::float8 / $5) * interval '365 days', '{某某}', '三层', '1', 1, case when i % 100 = 0 then '2' else '7' end, 'nobody', now() from n)
      insert into site_check_problem (id, check_id, project_code, corp_code, shown_at, groups, seq, description, part, danger_level, requirement, deadline)
        select 'check' || i, 'check' || i, ($3::text[])[at], ($4::text[])[at], now(), '{}', 1, '临边防护缺失', '三层', '1', '补齐', current_date from n`,
      [from, Math.min(count, from + portion - 1), projects, corps, count],
    )
  await pool.query(
    `update rectify r set source_kind = 'securityCheck', source_id = 'check' || n.i from generate_series(100, $1::int, 100) n(i)
     where r.id = 'bench' || (n.i / 100 * 10) and n.i / 100 * 10 <= $2`,
    [count, noticeCount],
  )
  await pool.query('vacuum analyze site_check, site_check_problem, rectify')
}

type Answer<T> = { status: number; message: string; data: T }

/**
 * Lists of notices and checks with their counts, and what records add to the to-do list, for one site and for a group of many, beside bare
 * statements that read the same; then checks sent from the outboxes of devices while lists are read. `PROCESS_SCALE=0.1` for a tenth.
 * Everything it makes is gone with the database it is given.
 */
export async function benchProcess({ databaseUrl, url, login, accounts, checkers }: ProcessSetup): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: outboxes })
  try {
    const scale = Number(process.env.PROCESS_SCALE ?? 1)
    const [noticeCount, checkCount] = [Math.round(notices * scale), Math.round(checks * scale)]
    await moreSites(pool)
    const tokens = new Map<string, string>()
    for (const account of accounts) tokens.set(account, await login(account))
    const get = async <T>(account: string, path: string): Promise<T> => {
      const answer = await fetch(url + path, { headers: { token: tokens.get(account) ?? '', group: '*' } })
      const { status, message, data } = (await answer.json()) as Answer<T>
      if (status !== 0) throw new Error(`${path}: ${message}`)
      return data
    }
    const todo = (account: string) => () => get(account, '/api/v1/oa/todo/message/list?box=todo&size=20')
    const before = new Map<string, number[]>()
    for (const account of accounts) before.set(account, await took(todo(account)))
    await fill(pool, noticeCount)
    await fillChecks(pool, checkCount, noticeCount)
    const total = noticeCount + checkCount
    for (const account of accounts) {
      const projects = [await projectsOf((path) => get(account, path))]
      const about = `${account}, ${projects[0]?.length} sites, ${total} records`
      compare(
        `notices of ${about}`,
        await took(() => get(account, '/api/v2/oa/se/rectify/list?size=20')),
        await took(() => bareNotices(pool, projects)),
      )
      compare(
        `checks of ${about}`,
        await took(() => get(account, '/api/v1/oa/process/securityCheck?projectCode=*&size=20')),
        await took(() => bareChecks(pool, projects)),
      )
      // The to-do list reads eight other kinds of things: what counts is what the records add.
      const whole = await took(todo(account))
      const base = quantile(before.get(account) ?? [], 0.5)
      compare(
        `to-dos of records of ${about}`,
        whole.map((ms) => ms - base),
        await took(() => bareTodos(pool, projects)),
      )
    }
    const devices: string[] = []
    for (const account of checkers.accounts) devices.push(await login(account))
    await benchOutbox(pool, { url, tokens: devices, projectCode: checkers.projectCode }, () =>
      get(accounts[1] ?? '', '/api/v1/oa/process/securityCheck?projectCode=*&size=20'),
    )
  } finally {
    await pool.end()
  }
}

/** Codes of the sites that the caller sees. */
async function projectsOf(get: (path: string) => Promise<{ list: { projectCode: string }[] }>): Promise<string[]> {
  return (await get('/api/v2/oa/project/queryList2?size=1000')).list.map((one) => one.projectCode)
}

async function bareNotices(pool: pg.Pool, projects: unknown[]): Promise<void> {
  const open = `r.project_code = any ($1) and r.state between '1' and '6'`
  const page = await pool.query<{ id: string }>(
    `select r.*, p.name, c.corp_name from rectify r join project p using (project_code) join corporation c on c.corp_code = r.corp_code
     where r.project_code = any ($1)
     order by case when r.state between '1' and '6' and r.deadline < current_date then current_date - r.deadline else 0 end desc, r.id desc limit 20`,
    projects,
  )
  await pool.query('select * from rectify_line where rectify_id = any ($1)', [page.rows.map((row) => row.id)])
  await pool.query(
    `select count(*), count(*) filter (where ${open}), count(*) filter (where ${open} and r.deadline < current_date),
       count(*) filter (where r.id in (select t.object_id from process_todo t where t.kind = 'rectify' and t.turn = 'responsible'))
     from rectify r where r.project_code = any ($1)`,
    projects,
  )
}

async function bareChecks(pool: pg.Pool, projects: unknown[]): Promise<void> {
  const late = `(select source_id, max(current_date - deadline) as days from rectify where source_kind = 'securityCheck' and state between '1' and '6'
      and deadline < current_date and project_code = any ($1) group by 1)`
  const page = await pool.query<{ id: string }>(
    `select c.*, p.name from (select c.*, l.days from site_check c left join ${late} l on l.source_id = c.id
       where c.kind = 'securityCheck' and c.project_code = any ($1) order by coalesce(l.days, 0) desc, c.check_time desc limit 20) c
     join project p using (project_code)`,
    projects,
  )
  await pool.query('select * from site_check_problem where check_id = any ($1)', [page.rows.map((row) => row.id)])
  await pool.query(
    `select count(*), count(*) filter (where c.state between '1' and '6'), count(*) filter (where c.check_time >= current_date), count(l.days)
     from site_check c left join ${late} l on l.source_id = c.id where c.kind = 'securityCheck' and c.project_code = any ($1)`,
    projects,
  )
}

async function bareTodos(pool: pg.Pool, projects: unknown[]): Promise<void> {
  await pool.query(
    `select t.*, p.name from process_todo t join project p using (project_code) where t.project_code = any ($1) order by t.due nulls last, t.since limit 20`,
    projects,
  )
}

/** Checks with a problem, as devices send them when the network is back; beside one transaction of the same rows. */
async function benchOutbox(
  pool: pg.Pool,
  site: { url: string; tokens: readonly string[]; projectCode: string },
  read: () => Promise<unknown>,
): Promise<void> {
  const senders = await Promise.all(
    site.tokens.map(async (token) => {
      const headers = { token, group: '*' }
      return { headers, photo: await upload(site.url, headers) }
    }),
  )
  const { rows } = await pool.query<{ corpCode: string }>(
    'select corp_code as "corpCode" from project_corp where project_code = $1 and exit_time is null order by id limit 1',
    [site.projectCode],
  )
  const corpCode = rows[0]?.corpCode ?? ''
  const day = new Date(Date.now() + 8 * 3_600_000 + 3 * 86_400_000).toISOString().slice(0, 10)
  const problem = {
    description: '临边防护栏杆缺失',
    part: '三层东侧',
    dangerLevel: '1',
    requirement: '补齐',
    corpCode,
    deadline: day,
  }
  let turn = 0
  const send = async () => {
    const { headers, photo } = senders[turn++ % senders.length] ?? { headers: {}, photo: '' }
    const id = randomUUID().replaceAll('-', '')
    const answer = await fetch(`${site.url}/api/v1/oa/process/securityCheck?projectCode=${site.projectCode}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ id, action: 'submit', part: '三层东侧', problems: [{ ...problem, photos: [photo] }] }),
    })
    const { status, message } = (await answer.json()) as Answer<unknown>
    if (status !== 0) throw new Error(message)
  }
  const bare = async () => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const id = randomUUID()
      await client.query(
        `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type, check_time,
           checkers, part, danger_level, problem_count, state, create_by, create_time)
         values ($1, 'bench', $1, $2, now(), '{}', 'x', 'x', 'x', '12', now(), '{x}', 'x', '1', 1, '1', 'x', now())`,
        [id, site.projectCode],
      )
      await client.query(
        `insert into rectify (id, code, origin, project_code, corp_code, shown_at, groups, issuer_group, issuer_group_name, issuer_id, issuer_name,
           source_type, notice_type, category, level, check_date, deadline, responsible_person, issue_time, state, create_by, create_time)
         values ($1, $1, 'site', $2, $3, now(), '{}', 'x', 'x', 'x', 'x', '12', '2', '01', '1', current_date, current_date, 'x', now(), '1', 'x', now())`,
        [id, site.projectCode, corpCode],
      )
      await client.query(
        `insert into rectify_line (id, rectify_id, project_code, corp_code, shown_at, groups, seq, description, part, requirement)
         values ($1, $1, $2, $3, now(), '{}', 1, 'x', 'x', 'x')`,
        [id, site.projectCode, corpCode],
      )
      await client.query(
        `insert into site_check_problem (id, check_id, project_code, corp_code, shown_at, groups, seq, description, part, danger_level, requirement, deadline,
           rectify_id, line_id) values ($1, $1, $2, $3, now(), '{}', 1, 'x', 'x', '1', 'x', current_date, $1, $1)`,
        [id, site.projectCode, corpCode],
      )
      await client.query(
        `insert into process_todo (id, kind, object_id, project_code, corp_code, shown_at, groups, turn, codes, title, link, since)
         values ($1, 'bench', $1, $2, $3, now(), '{}', 'responsible', '{}', 'x', '/', now())`,
        [id, site.projectCode, corpCode],
      )
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const product = await underLoad(send, read)
  compare(`checks from ${outboxes} outboxes, ${Math.round(product.length / outboxSeconds)} a second`, product, await underLoad(bare, read))
  line('the same, p99', `${quantile(product, 0.99).toFixed(1)} ms`, '', '')
}

/** Milliseconds of each of what the outboxes send, while somebody reads a list. */
async function underLoad(send: () => Promise<void>, read: () => Promise<unknown>): Promise<number[]> {
  const until = performance.now() + outboxSeconds * 1_000
  const times: number[] = []
  const repeat = async (work: () => Promise<unknown>, note?: (ms: number) => void) => {
    while (performance.now() < until) {
      const begun = performance.now()
      await work()
      note?.(performance.now() - begun)
    }
  }
  await Promise.all([repeat(read), ...Array.from({ length: outboxes }, () => repeat(send, (ms) => times.push(ms)))])
  return times
}

/** Uploads a small picture; returns its id. */
async function upload(url: string, headers: Record<string, string>): Promise<string> {
  const form = new FormData()
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.append('file', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), '现场.png')
  const answer = (await fetch(`${url}/api/v1/tool/upload`, { method: 'POST', headers, body: form }).then((r) => r.json())) as Answer<{
    id: string
  }>
  if (answer.status !== 0) throw new Error(answer.message)
  return answer.data.id
}
