import { changeWork, createWork, removeWork } from '@zhugong/contract/works/calls'
import { signWork } from '@zhugong/contract/works/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, daysAgo, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
}

/** A work of a company, with a plan and somebody who was instructed. */
async function insertWork(pool: pg.Pool, { name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into bigproject (id, code, project_code, corp_code, shown_at, groups, name, category, over_scale, risk_level, part, depth, construction_corp,
       plan_start_date, plan_end_date, plan_name, plan_files, state, state_since, create_by, create_time)
     values (md5($1), '样例-' || md5($1), $2, $3, now(), '{}', '样例基坑', '101', false, '3', '基坑', 4, $3, current_date, current_date + 30, '样例方案',
       array['样例'], $4, now(), 'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into bigproject_person (id, work_id, project_code, corp_code, shown_at, groups, kind, seq, name, post)
     values (md5($1 || ' person'), md5($1), $2, $3, now(), '{}', 'receiver', 1, '样例', '钢筋班')`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createWork,
      'people',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        name: '样例脚手架',
        category: '401',
        riskLevel: '3',
        unitId: null,
        placeId: null,
        part: '主楼',
        sizes: sizes({ height: 30 }),
        constructionCorp: c.corpCode,
        subCorp: null,
        planStartDate: daysAgo(-2),
        planEndDate: daysAgo(-20),
        actualStartDate: null,
      },
    })),
    call(
      changeWork,
      'people',
    )((_s, c) => ({ params: { id: rowId('known work', c) }, query: anyProject, body: { version: 0, action: 'plan' } })),
    call(
      changeWork,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('audited work', c) },
      query: anyProject,
      body: { version: 0, action: 'return', opinion: '计算书与图纸不一致' },
    })),
    call(
      signWork,
      'people',
    )((_s, c) => ({
      params: { id: rowId('planned work', c) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'tech', name: '样例', image: strokes() },
    })),
    call(removeWork, 'people')((_s, c) => ({ params: { id: rowId('known work', c) }, query: anyProject })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertWork(pool, { name: 'work of', key: projectCode, projectCode, corpCode: rows[0].corp_code, state: '6' })
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    for (const [name, state] of [
      ['known work', '0'],
      ['planned work', '1'],
      ['audited work', '2'],
    ] as const)
      await insertWork(pool, { name, key, projectCode, corpCode, state })
  },
  owners: { bigproject: ofPeople('bigproject') },
  guarded: ['bigproject', 'bigproject_person'],
}

const sizes = (given: { height?: number }) => ({
  depth: null,
  height: given.height ?? null,
  span: null,
  totalLoad: null,
  lineLoad: null,
  pointLoad: null,
  pieceWeight: null,
  liftWeight: null,
  weight: null,
})
