import { randomUUID } from 'node:crypto'
import { changeImprovement, createImprovement, removeImprovement } from '@zhugong/contract/quality/improvement'
import { changeQualityCheck, createQualityCheck, removeQualityCheck, signQualityCheck } from '@zhugong/contract/quality/inspection'
import type pg from 'pg'
import { call, daysAgo, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

/** A submitted quality check with one item and one problem, and a closed improvement about it that nobody has judged. */
async function insertQuality(pool: pg.Pool, key: string, projectCode: string, corpCode: string): Promise<void> {
  const row = [`quality ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into site_check (id, kind, code, project_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, danger_level, problem_count, state, create_by, create_time)
     values (md5($1), 'qualityInspection', '样例-' || md5($1), $2, now(), '{}', 'nobody', '样例机构', 'nobody', '12', now(), '{样例}', '五层', '1', 1,
       '1', 'nobody', now())`,
    row.slice(0, 2),
  )
  await pool.query(
    `insert into site_check_problem (id, check_id, project_code, corp_code, shown_at, groups, seq, description, part, item_code, quality_problem,
       danger_level, requirement, deadline)
     values (md5($1 || ' problem'), md5($1), $2, $3, now(), '{}', 1, '内墙抹灰空鼓', '五层', '0302', '09', '1', '切除重抹', '2026-12-01')`,
    row,
  )
  await pool.query(
    `insert into quality_check_item (check_id, seq, project_code, shown_at, groups, item_code, result)
     values (md5($1), 1, $2, now(), '{}', '0302', '2')`,
    row.slice(0, 2),
  )
  await pool.query(
    `insert into quality_improvement (id, code, project_code, corp_code, shown_at, groups, author_group, author_group_name, title, quality_problem,
       source_kind, causes, cause_texts, prevention, line_parts, line_words, line_persons, deadline, recheck_after, state, create_by, create_time)
     values (md5('improvement ' || $1), '样例-' || md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', '抹灰空鼓改进', '09', 'qualityInspection',
       '{method}', '{基层未甩浆}', '先做样板再大面积施工', '{五层}', '{切除重抹并养护}', '{样例}', '2026-11-01', '2026-11-10', '7', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into quality_finding (improvement_id, seq, project_code, corp_code, shown_at, groups, source_kind, source_id, part, text, found_at)
     values (md5('improvement ' || $1), 1, $2, $3, now(), '{}', 'qualityInspection', md5($1 || ' problem'), '五层', '内墙抹灰空鼓', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createQualityCheck,
      'review',
    )((s, c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: randomUUID().replaceAll('-', ''),
        action: 'submit',
        part: '五层 3 轴',
        items: [{ itemCode: '0202', result: '2' }],
        problems: [
          {
            description: '填充墙灰缝不饱满',
            part: '五层 3 轴',
            itemCode: '0202',
            qualityProblem: '07',
            dangerLevel: '1',
            requirement: '拆除重砌',
            corpCode: c.corpCode,
            deadline: daysAgo(-3),
            photos: [a.fileId],
          },
        ],
      },
    })),
    call(
      createImprovement,
      'review',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: randomUUID().replaceAll('-', ''),
        action: 'save',
        title: '抹灰空鼓改进',
        qualityProblem: '09',
        corpCode: c.corpCode,
        findings: [{ kind: 'qualityInspection', id: rowId('quality', { key: `${s.projectCode} problem` }) }],
        causes: [{ group: 'method', text: '基层未甩浆' }],
        lines: [{ part: '五层', text: '切除空鼓部位重抹', person: null }],
        prevention: '先做样板间，验收后再大面积施工',
        deadline: daysAgo(-7),
        recheckAfter: daysAgo(-40),
        targetRate: 95,
      },
    })),
  ],
  exempt: [
    {
      why: 'only the group that wrote a draft knows of it, which no other caller shares; quality.test.ts tries it with every account',
      calls: [changeQualityCheck, removeQualityCheck, removeImprovement],
    },
    { why: 'only the group that wrote an improvement judges it: improvement.test.ts', calls: [changeImprovement] },
    {
      why: 'its seats are for the names of the check and for the account of the site, never for a company: checks/security.test.ts',
      calls: [signQualityCheck],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertQuality(pool, projectCode, projectCode, rows[0].corp_code)
  },
  owners: { qualityImprovement: ofPeople('quality_improvement') },
  guarded: ['quality_improvement'],
}
