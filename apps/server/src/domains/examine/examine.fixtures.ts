import { randomUUID } from 'node:crypto'
import { changeExamine, createExamine, removeExamine, signExamine } from '@zhugong/contract/examine/calls'
import type pg from 'pg'
import { call, type Fixtures } from '../../../test/fixtures/helpers.ts'

/** A submitted check of a site with one sheet. */
async function insertExamine(pool: pg.Pool, projectCode: string): Promise<void> {
  const row = [projectCode]
  await pool.query(
    `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, state, create_by, create_time)
     values (md5('examine ' || $1), 'examine', '样例-ZC-' || md5($1), $1, now(), '{}', 'nobody', '样例机构', 'nobody', '12', now(), '{样例}',
       '全场', '7', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into check_score (check_id, project_code, shown_at, groups, score, grade, reason)
     values (md5('examine ' || $1), $1, now(), '{}', 90, '1', '样例')`,
    row,
  )
  await pool.query(
    `insert into check_sheet (id, check_id, project_code, shown_at, groups, seq, sheet_code, category)
     values (md5('examine sheet ' || $1), md5('examine ' || $1), $1, now(), '{}', 0, '02', '02')`,
    row,
  )
  await pool.query(
    `insert into check_result (sheet_id, item_code, check_id, project_code, shown_at, groups, seq, name, max_score, guarantee, result, deduction)
     values (md5('examine sheet ' || $1), '020001', md5('examine ' || $1), $1, now(), '{}', 0, '现场围挡', 10, true, '2', 1)`,
    row,
  )
  await pool.query(
    `insert into site_examine (check_id, project_code, shown_at, groups, round) values (md5('examine ' || $1), $1, now(), '{}', '2')`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createExamine,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: randomUUID().replaceAll('-', ''),
        action: 'save',
        round: '1',
        part: '全场',
        sheets: [{ sheetCode: '02' }],
        problems: [],
      },
    })),
  ],
  exempt: [
    { why: 'only the group that wrote a draft knows of it: examine.test.ts', calls: [changeExamine, removeExamine] },
    { why: 'its seats are for the names of the check and for its own group: examine.test.ts', calls: [signExamine] },
  ],
  projectRows: ({ pool, projectCode }) => insertExamine(pool, projectCode),
}
