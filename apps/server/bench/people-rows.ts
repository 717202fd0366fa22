import pg from 'pg'

/** The large site whose monthly sheet and overview are measured. */
export const largeSite = 'BENCHSHEET000001'
export const sheetMonth = '2026-09'
const peopleOfLargeSite = 2_000
const peopleOfSite = 900
const daysOfOthers = 20

/** The URL of the demonstration's database for the owner of its tables, who alone may change indexes and statistics. */
export const ownerOf = (databaseUrl: string): string => databaseUrl.replace('://zhugong_run@', '://zhugong@')

const sites = (scale: number) => Math.round(1_100 * scale)
const listed = (scale: number) => Math.round(8_000 * scale)

/**
 * Fills in the people of a province. At scale 1: 1,000,000 stays in 1,101 projects, 8,000 of them in `projectCode`, and 20,000,000 days of
 * attendance. A second call with a larger scale adds the missing rows. `sealed` is used as every encrypted identity number, which the
 * measured calls do not decrypt. The sites are suspended: otherwise the product would warn about the missing contract of each of these
 * people during the measurement.
 */
export async function fillPeople(databaseUrl: string, projectCode: string, sealed: string, scale: number) {
  const client = new pg.Client({ connectionString: ownerOf(databaseUrl) })
  await client.connect()
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '1GB'`)
  await client.query(`
    insert into project (id, project_code, name, category, prj_status, area_code, address, lng, lat, property_num, invest, start_date, complete_date, link_man, contractor_corp_code)
    select md5('p' || i), code, '样本项目 ' || i, '01', '005', '420202', '样本', 115, 30, '001', 1, '2026-01-01', '2027-01-01', '样本', (select min(corp_code) from corporation)
    from (select i, 'BENCH' || lpad(i::text, 13, '0') as code from generate_series(1, ${sites(scale)}) i union all select 0, '${largeSite}') s on conflict do nothing`)
  const people = `
    select p.project_code as code, i from project p, generate_series(1, ${peopleOfSite}) i where p.project_code like 'BENCH0%'
    union all select '${largeSite}', i from generate_series(1, ${peopleOfLargeSite}) i
    union all select '${projectCode}', i from generate_series(1, ${listed(scale)}) i`
  const steps = [
    `insert into worker (id, name, id_card_number, id_card_hash, id_card_mask, gender, birthday)
      select md5('w' || code || i), '工人' || i, '\\x${sealed}', md5('h' || code || i), '420202********0010', '1', '1985-05-05' from (${people}) s on conflict do nothing`,
    `insert into project_worker (id, project_code, worker_id, corp_code, work_role, work_type, entry_time, worker_name, gender, birthday, id_card_mask, id_card_hash)
      select md5('s' || code || i), code, md5('w' || code || i), (select min(corp_code) from corporation), '20', '060', timestamptz '2026-08-01' + (i || ' minutes')::interval,
        '工人' || i, '1', '1985-05-05', '420202********0010', md5('h' || code || i) from (${people}) s on conflict do nothing`,
    `insert into attendance_day (project_code, worker_id, work_day, stay_id, corp_code, first_in, last_out, work_hours, attend_day, results, record_count, parts, expected, required, present, settled, rules_version, setting_version)
      select code, md5('w' || code || i), day, md5('s' || code || i), corp, day + time '07:30', day + time '17:30', 9.5, 1, '{1}', 4,
        jsonb_build_array(jsonb_build_object('corpCode', corp, 'teamSysNo', null, 'hours', 9.5)), true, true, true, true, '1', '1'
      from (${people}) s, (select min(corp_code) as corp from corporation) c,
        generate_series(date '${sheetMonth}-01', date '${sheetMonth}-01' + case when code = '${largeSite}' then 27 else ${daysOfOthers - 1} end, interval '1 day') g(day)
      on conflict do nothing`,
  ]
  // Creating the index after inserting is faster than updating it twenty million times.
  const { rows: indices } = await client.query<{ name: string; made: string }>(
    `select indexname as name, indexdef as made from pg_indexes where indexname in ('attendance_day_list', 'attendance_day_worker')`,
  )
  await client.query(indices.map(({ name }) => `drop index ${name};`).join(' '))
  for (const step of steps) await client.query(step)
  for (const { made } of indices) await client.query(made)
  for (const table of ['project_worker', 'worker', 'attendance_day']) await client.query(`vacuum analyze ${table}`)
  const { rows } = await client.query<{ stays: number; days: number }>(
    `select (select count(*)::int from project_worker) as stays, (select count(*)::int from attendance_day) as days`,
  )
  await client.end()
  return rows[0] ?? { stays: 0, days: 0 }
}
