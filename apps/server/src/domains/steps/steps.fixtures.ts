import { changeStep, createStep, removeStep } from '@zhugong/contract/steps/calls'
import { signStep } from '@zhugong/contract/steps/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
}

/** An accepted or waiting sample (样板), of which a place may have several. */
async function insertStep(pool: pg.Pool, { name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into site_step (id, code, project_code, corp_code, shown_at, groups, author_group, author_group_name, work, kind, place_id, part, check_time,
       checkers, result, state, create_by, create_time)
     values (md5($1), '样例-' || md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', 'masonry', '1', md5('floor ' || $2), '1层', now(), '{样例}', '1', $4,
       'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into site_step_point (id, step_id, project_code, corp_code, shown_at, groups, round, seq, key, name, limit_text, passed, by_name, at)
     values (md5($1 || ' point'), md5($1), $2, $3, now(), '{}', 1, 1, 'tie', '拉结筋与马牙槎', '符合规范', true, '样例', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createStep,
      'site',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        action: 'save',
        work: 'masonry',
        kind: '1',
        placeId: rowId('floor', s),
        part: '1层样板',
        corpCode: c.corpCode,
        points: [],
      },
    })),
    call(
      changeStep,
      'supervision',
    )((_s, c) => ({
      params: { id: rowId('step to accept', c) },
      query: anyProject,
      body: { version: 0, action: 'accept', opinion: '', signature: strokes() },
    })),
    call(
      changeStep,
      'site',
    )((_s, c) => ({
      params: { id: rowId('step accepted', c) },
      query: anyProject,
      body: { version: 0, action: 'archive' },
    })),
  ],
  exempt: [
    {
      why: 'only the group that wrote it signs, and throws a draft away, which no other caller shares; steps.test.ts tries them',
      calls: [removeStep, signStep],
    },
  ],
  withoutPage: [{ why: 'pages ask for its views, listSteps and stepGrid', names: ['stepRecords'] }],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertStep(pool, { name: 'step of project', key: projectCode, projectCode, corpCode: rows[0].corp_code, state: '2' })
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    await insertStep(pool, { name: 'step to accept', key, projectCode, corpCode, state: '1' })
    await insertStep(pool, { name: 'step accepted', key, projectCode, corpCode, state: '2' })
  },
  owners: { siteStep: ofPeople('site_step') },
  guarded: ['site_step', 'site_step_point'],
}
