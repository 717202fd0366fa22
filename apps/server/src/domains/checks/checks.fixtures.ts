import { randomUUID } from 'node:crypto'
import { signSecurityCheck } from '@zhugong/contract/checks/seats'
import { changeSecurityCheck, createSecurityCheck, removeSecurityCheck } from '@zhugong/contract/checks/security-check'
import type pg from 'pg'
import { call, daysAgo, type Fixtures, ofPeople } from '../../../test/fixtures/helpers.ts'

/** A submitted check of a site with one problem. */
async function insertCheck(pool: pg.Pool, key: string, projectCode: string, corpCode: string): Promise<void> {
  const row = [`check ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, danger_level, problem_count, state, create_by, create_time)
     values (md5($1), 'securityCheck', '样例-' || md5($1), $2, now(), '{}', 'nobody', '样例机构', 'nobody', '12', now(), '{样例}', '三层', '1', 1, '1',
       'nobody', now())`,
    row.slice(0, 2),
  )
  await pool.query(
    `insert into site_check_problem (id, check_id, project_code, corp_code, shown_at, groups, seq, description, part, danger_level, requirement,
       deadline)
     values (md5($1 || ' problem'), md5($1), $2, $3, now(), '{}', 1, '临边防护缺失', '三层', '1', '补齐', '2026-12-01')`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createSecurityCheck,
      'review',
    )((s, c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: randomUUID().replaceAll('-', ''),
        action: 'submit',
        part: '三层东侧',
        problems: [
          {
            description: '临边防护栏杆缺失',
            part: '三层东侧',
            dangerLevel: '1',
            requirement: '补齐防护栏杆',
            corpCode: c.corpCode,
            deadline: daysAgo(-3),
            photos: [a.fileId],
          },
        ],
      },
    })),
  ],
  exempt: [
    {
      why: 'its seats are for the names of the check and for the account of the site, never for a company: security.test.ts',
      calls: [signSecurityCheck],
    },
    {
      why: 'only the group that wrote a draft knows of it, which no other caller shares; security.test.ts tries it with every account',
      calls: [changeSecurityCheck, removeSecurityCheck],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertCheck(pool, projectCode, projectCode, rows[0].corp_code)
  },
  owners: { siteCheck: ofPeople('site_check') },
  guarded: ['site_check', 'site_check_problem'],
}
