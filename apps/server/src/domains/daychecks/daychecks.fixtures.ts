import { changeDayCheck, createDayCheck, removeDayCheckUnit } from '@zhugong/contract/daychecks/calls'
import { signDayCheck } from '@zhugong/contract/daychecks/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

/** A submitted check with one unit, which nobody of the site has signed. */
async function insertCheck(pool: pg.Pool, key: string, projectCode: string): Promise<void> {
  const row = [`daycheck ${key}`, projectCode]
  await pool.query(
    `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, state, create_by, create_time)
     values (md5($1), 'daycheck', '样例-' || md5($1), $2, now(), '{}', 'nobody', '样例机构', 'nobody', '01', now(), '{样例,样本}', '', '7',
       'nobody', now())`,
    row,
  )
  await pool.query(`insert into check_score (check_id, project_code, shown_at, groups) values (md5($1), $2, now(), '{}')`, row)
  await pool.query(
    `insert into day_check (id, code, project_code, shown_at, groups, checker_group, discipline, planned_date, submit_at, state, create_by,
       create_time)
     values (md5($1), '样例-' || md5($1), $2, now(), '{}', 'nobody', '{1}', current_date, now(), '2', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into day_check_unit (id, check_id, project_code, shown_at, groups, seq, name) values (md5($1 || ' unit'), md5($1), $2, now(), '{}', 1, '整体')`,
    row,
  )
  await pool.query(
    `insert into day_check_presence (check_id, seq, project_code, shown_at, groups, post, state) values (md5($1), 0, $2, now(), '{}', '1009', 'never')`,
    row,
  )
  await pool.query(
    `insert into day_check_discipline (check_id, discipline, project_code, shown_at, groups, by_id, by_name, at)
     values (md5($1), '1', $2, now(), '{}', 'nobody', '样例', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      changeDayCheck,
      'site',
    )((_s, c) => ({
      params: { id: rowId('daycheck', c) },
      query: anyProject,
      body: { version: 0, action: 'remark', opinion: '已安排整改' },
    })),
    call(
      signDayCheck,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('daycheck', c) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'supervisor', image: strokes() },
    })),
  ],
  exempt: [{ why: 'only authorities plan and hold checks: daychecks.test.ts', calls: [createDayCheck, removeDayCheckUnit] }],
  projectRows: ({ pool, projectCode }) => insertCheck(pool, projectCode, projectCode),
  companyRows: (pool, { key }, { projectCode }) => insertCheck(pool, key, projectCode),
  owners: { daycheck: ofPeople('day_check'), daycheckUnit: ofPeople('day_check_unit') },
  guarded: ['day_check', 'day_check_unit'],
}
