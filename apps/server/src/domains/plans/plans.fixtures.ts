import { changePlan, createPlan, generatePlans, removePlan, removePlanVisit } from '@zhugong/contract/plans/calls'
import type pg from 'pg'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

/** A plan in force, which nobody of the site has received, with a visit that the site does not know of. */
async function insertPlan(pool: pg.Pool, key: string, projectCode: string, year: number): Promise<void> {
  const row = [`plan ${key}`, projectCode]
  await pool.query(
    `insert into check_plan (id, code, project_code, shown_at, groups, title, discipline, year, supervisors, start_date, end_date, main_content,
       risk_level, author_group, author_group_name, state, create_by, create_time)
     values (md5($1), '样例-' || md5($1), $2, now(), '{}', '样例计划', '1', $3, '{样例,样本}', '2026-01-01', '2026-12-31', '样例', 3, 'nobody',
       '样例机构', '3', 'nobody', now())`,
    [...row, year],
  )
  await pool.query(
    `insert into check_plan_version (plan_id, version_no, project_code, shown_at, groups, title, supervisors, start_date, end_date, main_content,
       focus, approve_name, approve_at)
     values (md5($1), 1, $2, now(), '{}', '样例计划', '{样例,样本}', '2026-01-01', '2026-12-31', '样例', '{}', '样例', now())`,
    row,
  )
  await pool.query(
    `insert into check_plan_frequency (plan_id, seq, project_code, groups, phase, times, from_date, to_date)
     values (md5($1), 0, $2, '{}', '3', 1, '2026-01-01', '2026-12-31')`,
    row,
  )
  await pool.query(
    `insert into check_plan_visit (id, plan_id, project_code, groups, seq, phase, window_start, window_end)
     values (md5($1 || ' visit'), md5($1), $2, '{}', 1, '3', '2026-01-01', '2026-12-31')`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      changePlan,
      'review',
    )((_s, c) => ({ params: { id: rowId('plan', c) }, query: anyProject, body: { version: 0, action: 'receive' } })),
  ],
  exempt: [
    {
      why: 'only authorities write plans: plans.test.ts',
      calls: [createPlan, generatePlans, removePlan, removePlanVisit],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    await insertPlan(pool, projectCode, projectCode, 2026)
    await pool.query(
      `insert into check_plan_receipt (plan_id, version_no, group_id, project_code, group_name, name, at)
       values (md5($1), 1, 'nobody', $2, '样例', '样例', now())`,
      [`plan ${projectCode}`, projectCode],
    )
    await pool.query(
      `insert into project_risk (project_code, groups, level, reason, computed_at) values ($1, '{}', 3, '样例', now()) on conflict do nothing`,
      [projectCode],
    )
  },
  // One plan a year: those of the companies are of years of their own.
  companyRows: (pool, { key }, { projectCode }) =>
    insertPlan(pool, key, projectCode, Number.parseInt(rowId('year', { key }).slice(0, 6), 16)),
  owners: {
    checkplan: ofPeople('check_plan'),
    // A visit is hidden from everybody but its authorities.
    checkplanVisit: `select id, null as project_code, '1/nobody' as group_key from check_plan_visit`,
  },
  guarded: ['check_plan', 'check_plan_visit'],
}
