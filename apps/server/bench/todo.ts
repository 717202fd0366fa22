import pg from 'pg'
import { line, quantile } from './measure.ts'

const items = 1_000_000
const rounds = 20
/** Items written by one statement, so that a transaction stays in memory. */
const portion = 50_000
/** One of so many items waits for the caller's own site, the rest for the other sites. */
const ownEvery = 1_000
/** Items added for one user, as if nobody there had decided for years. */
const pileUp = 100_000
/** Own decisions of one user, over a year. */
const decisions = 240_000
const code = 'attendance.approve'

export interface TodoSetup {
  databaseUrl: string
  url: string
  login(account: string): Promise<string>
  account: string
}

async function took(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i <= rounds; i++) {
    const begun = performance.now()
    await work()
    // The first run fills the caches of both sides.
    if (i > 0) times.push(performance.now() - begun)
  }
  return times
}

/** Writes `count` waiting items with one step and one seat each: one of `every` at the caller's own site, the rest spread over the other sites. */
async function fill(pool: pg.Pool, own: string, { count, every, prefix }: { count: number; every: number; prefix: string }): Promise<void> {
  const { rows: sites } = await pool.query<{ id: string; code: string }>(
    `select id, code from tenant where type = 3 order by id = $1 desc, id`,
    [own],
  )
  const ids = sites.map((one) => one.id)
  const codes = sites.map((one) => one.code)
  const node = JSON.stringify({
    ...{ key: 'site', name: '项目', places: ['site'], by: { kind: 'code', code }, mode: 'any', beside: false, when: [] },
    ...{ hours: 24, late: 'remind', handTo: null, mayTransfer: true, sign: false, copyTo: [], locked: false },
  })
  for (let from = 1; from <= count; from += portion)
    await pool.query(
      `with n as (select i, case when i % ${every} = 0 or cardinality($3::text[]) = 1 then 1 else 2 + i % (cardinality($3::text[]) - 1) end as at
          from generate_series($1::int, $2::int) i),
        item as (insert into work_item (id, kind, object_id, code, title, group_id, project_code, applicant_id, applicant_name, applicant_group,
            node, deadline, snapshot, hash, create_time, update_time, groups)
          select '${prefix}' || i, 'bench', '${prefix}' || i, '${prefix}-' || i, '补录 ' || i, ($3::text[])[at], ($4::text[])[at], 'nobody', '某某', ($3::text[])[at],
            '项目', now() + (i % 400 - 100) * interval '1 hour', '{"fields":[]}', repeat('0', 64), now() - (i % 1000) * interval '1 minute', now(),
            array[($3::text[])[at]] from n),
        step as (insert into work_step (id, item_id, place, stage, round, key, name, node, state, began_at)
          select '${prefix}' || i, '${prefix}' || i, 0, 0, 1, 'site', '项目', $5::jsonb, '1', now() from n)
      insert into work_approver (id, item_id, step_id, group_id, code, state) select '${prefix}' || i, '${prefix}' || i, '${prefix}' || i, ($3::text[])[at], '${code}', '1' from n`,
      [from, Math.min(count, from + portion - 1), ids, codes, node],
    )
  await pool.query('analyze work_item, work_step, work_approver')
}

/** Writes items of the caller's site that the caller has decided, spread evenly over the last year. */
async function fillDecided(pool: pg.Pool, { userId, groupId }: { userId: string; groupId: string }, count: number): Promise<void> {
  for (let from = 1; from <= count; from += portion)
    await pool.query(
      `with n as (select i, now() - (i::float8 / $5) * interval '365 days' as at, t.id as site, t.code as project
          from generate_series($1::int, $2::int) i, tenant t where t.id = $3),
        item as (insert into work_item (id, kind, object_id, code, title, group_id, project_code, applicant_id, applicant_name, applicant_group,
            state, snapshot, hash, create_time, update_time, done_time, groups)
          select 'done' || i, 'bench', 'done' || i, 'done-' || i, '补录 ' || i, site, project, 'nobody', '某某', site,
            '2', '{"fields":[]}', repeat('0', 64), at - interval '3 hours', at, at, array[site] from n),
        step as (insert into work_step (id, item_id, place, stage, round, key, name, node, state, began_at, ended_at)
          select 'done' || i, 'done' || i, 0, 0, 1, 'site', '项目', '{"mode":"any"}', '2', at - interval '3 hours', at from n)
      insert into work_approver (id, item_id, step_id, group_id, code, state, acted_by, acted_name, acted_at)
        select 'done' || i, 'done' || i, 'done' || i, site, '${code}', '2', $4, '某某', at from n`,
      [from, Math.min(count, from + portion - 1), groupId, userId, count],
    )
  await pool.query('vacuum analyze work_item, work_step, work_approver')
}

const mine = `i.id in (select a.item_id from work_approver a where a.state = '1' and a.code is not null and a.group_id = $1 and a.code = any ($2))
  and i.state = '1' and i.applicant_id <> $3`

/**
 * The first page of the to-do list with its counts among a million waiting items, and of the list of one's own decisions, each beside the
 * bare statements that read the same. `TODO_SCALE=0.1` for a tenth. The rows are discarded with the database.
 */
export async function benchTodo({ databaseUrl, url, login, account }: TodoSetup): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const { rows } = await pool.query<{ userId: string; groupId: string; codes: string[] }>(
      `select u.id as "userId", m.group_id as "groupId", array_agg(distinct c) as codes from app_user u join member m on m.user_id = u.id
         join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id cross join unnest(r.codes) c where u.account = $1 group by 1, 2`,
      [account],
    )
    const who = rows[0]
    if (!who) throw new Error(`${account} has no group`)
    const scale = Number(process.env.TODO_SCALE ?? 1)
    const count = Math.round(items * scale)
    await fill(pool, who.groupId, { count, every: ownEvery, prefix: 'todo' })
    const token = await login(account)
    const call = async (box: string) => {
      const answer = await fetch(`${url}/api/v1/oa/todo/message/list?box=${box}&type=1&size=20`, { headers: { token, group: '*' } })
      const { status, data } = (await answer.json()) as { status: number; data: { list: unknown[]; total: number } }
      if (status !== 0 || data.list.length < 20) throw new Error(`the list ${box} answered ${status}`)
      return data.total
    }
    const given = [who.groupId, who.codes, who.userId]
    const counts = () =>
      pool.query(
        `select count(*), count(*) filter (where i.deadline < now()), count(*) filter (where i.deadline between now() and now() + interval '1 day')
         from work_item i where ${mine}`,
        given,
      )
    const flows = async (ids: readonly string[]) => {
      await pool.query('select * from work_step where item_id = any ($1)', [ids])
      await pool.query('select * from work_approver where item_id = any ($1)', [ids])
    }
    const bareTodo = async () => {
      const page = await pool.query<{ id: string }>(
        `select i.*, p.name as project_name from work_item i left join project p using (project_code) where ${mine}
         order by i.deadline nulls last, i.create_time, i.id limit 20`,
        given,
      )
      await counts()
      await flows(page.rows.map((row) => row.id))
    }
    const bareDone = async () => {
      const page = await pool.query<{ id: string }>(
        `select i.*, p.name as project_name from (select item_id, acted_at from work_approver where acted_by = $1 and group_id = $2
           order by acted_at desc limit 20) d join work_item i on i.id = d.item_id left join project p using (project_code) order by d.acted_at desc`,
        [who.userId, who.groupId],
      )
      await pool.query('select count(distinct item_id) from work_approver where acted_by = $1 and group_id = $2', [who.userId, who.groupId])
      await pool.query(
        `select avg(a.acted_at - s.began_at) from work_approver a join work_step s on s.id = a.step_id
         where a.acted_by = $1 and a.group_id = $2 and a.acted_at > now() - interval '30 days'`,
        [who.userId, who.groupId],
      )
      await counts()
      await flows(page.rows.map((row) => row.id))
    }
    const compare = async (name: string, box: string, bare: () => Promise<void>, among: number) => {
      const total = await call(box)
      const [product, limit] = [await took(() => call(box)), await took(bare)]
      const show = (ms: number) => `${ms.toFixed(1)} ms`
      for (const [share, at] of [
        ['p50', 0.5],
        ['p95', 0.95],
      ] as const) {
        const [p, b] = [quantile(product, at), quantile(limit, at)]
        line(`${name}, ${total} of ${among} items, ${share}`, show(p), `bare ${show(b)}`, `${(p / b).toFixed(2)} x`)
      }
    }
    await compare('to-do list', 'todo', bareTodo, count)
    const decided = Math.round(decisions * scale)
    await fillDecided(pool, who, decided)
    await compare('own decisions', 'done', bareDone, count + decided)
    const more = Math.round(pileUp * scale)
    await fill(pool, who.groupId, { count: more, every: 1, prefix: 'pile' })
    await compare('to-do list', 'todo', bareTodo, count + decided + more)
  } finally {
    await pool.end()
  }
}
