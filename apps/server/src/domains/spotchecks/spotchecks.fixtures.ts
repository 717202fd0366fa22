import { changeSpotCheck, createSpotCheck, removeSpotCheck } from '@zhugong/contract/spotchecks/calls'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { call, daysAgo, type Fixtures, ofPeople } from '../../../test/fixtures/helpers.ts'

const readings = { test: 'other', note: '抽取试块一组' } as const

async function insertSpot(pool: pg.Pool, key: string, projectCode: string, corpCode: string): Promise<void> {
  const row = [`spot check ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into spot_check (id, code, project_code, corp_code, shown_at, groups, checker_group, checker_group_name, checker_id, checkers, kind, test, part,
       check_date, method, design_value, readings, sample_no, lab_org, lab_due, state, create_by, create_time)
     values (md5($1), '样例-' || md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', 'nobody', '{甲,乙}', '3', 'other', '试块', current_date, '抗压', 'C30', $4,
       md5($1), '样例检测', current_date, '1', 'nobody', now())`,
    [...row, JSON.stringify(readings)],
  )
  await pool.query(
    `insert into spot_check_report (id, check_id, project_code, corp_code, shown_at, groups, seq, stage, report_no, lab_org, report_date, actual_value,
       passed, files, by_id, by_name, at)
     values (md5($1 || ' report'), md5($1), $2, $3, now(), '{}', 1, 'first', md5($1), '样例检测', current_date, '35.1 MPa', true, '{}', 'nobody', '样例', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createSpotCheck,
      'review',
    )((s, c) => ({
      body: {
        id: newId(),
        projectCode: s.projectCode,
        action: 'submitOnSite',
        kind: '3',
        part: '9层梁板试块',
        corpCode: c.corpCode,
        checkDate: daysAgo(0),
        checkers: ['许建平', '高志远'],
        method: '抗压强度试验',
        designValue: 'C30',
        readings,
        actualValue: '35.1 MPa',
        passed: true,
      },
    })),
  ],
  exempt: [
    {
      why: 'only the group that checks goes on with a check, which no other caller shares; spotchecks.test.ts tries it with every account',
      calls: [changeSpotCheck, removeSpotCheck],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertSpot(pool, projectCode, projectCode, rows[0].corp_code)
  },
  owners: { spotCheck: ofPeople('spot_check') },
  guarded: ['spot_check', 'spot_check_report'],
}
