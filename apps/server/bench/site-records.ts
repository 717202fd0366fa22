import type pg from 'pg'
import { compare, took } from './measure.ts'

/** Batches of material and a plan of one site, as many as the largest sites have. */
const batches = 10_000
const tasks = 500
const pageSize = 20

type Get = (path: string) => Promise<unknown>

/** A page of 10,000 batches with its figures, and the whole plan of 500 tasks as its Gantt asks for it. */
export async function benchSiteRecords(pool: pg.Pool, projectCode: string, get: Get): Promise<void> {
  await fillBatches(pool, projectCode)
  await fillPlan(pool, projectCode)
  await pool.query('vacuum analyze material_batch, schedule_task')
  const of = `projectCode=${projectCode}`
  compare(
    `list of ${batches} batches`,
    await took(() => get(`/api/v1/oa/process/material?${of}&page=1&size=${pageSize}`)),
    await took(() => bareBatches(pool, projectCode)),
  )
  compare(
    `batches that may not be used, of ${batches}`,
    await took(() => get(`/api/v1/oa/process/material?${of}&step=banned&page=1&size=${pageSize}`)),
    await took(() => bareBatches(pool, projectCode, `and m.exit_at is null and (m.state = '3' or m.blocked_by is not null)`)),
  )
  compare(
    `plan of ${tasks} tasks`,
    await took(() => get(`/api/v1/oa/process/schedule?${of}&view=tasks&page=1&size=1000`)),
    await took(() => barePlan(pool, projectCode)),
  )
}

async function fillBatches(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `insert into material_batch (id, project_code, corp_code, shown_at, groups, category, name, spec, supplier, batch_no, quantity, unit, arrive_time,
       cert_files, need_retest, samples_due, samples_taken, tolerance, retest_passed, receiver_id, receiver_name, state, create_by, create_time)
     select md5('bench batch' || i), $1, c.code, now(), '{}', lpad((1 + i % 8)::text, 2, '0'), '样例材料 ' || i % 40, 'S' || i % 12, '样例供应商 ' || i % 30,
       'B' || i, 10 + i % 90, '1', now() - i * interval '50 minutes', '{}', i % 3 = 0, 1, 1, 20, i % 50 <> 0, 'nobody', '样例',
       case when i % 50 = 0 then '3' when i % 7 = 0 then '2' else '1' end, 'nobody', now()
     from generate_series(1, $2::int) i, (select min(corp_code) as code from project_corp where project_code = $1 and exit_time is null) c`,
    [projectCode, batches],
  )
}

async function fillPlan(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `with s as (select id, corp_code, groups from schedule where project_code = $1),
      root as (insert into schedule_task (id, schedule_id, project_code, corp_code, shown_at, groups, wbs, name, leaf, weight, plan_start, plan_end)
        select md5('bench plan'), id, $1, corp_code, now(), groups, '900', '样例楼', false, 1, current_date - 400, current_date + 200 from s returning id)
     insert into schedule_task (id, schedule_id, project_code, corp_code, shown_at, groups, parent_id, wbs, name, leaf, weight, plan_start, plan_end, base_start,
       base_end, actual_start, percent)
     select md5('bench task' || i), s.id, $1, s.corp_code, now(), s.groups, root.id, '900.' || i, '样例任务 ' || i, true, 100.0 / $2::int,
       current_date - 400 + i, current_date - 390 + i, current_date - 400 + i, current_date - 390 + i,
       case when i < 400 then current_date - 398 + i end, case when i < 380 then 100 when i < 400 then 40 else 0 end
     from s, root, generate_series(1, $2::int) i`,
    [projectCode, tasks],
  )
}

async function bareBatches(pool: pg.Pool, projectCode: string, and = ''): Promise<void> {
  await pool.query(
    `select m.*, j.name, k.corp_name, (select count(*) from material_weigh w where w.batch_id = m.id and w.direction = 'in')
     from (select * from material_batch m where m.project_code = $1 ${and} order by arrive_time desc, id desc limit $2) m
       join project j on j.project_code = m.project_code join corporation k on k.corp_code = m.corp_code`,
    [projectCode, pageSize],
  )
  await pool.query(`select count(*) from material_batch m where m.project_code = $1 ${and}`, [projectCode])
  await pool.query(
    `select count(*) filter (where m.state = '0'), count(*) filter (where m.state = '2' and m.sent_at is null), count(*) filter (where m.state = '2'),
       count(*) filter (where m.exit_at is null and (m.state = '3' or m.blocked_by is not null)),
       count(*) filter (where m.exit_at is null and m.unit in ('1', '8') and m.state <> '3'
         and not exists (select from material_weigh w where w.batch_id = m.id and w.direction = 'in'))
     from material_batch m where m.project_code = $1`,
    [projectCode],
  )
  await pool.query('select category, count(*) from material_batch where project_code = $1 group by 1', [projectCode])
  await pool.query('select distinct supplier from material_batch where project_code = $1', [projectCode])
}

async function barePlan(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `select t.* from schedule_task t left join unit_project u on u.id = t.unit_id where t.project_code = $1
     order by u.seq nulls first, t.unit_id nulls first, string_to_array(t.wbs, '.')::int[]`,
    [projectCode],
  )
  await pool.query(
    `select t.*, u.name, k.corp_name, (select q.percent from day_log_task q join day_log x on x.id = q.log_id
         where q.task_id = t.id and x.submitted_at > coalesce(t.report_time, '-infinity') order by x.day desc limit 1)
     from schedule_task t left join unit_project u on u.id = t.unit_id join corporation k on k.corp_code = t.corp_code where t.project_code = $1
     order by coalesce(u.seq, 0), string_to_array(t.wbs, '.')::int[]`,
    [projectCode],
  )
  await pool.query('select count(*) from schedule_task where project_code = $1', [projectCode])
  await pool.query('select * from schedule_base where schedule_id in (select id from schedule where project_code = $1)', [projectCode])
}
