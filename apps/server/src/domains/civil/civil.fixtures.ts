import { randomUUID } from 'node:crypto'
import {
  changeCivilCheck,
  createCivilCheck,
  createCivilPoint,
  removeCivilCheck,
  removeCivilPoint,
  signCivilCheck,
} from '@zhugong/contract/civil/inspection'
import { changeCivilItem, createCivilVersion, issueCivilVersion, removeCivilVersion } from '@zhugong/contract/civil/library'
import type pg from 'pg'
import { call, type Fixtures, ofGroup, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

/** A point of a site, and a submitted walk past it. */
async function insertWalk(pool: pg.Pool, projectCode: string): Promise<void> {
  const row = [projectCode]
  await pool.query(
    `insert into civil_point (id, project_code, seq, name, area, create_by, create_time)
     values (md5('civil point ' || $1), $1, 1, '样例大门', 'gate', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, state, create_by, create_time)
     values (md5('civil ' || $1), 'civiConsInspection', '样例-WM-' || md5($1), $1, now(), '{}', 'nobody', '样例机构', 'nobody', '12', now(), '{样例}',
       '全场', '7', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into check_score (check_id, project_code, shown_at, groups, score, reason) values (md5('civil ' || $1), $1, now(), '{}', 92, '样例')`,
    row,
  )
  await pool.query(
    `insert into check_sheet (id, check_id, project_code, shown_at, groups, seq, sheet_code, label, category)
     values (md5('civil sheet ' || $1), md5('civil ' || $1), $1, now(), '{}', 0, 'C-gate', '样例大门', 'C-gate')`,
    row,
  )
  await pool.query(
    `insert into check_result (sheet_id, item_code, check_id, project_code, shown_at, groups, seq, name, max_score, guarantee, result)
     values (md5('civil sheet ' || $1), 'C0102', md5('civil ' || $1), $1, now(), '{}', 0, '围挡整洁美观', 5, false, '1')`,
    row,
  )
  await pool.query(
    `insert into civil_walk (check_id, project_code, shown_at, groups, version_name) values (md5('civil ' || $1), $1, now(), '{}', '样例标准')`,
    row,
  )
  await pool.query(
    `insert into civil_shot (sheet_id, check_id, point_id, project_code, shown_at, groups)
     values (md5('civil sheet ' || $1), md5('civil ' || $1), md5('civil point ' || $1), $1, now(), '{}')`,
    row,
  )
  await pool.query(
    `insert into civil_version (id, group_id, owner, owner_code, group_name, name, create_by)
     select md5('civil version ' || $1), t.id, 'company', t.code, t.name, '样例标准', 'nobody' from tenant t join project p on p.contractor_corp_code = t.code
     where t.type = 2 and p.project_code = $1 limit 1`,
    row,
  )
  await pool.query(
    `insert into civil_item (id, group_id, owner, owner_code, item_code, part, name, max_score, create_by)
     select md5('civil item ' || $1), t.id, 'project', t.code, 'C03-P9', '03', '样例扩展项', 3, 'nobody' from tenant t where t.type = 3 and t.code = $1`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createCivilPoint,
      'review',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { id: randomUUID().replaceAll('-', ''), name: `点位 ${randomUUID().slice(0, 8)}`, area: 'gate' },
    })),
    call(
      createCivilCheck,
      'review',
    )((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: randomUUID().replaceAll('-', ''),
        action: 'save',
        points: [
          { pointId: rowId('civil point', { key: s.projectCode }), photos: [a.fileId], items: [{ itemCode: 'C0102', result: '1' }] },
        ],
        problems: [],
      },
    })),
  ],
  exempt: [
    { why: 'only the group that wrote a draft knows of it: civil.test.ts', calls: [changeCivilCheck, removeCivilCheck] },
    { why: 'takes the only point of the site away from the other calls: civil.test.ts', calls: [removeCivilPoint] },
    {
      why: 'its seats are for the names of the check and for the account of the site, never for a company: checks/security.test.ts',
      calls: [signCivilCheck],
    },
    {
      why: 'the standard of the caller’s own group: civil.test.ts',
      calls: [changeCivilItem, createCivilVersion, issueCivilVersion, removeCivilVersion],
    },
  ],
  projectRows: ({ pool, projectCode }) => insertWalk(pool, projectCode),
  owners: { civilPoint: ofPeople('civil_point'), civilVersion: ofGroup('civil_version'), civilItem: ofGroup('civil_item') },
  guarded: ['civil_point'],
}
