import { signInspection } from '@zhugong/contract/checks/seats'
import { changeInspection, createInspection, removeInspection } from '@zhugong/contract/scoring/inspections'
import { changeCheckItem, createCheckItem } from '@zhugong/contract/scoring/library'
import { importCheckItems } from '@zhugong/contract/scoring/library-import'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofGroup, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

/** A submitted inspection with one sheet of one item, which nobody has signed. */
async function insertInspection(pool: pg.Pool, key: string, projectCode: string): Promise<void> {
  const row = [`inspection ${key}`, projectCode]
  await pool.query(
    `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, state, create_by, create_time)
     values (md5($1), 'safetyInspection', '样例-' || md5($1), $2, now(), '{}', 'nobody', '样例机构', 'nobody', '11', now(), '{样例,样本}', '全场', '7',
       'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into check_score (check_id, project_code, shown_at, groups, score, grade, reason)
     values (md5($1), $2, now(), '{}', 90, '1', '样例')`,
    row,
  )
  await pool.query(
    `insert into check_category (check_id, category, project_code, shown_at, groups, weight, score, points)
     values (md5($1), '01', $2, now(), '{}', 10, 90, 9)`,
    row,
  )
  await pool.query(
    `insert into check_sheet (id, check_id, project_code, shown_at, groups, seq, sheet_code, category)
     values (md5($1 || ' sheet'), md5($1), $2, now(), '{}', 0, '01', '01')`,
    row,
  )
  await pool.query(
    `insert into check_result (sheet_id, item_code, check_id, project_code, shown_at, groups, seq, name, max_score, guarantee, result)
     values (md5($1 || ' sheet'), '010001', md5($1), $2, now(), '{}', 0, '安全生产责任制', 10, true, '1')`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createInspection,
      'review',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: {
        inspectType: '11',
        checkTime: '2026-11-20 09:00:00',
        checkers: ['周大勇', '郑成'],
        part: '全场',
        sheets: [{ sheetCode: '01', label: '', assignee: '周大勇' }],
      },
    })),
    call(
      changeInspection,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('inspection', c) },
      query: anyProject,
      body: { version: 0, action: 'signSupervisor', opinion: '属实' },
    })),
    call(
      signInspection,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('inspection', c) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'supervisor', image: strokes() },
    })),
  ],
  exempt: [
    { why: 'only the group that began the inspection knows of it: scoring.test.ts', calls: [removeInspection] },
    { why: 'the library of the caller’s own group: items.test.ts', calls: [createCheckItem, changeCheckItem] },
    { why: 'takes a workbook; its own test tries who may import: item-import.test.ts', calls: [importCheckItems] },
  ],
  withoutPage: [{ why: 'pages call its views listCheckItems and listCivilItems', names: ['checkItemLists'] }],
  projectRows: ({ pool, projectCode }) => insertInspection(pool, projectCode, projectCode),
  companyRows: (pool, { key }, { projectCode }) => insertInspection(pool, key, projectCode),
  owners: { checkSheet: ofPeople('check_sheet'), checkItem: ofGroup('check_item') },
  guarded: ['check_sheet'],
}
