import pg from 'pg'
import { line, quantile } from './measure.ts'

const items = 1_000_000
const rounds = 20
/** Items of one statement: what a transaction writes without growing beyond memory. */
const portion = 50_000
/** Every so many items waits for the asker's own site, the others for the other sites. */
const ownEvery = 1_000
/** What one desk is given besides, as if nobody there had decided for years. */
const pileUp = 100_000
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
    // The first fills the caches of either side.
    if (i > 0) times.push(performance.now() - begun)
  }
  return times
}

/** Writes so many items that wait, one step and one seat each, every so many of them at one's own site, the others all over the sites. */
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

const mine = `i.id in (select a.item_id from work_approver a where a.state = '1' and a.code is not null and a.group_id = $1 and a.code = any ($2))
  and i.state = '1' and i.applicant_id <> $3`

/**
 * The first page of what waits for somebody, with its counts, among a million items that wait: the call beside the bare statements that
 * read the same. `TODO_SCALE=0.1` for a tenth. Everything it makes is gone with the database it is given.
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
    const call = async () => {
      const answer = await fetch(`${url}/api/v1/oa/todo/message/list?box=todo&type=1&size=20`, { headers: { token, group: '*' } })
      const { status, data } = (await answer.json()) as { status: number; data: { list: unknown[]; total: number } }
      if (status !== 0 || data.list.length < 20) throw new Error(`the list answered ${status}`)
      return data.total
    }
    const given = [who.groupId, who.codes, who.userId]
    const bare = async () => {
      const page = await pool.query<{ id: string }>(
        `select i.*, p.name as project_name from work_item i left join project p using (project_code) where ${mine}
         order by i.deadline nulls last, i.create_time, i.id limit 20`,
        given,
      )
      const ids = page.rows.map((row) => row.id)
      await pool.query(
        `select count(*), count(*) filter (where i.deadline < now()), count(*) filter (where i.deadline between now() and now() + interval '1 day')
         from work_item i where ${mine}`,
        given,
      )
      await pool.query('select * from work_step where item_id = any ($1)', [ids])
      await pool.query('select * from work_approver where item_id = any ($1)', [ids])
    }
    const compare = async (among: number) => {
      const total = await call()
      const [product, limit] = [await took(call), await took(bare)]
      const show = (ms: number) => `${ms.toFixed(1)} ms`
      for (const [name, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
      ] as const) {
        const [p, b] = [quantile(product, share), quantile(limit, share)]
        line(`to-do list, ${total} of ${among} items, ${name}`, show(p), `bare ${show(b)}`, `${(p / b).toFixed(2)} x`)
      }
    }
    await compare(count)
    const more = Math.round(pileUp * scale)
    await fill(pool, who.groupId, { count: more, every: 1, prefix: 'pile' })
    await compare(count + more)
  } finally {
    await pool.end()
  }
}
