import pg from 'pg'
import { compare, took } from './measure.ts'

/** Sites of the city, and daily checks of all of them. */
const [sites, checks] = [10_000, 1_000_000]
const visitsPerPlan = 6
const portion = 20_000
const pageSize = 20

export interface SupervisionSetup {
  databaseUrl: string
  url: string
  login(account: string): Promise<string>
  /** An authority whose area holds all sites. */
  account: string
}

type Answer<T> = { status: number; message: string; data: T }

/**
 * The list of daily checks, the year's matrix of supervision plans and the list of plans for an authority with 10,000 sites and a million
 * checks, beside bare statements that read the same rows and counts. `SUPERVISION_SCALE=0.1` for a tenth. Everything it makes is gone with
 * the database it is given.
 */
export async function benchSupervision({ databaseUrl, url, login, account }: SupervisionSetup): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  try {
    const scale = Number(process.env.SUPERVISION_SCALE ?? 1)
    const [siteCount, checkCount] = [Math.round(sites * scale), Math.round(checks * scale)]
    await fillSites(pool, siteCount)
    await fillPlans(pool)
    await fillChecks(pool, checkCount)
    const token = await login(account)
    const get = async <T>(path: string): Promise<T> => {
      const answer = await fetch(`${url}/api/v1/oa/process/${path}`, { headers: { token, group: '*' } })
      const { status, message, data } = (await answer.json()) as Answer<T>
      if (status !== 0) throw new Error(`${path}: ${message}`)
      return data
    }
    const about = `${siteCount} sites, ${checkCount} checks`
    const year = new Date(Date.now() + 8 * 3_600_000).getUTCFullYear()
    compare(`daily checks, ${about}`, await took(() => get(`daycheck?projectCode=*&size=${pageSize}`)), await took(() => bareChecks(pool)))
    compare(
      `matrix of plans, ${about}`,
      await took(() => get(`checkplan/matrix?projectCode=*&year=${year}&size=${pageSize}`)),
      await took(() => bareMatrix(pool, year)),
    )
    compare(
      `plans, ${about}`,
      await took(() => get(`checkplan?projectCode=*&year=${year}&size=${pageSize}`)),
      await took(() => barePlans(pool, year)),
    )
  } finally {
    await pool.end()
  }
}

/** Copies of a site until there are as many as wanted. */
async function fillSites(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `insert into project select (jsonb_populate_record(null::project, to_jsonb(p)
         || jsonb_build_object('id', md5('site ' || i), 'project_code', 'BENCH' || lpad(i::text, 13, '0'), 'name', '工地 ' || i, 'prj_status', '003'))).*
       from generate_series((select count(*) from project) + 1, $1::int) i, lateral (select * from project where prj_status = '003' order by project_code limit 1) p`,
    [count],
  )
  await pool.query('analyze project')
}

/** A plan in force for every site, with a visit every second month. */
async function fillPlans(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into check_plan (id, code, project_code, shown_at, groups, title, discipline, year, supervisors, start_date, end_date, main_content, risk_level,
       author_group, author_group_name, state, create_by, create_time)
     select md5('plan ' || project_code), 'bench-' || project_code, project_code, now(), '{nobody}', '监督计划', '1', extract(year from current_date),
       '{某某,某某某}', date_trunc('year', current_date), date_trunc('year', current_date) + interval '364 days', '内容', 3, 'nobody', '机构', '4', 'nobody', now()
     from project where project_code like 'BENCH%'`,
  )
  await pool.query(
    `insert into check_plan_visit (id, plan_id, project_code, shown_at, groups, seq, phase, window_start, window_end)
     select md5('visit ' || p.project_code || n), p.id, p.project_code, null, '{nobody}', n, '3',
       date_trunc('year', current_date) + (n * 60 || ' days')::interval, date_trunc('year', current_date) + (n * 60 + 14 || ' days')::interval
     from check_plan p, generate_series(0, $1::int - 1) n where p.code like 'bench-%'`,
    [visitsPerPlan],
  )
  await pool.query('analyze check_plan, check_plan_visit')
}

/** Checks of three years; one of a hundred is not closed, one of a thousand has yet to be held. */
async function fillChecks(pool: pg.Pool, count: number): Promise<void> {
  const { rows } = await pool.query<{ code: string }>(`select project_code as code from project order by project_code`)
  const projects = rows.map((row) => row.code)
  for (let from = 1; from <= count; from += portion)
    await pool.query(
      `with n as (select i, ($3::text[])[1 + i % cardinality($3::text[])] as code, now() - (i::float8 / $4) * interval '1095 days' as at,
            case when i % 1000 = 0 then '0' when i % 100 = 0 then '3' else '5' end as state from generate_series($1::int, $2::int) i),
        made as (insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type, check_time,
            checkers, part, state, create_by, create_time)
          select 'day' || i, 'daycheck', 'day-' || i, code, at, '{}', 'nobody', '机构', 'nobody', '01', at, '{某某,某某某}', '全场',
            case state when '5' then '7' when '3' then '2' else '0' end, 'nobody', at from n),
        score as (insert into check_score (check_id, project_code, shown_at, groups, score, grade)
          select 'day' || i, code, at, '{}', case when state <> '0' then 60 + i % 40 end, case when state <> '0' then '2' end from n)
      insert into day_check (id, code, project_code, shown_at, groups, checker_group, discipline, planned_date, submit_at, state, create_by, create_time)
        select 'day' || i, 'day-' || i, code, at, '{}', 'nobody', '{1}', at::date, case when state <> '0' then at end, state, 'nobody', at from n`,
      [from, Math.min(count, from + portion - 1), projects, count],
    )
  await pool.query('vacuum analyze site_check, day_check, check_score')
}

async function bareChecks(pool: pg.Pool): Promise<void> {
  await pool.query(
    `select d.*, c.checkers, c.check_time, s.score, p.name from day_check d join site_check c using (id) join check_score s on s.check_id = d.id
       join project p on p.project_code = d.project_code order by d.state in ('0', '1') desc, d.planned_date desc, d.id limit $1`,
    [pageSize],
  )
  await pool.query(
    `select count(*), count(*) filter (where d.state in ('0', '1') and d.planned_date <= current_date), count(*) filter (where d.state = '1'),
       count(*) filter (where d.state in ('3', '4')), avg(s.score) filter (where d.submit_at >= date_trunc('month', now()))
     from day_check d join check_score s on s.check_id = d.id`,
  )
}

async function bareMatrix(pool: pg.Pool, year: number): Promise<void> {
  const { rows } = await pool.query<{ code: string }>(
    `select p.project_code as code, p.name, k.level from project p left join project_risk k using (project_code) where p.prj_status in ('003', '005')
     order by k.level nulls last, p.area_code, p.name limit $1`,
    [pageSize],
  )
  await pool.query(
    `select v.project_code, extract(month from v.window_end), count(*), count(d.id) from check_plan_visit v join check_plan p on p.id = v.plan_id and p.year = $2
       left join day_check d on d.id = v.check_id where v.project_code = any ($1) group by 1, 2`,
    [rows.map((row) => row.code), year],
  )
  await pool.query(`select count(*) from project where prj_status in ('003', '005')`)
}

async function barePlans(pool: pg.Pool, year: number): Promise<void> {
  await pool.query(
    `select p.*, j.name, v.n, v.next from check_plan p join project j using (project_code), lateral (select count(*) as n,
         min(window_start) filter (where check_id is null) as next, bool_or(check_id is null and window_end < current_date) as missed
       from check_plan_visit where plan_id = p.id) v where p.year = $1 order by v.missed desc, v.next limit $2`,
    [year, pageSize],
  )
  await pool.query(
    `select count(*), count(*) filter (where window_end < current_date and check_id is null), count(*) filter (where date_trunc('month', window_end)
       = date_trunc('month', current_date)) from check_plan_visit v join check_plan p on p.id = v.plan_id where p.year = $1`,
    [year],
  )
}
