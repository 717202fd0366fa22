import pg from 'pg'
import { compare, took } from './measure.ts'
import { benchSiteRecords } from './site-records.ts'

const points = 100_000
const [floors, roomsPerFloor, perArea] = [40, 10, 5]
const pageSize = 20

export interface MeasuringSetup {
  databaseUrl: string
  url: string
  login(account: string): Promise<string>
  /** An account of the site that is filled. */
  account: string
  projectCode: string
}

type Answer<T> = { status: number; message: string; data: T }

/**
 * List, matrix and map of one site with 100,000 measured points, its batches of material and its plan, beside bare statements that read the same rows and counts. Everything it
 * makes is gone with the database it is given.
 */
export async function benchMeasuring({ databaseUrl, url, login, account, projectCode }: MeasuringSetup): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  try {
    await fill(pool, projectCode)
    const token = await login(account)
    const ask = async <T>(path: string): Promise<T> => {
      const answer = await fetch(url + path, { headers: { token, group: '*' } })
      const { status, message, data } = (await answer.json()) as Answer<T>
      if (status !== 0) throw new Error(`${path}: ${message}`)
      return data
    }
    const get = <T>(query: string) => ask<T>(`/api/v1/measure/record?projectCode=${projectCode}&${query}`)
    const about = `${points} points of one site`
    compare(`measured points, ${about}`, await took(() => get(`size=${pageSize}`)), await took(() => bareList(pool, projectCode)))
    compare(`items by company, ${about}`, await took(() => get('view=matrix')), await took(() => bareMatrix(pool, projectCode)))
    compare(`map of a building, ${about}`, await took(() => get('view=heat')), await took(() => bareHeat(pool, projectCode)))
    await benchSiteRecords(pool, projectCode, ask)
  } finally {
    await pool.end()
  }
}

/** A tower, one task that measured all of it, and its points over a year. */
async function fill(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `with b as (insert into site_place (id, project_code, kind, seq, name, path, full_name)
        values (md5('bench tower'), $1, 'building', 990, '样例塔楼', array[md5('bench tower')], '样例塔楼') returning id),
      f as (insert into site_place (id, project_code, parent_id, kind, seq, name, path, full_name)
        select md5('bench floor' || f), $1, b.id, 'floor', f, f || '层', array[b.id, md5('bench floor' || f)], '样例塔楼 / ' || f || '层'
        from b, generate_series(1, $2::int) f returning id, seq, path)
     insert into site_place (id, project_code, parent_id, kind, seq, name, path, full_name)
       select md5('bench room' || f.seq || '-' || r), $1, f.id, 'room', r, f.seq || lpad(r::text, 2, '0'), f.path || md5('bench room' || f.seq || '-' || r),
         '样例塔楼 / ' || f.seq || '层 / ' || r from f, generate_series(1, $3::int) r`,
    [projectCode, floors, roomsPerFloor],
  )
  await pool.query(
    `insert into measure_task (id, project_code, shown_at, groups, task_no, task_name, check_type, template_id, template_name, template_revision, target_rate,
       place_name, place_count, author_group, author_group_name, member_id, member_name, member_group, total_items, total_points, state, create_by, create_time)
     values (md5('bench task'), $1, now(), '{}', 'bench', '样例', '2', 'none', '样例', 1, 90, '样例塔楼', 1, 'nobody', '样例', 'nobody', '样例', 'nobody', 1, $2, '6',
       'nobody', now())`,
    [projectCode, points],
  )
  await pool.query(
    `insert into measure_task_item (task_id, no, project_code, rule_id, origin_id, revision, item_code, standard_name, judge_start, judge_end, is_absolute, is_range,
       is_custom_base, area_count, point_count, forbid_manual, burst_factor)
     select md5('bench task'), n, $1, 'none', 'none', 1, '10' || n, '样例', 0, 8, true, false, false, 50, 5, false, 1.5 from generate_series(1, 8) n`,
    [projectCode],
  )
  await pool.query(
    `with corps as (select array_agg(distinct corp_code) as codes from project_corp where project_code = $1 and exit_time is null),
      a as (insert into measure_area (id, task_id, project_code, corp_code, place_id, item_no, area_no)
        select md5('bench area' || i), md5('bench task'), $1, c.codes[1 + i % cardinality(c.codes)],
          md5('bench room' || 1 + (i / $4) % $3 || '-' || 1 + i % $4), 1 + (i / ($3 * $4)) % 8, 1 + i / ($3 * $4 * 8)
        from corps c, generate_series(0, $2::int / $5::int - 1) i returning *)
     insert into measure_point (id, area_id, task_id, project_code, corp_code, place_id, item_code, area_no, point_no, value, deviation, result, measurer, at)
       select md5(a.id || n), a.id, a.task_id, a.project_code, a.corp_code, a.place_id, '10' || a.item_no, a.area_no, n, v.value, v.value,
         case when v.value <= 8 then '1' when v.value <= 12 then '2' else '3' end, '样例', now() - random() * interval '365 days'
       from a, generate_series(1, $5::int) n, lateral (select round((abs(hashtext(a.id || n)) % 1250) / 100.0, 2) as value) v`,
    [projectCode, points, floors, roomsPerFloor, perArea],
  )
  await pool.query('vacuum analyze measure_task, measure_area, measure_point, site_place')
}

async function bareList(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `select p.*, t.task_name, q.full_name, i.standard_name from (select * from measure_point where project_code = $1 order by at desc, id desc limit $2) p
       join measure_task t on t.id = p.task_id join site_place q on q.id = p.place_id join measure_area a on a.id = p.area_id
       join measure_task_item i on i.task_id = a.task_id and i.no = a.item_no`,
    [projectCode, pageSize],
  )
  await pool.query(
    `select count(*), count(result), count(*) filter (where coalesce(retest_result, result) = '1'), count(*) filter (where result = '3')
     from measure_point where project_code = $1`,
    [projectCode],
  )
}

async function bareMatrix(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `select item_code, corp_code, count(result), count(*) filter (where coalesce(retest_result, result) = '1') from measure_point where project_code = $1
     group by 1, 2`,
    [projectCode],
  )
  await pool.query(
    `select item_code, date_trunc('week', at at time zone 'Asia/Shanghai'), count(result), count(*) filter (where result = '1') from measure_point
     where project_code = $1 group by 1, 2`,
    [projectCode],
  )
}

async function bareHeat(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `select place_id, count(result), count(*) filter (where coalesce(retest_result, result) = '1') from measure_point where project_code = $1 group by 1`,
    [projectCode],
  )
  await pool.query('select id, parent_id, kind, name, path from site_place where project_code = $1 order by cardinality(path), seq', [
    projectCode,
  ])
}
